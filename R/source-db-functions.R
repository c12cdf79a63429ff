# R's functions of columns as SQL with R's values on every engine, whatever its build, mode or
# version: the list of forms. A form is a function of a call and of `to` (see source-db-part.R). It
# gives a part, or NULL if dbplyr is to write the call.

sql_forms <- function() {
  list(
    `+` = of_operator("+"), `-` = of_operator("-"), `*` = of_operator("*"), `/` = of_quotient,
    `^` = of_power, abs = of_number("ABS(%1$s)"),
    sqrt = of_number("(CASE WHEN %1$s >= 0 THEN SQRT(%1$s) END)"),
    sign = of_number(
      "(CASE WHEN %1$s > 0 THEN 1e0 WHEN %1$s < 0 THEN -1e0 WHEN %1$s = 0 THEN 0e0 END)"
    ),
    exp = of_number(of_exp), log = of_logarithm(), log10 = of_logarithm(10),
    log2 = of_logarithm(2), floor = of_number(function(x, dialect) db_floor(x)),
    ceiling = of_number(function(x, dialect) db_minus_floor(x)),
    trunc = of_number(function(x, dialect) db_trunc(x)), round = of_round,
    pmin = of_extreme("least"), pmax = of_extreme("greatest"),
    as.numeric = of_as_number, as.double = of_as_number, as.integer = of_as_integer,
    as.character = of_text(function(x, dialect) x), as.logical = of_logical("%s"),
    `==` = of_comparison("="), `!=` = of_comparison("<>"), `<` = of_comparison("<"),
    `<=` = of_comparison("<="), `>` = of_comparison(">"), `>=` = of_comparison(">="),
    `&` = of_logical("(%s AND %s)"), `|` = of_logical("(%s OR %s)"), `!` = of_logical("(NOT %s)"),
    xor = of_logical("((%1$s AND NOT %2$s) OR (NOT %1$s AND %2$s))"),
    `%in%` = of_among, is.na = of_is_na, ifelse = of_ifelse, if_else = of_ifelse, cut = of_cut,
    tolower = of_text(function(x, dialect) sprintf("LOWER(%s)", x)),
    toupper = of_text(function(x, dialect) sprintf("UPPER(%s)", x)),
    nchar = of_text(function(x, dialect) dialect$length(x), "number"),
    paste = of_paste(" "), paste0 = of_paste(""), substr = of_substr, grepl = of_grepl
  )
}

# Functions that dbplyr writes or passes on, but that engines compute in their own ways.
other_in_sql <- c(
  "%%", "sub", "gsub", "regexpr", "trimws", "sinh", "cosh", "tanh", "signif", "rank", "replace",
  "format", "is.null", "bitwAnd", "bitwOr", "bitwXor", "bitwNot", "bitwShiftL", "bitwShiftR"
)

# The SQL of an expression of columns. `types`: of the columns. `stop`: see source-db-part.R.
# `condition`: whether a condition is wanted, not a column.
write_sql <- function(e, source, types, stop, condition) {
  to <- list(source = source, types = types, stop = stop)
  forms <- sql_forms()
  to$of <- function(e) written_part(e, to, forms)
  if (condition) part_condition(to$of(e), to) else part_value(to$of(e), to)
}

written_part <- function(e, to, forms) {
  if (is_column_of(e, to$source$names)) return(column_part(as.character(e), to))
  if (!is.call(e)) return(constant_part(e, to))
  if (rlang::is_call(e, "(", 1L)) return(to$of(e[[2L]]))
  name <- if (is.name(e[[1L]])) as.character(e[[1L]]) else ""
  if (name %in% other_in_sql) to$stop(sprintf("engines compute %s() in their own ways", name))
  found <- if (!is.null(forms[[name]])) forms[[name]](e, to)
  if (is.null(found)) part_by_dbplyr(e, to) else found
}

# dbplyr gets columns, numbers, texts and conditions as SQL, and other constants as they are.
part_by_dbplyr <- function(e, to) {
  prepared <- function(x) {
    if (rlang::is_call(x, "~")) return(as.call(c(x[[1L]], lapply(as.list(x)[-1L], prepared))))
    whole <- is.numeric(x) && all(x == trunc(x) & abs(x) < 1e9) %in% TRUE
    if (whole || is.logical(x) || !is.call(x) && length(x) != 1L) return(x)
    dbplyr::sql(part_value(to$of(x), to))
  }
  call <- as.call(c(e[[1L]], lapply(as.list(e)[-1L], prepared)))
  if (is_conversion(e, to)) {
    call[[2L]] <- dbplyr::sql(without_percent(call[[2L]], to$source$dialect))
  }
  sql <- as.character(dbplyr::translate_sql_(list(call), con = to$source$con))
  list(sql = sprintf("(%s)", sql), type = "other")
}

# Whether a column of texts becomes dates.
is_conversion <- function(e, to) {
  conversions <- c("as.Date", "as_date", "as.POSIXct", "as_datetime")
  rlang::is_call(e, conversions, 1L) && is_column_of(e[[2L]], to$source$names) &&
    to$types[[as.character(e[[2L]])]] == "character"
}
