# Ten cases of two classes, their probabilities and costs: small enough for pencil and
# paper, with an action for no class.
ten_cases <- function() {
  ill <- c(.95, .9, .7, .6, .45, .3, .2, .1, .05, .02)
  list(
    posterior = cbind(healthy = 1 - ill, ill = ill),
    truth = c(
      "ill", "ill", "healthy", "ill", "ill", "healthy", "healthy", "ill", "healthy", "healthy"
    ),
    cost = cost_matrix(
      healthy = c(healthy = 0, ill = 10), ill = c(healthy = 4, ill = 1), refer = 2.5
    )
  )
}

# Costs that are neither symmetric nor square.
iris_costs <- function() {
  cost_matrix(
    setosa = c(setosa = 0, versicolor = 1, virginica = 5),
    versicolor = c(setosa = 2, versicolor = 0, virginica = 7),
    virginica = c(setosa = 1, versicolor = 3, virginica = -1),
    ask = 0.5
  )
}

# Two normal classes with the Bayes risk in closed form, and cases of both.
rare_model <- function(prior) {
  bayes_known(prior, x = likelihood_gaussian(mean = c(ill = 2, well = 0), sd = 1))
}

rare_cost <- function() cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 10, well = 0))

half_ill <- function(n, seed = 1) {
  withr::with_seed(seed, {
    y <- factor(rep(c("ill", "well"), each = n / 2))
    data.frame(y, x = stats::rnorm(n, 2 * (y == "ill")))
  })
}
