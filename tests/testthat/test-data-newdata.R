data <- data.frame(
  y = c("a", "a", "a", "a", "b", "b", "b", "b"),
  n = c(1L, 2L, 4L, 3L, 7L, 9L, 8L, 4L),
  x = c(0.5, 2, 1, 3, 2, 4, 7, 1),
  g = c("k", "l", "l", "k", "l", "m", "k", "m"),
  f = factor(c("p", "q", "p", "q", "q", "q", "p", "p"), c("q", "p")),
  l = c(TRUE, FALSE, NA, TRUE, FALSE, FALSE, TRUE, FALSE)
)
specs <- list(
  naive = bayes_naive(laplace = 1),
  full = bayes_full(laplace = 1),
  pooled = bayes_full(1, covariance = "pooled"),
  blocks = bayes_blocks(list(c("n", "x"), pair = c("g", "l")), laplace = 1)
)
models <- lapply(specs, fit, formula = y ~ ., data = data)
without <- function(feature) {
  lapply(specs[1], fit, formula = y ~ ., data = data[names(data) != feature])
}

for_each_model <- function(check) for (model in models) check(model, posterior(model, data))

test_that("columns are found by name in any order, others are ignored (S1)", {
  for_each_model(function(model, expected) {
    expect_identical(posterior(model, cbind(other = as.Date(1:8, "1970-01-01"), data[6:1])),
                     expected)
  })
})

test_that("a missing or renamed column is an error that lists it (S2)", {
  skip_on_cran()
  for_each_model(function(model, expected) {
    expect_bayesrisk_error(predict(model, data[c("x", "f", "l")]), "schema", "no column.*n.*g")
    expect_bayesrisk_error(predict(model, stats::setNames(data, toupper(names(data)))), "schema",
                           "no column.*n")
    expect_bayesrisk_error(predict(model, data.frame()), "schema", "no column")
    expect_bayesrisk_error(contributions(model, data["x"]), "schema", "no column.*n")
    expect_bayesrisk_error(update(model, data[-2]), "schema", "moredata.*no column.*n")
  })
})

test_that("each table is matched by its own names, whatever was predicted before (S1, S2)", {
  skip_on_cran()
  swapped <- data
  names(swapped)[2:3] <- names(data)[3:2]
  other <- fit(bayes_naive(), y ~ x + n, data)
  for_each_model(function(model, expected) {
    of_swapped <- posterior(model, data.frame(as.list(swapped)))
    expect_false(identical(of_swapped, expected))
    for (turn in 1:2) {
      expect_identical(posterior(model, data), expected)
      expect_identical(posterior(model, rev(data)), expected)
      expect_identical(posterior(model, swapped), of_swapped)
      expect_bayesrisk_error(predict(model, data[-2]), "schema", "no column.*n")
      expect_bayesrisk_error(predict(model, cbind(data, data["g"])), "schema", "more than one")
      expect_identical(posterior(other, data), posterior(other, rev(data)))
    }
  })
})

test_that("a column twice is an error where it is used (S19)", {
  twice <- cbind(data, data["g"])
  for_each_model(function(model, expected) {
    expect_bayesrisk_error(predict(model, twice), "schema", "more than one column.*g")
    expect_identical(posterior(model, cbind(data, data["y"])), expected)
  })
  logged <- fit(bayes_naive(), y ~ log(x), data)
  expect_bayesrisk_error(predict(logged, cbind(data, data["x"])), "schema",
                         "more than one column.*x")
})

test_that("levels are matched by name, whatever their codes (S3, S4, S5, S7)", {
  skip_on_cran()
  changes <- list(
    reversed = transform(data, f = factor(f, c("p", "q"))),
    more = transform(data, f = factor(f, c("z", "p", "a", "q"))),
    character = transform(data, f = as.character(f)),
    factor = transform(data, g = factor(g, c("m", "z", "l", "k"))),
    ordered = transform(data, f = factor(f, c("p", "q"), ordered = TRUE), g = ordered(g)),
    logical = transform(data, l = as.character(l)),
    flags = transform(data, l = factor(l, c(TRUE, FALSE)))
  )
  for_each_model(function(model, expected) {
    for (change in changes) {
      expect_silent(answer <- posterior(model, change))
      expect_identical(answer, expected)
    }
    for (i in 1:8) {
      one <- droplevels(changes$factor[i, ])
      expect_identical(posterior(model, one), expected[i, , drop = FALSE], ignore_attr = "dimnames")
    }
  })
})

test_that("a level of the training data alone decides which one is unknown", {
  strange <- transform(data, g = replace(g, c(2, 5), c("zz", "%s")))
  for (model in models) {
    expect_warning(answer <- posterior(model, strange), "2 rows.*g",
                   class = "bayesrisk_warning_unknown_level")
    expect_equal(answer, posterior(model, transform(data, g = replace(g, c(2, 5), NA))),
                 tolerance = 1e-14)
    expect_identical(answer[-c(2, 5), ], posterior(model, data)[-c(2, 5), ])
  }
  answer <- suppressWarnings(posterior(models$naive, strange))
  expect_equal(answer[c(2, 5), ], posterior(without("g")$naive, data)[c(2, 5), ], tolerance = 1e-13)
})

test_that("a kind that changed is an error that names column and both kinds (S7)", {
  for_each_model(function(model, expected) {
    expect_bayesrisk_error(predict(model, transform(data, x = as.character(x))), "schema",
                           "x is categorical.*numeric")
    expect_bayesrisk_error(predict(model, transform(data, f = as.integer(f))), "schema",
                           "f is numeric.*categorical")
    expect_bayesrisk_error(update(model, transform(data, x = factor(x))), "schema",
                           "x is categorical.*numeric")
    expect_identical(posterior(model, transform(data, n = as.double(n))), expected)
  })
  words <- as.matrix(data.frame(n = "1", x = "2", g = "k", f = "p", l = "TRUE"))
  expect_bayesrisk_error(predict(models$naive, words), "schema", "n is categorical")
  expect_bayesrisk_error(predict(models$naive, as.matrix(data[c("n", "x")])), "schema",
                         "no column.*g")
})

test_that("a missing value leaves its feature out of that row (S9)", {
  for (feature in c("n", "x", "g", "f", "l")) {
    gaps <- data
    gaps[2, feature] <- NA
    answer <- posterior(models$naive, gaps)
    expect_equal(answer[2, ], posterior(without(feature)$naive, data)[2, ], tolerance = 1e-13)
    expect_identical(answer[-2, ], posterior(models$naive, data)[-2, ])
  }
})

test_that("a Gaussian block without one number is the marginal block (S9)", {
  numeric <- fit(bayes_full(), y ~ n + x, data)
  alone <- fit(bayes_full(), y ~ x, data)
  gaps <- data.frame(n = NA, x = data$x)
  expect_equal(posterior(numeric, gaps), posterior(alone, data), tolerance = 1e-13)
  expect_identical(posterior(numeric, transform(gaps, n = NaN)), posterior(numeric, gaps))
})

test_that("a row that misses everything gets the prior (S9)", {
  nothing <- data.frame(n = NA, x = NA_real_, g = NA_character_, f = NA, l = NA)
  for (model in models) {
    expect_equal(as.vector(posterior(model, nothing)), c(0.5, 0.5), tolerance = 1e-15)
    expect_equal(as.vector(posterior(model, nothing, prior = c(b = 0.9, a = 0.1))), c(0.1, 0.9),
                 tolerance = 1e-15)
  }
})

test_that("an infinite number gives a row of NA and one warning (S9)", {
  infinite <- transform(data, x = replace(x, c(1, 4), c(Inf, -Inf)))
  for (model in models) {
    expect_warning(answer <- posterior(model, infinite), "2 rows",
                   class = "bayesrisk_warning_infinite")
    expect_true(all(is.na(answer[c(1, 4), ])) && !any(is.nan(answer)))
    expect_identical(answer[-c(1, 4), ], posterior(model, data)[-c(1, 4), ])
    class <- suppressWarnings(predict(model, infinite))
    expect_identical(which(is.na(class)), c(1L, 4L))
  }
})

test_that("the class column of newdata is not looked at (S20)", {
  for_each_model(function(model, expected) {
    for (y in list("new", NA, as.Date(1, "1970-01-01"), 1i)) {
      expect_identical(posterior(model, transform(data[names(data) != "y"], y = y)), expected)
    }
    expect_identical(posterior(model, data[-1]), expected)
  })
})

test_that("one row and no row keep their shape (S13)", {
  skip_on_cran()
  for (model in models) {
    for (type in c("prob", "log_prob", "log_joint", "log_likelihood", "cost")) {
      expect_identical(dim(predict(model, data[3, ], type = type)), c(1L, 2L))
      none <- predict(model, data[0, ], type = type)
      expect_identical(dim(none), c(0L, 2L))
      expect_identical(colnames(none), c("a", "b"))
    }
    expect_identical(predict(model, data[0, ]), factor(character(), c("a", "b")))
    expect_identical(predict(model, data[0, ], type = "log_evidence"), double())
    expect_identical(dim(contributions(model, data[0, ]))[c(1, 3)], c(0L, 2L))
  }
})

test_that("a matrix is read by name, by position only where the model has no names (S14)", {
  numbers <- as.matrix(data[c("n", "x")])
  named <- fit_xy(bayes_naive(), numbers, data$y)
  expect_identical(unname(posterior(named, numbers[, 2:1])), unname(posterior(named, numbers)))
  expect_bayesrisk_error(predict(named, unname(numbers)), "schema", "no column names")
  expect_bayesrisk_error(predict(named, numbers[1, ]), "schema", "newdata.*vector")
  unnamed <- fit_xy(bayes_naive(), unname(numbers), data$y)
  expect_identical(posterior(unnamed, unname(numbers)),
                   `rownames<-`(posterior(named, numbers), NULL))
  expect_bayesrisk_error(predict(unnamed, unname(numbers)[, 1, drop = FALSE]), "schema",
                         "1 column.*2 features")
})

test_that("a column of nothing but NA may be of any type that misses", {
  logical <- transform(data, x = NA, g = NA)
  typed <- transform(data, x = NA_real_, g = NA_character_)
  for (model in models) expect_identical(posterior(model, logical), posterior(model, typed))
})

test_that("functions of columns are computed again", {
  model <- fit(bayes_naive(laplace = 1), y ~ log(n) + toupper(g), data)
  expect_identical(unname(posterior(model, data[3:4, ])), unname(posterior(model, data)[3:4, ]))
  expect_bayesrisk_error(predict(model, data["n"]), "schema", "no column.*g")
  expect_bayesrisk_error(predict(model, transform(data, n = g)), "schema",
                         "log\\(n\\).*cannot be computed")
})

test_that("columns that data.table renames or moves in place are read anew", {
  skip_if_not_installed("data.table")
  model <- fit(bayes_naive(), Species ~ ., iris)
  rows <- iris[c(1, 71, 134), ]
  expected <- predict(model, rows)
  table <- data.table::as.data.table(rows)
  expect_identical(predict(model, table), expected)
  data.table::setcolorder(table, c("Petal.Length", "Petal.Width"))
  expect_identical(predict(model, table), expected)
  data.table::set(table, j = "Species", value = NULL)
  expect_identical(predict(model, table), expected)
  data.table::setnames(table, "Sepal.Width", "width")
  expect_bayesrisk_error(predict(model, table), "schema", "Sepal.Width")

  features <- data.table::as.data.table(iris[1:4])
  model <- fit_xy(bayes_naive(), features, iris$Species)
  data.table::setcolorder(features, 4:1)
  expect_identical(names(model$schema$features), names(iris)[1:4])
  expect_identical(unname(predict(model, rows)), unname(expected))
})

test_that("a function that shows in new rows alone that it depends on other rows is an error", {
  data <- data.frame(y = rep(c("a", "b"), 6), x = sin(1:12))
  model <- fit(bayes_naive(), y ~ ifelse(is.na(x), mean(x, na.rm = TRUE), x), data)
  new <- data.frame(x = c(0.1, NA, 0.9))
  for (rows in list(new, chunked(new, 3))) {
    expect_error(
      as.data.frame(predict(model, rows)), "depends on other rows", class = "bayesrisk_error_schema"
    )
  }
  expect_identical(nrow(posterior(model, new[c(1, 3), , drop = FALSE])), 2L)
})
