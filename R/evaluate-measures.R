# The measures of assess_decisions() beside cost, from the engine's estimates.

overall_measures <- c("accuracy", "balanced_accuracy", "kappa", "mcc", "auc", "gini", "ks")
class_measures <- c("sensitivity", "specificity", "precision", "f1", "auc", "ks")

# A row per measure and, below, per measure and class. `found`: the result of measures_cpp().
measure_frame <- function(found, classes) {
  overall <- found$overall[, c(1:5, 5L, 6L)]
  # Gini's coefficient is the area under the curve on a scale from -1 to 1.
  overall[, 6L] <- 2 * overall[, 5L] - 1
  estimates <- do.call(cbind, c(list(overall), found[class_measures]))
  estimates <- open_as_na(estimates)
  data.frame(
    measure = c(overall_measures, rep(class_measures, each = length(classes))),
    class = factor(
      c(rep(NA, length(overall_measures)), rep(classes, length(class_measures))), classes
    ),
    estimate = estimates[1L, ], lower = estimates[2L, ], upper = estimates[3L, ]
  )
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

# The cost per case if all cases had the same action, the cheapest action first.
constant_frame <- function(found, actions) {
  constant <- data.frame(action = factor(actions, actions), cost = found$constant)
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
    found <- lapply(measure_of(measures, name), number)
    sprintf("%s (%s to %s)", found$estimate, found$lower, found$upper)
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
