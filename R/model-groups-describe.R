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
#' @section Pooling:
#' With `fit(by = , pool = )` the groups learn from each other: each adds \eqn{m} cases of the
#' *merged model*, the one of all groups, to its own rows, in each class (partial pooling). So a
#' group of few rows is close to the merged model, and a group of many rows is nearly alone. Of
#' \eqn{n} rows of a class in a group and the merged model with shares \eqn{p}, mean
#' \eqn{\mu}{mu}, variance \eqn{v} and rate \eqn{r} follow
#' * a level of a categorical feature or a bin of a histogram, with Laplace \eqn{a} for \eqn{L}
#'   levels: \eqn{(n_l + a + m p_l) / (n + a L + m)};
#' * a Gaussian: the mean \eqn{(n \bar x + m \mu) / (n + m)}{(n x + m mu) / (n + m)} and the
#'   variance \eqn{(S + m v + n m / (n + m) (\bar x - \mu)^2) / (d + m)}{
#'   (S + m v + n m / (n + m) (x - mu)^2) / (d + m)}, where \eqn{S} is the sum of squares about
#'   \eqn{\bar x}{x} and \eqn{d} its usual divisor, at least 0; a block of Gaussians alike, with
#'   matrices;
#' * a Poisson rate: \eqn{(\mathrm{sum} + m r) / (n + m)}{(sum + m r) / (n + m)};
#' * the class shares, with \eqn{n} and \eqn{n_k} rows of the group:
#'   \eqn{(n_k + m \pi_k) / (n + m)}{(n_k + m pi_k) / (n + m)}.
#'
#' With `pool = TRUE` the \eqn{m} of a feature or block is the one under which the rows of all
#' groups are most probable, if the parameters of the groups come from the conjugate distribution
#' that the cases are: Dirichlet, normal and scaled inverse chi-squared (inverse Wishart for a
#' block), gamma. These marginal likelihoods have closed forms of the statistics, so the data are
#' read once. `Inf` stands where the likelihood still rises at four million cases; no number is
#' below 1/64. Other likelihoods have no closed form: their \eqn{m} is 0 or `Inf`.
#'
#' This is the probability of the features, not that of the classes. Where groups differ in the
#' same way in all classes, as schools differ in who attends, the \eqn{m} that predicts the class
#' best is larger: compare numbers by [cv_risk()], `cv_risk(by = , pool = )`.
#'
#' The merged model is smoothed and shrunk as its specification says, the group is not shrunk once
#' more: its estimate is that of its rows and its cases (a Laplace \eqn{a} is in both). So a class
#' that a group lacks is that of the merged model, but for \eqn{a}. `coef(models[["north"]])$pool`
#' and the print show \eqn{m}; `tidy()` has the weight \eqn{n / (n + m)} of the group's own rows of
#' the class. `update()` and `merge()` keep the rule and estimate again. The model of one group is
#' that of its rows and its cases, so `update(models[["north"]], rows)` adds rows to both, and
#' intervals count both. Some of the models, `models[c("north", "south")]`, keep the merged model of
#' all groups; `update(models[c("north", "south")], pool = TRUE)` estimates from their rows alone.
#'
#' @section Changes of the models:
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
#' @param default A model for rows whose key has no model, or `"pooled"`: the model of all groups.
#'   `NULL`: such rows are an error.
#' @param moredata More rows. They may have new groups.
#' @param forget,half_life As in [update()][update.bayesrisk_model]; the rows of a group count less
#'   by the group's own new rows.
#' @param weights,subset,na.action As in [update()][update.bayesrisk_model].
#' @param type,cost,prior,estimate As in [predict()][predict.bayesrisk_model] and [decide()].
#' @param ... For `update()`: settings of the specification to change, and `pool`. Otherwise not
#'   used.
#' @inheritParams bayesrisk_arguments
#'
#' @return `models[["north"]]` and `models$north`: one model. `models[c("north", "south")]`: the
#'   models of some groups. `merge(models)`: one model; `merge(models, others)`: the models of the
#'   groups of both. `predict()` and `decide()`: what they return for one model, in the order of the
#'   rows of `newdata`. `tidy()` and `glance()`: their tables, with the keys as first columns. A
#'   key with the name of a column of the table, such as `class`, is called `by_class` there.
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
      spec_sentence(attr(x, "spec")), groups_sentence(x, rows),
      cases_sentences(cases_by_name(x), "Each group"),
      tempered_sentence(x)
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
  key_rows(attr(models, "keys"), data.frame(rows = rows))
}
