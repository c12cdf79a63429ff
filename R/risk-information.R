#' The value of seeing features
#'
#' The reduction of the expected cost per case if a feature is seen before deciding: an upper bound
#' for the price of measuring it. The result covers each feature on its own (expected value of
#' partial perfect information, EVPPI), all features together, and the truth itself (expected value
#' of perfect information, EVPI). The value of the truth is an upper bound for the value of any
#' test.
#'
#' @inheritParams bayesrisk_arguments
#' @inheritParams bayes_risk
#' @param features The names of the features to measure, each alone. A list has sets of them, each
#'   measured together: `list("a", c("a", "b"))`. Default: each feature.
#' @param all Whether to measure all features of the model together, the row `"all"`. With several
#'   numeric features this row takes the most time. Without it nothing is random, and the values of
#'   single features under 0-1 cost are their importance in mlr3 and caret.
#' @concept EVPI
#' @concept EVPPI
#' @concept perfect information
#' @return A data frame of class `bayesrisk_information`:
#'   * `known`: `"nothing"`, the name of each feature, the names of each set joined by `" + "`,
#'     `"all"`, `"perfect"`;
#'   * `risk`: the expected cost per case of the best rule that knows this feature, with all other
#'     features marginalised; for `"perfect"`, of the best action for each class;
#'   * `value`: the risk of knowing nothing minus this risk.
#'
#'   `"nothing"` and single features are exact. Sets and `"all"` are computed as [bayes_risk()] is.
#'   Attributes: its `method` and `accuracy`, those of the least accurate row.
#'
#'   The values of two features do not add up: their information may overlap, or both together may
#'   be worth more than the sum of their values.
#' @section Tempered models: the densities count without the exponents of [temper()], and a message
#'   (`bayesrisk_message_untempered`) says so.
#' @section Errors: `bayesrisk_error_argument`, which names the argument, or the class that a cost
#'   or a prior lacks.
#' @references
#' R. A. Howard (1966), Information value theory, *IEEE Transactions on Systems
#' Science and Cybernetics* 2(1), 22-26.
#' @source The letters are those of the lecture "Applied Machine Learning
#'   Fundamentals, Unit III: Bayesian Decision Theory (Wehner)".
#' @seealso [next_feature()] for a partly known case,
#'   [plot()][plot.bayesrisk_information]
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' value_of_information(ocr)
#'
#' tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' cost <- cost_matrix(book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0), ask = 1.5)
#' value_of_information(tennis, cost)
#' @export
value_of_information <- function(object, cost = NULL, prior = NULL, features = NULL, all = TRUE,
                                 seed = 1, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  check_no_bag(object, call)
  tell_untempered(object)
  object <- untempered(object)
  prior <- predict_prior(object, prior, call)
  cost <- read_cost(cost, object$schema$classes$levels, call = call)
  settings <- check_risk_settings(NULL, NULL, seed, threads, call)
  read <- known_rows(object, NULL, call)
  sets <- asked_sets(object, features, call)
  all <- check_flag(all, "all", call)
  nothing <- min(score(object, read, "cost", prior, cost, 1L, call))
  single <- lengths(sets) == 1L
  asked <- as.integer(unlist(sets[single]))
  each <- worth_of_features(object, read, prior, cost, asked, settings$threads, call)
  computed <- lapply(c(sets[!single], if (all) list(NULL)), function(set) {
    compute_risk(new_world(object, prior, set), cost, settings, call)
  })
  met <- prior > 0
  perfect <- sum(prior[met] * apply(cost$fixed, 2L, min)[met])
  risk <- value <- numeric(length(sets) + all)
  risk[which(single)] <- each$after
  value[which(single)] <- each$value
  less <- function(risk) ifelse(risk == nothing, 0, nothing - risk)
  wide <- c(!single, all[all])
  risk[wide] <- vapply(computed, `[[`, 1, "total")
  value[wide] <- less(risk[wide])
  worst <- if (length(computed)) computed[[which.max(vapply(computed, `[[`, 1, "accuracy"))]]
  labels <- vapply(sets, function(set) {
    paste(names(object$schema$features)[set], collapse = " + ")
  }, "")
  structure(
    data.frame(
      known = c("nothing", labels, if (all) "all", "perfect"), risk = c(nothing, risk, perfect),
      value = c(0, value, less(perfect))
    ),
    method = worst$method, accuracy = worst$accuracy, utility = is_utility(cost$origin),
    class = c("bayesrisk_information", "bayesrisk_result", "data.frame")
  )
}

# A list of the positions of the features of each set.
asked_sets <- function(object, features, call) {
  if (!is.list(features) || is.object(features)) {
    return(as.list(asked_features(object, features, call)))
  }
  if (!length(features)) abort_argument("{.arg features} must have a set of features.", call)
  lapply(unname(features), function(set) {
    if (!is.character(set) || !length(set)) {
      abort_wanted(set, "features", "a list of names of features", call)
    }
    asked_features(object, set, call)
  })
}

#' @export
describe.bayesrisk_information <- function(x, show) {
  gains <- shows_gains(x, x$risk)
  shown <- plain_frame(x)
  if (gains) {
    shown$risk <- gain_numbers(shown$risk, gains)
    names(shown)[names(shown) == "risk"] <- "gain"
  }
  list(
    title_item(gain_words("value of information, in expected cost per case", gains)),
    table_item(shown)
  )
}
