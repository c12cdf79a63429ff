# The log density of joint blocks of numeric features as text, see likelihood-density.R.

# Deviations from the mean of each class, then these whitened, so that each is computed once. In
# each pattern of missing members the deviations of the others are whitened by the factor of their
# own covariance. A pattern that is not among to$patterns has no terms.
block_log_density <- function(bank, parameters, to) {
  kept <- kept_members(parameters, to)
  sd <- block_scale(parameters)
  # Numbers whose whitened squares do not overflow.
  near <- near_means(parameters$mean, sd, length(to$x)^2, to)
  classes <- nrow(parameters$mean)
  if (!length(kept)) return(c(near, list(terms = rep("0", classes))))
  x <- to$x[kept]
  patterns <- unique(lapply(to$patterns, function(code) code %/% 2^(kept - 1) %% 2 == 1))
  codes <- vapply(patterns, function(gone) sum(2^(which(gone) - 1)), 1)
  pattern <- paste0(x[[1L]], "_gone")
  in_place <- to$in_place && length(patterns) == 1L
  choose <- function(values) {
    last <- length(values)
    if (length(unique(values)) == 1L) return(values[[1L]])
    to$case(sprintf("%s %s %.0f", pattern, to$is, codes[-last]), values[-last], values[[last]])
  }
  sound <- which(rowSums(!is.finite(parameters$mean)) == 0)
  parts <- lapply(seq_len(classes), function(k) {
    if (!k %in% sound) return(NULL)
    difference <- away_text(
      x, parameters$mean[k, kept], parameters$mean_low[k, kept], sd[k, kept], to
    )
    away <- if (in_place) difference else sprintf("%s_d%d", x, k)
    white <- lapply(patterns, function(gone) whitened(parameters, kept, k, gone, away, to))
    z <- vapply(seq_along(x), function(i) choose(vapply(white, function(w) w$z[[i]], "")), "")
    constant <- choose(to$number(vapply(white, `[[`, 1, "constant")))
    names <- if (in_place) sprintf("(%s)", z) else sprintf("%s_z%d", x, k)
    list(
      away = stats::setNames(difference, away), z = stats::setNames(z, names),
      term = sprintf("%s - 0.5e0 * (%s)", constant, to$sum(to$square(names)))
    )
  })
  terms <- rep(to$impossible, classes)
  terms[sound] <- vapply(parts[sound], `[[`, "", "term")
  listed <- if (length(codes) < 2^length(x)) to$among(pattern, codes)
  gone <- to$gone[kept]
  code <- if (length(codes) == 1L) to$when(to$any(gone), "1", "0") else pattern_code(gone, to)
  stages <- list(stats::setNames(code, pattern))
  if (!in_place) {
    stages <- list(
      c(stages[[1L]], unlist(lapply(parts, `[[`, "away"))), unlist(lapply(parts, `[[`, "z"))
    )
  }
  c(near, list(
    terms = terms, least = apply(sd, 2L, least_deviation), covered = listed, stages = stages
  ))
}

# The pattern of missing members as one number: the sum of 2^(j - 1) over the missing members j.
pattern_code <- function(gone, to) {
  to$sum(to$when(gone, sprintf("%.0f", 2^(seq_along(gone) - 1)), "0"))
}

# The patterns that are written if the rows are not known: all of a small block, and the complete
# one of a larger block.
usual_patterns <- function(members) if (members <= 4L) seq_len(2^members) - 1 else 0

# The whitened deviations of the members that are there, and the constant of their density. Half of
# the sum of their squares is subtracted from the constant.
whitened <- function(parameters, kept, k, gone, away, to) {
  here <- which(!gone)
  z <- rep("0e0", length(kept))
  if (!length(here)) return(list(constant = 0, z = z))
  factor <- parameters$factor[[if (length(parameters$factor) == 1L) 1L else k]]
  u <- factor[, kept[here], drop = FALSE]
  if (length(here) < ncol(factor)) u <- qr.R(qr(u))[, seq_along(here), drop = FALSE]
  w <- backsolve(u, diag(length(here)))
  z[here] <- vapply(seq_along(here), function(i) {
    used <- which(w[seq_len(i), i] != 0)
    to$sum(sprintf("%s * %s", away[here[used]], to$number(w[used, i])))
  }, "")
  list(constant = -sum(log(abs(diag(u)))) - length(here) * half_log_two_pi, z = z)
}

# The distance from the mean at which a whitened deviation may be 1, of each class and member.
block_scale <- function(parameters) {
  members <- ncol(parameters$mean)
  scale <- vapply(parameters$factor, function(u) {
    if (anyNA(u)) return(rep(Inf, members))
    1 / apply(abs(backsolve(u, diag(members))), 1L, max)
  }, numeric(members))
  matrix(scale, nrow(parameters$mean), members, byrow = TRUE)
}
