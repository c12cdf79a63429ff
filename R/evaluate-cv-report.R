# Builds the result from the engine's numbers: risks, folds, and the problems of the folds.

# A row per candidate and fold with a problem. `text` describes the problem.
describe_fold_problems <- function(problems, task, data) {
  schema <- data$schema
  absent <- which(data$class_rows == 0)
  text <- vapply(problems, function(problem) {
    empty <- schema$classes$levels[setdiff(problem$empty, absent)]
    lines <- c(
      if (length(empty)) {
        sprintf("class %s has no row in the other folds", encodeString(empty, quote = "\""))
      },
      if (length(problem$diagnostics$problem)) {
        describe_problems(problem$diagnostics, schema, task$candidates[[problem$candidate]])
      }
    )
    paste(sub("[.]$", "", lines), collapse = "; ")
  }, "")
  found <- data.frame(
    candidate = vapply(problems, `[[`, 1L, "candidate"), fold = vapply(problems, `[[`, 1L, "fold"),
    failed = vapply(problems, `[[`, NA, "failed"), text = text
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

# The 95 % interval of a mean from its standard error. For an infinite mean both bounds are that
# mean.
mean_interval <- function(mean, error) {
  margin <- stats::qnorm(0.975) * error
  bound <- function(x) {
    x <- ifelse(is.infinite(mean), mean, x)
    replace(x, is.nan(x), NA_real_)
  }
  data.frame(lower = bound(mean - margin), upper = bound(mean + margin))
}

# `cost`: the result of kept_cost().
new_cv <- function(risks, by_fold, names, folds, cost, decides_class) {
  decided <- colSums(risks$fold_decided)
  wrong <- colSums(risks$fold_wrong)
  number <- function(x) replace(x, is.nan(x), NA_real_)
  structure(
    data.frame(
      candidate = names,
      error = if (decides_class) number(wrong / decided) else NA_real_,
      cost = number(risks$cost), difference = number(risks$difference),
      mean_interval(risks$difference, risks$difference_error)
    ),
    by_fold = by_fold, cost_error = number(risks$cost_error), folds = folds,
    cost = cost, class = c("bayesrisk_cv", "bayesrisk_result", "data.frame")
  )
}

# One warning for all candidates and folds. `headline`: a cli template if cases are lost, else NULL.
warn_folds <- function(problems, headline, call, envir = parent.frame()) {
  if (length(problems) == 0L && is.null(headline)) return(invisible())
  shown <- gsub("}", "}}", gsub("{", "{{", utils::head(problems, 10L), fixed = TRUE), fixed = TRUE)
  more <- length(problems) - length(shown)
  if (is.null(headline)) headline <- "Not every model has seen rows of all classes."
  warn_bayesrisk(
    c(
      headline, stats::setNames(shown, rep("x", length(shown))),
      if (more > 0L) sprintf("... and %d more.", more)
    ),
    "fold", call, envir = envir
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
