# Columns and functions of columns as SQL. In a function numbers are doubles, because 7 / 2 is 3 in
# some engines, and constants are values.

# The SQL of a column, and its type in R. `term`: a column, or a term of data-term.R. `types`: the
# types of the table's columns that functions use.
# `alone`: whether to stop if the value of a row depends on other rows. `abort`: what stops.
db_term <- function(term, source, types, enclosure, label, call, alone = TRUE,
                    abort = abort_data) {
  if (is_column(term)) return(list(sql = db_name(as.character(term), source$con), type = NULL))
  env <- values_env(term, enclosure)
  sql <- db_function(term$expression, source, types, env, label, call, abort)
  list(sql = sql, type = type_of_sample(term, sql, source, enclosure, label, alone, call, abort))
}

# The types that R knows, and otherwise those that the database has `found`.
types_of_terms <- function(read, found) {
  in_r <- unlist(lapply(read, `[[`, "type"))
  replace(found, names(in_r), in_r)
}

# R computes the function for a few rows, too. This shows whether R knows the function, which
# predictions in memory need; whether it has the same values in SQL; whether the value of a row
# depends on other rows; and whether it is a truth value, which some engines store as a number. NULL
# without rows.
type_of_sample <- function(term, sql, source, enclosure, label, alone, call, abort) {
  used <- intersect(term$columns, source$names)
  if (!length(used) || is_simulated(source$con)) return(NULL)
  in_r <- function(columns) {
    rows <- stats::setNames(db_head(source, columns, 20L), c(used, "value")[seq_along(columns)])
    container <- frame_container(rows[used])
    value <- evaluate_term(term, container, enclosure, label, abort, call)
    list(value = value, sql = rows$value, container = container)
  }
  names <- db_name(used, source$con)
  sample <- in_r(names)
  if (!sample$container$rows) return(NULL)
  if (alone) check_alone(sample$value, term, sample$container, enclosure, label, call)
  type <- check_column(sample$value, label, sample$container$rows, abort, call)
  if (type %in% c("factor", "ordered")) type <- "character"
  both <- tryCatch(in_r(c(names, sql)), bayesrisk_query = function(e) {
    abort(c(
      "{.code {label}} cannot be computed by the database.",
      i = "Compute it as a column of the table, for example by {.fn dplyr::mutate}."
    ), call, parent = e$parent)
  })
  check_same_values(both$value, both$sql, type, label, call, abort)
  type
}

check_same_values <- function(in_r, value, type, label, call, abort) {
  if (type == "logical") value <- as.logical(value)
  same <- if (type_kind(type) == "numeric") {
    isTRUE(all.equal(as.double(in_r), as.double(value), tolerance = 1e-9))
  } else {
    identical(enc2utf8(as.character(in_r)), enc2utf8(as.character(value)))
  }
  if (same) return(invisible())
  abort(c(
    "{.code {label}} has other values in SQL than in R.",
    i = "Compute it as a column of the table, for example by {.fn dplyr::mutate}."
  ), call)
}

values_env <- function(term, enclosure) {
  if (is.null(term$values)) enclosure else list2env(term$values, parent = enclosure)
}

db_function <- function(expression, source, types, env, label, call, abort = abort_data) {
  folded <- fold_constants(expression, source$names, env)
  tryCatch({
    folded <- dbplyr::partial_eval(folded, data = source$like, env = env)
    written <- dbplyr::translate_sql_(list(with_casts(folded, source, types)), con = source$con)
    written <- as.character(written)
  }, error = function(e) {
    reason <- conditionMessage(e)
    abort("{.code {label}} cannot be said in SQL: {reason}", call)
  })
  check_operator(written, source$dialect, label, call, abort)
  written
}

# The driver does not survive the message of PostgreSQL that it has no operator % for doubles.
check_operator <- function(sql, dialect, label, call, abort) {
  if (dialect$plain_errors || !grepl("%", unquoted_sql(sql), fixed = TRUE)) return(invisible())
  abort(c(
    "{.code {label}} needs the operator %, which PostgreSQL does not have for doubles.",
    i = "Compute it as a column of the table, for example by
         {.code dplyr::mutate(r = MOD(as.integer(x), 2L))}."
  ), call)
}

# SQL without its literals and quoted names.
unquoted_sql <- function(sql) gsub("'[^']*+'|\"[^\"]*+\"", " ", sql, perl = TRUE)

# Parts without a column are computed by R. I() means nothing to a database.
fold_constants <- function(e, columns, env) {
  if (is_column_of(e, columns) || !is.language(e)) return(e)
  if (!any(all.vars(e) %in% columns)) {
    value <- tryCatch(eval(e, env), error = function(error) NULL)
    return(if (is.atomic(value) && length(value)) value else e)
  }
  if (rlang::is_call(e, "I", 1L)) e[[1L]] <- as.name("(")
  as.call(c(e[[1L]], lapply(as.list(e)[-1L], fold_constants, columns, env)))
}

is_column_of <- function(e, columns) is.name(e) && as.character(e) %in% columns

# dbplyr writes numbers with 15 digits, and a backslash as it is.
with_casts <- function(e, source, types) {
  if (is_column_of(e, source$names)) return(cast_column(as.character(e), source, types))
  if (is.call(e)) {
    cast <- as.call(c(e[[1L]], lapply(as.list(e)[-1L], with_casts, source, types)))
    if (is_conversion(e, source, types)) cast[[2L]] <- without_percent(cast[[2L]], source$dialect)
    # In R a missing value is not among others; in SQL this is unknown.
    return(if (rlang::is_call(e, "%in%")) call("coalesce", cast, FALSE) else cast)
  }
  if (length(e) != 1L || is.object(e) || is.na(e)) return(e)
  if (is.double(e) && is.finite(e) && e != as.numeric(sprintf("%.15g", e))) {
    return(dbplyr::sql(source$dialect$number(e)))
  }
  if (is.character(e) && grepl("\\", e, fixed = TRUE)) return(dbplyr::sql(db_text(e, source$con)))
  e
}

# Whether a column of texts becomes numbers, dates or truth values.
is_conversion <- function(e, source, types) {
  conversions <- c(
    "as.numeric", "as.double", "as.integer", "as.logical", "as.Date", "as.POSIXct", "as_date",
    "as_datetime"
  )
  rlang::is_call(e, conversions, 1L) && is_column_of(e[[2L]], source$names) &&
    types[[as.character(e[[2L]])]] == "character"
}

# The error of a text that is no number cites the text. With a % the driver does not survive it. No
# text with a % can be converted, so another text in its place does not change a result.
without_percent <- function(sql, dialect) {
  if (dialect$plain_errors) return(sql)
  dbplyr::sql(sprintf("REPLACE(%s, '%%', '(percent)')", sql))
}

cast_column <- function(column, source, types) {
  name <- db_name(column, source$con)
  dbplyr::sql(switch(types[[column]],
    double = , integer = db_double(name, source$dialect),
    character = source$dialect$text(name),
    name
  ))
}

# The SQL of `weights` and `subset`, quosures; NULL for none.
db_masked <- function(quosure, arg, source, types, call) {
  if (rlang::quo_is_missing(quosure) || rlang::quo_is_null(quosure)) return(NULL)
  expression <- rlang::quo_get_expr(quosure)
  check_masked_names(quosure, arg, source, call)
  if (!any(all.vars(expression) %in% source$names)) {
    abort_argument(
      "{.arg {arg}} must be computed from columns of the table, which has no order of rows.", call
    )
  }
  if (is.name(expression)) return(db_name(as.character(expression), source$con))
  db_function(expression, source, types, rlang::quo_get_env(quosure), arg, call)
}

# A name that is neither a column nor a value.
check_masked_names <- function(quosure, arg, source, call) {
  names <- setdiff(names_used(rlang::quo_get_expr(quosure)), c(source$names, ".data", ".env"))
  there <- vapply(names, rlang::env_has, NA, env = rlang::quo_get_env(quosure), inherit = TRUE)
  unknown <- names[!there]
  if (!length(unknown)) return(invisible())
  abort_unknown(
    "{.arg {arg}} cannot be computed: {.field {unknown}} {?is/are} no column{?s} of the table.",
    unknown, source$names, "Columns: {.field {utils::head(source$names, 20L)}}.", call
  )
}

# The names in an expression, but not those of parts, as `b` in a$b. A part of .data is a column.
names_used <- function(e) {
  if (is.name(e)) return(setdiff(as.character(e), ""))
  if (!is.call(e) || rlang::is_call(e, "function")) return(character())
  part <- rlang::is_call(e, c("$", "@"), 2L) && !identical(e[[2L]], quote(.data))
  unique(unlist(lapply(as.list(e)[if (part) 2L else -1L], names_used)))
}

quosure_columns <- function(quosure) {
  if (rlang::quo_is_missing(quosure)) character() else all.vars(rlang::quo_get_expr(quosure))
}
