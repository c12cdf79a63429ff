# Costs that can be meant but seldom are: an action that is never worth taking, and a
# class whose own action is not the best when it is true. Both are often a matrix that
# was typed the wrong way round.

# Larger costs are compared by pairs of actions only: a linear programme per action.
max_mixed_cells <- 1000L
# More are not read.
max_reasons <- 6L

warn_unwise <- function(cost, call) {
  # Where no class is named the smallest number decides, as anyone sees.
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

# Only an action that is the cheapest alone under some truth is cleared at once.
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

# The other actions that cost no more whatever is true.
no_dearer <- function(values, a) {
  rivals <- seq_len(nrow(values))[-a]
  for (truth in seq_len(ncol(values))) {
    if (!length(rivals)) break
    rivals <- rivals[values[rivals, truth] <= values[a, truth]]
  }
  rivals
}

# By how much the action of costs `own` beats all `others` at the belief that suits it
# best; only the sign counts, so each class has a unit of its own. A belief may exclude
# a class that makes the action infinite, and a trace of belief in a class rules out
# the others that are infinite there.
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

# max over probabilities p of min(payoff %*% p): the value of a game, by the simplex
# method on the programme of the other player. Bland's rule does not cycle, save by
# rounding: after so many steps nothing is claimed.
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
  # The limit of steps; no cost is known to reach it.
  Inf
}

# Elkan's reasonableness, for actions named like classes.
wrong_pays <- function(values) {
  classes <- intersect(colnames(values), rownames(values))
  best <- rownames(values)[apply(values[, classes, drop = FALSE], 2L, which.min)]
  pays <- values[cbind(best, classes)] < values[cbind(classes, classes)]
  sprintf("When truth is \"%s\", \"%s\" is better than \"%s\".", classes, best, classes)[pays]
}
