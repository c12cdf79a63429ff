#' A bound on the cost of what is decided
#'
#' Finds a rule that decides the clear cases and refers the others, with a promise: with
#' probability `1 - delta` over samples, the mean cost of the cases of the population that the rule
#' decides is at most `bound`. The promise needs neither right probabilities nor a large sample. It
#' needs new cases like those of the sample, and scores that order the cases: see Details.
#'
#' @param object A fitted or known model, or models of groups, with cases in `data` that it was not
#'   fitted to; or [posterior probabilities][posterior_probabilities] of any classifier, with
#'   `truth`.
#' @param data The cases: a data frame, tibble, data.table or matrix. For posterior probabilities
#'   only if `cost`, `order` or `by` use its columns.
#' @param truth The true class of each case. It may use the columns of `data`. Default for a model:
#'   the class column of `data`.
#' @param cost The cost of each action under each true class, see [cost_matrix()]: not negative.
#'   Default: 0-1 cost, so that the promise is about the share of errors.
#' @param bound The largest mean cost of the decided cases, above 0 and below `max_cost`.
#' @param delta The probability, over samples, of a rule that breaks the bound: above 0, below 1.
#' @param refer The action of a case that is not decided, which is no class. If `cost` lacks it, a
#'   referral costs 0. The promise does not count the cost of referrals.
#' @param order The score of a case, a numeric expression of the columns of `data`: cases of small
#'   scores are decided. Default: the least expected cost of the actions other than `refer`. The
#'   value of a row must not depend on other rows, as that of `rank(x)` does.
#' @param max_cost The largest finite cost that a decision may have, also for new cases. Default:
#'   that of `cost`. Costs by case need it.
#' @param grid The thresholds of the score that are tried, increasing; or posterior probabilities
#'   of other cases, whose scores give the thresholds. Default: thresholds from the cases
#'   themselves. See Details.
#' @param by Groups with a threshold each: columns of `data`, such as `sex` or `c(sex, region)`, or
#'   expressions whose value does not depend on other rows.
#'   Each group has the promise with `delta` divided by the number of groups (Bonferroni), so that
#'   with probability `1 - delta` all promises hold together.
#' @inheritParams bayesrisk_arguments
#' @details
#' Each case would get the action of least expected cost other than `refer`. The rule decides it if
#' its score is at most a threshold, else it refers. `decide(object, newdata, rule = )` follows it,
#' with the same model or classifier: a rule knows no other. Models of groups decide by their
#' posteriors, `decide(predict(models, newdata, type = "prob"), rule = )`. A case of a group that
#' the sample lacks is referred, with a warning.
#'
#' Thresholds are tested from the strictest on, until one fails (Angelopoulos et al. 2021). The
#' hypothesis of a test is that the mean cost of the cases which the threshold decides is above
#' `bound`. Its p value is that of the binomial test if all costs are 0 or `max_cost`, and the
#' smaller one of Hoeffding's and Bentkus' inequalities otherwise (Bates et al. 2021). A test at
#' level `delta` for each threshold is enough, because the first threshold that breaks the bound
#' ends the tests with probability `1 - delta`.
#'
#' A small number of cases cannot pass, and one large threshold is easily too large. So the tests
#' start at the threshold that passes most probably if the mean cost rises in a line with the share
#' of the decided cases and reaches `bound` if all are decided. The start depends on the numbers of
#' the problem alone. About fifty thresholds follow. Each decides as few cases as the number of
#' errors that its test allows: one more case could only add an error. A `grid` of numbers has no
#' start of its own: its first threshold is tested first, so it must decide enough cases.
#'
#' **When the promise is proven.** Cases are drawn independently from one population, and `order`,
#' `by`, `max_cost` and `grid` are chosen without the sample.
#' * With `grid` it holds for any score.
#' * Without `grid` the thresholds are scores of the sample. The promise holds if the mean cost of
#'   the decided cases never falls when the threshold rises, and scores do not tie. Proof: let t be
#'   the largest threshold whose mean cost is at most `bound`, if there is one, and N the number of
#'   cases up to it. Given N, these are independent cases of mean cost `bound`. N tells which
#'   threshold above t is tested first. The cases that it adds have, given their scores,
#'   independent costs with means of at least `bound`, or the mean of all would fall. If costs are 0
#'   or `max_cost`, their number of errors is at least, in distribution, that of cases of mean cost
#'   `bound`; the inequalities of Hoeffding and Bentkus hold for independent costs of different
#'   means. So the test passes with probability at most `delta`, and every rule that breaks the
#'   bound passes this test first.
#' * With ties, or a mean cost that falls, there is no proof. In simulations
#'   (`bench/size-guarantee.R`) the bound was broken less often than `delta` there, too.
#'
#' An infinite cost is not part of the promise: no threshold passes that decides a case of infinite
#' cost in the sample. The promise ends where new cases come from another population: [monitor()]
#' watches that.
#' @return A list of class `bayesrisk_guarantee`, for `decide(rule = )`:
#'   * `groups`: a data frame with a row, or a row for each group: the keys, `threshold` (`-Inf` if
#'     none passed: every case is referred), `cases`, `decided` (the share of the sample that the
#'     rule decides) and `cost` (the mean cost of these, `NA` without any);
#'   * `points`: a data frame of the thresholds: the keys, `threshold`, `decided` (the share),
#'     `cost` (the mean, `NaN` if nothing is decided), `p_value`, `tested`, `passed`;
#'   * `bound`, `delta`, `max_cost`, `test` (`"binomial"` or `"Hoeffding-Bentkus"`), `fewest` (with
#'     fewer decided cases no threshold passes), `cost`, `refer`, `classes`.
#'
#'   `tidy()` gives `groups`; [plot()][plot.bayesrisk_guarantee] draws the cost against the share of
#'   decided cases.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, for costs that are negative or
#'   above `max_cost`, and if no case has a truth and a posterior; `bayesrisk_error_schema` if
#'   `data` lack a column; `bayesrisk_error_data` if `order` or `by` depends on other rows. A
#'   warning (`bayesrisk_warning_missing`) counts cases without truth, posterior, cost, score or
#'   group; another one (`bayesrisk_warning_strict`) says that `grid` begins with too strict a
#'   threshold.
#' @references
#' Angelopoulos, A. N., Bates, S., Candès, E. J., Jordan, M. I. and Lei, L. (2021). Learn then test:
#' Calibrating predictive algorithms to achieve risk control. arXiv:2110.01052.
#'
#' Bates, S., Angelopoulos, A. N., Lei, L., Malik, J. and Jordan, M. I. (2021). Distribution-free,
#' risk-controlling prediction sets. *Journal of the ACM* 68(6), 1-34.
#' @seealso [tune_threshold()] for the best threshold without a promise, [assess_decisions()]
#' @examplesIf requireNamespace("MASS", quietly = TRUE)
#' model <- fit(bayes_naive(), type ~ ., MASS::Pima.tr)
#' # Of what the model decides alone, at most 20 % may be wrong
#' rule <- guarantee(model, MASS::Pima.te[1:232, ], bound = 0.2)
#' rule
#' new <- MASS::Pima.te[233:332, ]
#' assess_decisions(decide(model, new, rule = rule), truth = new$type)$confusion
#' @export
guarantee <- function(object, data = NULL, truth = NULL, cost = NULL, bound, delta = 0.05,
                      refer = "refer", order = NULL, max_cost = NULL, grid = NULL, by = NULL, ...,
                      threads = default_threads()) {
  call <- check_no_dots(...)
  refer <- check_string(refer, "refer", call)
  if (!nzchar(refer)) abort_argument("{.arg refer} must be the name of an action.", call)
  delta <- check_level(delta, call, "delta", such = 0.05)
  threads <- check_threads(threads, call)
  by <- read_segment_keys(rlang::enquo(by), call)
  order <- rlang::enquo(order)
  truth <- read_truth(rlang::enquo(truth), data, call)
  read <- preferred_cases(maybe(object), data, truth, cost, refer, threads, call)
  terms <- rule_terms(order, by, data, call)
  container <- rule_container(terms, data, length(read$truth), "data", abort_schema, call)
  read$preferred$cost <- rule_score(
    terms$order, read$preferred, container, "data", abort_schema, call
  )
  promise <- read_promise(maybe(bound), max_cost, read$cost, refer, call)
  keyed <- sample_groups(terms$by, container, length(read$truth), call)
  promise$delta <- delta / max(1L, nrow(keyed$keys))
  tried <- read_grid(grid, read, refer, terms$order, threads, call)
  found <- lapply(seq_len(max(1L, nrow(keyed$keys))), function(i) {
    call_engine(control_risk_cpp(
      read$preferred$cost, read$preferred$action, read$truth, read$cost, keyed$group %in% i,
      promise, tried$grid, tried$other
    ), call)
  })
  check_controlled(found, length(read$truth), promise$most, call)
  fewest <- found[[1L]]$fewest
  warn_strict(tried$grid, found, fewest, call)
  structure(
    list(
      groups = controlled_groups(found, keyed$keys), points = controlled_points(found, keyed$keys),
      bound = promise$bound, delta = delta, max_cost = promise$most, fewest = fewest,
      test = if (promise$all_or_none) "binomial" else "Hoeffding-Bentkus",
      of_errors = promise$of_errors, infinite = any(unlist(all_cells(read$cost)) %in% Inf),
      cost = read$given, refer = refer,
      classes = read$cost$classes, order = terms$order, by = terms$by, keys = keyed$keys,
      version = package_version_string
    ),
    class = c("bayesrisk_guarantee", "bayesrisk_result")
  )
}

# list(preferred (see preferences_cpp()), truth (codes), cost, given (the user's cost with the
# referral)).
preferred_cases <- function(object, data, truth, cost, refer, threads, call) {
  cases <- rule_cases(object, data, truth, cost, threads, call)
  if (refer %in% cases$classes) {
    abort_argument("{.arg refer} is {.val {refer}}, which is a class. Name another action.", call)
  }
  tell_other_referral(cost, refer, cases$classes, call)
  given <- with_referral(cost, refer, cases$classes, call)
  cost <- read_cost(given, cases$classes, data, cases$read$frame$rows, call, "data")
  decided <- suppressWarnings(classes = "bayesrisk_warning_unpriced", {
    if (is.null(cases$model)) {
      decide_given(cases$read, numeric(), cost, "all", threads, call)
    } else {
      prior <- predict_prior(cases$model, NULL, call)
      decide_rows(cases$model, cases$read, "all", prior, cost, threads, call, "none")
    }
  })
  preferred <- preferences(decided, refer, cost, call)
  list(preferred = preferred, truth = cases$truth, cost = cost, given = given)
}

# An action that costs the same in every class, and is none, is perhaps the referral.
tell_other_referral <- function(cost, refer, classes, call) {
  if (is.null(cost)) return(invisible())
  cells <- spread_over(cost_cells(cost, call), classes)
  if (refer %in% rownames(cells)) return(invisible())
  alike <- Filter(function(a) all_same(cells[a, ]), setdiff(rownames(cells), classes))
  if (!length(alike)) return(invisible())
  inform_bayesrisk(c(
    "{.val {refer}} is a further action without a cost, and {.val {alike}} {?is/are} decided.",
    i = "If {.val {alike[[1L]]}} is the referral: {.code refer = \"{alike[[1L]]}\"}."
  ), "referral")
}

# The score and the groups as terms of the columns.
rule_terms <- function(order, by, data, call) {
  if (!is_given(order) && is.null(by)) return(list())
  if (is.null(data)) {
    what <- if (is_given(order)) "order" else "by"
    abort_argument("{.arg data} is needed: {.arg {what}} is computed from its columns.", call)
  }
  container <- read_container(data, "data", abort_schema, call)
  # New cases are computed alone, or with others.
  read <- function(expression, enclosure, label = term_label(expression)) {
    term <- new_term(expression, container, enclosure, call)
    check_columns_there(term$columns, container, abort_schema, "data", call)
    value <- evaluate_term(term, container, enclosure, label, abort_schema, call)
    if (is.atomic(value) && is.null(dim(value))) {
      check_alone(value, term, container, enclosure, label, call)
    }
    term
  }
  list(
    order = if (is_given(order)) read(rlang::quo_get_expr(order), rlang::quo_get_env(order)),
    by = if (!is.null(by)) Map(read, by$terms, list(by$enclosure), names(by$terms))
  )
}

# list(bound, most, of_errors, all_or_none), about the costs of the actions that decide: whether
# they are 1 for each error, and whether they are 0 or `most`.
read_promise <- function(bound, max_cost, cost, refer, call) {
  if (is.null(bound)) abort_argument("{.arg bound} is missing: the largest mean cost.", call)
  decides <- cost$actions != refer
  if (!any(decides)) abort_argument("{.arg cost} has no action but {.val {refer}}.", call)
  cells <- cost$fixed[decides, , drop = FALSE]
  if (any(cells < 0)) {
    abort_argument(c(
      "{.arg cost} has gains, or negative costs: a {.fn guarantee} is about costs from 0 on.",
      i = "To add a number to all costs of a class, or to subtract it from all gains, changes no
           decision."
    ), call)
  }
  by_case <- any(row(cost$fixed)[cost$by_case$cell] %in% which(decides))
  if (is.null(max_cost) && by_case) {
    abort_argument("{.arg max_cost} is needed, because costs differ by case.", call)
  }
  largest <- max(0, cells[is.finite(cells)])
  most <- if (is.null(max_cost)) largest else check_number(max_cost, "max_cost", call = call)
  if (most < largest * (1 - 1e-12)) {
    abort_argument("{.arg max_cost} is {most}, but a cost is {largest}.", call)
  }
  ends <- cells == 0 | abs(cells - most) <= 1e-12 * most
  bound <- check_number(bound, "bound", min = 0, call = call)
  if (bound == 0 || bound >= most) {
    abort_argument(
      "{.arg bound} must be above 0 and below the largest cost, {most}, not {bound}.", call
    )
  }
  errors <- 1 * outer(cost$class_of[decides], seq_along(cost$classes), `!=`)
  list(
    bound = bound, most = most, of_errors = !by_case && identical(unname(cells), errors),
    all_or_none = !by_case && all(ends[is.finite(cells)])
  )
}

# list(grid, other): thresholds, or scores of other cases, or neither.
read_grid <- function(grid, read, refer, order, threads, call) {
  if (is.null(grid)) return(list(grid = numeric(), other = numeric()))
  wanted <- "increasing numbers, or posterior probabilities of other cases"
  if (is.atomic(grid) && is.null(dim(grid)) || is_model(grid)) {
    sound <- is.numeric(grid) && length(grid) && !anyNA(grid) && grid[[1L]] > -Inf &&
      !is.unsorted(grid, strictly = TRUE)
    if (!sound) abort_wanted(grid, "grid", wanted, call)
    return(list(grid = as.double(grid), other = numeric()))
  }
  if (!is.null(order) || is_case_cost(read$given)) {
    what <- if (is.null(order)) "costs differ by case" else "{.arg order} is given"
    abort_argument(paste0("{.arg grid} must be numbers if ", what, "."), call)
  }
  other <- read_posterior(grid, read$cost$classes, call, "grid")
  cost <- read_cost(read$given, read$cost$classes, NULL, other$frame$rows, call, "grid")
  decided <- decide_given(other, numeric(), cost, "all", threads, call)
  scores <- preferences(decided, refer, cost, call)$cost
  if (all(is.na(scores))) abort_argument("{.arg grid} has no posterior probabilities.", call)
  list(grid = numeric(), other = scores)
}

point_columns <- c("threshold", "decided", "cost", "p_value", "tested", "passed")

# list(group (the group of each case, NA without one), keys (a data frame, NULL without groups)).
sample_groups <- function(by, container, rows, call) {
  if (is.null(by)) return(list(group = rep(1L, rows), keys = NULL))
  keys <- read_keys(by, container, globalenv(), "data", abort_schema, call)
  check_key_names(names(keys), c(point_columns, "cases"), call)
  segments_of_keys(keys, rows, call)
}

check_controlled <- function(found, rows, most, call) {
  outside <- sum(vapply(found, `[[`, 1, "outside"))
  if (outside > 0) {
    cases <- count_of(outside, "case", "cases")
    abort_argument("{cases} would cost less than 0 or more than {.arg max_cost}, {most}.", call)
  }
  used <- sum(vapply(found, `[[`, 1, "cases"))
  if (used == 0) abort_argument("No case has a truth, a posterior and a cost.", call)
  if (used < rows) {
    cases <- count_of(rows - used, "case", "cases")
    warn_bayesrisk(
      "{cases} without a truth, a posterior, a cost, a score or a group: left out.", "missing", call
    )
  }
}

# A first threshold of the user that no sample of so few decided cases lets pass.
warn_strict <- function(grid, found, fewest, call) {
  if (!length(grid)) return(invisible())
  first <- vapply(found, function(x) x$points$decided[[1L]], 1)
  if (all(first >= fewest)) return(invisible())
  warn_bayesrisk(c(
    "The first threshold of {.arg grid}, {grid[[1L]]}, decides {count_of(min(first), 'case',
     'cases')}. Fewer than {fewest} cannot pass, and the first failure ends the tests.",
    i = "Begin {.arg grid} with a larger threshold."
  ), "strict", call)
}

# A row for each group: its threshold, and what it decides of the sample.
controlled_groups <- function(found, keys) {
  rows <- lapply(found, function(x) {
    at <- match(TRUE, x$points$passed & x$points$threshold == x$threshold)
    data.frame(
      threshold = x$threshold, cases = x$cases,
      decided = if (is.na(at)) 0 else x$points$decided[[at]] / x$cases,
      cost = if (is.na(at)) NA_real_ else x$points$cost[[at]]
    )
  })
  beside_keys(do.call(rbind, rows), keys, seq_along(found))
}

controlled_points <- function(found, keys) {
  points <- lapply(found, function(x) {
    points <- as.data.frame(x$points)
    points$decided <- points$decided / x$cases
    points
  })
  beside_keys(do.call(rbind, points), keys, rep(seq_along(found), vapply(points, nrow, 1L)))
}

beside_keys <- function(columns, keys, group) {
  if (is.null(keys)) return(columns)
  data.frame(keys[group, , drop = FALSE], columns, check.names = FALSE, row.names = NULL)
}
