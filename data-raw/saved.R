# Writes objects of every kind as the installed version saves them, and what it says of them, for
# tests/testthat/test-saved.R. Run with a release from the repository's root, and never change the
# folder of a release afterwards: Rscript data-raw/saved.R tests/testthat/saved/<version>

library(bayesrisk)
source(file.path("tests", "testthat", "helper-saved.R"))

folder <- commandArgs(TRUE)[[1L]]
data <- saved_data(file.path("tests", "testthat", "saved", "0.2"))
train <- data$train
terms <- data$terms
of <- function(...) bayes_naive(features = list(...))
priced <- list(low = 0.3, mid = 0.2, "h\u00efgh" = 0.5)

models <- list(
  naive = fit(bayes_naive(laplace = 1), y ~ x1 + x2 + f + b, train),
  full = fit(bayes_full(), y ~ x1 + x2 + z, train),
  pooled = fit(bayes_full(covariance = "pooled"), y ~ x1 + z, train),
  shrunk = fit(bayes_full(shrinkage = 0.4, identity = 0.1), y ~ x1 + x2, train),
  table = fit(bayes_full(laplace = 1), y ~ f + b, train),
  blocks = fit(bayes_blocks(list(pair = c("x1", "x2")), laplace = 1), y ~ x1 + x2 + f, train),
  em = fit(bayes_full(missing = "em"), y ~ x1 + x2, train),
  histogram = fit(of(x2 = likelihood_histogram()), y ~ x2, train),
  joint_histogram = fit(bayes_full(joint = likelihood_histogram(laplace = 1)), y ~ x2 + z, train),
  empirical = fit(of(n1 = likelihood_empirical()), y ~ n1, train),
  kernel = fit(bayes_naive(numeric = likelihood_kernel()), y ~ x2 + z, train),
  poisson = fit(of(n1 = likelihood_poisson()), y ~ n1 + x2, train),
  gamma = fit(of(z = likelihood_gamma()), y ~ z, train),
  negbin = fit(of(n1 = likelihood_negative_binomial()), y ~ n1, train),
  mixture = fit(of(x2 = likelihood_mixture(components = 2)), y ~ x2, train),
  joint_mixture = fit(bayes_full(joint = likelihood_mixture(components = 2)), y ~ x2 + z, train),
  weighted = fit(bayes_naive(laplace = 0.5), y ~ x2 + f, train, weights = w),
  functions = fit(bayes_naive(), y ~ log(z) + I(x2 / 2) + I(n1 > 3), train),
  prior = fit(bayes_naive(prior = unlist(priced)), y ~ x2, train),
  logical = fit(bayes_naive(), I(n1 > 4) ~ x2 + z, train),
  number = fit(bayes_naive(), n1 %% 3 ~ x2 + z, train),
  tempered = fit(bayes_naive(temper = "block", laplace = 1), y ~ x1 + x2 + f, train),
  groups = fit(bayes_naive(), y ~ x2 + z, train, by = g),
  known = bayes_known(
    c(a = 0.3, b = 0.7), x2 = likelihood_gaussian(mean = c(a = 0, b = 2), sd = c(a = 1, b = 2))
  ),
  text = fit_xy(bayes_text(), terms, train$y),
  bernoulli = fit_xy(bayes_text("bernoulli"), terms, train$y),
  term_rates = fit_xy(bayes_text("poisson"), terms, train$y)
)
statistics <- list(
  "statistics-naive" = bayes_statistics(bayes_naive(laplace = 1), y ~ x1 + x2 + f, train),
  "statistics-full" = bayes_statistics(bayes_full(), y ~ x1 + x2, train)
)
posterior <- predict(models$naive, train, type = "prob")
cost <- cost_matrix(
  stay = c(low = 0, mid = 1, "h\u00efgh" = 5), go = c(low = 1, mid = 0, "h\u00efgh" = 0.5)
)
others <- list(
  cost = cost,
  "cost-by-case" = cost_matrix(
    stay = list(low = 0, mid = ~fee, "h\u00efgh" = ~ 2 * fee + 1), go = 1
  ),
  utility = utility_matrix(stay = c(low = 2, mid = 1, "h\u00efgh" = 0), go = 1),
  specification = bayes_blocks(
    list(pair = c("x1", "x2")), laplace = 1, numeric = likelihood_kernel()
  ),
  assessment = assess_decisions(models$naive, train, cost),
  temper = temper(posterior, train$y, method = "vector"),
  isotonic = temper(
    predict(models$logical, train, type = "prob"), train$n1 > 4, method = "isotonic"
  )
)

dir.create(folder)
write <- function(object, name, writer = NULL) {
  saveRDS(object, file.path(folder, paste0(name, ".rds")), version = 2)
  if (!is.null(writer)) writer(object, file.path(folder, paste0(name, ".json")))
}
for (name in names(models)) {
  write(models[[name]], name, if (name != "groups") write_model_json)
}
for (name in names(statistics)) write(statistics[[name]], name, write_statistics)
for (name in names(others)) write(others[[name]], name)
write(said_of(c(models, statistics, others), data), "said")
