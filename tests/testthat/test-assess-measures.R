# The estimate of a measure, of all classes or of one.
measured <- function(x, measure, class = NA, what = "estimate") {
  of_class <- if (is.na(class)) is.na(x$measures$class) else x$measures$class %in% class
  x$measures[[what]][of_class & x$measures$measure == measure]
}

# The shares of pairs in which the score of a case in `first` is larger; ties count half.
larger <- function(first, second) {
  mean(outer(first, second, ">") + outer(first, second, "==") / 2)
}

# Three classes with few different probabilities, so with many ties.
tied_posterior <- function(n) {
  withr::local_seed(7)
  truth <- factor(sample(c("a", "b", "c"), n, TRUE, c(0.5, 0.3, 0.2)))
  score <- matrix(sample(0:4, 3 * n, TRUE), n) + 2 * (col(matrix(0, n, 3)) == as.integer(truth)) + 1
  posterior <- score / rowSums(score)
  colnames(posterior) <- levels(truth)
  list(posterior = posterior, truth = truth)
}

test_that("measures of two classes, by hand", {
  ten <- ten_cases()
  x <- assess_decisions(ten$posterior, truth = ten$truth)
  expect_equal(measured(x, "accuracy"), 0.7)
  expect_equal(measured(x, "balanced_accuracy"), 0.7)
  expect_equal(measured(x, "kappa"), (0.7 - 0.5) / 0.5)
  expect_equal(measured(x, "mcc"), (4 * 3 - 1 * 2) / sqrt(5 * 5 * 6 * 4))
  expect_equal(measured(x, "sensitivity", "ill"), 3 / 5)
  expect_equal(measured(x, "specificity", "ill"), 4 / 5)
  expect_equal(measured(x, "sensitivity", "healthy"), 4 / 5)
  expect_equal(measured(x, "precision", "ill"), 3 / 4)
  expect_equal(measured(x, "f1", "ill"), 2 * 3 / (2 * 3 + 1 + 2))
  expect_equal(measured(x, "auc"), 20 / 25)
  expect_equal(measured(x, "auc", "healthy"), 20 / 25)
  expect_equal(measured(x, "gini"), 2 * 20 / 25 - 1)
  expect_equal(measured(x, "ks"), 4 / 5 - 1 / 5)
  expect_equal(measured(x, "npv", "ill"), 4 / 6)
  expect_equal(measured(x, "lr_positive", "ill"), (3 / 5) / (1 / 5))
  expect_equal(measured(x, "lr_negative", "ill"), (2 / 5) / (4 / 5))
  # Precision at each case of the class, from the largest probability on.
  expect_equal(
    measured(x, "average_precision", "ill"), mean(c(1 / 1, 2 / 2, 3 / 4, 4 / 5, 5 / 8))
  )
  expect_identical(summary(x)$precision, c(4 / 6, 3 / 4))
  expect_identical(generics::glance(x)$kappa, measured(x, "kappa"))
})

test_that("an abstention is no correct decision, and stays in the denominator", {
  ten <- ten_cases()
  x <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)
  expect_equal(measured(x, "accuracy"), 6 / 10)
  expect_equal(measured(x, "sensitivity", "ill"), 3 / 5)
  expect_equal(measured(x, "precision", "ill"), 3 / 4)
  # Of 6 others, 4 are healthy.
  expect_equal(measured(x, "npv", "ill"), 4 / 6)
  expect_equal(measured(x, "lr_negative", "ill"), (2 / 5) / (4 / 5))
  # The columns are healthy 4, ill 4, refer 2.
  expect_equal(measured(x, "kappa"), (60 - 40) / (100 - 40))
  expect_equal(measured(x, "mcc"), (60 - 40) / sqrt((100 - 50) * (100 - 36)))
})

test_that("totals, and the best action without a look at the cases", {
  ten <- ten_cases()
  x <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)
  expect_equal(x$total, 22)
  expect_identical(as.character(x$constant$action), c("ill", "refer", "healthy"))
  expect_equal(x$constant$cost, c(2.5, 2.5, 5))
  amount <- 1:10
  by_case <- cost_matrix(healthy = list(healthy = 0, ill = ~amount), refer = 2)
  y <- assess_decisions(ten$posterior, data.frame(amount), by_case, truth = ten$truth)
  constant <- mean(ifelse(ten$truth == "ill", amount, 0))
  expect_equal(y$constant$cost[y$constant$action == "healthy"], constant)
})

# Cohen's weighted kappa of a table, truth in rows. `apart`: the distances of its cells.
weighted_kappa <- function(counts, apart) {
  shares <- counts / sum(counts)
  1 - sum(apart * shares) / sum(apart * outer(rowSums(shares), colSums(shares)))
}

test_that("weighted kappa is that of the table, where the truth has an order", {
  tied <- tied_posterior(200)
  order <- c("b", "a", "c")
  truth <- factor(tied$truth, order, ordered = TRUE)
  cost <- cost_matrix(
    a = c(a = 0, b = 1, c = 1), b = c(a = 1, b = 0, c = 1), c = c(a = 1, b = 1, c = 0), ask = 0.6
  )
  place <- match(c("a", "b", "c"), order)
  apart <- abs(outer(place, place, "-")) / 2
  for (asks in c(FALSE, TRUE)) {
    x <- assess_decisions(tied$posterior, cost = if (asks) cost, truth = truth)
    apart_all <- if (asks) cbind(apart, 1) else apart
    counts <- unclass(x$confusion)
    if (asks) expect_gt(sum(counts[, "ask"]), 0)
    expect_equal(measured(x, "kappa_linear"), weighted_kappa(counts, apart_all))
    expect_equal(measured(x, "kappa_quadratic"), weighted_kappa(counts, apart_all^2))
  }
  expect_match(format(x), "linear kappa +0", all = FALSE)
  unordered <- assess_decisions(tied$posterior, truth = tied$truth)
  expect_identical(measured(unordered, "kappa_linear"), NA_real_)
  expect_no_match(format(unordered), "linear kappa")
  two <- ten_cases()
  two <- assess_decisions(two$posterior, cost = two$cost, truth = ordered(two$truth))
  for (part in c("estimate", "lower", "upper")) {
    for (name in c("kappa_linear", "kappa_quadratic")) {
      expect_equal(measured(two, name, what = part), measured(two, "kappa", what = part))
    }
  }
})

test_that("an abstention is as far as the first class is from the last, over unused levels too", {
  tied <- tied_posterior(200)
  levels <- c("a", "b", "d", "e", "c")
  cost <- cost_matrix(
    a = c(a = 0, b = 1, c = 1), b = c(a = 1, b = 0, c = 1), c = c(a = 1, b = 1, c = 0), ask = 0.6
  )
  x <- assess_decisions(tied$posterior, cost = cost, truth = ordered(tied$truth, levels))
  place <- match(c("a", "b", "c"), levels)
  apart <- cbind(abs(outer(place, place, "-")) / 4, 1)
  counts <- unclass(x$confusion)
  expect_equal(measured(x, "kappa_linear"), weighted_kappa(counts, apart))
  expect_equal(measured(x, "kappa_quadratic"), weighted_kappa(counts, apart^2))
})

test_that("weighted kappa is that of yardstick", {
  skip_on_cran()
  skip_if_not_installed("yardstick")
  tied <- tied_posterior(200)
  truth <- ordered(tied$truth)
  x <- assess_decisions(tied$posterior, truth = truth)
  decided <- factor(decide(tied$posterior)$decision, levels(truth), ordered = TRUE)
  for (weighting in c("linear", "quadratic")) {
    expect_equal(
      measured(x, paste0("kappa_", weighting)),
      yardstick::kap_vec(truth, decided, weighting = weighting)
    )
  }
})

# The sum over thresholds of scikit-learn: (R[n] - R[n - 1]) P[n].
average_precision <- function(own, p, weight = rep(1, length(p))) {
  cuts <- sort(unique(p), decreasing = TRUE)
  hits <- vapply(cuts, function(cut) sum(weight[own & p >= cut]), 1)
  taken <- vapply(cuts, function(cut) sum(weight[p >= cut]), 1)
  sum(diff(c(0, hits / sum(weight[own]))) * hits / taken)
}

test_that("average precision is a sum over thresholds, and ties are one threshold", {
  tied <- tied_posterior(60)
  weight <- rep(c(1, 2, 0.5), 20)
  for (class in levels(tied$truth)) {
    own <- tied$truth == class
    p <- tied$posterior[, class]
    x <- assess_decisions(tied$posterior, truth = tied$truth)
    expect_equal(measured(x, "average_precision", class), average_precision(own, p))
    y <- assess_decisions(tied$posterior, truth = tied$truth, weights = weight)
    expect_equal(measured(y, "average_precision", class), average_precision(own, p, weight))
  }
  # scikit-learn's example: average_precision_score([0, 0, 1, 1], [.1, .4, .35, .8])
  p <- c(0.1, 0.4, 0.35, 0.8)
  x <- assess_decisions(cbind(a = 1 - p, b = p), truth = c("a", "a", "b", "b"))
  expect_equal(measured(x, "average_precision", "b"), 0.83, tolerance = 0.005)
  # All cases alike: the share of the class.
  flat <- assess_decisions(cbind(a = rep(0.5, 4), b = 0.5), truth = c("a", "a", "a", "b"))
  expect_equal(measured(flat, "average_precision", "b"), 1 / 4)
})

test_that("average precision is exact where the curve has a selection of the cuts", {
  withr::local_seed(3)
  own <- stats::runif(2000) < 0.05
  p <- stats::plogis(stats::rnorm(2000, 2 * own))
  x <- suppressWarnings(
    assess_decisions(cbind(a = 1 - p, b = p), truth = ifelse(own, "b", "a"))
  )
  expect_lt(sum(x$ranking$class == "b"), 510)
  exact <- average_precision(own, p)
  expect_equal(measured(x, "average_precision", "b"), exact, tolerance = 1e-12)
  curve <- x$ranking[x$ranking$class == "b", ]
  area <- sum(diff(curve$sensitivity) * curve$precision[-1])
  expect_gt(abs(area - exact), 1e-4)
})

test_that("areas are shares of pairs, and ties count half", {
  tied <- tied_posterior(60)
  x <- assess_decisions(tied$posterior, truth = tied$truth)
  p <- tied$posterior
  for (class in levels(tied$truth)) {
    own <- tied$truth == class
    expect_equal(measured(x, "auc", class), larger(p[own, class], p[!own, class]))
    cuts <- unique(p[, class])
    distance <- vapply(cuts, function(cut) {
      abs(mean(p[own, class] >= cut) - mean(p[!own, class] >= cut))
    }, 1)
    expect_equal(measured(x, "ks", class), max(distance))
  }
  # Hand and Till (2001)
  pairs <- utils::combn(levels(tied$truth), 2, simplify = FALSE)
  area <- mean(vapply(pairs, function(pair) {
    first <- tied$truth == pair[[1L]]
    second <- tied$truth == pair[[2L]]
    mean(c(
      larger(p[first, pair[[1L]]], p[second, pair[[1L]]]),
      larger(p[second, pair[[2L]]], p[first, pair[[2L]]])
    ))
  }, 1))
  expect_equal(measured(x, "auc"), area)
})

test_that("a model has the areas of its posterior", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  x <- assess_decisions(model, iris)
  y <- assess_decisions(predict(model, iris, type = "prob"), truth = iris$Species)
  expect_equal(x$measures, y$measures, tolerance = 1e-6)
})

test_that("the bootstrap of the accuracy is that of the cost", {
  skip_on_cran()
  for (n in c(80, 12000)) {
    tied <- tied_posterior(n)
    x <- assess_decisions(tied$posterior, truth = tied$truth, interval = "bootstrap")
    expect_equal(measured(x, "accuracy", what = "lower"), 1 - x$upper)
    expect_equal(measured(x, "accuracy", what = "upper"), 1 - x$lower)
    expect_true(all(x$measures$lower <= x$measures$estimate + 1e-12, na.rm = TRUE))
    expect_true(all(x$measures$upper >= x$measures$estimate - 1e-12, na.rm = TRUE))
  }
  threads <- assess_decisions(
    tied$posterior, truth = tied$truth, interval = "bootstrap", threads = 2
  )
  expect_identical(threads$measures, x$measures)
})

test_that("the interval of an area has the width that DeLong's standard error has", {
  tied <- tied_posterior(500)
  two <- tied$truth != "c"
  p <- tied$posterior[two, c("a", "b")] / rowSums(tied$posterior[two, c("a", "b")])
  truth <- droplevels(tied$truth[two])
  x <- assess_decisions(p, truth = truth)
  own <- p[truth == "b", "b"]
  other <- p[truth == "a", "b"]
  placed <- list(vapply(own, larger, 1, other), vapply(other, function(o) larger(own, o), 1))
  error <- sqrt(sum(vapply(placed, function(v) stats::var(v) / length(v), 1)))
  width <- measured(x, "auc", what = "upper") - measured(x, "auc", what = "lower")
  expect_equal(width, 2 * stats::qnorm(0.975) * error, tolerance = 0.05)
  gini <- measured(x, "gini", what = "upper") - measured(x, "gini", what = "lower")
  expect_equal(gini, 2 * width)
})

test_that("the area under the drawn curve is the area", {
  tied <- tied_posterior(60)
  x <- assess_decisions(tied$posterior, truth = tied$truth)
  for (class in levels(tied$truth)) {
    curve <- x$ranking[x$ranking$class == class, ]
    steps <- diff(curve$false_alarms)
    heights <- (utils::head(curve$sensitivity, -1) + curve$sensitivity[-1]) / 2
    expect_equal(sum(steps * heights), measured(x, "auc", class))
    expect_equal(curve$lift[-1], (curve$sensitivity / curve$depth)[-1])
    expect_equal(
      sum(diff(curve$sensitivity) * curve$precision[-1]), measured(x, "average_precision", class)
    )
    expect_identical(utils::tail(curve$depth, 1), 1)
  }
})

test_that("what is not defined is NA", {
  ten <- ten_cases()
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  expect_identical(measured(decided, "auc"), NA_real_)
  expect_equal(measured(decided, "accuracy"), 0.6)
  expect_null(decided$ranking)
  flat <- assess_decisions(ten$posterior, cost = flat_cost(go = 1, stay = 2), truth = ten$truth)
  expect_identical(measured(flat, "accuracy"), NA_real_)
  expect_equal(measured(flat, "auc"), 0.8)
  one <- ten$truth == "ill"
  alone <- assess_decisions(ten$posterior[one, ], truth = ten$truth[one])
  expect_identical(measured(alone, "auc"), NA_real_)
  expect_identical(measured(alone, "specificity", "ill"), NA_real_)
  expect_equal(measured(alone, "sensitivity", "ill"), 3 / 5)
})

test_that("kappa is that of e1071", {
  skip_if_not_installed("e1071")
  tied <- tied_posterior(200)
  x <- assess_decisions(tied$posterior, truth = tied$truth)
  agreement <- e1071::classAgreement(unclass(x$confusion))
  expect_equal(measured(x, "accuracy"), agreement$diag)
  expect_equal(measured(x, "kappa"), agreement$kappa)
})

test_that("areas are those of pROC", {
  skip_if_not_installed("pROC")
  tied <- tied_posterior(200)
  x <- assess_decisions(tied$posterior, truth = tied$truth)
  own <- factor(tied$truth == "b")
  area <- pROC::auc(own, tied$posterior[, "b"], direction = "<", levels = levels(own))
  expect_equal(measured(x, "auc", "b"), as.double(area))
  all <- pROC::multiclass.roc(tied$truth, tied$posterior)
  expect_equal(measured(x, "auc"), as.double(all$auc))
})

# yardstick's measures that are defined as here. It takes decisions and truths as factors.
yardstick_measures <- function(truth, decision, ...) {
  names <- c(
    accuracy = "accuracy", kappa = "kap", mcc = "mcc", sensitivity = "sens", specificity = "spec",
    precision = "precision", npv = "npv", f1 = "f_meas"
  )
  vapply(names, function(name) {
    measure <- getExportedValue("yardstick", paste0(name, "_vec"))
    if (name %in% c("accuracy", "kap", "mcc")) return(measure(truth, decision))
    measure(truth, decision, ...)
  }, 1)
}

test_that("measures of two classes are those of yardstick", {
  skip_on_cran()
  skip_if_not_installed("yardstick")
  tied <- tied_posterior(400)
  two <- tied$truth != "c"
  share <- tied$posterior[two, "a"] / (tied$posterior[two, "a"] + tied$posterior[two, "b"])
  # Both probabilities have the same ties.
  p <- cbind(a = round(share, 6), b = 1 - round(share, 6))
  truth <- droplevels(tied$truth[two])
  x <- assess_decisions(p, truth = truth)
  decided <- decide(p)$decision
  events <- c(a = "first", b = "second")
  for (class in levels(truth)) {
    own <- yardstick_measures(truth, decided, event_level = events[[class]])
    for (name in c("accuracy", "kappa", "mcc")) expect_equal(measured(x, name), own[[name]])
    for (name in c("sensitivity", "specificity", "precision", "npv", "f1")) {
      expect_equal(measured(x, name, class), own[[name]])
    }
    area <- yardstick::roc_auc_vec(truth, p[, class], event_level = events[[class]])
    expect_equal(measured(x, "auc", class), area)
    frame <- data.frame(truth, p = p[, class])
    curve <- yardstick::roc_curve(frame, truth, p, event_level = events[[class]])
    expect_equal(measured(x, "ks", class), max(curve$sensitivity + curve$specificity - 1))
  }
  expect_equal(measured(x, "auc"), area)
  expect_equal(measured(x, "gini"), yardstick::gain_capture_vec(truth, p[, "a"]))
  expect_equal(measured(x, "balanced_accuracy"), yardstick::bal_accuracy_vec(truth, decided))
  expect_equal(x$log_loss, yardstick::mn_log_loss_vec(truth, p[, "a"]))
  # yardstick's score is half of Brier's.
  expect_equal(x$brier / 2, yardstick::brier_class_vec(truth, p[, "a"]))
})

test_that("a class that is never decided has an F1 of 0; yardstick leaves it out", {
  skip_on_cran()
  skip_if_not_installed("yardstick")
  p <- cbind(a = c(0.7, 0.2, 0.6, 0.3), b = c(0.2, 0.7, 0.3, 0.6), c = 0.1)
  truth <- factor(c("a", "b", "c", "c"))
  x <- assess_decisions(p, truth = truth)
  expect_equal(measured(x, "f1", "c"), 0)
  expect_identical(measured(x, "precision", "c"), NA_real_)
  known <- mean(summary(x)$f1[1:2])
  decided <- decide(p)$decision
  own <- suppressWarnings(yardstick::f_meas_vec(truth, decided, estimator = "macro"))
  expect_equal(own, known)
})

test_that("measures of more classes are yardstick's macro averages", {
  skip_on_cran()
  skip_if_not_installed("yardstick")
  tied <- tied_posterior(400)
  x <- assess_decisions(tied$posterior, truth = tied$truth)
  decided <- decide(tied$posterior)$decision
  own <- yardstick_measures(tied$truth, decided, estimator = "macro")
  for (name in c("accuracy", "kappa", "mcc")) expect_equal(measured(x, name), own[[name]])
  by_class <- summary(x)
  for (name in c("sensitivity", "specificity", "precision", "npv", "f1")) {
    expect_equal(mean(by_class[[name]]), own[[name]])
  }
  # Its bal_accuracy() also averages the specificities.
  expect_equal(measured(x, "balanced_accuracy"), own[["sensitivity"]])
  expect_equal(
    measured(x, "auc"), yardstick::roc_auc_vec(tied$truth, tied$posterior, estimator = "hand_till")
  )
  macro <- yardstick::roc_auc_vec(tied$truth, tied$posterior, estimator = "macro")
  expect_equal(mean(by_class$auc), macro)
  expect_equal(x$log_loss, yardstick::mn_log_loss_vec(tied$truth, tied$posterior))
  expect_equal(x$brier / 2, yardstick::brier_class_vec(tied$truth, tied$posterior))
})

test_that("ROC and lift curves are those of yardstick", {
  skip_on_cran()
  skip_if_not_installed("yardstick")
  tied <- tied_posterior(400)
  x <- assess_decisions(tied$posterior, truth = tied$truth)
  for (class in levels(tied$truth)) {
    own <- x$ranking[x$ranking$class == class, ]
    frame <- data.frame(
      truth = factor(ifelse(tied$truth == class, "own", "other"), c("own", "other")),
      p = tied$posterior[, class]
    )
    roc <- yardstick::roc_curve(frame, truth, p)
    roc <- roc[order(roc$sensitivity, 1 - roc$specificity), ]
    corners <- unique(data.frame(x = 1 - roc$specificity, y = roc$sensitivity))
    expect_equal(own$false_alarms, corners$x)
    expect_equal(own$sensitivity, corners$y)
    lift <- yardstick::lift_curve(frame, truth, p)
    expect_equal(100 * own$depth, lift$.percent_tested)
    expect_equal(own$lift[-1], lift$.lift[-1])
  }
})

test_that("an assessment of many classes is printed on one screen", {
  withr::local_seed(3)
  classes <- sprintf("a long name of class %02d", 1:19)
  truth <- factor(sample(classes, 400, TRUE), classes)
  score <- matrix(stats::rexp(400 * 19), 400, dimnames = list(NULL, classes))
  score[cbind(1:400, as.integer(truth))] <- 3
  x <- assess_decisions(score / rowSums(score), truth = truth)
  lines <- format(x)
  expect_lte(length(lines), 40)
  expect_lte(max(nchar(lines)), 80)
  expect_match(lines, "... and 12 more classes", fixed = TRUE, all = FALSE)
  for (measure in c("Matthews", "AUC", "log loss", "Brier score")) {
    expect_match(lines, paste0("^  ", measure, " +[0-9]"), all = FALSE)
  }
  titles <- "^  class +cases sensitivity specificity precision +F1 +AUC +AP$"
  expect_match(lines, titles, all = FALSE)
  expect_gt(length(format(x, n = 19)), 45)
})

test_that("10 right of 10 are not certain", {
  p <- c(0.1, 0.2, 0.3, 0.2, 0.1, 0.8, 0.9, 0.7, 0.9, 0.8)
  x <- assess_decisions(cbind(a = 1 - p, b = p), truth = rep(c("a", "b"), each = 5))
  accuracy <- x$measures[x$measures$measure == "accuracy", ]
  expect_equal(unlist(accuracy[3:5]), c(estimate = 1, lower = 0.7828, upper = 1), tolerance = 1e-4)
  area <- x$measures[x$measures$measure == "auc", ]
  expect_true(all(area$lower < 0.9 & area$upper == 1))
  expect_gt(x$upper, 0.1)
})

test_that("intervals contain their estimate, follow the level, and can be left out", {
  ten <- ten_cases()
  run <- function(...) assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth, ...)
  for (interval in c("bayes", "bootstrap")) {
    x <- run(interval = interval)
    inside <- x$measures$lower <= x$measures$estimate & x$measures$estimate <= x$measures$upper
    expect_true(all(inside, na.rm = TRUE))
    narrow <- run(interval = interval, level = 0.5)
    expect_gt(narrow$lower, x$lower)
    expect_lt(narrow$upper, x$upper)
  }
  none <- run(interval = "none")
  expect_true(all(is.na(c(none$lower, none$upper, none$measures$lower, none$benefit$upper))))
  expect_no_match(capture.output(print(none)), "interval")
  expect_output(print(narrow), "50 % interval")
  expect_refusals("level" = run(level = 1), "interval" = run(interval = "bays"))
})

test_that("the class of net benefits is the dearest to miss, then the rarest, or as asked", {
  ten <- ten_cases()
  of <- function(cost, ...) {
    assess_decisions(ten$posterior, cost = cost, truth = ten$truth, ...)
  }
  expect_identical(of(ten$cost)$class, "ill")
  turned <- cost_matrix(healthy = c(healthy = 0, ill = 1), ill = c(healthy = 4, ill = 0))
  expect_identical(of(turned)$class, "healthy")
  expect_identical(
    assess_decisions(ten$posterior[-1, ], truth = ten$truth[-1])$class, "ill"
  )
  expect_identical(
    assess_decisions(ten$posterior[-3, ], truth = ten$truth[-3])$class, "healthy"
  )
  both <- of(ten$cost, class = c("healthy", "ill"))
  expect_identical(as.character(unique(both$benefit$class)), c("healthy", "ill"))
  expect_bayesrisk_error(of(ten$cost, class = "il"), "argument", "class")
})

test_that("net benefits are those of dcurves, with a prevalence, too", {
  skip_on_cran()
  skip_if_not_installed("dcurves")
  cases <- half_ill(400)
  p <- round(stats::plogis(cases$x - 1), 3)
  posterior <- cbind(ill = p, well = 1 - p)
  data <- data.frame(ill = cases$y == "ill", p)
  net <- function(...) {
    found <- dcurves::dca(ill ~ p, data, thresholds = c(0.1, 0.25, 0.5), ...)$dca
    found$net_benefit[found$variable == "p"]
  }
  ours <- function(...) {
    found <- assess_decisions(posterior, truth = cases$y, class = "ill", ...)$benefit
    found$benefit[match(c(0.1, 0.25, 0.5), found$threshold)]
  }
  expect_equal(ours(), net())
  # The weights of a prior, without another decision.
  weight <- ifelse(data$ill, 0.1, 0.9) * 2
  expect_equal(ours(weights = weight), net(prevalence = 0.1))
})

test_that("the cost of rare dear errors has an interval that covers", {
  skip_on_cran()
  prior <- c(ill = 0.05, well = 0.95)
  model <- bayes_known(prior, x = likelihood_gaussian(mean = c(ill = 2.5, well = 0), sd = 1))
  cost <- cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 30, well = 0))
  risk <- bayes_risk(model, cost)$total
  covers <- vapply(1:200, function(seed) {
    cases <- simulate(model, 100, seed = seed)
    x <- suppressWarnings(assess_decisions(model, cases["x"], cost, truth = cases[[1L]]))
    x$lower <= risk && risk <= x$upper
  }, NA)
  expect_gte(mean(covers), 0.92)
})

test_that("intervals of all measures cover the measures of the population", {
  skip_on_cran()
  distance <- 2
  model <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = distance), sd = 1)
  )
  right <- stats::pnorm(distance / 2)
  true <- c(
    accuracy = right, balanced_accuracy = right, sensitivity = right, specificity = right,
    precision = right, npv = right, f1 = right, lr_positive = right / (1 - right),
    lr_negative = (1 - right) / right,
    kappa = 2 * right - 1, mcc = 2 * right - 1, ks = 2 * right - 1,
    auc = stats::pnorm(distance / sqrt(2)), gini = 2 * stats::pnorm(distance / sqrt(2)) - 1,
    cost = 1 - right, benefit = right - 0.5
  )
  covers <- vapply(1:200, function(seed) {
    cases <- simulate(model, 100, seed = seed)
    x <- suppressWarnings(assess_decisions(model, cases["x"], truth = cases[[1L]], class = "b"))
    half <- x$benefit[which.min(abs(x$benefit$threshold - 0.5)), ]
    rows <- x$measures[match(utils::head(names(true), -2L), x$measures$measure), ]
    lower <- c(rows$lower, x$lower, half$lower)
    upper <- c(rows$upper, x$upper, half$upper)
    lower <= true & true <= upper
  }, true == 0)
  shares <- stats::setNames(rowMeans(covers), names(true))
  # Three standard errors below .95. KS is a maximum over cuts, which is too large in few cases.
  expect_true(all(shares[names(shares) != "ks"] >= 0.904))
  expect_gte(shares[["ks"]], 0.86)
})

# Patients with several rows of both classes. Some patients are more difficult than others.
difficult_patients <- function(patients, rows, right, together, seed) {
  size <- (1 - together) / together
  patient <- rep(seq_len(patients), each = rows)
  withr::with_seed(seed, {
    share <- stats::rbeta(patients, right * size, (1 - right) * size)
    truth <- sample(c("a", "b"), length(patient), TRUE)
    correct <- stats::runif(length(patient)) < share[patient]
  })
  p <- ifelse(correct == (truth == "b"), 0.9, 0.1)
  list(patient = patient, truth = truth, posterior = cbind(a = 1 - p, b = p))
}

test_that("likelihood ratios of clusters have the covariance of their shares between clusters", {
  cases <- difficult_patients(30, 10, 0.85, 0.6, 1)
  x <- suppressWarnings(
    assess_decisions(cases$posterior, truth = cases$truth, cluster = cases$patient)
  )
  own <- cases$truth == "a"
  taken <- cases$posterior[, "a"] > 0.5
  # The sums of each patient, as deviations from the share
  sums <- function(rows) {
    mean <- mean(taken[rows])
    rowsum(ifelse(rows, taken - mean, 0), cases$patient)[, 1L] / sum(rows)
  }
  hits <- sums(own)
  alarms <- sums(!own)
  between <- function(a, b) sum(a * b) * 30 / 29
  number <- function(of, rows) {
    p <- mean(taken[rows])
    min(sum(rows), p * (1 - p) / between(of, of))
  }
  share <- function(of, rows) {
    of_share(mean(taken[rows]), number(of, rows), 0.95, few_clusters(30, 0.95), 0.25)
  }
  variance <- function(of, rows) mean(taken[rows]) * (1 - mean(taken[rows])) / number(of, rows)
  correlation <- between(hits, alarms) / sqrt(variance(hits, own) * variance(alarms, !own))
  expect_lt(correlation, -0.5)
  ends <- ratio_interval(share(hits, own), share(alarms, !own), correlation)
  expect_equal(measured(x, "lr_positive", "a", "lower"), ends$lower)
  expect_equal(measured(x, "lr_positive", "a", "upper"), ends$upper)
})

test_that("intervals of weighted kappa cover that of the population", {
  skip_on_cran()
  model <- bayes_known(
    c(a = 0.3, b = 0.4, c = 0.3), x = likelihood_gaussian(mean = c(a = 0, b = 1.5, c = 3), sd = 1)
  )
  shift <- log(0.4 / 0.3) / 1.5
  cuts <- c(-Inf, 0.75 - shift, 2.25 + shift, Inf)
  of_class <- vapply(c(0, 1.5, 3), function(mean) diff(stats::pnorm(cuts, mean)), numeric(3))
  counts <- t(of_class) * c(0.3, 0.4, 0.3)
  apart <- abs(outer(1:3, 1:3, "-"))
  true <- c(weighted_kappa(counts, apart), weighted_kappa(counts, apart^2))
  covers <- vapply(1:200, function(seed) {
    cases <- simulate(model, 100, seed = seed)
    truth <- ordered(cases[[1L]])
    x <- suppressWarnings(assess_decisions(model, cases["x"], truth = truth))
    rows <- x$measures[x$measures$measure %in% c("kappa_linear", "kappa_quadratic"), ]
    rows$lower <= true & true <= rows$upper
  }, c(NA, NA))
  # Three standard errors below .95
  expect_true(all(rowMeans(covers) >= 0.904))
})
