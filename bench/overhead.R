# What a call costs when there is next to nothing to compute: iris.

iris_data <- function() {
  x <- as.matrix(iris[1:4])
  y <- iris$Species
  fits <- installed_only(list(
    bayesrisk = function() fit(bayes_naive(), Species ~ ., data = iris),
    naivebayes = function() naivebayes::naive_bayes(Species ~ ., data = iris),
    `naivebayes: matrix` = function() naivebayes::gaussian_naive_bayes(x, y),
    e1071 = function() e1071::naiveBayes(Species ~ ., data = iris),
    MASS = function() MASS::qda(x, y)
  ))
  list(
    x = x, y = y, row = iris[71, 1:4], x_row = x[71, , drop = FALSE],
    models = lapply(fits, function(fit) fit())
  )
}

iris_tasks <- list(
  `iris: fit, formula` = list(
    bayesrisk = function(d) fit(bayes_naive(), Species ~ ., data = iris),
    naivebayes = function(d) naivebayes::naive_bayes(Species ~ ., data = iris),
    e1071 = function(d) e1071::naiveBayes(Species ~ ., data = iris),
    MASS = function(d) MASS::qda(Species ~ ., data = iris)
  ),
  `iris: fit, matrix` = list(
    bayesrisk = function(d) fit_xy(bayes_naive(), d$x, d$y),
    naivebayes = function(d) naivebayes::gaussian_naive_bayes(d$x, d$y),
    e1071 = function(d) e1071::naiveBayes(d$x, d$y),
    MASS = function(d) MASS::qda(d$x, d$y)
  ),
  `iris: class of one row` = list(
    bayesrisk = function(d) predict(d$models$bayesrisk, d$row),
    naivebayes = function(d) predict(d$models$naivebayes, d$row),
    `naivebayes: matrix` = function(d) predict(d$models$`naivebayes: matrix`, d$x_row),
    e1071 = function(d) predict(d$models$e1071, d$row),
    MASS = function(d) predict(d$models$MASS, d$x_row)$class
  )
)

iris_same <- function(d) {
  ours <- predict(d$models$bayesrisk, d$x, "prob")
  if (is.null(d$models$e1071)) return(NULL)
  must_agree("e1071", posterior_gap(ours, predict(d$models$e1071, iris, type = "raw")))
}

overhead_settings <- function(mode) {
  list(list(
    topic = "overhead", n = 150, p = 4L, k = 3L, make = iris_data,
    same = iris_same, tasks = iris_tasks
  ))
}
