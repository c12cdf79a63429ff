# A known model of one feature x, with classes of one to three normals, at any scale, and
# a cost of any shape: 0-1, with a reject action, or of random numbers.
random_line <- function() {
  classes <- letters[seq_len(sample(2:6, 1L))]
  scale <- 10^stats::runif(1L, -6, 6)
  centre <- sample(c(0, 1e3), 1L) * scale
  size <- stats::setNames(sample(1:3, length(classes), TRUE), classes)
  terms <- function(draw) lapply(size, draw)
  weights <- terms(function(n) prop.table(stats::runif(n, 0.1, 1)))
  mean <- terms(function(n) centre + scale * stats::rnorm(n))
  sd <- terms(function(n) scale * 10^stats::runif(n, -1, 0.5))
  prior <- stats::setNames(prop.table(stats::runif(length(classes))^3), classes)
  model <- bayes_known(prior, x = likelihood_mixture(weights = weights, mean = mean, sd = sd))
  list(model = model, cost = random_cost(classes), centre = centre, scale = scale)
}

random_cost <- function(classes) {
  suppressWarnings(draw_cost(classes), classes = "bayesrisk_warning")
}

draw_cost <- function(classes) {
  kind <- sample(3L, 1L)
  if (kind == 1L) return(zero_one_cost(classes))
  if (kind == 2L) return(zero_one_cost(classes, reject = stats::runif(1L, 0, 0.7)))
  actions <- sample(2:5, 1L)
  cells <- sample(c(0, 1, 5), actions * length(classes), TRUE) +
    stats::rexp(actions * length(classes)) * sample(0:1, 1L)
  new_cost(matrix(cells, actions, dimnames = list(LETTERS[seq_len(actions)], classes)))
}

# Cases in which predict() may find a tie of costs. If the actions are the classes, predict()
# compares log joints, which have no tie here.
nearly_tied <- function(problem, newdata) {
  if (identical(problem$cost, zero_one_cost(problem$model$schema$classes$levels))) {
    return(rep(FALSE, nrow(newdata)))
  }
  cost <- predict(problem$model, newdata, type = "cost", cost = problem$cost)
  gap <- apply(cost, 1L, function(row) diff(sort(row)[1:2]))
  gap <= 1e-11 * apply(abs(cost), 1L, max)
}
