#' Collect statistics without estimating
#'
#' Reads the data once and keeps the sufficient statistics of each class, without estimating. This
#' suits data that come in parts, as chunks or from several machines. A class may be too small for a
#' fit in some part. [merge()][merge.bayesrisk_model] unites the parts. Then
#' `fit(spec, statistics)` estimates the model.
#'
#' Categorical levels and classes of the parts are united by name. The result
#' does not depend on the number of threads. Merging parts gives the same result as one pass over
#' all rows (counts exactly, moments to 1e-12 of their scale). Data without a row that counts have
#' statistics without classes, and merging these changes nothing; only [fit()] needs rows.
#'
#' @inheritParams fit.bayesrisk_spec
#' @param formula `class ~ features`, as in [fit()].
#' @param min_count The smallest count that the statistics may hold, for data that are exchanged
#'   (see [write_statistics()]): a whole number. With 2 or more, it is an error if a class, a level
#'   in a class, a cell of a table, or the known values of a feature in a class are fewer rows than
#'   this, but not none. The terms of [bayes_text()] are counted as its likelihood counts them: in
#'   occurrences, which may all be of one row, or by `counts = "bernoulli"` in rows. Likelihoods
#'   whose statistics are values of rows, and `weights`, are errors then.
#' @return An object of class `bayesrisk_statistics`: a list of plain vectors
#'   whose size does not depend on the number of rows, except for the points of kernel densities
#'   and the different values of empirical likelihoods.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, `bayesrisk_error_data` for
#'   data that cannot be read, `bayesrisk_error_small_cells` for counts below `min_count`.
#'   [fit()] checks whether a model exists for the data.
#' @seealso [fit()], [update()][update.bayesrisk_model]
#' @examples
#' first <- bayes_statistics(bayes_full(), Species ~ ., iris[1:75, ])
#' second <- bayes_statistics(bayes_full(), Species ~ ., iris[76:150, ])
#' fit(bayes_full(), merge(first, second))
#' @export
bayes_statistics <- function(object, formula, data, weights, subset,
                             na.action = stats::na.pass, # nolint: object_name_linter.
                             min_count = 1, ..., threads = default_threads()) {
  call <- rlang::current_env()
  object <- check_spec(object, call)
  check_no_dots(..., call = call)
  min_count <- check_whole_number(min_count, "min_count", min = 1, call = call)
  request <- fit_request(
    maybe(formula), rlang::enquo(weights), rlang::enquo(subset), na.action, threads, spec = object
  )
  collected <- tryCatch(
    collect_from(maybe(data), request, call),
    bayesrisk_error_no_rows = function(e) empty_statistics(object, request$formula, e)
  )
  if (min_count > 1L) check_private(collected, min_count, call)
  collected
}

# The statistics of data without a row that counts: such data show no class and no level, so the
# statistics have neither classes nor features. `error`: see abort_empty_data().
empty_statistics <- function(spec, formula, error) {
  if (!rlang::is_formula(formula, lhs = TRUE)) stop(error)
  formula <- bare_formula(formula)
  schema <- list(
    formula = formula, response = term_label(formula[[2L]]), unnamed = FALSE,
    classes = list(levels = character(), type = "character"), features = list()
  )
  statistics <- list(classes = list(weight = numeric(), rows = numeric()), banks = list())
  new_statistics(
    spec, schema, list(banks = list()), statistics, list(read = error$read, used = 0)
  )
}

# Statistics of more rows of a model; NULL if no row counts.
collect_more <- function(data, request, call) {
  tryCatch(collect_from(data, request, call), bayesrisk_error_no_rows = function(e) NULL)
}

# The request of a function that learns from data: see ask_source(). `weights`, `subset`: quosures.
# `schema`: the schema of the model that is updated, with `y`, the classes for a model of fit_xy().
# `by`: the keys of a grouped fit, from read_by() or kept by its models; NULL for one model.
# `of_cases`: what is asked of cases. Sources of several pieces add
# * bins: the bins of features, which depend on the rows of all pieces;
# * known: the kinds of columns, see column_kinds();
# * open: whether the answer is one of more pieces, so it is given as it is: see collect_piece().
fit_request <- function(formula, weights, subset, na_action, threads, schema = NULL, y = NULL,
                        by = NULL, spec = NULL) {
  list(
    kind = "statistics", of_rows = collect_from, of_cases = collect_cases, formula = formula,
    weights = weights, subset = subset, na_action = na_action, threads = threads, schema = schema,
    y = y, by = by, spec = spec
  )
}

# From data to statistics.
collect_from <- function(data, request, call) {
  if (is_source(data)) return(ask_source(data, request, call))
  request$of_cases(read_cases(data, request, call), request, call)
}

collect_cases <- function(cases, request, call) {
  for (name in names(request$bins)) cases$schema$features[[name]]$bins <- request$bins[[name]]
  collects <- if (is.null(request$by)) collect else collect_groups
  collects(request$spec, cases, call)
}

# Statistics that are exchanged must not show small counts: see write_statistics().

check_private <- function(x, min_count, call) {
  classes <- x$statistics$classes
  if (any(classes$weight != classes$rows)) {
    abort_argument("{.arg weights} and {.arg min_count} cannot be given together.", call)
  }
  check_no_values(x, call)
  cells <- as.data.frame(counts(x))
  small <- cells[!is.na(cells$count) & cells$count > 0 & cells$count < min_count, ]
  if (!nrow(small)) return(invisible())
  shown <- utils::head(small_cell_lines(small), 10L)
  abort_small_cells(c(
    "{nrow(small)} count{?s} {?is/are} below {.arg min_count}, {min_count}:",
    bullet_lines(shown, "x"),
    i = "Unite levels or classes, or leave out the feature."
  ), call, cells = small)
}

small_cell_lines <- function(cells) {
  quoted <- function(x) encodeString(as.character(x), quote = "\"")
  of_class <- paste("class", quoted(cells$class))
  of_level <- ifelse(is.na(cells$level), "", paste0(", level ", quoted(cells$level)))
  feature <- paste0(", feature ", quoted(cells$term))
  ifelse(
    cells$term == "(class)", paste0(of_class, ": ", cells$count),
    paste0(of_class, feature, of_level, ": ", cells$count)
  )
}

# Statistics that are the values of rows, or bins that begin at one.
check_no_values <- function(x, call) {
  features <- x$schema$features
  shows <- unlist(Map(function(bank, state) {
    if (!is.null(state$points) || length(state$incomplete)) return(bank$features)
    likelihoods <- bank_likelihoods(bank, record_of(bank), x$spec, features[bank$features])
    of_rows <- vapply(likelihoods, function(l) record_of(l)$of_all_rows(l), NA)
    bank$features[rep_len(of_rows, length(bank$features))]
  }, x$plan$banks, x$statistics$banks))
  if (!length(shows)) return(invisible())
  names <- names(features)[shows]
  abort_argument(c(
    "The statistics of {.field {names}} hold values of rows, which {.arg min_count} refuses.",
    i = "Use a likelihood with sums as statistics, such as {.fn likelihood_gaussian}, or
         {.code likelihood_histogram(breaks = )}; in a joint block {.code missing = \"complete\"}."
  ), call)
}
