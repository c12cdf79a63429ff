# The log densities of normal distributions and their sums as SQL: see score_bank().

half_log_two_pi <- 0.5 * log(2 * pi)

# Numbers whose squared distances from the means, summed over `terms` numbers, do not overflow.
# `sd`: of a number in each class or component.
near_means <- function(mean, sd, terms) {
  used <- is.finite(mean) & is.finite(sd) & sd > 0
  limit <- min(1e153, sd[used] * 1e153) / sqrt(terms)
  sprintf("ABS({x}) <= %s", format(limit, digits = 3L))
}

# x - mean. `low`: the second part of the mean.
db_away <- function(x, mean, low, number) {
  away <- sprintf("(%s - %s)", x, number(mean))
  ifelse(low == 0, away, sprintf("(%s - %s)", away, number(low)))
}

# Twice the log density: 2 constant - ((x - mean) / sd)^2. To halve a sum of these is exact, and
# takes one operation. Some engines raise an error if a product underflows. A difference of numbers
# is this small only if the mean is, too.
db_normal <- function(x, constant, mean, low, sd, number) {
  away <- db_away(x, mean, low, number)
  z <- sprintf("(%s * %s)", away, number(1 / sd))
  value <- sprintf("%s - %s * %s", number(2 * constant), z, z)
  tiny <- sprintf(
    "CASE WHEN ABS%s < %s THEN %s + 0 * %s ELSE %s END", away, number(1e-140 * sd),
    number(2 * constant), x, value
  )
  ifelse(abs(mean) < 1e-120 * sd, tiny, value)
}

score_gaussian <- function(bank, parameters, sql) {
  members <- kept_members(parameters, sql)
  constant <- -log(parameters$sd) - half_log_two_pi
  terms <- vapply(seq_len(nrow(parameters$mean)), function(k) {
    if (!all(is.finite(parameters$mean[k, members]))) return("NULL")
    of <- lapply(c(parameters[c("mean", "mean_low", "sd")], list(constant = constant)),
                 function(x) x[k, members])
    sprintf("0.5e0 * (%s)", db_sum(sprintf(
      "COALESCE(%s, 0)",
      db_normal(sql$x[members], of$constant, of$mean, of$mean_low, of$sd, sql$number)
    )))
  }, "")
  range <- vapply(seq_along(sql$x), function(j) {
    near_means(parameters$mean[, j], parameters$sd[, j], length(sql$x))
  }, "")
  list(terms = terms, range = range)
}

score_mixture <- function(bank, parameters, sql) {
  class <- rep(seq_along(parameters$components), parameters$components)
  score_normals(
    split(parameters$log_weight, class), split(parameters$mean, class),
    split(parameters$sd, class), parameters$left_out, sql
  )
}

score_kernel <- function(bank, parameters, sql) {
  count <- vapply(parameters$points, nrow, 1L)
  if (sum(count) > most_normals) abort_no_sql(sql, "has too many points for SQL")
  score_normals(
    lapply(parameters$points, function(p) p[, 2L]), lapply(parameters$points, function(p) p[, 1L]),
    Map(rep, parameters$bandwidth, count), parameters$left_out, sql
  )
}

# Sums of normals, class by class.
score_normals <- function(log_weight, mean, sd, left_out, sql) {
  range <- near_means(unlist(mean), unlist(sd), 1)
  if (any(left_out == 1L)) return(list(terms = rep("0", length(mean)), range = range))
  normals <- lapply(seq_along(mean), function(k) {
    used <- is.finite(log_weight[[k]]) & is.finite(mean[[k]])
    constant <- log_weight[[k]] - log(sd[[k]]) - half_log_two_pi
    none <- rep(0, sum(used))
    sprintf("0.5e0 * (%s)", db_normal(
      sql$x, constant[used], mean[[k]][used], none, sd[[k]][used], sql$number
    ))
  })
  c(list(range = range), log_sums(normals, paste(sql$x, "IS NULL"), sql))
}

# The logarithm of the sum of densities, computed relative to the largest one. `logs`: for each
# class the logarithms of the densities; `missing`: a condition under which the sum is 1.
log_sums <- function(logs, missing, sql) {
  at <- function(letter, k, i = "") sprintf("%s_%s%d%s", sql$x[[1L]], letter, k, i)
  parts <- lapply(seq_along(logs), function(k) {
    if (!length(logs[[k]])) return(list(term = "NULL"))
    one <- at("n", k, paste0("_", seq_along(logs[[k]])))
    columns <- stats::setNames(logs[[k]], one)
    guarded <- function(value) sprintf("CASE WHEN %s THEN 0 ELSE %s END", missing, value)
    if (length(one) == 1L) return(list(term = guarded(one), logs = columns))
    top <- at("top", k)
    list(
      term = guarded(paste(top, "+", sql$dialect$ln(db_sum(db_exp_below(one, top))))),
      logs = columns, top = stats::setNames(db_extreme(one, sql$dialect$greatest), top)
    )
  })
  list(
    terms = vapply(parts, `[[`, "", "term"),
    stages = lapply(c("logs", "top"), function(i) unlist(lapply(parts, `[[`, i)))
  )
}

# exp(x - top); 0 instead of numbers below 1e-304, because some engines raise an error if the
# result underflows.
db_exp_below <- function(x, top) {
  sprintf("CASE WHEN %s - %s > -700 THEN EXP(%s - %s) ELSE 0e0 END", x, top, x, top)
}

# A joint block ---------------------------------------------------------------------------------

# The pattern of missing members as one number: the sum of 2^(j - 1) over the missing members j.
pattern_code <- function(x) {
  db_sum(sprintf("CASE WHEN %s IS NULL THEN %.0f ELSE 0 END", x, 2^(seq_along(x) - 1)))
}

# Deviations from the mean of each class, then these whitened, so that each is computed once. In
# each pattern of missing members the deviations of the others are whitened by the factor of their
# own covariance. A pattern that is not among sql$patterns gives NULL.
score_multivariate_gaussian <- function(bank, parameters, sql) {
  kept <- kept_members(parameters, sql)
  range <- block_range(parameters, sql$x)
  classes <- nrow(parameters$mean)
  if (!length(kept)) return(list(terms = rep("0", classes), range = range))
  x <- sql$x[kept]
  patterns <- lapply(sql$patterns, function(code) code %/% 2^(kept - 1) %% 2 == 1)
  patterns <- unique(patterns)
  codes <- vapply(patterns, function(gone) sum(2^(which(gone) - 1)), 1)
  pattern <- paste0(x[[1L]], "_gone")
  choose <- function(values) {
    if (length(unique(values)) == 1L && !anyNA(values)) return(values[[1L]])
    db_case(pattern, sprintf("%.0f", codes), values)
  }
  sound <- which(rowSums(!is.finite(parameters$mean)) == 0)
  parts <- lapply(seq_len(classes), function(k) {
    if (!k %in% sound) return(NULL)
    away <- sprintf("%s_d%d", x, k)
    white <- lapply(patterns, function(gone) whitened(parameters, kept, k, gone, away, sql$number))
    z <- vapply(seq_along(x), function(i) choose(vapply(white, function(w) w$z[[i]], "")), "")
    constant <- choose(sql$number(vapply(white, `[[`, 1, "constant")))
    names <- sprintf("%s_z%d", x, k)
    list(
      away = stats::setNames(
        db_away(x, parameters$mean[k, kept], parameters$mean_low[k, kept], sql$number), away
      ),
      z = stats::setNames(z, names),
      term = sprintf("%s - 0.5e0 * (%s)", constant, db_sum(db_square(names)))
    )
  })
  terms <- rep("NULL", classes)
  terms[sound] <- vapply(parts[sound], `[[`, "", "term")
  listed <- if (length(codes) < 2^length(x)) sprintf("%s IN (%s)", pattern, toString(codes))
  if (!is.null(listed)) terms <- sprintf("CASE WHEN %s THEN %s END", listed, terms)
  list(
    terms = terms, range = range, covered = listed, stages = list(
      c(stats::setNames(pattern_code(x), pattern), unlist(lapply(parts, `[[`, "away"))),
      unlist(lapply(parts, `[[`, "z"))
    )
  )
}

# Each component is a class of a multivariate Gaussian.
score_multivariate_mixture <- function(bank, parameters, sql) {
  components <- parameters$components
  if (sum(components) > most_normals) abort_no_sql(sql, "has too many components for SQL")
  block <- score_multivariate_gaussian(bank, parameters, sql)
  kept <- kept_members(parameters, sql)
  if (!length(kept)) return(list(terms = rep("0", length(components)), range = block$range))
  class <- factor(rep(seq_along(components), components))
  sound <- block$terms != "NULL"
  weighted <- sprintf("%s + (%s)", sql$number(parameters$log_weight), block$terms)
  missing <- paste(sql$x[kept], "IS NULL", collapse = " AND ")
  sums <- log_sums(split(weighted[sound], class[sound]), missing, sql)
  list(
    terms = sums$terms, range = block$range, covered = block$covered,
    stages = c(block$stages, sums$stages)
  )
}

# A square. Some engines raise an error if it underflows.
db_square <- function(z) sprintf("CASE WHEN ABS(%s) > 1e-140 THEN %s * %s ELSE 0e0 END", z, z, z)

# The whitened deviations of the members that are there, and the constant of their density. Half of
# the sum of their squares is subtracted from the constant.
whitened <- function(parameters, kept, k, gone, away, number) {
  here <- which(!gone)
  z <- rep("0e0", length(kept))
  if (!length(here)) return(list(constant = 0, z = z))
  factor <- parameters$factor[[if (length(parameters$factor) == 1L) 1L else k]]
  u <- factor[, kept[here], drop = FALSE]
  if (length(here) < ncol(factor)) u <- qr.R(qr(u))[, seq_along(here), drop = FALSE]
  w <- backsolve(u, diag(length(here)))
  z[here] <- vapply(seq_along(here), function(i) {
    used <- which(w[seq_len(i), i] != 0)
    db_sum(sprintf("%s * %s", away[here[used]], number(w[used, i])))
  }, "")
  list(constant = -sum(log(abs(diag(u)))) - length(here) * half_log_two_pi, z = z)
}

# Numbers whose whitened squares do not overflow.
block_range <- function(parameters, x) {
  worst <- lapply(parameters$factor, function(u) {
    if (anyNA(u)) return(rep(0, ncol(u)))
    apply(abs(backsolve(u, diag(nrow(u)))), 1L, max)
  })
  vapply(seq_along(x), function(j) {
    sd <- 1 / max(vapply(worst, `[[`, 1, j))
    near_means(parameters$mean[, j], rep(sd, nrow(parameters$mean)), length(x)^2)
  }, "")
}
