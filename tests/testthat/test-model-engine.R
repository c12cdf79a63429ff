test_that("one error lists every class and feature that stands in the way", {
  data <- data.frame(y = c("a", "a", "a", "b", "b", "b", "c"), u = c(1, 1, 1, 2, 3, 5, 1),
                     v = c(1, 2, 4, 7, 7, 7, 1))
  strict <- bayes_naive(degenerate = "stop")
  error <- rlang::catch_cnd(fit(strict, y ~ ., data), "bayesrisk_error_degenerate")
  expect_length(error$problems, 3L)
  expect_match(error$problems, "class \"a\": `u` constant", fixed = TRUE, all = FALSE)
  expect_match(error$problems, "class \"b\": `v` constant", fixed = TRUE, all = FALSE)
  expect_match(error$problems, "class \"c\" .*1 .*`u`, `v`", all = FALSE)
  expect_match(conditionMessage(error), "min_variance")
})

test_that("numbers whose squares underflow have too small a spread", {
  data <- data.frame(y = rep(c("a", "b"), each = 10), x = c(1:10, 8:17))
  for (unit in c(1e-158, 1e-163)) {
    tiny <- transform(data, x = x * unit)
    expect_bayesrisk_error(
      fit(bayes_naive(), y ~ x, tiny), "degenerate", "too small for a double"
    )
  }
})

test_that("more than twenty problems are cut, and counted", {
  data <- data.frame(y = rep(1:30, each = 2), x = rep(1:30, each = 2))
  strict <- bayes_naive(degenerate = "stop")
  error <- rlang::catch_cnd(fit(strict, y ~ x, data), "bayesrisk_error_degenerate")
  expect_length(error$problems, 30L)
  expect_match(conditionMessage(error), "and 10 more")
})

test_that("a singular covariance names class, features, rank and remedies (G2, G3)", {
  u <- c(1, 2, 4, 3, 7, 9, 8, 1)
  y <- rep(c("a", "b"), each = 4)
  strict <- bayes_full(degenerate = "stop")
  for (v in list(rep(3, 8), 2 * u, u)) {
    expect_bayesrisk_error(fit_xy(strict, data.frame(u, v), y), "degenerate",
                           "class \"a\".*v.*class \"b\".*shrinkage")
  }
  expect_bayesrisk_error(fit_xy(strict, data.frame(u, v = 2 * u), y), "degenerate",
                         "rank 1 of 2")
  few <- data.frame(u = c(1, 2, 4, 3), v = c(1, 0, 2, 5), y = c("a", "a", "b", "b"))
  expect_bayesrisk_error(fit(strict, y ~ ., few), "degenerate", "2 rows.*3 or more")
  general <- data.frame(u = c(0, 1, 0, 4, 5, 7), v = c(0, 0, 1, 4, 6, 5),
                        y = rep(c("a", "b"), each = 3))
  expect_equal(rowSums(posterior(fit(bayes_full(), y ~ ., general), general)), rep(1, 6))
})

test_that("a block without a complete row in a class says so, whatever is known of its features", {
  data <- iris
  data[1:25, "Sepal.Width"] <- data[26:50, "Petal.Width"] <- NA
  expect_bayesrisk_error(
    fit(bayes_full(degenerate = "stop"), Species ~ ., data), "degenerate",
    'class "setosa" has no row with all of'
  )
})

test_that("constants that doubles cannot tell apart from spread are constants (N8)", {
  for (value in c(150494407424305.47, 1e15 + 0.3, 0.1, 0, -1e-300)) {
    data <- data.frame(y = rep(c("a", "b"), c(7, 2)), x = c(rep(value, 7), 1, 2))
    expect_bayesrisk_error(fit(bayes_naive(degenerate = "stop"), y ~ x, data), "degenerate",
                           "class \"a\".*x.*constant")
  }
})

test_that("spread beyond the doubles is an error, not NaN (N7)", {
  data <- mixed()
  for (factor in c(2^600, 2^-600)) {
    expect_bayesrisk_error(fit(bayes_naive(), y ~ x, transform(data, x = x * factor)),
                           "degenerate", "x")
    expect_bayesrisk_error(fit(bayes_full(), y ~ x + z, transform(data, x = x * factor)),
                           "degenerate", "x")
  }
})

test_that("a number so far out that its square overflows is never NaN (N5)", {
  model <- fit(bayes_naive(), y ~ x, tails())
  far <- data.frame(x = c(-100, 1e3, 1e200, -1.7e308))
  answer <- suppressWarnings(predict(model, far, type = "log_prob"))
  expect_equal(answer[1:2, ], cbind(A = c(0, -9950), B = c(-1050, 0)), tolerance = 1e-14)
  expect_false(any(is.nan(answer)))
})

test_that("a level without counts in a class is named, and how to smooth it", {
  data <- data.frame(y = c("a", "a", "b"), g = c("k", "l", NA))
  expect_bayesrisk_error(fit(bayes_naive(degenerate = "stop"), y ~ g, data), "degenerate",
                         "class \"b\".*g.*laplace = 1")
  expect_s3_class(fit(bayes_naive(laplace = 1), y ~ g, data), "bayesrisk_model")
})

# Garbage is collected at each allocation inside of the bindings of the engine: what R does between
# them is not ours, and would take minutes. Which bindings were gone through comes with it.
tortured <- function(run) {
  space <- asNamespace("bayesrisk")
  bindings <- mget(ls(space, pattern = "^[a-z].*_cpp$"), space)
  entered <- character()
  on.exit(replace_functions("bayesrisk", bindings))
  replace_functions("bayesrisk", Map(function(binding, name) {
    function(...) {
      arguments <- list(...)
      entered <<- c(entered, name)
      on.exit(gctorture(FALSE))
      gctorture(TRUE)
      do.call(binding, arguments, quote = TRUE)
    }
  }, bindings, names(bindings)))
  list(answer = run(), bindings = entered)
}

test_that("gctorture does not change the answer (R11)", {
  skip_on_cran()
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.4)
  run <- function() {
    model <- fit(bayes_blocks(list(c("x", "z")), laplace = 1), y ~ ., mixed())
    list(model, posterior(model, mixed()), decide(model, mixed(), cost))
  }
  expected <- run()
  found <- tortured(run)
  expect_identical(found$answer, expected)
  expect_identical(
    unique(found$bindings),
    c(
      "distinct_text_cpp", "collect_statistics_cpp", "column_values_cpp", "estimate_cpp",
      "score_cpp", "decide_model_cpp"
    )
  )
})

test_that("empty input passes through every entry (R12)", {
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1, shrinkage = 0.5))) {
    model <- fit(spec, y ~ ., mixed())
    none <- mixed()[0, ]
    for (type in types_of_any_model()) expect_silent(predict(model, none, type = type))
    expect_identical(contributions(model, none)[, , "a"], contributions(model, mixed())[0, , "a"])
    expect_identical(posterior(update(model, none), mixed()), posterior(model, mixed()))
  }
  prior_only <- fit(bayes_naive(), y ~ 1, mixed())
  expect_identical(dim(contributions(prior_only, mixed())), c(8L, 1L, 2L))
  expect_equal(unname(posterior(prior_only, data.frame(a = 1:2)[, 0])), rbind(c(5, 3), c(5, 3)) / 8)
})

test_that("places of problems are named by feature and class, folds added up", {
  schema <- list(classes = list(levels = c("a", "b")), features = list(x = NULL, z = NULL))
  names(schema$features) <- c("x", "z")
  diagnostics <- list(
    problem = c("outside", "outside", "no_count", "outside"), class = c(2L, 4L, 1L, 1L),
    feature = c(1L, 1L, 2L, 2L), count = c(1, 2, 1, 1)
  )
  expect_identical(
    problem_places(diagnostics, "outside", schema),
    c('x (class "b": 3 rows)', 'z (class "a": 1 row)')
  )
  expect_identical(problem_places(diagnostics, "infinite", schema), character())
})

test_that("a feature too small for its squares, or without values, does not separate classes", {
  small <- transform(iris, Sepal.Length = Sepal.Length * 1e-300, Petal.Width = Petal.Width * 1e-310)
  for (numeric in list(likelihood_gaussian(), likelihood_kernel())) {
    expect_error(
      fit(bayes_naive(numeric = numeric), Species ~ ., small),
      "too small for a double.*Multiply the feature", class = "bayesrisk_error_degenerate"
    )
  }
  expect_error(
    fit(bayes_full(), Species ~ Sepal.Length + Petal.Width, small), "Multiply the feature",
    class = "bayesrisk_error_degenerate"
  )
  apart <- transform(iris, x = as.integer(Species) * 1e-100)
  expect_error(
    fit(bayes_naive(), Species ~ x, apart), "factor\\(x\\)", class = "bayesrisk_error_degenerate"
  )

  empty <- transform(iris, x = NA_real_)
  gamma <- tryCatch(
    fit(bayes_naive(numeric = likelihood_gamma()), Species ~ ., empty), error = conditionMessage
  )
  expect_match(gamma, "`x`: no value in any row.*- x")
  full <- tryCatch(fit(bayes_full(), Species ~ ., empty), error = conditionMessage)
  expect_match(full, "No row has a value of `x`")
  expect_no_match(full, "separates|factor\\(")
})

test_that("weights below 1 are named as the cause", {
  w <- rep(1 / 150, 150)
  for (formula in list(Species ~ ., I(Species == "setosa") ~ . - Species)) {
    expect_error(
      fit(bayes_full(), formula, iris, weights = w), "no class weighs more than 1.*w \\* length",
      class = "bayesrisk_error_degenerate"
    )
  }
  expect_warning(
    fit(bayes_naive(), Species ~ ., iris, weights = w), "No class weighs more than 1",
    class = "bayesrisk_warning_degenerate"
  )
  expect_equal(
    coef(fit(bayes_naive(), Species ~ ., iris, weights = w * length(w) / sum(w))),
    coef(fit(bayes_naive(), Species ~ ., iris))
  )
})

test_that("squares that overflow are no reason to fail while a problem is described", {
  data <- data.frame(
    x1 = c(-1, 0, 1, 1, 1e300), x2 = c(-0.3, 0.1, 0.3, 0.8, 2.2), y = c("A", "A", "A", "B", "B")
  )
  expect_bayesrisk_error(
    fit(bayes_full(), y ~ ., data, weights = rep(1e-11, 5)), "degenerate",
    "no class weighs more than 1"
  )
})
