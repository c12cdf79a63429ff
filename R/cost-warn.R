# Warnings of costs that are valid but seldom intended: an action is never worth taking, or the
# action of a class is not the best when that class is true. The reason is often a transposed
# matrix.

# Larger costs are compared by pairs of actions only: a linear programme per action takes too long.
max_mixed_cells <- 1000L
# Nobody reads more reasons than this.
max_reasons <- 6L

warn_unwise <- function(cost, call) {
  # In a cost without classes, the action of smallest cost is always taken: no warning is needed.
  if (is_case_cost(cost) || is.null(colnames(cost))) return(cost)
  values <- unclass(cost)
  warn_reasons(never_worth(values), "Not every action is worth taking.", "never_best", call)
  warn_reasons(
    wrong_pays(values), "An action named like a class should be the best when that class is true.",
    "unreasonable", call
  )
  cost
}

warn_reasons <- function(reasons, headline, kind, call) {
  if (!length(reasons)) return(invisible())
  shown <- utils::head(reasons, max_reasons)
  more <- length(reasons) - length(shown)
  bullets <- stats::setNames(sprintf("{shown[[%d]]}", seq_along(shown)), rep("*", length(shown)))
  warn_bayesrisk(c("{headline}", bullets, if (more) "And {more} more."), kind, call)
}

# An action is worth taking if, under some class, it costs less than every other action. All others
# are suspects.
never_worth <- function(values) {
  cheapest <- values == rep(apply(values, 2L, min), each = nrow(values))
  alone <- colSums(cheapest) == 1L
  suspects <- which(rowSums(cheapest[, alone, drop = FALSE]) == 0L)
  unlist(lapply(suspects, function(a) why_never(values, a)))
}

why_never <- function(values, a) {
  name <- sprintf("\"%s\"", rownames(values))
  rivals <- no_dearer(values, a)
  worse <- values[rep(a, length(rivals)), , drop = FALSE] > values[rivals, , drop = FALSE]
  same <- rivals[rowSums(worse) == 0L]
  if (any(same < a)) {
    return(sprintf("%s is the same as %s, which is declared first.", name[[a]], name[[same[[1L]]]]))
  }
  better <- setdiff(rivals, same)
  if (length(better)) {
    worse <- worse[match(better[[1L]], rivals), ]
    when <- when_true(colnames(values)[worse], all(worse))
    better <- name[[better[[1L]]]]
    return(sprintf("%s is never better than %s and worse %s.", name[[a]], better, when))
  }
  if (length(values) > max_mixed_cells) return(NULL)
  if (best_margin(values[-c(a, same), , drop = FALSE], values[a, ]) <= 0) {
    sprintf("%s is never the best: at any posterior, another action is as good.", name[[a]])
  }
}

when_true <- function(classes, always) {
  if (always) return("whatever is true")
  classes <- cli::ansi_collapse(sprintf("\"%s\"", classes), last = " or ", trunc = 5L)
  paste("when truth is", classes)
}

# The other actions that cost no more than action `a` under every class.
no_dearer <- function(values, a) {
  rivals <- seq_len(nrow(values))[-a]
  for (truth in seq_len(ncol(values))) {
    if (!length(rivals)) break
    rivals <- rivals[values[rivals, truth] <= values[a, truth]]
  }
  rivals
}

# The largest advantage, over all posteriors, of the action with costs `own` over all `others`.
# Only the sign is used, so each class may be scaled separately. The posterior can be 0 in the
# classes where `own` is infinite. Every other class has a positive probability, however small, so
# an action that is infinite in one of these is no rival.
best_margin <- function(others, own) {
  possible <- own < Inf
  if (nrow(others) && !any(possible)) return(0)
  gain <- others[, possible, drop = FALSE] - rep(own[possible], each = nrow(others))
  gain <- gain[rowSums(gain == Inf) == 0L, , drop = FALSE]
  if (!nrow(gain)) return(Inf)
  unit <- apply(abs(gain), 2L, max)
  margin <- game_value(gain / rep(ifelse(unit > 0, unit, 1), each = nrow(gain)))
  if (abs(margin) <= 1e-12) 0 else margin
}

# The value of a game: the maximum over probabilities p of min(payoff %*% p), by the simplex method
# on the other player's programme. Bland's rule prevents cycles, except by rounding. At the limit
# of steps the result is Inf, so no warning is given.
game_value <- function(payoff) {
  shift <- 1 - min(payoff)
  rows <- ncol(payoff)
  tableau <- rbind(
    cbind(t(payoff) + shift, diag(rows), 1), c(rep(-1, nrow(payoff)), rep(0, rows + 1L))
  )
  basis <- nrow(payoff) + seq_len(rows)
  last <- ncol(tableau)
  for (step in seq_len(100L * last)) {
    enter <- which(tableau[rows + 1L, -last] < -1e-12)[1L]
    if (is.na(enter)) return(1 / tableau[rows + 1L, last] - shift)
    column <- tableau[seq_len(rows), enter]
    ratio <- ifelse(column > 1e-12, tableau[seq_len(rows), last] / column, Inf)
    tied <- which(ratio == min(ratio))
    leave <- tied[which.min(basis[tied])]
    tableau[leave, ] <- tableau[leave, ] / tableau[leave, enter]
    tableau[-leave, ] <- tableau[-leave, ] - outer(tableau[-leave, enter], tableau[leave, ])
    basis[leave] <- enter
  }
  # No known cost reaches the limit of steps.
  Inf
}

# Violations of Elkan's reasonableness, for actions named like classes.
wrong_pays <- function(values) {
  classes <- intersect(colnames(values), rownames(values))
  best <- rownames(values)[apply(values[, classes, drop = FALSE], 2L, which.min)]
  pays <- values[cbind(best, classes)] < values[cbind(classes, classes)]
  sprintf("When truth is \"%s\", \"%s\" is better than \"%s\".", classes, best, classes)[pays]
}
