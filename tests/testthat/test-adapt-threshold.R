# A second implementation, from the definitions: the measures of each threshold.
measures_at <- function(p, truth, class, cost, beta, at) {
  other <- apply(p[, colnames(p) != class, drop = FALSE], 1L, function(x) names(x)[which.max(x)])
  said <- ifelse(p[, class] >= at, class, other)
  t <- sum(said == class & truth == class)
  f <- sum(said == class & truth != class)
  n <- sum(truth == class)
  m <- sum(truth != class)
  x <- said == class
  y <- truth == class
  c(
    cost = mean(cost[cbind(said, truth)]), f1 = 2 * t / (t + f + n),
    fbeta = (1 + beta^2) * t / (t + f + beta^2 * n), balanced_accuracy = (t / n + 1 - f / m) / 2,
    mcc = if (var(x) == 0) 0 else cor(x, y), sensitivity = t / n, specificity = 1 - f / m,
    precision = t / (t + f)
  )
}

best_of <- function(p, truth, class, metric, cost, beta = 1, at_least = NULL) {
  at <- c(Inf, sort(unique(p[, class]), decreasing = TRUE))
  found <- vapply(at, function(t) measures_at(p, truth, class, cost, beta, t), numeric(8))
  for (name in names(at_least)) {
    sign <- if (name == "cost") -1 else 1
    kept <- sign * found[name, ] >= sign * at_least[[name]]
    found[, !(kept %in% TRUE)] <- NaN
  }
  value <- found[metric, ] * if (metric == "cost") -1 else 1
  at[which(value >= max(value, na.rm = TRUE) - 1e-12)[[1]]]
}

threshold_world <- function(seed, rows = 60) {
  set.seed(seed)
  p <- matrix(round(rexp(3 * rows), 1) + 0.05, rows, dimnames = list(NULL, c("a", "b", "c")))
  p <- p / rowSums(p)
  truth <- apply(p, 1L, function(x) sample(colnames(p), 1L, prob = x))
  list(p = p, truth = truth, cost = rbind(a = c(0, 1, 4), b = c(2, 0, 1), c = c(1, 3, 0)))
}

test_that("the threshold is the best of all, by every metric", {
  skip_on_cran()
  for (seed in 1:4) {
    w <- threshold_world(seed)
    colnames(w$cost) <- c("a", "b", "c")
    cost <- cost_matrix(a = w$cost["a", ], b = w$cost["b", ], c = w$cost["c", ])
    for (metric in threshold_metrics) {
      rule <- tune_threshold(
        w$p, truth = w$truth, metric = metric, class = "c", cost = cost, beta = 2
      )
      expect_identical(rule$threshold, best_of(w$p, w$truth, "c", metric, w$cost, 2), info = metric)
      expected <- measures_at(w$p, w$truth, "c", w$cost, 2, rule$threshold)
      expect_equal(rule$measures$estimate, unname(expected), tolerance = 1e-12)
      expect_identical(rule$measures$measure, names(expected))
    }
    levels <- c(sensitivity = 0.5, cost = 1.6)
    rule <- tune_threshold(w$p, truth = w$truth, metric = "precision", class = "c", cost = cost,
                           at_least = levels)
    expect_identical(
      rule$threshold, best_of(w$p, w$truth, "c", "precision", w$cost, at_least = levels)
    )
    expect_output(print(rule), "sensitivity at least 0.5 and cost at most 1.6")
  }
})

test_that("of equally good thresholds the largest is taken, also that of never", {
  p <- cbind(a = c(0.9, 0.8, 0.3, 0.2), b = c(0.1, 0.2, 0.7, 0.8))
  rule <- tune_threshold(p, truth = c("a", "a", "b", "b"), class = "b")
  expect_identical(rule$threshold, 0.7)
  rule <- tune_threshold(p, truth = c("a", "b", "a", "a"), class = "b", metric = "specificity")
  expect_identical(rule$threshold, Inf)
  # With equal posteriors every threshold but Inf decides alike.
  same <- cbind(a = rep(0.5, 4), b = 0.5)
  expect_identical(
    tune_threshold(same, truth = c("a", "b", "b", "b"), class = "b")$threshold, 0.5
  )
})

test_that("an infinite cost is avoided", {
  p <- cbind(no = c(0.9, 0.6, 0.4), yes = c(0.1, 0.4, 0.6))
  cost <- cost_matrix(no = c(no = 0, yes = Inf), yes = c(no = 1, yes = 0))
  rule <- tune_threshold(p, truth = c("no", "no", "yes"), cost = cost)
  expect_identical(rule$threshold, 0.6)
  expect_identical(rule$measures$estimate[[1]], 0)
})

test_that("right posteriors need no tuning: the threshold is that of the cost", {
  set.seed(1)
  b <- rbeta(2e5, 1, 2)
  truth <- ifelse(runif(2e5) < b, "b", "a")
  cost <- cost_matrix(a = c(a = 0, b = 4), b = c(a = 1, b = 0))
  rule <- tune_threshold(cbind(a = 1 - b, b = b), truth = truth, class = "b", cost = cost)
  # b costs 1 if wrong, a costs 4: b from 1 / (1 + 4) on.
  expect_equal(rule$threshold, 0.2, tolerance = 0.1)
})

test_that("models, their truth, and the class by default", {
  skip_if_not_installed("MASS")
  model <- fit(bayes_naive(), type ~ ., MASS::Pima.tr)
  rule <- tune_threshold(model, MASS::Pima.te)
  expect_identical(rule$class, "Yes")
  expect_identical(rule$cases, 332)
  expect_output(print(rule), "Yes if its probability is at least")
  expect_identical(tidy(rule)$measure, rule$measures$measure)
  p <- predict(model, MASS::Pima.te, type = "prob")
  expect_identical(tune_threshold(p, truth = MASS::Pima.te$type)$threshold, rule$threshold)
  dear <- cost_matrix(No = c(No = 0, Yes = 1), Yes = c(No = 9, Yes = 0))
  expect_identical(tune_threshold(model, MASS::Pima.te, cost = dear)$class, "No")
})

test_that("a rule that was tuned by a utility prints gains", {
  p <- cbind(ill = c(0.9, 0.7, 0.4, 0.2), well = c(0.1, 0.3, 0.6, 0.8))
  truth <- c("ill", "well", "ill", "well")
  gain <- utility_matrix(ill = c(ill = 10, well = -2), well = c(ill = -6, well = 1))
  rule <- tune_threshold(p, truth = truth, cost = gain, at_least = c(cost = 1))
  expect_equal(rule$measures$estimate[rule$measures$measure == "cost"], -(10 - 2 + 10 + 1) / 4)
  expect_output(print(rule), "Best gain with gain at least -1 of 4 cases.*gain +4.75")
  # Also where the gain is a loss
  dear <- utility_matrix(ill = c(ill = -1, well = -2), well = c(ill = -6, well = -1))
  expect_output(print(tune_threshold(p, truth = truth, cost = dear)), "gain +-1.25")
  rule <- tune_threshold(p, truth = truth)
  expect_output(print(rule), "Best cost of 4 cases.*cost +0.25")
})

test_that("cases that do not count are counted, and bad arguments are errors", {
  p <- cbind(a = c(0.9, 0.8, NA, 0.2, 0.4), b = c(0.1, 0.2, NA, 0.8, 0.6))
  expect_warning(
    rule <- tune_threshold(p, truth = c("a", NA, "b", "b", "a"), class = "b"), "2 cases",
    class = "bayesrisk_warning_missing"
  )
  expect_identical(rule$cases, 3)
  p <- p[-3, ]
  truth <- c("a", "a", "b", "b")
  expect_refusals(
    "truth" = tune_threshold(p),
    "metric & f1" = tune_threshold(p, truth = truth, metric = "F1"),
    "at_least & sensitivity" = tune_threshold(p, truth = truth, at_least = 0.9),
    "at_least & precision" = tune_threshold(p, truth = truth, at_least = c(recall = 0.9)),
    "specificity at least 2" =
      tune_threshold(p, truth = truth, at_least = c(specificity = 2)),
    "class" = tune_threshold(p, truth = truth, class = "z"),
    "at_least & more than once" =
      tune_threshold(p, truth = truth, at_least = c(f1 = 0.1, f1 = 0.2)),
    "b & others" = tune_threshold(p, truth = rep("b", 4), class = "b"),
    "cost & b" = tune_threshold(p, truth = truth, cost = cost_matrix(a = c(a = 0, b = 1))),
    "beta" = tune_threshold(p, truth = truth, metric = "fbeta", beta = -1),
    "data" = tune_threshold(fit(bayes_naive(), Species ~ ., iris))
  )
})
