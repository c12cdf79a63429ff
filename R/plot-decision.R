#' Plot decisions: how often each action is taken, and by what margin
#'
#' Left panel: the share of the cases for which each action is taken, with the mean expected cost of
#' these cases. Right panel: for each action, the share of its cases with a margin of at most x. A
#' curve that rises early belongs to an action with many small margins; slightly different costs or
#' probabilities would change many of its decisions.
#'
#' @param x A [decide()] result, or rows of one.
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model], but no limits: the
#'   panels differ in them. `col`, `lty` and `lwd` are those of the actions.
#' @details Margins are drawn up to the largest margin, but at most up to twice the 95 % quantile,
#'   so that a few large margins do not press the curves onto the axis. With a single action there
#'   are no margins, and the plot has one panel.
#' @return A ggplot, whose element `data` has the drawn actions, as in
#'   [summary()][summary.bayesrisk_decision]. Its attribute `margins` is a data frame with `action`,
#'   `margin` and `share` (`NULL` for a single action).
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [decide()], [summary()][summary.bayesrisk_decision]
#' @examples
#' model <- fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris)
#' cost <- cost_matrix(
#'   keep = c(setosa = 0, versicolor = 1, virginica = 10),
#'   discard = c(setosa = 2, versicolor = 2, virginica = 0), ask = 1
#' )
#' plot(decide(model, iris, cost))
#' @export
plot.bayesrisk_decision <- function(x, ...) {
  call <- rlang::current_env()
  drawn <- decision_data(x, call)
  reads <- c("col", if (!is.null(drawn$margins)) c("lty", "lwd"))
  style <- read_style(list(...), call, reads, colnames(decided_by(x)))
  finish_figure(decision_figure(drawn, style), style)
}

decision_data <- function(x, call) {
  check_any_drawn(!all(is.na(x$decision)), call)
  several <- nlevels(x$decision) > 1L
  list(
    actions = summary(x)$actions, margins = if (several) margin_shares(x),
    gains = are_gains(mean(x$cost, na.rm = TRUE), decided_by(x))
  )
}

# For each action, the share of its cases with a margin of at most x, on a common grid.
margin_shares <- function(x) {
  known <- !is.na(x$decision)
  margin <- x$margin[known]
  by_action <- lapply(split(margin, x$decision[known]), sort)
  grid <- seq(0, margin_limit(margin), length.out = 513L)
  shares <- vapply(by_action, function(sorted) {
    if (length(sorted)) findInterval(grid, sorted) / length(sorted) else rep(NA_real_, 513L)
  }, grid)
  data.frame(
    action = factor(rep(names(by_action), each = length(grid)), names(by_action)),
    margin = rep(grid, length(by_action)), share = as.vector(shares)
  )
}

# Margins may be infinite, and all may be 0.
margin_limit <- function(margin) {
  finite <- margin[is.finite(margin)]
  finite_max(min(max(finite, 0), 2 * stats::quantile(finite, 0.95, names = FALSE), na.rm = TRUE))
}

# The first panel has the shares of the actions, the second one, if there are margins, their shares.
decision_figure <- function(drawn, style) {
  actions <- drawn$actions
  margins <- drawn$margins
  keys <- label_style(as.character(actions$action), style)
  one <- is.null(margins)
  gains <- drawn$gains
  titles <- c(
    gain_words("share of all cases, by action\n(number: their mean cost)", gains),
    if (!one) "share of the action's cases,\nby margin to the runner-up"
  )
  in_panel <- function(rows, k) cbind(rows, panel = factor(titles[[k]], titles))
  shares <- cbind(in_panel(actions, 1L), zero = 0, room = 1.08 * max(actions$share))
  shown <- prettyNum(signif(gain_numbers(actions$cost, gains), 3L))
  shares$text <- ifelse(actions$cases > 0L, shown, "")
  if (!one) margins <- in_panel(margins, 2L)
  axis <- level_scales("x", actions$action, panels = length(titles))
  start_figure(structure(actions, margins = drawn$margins), c(label_scales(keys), axis)) +
    bars_of(shares, "x", "action", "zero", "share", fill = "action", in_legend = one) +
    (if (nrow(actions) <= 6L) {
      numbers_of(shares, x = "action", y = "share", label = "text", looks = list(vjust = -0.4))
    }) +
    ggplot2::geom_blank(aes_of(x = "action", y = "room"), shares) +
    (if (!one) lines_by(margins, "margin", "share", "action")) +
    panels_by(rbind(shares["panel"], margins["panel"])) +
    titled(
      if (one) gain_words("action (above: mean cost of its cases)", gains),
      if (one) "share of cases" else "share"
    )
}
