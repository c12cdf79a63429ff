# Log densities as SQL, against the engine.

test_that("every likelihood has a form in SQL", {
  expect_setequal(names(score_writers()), names(likelihood_records()))
  expect_true(all(names(score_writers()) %in% names(lazy_models())))
})

for (engine in database_engines) {
  test_that(paste("scores are those in memory, with missing, unknown and far values:", engine), {
    con <- local_database(engine)
    data <- lazy_newdata()
    table <- put_table(con, data)
    models <- lazy_models()
    for (name in names(models)) {
      expect_lazy_scores(models[[name]], table, data, c("both", "log_joint"))
    }
  })

  test_that(paste("numbers near 0 neither underflow nor raise an error:", engine), {
    con <- local_database(engine)
    single <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(
      mean = c(a = 0, b = 1e-3), sd = c(a = 1, b = 1e5)
    ))
    block <- bayes_known(c(a = 0.5, b = 0.5), two = likelihood_gaussian(
      mean = rbind(a = c(x = 0, z = 0), b = c(0, 1)), covariance = diag(2)
    ))
    x <- c(0, 1e-200, -1e-300, 1e-160, 5e-324, 1, NA)
    data <- data.frame(x = x, z = rev(x), id = seq_along(x))
    table <- put_table(con, data)
    expect_lazy_scores(single, table, data, c("both", "log_joint"))
    expect_lazy_scores(block, table, data, c("both", "log_joint"))
  })

  test_that(paste("hundreds of features and classes:", engine), {
    con <- local_database(engine)
    data <- withr::with_seed(1, data.frame(
      y = rep(c("a", "b"), 20), matrix(stats::rnorm(40 * 200), 40), id = 1:40
    ))
    wide <- fit(bayes_naive(), y ~ . - id, data)
    expect_lazy_scores(wide, put_table(con, data), data, "both")
    data$y <- sprintf("c%03d", (data$id - 1) %/% 2)
    levels <- sprintf("c%03d", 0:129)
    known <- bayes_known(
      stats::setNames(rep(1 / 130, 130), levels),
      X1 = likelihood_gaussian(mean = stats::setNames(seq(-3, 3, length.out = 130), levels), sd = 1)
    )
    data <- data[c("X1", "id")]
    expect_lazy_scores(known, put_table(con, data), data, "both")
  })

  test_that(paste("truth values are levels:", engine), {
    con <- local_database(engine)
    data <- data.frame(
      g = c(TRUE, FALSE, NA, TRUE), h = c("v", "u", "z", NA), x = c(1, 3, 2, NA), id = 1:4
    )
    training <- data.frame(
      y = rep(c("a", "b", "b"), 4), g = c(TRUE, FALSE, TRUE, TRUE),
      h = factor(c("v", "u"), c("v", "u", "z")), x = 1:12
    )
    model <- fit(bayes_naive(laplace = 1), y ~ g + h + (x > 2), training)
    expect_lazy_scores(model, put_table(con, data), data, "both")
  })
}

test_that("large tables, histograms and kernels are errors that say what to do", {
  skip_if_not_installed("dbplyr")
  con <- dbplyr::simulate_sqlite()
  data <- withr::with_seed(1, data.frame(
    y = rep(c("a", "b"), 600), x = stats::rnorm(1200), f = sample(letters, 1200, TRUE),
    g = sample(LETTERS, 1200, TRUE), h = sample(letters, 1200, TRUE)
  ))
  expect_refused <- function(spec, formula, text) {
    model <- suppressWarnings(fit(spec, formula, data))
    expect_error(as_sql(model, con, "t"), text, class = "bayesrisk_error_argument")
  }
  expect_refused(bayes_naive(numeric = likelihood_kernel()), y ~ x, "`?x`? has too many points")
  expect_refused(bayes_naive(numeric = likelihood_empirical()), y ~ x, "too many values")
  expect_refused(
    bayes_naive(numeric = likelihood_histogram(width = 0.001, laplace = 1)), y ~ x, "too many bins"
  )
  expect_refused(bayes_full(laplace = 1), y ~ f + g + h, "too many combinations of levels")
  data$z <- rev(data$x)
  expect_refused(
    bayes_full(joint = likelihood_histogram(width = 0.1, laplace = 1)), y ~ x + z,
    "too many combinations of bins"
  )
})

test_that("steps, sums and extremes are found in groups", {
  con <- local_database("sqlite")
  value <- function(sql) DBI::dbGetQuery(con, paste("SELECT", sql, "AS v"))$v
  breaks <- 1:999
  steps <- db_steps("x", breaks, as.character(0:999))
  for (x in c(-1, 0, 0.5, 1, 7, 499.5, 998, 999, 5000)) {
    found <- value(gsub("x", sprintf("%.1f", x), steps, fixed = TRUE))
    expect_equal(found, findInterval(x, breaks), info = x)
  }
  expect_identical(db_steps("x", 1:3, rep("0", 4)), "0")
  expect_identical(db_steps("x", 1:2, c("0", "0", "1")), "CASE WHEN x < 2 THEN 0 ELSE 1 END")
  expect_equal(value(db_sum(rep("1", 5000))), 5000)
  expect_identical(db_sum(character()), "0")
  expect_equal(value(db_extreme(as.character(1:1000), "MAX")), 1000)
  expect_equal(value(db_any(rep("1 = 0", 3000))), 0)
  expect_equal(value(db_any(character())), 0)
})

test_that("Stirling's error agrees with R's gamma function", {
  con <- local_database("sqlite")
  a <- c(16, 20.5, 100, 1e4)
  exact <- lgamma(a + 1) - (0.5 * log(2 * pi * a) + a * log(a) - a)
  found <- vapply(a, function(a) {
    DBI::dbGetQuery(con, paste("SELECT", db_stirling(plain_number(a), plain_number), "AS v"))$v
  }, 1)
  expect_equal(found, exact, tolerance = 1e-6) # lgamma() loses the other digits
  expect_equal(gamma_error(a), found, tolerance = 1e-15)
  expect_equal(gamma_error(c(0.5, 3)), lgamma(c(1.5, 4)) -
                 (0.5 * log(2 * pi * c(0.5, 3)) + c(0.5, 3) * log(c(0.5, 3)) - c(0.5, 3)))
})
