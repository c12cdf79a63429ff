# Far out, everything stays on the log scale. Numbers in 60-digit arithmetic.

three_and_three <- function(prior = NULL) {
  x <- data.frame(x = c(-1, 0, 1, 9, 10, 11))
  fit_xy(bayes_naive(prior = prior), x, rep(c("A", "B"), each = 3))
}

at <- function(x) data.frame(x = x)

test_that("between the classes: one half at 5, 1.9e-22 at 0 (N3)", {
  expect_identical(as.vector(predict(three_and_three(), at(5), type = "prob")), c(.5, .5))
  expect_identical(as.character(predict(three_and_three(), at(5))), "A")
  at_zero <- predict(three_and_three(), at(0), type = "prob")[, "B"]
  expect_within(at_zero, 1.9287498479639178e-22, 1e-13)
})

test_that("in the tail the nearer class wins, to the last log (N4, N5)", {
  model <- three_and_three()
  expect_identical(as.character(predict(model, at(c(-29, -100, 1e3)))), c("A", "A", "B"))
  expect_within(predict(model, at(-29), type = "prob")[, "B"], 2.1871378321977184e-148, 1e-13)
  expect_identical(as.vector(predict(model, at(-100), type = "log_prob")), c(0, -1050))
  expect_identical(as.vector(predict(model, at(-100), type = "prob")), c(1, exp(-1050)))
  expect_identical(as.vector(predict(model, at(1e3), type = "log_prob")), c(-9950, 0))
})

test_that("beyond the largest square: the class by limit, or NA and a warning (N5)", {
  model <- three_and_three()
  for (x in c(1e200, -1.7e308)) {
    expect_warning(class <- predict(model, at(x)), class = "bayesrisk_warning")
    expect_true(is.na(class))
    expect_warning(p <- predict(model, at(x), type = "prob"), class = "bayesrisk_warning")
    expect_true(all(is.na(p)))
  }
  gaussian <- likelihood_gaussian(mean = c(A = 0, B = 1), sd = c(A = 1, B = 1e100))
  wide <- bayes_known(c(A = .5, B = .5), x = gaussian)
  expect_identical(as.vector(predict(wide, at(1e200), type = "prob")), c(0, 1))
  block <- fit(bayes_full(), Species ~ ., iris)
  far <- iris[1, 1:4] * 1e200
  expect_warning(p <- predict(block, far, type = "prob"), class = "bayesrisk_warning")
  expect_true(all(is.na(p)))
})

test_that("a prior of 1e-300 is outvoted where the likelihood says so (P4)", {
  model <- three_and_three(c(1, 1e-300))
  log_odds <- function(x) diff(as.vector(predict(model, at(x), type = "log_joint")))
  expect_within(log_odds(40), -340.77552789821371, 1e-13)
  expect_within(log_odds(80), 59.224472101786295, 1e-12)
  expect_identical(as.character(predict(model, at(c(40, 80)))), c("A", "B"))
})

test_that("3000 binary features: likelihoods below any double (X8)", {
  skip_on_cran()
  levels <- c("0", "1")
  tables <- rep(list(rbind(A = c("0" = 2 / 3, "1" = 1 / 3), B = c(1 / 3, 2 / 3))), 3000)
  names(tables) <- paste0("f", 1:3000)
  model <- do.call(bayes_known, c(list(prior = c(A = .5, B = .5)), tables))
  row <- function(ones) {
    values <- rep(levels[2:1], c(ones, 3000 - ones))
    as.data.frame(as.list(stats::setNames(values, names(tables))))
  }
  expect_within(predict(model, row(1500), type = "prob"), c(.5, .5), 1e-10)
  expect_within(predict(model, row(1501), type = "prob")[, "B"], 4 / 5, 1e-10)
  expect_within(predict(model, row(1500), type = "log_evidence"), 1500 * log(2 / 9), 1e-12)
})

test_that("2000 Gaussian features: no NaN, rows sum to 1 (N16)", {
  set.seed(4)
  x <- matrix(rnorm(80 * 2000), 80)
  y <- rep(c("a", "b", "c", "d"), 20)
  model <- fit_xy(bayes_naive(), x + (y == "c") / 10, y)
  p <- predict(model, x, type = "prob")
  expect_false(anyNA(p))
  expect_within(rowSums(p), rep(1, 80), 1e-12)
  log_p <- predict(model, x, type = "log_prob")
  expect_true(all(is.finite(log_p)))
})

test_that("5000 classes of two rows (N17)", {
  y <- rep(seq_len(5000), each = 2)
  model <- fit_xy(bayes_naive(), data.frame(x = y + c(-.25, .25)), y)
  p <- predict(model, data.frame(x = c(1, 2500.2, 5000)), type = "prob")
  expect_within(rowSums(p), rep(1, 3), 1e-12)
  class <- predict(model, data.frame(x = c(1, 2500.2, 5000)))
  expect_identical(as.character(class), c("1", "2500", "5000"))
})

test_that("rounding does not hide a constant feature (N8)", {
  for (constant in list(rep(150494407424305.47, 12), rep(1e15 + .3, 7), rep(.1, 10))) {
    n <- length(constant)
    data <- data.frame(x = c(constant, seq_len(n)), y = rep(c("a", "b"), each = n))
    for (spec in list(bayes_naive(degenerate = "stop"), bayes_full(degenerate = "stop"))) {
      expect_error(fit(spec, y ~ x, data), "\"a\".*`x`", class = "bayesrisk_error_degenerate")
    }
    collected <- merge(bayes_statistics(bayes_naive(), y ~ x, data[1:3, ]),
                       bayes_statistics(bayes_naive(), y ~ x, data[-(1:3), ]))
    expect_error(
      fit(bayes_naive(degenerate = "stop"), collected), class = "bayesrisk_error_degenerate"
    )
  }
})

test_that("a scale that a double cannot square is an error, not NaN (N7)", {
  for (power in c(600, -600)) {
    scaled <- transform(iris, Petal.Width = Petal.Width * 2^power)
    for (spec in list(bayes_naive(), bayes_full())) {
      expect_error(fit(spec, Species ~ ., scaled), "Petal.Width",
                   class = "bayesrisk_error_degenerate")
    }
  }
})

test_that("a perturbation of one ulp moves no posterior by 1e-9 (N13)", {
  nudged <- iris
  nudged[1:4] <- iris[1:4] * (1 + .Machine$double.eps * rep(c(-1, 1, 1), 50))
  for (spec in list(bayes_naive(), bayes_full())) {
    model <- fit(spec, Species ~ ., iris)
    expect_same_predictions(model, fit(spec, Species ~ ., nudged), iris, 1e-9)
  }
})

test_that("tiny and huge smoothing give finite posteriors (A1)", {
  for (laplace in c(1e-320, 1e300)) {
    for (spec in list(bayes_naive(laplace = laplace), bayes_full(laplace = laplace))) {
      p <- predict(fit(spec, play ~ ., play_tennis), play_query("overcast"), type = "prob")
      expect_true(all(is.finite(p)))
      expect_within(sum(p), 1, 1e-12)
    }
  }
})
