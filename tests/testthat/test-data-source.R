test_that("data frames, matrices and tibbles are cases of one form", {
  columns <- c("Sepal.Length", "Petal.Width")
  request <- function() {
    fit_request(Species ~ Sepal.Length + Petal.Width, rlang::quo(NULL), rlang::quo(NULL),
             stats::na.pass, 1L)
  }
  cases <- read_cases(iris, request(), NULL)
  expect_identical(names(cases$schema$features), columns)
  expect_identical(as.integer(cases$group), as.integer(iris$Species))
  expect_identical(lapply(cases$columns, column_vector), unname(as.list(iris[columns])))
  skip_if_not_installed("tibble")
  tibble <- read_cases(tibble::as_tibble(iris), request(), NULL)
  expect_identical(tibble$columns, cases$columns)
  expect_identical(tibble$group, cases$group)
})

test_that("a request with a schema reads the features of the model, whatever else there is", {
  model <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  request <- fit_request(
    model$schema$formula, rlang::quo(NULL), rlang::quo(NULL), stats::na.pass, 1L, model$schema
  )
  cases <- read_cases(rev(iris)[51:150, ], request, NULL)
  expect_identical(names(cases$schema$features), "Petal.Width")
  expect_identical(column_vector(cases$columns[[1]]), iris$Petal.Width[51:150])
  expect_setequal(as.integer(cases$group), 2:3)
})

test_that("case_range() has the range and the quartiles of the rows that count", {
  data <- data.frame(y = c("a", "b", "a", "a", "b", "a"), x = c(4, 1, 99, NA, 2, 8))
  request <- fit_request(y ~ x, rlang::quo(NULL), rlang::quo(x != 99), stats::na.pass, 1L)
  cases <- read_cases(data, request, NULL)
  range <- case_range(cases, 1L, TRUE, NULL)
  expect_identical(c(range$lowest, range$highest), c(1, 8))
  expect_within(
    c(range$lower_quartile, range$upper_quartile),
    unname(stats::quantile(c(4, 1, 2, 8), c(0.25, 0.75))), 1e-15
  )
})
