flowers <- transform(iris, site = rep(c("hill", "lake", "wood"), 50), plot = rep(1:2, 75))

test_that("each row is predicted by the model of its group", {
  models <- fit(bayes_naive(), Species ~ . - plot, flowers, by = site)
  for (type in c("class", "prob", "log_joint", "log_evidence")) {
    found <- predict(models, flowers, type = type)
    for (site in names(models)) {
      at <- which(flowers$site == site)
      expected <- predict(models[[site]], flowers[at, ], type = type)
      rows <- if (is.matrix(found)) found[at, ] else found[at]
      expect_equal(rows, expected, ignore_attr = "dimnames")
    }
  }
})

test_that("a key without a model is an error, or takes the default", {
  models <- fit(bayes_naive(), Species ~ . - plot, flowers, by = site, subset = site != "wood")
  expect_error(predict(models, flowers), "wood", class = "bayesrisk_error_schema")
  whole <- merge(models)
  found <- predict(models, flowers, default = whole)
  wood <- flowers$site == "wood"
  expect_identical(found[wood], predict(whole, flowers[wood, ]))
  expect_error(predict(models, iris), "site", class = "bayesrisk_error_schema")
  expect_error(predict(models, flowers, default = 3), class = "bayesrisk_error_argument")
})

test_that("no rows give no predictions", {
  models <- fit(bayes_naive(), Species ~ . - plot, flowers, by = c(site, plot))
  expect_identical(predict(models, flowers[0, ]), predict(models[[1L]], flowers[0, ]))
})

test_that("a default with other classes is an error, and both is a list of class and posterior", {
  data <- data.frame(y = rep(c("p", "q"), 20), x = rnorm(40) + 5 * (0:1), k = "A")
  models <- fit(bayes_naive(), y ~ x, data, by = k)
  other <- fit(bayes_naive(), y ~ x, transform(data, y = factor(y, c("q", "p"))))
  rows <- transform(data[1:3, ], k = c("A", "Z", "A"))
  expect_error(
    predict(models, rows, default = other), "default", class = "bayesrisk_error_argument"
  )
  whole <- merge(models)
  expect_equal(
    predict(models, rows, default = whole, type = "both"), predict(whole, rows, type = "both")
  )
})
