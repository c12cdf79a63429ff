#' Fit a Bayes classifier
#'
#' Estimates the model that a specification describes. Data are read once and in place, without a
#' model frame or a copy.
#'
#' Columns of type double or integer are numeric features; factors, ordered
#' factors, characters and logicals are categorical; all other columns (dates,
#' lists, complex numbers, other classes such as those of package units) are errors, because no
#' likelihood knows their meaning, and a model keeps no unit to compare that of new data with:
#' convert them by [as.numeric()] or [factor()]. The class may be a
#' factor, a character or logical vector, or whole numbers. The levels of a factor keep their
#' order. Numbers are sorted, `FALSE` comes before `TRUE`, and characters are in C order, so that
#' no result depends on the locale. A class must have a name: empty text (`""`) is an error. A level
#' of a feature or a key of `by` may be empty text. Blanks count, so `"a"` and `"a "` differ, and
#' the text `"NA"` is a name, not a missing value.
#'
#' All declared levels of a factor count, also levels without a row. A text column has only the
#' levels of the used rows. A level that is not among them counts as missing at prediction, and
#' smoothing does not include it. So declare rare levels by `factor(x, levels = )`. If all rows of a
#' level of a text column have weight 0, a message (`bayesrisk_message_weightless_level`) names this
#' level.
#'
#' A row with a missing feature still counts in the class prior and for its
#' other features; a joint block leaves out the rows in which any of its own
#' features is missing, unless [bayes_full()] has `missing = "em"`. A missing class or an infinite
#' number is an error.
#'
#' A case weight of w equals w copies of the row; a weight of 0 leaves the row
#' out. An unbiased variance divides by the sum of weights minus 1.
#'
#' If all rows that count have one class, the model predicts no other. Nearly always this is a
#' mistake, so a warning (`bayesrisk_warning_one_class`) names the class; for models of groups one
#' warning names the groups.
#'
#' @param object A specification: [bayes_naive()], [bayes_full()],
#'   [bayes_blocks()].
#' @param formula `class ~ features`: `y ~ .`, `y ~ a + log(b)`,
#'   `y ~ . - c`, or `y ~ 1` for the prior alone. Interactions and offsets are
#'   errors. Functions of columns are computed again at prediction, so the value of a row must not
#'   depend on other rows: `I(x - mean(x))`, `rank(x)`, `cut(x, 5)`, `scale(x)` are errors. They may
#'   use numbers and text from the formula's environment, as in `I(wt / k)` or
#'   `cut(hp, breaks)`; the model keeps up to 100 values of each name. At prediction your own
#'   functions are looked up from the global environment. The class may be a function of columns in
#'   the same way: `x > 3`, `factor(g)`, `cut(x, c(0, 5, 9))`, but not `x > mean(x)` or `cut(x, 3)`,
#'   because later rows would get other classes. `formula` may also be the result of
#'   [bayes_statistics()], or a table of features, which is then handed to
#'   `fit_xy()` with `data` as the class.
#' @param data A data frame, tibble, data.table, or a matrix with column names; for
#'   `fit()` also a [joint_table()], whose cells are the cases and their probabilities the
#'   weights. Or data that are not in memory, such as a table of a database, a file or parts: see
#'   [bayesrisk_sources].
#' @param by Columns of `data` that divide the rows into groups: `by = region`, or
#'   `by = c(region, year)`. A model is fitted to each group; the data are read once. A key may also
#'   be a function of columns whose value does not depend on other rows. The columns of `by` are no
#'   features of `.`. See [bayesrisk_models].
#' @param pool How much the groups of `by` learn from each other: the number of cases of the model
#'   of all groups that each group adds to its own rows, in each class. `0`: each group alone.
#'   `Inf`: all groups alike. `TRUE`: for each feature or block, and for the class shares, the
#'   number under which the rows of the groups are most probable. Or a list of these, by feature:
#'   `list(TRUE, x = 10, "(class)" = Inf)`; an element without a name is for all others, which are
#'   0 without it. See "Pooling" of [bayesrisk_models].
#' @inheritParams bayesrisk_arguments
#' @param x Features: a data frame, tibble, data.table or matrix, a row per case.
#' @param y The class of each row.
#' @return An object of class `bayesrisk_model`: a list of plain vectors (the
#'   specification, the schema of the data, the statistics and the parameters)
#'   that holds no rows of the data. But a kernel density keeps points of its feature, and an
#'   empirical likelihood keeps its different values. A block with `missing = "em"` keeps its
#'   incomplete rows. A model can be saved with [saveRDS()].
#'   With `by`: the models of the groups, of class [`bayesrisk_models`][bayesrisk_models].
#' @section Errors: `bayesrisk_error_argument` for a bad argument,
#'   `bayesrisk_error_data` for data that cannot be read (also `bayesrisk_error_no_rows` if no row
#'   counts), and
#'   `bayesrisk_error_degenerate` if the model does not exist for the data: one error lists every
#'   class and feature, and the remedy. A class that cannot be estimated alone borrows from the
#'   others instead, with a warning (`degenerate` in [bayes_naive()]).
#'   Any function gives `bayesrisk_error_memory` if there is not enough memory.
#'   All these errors also have the class `bayesrisk_error`.
#' @seealso [predict()][predict.bayesrisk_model], [update()][update.bayesrisk_model],
#'   [bayes_statistics()]
#' @examples
#' model <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' model
#' predict(model, play_tennis[1:3, ], type = "prob")
#'
#' # numeric and categorical features in one model, and a function of a column
#' fit(bayes_naive(), am ~ log(hp) + wt, mtcars)
#'
#' # frequencies as weights
#' fit(bayes_naive(), Survived ~ ., as.data.frame(Titanic), weights = Freq)
#'
#' fit_xy(bayes_full(), iris[1:4], iris$Species)
#' @export
fit.bayesrisk_spec <- function(object, formula, data, weights, subset, na.action = stats::na.pass,
                               by, pool = 0, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_spec(object, call)
  given <- rlang::enquos(table = data, features = formula)
  formula <- maybe(formula)
  weights <- rlang::enquo(weights)
  subset <- rlang::enquo(subset)
  by <- read_by(rlang::enquo(by), call)
  pool <- check_pool(pool, by, call)
  if (inherits(formula, "bayesrisk_statistics")) {
    of_rows <- c(
      data = !missing(data), weights = !rlang::quo_is_missing(weights),
      subset = !rlang::quo_is_missing(subset), by = !is.null(by)
    )
    return(fit_statistics(object, formula, names(of_rows)[of_rows], call))
  }
  if (rlang::is_formula(formula) || is.null(formula)) {
    request <- fit_request(formula, weights, subset, na.action, threads, by = by, spec = object)
    request$of_cases <- collect_questioned
    place <- remedy_place(given$table, maybe(data))
    request$asked <- list2env(list(place = place), parent = emptyenv())
    collected <- collect_from(maybe(data), request, call)
    if (!is.null(pool)) attr(collected, "pool") <- list(rule = pool)
    estimate <- if (is_grouped(collected)) estimate_groups else estimate_model
    fitted <- estimate(collected, call, request$threads)
    return(temper_fitted(fitted, object, maybe(data), request, call))
  }
  if (rlang::is_formula(maybe(data))) check_places(call)
  check_table_given(formula, missing(data), subset, by, call)
  check_not_a_name(formula, data, call)
  weights <- masked_value(weights, NULL, "weights", call)
  place <- remedy_place(given$features, formula)
  fit_features(object, formula, maybe(data), weights, na.action, threads, call, place)
}

#' @export
fit.function <- function(object, ...) { # nolint: object_name_linter.
  name <- sub("^bayesrisk::", "", rlang::as_label(substitute(object)))
  call_it <- c(
    bayes_naive = "bayes_naive()", bayes_full = "bayes_full()", bayes_text = "bayes_text()",
    bayes_blocks = "bayes_blocks(blocks)"
  )
  right <- if (name %in% names(call_it)) call_it[[name]]
  abort_argument(c(
    "{.arg object} is a function.",
    i = if (length(right)) "Call it: {.code fit({right}, class ~ ., data)}."
  ), rlang::current_env())
}

#' @export
fit_xy.function <- function(object, ...) { # nolint: object_name_linter.
  abort_wanted(object, "object", "a specification", rlang::current_env(), c(
    i = "Make one with {.fn bayes_naive}, {.fn bayes_full} or {.fn bayes_blocks}."
  ))
}

fit_features <- function(spec, x, y, weights, na_action, threads, call, place) {
  cases <- read_cases(x, list(
    y = y, weights = weights, bag = !is.null(spec$bag), na_action = na_action, threads = threads
  ), call)
  collected <- collect(spec, cases, call)
  question_cases(cases, collected$plan, spec, place)
  model <- estimate_model(collected, call, cases$threads)
  temper_fitted(
    model, spec, structure(cases, class = "cases_in_memory"), list(threads = cases$threads), call
  )
}

# The case of a table of features in place of the formula. Then `data` is the class.
check_table_given <- function(x, no_class, subset, by, call) {
  if (no_class || (is.atomic(x) && is.null(dim(x)))) {
    abort_argument(c(
      "{.arg formula} must be a formula, such as {.code class ~ .}, for columns of {.arg data}.",
      i = "Or {.arg formula} is a table of features, and {.arg data} the class of each row.",
      if (is_text(x)) counting_bullets("fit(bayes_text(), counts, class)")
    ), call)
  }
  if (!is.null(by)) abort_argument("{.arg by} needs a formula.", call)
  if (!rlang::quo_is_missing(subset)) {
    abort_argument(
      "{.arg subset} needs a formula; without one, select the rows of {.arg x} and {.arg y}.", call
    )
  }
}

#' @rdname fit.bayesrisk_spec
#' @export
fit_xy.bayesrisk_spec <- function(object, x, y, weights = NULL, ...,
                                  threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_spec(object, call)
  place <- remedy_place(rlang::enquo(x), maybe(x))
  check_not_a_name(maybe(x), maybe(y), call)
  fit_features(object, maybe(x), maybe(y), weights, "na.pass", threads, call, place)
}

# The name of a column in place of the class of each row.
check_not_a_name <- function(x, y, call) {
  if (!is_string(y) || !y %in% colnames(x) || identical(nrow(x), 1L)) return(invisible())
  # A lazy table does not know the number of its rows.
  counted <- if (is.na(nrow(x))) "all" else nrow(x)
  right <- sprintf("fit(spec, %s ~ ., data)", deparse(as.name(y), backtick = TRUE))
  abort_argument(c(
    "The class is one value for {counted} rows: {.val {y}} is a column.",
    i = "Write {.code {right}}."
  ), call)
}

# Estimates a model from statistics. Only the settings of the specification may differ. `given`:
# the arguments of fit() for rows, which were read before.
fit_statistics <- function(spec, statistics, given, call) {
  if (length(given)) {
    abort_argument("{.arg {given}} {?was/were} used when the statistics were collected.", call)
  }
  statistics <- check_statistics(statistics, call, "formula")
  collected <- statistics$spec
  same <- identical(spec$structure, collected$structure) && identical(spec$blocks, collected$blocks)
  if (!same) {
    wanted <- spec_sentence(spec)
    had <- spec_sentence(collected)
    abort_argument(c(
      "{.arg object} has other blocks than the statistics were collected for.",
      x = "Collected for: {had}", x = "Asked for: {wanted}"
    ), call)
  }
  if (!is.null(spec$temper)) abort_temper_source("statistics", call)
  estimate_by(spec, statistics, call)
}
