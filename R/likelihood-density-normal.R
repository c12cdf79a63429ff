# The log densities of normals and of their sums as text: see likelihood-density.R.

half_log_two_pi <- 0.5 * log(2 * pi)

# Numbers whose squared distances from the means, summed over `terms` numbers, do not overflow.
# `mean`, `sd`: matrices of a class or component and a member.
near_means <- function(mean, sd, terms, to) {
  used <- is.finite(mean) & is.finite(sd) & sd > 0
  limit <- vapply(seq_along(to$raw), function(j) {
    format(min(1e153, sd[used[, j], j] * 1e153) / sqrt(terms), digits = 3L)
  }, "")
  paste(to$abs(to$raw), "<=", limit)
}

# x - mean. `low`: the second part of the mean.
away_text <- function(x, mean, low, to) {
  away <- paste(x, "-", to$number(mean))
  ifelse(low == 0, away, sprintf("(%s) - %s", away, to$number(low)))
}

# Twice the weighted log density: 2 constant - ((x - mean) / sd)^2. Halving a sum of these is exact,
# and takes one operation. Some engines raise an error if a product underflows. A difference of
# numbers is this small only if the mean is, too.
normal_text <- function(x, mean, low, sd, to, log_weight = 0) {
  if (!length(mean)) return(character())
  away <- away_text(x, mean, low, to)
  constant <- to$number(2 * (log_weight - log(sd) - half_log_two_pi))
  value <- paste(constant, "-", to$square(sprintf("((%s) * %s)", away, to$number(1 / sd))))
  tiny <- which(abs(mean) < 1e-120 * sd)
  value[tiny] <- to$when(
    paste(to$abs(away[tiny]), "<", to$number(1e-140 * sd[tiny])),
    sprintf("%s + 0 * %s", constant[tiny], rep_len(x, length(mean))[tiny]), value[tiny]
  )
  value
}

# Sums of normals, class by class.
normals_log_density <- function(log_weight, mean, sd, left_out, to) {
  range <- near_means(cbind(unlist(mean)), cbind(unlist(sd)), 1, to)
  if (any(left_out == 1L)) return(list(terms = rep("0", length(mean)), range = range))
  normals <- lapply(seq_along(mean), function(k) {
    used <- is.finite(log_weight[[k]]) & is.finite(mean[[k]])
    sprintf("0.5e0 * (%s)", normal_text(
      to$x, mean[[k]][used], 0 * mean[[k]][used], sd[[k]][used], to, log_weight[[k]][used]
    ))
  })
  c(list(range = range), log_sums(normals, to$is_na(to$x), to))
}

# The logarithm of the sum of densities, computed relative to the largest one. `logs`: for each
# class the logarithms of the densities; `missing`: a condition under which the sum is 1.
log_sums <- function(logs, missing, to) {
  at <- function(letter, k, i = "") sprintf("%s_%s%d%s", to$x[[1L]], letter, k, i)
  parts <- lapply(seq_along(logs), function(k) {
    if (!length(logs[[k]])) return(list(term = to$impossible))
    one <- at("n", k, paste0("_", seq_along(logs[[k]])))
    columns <- stats::setNames(logs[[k]], one)
    if (length(one) == 1L) return(list(term = to$when(missing, "0", one), logs = columns))
    top <- at("top", k)
    sum <- paste(top, "+", to$ln(to$sum(exp_below(one, top, to))))
    list(
      term = to$when(missing, "0", sum), logs = columns,
      top = stats::setNames(to$greatest(one), top)
    )
  })
  list(
    terms = vapply(parts, `[[`, "", "term"),
    stages = lapply(c("logs", "top"), function(i) unlist(lapply(parts, `[[`, i)))
  )
}

# exp(x - top); 0 instead of numbers below 1e-304, because some engines raise an error if the
# result underflows.
exp_below <- function(x, top, to) {
  below <- paste(x, "-", top)
  to$when(paste(below, "> -700"), to$exp(below), "0e0")
}
