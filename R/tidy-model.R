#' Models as data frames
#'
#' [generics::tidy()] gives a row per parameter, [generics::glance()] one row about
#' the fit, and [generics::augment()] the data with the predictions for each case.
#'
#' @param x A fitted or known model.
#' @param data,newdata A data frame, tibble, data.table or matrix with the features, as in
#'   [predict()][predict.bayesrisk_model]. Give one of the two; both mean the same, because a model
#'   does not keep its training data.
#' @inheritParams bayesrisk_arguments
#'
#' @return
#' `tidy()`: a data frame with one row per class, term and statistic:
#' * `class`: a factor of all classes;
#' * `term`: `"(prior)"` for the class prior, else the feature; for a parameter of
#'   several features of a block, their names joined by `:`;
#' * `level`: the level of a categorical feature (the levels of a joint table, or the bins of a
#'   joint histogram, joined by `:`), the number of a component of a mixture, the bin of a
#'   histogram, or an exact value; otherwise `NA`;
#' * `statistic`: `"probability"` of a class, a level or an exact value; `"mean"` and `"sd"` of a
#'   Gaussian feature; `"weight"`, `"mean"` and `"sd"` of a mixture's component; `"probability"` and
#'   `"density"` of a histogram's bin; `"bandwidth"` of a kernel density; the parameters of other
#'   distributions, such as `"rate"`; `"mean"`, `"variance"` and `"covariance"` in a block of
#'   numeric features;
#' * `estimate`: the number, `NA` for a class without rows;
#' * `borrowed`: whether this estimate borrows from other classes or, in a mixture, from its own
#'   class, see "Degenerate data" of [bayes_naive()];
#' * `weight`, for groups that were pooled ([bayesrisk_models]): the weight of the group's own rows
#'   of the class, from 0 to 1; the rest is that of the model of all groups.
#'
#' A covariance that all classes share is repeated for each class. A joint table of
#' more than 1e5 numbers has rows only for the cells seen in training, as in
#' [coef()][coef.bayesrisk_model].
#'
#' `glance()`: a data frame with one row: `nobs` (sum of the case weights), `df`,
#' `logLik`, `AIC`, `BIC` (as [logLik()][logLik.bayesrisk_model]; all `NA` for a model
#' made by [bayes_known()], some for kernels and exact values), and the numbers of `classes`
#' and `features`.
#'
#' `augment()`: the data (a matrix as a data frame; a tibble stays a tibble) in its
#' order, with the new columns `.pred_class` and, for every class, its posterior probability
#' `.pred_<level>`. With `cost` also `.decision`, a factor of actions, and
#' `.cost_<action>`, the expected cost of every action. Existing columns with these
#' names are replaced.
#' @section Errors: `bayesrisk_error_argument` if neither or both of `data` and `newdata` are given,
#'   or if a class is called "class", because two new columns would have the same name; other errors
#'   as in [predict()][predict.bayesrisk_model].
#' @examples
#' model <- fit(bayes_naive(), play ~ outlook + wind, play_tennis)
#' tidy(model)
#' glance(model)
#' cost <- cost_matrix(book = c(yes = 0, no = 20), wait = c(yes = 5, no = 0))
#' head(augment(model, play_tennis, cost = cost), 3)
#' @name tidy.bayesrisk_model
#' @export
tidy.bayesrisk_model <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_model(x, call, "x")
  parameter_frame(x)
}

parameter_frame <- function(x) {
  rows <- parameter_rows(x)
  column <- function(name) unlist(lapply(rows, `[[`, name), use.names = FALSE)
  frame <- data.frame(
    class = as_class_factor(column("class"), x$schema$classes), term = column("term"),
    level = column("level"), statistic = column("statistic"), estimate = column("estimate"),
    borrowed = is_borrowed(x, column("class"), column("block"), column("level"))
  )
  pool <- x$parameters$pool
  if (!is.null(pool$weight)) frame$weight <- own_shares(pool, frame$class, column("block"))
  frame
}

# The weight of a group's own rows among these and its cases of the merged model.
own_shares <- function(pool, class, block) {
  rows <- ifelse(block == 0L, sum(pool$weight), pool$weight[as.integer(class)])
  share <- rows / (rows + unname(pool$cases)[block + 1L])
  ifelse(rows == 0, 0, share)
}

# The rows of the prior and of each bank, as lists of columns; `block`: the number of the block, 0
# for the prior.
parameter_rows <- function(x) {
  parameters <- model_coefficients(x)
  classes <- length(x$schema$classes$levels)
  prior <- tidy_rows(parameters$prior, classes, "(prior)", NA_character_, "probability")
  prior$block <- rep(0L, classes)
  banks <- x$plan$banks
  blocks <- count_blocks(banks)
  rows <- Map(function(bank, count, before) {
    own <- parameters[1L + before + seq_len(count)]
    rows <- record_of(bank)$tidy(unname(own), names(own), classes)
    rows$block <- rows$block + before
    rows
  }, banks, blocks, cumsum(blocks) - blocks)
  c(list(prior), unname(rows))
}

#' @rdname tidy.bayesrisk_model
#' @export
glance.bayesrisk_model <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_model(x, call, "x")
  fit_table(x)
}

#' @rdname tidy.bayesrisk_model
#' @export
augment.bayesrisk_model <- function(x, data = NULL, newdata = NULL, cost = NULL, prior = NULL,
                                    ..., threads = default_threads()) {
  call <- check_no_dots(...)
  x <- check_model(x, call, "x")
  if (is.null(data) == is.null(newdata)) {
    check_places(call)
    abort_argument(c(
      "One of {.arg data} and {.arg newdata} must be given.",
      i = "A model does not keep its training data."
    ), call)
  }
  arg <- if (is.null(newdata)) "data" else "newdata"
  if (is.null(newdata)) newdata <- data
  threads <- check_threads(threads, call)
  prior <- predict_prior(x, prior, call)
  read <- read_newdata(x$schema, newdata, call, arg)
  if (!is.null(cost)) {
    cost <- read_cost(cost, x$schema$classes$levels, newdata, read$frame$rows, call, arg)
  }
  added <- predicted_columns(x, read, cost, prior, threads, call)
  if (!is.data.frame(newdata)) {
    newdata <- rows_of_table(newdata, read$frame$rows, read$row_names)
  }
  newdata[names(added)] <- added
  newdata
}

# The columns that augment() adds, as a list.
predicted_columns <- function(model, read, cost, prior, threads, call) {
  found <- if (is.null(cost)) {
    list(posterior = score(model, read, "both", prior, NULL, threads, call))
  } else {
    decide_rows(model, read, "all", prior, cost, threads, call, "both")
  }
  scored <- found$posterior
  decided <- found$value
  added <- c(
    list(.pred_class = scored$class), matrix_columns(scored$posterior, ".pred_"),
    if (!is.null(cost)) list(.decision = decided$decision),
    if (!is.null(cost)) {
      stats::setNames(decided$cost_of, paste0(".cost_", levels(decided$decision)))
    }
  )
  twice <- names(added)[duplicated(names(added))]
  if (length(twice)) {
    abort_argument(c(
      "The class {.val class} would give a second column {.field {twice}}.",
      i = "Give the class another name, or use {.code predict(type = \"prob\")}."
    ), call)
  }
  added
}

#' Decisions beside their data
#'
#' `augment()` of a [decide()] result gives the data with the decisions, whether the probabilities
#' came from a model of this package or from any other classifier.
#'
#' @param x A [decide()] result.
#' @param data The data of the decided cases, a row for each: a data frame, tibble, data.table or
#'   matrix. It may be the table of probabilities itself.
#' @param ... Not used.
#' @return The data (a matrix as a data frame; a tibble stays a tibble) with the new columns
#'   `.decision`, a factor of actions, and `.cost_<action>`, the expected cost of every action, as
#'   in [augment()][augment.bayesrisk_model] of a model. Existing columns with these names are
#'   replaced.
#' @section Errors: `bayesrisk_error_argument` if `data` is not a table or has another number of
#'   rows.
#' @seealso [decide()], [augment()][augment.bayesrisk_model] of a model
#' @examples
#' p <- cbind(healthy = c(0.99, 0.7, 0.1), ill = c(0.01, 0.3, 0.9))
#' cost <- cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0))
#' augment(decide(p, cost), p)
#' @export
augment.bayesrisk_decision <- function(x, data = NULL, ...) {
  call <- check_no_dots(...)
  container <- read_container(data, "data", abort_argument, call)
  rows <- container$rows
  if (rows != nrow(x)) {
    abort_argument("{.arg data} has {rows} row{?s} for {nrow(x)} decision{?s}.", call)
  }
  if (!is.data.frame(data)) data <- rows_of_table(data, rows, container$row_names)
  costs <- unclass(x)[action_columns(levels(x$decision))]
  names(costs) <- paste0(".", names(costs))
  added <- c(list(.decision = x$decision), costs)
  data[names(added)] <- added
  data
}

#' @export
tidy.bayesrisk_models <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  rows_of_groups(x, tidy)
}

#' @export
glance.bayesrisk_models <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  rows_of_groups(x, glance)
}

# The rows of each model, with its key before them.
rows_of_groups <- function(models, rows_of) {
  tables <- lapply(seq_along(unclass(models)), function(i) rows_of(group_model(models, i)))
  each <- vapply(tables, nrow, 1L)
  keys <- attr(models, "keys")[rep(seq_along(each), each), , drop = FALSE]
  key_rows(keys, do.call(rbind, tables))
}
