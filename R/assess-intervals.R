# The intervals of assessments: what they are asked for, and those that have a closed form.

interval_kinds <- c("bayes", "bootstrap", "none")

# list(by, level, seed), as the engine reads it.
read_interval <- function(interval, level, seed, call) {
  list(
    by = check_choice(interval, interval_kinds, "interval", call),
    level = check_level(level, call), seed = check_seed(seed, call)
  )
}

upper_tail <- function(level) (1 + level) / 2

# How much wider few clusters make an interval: their variance is an estimate.
few_clusters <- function(clusters, level) {
  if (clusters == 0) return(1)
  if (clusters < 2) return(NA_real_)
  stats::qt(upper_tail(level), clusters - 1) / stats::qnorm(upper_tail(level))
}

# How much further the ends of a drawn interval lie from its estimate. The Bayesian bootstrap of n
# clusters varies less than n clusters do.
drawn_stretch <- function(clusters, level) {
  if (clusters == 0) return(1)
  few_clusters(clusters, level) * sqrt((clusters + 1) / max(clusters - 1, 1))
}

# The interval of drawn values, widened about the estimate, as far as the values are possible.
widen_drawn <- function(estimate, lower, upper, clusters, level, least, greatest) {
  factor <- drawn_stretch(clusters, level)
  stretch <- function(end) {
    if (clusters == 0) return(end)
    ifelse(end == estimate, end, estimate + factor * (end - estimate))
  }
  list(
    lower = pmin(estimate, pmax(stretch(lower), least)),
    upper = pmax(estimate, pmin(stretch(upper), greatest))
  )
}

# The interval of a share of `number` cases. `added`: 0.5 gives the interval of Jeffreys, 0 the
# exact one of Clopper and Pearson.
share_interval <- function(share, number, level, factor = 1, added = 0.5) {
  number <- ifelse(share > 0 & share < 1, number / factor^2, number)
  end <- function(p, added) {
    stats::qbeta(p, number * share + added, number * (1 - share) + 1 - added)
  }
  lower <- ifelse(share == 0, 0, pmin(share, end(1 - upper_tail(level), added)))
  upper <- ifelse(share == 1, 1, pmax(share, end(upper_tail(level), 1 - added)))
  list(lower = lower, upper = upper)
}

# A share with its interval.
of_share <- function(share, number, level, ...) {
  c(list(share = share), share_interval(share, number, level, ...))
}

# The interval of an area under a curve: that of a share of as many cases as have its variance, half
# way between Jeffreys and the exact one. DeLong's variance is too small where the smaller group, of
# `own` or `others` cases, is small or the groups are nearly separated. It is averaged with the
# variance of exponential scores (Hanley and McNeil 1982), which has the weight of 10 cases.
area_interval <- function(area, error, own, others, level, factor = 1) {
  spread <- (1 - area) / (2 - area) + area / (1 + area)
  most <- own * others / (1 + pmax((own + others) / 2 - 1, 0) * spread)
  least <- pmin(own, others)
  inner <- area * (1 - area)
  variance <- (least * error^2 + 10 * inner / most) / (least + 10)
  number <- ifelse(inner > 0 & !is.na(error), inner / variance, most) / factor^2
  share_interval(area, number, level, added = 0.25)
}

# The interval of weight * first - other_weight * second, from the intervals of both shares
# (Newcombe 1998; Zou 2007). `correlation`: that of the shares.
difference_interval <- function(first, second, weight = 1, other_weight = 1, correlation = 0) {
  value <- weight * first$share - other_weight * second$share
  reach <- function(a, b) {
    sqrt(pmax(0, (weight * a)^2 + (other_weight * b)^2 -
                2 * correlation * weight * other_weight * a * b))
  }
  list(
    lower = value - reach(first$share - first$lower, second$upper - second$share),
    upper = value + reach(first$upper - first$share, second$share - second$lower)
  )
}

# The share of all other cases.
left_share <- function(x) list(share = 1 - x$share, lower = 1 - x$upper, upper = 1 - x$lower)

# The interval of first / second, from the intervals of two shares (Donner and Zou 2012): the ratios
# r for which the interval of first - r * second, see difference_interval(), contains 0. Both ends
# are written so that numbers of about the same size are not subtracted.
ratio_interval <- function(first, second, correlation = 0) {
  part <- function(of, end) end * (2 * of$share - end)
  root <- function(p, q, reach) {
    both <- first$share * second$share - correlation * reach
    both + sqrt(pmax(0, both^2 - p * q))
  }
  least <- part(first, first$lower)
  least_second <- part(second, second$lower)
  lower <- least / root(
    least, part(second, second$upper),
    (first$share - first$lower) * (second$upper - second$share)
  )
  upper <- root(
    part(first, first$upper), least_second,
    (first$upper - first$share) * (second$share - second$lower)
  ) / least_second
  open <- first$share == 0 & second$share == 0
  list(
    lower = ifelse(open, NA, ifelse(first$share == 0, 0, lower)),
    upper = ifelse(open, NA, ifelse(second$share == 0, Inf, upper))
  )
}

# The net benefit of some classes, with its interval. `scores`: the result of proper_scores_cpp(),
# or NULL.
benefit_frame <- function(scores, classes, clusters, design, interval) {
  curve <- as.data.frame(scores$benefit)
  if (nrow(curve) == 0L) return(NULL)
  of <- scores$class_weights
  ends <- if (interval$by == "none") {
    list(lower = NA_real_, upper = NA_real_)
  } else if (design$fixed) {
    benefit_by_class(curve, of[, curve$class, drop = FALSE], rowSums(of), interval$level)
  } else {
    benefit_of_all(curve, of[1L, curve$class], rowSums(of), interval$level)
  }
  factor <- curve$wider * few_clusters(clusters, interval$level)
  widened <- lapply(ends, function(end) curve$benefit + factor * (end - curve$benefit))
  # All cases are rightly, or wrongly, decided for the class.
  widened$lower <- pmax(widened$lower, -odds_of(curve))
  widened$upper <- pmin(widened$upper, 1)
  data.frame(
    class = factor(classes[curve$class], classes), curve[c("threshold", "benefit")], widened,
    curve["all"],
    standardised = curve$benefit / (of[1L, curve$class] / sum(of[1L, ]))
  )
}

# The net benefit is the difference of two shares of all cases, those that are rightly and those
# that are wrongly decided for the class. `own`: the weight of the class at each point; `all`: the
# sum of all weights and of their squares.
benefit_of_all <- function(curve, own, all, level) {
  right <- curve$hits * own / all[[1L]]
  wrong <- curve$alarms * (1 - own / all[[1L]])
  number <- all[[1L]]^2 / all[[2L]]
  # The correlation of two counts of a multinomial.
  correlation <- -sqrt(right * wrong / pmax((1 - right) * (1 - wrong), 1e-300))
  difference_interval(
    of_share(right, number, level), of_share(wrong, number, level), 1, odds_of(curve),
    pmax(correlation, -1)
  )
}

# The same where the shares of the classes are known. `own`: the weights of the class and their
# squares.
benefit_by_class <- function(curve, own, all, level) {
  share <- own[1L, ] / all[[1L]]
  number <- function(weights) weights[1L, ]^2 / weights[2L, ]
  difference_interval(
    of_share(curve$hits, number(own), level), of_share(curve$alarms, number(all - own), level),
    share, odds_of(curve) * (1 - share)
  )
}

odds_of <- function(curve) curve$threshold / (1 - curve$threshold)

# An interval as text, from the texts of its ends.
interval_text <- function(lower, upper, level = NULL) {
  sprintf(
    " (%s%s to %s)", if (is.null(level)) "" else sprintf("%s %% interval ", format(100 * level)),
    lower, upper
  )
}
