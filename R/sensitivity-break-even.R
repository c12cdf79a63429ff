#' Where a decision breaks even
#'
#' A threshold analysis: the prior or cost at which the decision for a case changes. It shows how
#' wrong a prior or a cost may be without changing the decision. The expected cost of each action is
#' a linear function of one prior or one cost. So the answer is exact: the corners of the lower
#' envelope of these lines.
#'
#' @param object One of
#'   * a fitted or known model; the cases are `newdata`;
#'   * [posterior probabilities][posterior_probabilities] of any classifier; the cases are their
#'     rows.
#' @param newdata For a model: the cases, as in [predict()][predict.bayesrisk_model]. `NULL`,
#'   or left out: one case without known features, decided by the prior alone. For posterior
#'   probabilities: the data, a row per case, for costs by case.
#' @param cost The cost of each action under each true class: see
#'   [cost_matrix()]. It may differ from case to case. A case whose decision depends on a cost of
#'   `NA` has no answer (`bayesrisk_warning_unpriced`). The default is 0-1 cost.
#' @param vary The parameter that varies:
#'   * `"prior"`: the prior of `class`, from 0 to 1, while the priors of the other classes keep
#'     their proportions;
#'   * `c(decision = , truth = )`: the cost of this action when this class is
#'     true;
#'   * `c(decision = )`: the cost of this action, the same under every class, such
#'     as the price of abstaining.
#'
#'   A cost varies over all numbers, also negative ones. A break-even cost below 0 means that the
#'   decision changes only if the action brings a gain of this size.
#' @param class For `vary = "prior"`, the class whose prior varies. Default: the first of two
#'   classes; with more than two classes each in turn.
#' @param prior Prior probabilities to use instead of the prior of the model or of the posterior
#'   probabilities: named by class, or in class order, or `"uniform"`.
#' @param trained_prior The prior that the posterior probabilities in `object` were computed with,
#'   usually the class shares of the training data. It is needed if a prior varies, or with `prior`.
#' @inheritParams bayesrisk_arguments
#'
#' @concept threshold analysis
#' @concept sensitivity analysis
#' @return A data frame of class `bayesrisk_break_even`, a row for each case and break-even:
#'   * `row`: the position of the case; `case`: its name, if the data have row names of their own;
#'   * `parameter`: the varying parameter, in words;
#'   * `value`: the prior or cost at which the decision changes, in increasing
#'     order for each case. A decision that never changes has one row, with `NA`.
#'     Odds are kept on the log scale, so a prior of 1e-300 has full precision. A change at a prior
#'     that rounds to 0 or 1 counts as no change.
#'   * `below`, `above`: the decisions on either side, factors of the actions.
#'     For a case without a posterior (impossible under every class, or with an
#'     infinite number), or whose cost is `NA`, they are `NA`, with a warning as in
#'     [predict()][predict.bayesrisk_model].
#'
#'   Among equal expected costs, the first declared action is taken.
#' @section Errors: `bayesrisk_error_argument`, which names the argument, and the action
#'   or class that does not exist; `bayesrisk_error_schema` if `newdata` does
#'   not fit the model.
#' @source The lectures "Bayesian Learning (Galili, Shamir, Yakhini)" (how probable
#'   must a basketball player be before a tall man is taken for one?) and "Applied
#'   Machine Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)"
#'   (prior and costs in one threshold).
#' @seealso [cost_sweep()] for the lines themselves, and to draw them.
#' @examples
#' nba <- bayes_known(
#'   prior = c(NBA = 0.5, other = 0.5),
#'   height = rbind(NBA = c(tall = 0.85, short = 0.15), other = c(tall = 0.1, short = 0.9))
#' )
#' break_even(nba, data.frame(height = c("tall", "short"))) # 2/19 and 6/7
#'
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.2)
#' letters <- data.frame(pixels = c(15, 20, 25))
#' predict(ocr, letters, cost = cost)
#' break_even(ocr, letters, cost)
#' break_even(ocr, letters, cost, vary = c(decision = "a", truth = "b"))
#' break_even(ocr, letters, cost, vary = c(decision = "ask"))
#'
#' # Costs by case: below which price is it worth asking about this sum?
#' by_sum <- cost_matrix(a = list(a = 0, b = ~ sum), b = c(a = 1, b = 0), ask = 0)
#' break_even(ocr, data.frame(pixels = 20, sum = c(1, 100)), by_sum, vary = c(decision = "ask"))
#'
#' # Probabilities from any classifier, trained on as many a as b
#' p <- rbind(first = c(a = 0.9, b = 0.1), second = c(a = 0.4, b = 0.6))
#' break_even(p, cost = cost, trained_prior = "uniform")
#' break_even(p, cost = cost, vary = c(decision = "ask"))
#' @export
break_even <- function(object, newdata = NULL, cost = NULL, prior = NULL, vary = "prior",
                       class = NULL, trained_prior = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  cases <- varied_cases(maybe(object), newdata, cost, prior, trained_prior, vary, threads, call)
  varied <- if (identical(vary, "prior") && is.null(class) && length(cases$classes) > 2L) {
    each_prior(cases, call)
  } else {
    actions <- cases$cost$actions
    list(read_vary(vary, class, actions, cases$prior, cases$classes, cases$weight, call))
  }
  flips <- warn_once(lapply(varied, find_flips, cases, threads, call))
  flips <- do.call(rbind, flips)
  flips <- flips[order(flips$row), ]
  rownames(flips) <- NULL
  structure(flips, class = c("bayesrisk_break_even", "bayesrisk_result", "data.frame"))
}

#' @export
describe.bayesrisk_break_even <- function(x, show) {
  cases <- length(unique(x$row))
  if (!is.null(show$n) || cases <= most_cases) {
    return(list(title_item("where the decision changes"), table_item(plain_frame(x))))
  }
  list(
    title_item(paste("where the decisions of", count_of(cases, "case", "cases"), "change")),
    table_item(summarise_flips(x), c("change", "changes"), keys = 3L),
    sentences_item("print(n = 20) shows the cases.")
  )
}

# Break-evens and sweeps of more cases print a summary.
most_cases <- 20L

# A row for each change of the decision: the number of cases, and the range of the value.
summarise_flips <- function(x) {
  key <- paste(x$parameter, as.integer(x$below), as.integer(x$above))
  groups <- unname(split(seq_len(nrow(x)), factor(key, unique(key))))
  first <- vapply(groups, `[[`, 1L, 1L)
  of_value <- function(f) vapply(groups, function(i) f(x$value[i]), 1)
  rows <- data.frame(
    plain_frame(x)[first, c("parameter", "below", "above")], cases = lengths(groups),
    lowest = of_value(min), median = of_value(stats::median), highest = of_value(max)
  )
  rows[order(-rows$cases), ]
}

# The prior of each class that can vary.
each_prior <- function(cases, call) {
  prior <- cases$prior
  varying <- which(vapply(seq_along(prior), can_vary, NA, prior, cases$weight))
  # The prior of the only class with rows cannot vary. prior_vary() signals this error.
  if (!length(varying)) varying <- which.max(prior)
  lapply(varying, prior_vary, prior, cases$classes, cases$weight, call)
}

# The corners between the segments. A case with one segment has no corner.
find_flips <- function(varied, cases, threads, call) {
  limits <- if (varied$kind == "prior") c(0, 1) else c(-Inf, Inf)
  segments <- sweep_cases(cases, varied, limits[[1L]], limits[[2L]], threads, call)$segments
  first <- !duplicated(segments$row)
  last <- !duplicated(segments$row, fromLast = TRUE)
  below <- which(!last | first)
  above <- ifelse(last[below], below, below + 1L)
  actions <- factor(cases$cost$actions, cases$cost$actions)
  data.frame(
    case_columns(segments$row[below], cases$names), parameter = rep(varied$label, length(below)),
    value = replace(segments$to[below], last[below], NA),
    below = actions[segments$decision[below]], above = actions[segments$decision[above]]
  )
}

# The varying parameter of a break-even or a sweep: the prior of a class, or a cost.

# One varying parameter. `decision` and `truth` are positions (0 for none); `prior` is the current
# prior; `base` is the prior that the engine scores with.
read_vary <- function(vary, class, actions, prior, classes, weight, call) {
  if (identical(vary, "prior")) {
    return(prior_vary(check_varied_class(class, classes, call), prior, classes, weight, call))
  }
  if (!is.null(class)) {
    abort_argument("{.arg class} is for {.code vary = \"prior\"}; a cost has its {.field truth}.",
                   call)
  }
  check_varied_cost(vary, call)
  at <- function(role, labels) {
    if (role %in% names(vary)) match_label(vary[[role]], labels, "vary", role, call) else 0L
  }
  truth <- at("truth", classes)
  decision <- at("decision", actions)
  list(
    decision = decision, truth = truth, prior = 0, base = prior, kind = "cost",
    label = paste0(
      "cost of ", actions[[decision]], if (truth > 0L) paste(" when truth is", classes[[truth]])
    )
  )
}

check_varied_cost <- function(vary, call) {
  named <- is.character(vary) && !is.object(vary) && is.null(dim(vary)) && !anyNA(vary) &&
    (identical(names(vary), "decision") || identical(sort(names(vary)), c("decision", "truth")))
  if (named) return(invisible())
  names <- if (is.character(vary)) names(vary)
  got <- if (is.null(names)) describe_value(vary) else paste("a vector named", toString(names))
  abort_argument(c(
    "{.arg vary} must be {.val prior}, or name a cost, not {got}.",
    i = "{.code c(decision = \"wait\", truth = \"ill\")} names one cost,
         {.code c(decision = \"refer\")} the costs of an action under every class."
  ), call)
}

# The class whose prior varies. NULL stands for the first of two classes.
check_varied_class <- function(class, classes, call) {
  if (length(classes) == 1L) {
    abort_argument("{.arg vary}: with a single class the prior cannot vary.", call)
  }
  if (!is.null(class)) return(match_label(class, classes, "class", "class", call))
  if (length(classes) == 2L) return(1L)
  abort_argument(c(
    "{.arg class} must say whose prior varies.", i = "The classes are {.val {classes}}."
  ), call)
}

match_label <- function(x, labels, arg, what, call) {
  check_string(x, arg, call)
  if (x %in% labels) return(match(x, labels))
  misspelt <- length(likely_misspellings(x, labels)) > 0L
  abort_unknown(
    "{.arg {arg}}: there is no {what} {.val {x}}.", x, labels,
    if (!misspelt) "There are {.val {labels}}.", call
  )
}

# The base prior: 1 for the varying class. Each other class gets its constant share of the remaining
# probability.
prior_vary <- function(j, prior, classes, weight, call) {
  if (!is.null(weight) && weight[[j]] <= 0) {
    abort_argument("The prior of class {.val {classes[[j]]}} cannot vary: it has no rows.", call)
  }
  shares <- other_shares(j, prior, weight)
  if (is.null(shares) && !is.null(weight) && all(weight[-j] <= 0)) {
    abort_argument(
      "The prior of class {.val {classes[[j]]}} cannot vary: no other class has rows.", call
    )
  }
  if (is.null(shares)) {
    abort_argument(c(
      "The prior of class {.val {classes[[j]]}} is 1: the other priors have no proportions.",
      i = "Give the other classes positive priors with {.arg prior}."
    ), call)
  }
  list(
    decision = 0L, truth = j, prior = prior[[j]], base = replace(shares, j, 1), kind = "prior",
    label = paste("prior of", classes[[j]])
  )
}

can_vary <- function(j, prior, weight) {
  (is.null(weight) || weight[[j]] > 0) && !is.null(other_shares(j, prior, weight))
}

# The shares of the other classes. A single other class has share 1, even if its prior is 0.
other_shares <- function(j, prior, weight) {
  others <- prior
  if (length(prior) == 2L) others <- if (is.null(weight)) c(1, 1) else as.double(weight > 0)
  others[[j]] <- 0
  if (sum(others) > 0) others / sum(others)
}

# The pieces of the lower envelopes of the cases between `from` and `to`, one row for each piece,
# and the lines of all actions (cases x actions). `cases`: a result of varied_cases().
sweep_cases <- function(cases, varied, from, to, threads, call) {
  swept <- call_engine(sweep_cpp(
    cases$log_joint(varied$base), cases$cost, varied$decision, varied$truth, varied$prior, from, to,
    threads
  ), call)
  warn_rows(swept$impossible, cases$lost, "impossible", call)
  report_unpriced(swept, call)
  swept
}
