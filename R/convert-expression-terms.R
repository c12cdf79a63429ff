# The log densities of banks as text of R expressions: see convert-expressions.R. A writer returns
# for each block the terms of all classes. `x`: the features as expressions.

# Stands for minus infinity, which SQL cannot write. Sums of many of them are finite.
impossible_text <- "-1e300"
impossible_limit <- "-1e299"

number_text <- function(x) {
  ifelse(is.finite(x), sprintf("%.17g", x), impossible_text)
}

# Texts in ASCII, because the locale may not have their letters.
string_text <- function(x) {
  vapply(enc2utf8(x), function(x) {
    code <- utf8ToInt(x)
    plain <- code >= 32L & code < 127L & !code %in% utf8ToInt("\"\\")
    letters <- ifelse(plain, intToUtf8(code, multiple = TRUE), sprintf("\\U%08x", code))
    sprintf("\"%s\"", paste(letters, collapse = ""))
  }, "", USE.NAMES = FALSE)
}

# case_when(<condition> ~ <value>, ..., TRUE ~ <other>)
when_text <- function(conditions, values, other) {
  cases <- c(paste(conditions, "~", values, recycle0 = TRUE), paste("TRUE ~", other))
  sprintf("dplyr::case_when(%s)", paste(cases, collapse = ", "))
}

abort_no_text <- function(bank, features, why, call) {
  names <- vapply(features, `[[`, "", "name")
  abort_argument(c(
    "The likelihood of {.field {names}} ({bank$type}) {why}.",
    i = "{.fn predict} of a lazy table and {.fn as_sql} write SQL for it."
  ), call)
}

text_writers <- function() {
  list(
    categorical = write_levels, joint_table = write_cells, gaussian = write_gaussians,
    gamma = write_gammas, poisson = write_rates, histogram = write_bins,
    multivariate_gaussian = write_block
  )
}

# The terms of single features: term(j, k) of a known value. Missing values add 0, and so do
# features that are left out.
single_texts <- function(parameters, x, classes, term, outside = NULL) {
  lapply(seq_along(x), function(j) {
    if (left_out_mark(parameters, j) == 1L) return(rep("0", classes))
    vapply(seq_len(classes), function(k) {
      conditions <- c(sprintf("is.na(%s)", x[[j]]), if (!is.null(outside)) outside(x[[j]]))
      values <- c("0", impossible_text)[seq_along(conditions)]
      when_text(conditions, values, term(j, k))
    }, "")
  })
}

write_gaussians <- function(bank, parameters, x, features, classes, call) {
  constant <- -log(parameters$sd) - half_log_two_pi
  single_texts(parameters, x, classes, function(j, k) {
    away <- db_away(x[[j]], parameters$mean[k, j], parameters$mean_low[k, j], number_text)
    sprintf("%s - 0.5 * (%s / %s)^2", number_text(constant[k, j]), away,
            number_text(parameters$sd[k, j]))
  })
}

write_gammas <- function(bank, parameters, x, features, classes, call) {
  shape <- parameters$shape
  rate <- parameters$rate
  constant <- shape * log(rate) - lgamma(shape)
  single_texts(parameters, x, classes, function(j, k) {
    sprintf("%s + %s * log(%s) - %s * %s", number_text(constant[k, j]),
            number_text(shape[k, j] - 1), positive_text(x[[j]]), number_text(rate[k, j]), x[[j]])
  }, outside = function(x) paste(x, "<= 0"))
}

# A logarithm must not see the numbers that are impossible.
positive_text <- function(x) sprintf("ifelse(%s > 0, %s, 1)", x, x)

write_rates <- function(bank, parameters, x, features, classes, call) {
  single_texts(parameters, x, classes, function(j, k) {
    rate <- parameters$rate[k, j]
    if (identical(rate, 0)) return(when_text(paste(x[[j]], "== 0"), "0", impossible_text))
    sprintf("%s * %s - %s", x[[j]], number_text(log(rate)), number_text(rate))
  }, outside = function(x) sprintf("%s < 0 | %s != floor(%s)", x, x, x))
}

# Numbers outside the bins are impossible; the last bin is closed.
write_bins <- function(bank, parameters, x, features, classes, call) {
  sets <- rep_len(edges_of_bins(bank), classes)
  list(vapply(seq_len(classes), function(k) {
    edges <- sets[[k]]
    if (length(edges) < 2L) return(impossible_text)
    bins <- length(edges) - 1L
    scores <- scores_of_rows(bank, parameters, list(edges[seq_len(bins)]), classes)[, k]
    when_text(
      c(sprintf("is.na(%s)", x), paste(x, "<", number_text(edges[[1L]])),
        paste(x, "<", number_text(edges[seq_len(bins)[-1L]]), recycle0 = TRUE),
        paste(x, "<=", number_text(edges[[bins + 1L]]))),
      c("0", impossible_text, number_text(scores)), impossible_text
    )
  }, ""))
}

# Conditions that a column has each of the levels.
level_texts <- function(x, feature) {
  if (feature$type == "logical") return(paste(x, "==", feature$levels))
  ifelse(
    is.na(feature$levels), sprintf("is.na(%s)", x), paste(x, "==", string_text(feature$levels))
  )
}

write_levels <- function(bank, parameters, x, features, classes, call) {
  scores <- scores_of_values(bank, parameters, lapply(bank$levels, seq_len), classes)
  lapply(seq_along(x), function(j) {
    vapply(seq_len(classes), function(k) {
      when_text(level_texts(x[[j]], features[[j]]), number_text(scores[[j]][, k]), "0")
    }, "")
  })
}

# Combinations with fewer missing features come first, so a missing feature needs no condition.
write_cells <- function(bank, parameters, x, features, classes, call) {
  if (prod(bank$levels + 1) > most_combinations) {
    abort_no_text(bank, features, "has too many combinations of levels", call)
  }
  cells <- expand.grid(lapply(bank$levels, function(count) c(seq_len(count), NA)))
  missing <- rowSums(is.na(cells))
  cells <- cells[order(missing), , drop = FALSE][sort(missing) < length(x), , drop = FALSE]
  scores <- scores_of_rows(bank, parameters, unname(as.list(cells)), classes)
  conditions <- Map(function(code, x, feature) level_texts(x, feature)[code], cells, x, features)
  conditions <- apply(do.call(cbind, unname(conditions)), 1L, function(each) {
    paste(sprintf("(%s)", each[!is.na(each)]), collapse = " & ")
  })
  list(vapply(seq_len(classes), function(k) {
    when_text(conditions, number_text(scores[, k]), "0")
  }, ""))
}

# A case for each set of missing features; in a large block for the complete rows only.
write_block <- function(bank, parameters, x, features, classes, call) {
  kept <- setdiff(seq_along(x), which(parameters$left_out == 1L))
  if (!length(kept)) return(list(rep("0", classes)))
  x <- x[kept]
  patterns <- if (length(x) > 4L) {
    list(rep(FALSE, length(x)))
  } else {
    asplit(as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), length(x)))), 1L)
  }
  conditions <- vapply(patterns, function(gone) {
    paste0(ifelse(gone, "", "!"), "is.na(", x, ")", collapse = " & ")
  }, "")
  list(vapply(seq_len(classes), function(k) {
    if (anyNA(parameters$mean[k, kept])) return(impossible_text)
    away <- db_away(x, parameters$mean[k, kept], parameters$mean_low[k, kept], number_text)
    densities <- vapply(patterns, function(gone) {
      white <- whitened(parameters, kept, k, as.vector(gone), away, number_text)
      squares <- sprintf("(%s)^2", white$z[!gone])
      db_sum(c(number_text(white$constant), sprintf("-0.5 * (%s)", db_sum(squares))))
    }, "")
    when_text(conditions, densities, "NA_real_")
  }, ""))
}
