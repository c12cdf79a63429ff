# The lecture's bivariate example: a model that contains the dependence of x and y, and a model that
# does not. `y`: the second mean of y (6 in the variation).
bivariate_full <- function(y = 0.5) {
  bayes_known(c(A = 0.5, B = 0.5), xy = likelihood_gaussian(
    mean = rbind(A = c(x = 0, y = 0), B = c(0.5, y)),
    covariance = list(A = rbind(c(2, 2.2), c(2.2, 2.5)), B = rbind(c(2.5, -2.2), c(-2.2, 2)))
  ))
}

bivariate_naive <- function(y = 0.5) {
  bayes_known(
    c(A = 0.5, B = 0.5),
    x = likelihood_gaussian(mean = c(A = 0, B = 0.5), sd = sqrt(c(A = 2, B = 2.5))),
    y = likelihood_gaussian(mean = c(A = 0, B = y), sd = sqrt(c(A = 2.5, B = 2)))
  )
}

petals <- function(spec = bayes_full()) fit(spec, Species ~ Petal.Length + Petal.Width, iris)

# Costs of three actions under the three species, all different.
petal_cost <- function() {
  cost_matrix(
    press = c(setosa = 0, versicolor = 2, virginica = 9),
    dry = c(setosa = 1, versicolor = 0, virginica = 4),
    leave = c(setosa = 3, versicolor = 1, virginica = 0)
  )
}
