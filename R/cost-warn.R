# Warnings of costs that are valid but seldom intended: an action is never worth taking, or the
# action of a class is not the best when that class is true. The reason is often a transposed
# matrix.

# Larger costs are compared by pairs of actions only: a linear programme per action takes too long.
max_mixed_cells <- 1000L
# The maximum number of reasons in a warning.
max_reasons <- 6L

warn_unwise <- function(cost, call) {
  if (is_case_cost(cost)) return(cost)
  values <- unclass(cost)
  if (is.null(colnames(cost))) {
    warn_constant(values, is_utility(cost), call)
    return(cost)
  }
  warn_reasons(never_worth(values), "Not every action is worth taking.", "never_best", call)
  warn_reasons(
    wrong_pays(values), "An action named like a class should be the best when that class is true.",
    "unreasonable", call
  )
  cost
}

# Warns if a cost names no class and its actions differ. Often the user has given errors in place of
# actions, as in cost_matrix(FP = 1, FN = 5).
warn_constant <- function(values, utility, call) {
  if (all(values == values[[1L]])) return(invisible())
  best <- rownames(values)[[which.min(values)]]
  errors <- all(toupper(rownames(values)) %in% c("FP", "FN", "TP", "TN"))
  warn_bayesrisk(c(
    "No action names a true class, so the decision is always {.val {best}}.",
    i = if (utility) {
      "Gains by the true class: {.code utility_matrix(send = c(buys = 19, silent = -1), skip = 0)}."
    } else if (errors) {
      "Arguments are actions. With a cost of 1 for a false positive and of 5 for a false negative:
       {.code cost_matrix(yes = c(yes = 0, no = 1), no = c(yes = 5, no = 0))}."
    } else {
      "Costs by the true class:
       {.code cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0))}."
    }
  ), "constant", call)
}

warn_reasons <- function(reasons, headline, kind, call) {
  if (!length(reasons)) return(invisible())
  shown <- utils::head(reasons, max_reasons)
  more <- length(reasons) - length(shown)
  warn_bayesrisk(
    c("{headline}", bullet_lines(shown, "*"), if (more) "And {more} more."), kind, call
  )
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
  if (best_margin_cpp(values[-c(a, same), , drop = FALSE], values[a, ]) <= 0) {
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

# Violations of Elkan's reasonableness, for actions named like classes.
wrong_pays <- function(values) {
  classes <- intersect(colnames(values), rownames(values))
  best <- rownames(values)[apply(values[, classes, drop = FALSE], 2L, which.min)]
  pays <- values[cbind(best, classes)] < values[cbind(classes, classes)]
  sprintf("When truth is \"%s\", \"%s\" is better than \"%s\".", classes, best, classes)[pays]
}
