#' Plot a test plan: its tree, or its cost beside other strategies
#'
#' @param x A [test_plan()].
#' @param type What to draw:
#'   * `"tree"` (the default): the tests from left to right, the answers on the lines between them,
#'     and the decisions as boxes in the colours of the actions. The wider a line, the more cases
#'     take it; where there is room, a number has the share of the cases of the test. Of a tree that
#'     is too large, the branches that fewest cases reach are boxes with the number of their steps,
#'     answers of less than one case in 1,000 are one, and a message says how many decisions are
#'     hidden;
#'   * `"cost"`: a bar for the expected cost of each strategy: deciding now, all tests at once, the
#'     best test of [next_feature()] again and again, and the plan. A dotted line marks the bound
#'     that no plan is below. Strategies of infinite cost have a text instead of a bar. Those of
#'     unknown cost are left out.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col` holds the colours of
#'   the actions, or of the bars. Limits (`xlim`, `ylim`) are those of `"cost"`.
#' @param limit For `"tree"`, the maximum number of boxes at the ends of branches. A small figure
#'   has fewer. Its width also limits the number of tests in a row.
#' @return A ggplot, whose element `data` has the drawn data. `"tree"`: a data frame with a row for
#'   each box from top to bottom: `node` and `parent`, as in [tidy()][tidy.bayesrisk_test_plan];
#'   `x` and `y`, its place; `reach`, the probability that a case comes to it; `answer` and `label`,
#'   its texts; `decision`, `NA` for a test; `hidden`, the number of nodes that it stands for and
#'   that are not drawn.
#'   `"cost"`: `strategy` and `cost`.
#' @section Errors: `bayesrisk_error_argument` names the argument, also if no cost is finite;
#'   `bayesrisk_error_object` if the plan is damaged.
#' @seealso [test_plan()], [tidy()][tidy.bayesrisk_test_plan]
#' @examples
#' test <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(pos = 0.2, neg = 0.8))
#' model <- bayes_known(c(ill = 0.1, well = 0.9), first = test, second = test)
#' cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
#' plan <- test_plan(model, cost, price = 0.1)
#' plot(plan)
#' plot(plan, "cost")
#' @export
plot.bayesrisk_test_plan <- function(x, type = c("tree", "cost"), ..., limit = 30) {
  call <- rlang::current_env()
  type <- check_choice(type, c("tree", "cost"), "type", call)
  tree <- type == "tree"
  if (!tree && !missing(limit)) abort_argument("{.arg limit} is for {.code type = \"tree\"}.", call)
  limit <- check_whole_number(limit, "limit", min = 1, call = call)
  style <- read_style(list(...), call, if (tree) "col" else bar_parameters, if (tree) x$classes)
  figure <- if (tree) {
    drawn <- unless_damaged(plan_tree_data(x, limit), call)
    say_hidden(drawn, x$tree)
    plan_tree_figure(drawn, style)
  } else {
    plan_cost_figure(unless_damaged(plan_cost_data(x, call), call), style)
  }
  finish_figure(figure, style)
}

# Says how much of a tree is not drawn.
say_hidden <- function(drawn, tree) {
  ends <- sum(!is.na(tree$action))
  left_out <- ends - sum(!is.na(drawn$decision))
  if (!left_out) return(invisible())
  share <- share_texts(sum(drawn$reach[drawn$hidden > 0L]))
  inform_bayesrisk(c(
    "{left_out} of {ends} decisions not drawn: those that the fewest cases reach, {share}
     together.",
    i = "{.arg limit} and a larger figure draw more; {.code as.data.frame(x)} has all."
  ), "nodes")
}

plan_cost_data <- function(x, call) {
  drawn <- plan_strategies(x)[c("strategy", "cost")]
  drawn <- drawn[!is.na(drawn$cost), ]
  if (!any(is.finite(drawn$cost))) {
    abort_argument("{.arg x} has no finite cost to draw.", call)
  }
  row.names(drawn) <- NULL
  gains <- plan_gains(x)
  structure(drawn, gains = gains, bound = if (is.finite(x$lower)) gain_numbers(x$lower, gains))
}

plan_cost_figure <- function(drawn, style) {
  gains <- attr(drawn, "gains")
  bound <- attr(drawn, "bound")
  bars <- drawn[rev(seq_len(nrow(drawn))), ]
  bars$cost <- gain_numbers(bars$cost, gains)
  # Rounding is no difference.
  rounded <- signif(bars$cost, 6L)
  bars$text <- sprintf(
    ifelse(is.finite(rounded) & rounded < 0, "%s ", " %s"), distinct_texts(rounded, 3L)
  )
  bars$side <- as.double(endsWith(bars$text, " "))
  bars$cost[is.infinite(bars$cost)] <- 0
  bars$zero <- 0
  start_figure(drawn, c(level_scales("y", bars$strategy), roomy_axis(1L, any(bars$side == 1)))) +
    bars_of(bars, "y", "strategy", "zero", "cost", shade = label_style("cost", style)$col) +
    base_line(0, colour = "grey20") +
    base_line(bound, colour = "black", linetype = "dotted", linewidth = 0.8) +
    numbers_of(bars, x = "cost", y = "strategy", label = "text", hjust = "side") +
    titled(
      gain_words("expected cost per case, with prices", gains), NULL,
      caption = if (!is.null(bound)) {
        paste("Dotted: no plan", if (gains) "gains more." else "costs less.")
      }
    )
}
