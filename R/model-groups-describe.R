#' Models of groups
#'
#' `fit(by = )` returns a list of models, one for each group, from one read of the data. It is for
#' questions such as "one model for each region". The models share their classes, levels and bins.
#'
#' @details
#' A group is a combination of the keys in `by` that the used rows have. Groups are in the order of
#' the levels of their keys: a factor keeps its order, text is in C order, numbers are sorted. The
#' name of a group is its key as text; several keys are joined by a point.
#'
#' Each model equals the fit to the rows of its group, with two exceptions. Levels, classes and the
#' bins of histograms are those of all groups. And a class that cannot borrow from the other classes
#' of its group, because they have no spread in a feature, borrows from the same class of the other
#' groups: in the formula of [bayes_naive()], "Degenerate data", \eqn{v} is then the sum of
#' \eqn{S_k} over the groups, divided by the sum of \eqn{d_k}. This holds for Gaussian, gamma and
#' kernel features and for joint blocks of Gaussians. One warning lists the groups.
#'
#' [temper()] estimates exponents for each group. `update()` and `merge(models, others)` keep them,
#' and a message says so; `update(models, temper = NULL)` takes them off. A figure is that of one
#' model: `plot(models[["north"]])`.
#'
#' `merge(models)` returns one model of all groups, equal to the fit without `by` (counts exactly,
#' moments to 1e-12 of their scale), without exponents. To erase a group, merge the others:
#' `merge(models[names(models) != "north"])`.
#'
#' @param object,x,y Models of groups, from `fit(by = )`.
#' @param newdata The data to predict, with the columns of the keys. Each row is predicted by the
#'   model of its group.
#' @param default A model for rows whose key has no model; `NULL`: such rows are an error.
#' @param moredata More rows. They may have new groups.
#' @param weights,subset,na.action As in [update()][update.bayesrisk_model].
#' @param type,cost,prior,estimate As in [predict()][predict.bayesrisk_model] and [decide()].
#' @param ... For `update()`: settings of the specification to change. Otherwise not used.
#' @inheritParams bayesrisk_arguments
#'
#' @return `models[["north"]]` and `models$north`: one model. `models[c("north", "south")]`: the
#'   models of some groups. `merge(models)`: one model; `merge(models, others)`: the models of the
#'   groups of both. `predict()` and `decide()`: what they return for one model, in the order of the
#'   rows of `newdata`. `tidy()` and `glance()`: their tables, with the keys as first columns.
#'
#' @section Errors: `bayesrisk_error_argument` if a group is not known, or if `by` does not name
#'   columns; `bayesrisk_error_data` if a key is missing in a row; `bayesrisk_error_schema` if a row
#'   of `newdata` has a key without a model; `bayesrisk_error_degenerate`, with the names of the
#'   groups, if groups have no model.
#'
#' @seealso [fit()][fit.bayesrisk_spec], [merge()][merge.bayesrisk_model]
#' @examples
#' models <- fit(bayes_naive(), am ~ hp + wt, mtcars[mtcars$cyl < 8, ], by = cyl)
#' models
#' models[["4"]]
#' predict(models, mtcars[1:4, ])
#' merge(models)
#' @name bayesrisk_models
NULL

#' @export
describe.bayesrisk_models <- function(x, show) {
  x <- check_groups(x, show$call)
  table <- group_table(x)
  rows <- sum(table[[ncol(table)]])
  list(
    sentences_item(c(
      spec_sentence(attr(x, "spec")), groups_sentence(x, rows), tempered_sentence(x)
    )),
    table_item(table, c("group", "groups"), keys = length(attr(x, "keys")))
  )
}

groups_sentence <- function(x, rows) {
  schema <- attr(x, "schema")
  sprintf(
    "%s by %s, from %s: %s, %s.", count_of(length(unclass(x)), "model", "models"),
    paste(encodeString(names(attr(x, "keys"))), collapse = " and "), count_of(rows, "row", "rows"),
    count_of(length(schema$classes$levels), "class", "classes"),
    count_of(length(schema$features), "feature", "features")
  )
}

tempered_sentence <- function(models) {
  at <- tempered_groups(models)
  if (!length(at)) return(NULL)
  powers <- unlist(lapply(unclass(models)[at], function(part) part$parameters$temper$power))
  shown <- format(unique(range(powers)), digits = 3L, trim = TRUE)
  sprintf(
    "Tempered in %s of %s: likelihoods to %s of %s.", format_count(length(at)),
    count_of(length(unclass(models)), "group", "groups"),
    if (length(shown) > 1L) "powers" else "the power", paste(shown, collapse = " to ")
  )
}

#' @export
result_rows.bayesrisk_models <- function(x, call) {
  x <- check_groups(x, call)
  group_table(x)
}

# The keys of each group and the number of its rows.
group_table <- function(models) {
  rows <- vapply(unclass(models), function(part) part$rows$used, 1)
  data.frame(attr(models, "keys"), rows = rows, check.names = FALSE, row.names = NULL)
}
