# Models of parsnip with our engine.

skip_without_parsnip <- function(...) {
  skip_on_cran()
  for (package in c("parsnip", ...)) skip_if_not_installed(package)
}

skip_without_tune <- function() {
  # Otherwise a package of tune asks the system, with a warning where it has no answer.
  withr::local_timezone("UTC", parent.frame())
  skip_without_parsnip("tune", "workflows", "rsample", "yardstick", "dials")
}

with_engine <- function(spec, ...) parsnip::set_engine(spec, "bayesrisk", ...)

# Mixed features with missing values, text and a factor with a level that no row has.
frame_of_parsnip <- function() {
  withr::local_seed(4)
  n <- 90
  data <- data.frame(
    y = factor(sample(c("yes", "no", "may be"), n, TRUE), c("yes", "no", "may be")),
    x = stats::rnorm(n), text = sample(c("u", "v"), n, TRUE),
    f = factor(sample(c("a", "b", "c"), n, TRUE), c("a", "b", "c", "d"))
  )
  data$z <- data$x * (data$y == "yes") + stats::rnorm(n)
  data$x[c(3, 50)] <- NA
  data$text[c(4, 50)] <- NA
  data$f[5] <- NA
  data
}

expect_same_as <- function(fitted, model, newdata) {
  expect_identical(parsnip::extract_fit_engine(fitted)$parameters, model$parameters)
  expect_identical(predict(fitted, newdata)$.pred_class, predict(model, newdata))
  found <- predict(fitted, newdata, type = "prob")
  prob <- predict(model, newdata, type = "prob")
  expect_identical(names(found), paste0(".pred_", colnames(prob)))
  expect_identical(unname(as.matrix(found)), unname(prob))
}
