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

# exp(x), with 0 and infinity where an engine may raise an error. Some engines raise one for numbers
# below the normal ones, too, but not for products.
db_exp <- function(x, dialect) {
  sprintf(
    "(CASE WHEN %1$s > 709.782712893384e0 THEN %2$s WHEN %1$s > -708e0 THEN EXP(%1$s)
 WHEN %1$s > -745.133219101941e0 THEN EXP(%1$s + 1e2) * %3$s WHEN %1$s <= -745e0 THEN 0e0 END)",
    x, dialect$infinity, dialect$number(exp(-100))
  )
}

# Pieces of SQL. Only this file writes names and values of users into SQL. `source`: see
# db_source().

db_name <- function(x, source) source$dialect$quote_name(x, source$con)

db_text <- function(x, source) source$dialect$quote(enc2utf8(x), source$con)

# Levels as literals of a column of the schema's type.
db_values <- function(x, type, source) {
  switch(type,
    character = , factor = , ordered = db_text(x, source),
    logical = ifelse(as.logical(x), source$dialect$true, source$dialect$false),
    source$dialect$number(as.numeric(x))
  )
}

# Numbers as literals, infinite ones too.
db_number <- function(x, dialect) {
  endless <- paste0(ifelse(x < 0, "-", ""), dialect$infinity)
  ifelse(is.infinite(x), endless, dialect$number(as.double(x)))
}

db_double <- function(x, dialect) sprintf("CAST(%s AS %s)", x, dialect$double)

# The result that belongs to the value of x. ClickHouse before 23.5 answers CASE x WHEN ... by NULL.
db_case <- function(x, values, results, other = "NULL") {
  db_first(paste(x, "=", values, recycle0 = TRUE), results, other)
}

# `columns`: expressions, named by the names of the result; "" for a column as it is.
db_select <- function(columns, from, where = NULL, group = NULL) {
  paste0(
    "SELECT ", paste(db_named(columns), collapse = ", "), " FROM ", from,
    if (length(where)) paste0(" WHERE ", paste(where, collapse = " AND ")),
    if (length(group)) paste0(" GROUP BY ", paste(group, collapse = ", "))
  )
}

db_named <- function(columns) {
  if (is.null(names(columns))) return(columns)
  ifelse(nzchar(names(columns)), paste(columns, "AS", names(columns)), columns)
}

# Not all engines have AS before the alias of a query.
db_sub <- function(query, alias = "bayes_t") sprintf("(%s) %s", query, alias)

# SQL as a language of log densities: see likelihood-density.R.

sql_language <- function(dialect) {
  list(
    name = "SQL", remedy = without_sql, stages = TRUE, in_place = dialect$in_place,
    number = dialect$number, impossible = "NULL", never = NULL, is = "=", and = " AND ",
    any = db_any,
    among = function(x, values) sprintf("%s IN (%s)", x, toString(values)),
    between = function(x, low, high) sprintf("%s BETWEEN %s AND %s", x, low, high),
    case = db_first,
    when = function(condition, value, other = NULL) {
      paste0("CASE WHEN ", condition, " THEN ", value, db_else(other))
    },
    sum = sum_text, add = function(terms, members) sum_text(terms),
    abs = function(x) sprintf("ABS(%s)", x), exp = function(x) sprintf("EXP(%s)", x),
    floor = db_floor, greatest = function(x) db_extreme(x, dialect$greatest), ln = dialect$ln,
    square = function(x) if (dialect$copies) sprintf("POWER(%s, 2)", x) else paste(x, "*", x),
    polynomial = function(x, coefficients) {
      Reduce(function(c, rest) sprintf("(%s + %s * %s)", c, x, rest),
             dialect$number(coefficients), right = TRUE)
    }
  )
}

# The language for the members of a bank. `x`, `raw`, `here`: their columns, see joint_stages().
# `source`: see db_source(). `patterns`: see block_patterns().
bank_language <- function(x, raw, here, features, source, whole, patterns, call) {
  exact <- source$dialect$exact
  c(sql_language(source$dialect), list(
    x = x, raw = raw, gone = paste(here, "= 0"), features = features, whole = whole,
    patterns = patterns, call = call,
    zero_if_missing = function(terms, members) sprintf("%s * (%s)", here[members], terms),
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
