# Log densities as text. The part `log_density` of a record writes that of a bank in a language: SQL
# (bank_language()) or R (r_language()). It gives a list:
# * terms: an expression for each class. A missing value or an unknown level adds 0;
# * range: for each member, a condition on to$raw. Other numbers are impossible in every class, and
#   none of the expressions here needs their value. NULL for levels;
# * limit: for each member, the largest size of a number in the range, if this is all of it;
# * fill: what takes the place of missing numbers and of those outside the range, and is inside of
#   it; NULL for 0;
# * least: numbers whose size is below count as 0; NULL for none;
# * covered: the rows for which there are terms, as a condition; NULL for all rows;
# * stages: columns that the terms need, each stage computed from the stages before.
#
# A language `to` is a list. Sums, products, < and numbers such as 0.5e0 are the same in all.
#
#   x, raw      the members as columns. In SQL the numbers of x are never NULL
#   gone        for each number, the condition that it is missing
#   features    the schema entries of the members
#   patterns    which members of a joint block may be missing, see pattern_code()
#   whole       whether terms that all classes share are needed; probabilities need none
#   stages      whether stages are columns; otherwise each use of one repeats its expression
#   in_place    whether Gaussian blocks without missing members have no stages
#   impossible  the term of a class in which the values are impossible
#   never       the argument `other` for impossible values
#   is, and, any, among, between, level  conditions. level(j): for each level of member j, or NA
#   case, when  the value of the first condition that holds, or `other`. `when` has one condition,
#               and takes vectors element by element
#   sum, add    of any number of terms; of the terms of several members
#   number, abs, exp, floor, greatest, ln, polynomial, square  functions
#   zero_if_missing  an expression for each of some members, 0 where the member is missing
#   name, remedy, call  for the error if there is no text

# `why`: the end of a sentence about the likelihood.
abort_no_text <- function(to, why) {
  names <- vapply(to$features, `[[`, "", "name", USE.NAMES = FALSE)
  abort_argument(c(
    paste("The likelihood of {.field {names}}", why, "for {to$name}."), i = to$remedy
  ), to$call)
}

# The largest sizes of expressions: numbers of bins and values, of cells, of normals.
most_steps <- 500L
most_combinations <- 1000L
most_normals <- 256L

# A sum of any number of terms.
sum_text <- function(terms) if (length(terms)) in_groups(terms, " + ") else "0"

# Hundreds of terms in a row are nested too deeply for some engines.
in_groups <- function(terms, operator, size = 50L) {
  while (length(terms) > size) {
    terms <- vapply(in_batches(terms, size), function(x) {
      paste0("(", paste(x, collapse = operator), ")")
    }, "")
  }
  paste(terms, collapse = operator)
}

# The value of the step that holds a number: values[[i]] from breaks[[i - 1]] on and below
# breaks[[i]]. With many steps the search has two levels.
steps_text <- function(x, breaks, values, to) {
  n <- length(values)
  same <- values[-1L] == values[-n]
  breaks <- breaks[!same]
  values <- values[c(TRUE, !same)]
  if (length(values) == 1L) return(values)
  if (length(values) > 20L) {
    parts <- in_batches(seq_along(values), ceiling(sqrt(length(values))))
    last <- vapply(parts, max, 1L)
    values <- vapply(parts, function(i) steps_text(x, breaks[i[-length(i)]], values[i], to), "")
    breaks <- breaks[last[-length(last)]]
  }
  to$case(paste(x, "<", breaks), values[-length(values)], values[[length(values)]])
}

# The value of member j's level, of values in the order of the levels.
level_text <- function(j, values, other, to) {
  conditions <- to$level(j)
  used <- !is.na(conditions)
  to$case(conditions[used], values[used], other)
}

# The terms of a bank of levels. A class without rows has no parameters.
open_terms <- function(terms, log_probability, to) {
  replace(terms, rowSums(!is.nan(log_probability)) == 0, to$impossible)
}

# Log probabilities as literals.
logs_text <- function(x, to) ifelse(is.finite(x), to$number(x), to$impossible)

# The positions of the members that are not left out.
kept_members <- function(parameters, to) {
  setdiff(seq_along(to$x), which(parameters$left_out == 1L))
}

# The log probabilities of levels or numbers, as the engine scores them: a value x class matrix for
# each member of the bank.
scores_of_values <- function(bank, parameters, values, classes) {
  sizes <- lengths(values)
  member <- rep(seq_along(values), sizes)
  columns <- lapply(seq_along(values), function(j) {
    value <- rep(values[[j]][NA_integer_], length(member))
    replace(value, member == j, values[[j]])
  })
  scores <- scores_of_rows(bank, parameters, columns, classes)
  lapply(split(seq_along(member), factor(member, seq_along(values))), function(rows) {
    scores[rows, , drop = FALSE]
  })
}

# The log likelihoods of rows, a row x class matrix. `columns`: of the members, as codes of levels
# or numbers.
scores_of_rows <- function(bank, parameters, columns, classes) {
  rows <- length(columns[[1L]])
  levels <- if (is.null(bank$levels)) rep(0L, length(columns)) else bank$levels
  frame <- Map(function(x, levels) {
    if (levels == 0L) encoded(as.double(x)) else encoded(as.integer(x), 1L, levels)
  }, columns, levels)
  bank$features <- seq_along(columns)
  # A class with a prior of 0 may have no parameters, and log likelihoods do not use the prior.
  model <- list(
    banks = list(bank), parameters = list(parameters), prior = numeric(classes),
    features = length(columns), temper = NULL, hyperparameters = NULL
  )
  labels <- list(class = NULL, numbers = list(dim = c(rows, classes)))
  score_cpp(model, bind_frame(frame, rows), "log_likelihood", labels, 1L)$value
}

# Normals and their sums.

half_log_two_pi <- 0.5 * log(2 * pi)

# range and limit: numbers whose squared distances from the means, summed over `terms` numbers, do
# not overflow. `mean`, `sd`: matrices of a class or component and a member.
near_means <- function(mean, sd, terms, to) {
  used <- is.finite(mean) & is.finite(sd) & sd > 0
  limit <- vapply(seq_along(to$raw), function(j) {
    format(min(1e153, sd[used[, j], j] * 1e153) / sqrt(terms), digits = 3L)
  }, "")
  list(range = paste(to$abs(to$raw), "<=", limit), limit = limit)
}

# Some engines raise an error if a square underflows. It does not if numbers and means this near to
# 0 are 0, since other differences of doubles are larger.
least_deviation <- function(sd) 1e-120 * max(0, sd[is.finite(sd)])

# Numbers below `least` vanish in a sum with a larger one. This takes one use of the number.
without_least <- function(x, least, number) {
  large <- number(10^ceiling(16 + log10(least)))
  ifelse(least > 0, sprintf("((%1$s + %2$s) - %2$s)", x, large), x)
}

# (x - mean). `low`: the second part of the mean, which is left out if it changes nothing.
away_text <- function(x, mean, low, sd, to) {
  mean[abs(mean) < 1e-120 * sd] <- 0
  away <- sprintf("(%s - %s)", x, to$number(mean))
  ifelse(abs(low) <= 1e-15 * sd, away, sprintf("(%s - %s)", away, to$number(low)))
}

# Twice the weighted log density: 2 constant - ((x - mean) / sd)^2. Halving a sum of these is exact,
# and takes one operation.
normal_text <- function(x, mean, low, sd, to, log_weight = 0) {
  if (!length(mean)) return(character())
  away <- away_text(x, mean, low, sd, to)
  constant <- to$number(2 * (log_weight - log(sd) - half_log_two_pi))
  plain <- sd > 1e-100 & sd < 1e100
  square <- to$square(ifelse(plain, away, sprintf("(%s * %s)", away, to$number(1 / sd))))
  paste(constant, "-", ifelse(plain, paste(to$number(1 / sd^2), "*", square), square))
}

# Sums of normals, class by class.
normals_log_density <- function(log_weight, mean, sd, left_out, to) {
  near <- near_means(cbind(unlist(mean)), cbind(unlist(sd)), 1, to)
  if (any(left_out == 1L)) return(c(near, list(terms = rep("0", length(mean)))))
  least <- least_deviation(unlist(sd))
  normals <- lapply(seq_along(mean), function(k) {
    used <- is.finite(log_weight[[k]]) & is.finite(mean[[k]])
    sprintf("0.5e0 * (%s)", normal_text(
      to$x, mean[[k]][used], 0 * mean[[k]][used], sd[[k]][used], to, log_weight[[k]][used]
    ))
  })
  c(near, list(least = least), log_sums(normals, to$gone, to))
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

# Gamma distributions and counts. No term cancels another, as in the engine
# (src/engine/core/gamma_functions.hpp and counts.hpp).

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
        c(to$gone[[j]], paste(x[[j]], "< 16")), c("0", few), paste0(beyond[k, j], shared[j])
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
