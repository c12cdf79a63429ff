test_that("steps and sums are found in groups", {
  con <- local_database("sqlite")
  to <- sql_language(sqlite_dialect)
  value <- function(sql) ask_rows(con, paste("SELECT", sql, "AS v"))$v
  breaks <- 1:999
  steps <- steps_text("x", breaks, as.character(0:999), to)
  for (x in c(-1, 0, 0.5, 1, 7, 499.5, 998, 999, 5000)) {
    found <- value(gsub("x", sprintf("%.1f", x), steps, fixed = TRUE))
    expect_equal(found, findInterval(x, breaks), info = x)
  }
  expect_identical(steps_text("x", 1:3, rep("0", 4), to), "0")
  expect_identical(
    steps_text("x", 1:2, c("0", "0", "1"), to), "CASE WHEN x < 2 THEN 0 ELSE 1 END"
  )
  expect_equal(value(sum_text(rep("1", 5000))), 5000)
  expect_identical(sum_text(character()), "0")
})

test_that("SQL and R are the same language", {
  # What a language has beside, a bank adds.
  sql <- bank_language("x", "x", "h", list(), list(dialect = sqlite_dialect), TRUE, 0, NULL)
  expect_setequal(names(r_language(list(1), NULL, NULL)), names(sql))
})

test_that("large tables, histograms and kernels are errors that say what to do", {
  skip_on_cran()
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

for (engine in database_engines) {
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
}

test_that("Stirling's error agrees with R's gamma function", {
  con <- local_database("sqlite")
  a <- c(16, 20.5, 100, 1e4)
  exact <- lgamma(a + 1) - (0.5 * log(2 * pi * a) + a * log(a) - a)
  found <- vapply(a, function(a) {
    text <- stirling_text(plain_number(a), sql_language(sqlite_dialect))
    ask_rows(con, paste("SELECT", text, "AS v"))$v
  }, 1)
  expect_equal(found, exact, tolerance = 1e-6) # lgamma() loses the other digits
  expect_equal(gamma_error(a), found, tolerance = 1e-15)
  expect_equal(gamma_error(c(0.5, 3)), lgamma(c(1.5, 4)) -
                 (0.5 * log(2 * pi * c(0.5, 3)) + c(0.5, 3) * log(c(0.5, 3)) - c(0.5, 3)))
})
