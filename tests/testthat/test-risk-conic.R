coefficients_of <- function(boundaries) {
  unlist(as.data.frame(boundaries)[1L, c("x2", "xy", "y2", "x", "y", "constant")])
}

test_that("the rules of the lecture's bivariate example", {
  full <- decision_regions(bivariate_full())
  expect_s3_class(full, c("bayesrisk_boundaries", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_within(coefficients_of(full), c(3.125, -55, -3.125, 26.25, 29.375, -13.90625), 1e-12)
  expect_identical(full$kind, "hyperbola")
  naive <- decision_regions(bivariate_naive())
  expect_within(coefficients_of(naive), c(0.1, 0, -0.1, 0.4, 0.5, -0.225), 1e-12)
  expect_identical(naive$kind, "crossing lines")
  variation <- decision_regions(bivariate_full(6))
  expect_within(coefficients_of(variation), c(3.125, -55, -3.125, 177.5, 201.25, -648.125), 1e-12)
})

test_that("the naive rule's straight lines: y = x + 4.5 and y = 0.5 - x", {
  lines <- attr(decision_regions(bivariate_naive()), "lines")
  expect_named(lines, c("first", "second", "x", "y", "constant"))
  expect_within(sort(-lines$x / lines$y), c(-1, 1), 1e-12)
  expect_within(sort(-lines$constant / lines$y), c(0.5, 4.5), 1e-12)
})

test_that("equations are written out", {
  rejecting <- decision_regions(petals(), zero_one_cost(levels(iris$Species), reject = 0.1))
  expect_snapshot(print(rejecting, digits = 4))
  expect_equations <- function(model, text) {
    expect_match(format(decision_regions(model))[[1L]], text, fixed = TRUE)
  }
  expect_equations(bivariate_full(), "hyperbola, A where 3.125 x^2 - 55 xy - 3.125 y^2 + 26.25 x")
  expect_equations(bivariate_naive(), "crossing lines y = -x + 0.5 and y = x + 4.5, A where 0.1 x")
  expect_equations(petals(bayes_full(covariance = "pooled")), "line y = -0.8819 x + 3.309, setosa")
})

test_that("the polynomial is twice the log ratio: negative where the first costs less", {
  model <- petals()
  grid <- expand.grid(Petal.Length = seq(0, 8, 0.5), Petal.Width = seq(-1, 3, 0.25))
  log_joint <- predict(model, grid, type = "log_joint")
  boundaries <- decision_regions(model)
  expect_identical(nrow(boundaries), 3L)
  terms <- with(grid, cbind(
    Petal.Length^2, Petal.Length * Petal.Width, Petal.Width^2, Petal.Length, Petal.Width, 1
  ))
  for (i in 1:3) {
    value <- terms %*% coefficients_of(boundaries[i, ])
    difference <- log_joint[, boundaries$second[[i]]] - log_joint[, boundaries$first[[i]]]
    expect_within(value, 2 * difference, 1e-9, pmax(1, abs(difference)))
  }
})

test_that("costs move a boundary; more than two normals have no equation", {
  cost <- suppressWarnings(
    cost_matrix(A = c(A = 0, B = 10), B = c(A = 1, B = 0), ask = 0.5, dear = 20)
  )
  boundaries <- decision_regions(bivariate_full(), cost)
  at <- coefficients_of(boundaries[1L, ])
  expect_within(at[1:5], coefficients_of(decision_regions(bivariate_full()))[1:5], 1e-12)
  expect_within(at[[6L]], -13.90625 + 2 * log(10), 1e-12)
  kind <- function(first, second) {
    boundaries$kind[boundaries$first == first & boundaries$second == second]
  }
  expect_identical(kind("A", "ask"), "hyperbola")
  expect_identical(kind("ask", "dear"), "none")
  expect_true(all(is.na(coefficients_of(boundaries[boundaries$kind == "none", ]))))
  expect_identical(decision_regions(petals(), petal_cost())$kind, rep("contour", 3L))
  same <- decision_regions(bivariate_full(), cost_matrix(one = 1, two = 1))
  expect_identical(same$kind, "everywhere")
  only <- decision_regions(bivariate_full(), cost_matrix(only = c(A = 1, B = 2)))
  expect_identical(nrow(only), 0L)
})

test_that("every kind that two normals can have", {
  kind <- function(mean_b, variance_b, prior = c(A = 0.5, B = 0.5)) {
    feature <- function(i) {
      sd <- sqrt(c(A = 1, B = variance_b[[i]]))
      likelihood_gaussian(mean = c(A = 0, B = mean_b[[i]]), sd = sd)
    }
    decision_regions(bayes_known(prior, x = feature(1L), y = feature(2L)))$kind
  }
  expect_identical(kind(c(1, 2), c(1, 1)), "line")
  expect_identical(kind(c(1, 2), c(3, 3)), "circle")
  expect_identical(kind(c(1, 2), c(3, 2)), "ellipse")
  expect_identical(kind(c(1, 2), c(3, 0.5)), "hyperbola")
  expect_identical(kind(c(1, 2), c(3, 1)), "parabola")
  expect_identical(kind(c(1, 0), c(3, 1)), "parallel lines")
  expect_identical(kind(c(0, 0), c(2, 0.5)), "crossing lines")
  expect_identical(kind(c(0, 0), c(1, 1)), "everywhere")
  expect_identical(kind(c(0, 0), c(1, 1), c(A = 0.6, B = 0.4)), "none")
  expect_identical(kind(c(1, 2), c(0.5, 0.5), c(A = 1 - 1e-9, B = 1e-9)), "none")
})

test_that("two of many features: the others marginalised, or given", {
  model <- fit(bayes_full(), Species ~ ., iris)
  features <- c("Petal.Width", "Sepal.Width")
  part <- fit(bayes_full(), Species ~ Petal.Width + Sepal.Width, iris)
  marginal <- decision_regions(model, features = features)
  expect_identical(attr(marginal, "features"), features)
  expect_equal(as.data.frame(marginal), as.data.frame(decision_regions(part)), tolerance = 1e-10)
  given <- list(Petal.Length = 4.9, Sepal.Length = 6)
  boundaries <- decision_regions(model, features = features, given = given)
  newdata <- data.frame(Petal.Width = c(0.3, 1.5, 2), Sepal.Width = c(3, 2.5, 3.3), given)
  log_joint <- predict(model, newdata, type = "log_joint")
  terms <- with(newdata, cbind(Petal.Width^2, Petal.Width * Sepal.Width, Sepal.Width^2,
                               Petal.Width, Sepal.Width, 1))
  difference <- log_joint[, "virginica"] - log_joint[, "setosa"]
  expect_within(terms %*% coefficients_of(boundaries[2L, ]), 2 * difference, 1e-9)
  # In blocks of their own features tell nothing about each other.
  naive <- iris_naive()
  apart <- decision_regions(naive, features = features, given = list(Petal.Length = NA))
  expect_equal(apart, decision_regions(naive, features = features))
})

test_that("far from 0 the coefficients are about a mean", {
  moved <- transform(iris, Petal.Length = Petal.Length + 2^30)
  far <- decision_regions(fit(bayes_full(), Species ~ Petal.Length + Petal.Width, moved))
  origin <- attr(far, "origin")
  expect_gt(origin[["Petal.Length"]], 2^30)
  expect_identical(origin[["Petal.Width"]], 0)
  near <- coefficients_of(decision_regions(petals()))
  expect_within(coefficients_of(far)[1:3], near[1:3], 1e-5)
  expect_output(print(far), "x = Petal.Length - 10737418")
})

test_that("two features must be two numeric ones", {
  model <- iris_naive()
  wrong <- function(feature, text) {
    expect_bayesrisk_error(decision_regions(model, features = feature), "argument", text)
  }
  wrong(c("Petal.Length", "Petal.Widht"), "Petal.Widht.*Perhaps misspelt")
  wrong(c("Petal.Length", "Petal.Length"), "twice")
  wrong(names(iris)[1:3], "one or two")
  mixed <- fit(bayes_naive(), y ~ ., mixed())
  expect_bayesrisk_error(decision_regions(mixed, features = c("x", "g")), "argument",
                         "g.*categorical")
  expect_bayesrisk_error(
    decision_regions(model, features = names(iris)[1:2], given = list(Sepal.Width = 3)),
    "argument", "given.*Sepal.Width"
  )
})

test_that("a part of the table is a table; what is no boundary prints as data", {
  boundaries <- decision_regions(petals())
  expect_s3_class(as.data.frame(boundaries), "data.frame", exact = TRUE)
  expect_output(print(boundaries[2:3, ]), "2 boundaries.*setosa or virginica: ellipse")
  expect_output(print(boundaries[c("first", "kind")]), "ellipse")
  expect_length(format(boundaries), 3L)
})
