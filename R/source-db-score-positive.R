# The log densities of gamma distributions and counts as SQL: see score_bank(). No term cancels
# another, as in the engine (src/engine/core/gamma_functions.hpp and counts.hpp).

# log a Gamma function by Stirling's formula: log Gamma(a + 1) - log(sqrt(2 pi a) (a / e)^a), for a
# of 16 or more.
stirling_from <- 16
stirling_terms <- c(1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360)

# `a`: a number of SQL.
db_stirling <- function(a, number) {
  s <- sprintf("(1e0 / (%s * %s))", a, a)
  text <- number(stirling_terms[[6L]])
  for (term in rev(stirling_terms[-6L])) text <- sprintf("(%s + %s * %s)", number(term), s, text)
  sprintf("CASE WHEN %s < 1e60 THEN %s / %s ELSE 0e0 END", a, text, a)
}

# The same in R, for any a > 0.
gamma_error <- function(a) {
  vapply(a, function(a) {
    if (!(a < stirling_from)) return(sum(stirling_terms / a^(2 * 1:6 - 1)))
    lgamma(a) + log(a) - (half_log_two_pi + (a + 0.5) * log(a) - a)
  }, 1)
}

# The series 1/3 + w/5 + w^2/7 + ...
artanh_series <- function(w, number, last) {
  text <- number(1 / last)
  for (i in seq(last - 2, 3, by = -2)) text <- sprintf("(%s + %s * %s)", number(1 / i), w, text)
  text
}

# u - log(1 + u). `v`: u / (2 + u); `w`: its square; `log_ratio`: log(1 + u).
db_log_excess <- function(u, v, w, log_ratio, sql) {
  sprintf(
    "CASE WHEN ABS(%s) < 0.2e0 THEN %s * %s - 2 * %s * %s * %s ELSE %s - %s END",
    u, u, v, v, w, artanh_series(w, sql$number, 17), u, log_ratio
  )
}

# x log(x / rate) - difference, the difference being x - rate. `v`: the difference divided by
# x + rate; `w`: its square.
db_deviance <- function(x, rate, difference, v, w, sql) {
  sprintf(
    "CASE WHEN ABS(%s) < 0.1e0 THEN %s * %s + 2 * %s * %s * %s * %s ELSE %s * %s - %s END",
    v, difference, v, x, v, w, artanh_series(w, sql$number, 17), x,
    sql$dialect$ln(sprintf("(%s / %s)", x, rate)), difference
  )
}

score_gamma <- function(bank, parameters, sql) {
  members <- kept_members(parameters, sql)
  x <- sql$x
  number <- sql$number
  log_x <- stats::setNames(sql$dialect$ln(x), paste0(x, "_ln"))[members]
  parts <- lapply(seq_len(nrow(parameters$shape)), function(k) {
    shape <- parameters$shape[k, ]
    rate <- parameters$rate[k, ]
    if (!all(is.finite(shape[members]))) return(list(term = "NULL"))
    mean <- shape / rate
    at <- function(letter) sprintf("%s_%s%d", x, letter, k)[members]
    u <- sprintf("%s * %s", db_away(x, mean, gamma_mean_low(shape, rate), number), number(1 / mean))
    # The ratio of a number to the mean may underflow.
    log_ratio <- sprintf("(%s - %s)", names(log_x), number(log(mean)[members]))
    excess <- db_log_excess(at("u"), at("v"), at("w"), log_ratio, sql)
    peak <- 0.5 * log(shape) - half_log_two_pi - gamma_error(shape)
    terms <- sprintf(
      "COALESCE((%s - %s) - %s * (%s), 0)", number(peak[members]), names(log_x),
      number(shape[members]), excess
    )
    list(
      u = stats::setNames(u[members], at("u")),
      v = stats::setNames(sprintf("%s / (2 + %s)", at("u"), at("u")), at("v")),
      w = stats::setNames(sprintf("%s * %s", at("v"), at("v")), at("w")), term = db_sum(terms)
    )
  })
  range <- vapply(seq_along(x), function(j) {
    limit <- gamma_limit(parameters$shape[, j], parameters$rate[, j])
    sprintf("({x} > 0 AND {x} <= %s)", limit)
  }, "")
  stages <- lapply(c("u", "v", "w"), function(i) unlist(lapply(parts, `[[`, i)))
  stages[[1L]] <- c(log_x, stages[[1L]])
  list(terms = vapply(parts, `[[`, "", "term"), range = range, stages = stages)
}

# shape / rate minus its rounded value. The product of doubles is exact in two parts (Dekker 1971).
gamma_mean_low <- function(shape, rate) {
  mean <- shape / rate
  split <- function(x) {
    high <- 134217729 * x
    high <- high - (high - x)
    list(high = high, low = x - high)
  }
  a <- split(mean)
  b <- split(rate)
  product <- mean * rate
  low <- ((a$high * b$high - product) + a$high * b$low + a$low * b$high) + a$low * b$low
  value <- ((shape - product) - low) / rate
  ifelse(is.finite(value), value, 0)
}

gamma_limit <- function(shape, rate) {
  used <- is.finite(shape) & is.finite(rate)
  format(min(1e150, 1e290 / rate[used], 1e290 / (rate[used] * pmax(1, shape[used]))), digits = 3L)
}

# Counts ----------------------------------------------------------------------------------------

# Whole numbers from 0 on. A count times the log of a ratio does not overflow.
is_count <- sprintf("({x} >= 0 AND {x} <= 1e150 AND {x} = %s)", db_floor("{x}"))

# Counts below 16 have the engine's own log probabilities. `beyond`: expressions for other counts,
# without the terms that all classes share: see shared_by_counts().
score_counts <- function(bank, parameters, classes, beyond, stages, sql) {
  scores <- scores_of_values(bank, parameters, rep(list(0:15), length(sql$x)), classes)
  shared <- if (sql$whole) sprintf(" - %s", shared_by_counts(sql$x, sql)) else ""
  terms <- vapply(seq_len(classes), function(k) {
    db_sum(vapply(seq_along(sql$x), function(j) {
      few <- db_steps(sql$x[[j]], 1:15, db_logs(scores[[j]][, k], sql))
      many <- paste0(beyond[k, j], rep_len(shared, length(sql$x))[[j]])
      sprintf(
        "CASE WHEN %s IS NULL THEN 0 WHEN %s < 16 THEN %s ELSE %s END", sql$x[[j]], sql$x[[j]],
        few, many
      )
    }, ""))
  }, "")
  list(terms = terms, range = rep(is_count, length(sql$x)), stages = stages)
}

# log(sqrt(2 pi x)) and the error of Stirling's formula.
shared_by_counts <- function(x, sql) {
  sprintf(
    "(%s + %s + 0.5e0 * %s)", db_stirling(x, sql$number), sql$number(half_log_two_pi),
    sql$dialect$ln(x)
  )
}

# Columns for counts of 16 or more; NULL for others.
from_16 <- function(x, value) sprintf("CASE WHEN %s >= 16 THEN %s END", x, value)

score_poisson <- function(bank, parameters, sql) {
  rate <- parameters$rate
  used <- which(is.finite(rate) & rate > 0)
  column <- function(letter) {
    array(sprintf("%s_%s%d", sql$x[col(rate)], letter, row(rate)), dim(rate))
  }
  x <- array(sql$x[col(rate)], dim(rate))
  r <- array(sql$number(rate), dim(rate))
  v <- sprintf("(%s - %s) / (%s + %s)", x, r, x, r)
  beyond <- array("NULL", dim(rate))
  beyond[used] <- sprintf("-(%s)", db_deviance(
    x[used], r[used], sprintf("(%s - %s)", x[used], r[used]), column("v")[used],
    column("w")[used], sql
  ))
  stages <- list(
    stats::setNames(from_16(x, v)[used], column("v")[used]),
    stats::setNames(sprintf("%s * %s", column("v"), column("v"))[used], column("w")[used])
  )
  score_counts(bank, parameters, nrow(rate), beyond, stages, sql)
}

# The formula of CountLaw::log_kernel() in the engine.
score_negative_binomial <- function(bank, parameters, sql) {
  x <- sql$x
  number <- sql$number
  classes <- nrow(parameters$mean)
  parts <- lapply(seq_len(classes), function(k) {
    mean <- parameters$mean[[k]]
    size <- parameters$size[[k]]
    if (!is.finite(mean) || mean == 0) return(list(beyond = "NULL"))
    at <- function(letter) sprintf("%s_%s%d", x, letter, k)
    square <- function(letter) sprintf("%s * %s", at(letter), at(letter))
    if (size > 1e290) {
      apart <- sprintf("(%s - %s)", x, number(mean))
      d <- sprintf("%s / (%s + %s)", apart, x, number(mean))
      return(list(
        beyond = sprintf("-(%s)", db_deviance(x, number(mean), apart, at("d"), at("e"), sql)),
        first = stats::setNames(from_16(x, d), at("d")),
        second = stats::setNames(square("d"), at("e"))
      ))
    }
    whole <- number(mean + size)
    n <- sprintf("(%s + %s)", x, number(size))
    ratio <- sprintf("(%s / %s)", n, whole)
    apart <- sprintf("(%s * %s)", number(size), at("u"))
    beyond <- sprintf(
      "(%s - %s - 0.5e0 * %s) - %s * (%s) - (%s)", db_stirling(n, number),
      number(gamma_error(size)), sql$dialect$ln(sprintf("(%s / %s)", n, number(size))),
      number(size), db_log_excess(at("u"), at("v"), at("w"), sql$dialect$ln(ratio), sql),
      db_deviance(x, at("m"), apart, at("d"), at("e"), sql)
    )
    list(
      beyond = beyond,
      first = stats::setNames(from_16(x, c(
        sprintf("(%s - %s) / %s", x, number(mean), whole), sprintf("%s * %s", number(mean), ratio)
      )), at(c("u", "m"))),
      second = stats::setNames(c(
        sprintf("%s / (2 + %s)", at("u"), at("u")), sprintf("%s / (%s + %s)", apart, x, at("m"))
      ), at(c("v", "d"))),
      third = stats::setNames(c(square("v"), square("d")), at(c("w", "e")))
    )
  })
  stages <- lapply(c("first", "second", "third"), function(i) unlist(lapply(parts, `[[`, i)))
  beyond <- matrix(vapply(parts, `[[`, "", "beyond"))
  score_counts(bank, parameters, classes, beyond, stages, sql)
}
