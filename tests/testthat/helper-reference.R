# Expects every number within `tolerance`, relative to the expected number. 0, infinity, NA and NaN
# must be equal exactly. `scale = 1` makes the tolerance absolute. Names are not compared.
expect_within <- function(object, expected, tolerance, scale = abs(expected)) {
  object <- as.vector(object)
  expected <- as.vector(expected)
  same <- length(object) == length(expected) && identical(is.na(object), is.na(expected)) &&
    identical(is.nan(object), is.nan(expected))
  error <- ifelse(object == expected, 0, abs(object - expected) / as.vector(scale))
  # A finite number is never close to infinity, but Inf / Inf is NaN.
  error[is.nan(error) & !is.na(expected)] <- Inf
  worst <- if (same) max(0, error, na.rm = TRUE) else Inf
  testthat::expect(
    worst <= tolerance,
    sprintf(
      "off by %.3g, more than %.3g: %s for %s", worst, tolerance,
      toString(format(utils::head(object, 6), digits = 17)),
      toString(format(utils::head(expected, 6), digits = 17))
    )
  )
  invisible(object)
}

# Log density of a multivariate normal, by its formula.
log_dmvnorm <- function(x, mean, covariance) {
  d <- x - mean
  log_determinant <- as.vector(determinant(as.matrix(covariance))$modulus)
  -0.5 * (length(x) * log(2 * pi) + log_determinant + sum(d * solve(covariance, d)))
}

# Truth in rows, predicted class in columns; plain counts.
error_table <- function(model, data, truth) {
  unclass(table(data[[truth]], predict(model, data), dnn = NULL))
}

# Predictions of two models, by class name, within `tolerance`.
expect_same_predictions <- function(first, second, newdata, tolerance = 1e-12) {
  a <- predict(first, newdata, type = "prob")
  b <- predict(second, newdata, type = "prob")
  expect_setequal(colnames(a), colnames(b))
  expect_within(b[, colnames(a)], a, tolerance, scale = 1)
  a <- predict(first, newdata, type = "log_joint")
  b <- predict(second, newdata, type = "log_joint")
  expect_within(b[, colnames(a)], a, tolerance, scale = pmax(1, abs(a)))
}

# The parameters of a model's only (or n-th) bank.
bank_of <- function(model, n = 1L) model$parameters$banks[[n]]

covariances_of <- function(model, n = 1L) lapply(bank_of(model, n)$factor, crossprod)

play_query <- function(outlook = "sunny") {
  data.frame(outlook = outlook, temperature = "cool", humidity = "high", wind = "strong")
}
