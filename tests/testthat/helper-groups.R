# Data and specifications of the tests of groups.

birds <- function(n = 400L) {
  withr::local_seed(11)
  data.frame(
    region = factor(sample(c("south", "north", "west"), n, TRUE), c("west", "south", "north")),
    year = sample(2019:2021, n, TRUE), kind = factor(sample(c("a", "b", "c"), n, TRUE)),
    size = rnorm(n), eggs = rpois(n, 3), weight = runif(n, 0.5, 2),
    y = factor(sample(c("yes", "no"), n, TRUE))
  )
}

grouped_specs <- function() {
  list(
    naive = bayes_naive(features = list(eggs = likelihood_poisson()), laplace = 1),
    blocks = bayes_blocks(list(numbers = c("size", "eggs")), laplace = 1),
    full = bayes_full(laplace = 1),
    em = bayes_full(laplace = 1, missing = "em"),
    kernel = bayes_naive(numeric = likelihood_kernel(), laplace = 1)
  )
}
