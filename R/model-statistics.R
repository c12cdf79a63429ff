#' Collect statistics without estimating
#'
#' Reads the data once and keeps what an estimate needs (sufficient statistics
#' per class), without estimating. For data that come in chunks, from several
#' machines, or with classes that are too small in each part alone:
#' [merge()][merge.bayesrisk_model] the parts, then `fit(spec, statistics)`.
#'
#' Categorical levels and classes of the parts are united by name. The result
#' does not depend on the number of threads, and merging parts gives what one
#' pass over all rows gives (counts exactly, moments to 1e-12 of their scale).
#'
#' @inheritParams fit.bayesrisk_spec
#' @param formula `class ~ features`, as in [fit()].
#' @param data A data frame, tibble, data.table, or a matrix with column names.
#' @return An object of class `bayesrisk_statistics`: a list of plain vectors
#'   whose size does not depend on the number of rows, but for the points of kernel densities
#'   and the different values of empirical likelihoods.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, `bayesrisk_error_data` for
#'   data that cannot be read. Whether a model exists for the data is asked by [fit()].
#' @seealso [fit()], [update()][update.bayesrisk_model]
#' @examples
#' first <- bayes_statistics(bayes_full(), Species ~ ., iris[1:75, ])
#' second <- bayes_statistics(bayes_full(), Species ~ ., iris[76:150, ])
#' fit(bayes_full(), merge(first, second))
#' @export
bayes_statistics <- function(object, formula, data, weights, subset,
                             na.action = stats::na.pass, # nolint: object_name_linter.
                             ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_spec(object, call)
  check_no_dots(..., call = call)
  collect_formula(
    object, maybe(formula), maybe(data), rlang::enquo(weights), rlang::enquo(subset),
    na.action, threads, call
  )
}

collect_formula <- function(spec, formula, data, weights, subset, na_action, threads, call) {
  collect(spec, formula_cases(formula, data, weights, subset, na_action, threads, call), call)
}

formula_cases <- function(formula, data, weights, subset, na_action, threads, call) {
  if (is.null(data)) abort_argument("{.arg data} is missing.", call)
  container <- read_container(data, "data", abort_data, call)
  masked <- masked_arguments(weights, subset, container, call)
  terms <- read_formula(formula, container, masked$weights_columns, call)
  check_columns_there(term_columns(list(terms$response)), container, abort_data, "data", call)
  enclosure <- rlang::f_env(formula)
  if (is.null(enclosure)) enclosure <- globalenv()
  response <- term_label(terms$response)
  y <- evaluate_response(terms$response, container, enclosure, response, call)
  read <- function(keep) read_terms(terms$terms, container, enclosure, keep, call)
  attr(formula, ".Environment") <- NULL # nolint: object_name_linter.
  training_cases(
    read, y, response, container, masked$weights, masked$subset, na_action, threads,
    list(formula = formula, response = response, unnamed = FALSE), call
  )
}

# The class, which may be a function of columns.
evaluate_response <- function(expression, container, enclosure, label, call) {
  if (is.name(expression)) {
    check_column_names(container$names, label, "data", abort_data, call)
    return(container_column(container, match(label, container$names)))
  }
  evaluate_in(expression, container, enclosure, label, abort_data, call)
}

# Weights and subset, evaluated with the columns in sight.
masked_arguments <- function(weights, subset, container, call) {
  if (rlang::quo_is_missing(weights) && rlang::quo_is_missing(subset)) return(list())
  columns <- container_list(container)
  used <- if (rlang::quo_is_missing(weights)) NULL else all.vars(rlang::quo_get_expr(weights))
  list(
    weights = masked_value(weights, columns, "weights", call),
    subset = masked_value(subset, columns, "subset", call),
    weights_columns = intersect(used, container$names)
  )
}

masked_value <- function(quosure, columns, arg, call) {
  if (rlang::quo_is_missing(quosure) || rlang::quo_is_null(quosure)) return(NULL)
  tryCatch(rlang::eval_tidy(quosure, columns), error = function(e) {
    reason <- conditionMessage(e)
    abort_argument("{.arg {arg}} cannot be computed: {reason}", call)
  })
}

# The common end of both interfaces: the cases as the engine reads them. `read` gives the
# encoded features, their levels those of the rows that count.
training_cases <- function(read, y, response, container, weights, subset, na_action, threads,
                       interface, call) {
  rows <- container$rows
  threads <- check_threads(threads, call)
  policy <- na_policy(na_action, call)
  weights <- check_weights(weights, rows, call)
  subset <- check_subset(subset, rows, call)
  keep <- drop_weightless(subset, weights)
  features <- read(keep)
  class <- read_class(y, response, rows, keep, call)
  if (rows == 0L) abort_data("There are no rows to fit.", call)
  if (policy != "na.pass") {
    columns <- feature_vectors(features$columns)
    keep <- apply_na_policy(policy, keep, columns, class$codes, rows, call)
    features <- read(keep)
    class <- read_class(y, response, rows, keep, call)
  }
  if (!is.null(keep) && !any(keep)) {
    abort_data("{.arg subset}, {.arg weights} and {.arg na.action} leave no row to fit.", call)
  }
  check_class(class, response, keep, call)
  group <- if (is.null(keep)) class$codes else replace(as.integer(class$codes), !keep, NA_integer_)
  list(
    schema = c(interface, list(classes = class[c("levels", "type")], features = features$features)),
    columns = features$columns, frame = bind_frame(features$columns, rows), group = group,
    weights = weights, threads = threads, response = response,
    read = if (is.null(subset)) rows else sum(subset)
  )
}

# From cases to statistics.
collect <- function(spec, cases, call) {
  schema <- cases$schema
  spec <- name_positional(spec, schema)
  assigned <- assign_likelihoods(spec, schema, call)
  schema$features <- settle_features(assigned, schema$features, cases, call)
  plan <- plan_banks(assigned, schema, call)
  statistics <- count_cases(plan$banks, cases, call)
  rows <- list(read = cases$read, used = sum(statistics$classes$rows))
  new_statistics(spec, schema, plan, statistics, rows)
}

# Features with all that their likelihoods must know of the data before rows are counted, the
# bins of histograms for example. `places`: where the features stand in the frame of the cases.
settle_features <- function(assigned, features, cases, call, places = seq_along(features)) {
  for (i in seq_along(assigned$single)) {
    j <- assigned$single[[i]]
    range <- function(quartiles = FALSE) {
      call_engine(
        feature_range_cpp(cases$frame, places[[j]], cases$group, cases$weights, quartiles), call
      )
    }
    likelihood <- assigned$likelihoods[[i]]
    features[[j]] <- record_of(likelihood)$settle(likelihood, features[[j]], range, call)
  }
  features
}

# What the banks need to know of the cases. `group`: their classes, or groups of them.
count_cases <- function(banks, cases, call, group = cases$group,
                        groups = length(cases$schema$classes$levels)) {
  collected <- call_engine(collect_statistics_cpp(
    banks, groups, cases$frame, group, cases$weights, cases$threads
  ), call)
  check_data_problems(collected$diagnostics, cases$schema, cases$response, call)
  collected$statistics
}

# The vector behind each encoded column; NA where a level is missing.
feature_vectors <- function(columns) {
  lapply(columns, function(column) {
    if (is.matrix(column$data)) column$data[, column$column] else column$data
  })
}
