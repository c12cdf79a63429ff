# Columns and functions of columns as SQL. In a function numbers are doubles, because 7 / 2 is 3 in
# some engines, and constants are values.

# list(sql, type, factor): the SQL of a column, its type in R, and for a factor list(type, levels).
# `term`: a column, or a term of data-term.R. `types`: the types of the table's columns that
# functions use. `alone`: whether to stop if the value of a row depends on other rows. `abort`: what
# stops.
db_term <- function(term, source, types, enclosure, label, call, alone = TRUE,
                    abort = abort_data) {
  check_driver_reads(if (is_column(term)) as.character(term) else term$columns, source, abort, call)
  if (is_column(term)) return(list(sql = db_column(as.character(term), source), type = NULL))
  env <- values_env(term, enclosure)
  sql <- db_function(term$expression, source, types, env, label, call, abort)
  sample <- type_of_sample(term, sql, source, types, enclosure, label, alone, call, abort)
  c(list(sql = sql), sample)
}

check_driver_reads <- function(columns, source, abort, call) {
  unread <- intersect(columns, names(source$forms)[source$forms == ""])
  if (!length(unread)) return(invisible())
  remedy <- sprintf("dplyr::mutate(%1$s = as.numeric(%1$s))", unread[[1L]])
  abort(c(
    "Column {.field {unread[[1L]]}} has the type money, which the driver reads wrong.",
    i = "Make it a number in the database, for example by {.code {remedy}}."
  ), call)
}

# The types that R knows, and otherwise those that the database has `found`.
types_of_terms <- function(read, found) {
  in_r <- unlist(lapply(read, `[[`, "type"))
  replace(found, names(in_r), in_r)
}

# R computes the function for a few rows, too. This shows whether R knows the function, which
# predictions in memory need; whether it has the same values in SQL; whether the value of a row
# depends on other rows; whether it is a truth value, which some engines store as a number; and the
# levels of cut(). NULL without rows.
type_of_sample <- function(term, sql, source, types, enclosure, label, alone, call, abort) {
  used <- intersect(term$columns, source$names)
  if (!length(used) || is_simulated(source$con)) return(NULL)
  known <- FALSE
  in_r <- function(columns) {
    rows <- db_head(source, columns, 20L, if (known) used)
    names(rows) <- c(used, "value")[seq_along(columns)]
    container <- frame_container(rows[used])
    value <- evaluate_term(term, container, enclosure, label, abort, call)
    list(value = value, sql = rows$value, container = container)
  }
  names <- db_column(used, source)
  sample <- in_r(names)
  if (!sample$container$rows) return(NULL)
  if (is.logical(sample$value) && all(is.na(sample$value))) {
    known <- TRUE
    sample <- in_r(names)
    if (all(is.na(sample$value))) return(NULL)
  }
  if (alone) check_alone(sample$value, term, sample$container, enclosure, label, call)
  type <- check_column(sample$value, label, sample$container$rows, abort, call)
  factor <- NULL
  if (type %in% c("factor", "ordered")) {
    factor <- list(type = type, levels = levels(sample$value))
    type <- "character"
  }
  both <- tryCatch(in_r(c(names, sql)), bayesrisk_query = function(e) {
    abort(c(
      "{.code {label}} cannot be computed by the database.",
      i = "Compute it as a column of the table, for example by {.fn dplyr::mutate}."
    ), call, parent = e$parent)
  })
  if (!same_values(both$value, both$sql, type, source$dialect)) {
    abort_other_values(label, "", call, abort)
  }
  check_letters(term$expression, used, source, types, label, call, abort)
  list(type = type, factor = factor)
}

same_values <- function(in_r, value, type, dialect) {
  if (type == "logical") value <- as.logical(value)
  if (type_kind(type) == "numeric") {
    value <- as.double(value)
    endless <- which(abs(value) >= dialect$endless)
    value[endless] <- sign(value[endless]) * Inf
    isTRUE(all.equal(as.double(in_r), value, tolerance = 1e-9))
  } else {
    identical(enc2utf8(as.character(in_r)), enc2utf8(as.character(value)))
  }
}

# An engine that changes the case of some letters otherwise is asked whether the texts have them.
check_letters <- function(expression, columns, source, types, label, call, abort) {
  texts <- columns[types[columns] == "character"]
  other <- source$dialect$other_letters
  changes <- any(c("tolower", "toupper") %in% all.names(expression))
  if (!changes || is.null(other) || !length(texts)) return(invisible())
  where <- db_any(other(db_name(texts, source)))
  found <- db_get(source, db_select("COUNT(*)", db_sub(source$query), where))[[1L]]
  if (found > 0) {
    abort_other_values(
      label, ": the engine has another upper or lower case of some letters", call, abort
    )
  }
}

values_env <- function(term, enclosure) {
  if (is.null(term$values)) enclosure else list2env(term$values, parent = enclosure)
}

# `condition`: whether a condition is wanted, not a column.
db_function <- function(expression, source, types, env, label, call, abort = abort_data,
                        condition = FALSE) {
  other_values <- function(why) abort_other_values(label, paste0(": ", why), call, abort)
  folded <- fold_constants(expression, source$names, env)
  tryCatch({
    folded <- dbplyr::partial_eval(folded, data = source$like, env = env)
    write_sql(folded, source, types, other_values, condition)
  }, error = function(e) {
    if (inherits(e, "bayesrisk_error")) rlang::cnd_signal(e)
    reason <- conditionMessage(e)
    abort("{.code {label}} cannot be said in SQL: {reason}", call)
  })
}

abort_other_values <- function(label, why, call, abort) {
  abort(c(
    "{.code {label}} has other values in SQL than in R{why}.",
    i = "Compute it as a column of the table, for example by {.fn dplyr::mutate}."
  ), call)
}

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

# The SQL of `weights` and `subset`, quosures; NULL for none.
db_masked <- function(quosure, arg, source, types, call) {
  if (rlang::quo_is_missing(quosure) || rlang::quo_is_null(quosure)) return(NULL)
  expression <- rlang::quo_get_expr(quosure)
  check_masked_names(quosure, arg, source, call)
  check_driver_reads(quosure_columns(quosure), source, abort_argument, call)
  if (!any(all.vars(expression) %in% source$names)) {
    abort_argument(
      "{.arg {arg}} must be computed from columns of the table, which has no order of rows.", call
    )
  }
  db_function(
    expression, source, types, rlang::quo_get_env(quosure), arg, call, condition = arg == "subset"
  )
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
