# The log densities of gamma distributions and of counts as text: see likelihood-density.R. No term
# cancels another, as in the engine (src/engine/core/gamma_functions.hpp and counts.hpp).

# log a Gamma function by Stirling's formula: log Gamma(a + 1) - log(sqrt(2 pi a) (a / e)^a), for a
# of 16 or more.
stirling_terms <- c(1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)

# `a`: a number as text.
stirling_text <- function(a, to) {
  series <- to$polynomial(sprintf("(1e0 / (%s * %s))", a, a), stirling_terms)
  to$when(paste(a, "< 1e60"), paste(series, "/", a), "0e0")
}

# The same number, for any a > 0.
gamma_error <- function(a) {
  vapply(a, function(a) {
    if (!(a < 16)) return(sum(stirling_terms / a^(2 * 1:6 - 1)))
    lgamma(a) + log(a) - (half_log_two_pi + (a + 0.5) * log(a) - a)
  }, 1)
}

# The series 1/3 + w/5 + w^2/7 + ...
artanh_series <- function(w, to) to$polynomial(w, 1 / seq(3, 17, by = 2))

# u - log(1 + u). `v`: u / (2 + u); `w`: its square; `log_ratio`: log(1 + u).
log_excess_text <- function(u, v, w, log_ratio, to) {
  series <- artanh_series(w, to)
  to$when(
    paste(to$abs(u), "< 0.2e0"), sprintf("%s * %s - 2 * %s * %s * %s", u, v, v, w, series),
    paste(u, "-", log_ratio)
  )
}

# x log(x / rate) - difference, the difference being x - rate. `v`: the difference divided by
# x + rate; `w`: its square.
deviance_text <- function(x, rate, difference, v, w, to) {
  series <- artanh_series(w, to)
  to$when(
    paste(to$abs(v), "< 0.1e0"),
    sprintf("%s * %s + 2 * %s * %s * %s * %s", difference, v, x, v, w, series),
    sprintf("%s * %s - %s", x, to$ln(sprintf("(%s / %s)", x, rate)), difference)
  )
}

# Counts ----------------------------------------------------------------------------------------

# Counts below 16 have the engine's own log probabilities. `beyond`: expressions for other counts,
# class x feature, without log(sqrt(2 pi x)) and the error of Stirling's formula, which all classes
# share. A count up to 1e150 times the log of a ratio does not overflow.
counts_log_density <- function(bank, parameters, beyond, stages, to) {
  x <- to$x
  kept <- kept_members(parameters, to)
  classes <- nrow(beyond)
  scores <- scores_of_values(bank, parameters, rep(list(0:15), length(x)), classes)
  shared <- if (to$whole) {
    root <- to$number(half_log_two_pi)
    sprintf(" - (%s + %s + 0.5e0 * %s)", stirling_text(x, to), root, to$ln(x))
  }
  terms <- vapply(seq_len(classes), function(k) {
    to$add(vapply(kept, function(j) {
      few <- steps_text(x[[j]], 1:15, logs_text(scores[[j]][, k], to), to)
      to$case(
        c(to$is_na(x[[j]]), paste(x[[j]], "< 16")), c("0", few), paste0(beyond[k, j], shared[j])
      )
    }, ""), kept)
  }, "")
  whole <- paste(to$raw, to$is, to$floor(to$raw))
  range <- paste(paste(to$raw, ">= 0"), paste(to$raw, "<= 1e150"), whole, sep = to$and)
  list(terms = terms, range = sprintf("(%s)", range), stages = stages)
}

# Columns for counts of 16 or more.
from_16 <- function(x, value, to) to$when(paste(x, ">= 16"), value)

# A Poisson distribution for counts of 16 or more. `v`, `w`: names of columns.
poisson_beyond <- function(x, rate, v, w, to) {
  if (!length(x)) return(list(beyond = character()))
  apart <- sprintf("(%s - %s)", x, rate)
  list(
    beyond = sprintf("-(%s)", deviance_text(x, rate, apart, v, w, to)),
    first = stats::setNames(from_16(x, sprintf("%s / (%s + %s)", apart, x, rate), to), v),
    second = stats::setNames(to$square(v), w)
  )
}
