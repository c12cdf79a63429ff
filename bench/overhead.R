# The time of a call with little to compute: iris.

# Equal interfaces are compared: formulas and data frames, or matrices.
iris_fits <- list(
  formula = list(
    bayesrisk = function(d) fit(bayes_naive(), Species ~ ., data = iris),
    naivebayes = function(d) naivebayes::naive_bayes(Species ~ ., data = iris),
    e1071 = function(d) e1071::naiveBayes(Species ~ ., data = iris),
    MASS = function(d) MASS::qda(Species ~ ., data = iris)
  ),
  matrix = list(
    bayesrisk = function(d) fit_xy(bayes_naive(), d$x, d$y),
    naivebayes = function(d) naivebayes::gaussian_naive_bayes(d$x, d$y),
    e1071 = function(d) e1071::naiveBayes(d$x, d$y),
    MASS = function(d) MASS::qda(d$x, d$y)
  )
)

iris_data <- function() {
  data <- list(x = as.matrix(iris[1:4]), y = iris$Species)
  data$rows <- list(formula = iris[71, 1:4], matrix = data$x[71, , drop = FALSE])
  data$models <- lapply(iris_fits, function(fits) {
    lapply(installed_only(fits), function(fit) fit(data))
  })
  data
}

iris_classes <- function(kind) {
  list(
    bayesrisk = function(d) predict(d$models[[kind]]$bayesrisk, d$rows[[kind]]),
    naivebayes = function(d) predict(d$models[[kind]]$naivebayes, d$rows[[kind]]),
    e1071 = function(d) predict(d$models[[kind]]$e1071, d$rows[[kind]]),
    MASS = function(d) predict(d$models[[kind]]$MASS, d$rows[[kind]])$class
  )
}

iris_same <- function(d) {
  models <- d$models$formula
  if (is.null(models$e1071)) return(NULL)
  ours <- predict(models$bayesrisk, d$x, "prob")
  must_agree("e1071", posterior_gap(ours, predict(models$e1071, iris, type = "raw")))
}

overhead_settings <- function() {
  list(list(
    topic = "overhead", n = 150, p = 4L, k = 3L, make = iris_data, same = iris_same,
    tasks = list(
      `iris: fit, formula` = iris_fits$formula, `iris: fit, matrix` = iris_fits$matrix,
      `iris: class of a row of a data frame` = iris_classes("formula"),
      `iris: class of a row of a matrix` = iris_classes("matrix")
    )
  ))
}
