counts_of_words <- function() {
  withr::local_seed(1)
  matrix(
    stats::rpois(60, 1.5) * stats::rbinom(60, 1, 0.6), 12,
    dimnames = list(sprintf("d%d", 1:12), letters[1:5])
  )
}

test_that("scores and coefficients are the multinomial log likelihood", {
  x <- counts_of_words()
  class <- rep(c("a", "b", "c"), 4)
  model <- fit(bayes_text(), x, class)
  found <- predict(model, x, type = "log_likelihood") + log_coefficient(x)
  theta <- coef(model)$terms
  for (k in rownames(theta)) {
    expected <- apply(x, 1, stats::dmultinom, prob = theta[k, ], log = TRUE)
    expect_lt(max(abs(found[, k] - expected)), 1e-10)
  }
  expect_identical(names(log_coefficient(x)), rownames(x))
})

test_that("large counts, empty cases and other forms of a matrix", {
  x <- rbind(c(a = 1e5, b = 2e6), c(0, 0), c(1, 0), c(170, 171))
  expected <- lgamma(rowSums(x) + 1) - rowSums(lgamma(x + 1))
  expect_equal(log_coefficient(x), expected, tolerance = 1e-12)
  expect_identical(log_coefficient(x)[2:3], c(0, 0))
  expect_identical(log_coefficient(unname(x)), log_coefficient(x))
  expect_identical(log_coefficient(Matrix::Matrix(x, sparse = TRUE)), log_coefficient(x))
  expect_identical(log_coefficient(methods::as(Matrix::Matrix(x, sparse = TRUE), "RsparseMatrix")),
                   log_coefficient(x))
  expect_identical(log_coefficient(x[0, ]), numeric())
})

test_that("numbers that are no counts are errors that name the term", {
  x <- counts_of_words()
  for (bad in list(-1, 0.5, NA, Inf)) {
    wrong <- x
    wrong[3, "d"] <- bad
    expect_bayesrisk_error(log_coefficient(wrong), "data", "\"d\"")
  }
  expect_bayesrisk_error(log_coefficient(), "argument", "matrix of counts")
  expect_bayesrisk_error(log_coefficient(iris), "argument", "matrix of counts")
  expect_bayesrisk_error(log_coefficient(x, y = 1), "argument", "y")
  damaged <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  damaged@i[[2]] <- 1000L
  expect_bayesrisk_error(log_coefficient(damaged), "data", "damaged")
})
