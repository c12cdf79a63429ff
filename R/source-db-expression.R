# Expressions of SQL with any number of parts.

# A condition of which any part suffices.
db_any <- function(conditions) if (length(conditions)) in_groups(conditions, " OR ") else "1 = 0"

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

# The value of the first condition that holds. `other`: if none holds; NULL for NULL. With many
# conditions the search has two levels: Spark compiles a CASE in a time and a memory that grow with
# the square of its length.
db_first <- function(conditions, values, other = NULL) {
  if (!length(conditions)) return(other)
  if (length(conditions) > 100L) {
    parts <- in_batches(seq_along(conditions), ceiling(sqrt(length(conditions))))
    values <- vapply(parts, function(i) db_first(conditions[i], values[i], other), "")
    conditions <- vapply(parts, function(i) db_any(conditions[i]), "")
  }
  paste0("CASE", paste0(" WHEN ", conditions, " THEN ", values, collapse = ""), db_else(other))
}

db_else <- function(other) if (is.null(other)) " END" else paste0(" ELSE ", other, " END")

# The greatest whole number up to x. From 2^52 on all doubles are whole, and some engines use
# integers, which end at 2^63 and are divided as integers.
db_floor <- function(x) {
  sprintf("(CASE WHEN ABS(%1$s) < 4503599627370496e0 THEN FLOOR(%1$s) * 1e0 ELSE %1$s END)", x)
}

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
