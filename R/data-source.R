# Sources of cases. A source is what users give as `data` or `newdata`: a data frame or matrix, or
# an object of a class with methods of the generics here. All functions that learn or score reach
# the rows through these generics:
#
#   collect_from(data, spec, request, call)       statistics, of class bayesrisk_statistics
#   cases_from(data, request, call)               cases: see select_cases()
#   case_range(cases, place, quartiles, call)     the range of a feature: FeatureRange of the engine
#   count_banks(cases, banks, call)               the statistics of banks: collect_statistics_cpp()
#   score_from(newdata, model, request, call)     what predict() returns
#   decide_from(newdata, model, request, call)    what decide() returns
#   evidence_from(newdata, model, request, call)  what estimate_prior() learns from
#   exponents_from(data, model, request, call)    the model with the exponents of temper()
#
# The first two stop with abort_empty_data() if no row counts.
#
# A source with rows has methods of all but the first. A source made of other sources, such as
# parts, has a method of collect_from() that merges. The methods of new sources are in the stage
# `source`.

# The request of a function that learns from data. `weights`, `subset`: quosures. `schema`: the
# schema of the model that is updated, with `y`, the classes for a model of fit_xy(). `by`: the keys
# of a grouped fit, from read_by() or kept by its models; NULL for one model. Sources of several
# pieces add `bins`: the bins of features, which depend on the rows of all pieces.
fit_request <- function(formula, weights, subset, na_action, threads, schema = NULL, y = NULL,
                     by = NULL) {
  list(
    formula = formula, weights = weights, subset = subset, na_action = na_action,
    threads = threads, schema = schema, y = y, by = by
  )
}

cases_from <- function(data, request, call) UseMethod("cases_from")

#' @export
cases_from.default <- function(data, request, call) {
  if (!is.null(request$schema)) return(schema_cases(request, data, call))
  formula_cases(
    list(request$formula), data, request$weights, request$subset, request$na_action,
    request$threads, call, request$by
  )
}

case_range <- function(cases, place, quartiles, call) UseMethod("case_range")

#' @export
case_range.default <- function(cases, place, quartiles, call) {
  call_engine(
    feature_range_cpp(cases$frame, place, cases$group, cases$weights, quartiles), call
  )
}
