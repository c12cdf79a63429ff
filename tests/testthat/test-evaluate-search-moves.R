test_that("of equal gains the first in the order of the formula is made", {
  withr::local_seed(3)
  x <- stats::rnorm(60)
  e <- stats::rnorm(60)
  # Both pairs have the same correlation.
  data <- data.frame(y = rep(c("a", "b"), 30), d = 2 * x, c = x + e, b = x, a = 1 - x - e)
  path <- as.data.frame(search_blocks(bayes_naive(), y ~ d + c + b + a, data, max_size = 2))
  expect_identical(path$first, c("d", "b"))
  expect_identical(path$second, c("c", "a"))
  expect_equal(path$gain[[1]], path$gain[[2]], tolerance = 1e-10)
  other <- as.data.frame(search_blocks(bayes_naive(), y ~ a + b + c + d, data, max_size = 2))
  expect_identical(other$first, c("a", "c"))
})

test_that("merges keep within tables of 2^62 cells", {
  space <- list(kinds = rep("categorical", 3), levels = c(2^30, 2^31, 2^3))
  pairs <- data.frame(first = c(1L, 1L, 2L), second = c(2L, 3L, 3L))
  expect_identical(can_merge(pairs, as.list(1:3), space, Inf), c(TRUE, TRUE, TRUE))
  space$levels[[1]] <- 2^32
  expect_identical(can_merge(pairs, as.list(1:3), space, Inf), c(FALSE, TRUE, TRUE))
  space$kinds[[3]] <- "numeric"
  expect_identical(can_merge(pairs, as.list(1:3), space, Inf), c(FALSE, FALSE, FALSE))
})

test_that("a feature in a wrong block leaves it before it joins another", {
  withr::local_seed(5)
  data <- block_data(list(c("p", "q", "r"), c("s", "t")), 300)
  spec <- bayes_blocks(list(c("p", "q", "s"), c("r", "t")))
  found <- search_blocks(spec, y ~ ., data)
  expect_equal(sorted_blocks(found), list(c("p", "q", "r"), c("s", "t")))
  path <- as.data.frame(found)
  expect_setequal(path$change, c("merge", "split"))
  expect_true(all(path$gain > 0))
  expect_identical(path$step, seq_len(nrow(path)))
})
