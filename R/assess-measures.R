# The measures of assess_decisions() beside cost, from the engine's estimates.

overall_measures <- c(
  "accuracy", "balanced_accuracy", "kappa", "mcc", "kappa_linear", "kappa_quadratic", "auc", "gini",
  "ks"
)
class_measures <- c(
  "sensitivity", "specificity", "precision", "npv", "lr_positive", "lr_negative", "f1", "auc",
  "average_precision", "ks"
)

# A row per measure and, below, per measure and class. `found`: the result of measures_cpp().
# `clusters`: their number; 0: cases are independent.
measure_frame <- function(found, classes, clusters, interval) {
  factor <- few_clusters(clusters, interval$level)
  shared <- function(part) share_ends(part, factor, interval)
  overall <- cbind(
    shared(found$overall[, 1L]),
    drawn_ends(found$overall[, 2:6], clusters, interval$level, c(0, -1, -1, -1, -1)),
    area_ends(found$auc, factor, interval)[, c(1L, 1L)]
  )
  # Gini's coefficient is the area under the curve on a scale from -1 to 1.
  overall[, 8L] <- 2 * overall[, 8L] - 1
  distance <- distance_ends(found, factor, interval)
  overall <- cbind(overall, if (length(classes) == 2L) distance[, 2L] else NA_real_)
  estimates <- open_as_na(cbind(
    overall, shared(found$sensitivity), shared(found$specificity), shared(found$precision),
    shared(found$npv), ratio_ends(found, TRUE, factor, interval),
    ratio_ends(found, FALSE, factor, interval),
    drawn_ends(found$f1, clusters, interval$level, 0), area_ends(found$auc_of, factor, interval),
    rbind(found$average_precision, NA, NA), distance
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
  ends <- widen_drawn(part[1L, ], part[2L, ], part[3L, ], clusters, level, least, 1)
  rbind(part[1L, ], ends$lower, ends$upper)
}

area_ends <- function(part, factor, interval) {
  ends <- if (interval$by == "none") {
    list(lower = NA_real_, upper = NA_real_)
  } else {
    area_interval(part[1L, ], part[2L, ], part[3L, ], part[4L, ], interval$level, factor)
  }
  rbind(part[1L, ], ends$lower, ends$upper)
}

# The likelihood ratio of a decision for a class (`positive`), or of any other decision. From
# Jeffreys' intervals the ratio would cover less than its level if few of the others are decided.
ratio_ends <- function(found, positive, factor, interval) {
  others <- found$specificity
  others[1L, ] <- 1 - others[1L, ]
  first <- of_share(found$sensitivity[1L, ], found$sensitivity[4L, ], interval$level, factor, 0.25)
  second <- of_share(others[1L, ], others[4L, ], interval$level, factor, 0.25)
  if (!positive) {
    first <- left_share(first)
    second <- left_share(second)
  }
  ratio <- first$share / second$share
  if (interval$by == "none") return(rbind(ratio, NA, NA))
  ends <- ratio_interval(first, second, found$correlation)
  rbind(ratio, ends$lower, ends$upper)
}

# The distance of Kolmogorov and Smirnov, a difference of two shares.
distance_ends <- function(found, factor, interval) {
  distance <- found$ks[1L, ]
  if (interval$by == "none") return(rbind(distance, NA_real_, NA_real_))
  hits <- of_share(found$hits[1L, ], found$hits[4L, ], interval$level, factor)
  alarms <- of_share(found$alarms[1L, ], found$alarms[4L, ], interval$level, factor)
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
    sensitivity = hits, false_alarms = curves$alarms / (sum(cases) - own),
    precision = open_as_na(curves$hits / above), depth = depth, lift = open_as_na(hits / depth)
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
    mcc = "Matthews", kappa_linear = "linear kappa", kappa_quadratic = "quadratic kappa",
    auc = "AUC", gini = "Gini", ks = "KS"
  )
  # With two classes weighted kappa is kappa.
  two <- nlevels(measures$class) == 2L
  others <- if (two) c("kappa_linear", "kappa_quadratic") else c("gini", "ks")
  shown <- setdiff(overall_measures, others)
  text <- vapply(shown, function(name) {
    found <- measure_of(measures, name)
    ends <- if (!is.na(found$lower)) interval_text(number(found$lower), number(found$upper))
    paste0(number(found$estimate), ends)
  }, "")
  defined <- vapply(shown, function(name) !is.na(measure_of(measures, name)$estimate), NA)
  stats::setNames(text[defined], labels[shown[defined]])
}

# Some measures of each class, for the print. `labels`: the titles of columns, named by measure.
# Measures that no class has are left out.
measure_columns <- function(x, labels) {
  columns <- stats::setNames(measures_by_class(x$measures, names(labels)), labels)
  defined <- !vapply(columns, function(v) all(is.na(v)), NA)
  if (!any(defined)) return(NULL)
  data.frame(class = x$by_truth$truth, columns[defined], check.names = FALSE)
}

classes_measured <- function(x) {
  columns <- measure_columns(x, c(
    sensitivity = "sensitivity", specificity = "specificity", precision = "precision", f1 = "F1",
    auc = "AUC", average_precision = "AP"
  ))
  if (is.null(columns)) return(NULL)
  data.frame(columns[1L], cases = x$by_truth$n, columns[-1L])
}

# Decisions as tests, as medicine reports them.
classes_tested <- function(x) {
  measure_columns(x, c(npv = "NPV", lr_positive = "LR+", lr_negative = "LR-"))
}
