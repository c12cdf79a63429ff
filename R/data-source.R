# Data are rows in memory or a source: chunks, parts or a lazy table. Functions that learn or score
# get a request, which says what they ask of the data. They read rows in memory themselves, and send
# their request to a source: it gives its pieces to the same function and unites the answers. A
# database answers itself what it can. The elements of each request are:
#
# * kind: "statistics" (see fit_request()), "evidence" (see evidence_from()) or "answers", which are
#   not united: see answer_request();
# * of_rows(data, request, call): the function that asks;
# * merge(a, b, call): unites two answers. Statistics need none: see merge_collected().
ask_source <- function(data, request, call) UseMethod("ask_source")

is_source <- function(data) inherits(data, names(source_names))

source_names <- c(bayesrisk_chunks = "chunks", bayesrisk_parts = "parts", tbl_sql = "a lazy table")

# Cases have a range for each feature: FeatureRange of the engine. Those of a lazy table are asked
# for it by SQL, and for the statistics of their banks: see count_banks().
case_range <- function(cases, place, quartiles, call) UseMethod("case_range")

#' @export
case_range.default <- function(cases, place, quartiles, call) {
  call_engine(
    feature_range_cpp(cases$frame, place, cases$group, cases$weights, quartiles), call
  )
}

# Evaluates `weights`, `subset` and `folds`, which may use the columns of the data.
masked_arguments <- function(weights, subset, container, call, folds = NULL) {
  asked <- Filter(function(quosure) !is.null(quosure) && !rlang::quo_is_missing(quosure), list(
    weights = weights, subset = subset, folds = folds
  ))
  if (!length(asked)) return(list())
  columns <- container_list(container)
  used <- if (!is.null(asked$weights)) all.vars(rlang::quo_get_expr(asked$weights))
  values <- Map(masked_value, asked, list(columns), names(asked), list(call))
  c(values, list(columns_of_weights = intersect(used, container$names)))
}

masked_value <- function(quosure, columns, arg, call) {
  if (rlang::quo_is_missing(quosure) || rlang::quo_is_null(quosure)) return(NULL)
  tryCatch(rlang::eval_tidy(quosure, columns), error = function(e) {
    reason <- conditionMessage(e)
    abort_argument("{.arg {arg}} cannot be computed: {reason}", call)
  })
}
