# Data are rows in memory or a source: chunks, parts or a lazy table. Functions that learn or score
# get a request, which says what they ask of the data. They read rows in memory themselves, and send
# their request to a source: it gives its pieces to the same function and unites the answers. A
# database answers itself what it can. The elements of each request are:
#
# * kind: "statistics" (see fit_request()), "counts" (see source_cases()), "evidence" (see
#   evidence_from()), "rows" (see rows_in_memory()) or "answers" (see answer_request()), which are
#   not united;
# * of_rows(data, request, call): the function that asks;
# * merge(a, b, call): unites two answers. Statistics need none: see merge_collected().
ask_source <- function(data, request, call) UseMethod("ask_source")

# Unites lists of pieces. A function of its own, because workers get it without a frame of data.
join_pieces <- function(a, b, call) c(a, b)

# The first rows of a source, as a table in memory.
first_rows <- function(data, most, call) UseMethod("first_rows")

# Cases have a range for each feature: FeatureRange of the engine. Those of a lazy table are asked
# for it by SQL, and for the statistics of their banks: see count_banks().
case_range <- function(cases, place, quartiles, call) UseMethod("case_range")

#' @export
case_range.default <- function(cases, place, quartiles, call) {
  call_engine(
    feature_range_cpp(cases$frame, place, cases$group, cases$weights, quartiles), call
  )
}

# Whether a user gave an argument that is kept as a quosure.
is_given <- function(quosure) {
  !is.null(quosure) && !rlang::quo_is_missing(quosure) && !rlang::quo_is_null(quosure)
}

quosure_columns <- function(quosure) {
  if (rlang::quo_is_missing(quosure)) character() else all.vars(rlang::quo_get_expr(quosure))
}

# Evaluates `weights`, `subset`, `folds` and `cluster`, which may use the columns of the data.
masked_arguments <- function(weights, subset, container, call, folds = NULL, cluster = NULL) {
  asked <- Filter(is_given, list(
    weights = weights, subset = subset, folds = folds, cluster = cluster
  ))
  if (!length(asked)) return(list())
  columns <- container_list(container)
  # What a row counts for is no feature of it.
  used <- unlist(lapply(asked[names(asked) %in% c("weights", "cluster")], quosure_columns))
  values <- Map(masked_value, asked, list(columns), names(asked), list(call))
  c(values, list(columns_apart = intersect(used, container$names)))
}

masked_value <- function(quosure, columns, arg, call) {
  if (!is_given(quosure)) return(NULL)
  tryCatch(rlang::eval_tidy(quosure, columns), error = function(e) {
    reason <- conditionMessage(e)
    abort_argument("{.arg {arg}} cannot be computed: {reason}", call)
  })
}
