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

test_that("features without an evidence stay, and are named", {
  withr::local_seed(1)
  data <- block_data(list(c("p", "q"), c("r", "s"), c("t", "u")), 200)
  own <- search_blocks(bayes_naive(features = list(q = likelihood_kernel())), y ~ ., data)
  expect_equal(sorted_blocks(own), list(c("r", "s"), c("t", "u")))
  expect_match(printed_text(own), "Kept as before: `q` (likelihood of its own)", fixed = TRUE)
  kernels <- search_blocks(bayes_naive(numeric = likelihood_kernel()), y ~ ., data)
  expect_identical(kernels$blocks, list())
  expect_match(printed_text(kernels), "(kernel likelihood)", fixed = TRUE)
  expect_s3_class(fit(kernels, y ~ ., data), "bayesrisk_model")
  mixtures <- bayes_blocks(list(one = c("p", "r")), joint = list(one = likelihood_mixture(1:2)))
  found <- search_blocks(mixtures, y ~ q + s + t + u + p + r, data)
  expect_identical(found$blocks$one, c("p", "r"))
  expect_equal(unname(found$blocks[names(found$blocks) != "one"]), list(c("t", "u")))
  expect_match(printed_text(found), "`p`, `r` (likelihood of its own)", fixed = TRUE)
  full <- search_blocks(bayes_full(joint = likelihood_mixture(1)), y ~ p + q, data)
  expect_identical(unname(full$blocks), list(c("p", "q")))
})

test_that("tables that are smoothed by level stay single", {
  data <- as.data.frame(Titanic)
  spec <- bayes_naive(features = list(), categorical = likelihood_categorical(c(1, 2)))
  found <- search_blocks(spec, Survived ~ Sex + Age, data, weights = Freq)
  expect_identical(found$blocks, list())
  expect_match(printed_text(found), "smoothed by level")
})

test_that("only the wanted kinds are searched, from the blocks that are there", {
  withr::local_seed(2)
  data <- block_data(list(c("p", "q"), "r"), 200)
  data$g <- ifelse(data$p > 0.5, "u", "v")
  data$h <- ifelse(stats::runif(200) < 0.9, data$g, "v")
  numbers <- search_blocks(bayes_naive(), y ~ ., data, kinds = "numeric")
  expect_identical(sorted_blocks(numbers), list(c("p", "q")))
  tables <- search_blocks(bayes_blocks(list(c("p", "r"))), y ~ ., data, kinds = "categorical")
  expect_identical(sorted_blocks(tables), list(c("g", "h"), c("p", "r")))
  given <- search_blocks(bayes_blocks(list(mine = c("p", "q"))), y ~ ., data)
  expect_identical(names(given$blocks), c("mine", "g+h"))
  wrong <- search_blocks(bayes_blocks(list(mine = c("p", "r"))), y ~ ., data, kinds = "numeric")
  expect_identical(sorted_blocks(wrong), list(c("p", "q")))
  expect_error(
    search_blocks(bayes_blocks(list(c("p", "none"))), y ~ ., data),
    class = "bayesrisk_error_argument"
  )
})
