#' Plot expected costs while a prior or a cost varies
#'
#' The expected cost of each action is a line; the smallest cost, the lower envelope, is emphasised.
#' A dotted line, marked above, shows where the decision changes. A solid grey line shows the
#' current prior or cost. For a case without known features and a varying prior, the plot adds the
#' Bayes risk: the expected cost at each prior if the features are seen before deciding. The
#' distance between envelope and Bayes risk is the value of seeing the features. The peak of the
#' Bayes risk is at the [minimax_prior()].
#'
#' @param x A [cost_sweep()].
#' @param ... Graphical parameters, as in [plot()][plot.bayesrisk_model]; `col`, `lty` and `lwd` are
#'   those of the actions.
#' @param rows The cases to draw, by their position in the new data, one panel each. Default: all
#'   (at most nine; a message names the omitted cases).
#' @details A cost with an infinite range is drawn from 0; the plot covers the current cost and the
#'   values at which the decision changes. `xlim` draws more. The Bayes risk is drawn only if it is
#'   exact: for at most one numeric feature and 1e4 combinations of levels.
#' @return A ggplot, whose element `data` has the drawn data: a data frame with `row`, `action`,
#'   `x`, `cost` and `chosen` (whether the action is decided there; for a corner, on one of its
#'   two sides), with one row for each action at each end and corner of the envelope. The Bayes
#'   risk, if it was drawn, is the attribute `risk`, a data frame with `x` and `risk`.
#' @section Errors: `bayesrisk_error_argument` names the argument.
#' @seealso [cost_sweep()]
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.2)
#' plot(cost_sweep(ocr, data.frame(pixels = c(18, 21)), cost, vary = "prior", class = "b"))
#' plot(cost_sweep(ocr, data.frame(pixels = 21), cost, vary = c(decision = "a", truth = "b")))
#' plot(cost_sweep(ocr, cost = cost))
#' @export
plot.bayesrisk_sweep <- function(x, ..., rows = NULL) {
  call <- rlang::current_env()
  style <- read_style(list(...), call, line_parameters, attr(x, "varied")$classes)
  drawn <- sweep_data(x, rows, style$xlim, call)
  finish_figure(sweep_figure(drawn, style, attr(x, "varied"), sweep_names(x)), style)
}

# One row for each case, action and corner of the envelope of the case. The Bayes risk is an
# attribute.
sweep_data <- function(x, rows, xlim, call) {
  rows <- drawn_rows(rows, unique(x$row[!is.na(x$decision)]), call)
  limits <- sweep_range(x, rows, xlim, call)
  cases <- lapply(rows, sweep_corners, sweep = x, limits = limits, call = call)
  risk <- sweep_risk(attr(x, "varied")$world, limits, call)
  structure(do.call(rbind, cases), risk = risk)
}

# The names of the cases, by their position. A case without a name has its position. Names that
# occur twice get a number, as each case has a panel.
sweep_names <- function(x) {
  first <- !duplicated(x$row)
  names <- if (is.null(x$case)) x$row else x$case
  stats::setNames(make.unique(as.character(names[first])), x$row[first])
}

# One panel for each case. `varied`: the parameter that the sweep varies, and its current value;
# `names`: those of the cases.
sweep_figure <- function(drawn, style, varied, names) {
  risk <- attr(drawn, "risk")
  keys <- sweep_keys(levels(drawn$action), style, !is.null(risk))
  cuts <- inner_corners(drawn)
  panels <- sweep_panels(unique(drawn$row), names, cuts, diff(range(drawn$x)))
  panel_of <- function(row) factor(panels[match(row, unique(drawn$row))], panels)
  lines <- cbind(drawn, panel = panel_of(drawn$row))
  cuts$panel <- panel_of(cuts$row)
  limits <- vapply(split(lines, lines$panel), function(case) {
    cost_limits(matrix(case$cost, ncol = nlevels(drawn$action)))
  }, c(0, 0))
  lines$action <- factor(lines$action, keys$labels)
  gains <- isTRUE(varied$utility) || are_gains(lines$cost)
  lines$cost <- gain_numbers(lines$cost, gains)
  one <- nlevels(lines$panel) == 1L
  axis <- if (one) cut_axis(cuts$x, drawn$x) else shared_axis(nlevels(lines$panel))
  start_figure(drawn, c(label_scales(keys), axis)) +
    base_line(varied$now) +
    ggplot2::geom_vline(aes_of(xintercept = "x"), cuts, colour = "grey30", linetype = "dotted") +
    least_cost(lines) + lines_by(lines, "x", "cost", "action") +
    risk_marks(risk, keys, gains) +
    panels_by(lines, "fixed") + view(ylim = range(gain_numbers(limits, gains))) +
    titled(
      sweep_axis(varied$label, names, unique(drawn$row)), gain_words("expected cost", gains)
    )
}

# The title of the x axis. `rows`: those drawn. One of several cases has no panel that names it.
sweep_axis <- function(label, names, rows) {
  if (length(rows) > 1L || length(names) == 1L) return(label)
  sprintf("%s (case %s)", label, names[[as.character(rows)]])
}

risk_label <- "Bayes risk, features seen"

# The keys of the actions and, below them, of the Bayes risk.
sweep_keys <- function(actions, style, risk) {
  keys <- label_style(actions, style)
  if (!risk) return(keys)
  own <- c("labels", "col", "lty", "lwd", "pch")
  rbind(keys[own], data.frame(
    labels = risk_label, col = "black", lty = "solid", lwd = 2.2, pch = 16L
  ))
}

risk_marks <- function(risk, keys, gains) {
  if (is.null(risk)) return(NULL)
  risk$risk <- gain_numbers(risk$risk, gains)
  risk$action <- factor(risk_label, keys$labels)
  lines_by(risk, "x", "risk", "action")
}

# The corners of the envelope of each case, without the ends of the sweep.
inner_corners <- function(drawn) {
  corners <- unique(drawn[c("row", "x")])
  corners[corners$x > min(drawn$x) & corners$x < max(drawn$x), ]
}

# The name of the panel of each row: the case and, as panels have no axis above, its cuts.
sweep_panels <- function(rows, names, cuts, width) {
  vapply(as.character(rows), function(row) {
    own <- cuts$x[cuts$row == row]
    text <- if (length(own)) toString(cut_labels(own, width)) else "none"
    sprintf("case %s\nchanges: %s", names[[row]], text)
  }, "", USE.NAMES = FALSE)
}

# The Bayes risk along a prior, or NULL if it is not available.
sweep_risk <- function(world, limits, call) {
  if (is.null(world) || !length(world$object$schema$features)) return(NULL)
  at <- seq(limits[[1L]], limits[[2L]], length.out = 129L)
  priors <- outer(1 - at, world$base)
  priors[, world$class] <- at
  even <- new_world(world$object, replace(world$base / 2, world$class, 0.5))
  most <- if (length(even$numeric) > 1L) 100 else 1e4
  if (!risk_methods()$exact$fits(even, NULL) || even$cells > most) return(NULL)
  risk <- call_engine(bayes_risks_cpp(engine_world(even), priors, world$cost$fixed, 1L), call)
  data.frame(x = at, risk = risk)
}

# The range is the same for all cases, so that they can be compared. Values outside of the sweep
# are not drawn.
sweep_range <- function(x, rows, xlim, call = rlang::caller_env()) {
  limits <- attr(x, "varied")$limits
  if (!is.null(xlim)) {
    seen <- c(max(min(xlim), limits[[1L]]), min(max(xlim), limits[[2L]]))
    if (seen[[1L]] < seen[[2L]]) return(seen)
    abort_argument(
      "{.arg xlim} lies outside of the sweep, from {limits[[1L]]} to {limits[[2L]]}.", call
    )
  }
  if (all(is.finite(limits))) return(limits)
  inner <- range(0, x$to[x$row %in% rows], attr(x, "varied")$now, finite = TRUE)
  if (diff(inner) == 0) inner <- inner + c(0, 1)
  wider <- inner + c(if (inner[[1L]] < 0) -0.2 else 0, 0.2) * diff(inner)
  ifelse(is.finite(limits), limits, wider)
}

# The cost of each action for one case at both ends and at the corners between them. Also whether
# the action is decided at this point (at a corner: on one of its two sides).
sweep_corners <- function(row, sweep, limits, call) {
  segments <- as.data.frame(sweep)[which(sweep$row == row), ]
  cuts <- utils::head(segments$to, -1L)
  x <- c(limits[[1L]], cuts[cuts > limits[[1L]] & cuts < limits[[2L]]], limits[[2L]])
  lines <- attr(sweep, "lines")
  lines <- lines[lines$row == row, ]
  costs <- outer(x, lines$slope) + rep(lines$intercept, each = length(x))
  within <- outer(x, segments$from, `>=`) & outer(x, segments$to, `<=`)
  actions <- levels(segments$decision)
  chosen <- vapply(actions, function(action) {
    rowSums(within[, segments$decision == action, drop = FALSE]) > 0
  }, x > 0)
  if (!all(rowSums(chosen) > 0)) {
    abort_argument(c(
      "{.arg x} is not a whole {.fn cost_sweep}: some of its pieces are gone.",
      i = "Draw the sweep itself, and choose cases with {.arg rows}."
    ), call)
  }
  data.frame(
    row = row, action = factor(rep(actions, each = length(x)), actions),
    x = rep(x, times = length(actions)), cost = as.vector(costs), chosen = as.vector(chosen)
  )
}
