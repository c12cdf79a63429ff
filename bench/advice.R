# What advice is worth, by simulation: the numbers behind the sentences of next_feature(),
# value_of_data(), temper(), feature_dependence(), decide() with limits, and tune_threshold().
#
#     Rscript bench/advice.R [runs] [cores] [pattern of cells]

library(bayesrisk)
source("bench/coverage.R")

log_loss <- function(model, new, ...) {
  p <- suppressMessages(predict(model, new, type = "prob", ...))
  mean(-log(pmax(p[cbind(seq_len(nrow(new)), as.integer(new$y))], 1e-15)))
}

# Two classes and normals that share a part of their variance.
normals <- function(n, features, shared, spread, means = NULL) {
  y <- rep(1:2, length.out = n)
  noise <- sqrt(1 - shared) * matrix(stats::rnorm(n * features), n) +
    sqrt(shared) * stats::rnorm(n)
  if (is.null(means)) means <- matrix(stats::rnorm(2 * features, 0, spread), 2)
  structure(data.frame(y = factor(y), noise + means[y, ]), means = means)
}

# Log losses: naive, one exponent, an exponent a block with penalty 1, with that of the folds.
exponents <- function(n, features, shared, spread) {
  function(seed) {
    set.seed(seed)
    data <- normals(n, features, shared, spread)
    new <- normals(2000, features, shared, spread, attr(data, "means"))
    model <- fit(bayes_naive(), y ~ ., data)
    folds <- sample(rep_len(1:10, n))
    tempered <- function(...) suppressWarnings(temper(model, data, folds = folds, ...))
    c(log_loss(model, new), log_loss(tempered(), new),
      log_loss(tempered(by = "block", penalty = 1), new), log_loss(tempered(by = "block"), new))
  }
}

# Log losses of few cases: plug-in scores, with exponents; predictive scores, with the exponents of
# plug-in scores, with their own.
predictive <- function(seed) {
  set.seed(seed)
  data <- normals(20, 7, 0.3, 0.7)
  new <- normals(2000, 7, 0.3, 0.7, attr(data, "means"))
  model <- fit(bayes_naive(), y ~ ., data)
  folds <- sample(rep_len(1:10, 20))
  plugin <- suppressWarnings(temper(model, data, folds = folds))
  own <- suppressWarnings(temper(model, data, folds = folds, estimate = "predictive"))
  c(log_loss(model, new), log_loss(plugin, new), log_loss(model, new, estimate = "predictive"),
    log_loss(plugin, new, estimate = "predictive"), log_loss(own, new, estimate = "predictive"))
}

pima_cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)

# Shares of cases in which the cost of deciding now by the untempered and by the tempered densities
# is more than 10 % off the cost of decide().
beliefs <- function(seed) {
  data <- MASS::Pima.tr
  set.seed(seed)
  model <- temper(fit(bayes_naive(), type ~ ., data), data)
  cases <- MASS::Pima.te
  cases$glu <- NA_real_
  priced <- decide(model, cases, pima_cost)$cost
  off <- function(model) {
    now <- as.data.frame(next_feature(model, cases, pima_cost))$cost_now
    mean(abs(now - priced) > 0.1 * priced)
  }
  c(off(suppressMessages(update(model, temper = NULL))), off(model))
}

# The ratio of the value of data for plug-in decisions to that for predictive ones.
data_values <- function(seed) {
  set.seed(seed)
  y <- rep(c("a", "b"), c(8, 5))
  data <- data.frame(y = y, x = stats::rnorm(13, ifelse(y == "a", 0, 1.5), 1.15))
  model <- fit(bayes_naive(), y ~ x, data)
  cost <- cost_matrix(a = c(a = 0, b = 4), b = c(a = 1, b = 0))
  values <- lapply(c("plugin", "predictive"), function(estimate) {
    found <- value_of_data(model, cost, n = c(30, 10000), draws = 300, estimate = estimate)
    c(found$saving, attr(found, "limit"))
  })
  c(values[[1]][[1]], values[[2]][[1]], values[[2]][[2]] - values[[2]][[3]])
}

# Whether a pair of independent features is recommended.
noise <- function(features, n) {
  function(seed) {
    set.seed(seed)
    data <- data.frame(y = rep(1:2, length.out = n), matrix(stats::rnorm(n * features), n))
    any(feature_dependence(y ~ ., data)$recommended)
  }
}

# Mean costs of new cases: by least expected cost, and by the threshold that was best for n cases.
tuned <- function(n) {
  function(seed) {
    set.seed(seed)
    draw <- function(n) {
      p <- stats::rbeta(n, 1, 3)
      list(p = cbind(no = 1 - p, yes = p), truth = ifelse(stats::runif(n) < p, "yes", "no"))
    }
    cost <- cost_matrix(no = c(no = 0, yes = 5), yes = c(no = 1, yes = 0))
    seen <- draw(n)
    new <- draw(20000)
    rule <- tune_threshold(seen$p, truth = seen$truth, class = "yes", cost = cost)
    price <- function(...) {
      assess_decisions(decide(new$p, cost, ...), truth = new$truth, interval = "none")$cost
    }
    c(price(), price(rule = rule), rule$measures$estimate[[1L]])
  }
}

# The gap of a budget, per unit of the cost that the budget takes.
budgets <- function(rows) {
  function(seed) {
    set.seed(seed)
    p <- matrix(stats::rexp(3 * rows), rows)
    p <- structure(p / rowSums(p), dimnames = list(NULL, c("a", "b", "c")))
    cost <- cost_matrix(
      a = c(a = 0, b = 2, c = 5), b = c(a = 1, b = 0, c = 3), c = c(a = 4, b = 1, c = 0)
    )
    budget <- list(price = c(a = 3, b = 1), total = rows / 2)
    found <- attr(decide(p, cost, budget = budget), "budget")
    if (found$cost > 0) found$gap / found$cost
  }
}

means <- function(found) shares(colMeans(found))

cells <- list(
  "log loss, 50 x 30: naive, one exponent, penalty 1, chosen" = exponents(50, 30, 0, 0.2),
  "log loss, 50 x 30, shared .4" = exponents(50, 30, 0.4, 0.2),
  "log loss, 100 x 60" = exponents(100, 60, 0, 0.1),
  "log loss, 500 x 10, shared .5" = exponents(500, 10, 0.5, 0.4),
  "log loss, 20 x 7: plug-in, tempered; predictive, plug-in exponents, own" = predictive,
  "beliefs, shares off by 10 %: untempered, tempered" = beliefs,
  "value of 30 rows: plug-in, predictive; of 10,000 minus the limit" = data_values,
  "noise, 2 of 100 recommended" = noise(2, 100), "noise, 20 of 200 recommended" = noise(20, 200),
  "cost: least expected, tuned by 50 cases, as these cases say" = tuned(50),
  "cost: least expected, tuned by 1,000 cases, as these cases say" = tuned(1000),
  "gap of a budget, 20 cases" = budgets(20), "gap of a budget, 1,000 cases" = budgets(1000)
)

run_cells(cells, means)
