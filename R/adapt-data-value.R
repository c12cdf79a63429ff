#' What would more labelled data save?
#'
#' More rows with known classes make better estimates, and so better decisions. `value_of_data()`
#' computes what they are expected to save per case, before they are collected: the expected value
#' of sample information (EVSI).
#'
#' @param object A fitted model.
#' @param n Numbers of new rows.
#' @param by `"all"`: the classes of the new rows are drawn, too. `"class"`: all new rows have one
#'   class, with a result for each class; then they leave the prior as it is.
#' @param estimate How the model decides, before and after: by `"predictive"` distributions (see
#'   [predict()][predict.bayesrisk_model]), which have the least expected cost, or by `"plugin"`
#'   estimates. Default: predictive; of a [tempered][temper] model, the scores of its exponents.
#' @param prior Prior probabilities to use instead of the model's, named by class, in class order,
#'   or `"uniform"`. They are known. `"estimated"`: the shares of the classes are drawn and
#'   learned, like the parameters.
#' @param price The price of a new row, in units of the cost. Needs `cases`.
#' @param cases How many cases will be decided.
#' @param draws The number of draws. The standard error falls with its square root.
#' @inheritParams bayesrisk_arguments
#' @inheritParams simulate_parameters
#' @details
#' In each draw the parameters come from their posterior ([simulate_parameters()] has the
#' distributions), the new rows and 1,000 cases from a model with these parameters. The model before
#' and after the update with the new rows decides the cases. The difference of their mean costs, by
#' the probabilities under the drawn parameters, is the saving of the draw. Its mean is the expected
#' value of sample information. The attribute `limit` is what the model would save if it knew the
#' parameters. All numbers of rows and all classes use the same draws.
#'
#' Decisions by predictive distributions are those of least expected cost, given the rows. Their
#' saving is never negative, and it rises with `n` up to the limit. Plug-in decisions from few rows
#' cost more, and so more rows save more. A tempered model decides by its exponents, which stay as
#' they are; the rows are drawn from the densities without exponents, and a message
#' (`bayesrisk_message_untempered`) says so.
#'
#' The result supposes that the kind of model is right: more data do not save what a wrong model
#' costs. Savings are estimates from draws: one that is near 0 may come out negative. Parameters
#' without a posterior, which [simulate_parameters()] names, count as known. The print says so: new
#' rows can make them worse, but not better.
#' @concept EVSI
#' @concept sample information
#' @return A data frame of class `bayesrisk_data_value`, with a row for each number of rows (and
#'   class): `class` (`NA` for `by = "all"`), `n`, `saving` (per case, in units of the cost),
#'   `std_error`, and with `price` also `net`, which is `cases * saving - n * price`, and `best`,
#'   which marks the largest `net` if it is positive.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a cost that differs by case, or a
#'   model with known parameters; `bayesrisk_error_degenerate` as in [simulate_parameters()].
#' @references Raiffa, H. and Schlaifer, R. (1961). *Applied Statistical Decision Theory*: the
#'   expected value of sample information.
#' @seealso [decision_stability()], case by case; [value_of_information()] for more features
#' @examples
#' few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
#' cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 1, "1" = 0))
#' value_of_data(few, cost, n = c(10, 100), draws = 50)
#' value_of_data(few, cost, n = c(10, 100), draws = 50, price = 2, cases = 1e4)
#' @export
value_of_data <- function(object, cost = NULL, n = c(10, 30, 100, 300, 1000),
                          by = c("all", "class"), price = NULL, cases = NULL, draws = 200, seed = 1,
                          estimate = c("predictive", "plugin"), prior = NULL, ...,
                          threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  check_no_bag(object, call)
  tell_untempered(object, decides = TRUE)
  check_has_statistics(object, call)
  cost <- read_cost(cost, object$schema$classes$levels, call = call)
  n <- check_sizes(n, call)
  by <- check_choice(by, c("all", "class"), "by", call)
  price <- check_data_price(price, cases, call)
  draws <- check_whole_number(draws, "draws", min = 2, call = call)
  seed <- check_seed(seed, call)
  threads <- check_threads(threads, call)
  estimate <- if (missing(estimate) && is_tempered(object)) {
    object$parameters$temper$estimate
  } else {
    check_choice(estimate, c("predictive", "plugin"), "estimate", call)
  }
  tell_other_scores(object, estimate)
  learned <- identical(prior, "estimated")
  object$parameters$prior <- if (learned) {
    object$statistics$classes$weight / sum(object$statistics$classes$weight)
  } else {
    predict_prior(object, prior, call)
  }
  posterior <- proper_posterior(object, call)
  models <- list(plugin = object, predictive = posterior_centre(object, posterior))
  groups <- if (by == "all") NA_integer_ else which(object$parameters$prior > 0)
  found <- lapply(groups, function(group) {
    simulate_data_value(models, estimate, learned, cost, n, group, draws, seed, threads, call)
  })
  known <- known_parameters(posterior, object)
  new_data_value(found, object$schema$classes, groups, n, price, known, call)
}

check_sizes <- function(n, call) {
  n <- check_numbers(n, "n", min = 1, call = call)
  if (any(n != round(n)) || any(n > 1e6)) {
    abort_argument("{.arg n} must hold whole numbers from 1 to 1e6.", call)
  }
  sort(unique(as.integer(n)))
}

# list(row, cases), or NULL.
check_data_price <- function(price, cases, call) {
  if (is.null(price) && is.null(cases)) return(NULL)
  if (is.null(price) || is.null(cases)) {
    abort_argument("{.arg price} and {.arg cases} need each other.", call)
  }
  list(
    row = check_number(price, "price", min = 0, call = call),
    cases = check_number(cases, "cases", min = 1, call = call)
  )
}

# `models`: the model as it is, and at the centre of the posterior of its parameters. `learned`:
# whether the new rows say something about the prior. `group`: the class of the new rows, or NA.
simulate_data_value <- function(models, estimate, learned, cost, n, group, draws, seed, threads,
                                call) {
  object <- models$plugin
  call_engine(data_value_cpp(
    engine_model(models[[estimate]]), engine_model(models$predictive),
    if (learned) object$statistics$classes$weight else numeric(), object$statistics,
    estimate_options(object$spec, object$schema, object$plan, call),
    if (learned) numeric() else object$parameters$prior, object$spec$degenerate == "pool",
    cost$fixed, n, group, 1000, draws, seed, threads
  ), call)
}

new_data_value <- function(found, classes, groups, n, price, known, call) {
  average <- function(x) unlist(call_engine(mean_and_error_cpp(x, numeric()), call))
  savings <- do.call(cbind, lapply(found, `[[`, "saving"))
  averages <- apply(savings, 2L, average)
  table <- data.frame(
    class = as_class_factor(rep(groups, each = length(n)), classes), n = rep(n, length(groups)),
    saving = unname(averages["mean", ]),
    std_error = unname(averages["standard_error", ])
  )
  if (!is.null(price)) {
    table$net <- price$cases * table$saving - table$n * price$row
    table$best <- table$net > 0 & seq_along(table$net) == which.max(table$net)
  }
  structure(
    table, limit = average(found[[1L]]$limit)[["mean"]], price = price, draws = nrow(savings),
    known = known,
    class = c("bayesrisk_data_value", "bayesrisk_result", "data.frame")
  )
}

#' @export
describe.bayesrisk_data_value <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  table <- plain_frame(x)
  if (all(is.na(table$class))) table$class <- NULL
  number <- function(v) format(v, digits = show$digits)
  best <- if (is.logical(x$best)) utils::head(which(x$best), 1L)
  class <- as.character(x$class[best])
  list(
    title_item("value of more labelled data"),
    sentences_item(c(
      sprintf(
        "Knowing the parameters would save %s per case (%s).", number(attr(x, "limit")),
        count_of(attr(x, "draws"), "draw", "draws")
      ),
      if (length(best)) {
        sprintf(
          "%s%s pay most: a net saving of %s.", count_of(x$n[[best]], "row", "rows"),
          if (is.na(class)) "" else paste(" of class", encodeString(class)),
          number(x$net[[best]])
        )
      } else if (!is.null(x$best)) {
        "No number of rows is worth its price."
      },
      attr(x, "known")
    )),
    table_item(table)
  )
}
