# Expressions of SQL with any number of parts. Hundreds of terms in a row are nested too deeply for
# some engines, so they are written in groups.

# A sum, or a condition of which any part suffices.
db_sum <- function(terms) if (length(terms)) in_groups(terms, " + ") else "0"
db_any <- function(conditions) if (length(conditions)) in_groups(conditions, " OR ") else "1 = 0"

in_groups <- function(terms, operator) {
  while (length(terms) > 50L) {
    terms <- vapply(in_batches(terms, 50L), function(x) {
      paste0("(", paste(x, collapse = operator), ")")
    }, "")
  }
  paste(terms, collapse = operator)
}

# The greatest or least of expressions. `find`: the name of the engine's function, which may have a
# limited number of arguments.
db_extreme <- function(x, find) {
  while (length(x) > 1L) {
    x <- vapply(in_batches(x, 100L), function(part) {
      if (length(part) == 1L) part else sprintf("%s(%s)", find, paste(part, collapse = ", "))
    }, "")
  }
  x
}

# The value of the first condition that holds.
db_first <- function(conditions, values) {
  paste0("CASE", paste0(" WHEN ", conditions, " THEN ", values, collapse = ""), " END")
}

# The value of the step that holds a number: values[[i]] from breaks[[i - 1]] on and below
# breaks[[i]]. With many steps the search has two levels.
db_steps <- function(x, breaks, values) {
  n <- length(values)
  same <- values[-1L] == values[-n]
  breaks <- breaks[!same]
  values <- values[c(TRUE, !same)]
  if (length(values) == 1L) return(values)
  if (length(values) > 20L) {
    parts <- in_batches(seq_along(values), ceiling(sqrt(length(values))))
    last <- vapply(parts, max, 1L)
    values <- vapply(parts, function(i) db_steps(x, breaks[i[-length(i)]], values[i]), "")
    breaks <- breaks[last[-length(last)]]
  }
  first <- -length(values)
  paste0(
    "CASE", paste0(" WHEN ", x, " < ", breaks, " THEN ", values[first], collapse = ""),
    " ELSE ", values[[length(values)]], " END"
  )
}

# The greatest whole number up to x. From 2^52 on all doubles are whole, and some engines use
# integers, which end at 2^63 and are divided as integers.
db_floor <- function(x) {
  sprintf("(CASE WHEN ABS(%1$s) < 4503599627370496e0 THEN FLOOR(%1$s) * 1e0 ELSE %1$s END)", x)
}

# The expression for numbers that are there; 0 for a missing number.
db_known <- function(x, value) sprintf("CASE WHEN %s IS NULL THEN 0 ELSE %s END", x, value)

# A condition as a column. Some engines have no truth values.
db_truth <- function(condition, dialect) {
  sprintf("CASE WHEN %s THEN %s ELSE %s END", condition, dialect$true, dialect$false)
}

# exp(x), with 0 and infinity where an engine may raise an error; 0 for NULL.
db_exp <- function(x, dialect) {
  sprintf(
    "CASE WHEN %s > 709 THEN %s WHEN %s > -700 THEN EXP(%s) ELSE 0e0 END", x, dialect$infinity,
    x, x
  )
}
