#' The contribution of each block to the score, or to the expected cost
#'
#' The log joint of a case is the log prior plus the log likelihood of every block of features.
#' `contributions()` shows these terms. With a `cost` it shows the reason for a decision in the unit
#' of the cost: how each block leads from the expected cost under the prior to the expected cost of
#' the case.
#'
#' @inheritParams bayesrisk_arguments
#' @inheritParams predict.bayesrisk_model
#' @param cost The cost of each action under each true class: see [cost_matrix()]. It may differ
#'   from case to case. `NULL`: contributions to the log joint.
#' @param default For models of groups: see [predict()][predict.bayesrisk_models].
#' @param order For contributions to the expected cost, the order in which blocks become known:
#'   * `"given"`: the order of the model, which is the order of the dimension `block`;
#'   * `"shapley"`: the mean over all orders (Shapley values), exact, for at most 12 blocks.
#'
#'   The contributions to the log joint are the same in any order.
#' @details The log joint is a sum, so the contribution of a block does not depend on the other
#'   blocks. An expected cost is no sum. The contribution of a block to the expected cost of an
#'   action is the change of this cost when the block becomes known:
#'   \deqn{\sum_k p(k \mid x_S, x_b)\, C(a, k) - \sum_k p(k \mid x_S)\, C(a, k)}{%
#'     sum_k p(k | x_S, x_b) C(a, k) - sum_k p(k | x_S) C(a, k)}
#'   with the blocks \eqn{S} that are known before block \eqn{b}. In the order `"given"` these are
#'   the blocks before \eqn{b}. The Shapley value of a block is the mean of this change over all
#'   orders of the blocks. It does not favour the blocks that come first, but it takes
#'   \eqn{2^B} expected costs for \eqn{B} blocks. In both orders the contributions of a case add up
#'   to its expected cost minus the expected cost under the prior. Blocks of a tempered model count
#'   with their exponents.
#'
#'   There are contributions for each action, not only for the decision: a decision is explained by
#'   its own cost and by the cost of the best alternative. The
#'   [plot()][plot.bayesrisk_cost_contributions] draws both.
#'
#'   Two infinite expected costs do not differ. If a block changes an expected cost to infinity or
#'   from infinity, its contribution is infinite, and the sum over blocks has no number. The print
#'   and the plot show the expected cost all the same. `NA`: the cost is not known.
#'
#'   Models of groups, `fit(by = )`, explain each case by the model of its group.
#'
#'   Posterior probabilities of other classifiers have no contributions, because they do not
#'   contain the parts of the single features.
#' @return An array of class `bayesrisk_contributions`, cases x (1 + blocks) x classes, with
#'   dimnames `case`, `block` (`"(prior)"`, then the single features and the joint blocks) and
#'   `class`. The sum over blocks is `predict(type = "log_joint")`. A block whose features are
#'   missing adds 0.
#'
#'   With a `cost`: an array of class `bayesrisk_cost_contributions`, cases x (1 + blocks) x
#'   actions, with dimnames `case`, `block` and `action`. `"(prior)"` is the expected cost when no
#'   feature is known. The sum over blocks is `predict(type = "cost")`. The attributes `decision`
#'   and `runner_up` are those of [decide()]: for each case the action and the cheapest other
#'   action.
#'
#'   Subsets of the array and results computed from it are plain arrays. [as.data.frame()] has a row
#'   per case, block and class or action. Printing adds the sum, and the posterior of a log joint.
#' @inheritSection predict.bayesrisk_model Errors
#' @source The lecture "Bayesian Learning (Galili, Shamir, Yakhini)": the sum of
#'   logs takes the place of the product.
#' @references L. S. Shapley (1953), A value for n-person games, *Contributions to the Theory of
#'   Games* II, 307-317.
#' @seealso [plot()][plot.bayesrisk_contributions]: from the prior by the features to the posterior;
#'   [flip()]: which values would change the decision
#' @examples
#' model <- fit(bayes_naive(), play ~ ., play_tennis)
#' case <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' parts <- contributions(model, case)
#' parts
#' parts[1, , ]
#' apply(parts, c(1, 3), sum)
#' predict(model, case, type = "log_joint")
#'
#' # The reason for a decision, in money
#' cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
#' contributions(model, case, cost)
#' contributions(model, case, cost, order = "shapley")
#' predict(model, case, type = "cost", cost = cost)
#' @export
contributions <- function(object, newdata, cost = NULL, prior = NULL, order = c("given", "shapley"),
                          estimate = c("plugin", "predictive"), default = NULL, ...,
                          threads = default_threads()) {
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  order <- check_choice(order, c("given", "shapley"), "order", call)
  if (is_models(maybe(object))) {
    asked <- list(
      cost = cost, prior = prior, order = order, estimate = estimate, default = default,
      threads = threads
    )
    return(contributions_of_groups(check_groups(object, call, "object"), newdata, asked, call))
  }
  check_has_blocks(maybe(object), call)
  object <- check_model(maybe(object), call)
  object <- as_estimated(object, estimate, call)
  prior <- predict_prior(object, prior, call)
  read <- read_newdata(object$schema, newdata, call)
  if (!is.null(cost)) {
    cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
    return(cost_contributions(object, read, cost, prior, order, threads, call))
  }
  blocks <- block_names(object)
  result <- call_engine(
    contributions_cpp(engine_model(object, prior), read$frame, length(blocks), threads), call
  )
  report_rows(result$report, object, prior, read$frame, call)
  dimnames(result$value) <- list(
    case = read$row_names, block = c("(prior)", blocks), class = object$schema$classes$levels
  )
  structure(result$value, class = c("bayesrisk_contributions", "bayesrisk_result"))
}

# Each case by the model of its group, in the order of the rows. `asked`: the arguments of
# contributions().
contributions_of_groups <- function(models, newdata, asked, call) {
  own <- list(plan = attr(models, "plan"), schema = attr(models, "schema"))
  if (is_model(asked$default) && !identical(block_names(asked$default), block_names(own))) {
    abort_argument("{.arg default} must have the features and blocks of the groups.", call)
  }
  found <- by_group(models, newdata, asked$default, call, function(model, rows) {
    own <- contributions(
      model, rows, asked$cost, asked$prior, asked$order, asked$estimate, threads = asked$threads
    )
    c(
      list(value = array(own, dim(own), dimnames(own))),
      attributes(own)[intersect(c("decision", "runner_up"), names(attributes(own)))]
    )
  })
  if (is.null(asked$cost)) {
    return(structure(found$value, class = c("bayesrisk_contributions", "bayesrisk_result")))
  }
  cost <- read_cost(
    asked$cost, attr(models, "schema")$classes$levels, newdata, nrow(found$value), call
  )
  new_cost_contributions(found, asked$order, cost, predict(
    models, newdata, "cost", asked$cost, asked$prior, asked$estimate, asked$default,
    threads = asked$threads
  ))
}

# `found`: a list with value, decision and runner_up; `expected`: the expected cost of each action,
# computed only if infinite steps cancel, which do not tell it.
new_cost_contributions <- function(found, order, cost, expected) {
  infinite <- any(is.infinite(found$value))
  structure(
    found$value, decision = found$decision, runner_up = found$runner_up, order = order,
    expected = if (infinite) suppressWarnings(expected, classes = "bayesrisk_warning"),
    made_with = kept_cost(cost),
    class = c("bayesrisk_cost_contributions", "bayesrisk_contributions", "bayesrisk_result")
  )
}

# Shapley values need an expected cost for each subset of the blocks.
most_shapley_blocks <- 12L

# `read`: a result of read_newdata(); `cost`: a result of read_cost().
cost_contributions <- function(object, read, cost, prior, order, threads, call) {
  blocks <- block_names(object)
  if (order == "shapley" && length(blocks) > most_shapley_blocks) {
    abort_argument(c(
      "{.code order = \"shapley\"} is for at most {most_shapley_blocks} blocks; the model has
       {length(blocks)}.",
      i = "{.code order = \"given\"} has no such limit."
    ), call)
  }
  result <- call_engine(cost_contributions_cpp(
    engine_model(object, prior), read$frame, cost, length(blocks), order == "shapley", threads
  ), call)
  report_rows(result$report, object, prior, read$frame, call)
  dimnames(result$value) <- list(
    case = read$row_names, block = c("(prior)", blocks), action = cost$actions
  )
  new_cost_contributions(
    result, order, cost, decide_rows(object, read, "cost", prior, cost, threads, call)$value
  )
}

# A table of posterior probabilities holds the result of all blocks, not the single blocks.
check_has_blocks <- function(object, call) {
  if (is_model(object) || !holds_posterior(object)) return(invisible())
  check_places(call)
  abort_wanted(object, "object", "a fitted model", call, c(
    i = "Posterior probabilities do not contain the contributions of single features."
  ))
}

# Subsets of contributions and results computed from them are plain arrays.
#' @export
Math.bayesrisk_contributions <- function(x, ...) {
  get(.Generic, mode = "function")(plain_array(x), ...)
}

#' @export
Ops.bayesrisk_contributions <- function(e1, e2) {
  plain <- lapply(if (nargs() == 1L) list(e1) else list(e1, e2), plain_array)
  do.call(.Generic, plain)
}

plain_array <- function(x) {
  if (!inherits(x, "bayesrisk_contributions")) return(unclass(x))
  array(x, dim(x), dimnames(x))
}

#' @export
result_rows.bayesrisk_contributions <- function(x, call) {
  labels <- dimnames(x)
  labels$case <- case_labels(x)
  array_rows(x, "contribution", labels)
}

# Names that occur twice get a number.
case_labels <- function(x) {
  named <- dimnames(x)$case
  if (is.null(named)) as.character(seq_len(dim(x)[[1L]])) else make.unique(named)
}

#' @export
describe.bayesrisk_contributions <- function(x, show) {
  describe_cases(
    x, show, contributions_title(x), case_heading, case_contributions,
    "the two most probable classes"
  )
}

# `heading(x, i)`, `table(x, i, show)`: of case i. `leading`: the columns of a table that is cut.
describe_cases <- function(x, show, title, heading, table, leading) {
  cases <- dim(x)[[1L]]
  shown <- seq_len(min(cases, if (is.null(show$n)) 3L else show$n))
  tables <- lapply(shown, function(i) {
    list(heading_item(heading(x, i)), table_item(table(x, i, show)))
  })
  cut <- is.null(show$n) && length(shown) && !is_small_table(case_matrix(x, 1L))
  c(
    list(title_item(title)), unlist(tables, recursive = FALSE),
    list(sentences_item(c(
      more_of(cases - length(shown), c("case", "cases")),
      if (cut) sprintf("For each case: %s, and the blocks that separate them most.", leading)
    )))
  )
}

case_heading <- function(x, i) paste("case", encodeString(case_labels(x)[[i]]))

contributions_title <- function(x) {
  sprintf(
    "contributions to the log joint: %s, %s, %s", count_of(dim(x)[[1L]], "case", "cases"),
    count_of(dim(x)[[2L]] - 1L, "block", "blocks"), count_of(dim(x)[[3L]], "class", "classes")
  )
}

# One case as a block x class matrix of text, with the sum and the posterior. If there are many
# blocks and classes, the matrix has the two most probable classes and the blocks that separate them
# most.
case_contributions <- function(x, i, show) {
  parts <- case_matrix(x, i)
  joint <- colSums(parts)
  largest <- max(joint)
  shares <- exp(joint - largest)
  posterior <- if (is.finite(largest)) shares / sum(shares) else NA_real_ * joint
  if (is.null(show$n) && !is_small_table(parts)) {
    leading <- order(-joint)[seq_len(min(2L, length(joint)))]
    parts <- telling_blocks(parts[, leading, drop = FALSE])
    joint <- joint[leading]
    posterior <- posterior[leading]
  }
  logs <- rbind(parts, `log joint` = joint)
  text <- array(format(logs, digits = show$digits), dim(logs), dimnames(logs))
  shown <- rbind(text, posterior = vapply(posterior, format, "", digits = show$digits))
  names(dimnames(shown)) <- c("block", "class")
  shown
}

# The prior, the five blocks with the largest difference between two classes, and the sum of the
# others.
telling_blocks <- function(parts) {
  if (nrow(parts) <= 7L || ncol(parts) < 2L) return(parts)
  gap <- abs(parts[-1L, 1L] - parts[-1L, 2L])
  kept <- 1L + order(-gap)[1:5]
  others <- parts[-c(1L, kept), , drop = FALSE]
  rest <- colSums(others)
  rbind(parts[c(1L, kept), ], matrix(rest, 1L, dimnames = list(
    sprintf("(%d others)", nrow(others)), NULL
  )))
}

case_matrix <- function(x, i) array(unclass(x)[i, , ], dim(x)[-1L], dimnames(x)[-1L])

# The print of contributions to expected costs. contributions() makes them.

#' @export
describe.bayesrisk_cost_contributions <- function(x, show) {
  describe_cases(
    x, show, cost_contributions_title(x), case_decision, case_costs,
    "the decision, the best alternative"
  )
}

cost_contributions_title <- function(x) {
  sprintf(
    gain_words("contributions to the expected cost%s: %s, %s, %s", steps_gain(x)),
    if (identical(attr(x, "order"), "shapley")) " (Shapley values)" else "",
    count_of(dim(x)[[1L]], "case", "cases"), count_of(dim(x)[[2L]] - 1L, "block", "blocks"),
    count_of(dim(x)[[3L]], "action", "actions")
  )
}

# Whether the costs and what adds to them are shown as gains.
steps_gain <- function(x) {
  prior <- unclass(x)[, 1L, , drop = FALSE]
  are_gains(prior, attr(x, "made_with"))
}

case_decision <- function(x, i) {
  decision <- as.character(attr(x, "decision")[[i]])
  if (is.na(decision)) return(paste0(case_heading(x, i), ", no decision"))
  paste0(case_heading(x, i), ", decision ", encodeString(decision))
}

# One case as a block x action matrix of text, with the sum. If there are many blocks and actions,
# the matrix has the decision, the best alternative and the blocks that separate them most.
case_costs <- function(x, i, show) {
  parts <- case_matrix(x, i)
  total <- case_total(x, i)
  if (is.null(show$n) && !is_small_table(parts)) {
    leading <- leading_actions(x, i)
    parts <- telling_blocks(parts[, leading, drop = FALSE])
    total <- total[leading]
  }
  # A sum of 0 may have an error of rounding.
  total[which(abs(total) < 1e-13 * max(abs(parts[is.finite(parts)]), 0))] <- 0
  gains <- steps_gain(x)
  costs <- gain_numbers(rbind(parts, total), gains)
  rownames(costs)[[nrow(costs)]] <- gain_words("expected cost", gains)
  shown <- array(format(costs, digits = show$digits), dim(costs), dimnames(costs))
  names(dimnames(shown)) <- c("block", "action")
  shown
}

# The expected cost of each action.
case_total <- function(x, i) {
  total <- colSums(case_matrix(x, i))
  expected <- attr(x, "expected")
  if (is.null(expected)) total else ifelse(is.nan(total), expected[i, ], total)
}

# The decision and the best alternative, by position. A case without a decision has its first two
# actions.
leading_actions <- function(x, i) {
  leading <- as.integer(c(attr(x, "decision")[[i]], attr(x, "runner_up")[[i]]))
  if (anyNA(leading[[1L]])) return(seq_len(min(2L, dim(x)[[3L]])))
  leading[!is.na(leading)]
}
