test_that("all tests are done at the cheapest prices that cover every feature", {
  cover <- function(features, price) {
    all_tests(list(test = letters[seq_along(price)], features = features, price = price))
  }
  expect_identical(cover(list(1L, 2L), c(1, 2)), list(price = 3, steps = 2L))
  expect_identical(cover(list(1L, 2L, 1:2), c(1, 2, 2.5)), list(price = 2.5, steps = 1L))
  expect_identical(cover(list(1L, 2L, 1:2), c(1, 1, 2.5)), list(price = 2, steps = 2L))
  expect_identical(cover(list(1L, 1L, 2L), c(5, 0.1, 1)), list(price = 1.1, steps = 2L))
  # Each price is that of some cover: brute force over all sets of tests.
  withr::local_seed(1)
  for (i in 1:20) {
    features <- c(as.list(1:4), list(c(1L, 2L), c(2L, 3L, 4L), c(1L, 4L)))
    price <- stats::runif(7)
    sets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), 7)))
    full <- apply(sets, 1, function(s) all(1:4 %in% unlist(features[s])))
    expect_within(cover(features, price)$price, min(sets[full, ] %*% price), 1e-12)
  }
})

test_that("which features are known of a case", {
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, data.frame(
    y = c("a", "b", "a", "b"), x = c(1, 2, 4, 3), g = c("u", "v", "v", "u")
  ))
  read <- read_newdata(model$schema, data.frame(x = c(1, NA), g = c(NA, "v")), NULL)
  known <- matrix(c(TRUE, FALSE, FALSE, TRUE), 2)
  expect_identical(unname(known_of_cases(model, read$frame)), known)
  expect_identical(levels_of_cases(model, read$frame)[2, ], c(0L, 2L))
})
