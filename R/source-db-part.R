# Parts of R's expressions as SQL: list(sql, type). The type is "number" (a double), "text", "truth"
# (a condition), "none" (NULL), "date", "time" (and all other types of columns), "other" (what
# dbplyr wrote), or "unknown" for a column of a table without types.
# `factor`: whether a text is a factor in R.
# `to`: list(source, types, of, of_rows, stop, dependent): of(e) gives the part for an expression,
# of_rows names the functions of all rows, stop(why) is the error that SQL has other values than R,
# dependent(why) the one that the value of a row depends on other rows.

# The types whose SQL is that of the column or of dbplyr.
unwritten_types <- c("time", "date", "other")

sql_part <- function(type, ...) list(sql = sprintf(...), type = type)

is_column_of <- function(e, columns) is.name(e) && as.character(e) %in% columns

is_constant <- function(x) is.atomic(x) && !is.null(x)

column_part <- function(column, to) {
  dialect <- to$source$dialect
  name <- db_column(column, to$source)
  switch(to$types[[column]],
    double = , integer = list(sql = dialect$known(db_double(name, dialect)), type = "number"),
    character = list(sql = dialect$text(name), type = "text"),
    logical = list(sql = dialect$holds(name), type = "truth"),
    list(sql = name, type = to$types[[column]])
  )
}

constant_part <- function(value, to) {
  if (is.object(value) || !is_constant(value) || length(value) != 1L) {
    sql <- dbplyr::translate_sql_(list(value), con = to$source$con)
    return(list(sql = as.character(sql), type = "other"))
  }
  if (is.na(value)) return(list(sql = "NULL", type = "none"))
  switch(typeof(value),
    character = list(sql = db_text(value, to$source), type = "text"),
    logical = list(sql = if (value) "(1 = 1)" else "(1 = 0)", type = "truth"),
    list(sql = db_number(value, to$source$dialect), type = "number")
  )
}

part_number <- function(part, to) {
  dialect <- to$source$dialect
  switch(part$type,
    truth = sprintf("(CASE WHEN %1$s THEN 1e0 WHEN NOT %1$s THEN 0e0 END)", part$sql),
    none = db_double("NULL", dialect), unknown = dialect$known(db_double(part$sql, dialect)),
    text = to$stop("a text is no number"), part$sql
  )
}

# ifelse() and as.numeric() give the codes of a factor.
check_no_factor <- function(parts, to) {
  factor <- vapply(parts, function(part) isTRUE(part$factor), NA)
  if (any(factor)) to$stop("R gives the codes of the levels of cut()")
}

part_text <- function(part, to) {
  switch(part$type,
    truth = sprintf("(CASE WHEN %1$s THEN 'TRUE' WHEN NOT %1$s THEN 'FALSE' END)", part$sql),
    unknown = , other = to$source$dialect$text(part$sql), date = text_of_date(part$sql, to),
    number = to$stop("each engine writes numbers as text in its own way"),
    time = to$stop("each engine writes times and other types as text in its own way"), part$sql
  )
}

# R writes a year before 1000 with less than four digits, some engines write a sign before the year
# 10000, and dates that are stored as numbers have another text.
text_of_date <- function(sql, to) {
  dialect <- to$source$dialect
  text <- dialect$text(sql)
  if (is_simulated(to$source$con)) return(text)
  other <- sprintf(
    "(%s <> 10 OR %s(%s, 1, 1) = '0')", dialect$length(text), dialect$substring, text
  )
  found <- db_get(to$source, db_select(c(n = "COUNT(*)"), db_sub(to$source$query), other))$n
  if (found > 0) to$stop("some dates are written otherwise than 2020-01-31")
  text
}

part_condition <- function(part, to) {
  switch(part$type,
    number = sprintf("(%s <> 0)", part$sql), none = "(NULL = 1)",
    unknown = to$source$dialect$holds(part$sql), text = to$stop("a text is no truth value"),
    part$sql
  )
}

# A part as a column. Not in all engines a condition is a value.
part_value <- function(part, to) {
  dialect <- to$source$dialect
  if (part$type != "truth" || dialect$conditions) return(part$sql)
  sprintf("CASE WHEN %1$s THEN %2$s WHEN NOT %1$s THEN %3$s END", part$sql, dialect$true,
          dialect$false)
}

check_zone <- function(what, to) {
  zone <- to$source$dialect$zone
  if (is.null(zone) || is_simulated(to$source$con)) return(invisible())
  zone <- ask_rows(to$source$con, zone)[[1L]]
  if (!zone %in% c("UTC", "Etc/UTC", "GMT", "Etc/GMT", "Z", "+00:00")) {
    to$stop(sprintf("%s is that of the time zone of the session, %s", what, zone))
  }
}

# NULL for a text or a number, which dbplyr converts.
of_date <- function(e, to) {
  part <- if (length(e) == 2L) to$of(e[[2L]])
  write <- to$source$dialect$date
  if (isTRUE(part$type %in% unwritten_types) && !is.null(write)) {
    sql_part("date", "(%s)", write(part$sql))
  }
}

# The parts of some arguments.
number_args <- function(x, to) {
  vapply(x, function(x) part_number(to$of(x), to), "", USE.NAMES = FALSE)
}

text_arg <- function(x, to) part_text(to$of(x), to)

# The arguments of a call by name, with the defaults of `like`, a function with the same arguments.
matched_args <- function(e, like) {
  given <- as.list(match.call(like, e))[-1L]
  c(given, formals(like)[setdiff(names(formals(like)), c(names(given), "..."))])
}
