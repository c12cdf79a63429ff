#' How firm are decisions, given what the data allow?
#'
#' The parameters of a model are estimates. `decision_stability()` draws other parameters that the
#' training data allow, and decides each case with each of them. The result has the posterior
#' probability that a decision is the best one.
#'
#' @param object A fitted model.
#' @param n The number of draws.
#' @param level The probability of the interval of a class probability.
#' @param class The class whose probability is shown, for all cases. Default: the most probable
#'   class of each case.
#' @inheritParams bayesrisk_arguments
#' @inheritParams simulate_parameters
#' @details
#' Draws are those of [simulate_parameters()], whose help page has the posteriors. A `prior` that is
#' given here counts as known. The new cases themselves do not change the posterior, because their
#' classes are not known. The decision is that of [decide()], with the estimates of the model.
#'
#' Let \eqn{a} be the decision of a case, and \eqn{R_\theta(a)}{R_theta(a)} its expected cost under
#' the parameters \eqn{\theta}{theta}. `saving` is the mean of
#' \eqn{R_\theta(a) - \min_b R_\theta(b)}{R_theta(a) - min_b R_theta(b)} over the draws: what
#' knowing the parameters would save for this case, the expected value of perfect information about
#' them. A decision that stays in half of the draws needs no more data if its saving is near 0.
#'
#' Intervals suppose that the model holds. They do not tell whether its features depend on each
#' other: see [temper()] and [assess_decisions()].
#' @concept probability that a decision is optimal
#' @return A data frame of class `bayesrisk_stability` with a row for each case:
#' * `decision`;
#' * `stays`: the share of draws with the same decision;
#' * `runner_up`, `runner_up_share`: the most frequent other decision, and its share;
#' * `saving`: in units of the cost;
#' * `class`, `probability`: a class and its posterior probability;
#' * `lower`, `upper`: the interval of this probability.
#'
#' The attribute `intervals` is a list of three matrices, cases x classes: `probability`, `lower`
#' and `upper`. A case without a decision has `NA`.
#' @section Errors: as in [decide()] and [simulate_parameters()].
#' @references Raiffa, H. and Schlaifer, R. (1961). *Applied Statistical Decision Theory*: the
#'   expected value of perfect information.
#' @seealso `vignette("believing")`, [simulate_parameters()]; [value_of_information()] and
#'   [next_feature()] for what features, not data, would save
#' @examples
#' few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
#' cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 1, "1" = 0))
#' stability <- decision_stability(few, mtcars, cost, n = 200)
#' stability
#' stability[stability$stays < 0.9, ]
#' @export
decision_stability <- function(object, newdata, cost = NULL, prior = NULL, n = 1000, seed = 1,
                               level = 0.95, class = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  n <- check_whole_number(n, "n", min = 1, call = call)
  seed <- check_seed(seed, call)
  level <- check_level(level, call)
  threads <- check_threads(threads, call)
  check_has_statistics(object, call)
  if (!is.null(class)) class <- check_choice(class, object$schema$classes$levels, "class", call)
  weight <- prior_weight(object, prior)
  prior <- predict_prior(object, prior, call)
  read <- read_newdata(object$schema, newdata, call)
  cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  posterior <- proper_posterior(object, call)
  decided <- decide_rows(object, read, "decision", prior, cost, threads, call, "prob")
  found <- call_engine(decision_stability_cpp(
    engine_model(posterior_centre(object, posterior), prior), weight, read$frame, cost,
    decided$value, n, seed, level, threads
  ), call)
  new_stability(found, decided$value, decided$posterior, class, list(
    draws = n, level = level, known = known_parameters(posterior, object)
  ))
}

# A decision is firm if it stays in this share of the draws.
firm_share <- 0.95

# `found`: a result of the engine; `probability`: cases x classes.
new_stability <- function(found, decided, probability, class, settings) {
  classes <- colnames(probability)
  rows <- nrow(probability)
  shown <- if (is.null(class)) {
    max.col(replace(probability, is.na(probability), 0), "first")
  } else {
    rep(match(class, classes), rows)
  }
  at <- cbind(seq_len(rows), shown)
  intervals <- lapply(found[c("lower", "upper")], function(limit) {
    limit[is.na(probability)] <- NA_real_
    structure(limit, dimnames = dimnames(probability))
  })
  unknown <- is.na(probability[at])
  names <- rownames(probability)
  plain <- is.null(names) || anyNA(names) || anyDuplicated(names)
  structure(
    list(
      decision = decided, stays = open_as_na(found$stays), runner_up = found$runner_up,
      runner_up_share = open_as_na(found$runner_up_share), saving = open_as_na(found$saving),
      class = factor(classes[replace(shown, unknown, NA)], classes),
      probability = unname(probability[at]), lower = unname(intervals$lower[at]),
      upper = unname(intervals$upper[at])
    ),
    row.names = if (plain) .set_row_names(rows) else names,
    class = c("bayesrisk_stability", "bayesrisk_result", "data.frame"),
    intervals = c(list(probability = probability), intervals), settings = settings
  )
}

#' @export
describe.bayesrisk_stability <- function(x, show) {
  settings <- attr(x, "settings")
  first <- plain_frame(x)[seq_len(min(nrow(x), most_rows(show, 10L))), , drop = FALSE]
  first <- data.frame(row = rownames(first), first)
  stays <- x$stays[!is.na(x$stays)]
  number <- function(v) format(v, digits = show$digits)
  list(
    title_item(sprintf(
      "stability of %s under %s of the parameters", count_of(nrow(x), "decision", "decisions"),
      count_of(settings$draws, "draw", "draws")
    )),
    sentences_item(c(
      if (length(stays)) {
        sprintf(
          "%s in at least %s %% of the draws; the least stable one stays in %s %%.",
          count_of(sum(stays >= firm_share), "decision stays", "decisions stay"),
          format(100 * firm_share), number(100 * min(stays))
        )
      },
      if (length(stays)) {
        sprintf(
          "Knowing the parameters would save %s per case, on average.",
          number(mean(x$saving, na.rm = TRUE))
        )
      },
      sprintf(
        "lower and upper: %s of the probability of the class.", interval_name(settings$level)
      ),
      settings$known
    )),
    table_item(first, total = nrow(x))
  )
}
