# Data sets whose covariances scikit-learn estimates by OAS, see data-raw/oas.R: list(x, y).
oas_data <- function(name) {
  switch(name,
    iris = list(x = as.matrix(iris[1:4]), y = iris$Species),
    waves = list(x = oas_waves(), y = factor(rep(c("a", "b", "c"), c(8, 25, 30)))),
    crabs = list(x = as.matrix(MASS::crabs[4:8]), y = MASS::crabs$sp),
    Sonar = with_package_data("Sonar", "mlbench", function(data) {
      list(x = as.matrix(data[1:60]), y = data$Class)
    }),
    Khan = with_package_data("Khan", "ISLR2", function(data) {
      list(x = matrix(data$xtrain[, 1:200], 63), y = factor(data$ytrain))
    })
  )
}

with_package_data <- function(name, package, use) {
  place <- new.env()
  utils::data(list = name, package = package, envir = place)
  use(place[[name]])
}

# 63 rows of 200 features, without a generator of random numbers.
oas_waves <- function() {
  i <- row(matrix(0, 63, 200))
  j <- col(matrix(0, 63, 200))
  sin(i * j * 0.7) + cos(i^2 + 3 * j) * (1 + j / 50) + i %% 7 / 3
}
