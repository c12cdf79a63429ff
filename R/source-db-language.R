# SQL as a language of log densities: see likelihood-density.R.

sql_language <- function(dialect) {
  list(
    name = "SQL", remedy = without_sql, stages = TRUE, number = dialect$number,
    impossible = "NULL", never = NULL, missing = "NULL", is = "=", and = " AND ",
    is_na = function(x) paste(x, "IS NULL"),
    among = function(x, values) sprintf("%s IN (%s)", x, toString(values)),
    between = function(x, low, high) sprintf("%s BETWEEN %s AND %s", x, low, high),
    case = db_first,
    when = function(condition, value, other = NULL) {
      paste0("CASE WHEN ", condition, " THEN ", value, db_else(other))
    },
    sum = sum_text, add = function(terms, members) sum_text(terms),
    abs = function(x) sprintf("ABS(%s)", x), exp = function(x) sprintf("EXP(%s)", x),
    floor = db_floor, greatest = function(x) db_extreme(x, dialect$greatest), ln = dialect$ln,
    square = function(x) paste(x, "*", x),
    polynomial = function(x, coefficients) {
      Reduce(function(c, rest) sprintf("(%s + %s * %s)", c, x, rest),
             dialect$number(coefficients), right = TRUE)
    },
    zero_if_missing = function(x) sprintf("COALESCE(%s, 0)", x)
  )
}

# The language for the members of a bank. `x`, `raw`: their columns, see guarded_columns().
# `source`: see db_source(). `patterns`: see block_patterns().
bank_language <- function(x, raw, features, source, whole, patterns, call) {
  exact <- source$dialect$exact
  c(sql_language(source$dialect), list(
    x = x, raw = raw, features = features, whole = whole, patterns = patterns, call = call,
    # A level NA is a missing value in a database.
    level = function(j) {
      levels <- features[[j]]$levels
      used <- !is.na(levels)
      conditions <- paste(exact(x[[j]]), "=", exact(db_text(levels[used], source)))
      replace(rep(NA_character_, length(levels)), used, conditions)
    }
  ))
}

# The remedy if a prediction has no form in SQL.
without_sql <-
  "Predict the rows in blocks, by {.fn query_chunks}, or in memory, by {.fn dplyr::collect}."
