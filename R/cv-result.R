# Builds the result from the engine's numbers: risks, folds, and the problems of the folds.

# Stops at problems of the data. Returns a row per candidate and fold with a problem; `text`
# describes the problem. `found`: the engine's answer.
read_fold_problems <- function(found, design, data, call) {
  schema <- data$schema
  check_data_problems(found$diagnostics, data, call)
  problems <- found$problems
  absent <- which(data$class_rows == 0)
  text <- vapply(problems, function(problem) {
    empty <- schema$classes$levels[setdiff(problem$empty, absent)]
    lines <- c(
      if (length(empty)) {
        sprintf("class %s has no row in the other folds", encodeString(empty, quote = "\""))
      },
      if (length(problem$diagnostics$problem)) {
        describe_problems(problem$diagnostics, schema, design$candidates[[problem$candidate]])
      }
    )
    paste(sub("[.]$", "", lines), collapse = "; ")
  }, "")
  found <- data.frame(
    candidate = vapply(problems, `[[`, 1L, "candidate"), fold = vapply(problems, `[[`, 1L, "fold"),
    failed = vapply(problems, `[[`, NA, "failed"), text = text,
    borrows = vapply(problems, function(problem) {
      !problem$failed && length(setdiff(problem$empty, absent)) == 0L
    }, NA)
  )
  found[found$failed | nzchar(found$text), ]
}

# One row per candidate and fold.
fold_risks <- function(found, names, labels, problems, decides_class) {
  risks <- found$risks
  table <- problem_table(problems, names, labels)
  cases <- rep(found$fold_weight, length(names))
  decided <- as.vector(risks$fold_decided)
  lost <- is.na(table$problem) & decided < cases
  table$problem[lost] <- describe_lost(risks$fold_undecided[lost], risks$fold_unpriced[lost])
  share <- function(x) replace(as.vector(x) / decided, decided == 0, NA_real_)
  data.frame(
    table[c("candidate", "fold")], cases = cases, decided = decided,
    error = if (decides_class) share(risks$fold_wrong) else NA_real_,
    cost = share(risks$fold_cost), table["problem"]
  )
}

describe_lost <- function(impossible, unpriced) {
  counted <- function(n, what) {
    ifelse(n > 0, paste(vapply(n, count_of, "", singular = "case", plural = "cases"), what), "")
  }
  impossible <- counted(impossible, "impossible under every class (0/0)")
  unpriced <- counted(unpriced, "of unknown cost")
  paste0(impossible, ifelse(nzchar(impossible) & nzchar(unpriced), " and ", ""), unpriced)
}

problem_table <- function(problems, names, labels) {
  text <- rep(NA_character_, length(names) * length(labels))
  text[(problems$candidate - 1L) * length(labels) + problems$fold] <- problems$text
  data.frame(
    candidate = factor(rep(names, each = length(labels)), names),
    fold = rep(labels, length(names)), problem = text
  )
}

# The prior of the population that the cases stand for; numeric(): their own.
cv_population <- function(prior, read, call) {
  classes <- read$schema$classes$levels
  population <- as.double(resolve_prior(prior, classes, NULL, call))
  absent <- match(TRUE, population > 0 & read$class_rows == 0, nomatch = 0L)
  check_population(if (length(population)) absent else 0L, population, classes, call)
  population
}

# The engine's sums of weights are relative to `unit`.
folds_in_units <- function(found) {
  sums <- startsWith(names(found$risks), "fold_")
  found$risks[sums] <- lapply(found$risks[sums], `*`, found$unit)
  found$fold_weight <- found$fold_weight * found$unit
  found
}

# The 95 % interval of `estimate` from a centre and its standard error: the columns of `means`. If
# the estimate is infinite, or the error 0, both bounds equal it. `range`: the possible values;
# `clusters`: their number; 0: cases are independent.
mean_interval <- function(estimate, means, clusters = 0, range = c(-Inf, Inf)) {
  margin <- stats::qnorm(0.975) * few_clusters(clusters, 0.95) * means[, 2L]
  alone <- is.infinite(estimate) | means[, 2L] %in% 0
  bound <- function(x) {
    x <- pmin(pmax(x, range[[1L]]), range[[2L]])
    replace(open_as_na(ifelse(alone, estimate, x)), is.na(estimate), NA_real_)
  }
  data.frame(lower = bound(means[, 1L] - margin), upper = bound(means[, 1L] + margin))
}

named_interval <- function(name, ...) {
  stats::setNames(mean_interval(...), paste0(name, c("_lower", "_upper")))
}

cv_columns <- c(
  "candidate", "error", "cost", "difference", "lower", "upper", "error_lower", "error_upper",
  "cost_lower", "cost_upper"
)

# `cost`: the result of kept_cost(); `nested`: the result of nested_splits(); `clusters`: see
# mean_interval().
new_cv <- function(found, by_fold, names, folds, cost, nested, decides_class, clusters = 0) {
  risks <- found$risks
  means <- found$means
  decided <- colSums(risks$fold_decided)
  wrong <- colSums(risks$fold_wrong)
  error <- if (decides_class) open_as_na(wrong / decided) else rep(NA_real_, length(names))
  structure(
    data.frame(
      candidate = names, error = error, cost = open_as_na(risks$cost),
      difference = open_as_na(risks$difference),
      mean_interval(risks$difference, means$difference, clusters, c(-1, 1) * found$limits[[3L]]),
      named_interval("error", error, means$error, clusters, 0:1),
      named_interval("cost", risks$cost, means$cost, clusters, found$limits[1:2])
    ),
    by_fold = by_fold, cost_error = open_as_na(means$cost[, 2L]), clusters = clusters,
    folds = folds, cost = cost, interval = if (is.null(nested)) "folds" else "nested",
    class = c("bayesrisk_cv", "bayesrisk_result", "data.frame")
  )
}

# One warning for all candidates and folds. `lines`: the problems as text; `headline`: a cli
# template if cases are lost, else NULL; `borrow`: whether models only borrow.
warn_folds <- function(lines, headline, borrow, call, envir = parent.frame()) {
  if (length(lines) == 0L && is.null(headline)) return(invisible())
  shown <- escape_braces(utils::head(lines, 10L))
  more <- length(lines) - length(shown)
  borrow <- borrow && is.null(headline)
  if (is.null(headline)) {
    headline <- if (borrow) {
      "In some models of the folds classes borrow from others."
    } else {
      "Not every model has seen rows of all classes."
    }
  }
  warn_bayesrisk(
    c(
      headline, stats::setNames(shown, rep("x", length(shown))),
      if (more > 0L) sprintf("... and %d more.", more)
    ),
    if (borrow) "degenerate" else "fold", call, envir = envir
  )
}

# The number of undecided cases of each candidate that has any.
undecided_cases <- function(by_fold) {
  counts <- tapply(by_fold$cases - by_fold$decided, by_fold$candidate, sum)
  counts[counts > 0]
}

# One line per candidate and problem, for example "full, folds 1, 4: " and the problem.
fold_problem_lines <- function(by_fold) {
  found <- by_fold[!is.na(by_fold$problem), ]
  key <- paste(found$candidate, found$problem, sep = ": ")
  vapply(split(found, factor(key, unique(key))), function(same) {
    sprintf(
      "%s, fold%s %s: %s", same$candidate[[1L]], if (nrow(same) > 1L) "s" else "",
      fit_list(same$fold, 40L), same$problem[[1L]]
    )
  }, "", USE.NAMES = FALSE)
}

#' @export
describe.bayesrisk_cv <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  by_fold <- attr(x, "by_fold")
  folds <- by_fold[by_fold$candidate == x$candidate[[1L]], ]
  cases <- count_of(sum(folds$cases), "case", "cases")
  alone <- all(folds$cases == 1)
  split <- if (alone) "left out one by one" else count_of(nrow(folds), "fold", "folds")
  shown <- x[c("candidate", "error", "cost", "cost_lower", "cost_upper")]
  shown <- gain_columns(plain_frame(shown), are_gains(x$cost, attr(x, "cost")))
  if (nrow(x) > 1L) shown <- data.frame(shown, x[c("difference", "lower", "upper")])
  list(
    title_item(sprintf("cross-validation: %s, %s", cases, split)),
    table_item(shown, c("candidate", "candidates")),
    if (!is.null(attr(x, "by_group"))) group_costs(x),
    sentences_item(cv_notes(x, by_fold))
  )
}

group_costs <- function(x) {
  by_group <- attr(x, "by_group")
  keys <- attr(x, "keys")
  several <- nrow(x) > 1L
  shown <- by_group[c(keys, if (several) "candidate", "error", "cost", "cost_lower", "cost_upper")]
  shown <- gain_columns(shown, are_gains(by_group$cost, attr(x, "cost")))
  table_item(shown, c("group", "groups"), keys = length(keys))
}

cv_notes <- function(x, by_fold) {
  undecided <- undecided_cases(by_fold)
  c(
    if (nrow(x) > 1L) {
      sprintf("difference: cost minus that of %s, with lower and upper", x$candidate[[1L]])
    },
    if (identical(attr(x, "interval"), "nested")) {
      "intervals: 95 %, by nested cross-validation"
    } else {
      clusters <- attr(x, "clusters")
      alike <- if (clusters > 0) count_of(clusters, "cluster", "clusters") else "cases"
      sprintf("intervals: 95 %%, as if %s were independent: too narrow if they are few", alike)
    },
    if (length(undecided)) {
      counted <- vapply(undecided, count_of, "", singular = "case", plural = "cases")
      paste("left out, without a decision:", paste(names(undecided), counted, collapse = ", "))
    },
    fold_problem_lines(by_fold)
  )
}
