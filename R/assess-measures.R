# The measures of assess_decisions() beside cost, from the engine's estimates.

overall_measures <- c("accuracy", "balanced_accuracy", "kappa", "mcc", "auc", "gini", "ks")
class_measures <- c("sensitivity", "specificity", "precision", "f1", "auc", "ks")

# A row per measure and, below, per measure and class. `found`: the result of measures_cpp().
# `clusters`: their number; 0: cases are independent.
measure_frame <- function(found, classes, clusters, interval) {
  factor <- few_clusters(clusters, interval$level)
  shared <- function(part) share_ends(part, factor, interval)
  overall <- cbind(
    shared(found$overall[, 1L]),
    drawn_ends(found$overall[, 2:4], clusters, interval$level, c(0, -1, -1)),
    area_ends(found$auc, factor, interval)[, c(1L, 1L)]
  )
  # Gini's coefficient is the area under the curve on a scale from -1 to 1.
  overall[, 6L] <- 2 * overall[, 6L] - 1
  distance <- distance_ends(found, factor, interval)
  overall <- cbind(overall, if (length(classes) == 2L) distance[, 2L] else NA_real_)
  estimates <- open_as_na(cbind(
    overall, shared(found$sensitivity), shared(found$specificity), shared(found$precision),
    drawn_ends(found$f1, clusters, interval$level, 0), area_ends(found$auc_of, factor, interval),
    distance
  ))
  data.frame(
    measure = c(overall_measures, rep(class_measures, each = length(classes))),
    class = factor(
      c(rep(NA, length(overall_measures)), rep(classes, length(class_measures))), classes
    ),
    estimate = estimates[1L, ], lower = estimates[2L, ], upper = estimates[3L, ]
  )
}

# Matrices of the engine with a column per measure, as rows of the estimate and both ends.

# Shares: their number is in the fourth row.
share_ends <- function(part, factor, interval) {
  part <- matrix(part, 4L)
  if (interval$by != "bayes") return(part[1:3, , drop = FALSE])
  ends <- share_interval(part[1L, ], part[4L, ], interval$level, factor)
  rbind(part[1L, ], ends$lower, ends$upper)
}

# Functions of the table: drawn. `least`: the least value of each measure; the largest is 1.
drawn_ends <- function(part, clusters, level, least) {
  part <- matrix(part, 4L)
  ends <- widen_drawn(part[1L, ], part[2L, ], part[3L, ], clusters, level)
  rbind(part[1L, ], pmax(ends$lower, least), pmin(ends$upper, 1))
}

area_ends <- function(part, factor, interval) {
  ends <- if (interval$by == "none") {
    list(lower = NA_real_, upper = NA_real_)
  } else {
    area_interval(part[1L, ], part[2L, ], part[3L, ], part[4L, ], interval$level, factor)
  }
  rbind(part[1L, ], ends$lower, ends$upper)
}

# The distance of Kolmogorov and Smirnov, a difference of two shares.
distance_ends <- function(found, factor, interval) {
  of_share <- function(part) {
    c(list(share = part[1L, ]), share_interval(part[1L, ], part[4L, ], interval$level, factor))
  }
  distance <- found$ks[1L, ]
  if (interval$by == "none") return(rbind(distance, NA_real_, NA_real_))
  hits <- of_share(found$hits)
  alarms <- of_share(found$alarms)
  turned <- !is.na(distance) & found$hits[1L, ] < found$alarms[1L, ]
  first <- Map(function(h, a) ifelse(turned, a, h), hits, alarms)
  second <- Map(function(h, a) ifelse(turned, h, a), hits, alarms)
  ends <- difference_interval(first, second)
  rbind(distance, pmax(ends$lower, 0), pmin(ends$upper, 1))
}

# One measure of all classes, as a list(estimate, lower, upper).
measure_of <- function(measures, name) {
  row <- is.na(measures$class) & measures$measure == name
  as.list(measures[row, c("estimate", "lower", "upper")])
}

# The estimates of each class, a column per measure.
measures_by_class <- function(measures, names) {
  columns <- lapply(names, function(name) {
    measures$estimate[!is.na(measures$class) & measures$measure == name]
  })
  stats::setNames(columns, names)
}

# Each class against the others, cut by its probability. `cases`: the number of each class.
ranking_frame <- function(curves, classes, cases) {
  if (!length(curves$class)) return(NULL)
  own <- cases[curves$class]
  above <- curves$hits + curves$alarms
  hits <- curves$hits / own
  depth <- above / sum(cases)
  data.frame(
    class = factor(classes[curves$class], classes), threshold = curves$threshold,
    sensitivity = hits, false_alarms = curves$alarms / (sum(cases) - own), depth = depth,
    lift = open_as_na(hits / depth)
  )
}

# The cost per case if all cases had the same action, the cheapest action first; NA where limits do
# not allow it. `possible`: see believe().
constant_frame <- function(found, actions, possible) {
  cost <- if (is.null(possible)) found$constant else ifelse(possible, found$constant, NA)
  constant <- data.frame(action = factor(actions, actions), cost = cost)
  constant <- constant[order(constant$cost), ]
  rownames(constant) <- NULL
  constant
}

# The measures as text. A measure that is undefined is left out. `interval`: with its interval.
measure_texts <- function(measures, number) {
  labels <- c(
    accuracy = "accuracy", balanced_accuracy = "balanced accuracy", kappa = "kappa",
    mcc = "Matthews", auc = "AUC", gini = "Gini", ks = "KS"
  )
  two <- nlevels(measures$class) == 2L
  shown <- if (two) overall_measures else setdiff(overall_measures, c("gini", "ks"))
  text <- vapply(shown, function(name) {
    found <- measure_of(measures, name)
    ends <- if (!is.na(found$lower)) interval_text(number(found$lower), number(found$upper))
    paste0(number(found$estimate), ends)
  }, "")
  defined <- vapply(shown, function(name) !is.na(measure_of(measures, name)$estimate), NA)
  stats::setNames(text[defined], labels[shown[defined]])
}

# A row per class, for the print. Measures that no class has are left out.
classes_measured <- function(x) {
  names <- c("sensitivity", "specificity", "precision", "f1", "auc")
  columns <- measures_by_class(x$measures, names)
  names(columns) <- c("sensitivity", "specificity", "precision", "F1", "AUC")
  defined <- !vapply(columns, function(v) all(is.na(v)), NA)
  if (!any(defined)) return(NULL)
  data.frame(class = x$by_truth$truth, cases = x$by_truth$n, columns[defined])
}

# The intervals of assessments: what they are asked for, and those that have a closed form.

interval_kinds <- c("bayes", "bootstrap", "none")

# list(by, level, seed), as the engine reads it.
read_interval <- function(interval, level, seed, call) {
  list(
    by = check_choice(interval, interval_kinds, "interval", call),
    level = check_level(level, call), seed = check_seed(seed, call)
  )
}

upper_tail <- function(level) (1 + level) / 2

# How much wider few clusters make an interval: their variance is an estimate.
few_clusters <- function(clusters, level) {
  if (clusters == 0) return(1)
  if (clusters < 2) return(NA_real_)
  stats::qt(upper_tail(level), clusters - 1) / stats::qnorm(upper_tail(level))
}

# The interval of drawn values, widened about the estimate. The Bayesian bootstrap of n clusters
# varies less than n clusters do.
widen_drawn <- function(estimate, lower, upper, clusters, level) {
  if (clusters > 0) {
    factor <- few_clusters(clusters, level) * sqrt((clusters + 1) / max(clusters - 1, 1))
    stretch <- function(end) ifelse(end == estimate, end, estimate + factor * (end - estimate))
    lower <- stretch(lower)
    upper <- stretch(upper)
  }
  list(lower = lower, upper = upper)
}

# The interval of a share of `number` cases. `added`: 0.5 gives the interval of Jeffreys, 0 the
# exact one of Clopper and Pearson.
share_interval <- function(share, number, level, factor = 1, added = 0.5) {
  number <- ifelse(share > 0 & share < 1, number / factor^2, number)
  end <- function(p, added) {
    stats::qbeta(p, number * share + added, number * (1 - share) + 1 - added)
  }
  lower <- ifelse(share == 0, 0, pmin(share, end(1 - upper_tail(level), added)))
  upper <- ifelse(share == 1, 1, pmax(share, end(upper_tail(level), 1 - added)))
  list(lower = lower, upper = upper)
}

# The interval of an area under a curve: that of a share of as many cases as have its variance, half
# way between Jeffreys and the exact one. DeLong's variance is too small where the smaller group, of
# `own` or `others` cases, is small or the groups are nearly separated. It is averaged with the
# variance of exponential scores (Hanley and McNeil 1982), which has the weight of 10 cases.
area_interval <- function(area, error, own, others, level, factor = 1) {
  spread <- (1 - area) / (2 - area) + area / (1 + area)
  most <- own * others / (1 + pmax((own + others) / 2 - 1, 0) * spread)
  least <- pmin(own, others)
  inner <- area * (1 - area)
  variance <- (least * error^2 + 10 * inner / most) / (least + 10)
  number <- ifelse(inner > 0 & !is.na(error), inner / variance, most) / factor^2
  share_interval(area, number, level, added = 0.25)
}

# The interval of weight * first - other_weight * second, from the intervals of both shares
# (Newcombe 1998; Zou 2007). `correlation`: that of the shares.
difference_interval <- function(first, second, weight = 1, other_weight = 1, correlation = 0) {
  value <- weight * first$share - other_weight * second$share
  reach <- function(a, b) {
    sqrt(pmax(0, (weight * a)^2 + (other_weight * b)^2 -
                2 * correlation * weight * other_weight * a * b))
  }
  list(
    lower = value - reach(first$share - first$lower, second$upper - second$share),
    upper = value + reach(first$upper - first$share, second$share - second$lower)
  )
}

# The net benefit of some classes, with its interval. `scores`: the result of proper_scores_cpp(),
# or NULL.
benefit_frame <- function(scores, classes, clusters, design, interval) {
  curve <- as.data.frame(scores$benefit)
  if (nrow(curve) == 0L) return(NULL)
  of <- scores$class_weights
  ends <- if (interval$by == "none") {
    list(lower = NA_real_, upper = NA_real_)
  } else if (design$fixed) {
    benefit_by_class(curve, of[, curve$class, drop = FALSE], rowSums(of), interval$level)
  } else {
    benefit_of_all(curve, of[1L, curve$class], rowSums(of), interval$level)
  }
  factor <- curve$wider * few_clusters(clusters, interval$level)
  data.frame(
    class = factor(classes[curve$class], classes), curve[c("threshold", "benefit")],
    lapply(ends, function(end) curve$benefit + factor * (end - curve$benefit)), curve["all"]
  )
}

# The net benefit is the difference of two shares of all cases, those that are rightly and those
# that are wrongly decided for the class. `own`: the weight of the class at each point; `all`: the
# sum of all weights and of their squares.
benefit_of_all <- function(curve, own, all, level) {
  right <- curve$hits * own / all[[1L]]
  wrong <- curve$alarms * (1 - own / all[[1L]])
  of_share <- function(p) c(list(share = p), share_interval(p, all[[1L]]^2 / all[[2L]], level))
  # The correlation of two counts of a multinomial.
  correlation <- -sqrt(right * wrong / pmax((1 - right) * (1 - wrong), 1e-300))
  difference_interval(of_share(right), of_share(wrong), 1, odds_of(curve), pmax(correlation, -1))
}

# The same where the shares of the classes are known. `own`: the weights of the class and their
# squares.
benefit_by_class <- function(curve, own, all, level) {
  share <- own[1L, ] / all[[1L]]
  of_share <- function(p, weights) {
    c(list(share = p), share_interval(p, weights[1L, ]^2 / weights[2L, ], level))
  }
  difference_interval(
    of_share(curve$hits, own), of_share(curve$alarms, all - own), share,
    odds_of(curve) * (1 - share)
  )
}

odds_of <- function(curve) curve$threshold / (1 - curve$threshold)

# An interval as text, from the texts of its ends.
interval_text <- function(lower, upper, level = NULL) {
  sprintf(
    " (%s%s to %s)", if (is.null(level)) "" else sprintf("%s %% interval ", format(100 * level)),
    lower, upper
  )
}
