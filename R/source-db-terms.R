# Columns and functions of columns as SQL. In a function numbers are doubles, because 7 / 2 is 3 in
# some engines, and constants are values.

# list(sql, type, factor): the SQL of a column, its type in R, and for a factor list(type, levels).
# `term`: a column, or a term of data-term.R. `types`: the types of the table's columns that
# functions use. `abort`: what stops. `remedy`: if the value of a row depends on other rows.
db_term <- function(term, source, types, enclosure, label, call, abort = abort_data,
                    remedy = remedy_of_feature) {
  check_driver_reads(if (is_column(term)) as.character(term) else term$columns, source, abort, call)
  if (is_column(term)) return(list(sql = db_column(as.character(term), source), type = NULL))
  env <- values_env(term, enclosure)
  dependent <- function(why) abort_dependent(label, why, call, abort, remedy)
  part <- db_function(term$expression, source, types, env, label, call, abort, dependent)
  sample <- type_of_sample(term, part$sql, source, types, enclosure, label, call, abort, remedy)
  # The first rows may have met the truth values of ifelse() alone, and others its numbers.
  if (identical(sample$type, "logical") && part$type == "number") {
    abort_other_values(label, ": some are numbers, others truth values", call, abort)
  }
  c(list(sql = part$sql), sample)
}

# The database may have a function without a column, as rand(), and R would not be asked.
check_uses_column <- function(term, label, source, call) {
  if (is_column(term) || length(intersect(term$columns, source$names))) return(invisible())
  abort_data("{.code {label}} uses no column of the table.", call)
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
type_of_sample <- function(term, sql, source, types, enclosure, label, call, abort, remedy) {
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
  check_alone(sample$value, term, sample$container, enclosure, label, call, abort, remedy)
  type <- check_column(sample$value, label, sample$container$rows, abort, call)
  factor <- NULL
  if (type %in% c("factor", "ordered")) {
    factor <- list(type = type, levels = levels(sample$value))
    type <- "character"
  }
  both <- in_database(in_r(c(names, sql)), label, abort, call)
  # An aggregate that R's functions do not know makes one row of all.
  if (both$container$rows < sample$container$rows) {
    abort_dependent(label, "the database makes one row of them", call, abort, remedy)
  }
  if (!same_values(both$value, both$sql, type, source$dialect)) {
    abort_other_values(label, "", call, abort)
  }
  check_letters(term$expression, used, source, types, label, call, abort)
  list(type = type, factor = factor)
}

in_database <- function(rows, label, abort, call) {
  tryCatch(rows, bayesrisk_query = function(e) {
    abort(c(
      "{.code {label}} cannot be computed by the database.",
      i = "Compute it as a column of the table, for example by {.fn dplyr::mutate}."
    ), call, parent = e$parent)
  })
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
  where <- db_any(other(source$dialect$text(db_name(texts, source))))
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

# A part, see source-db-part.R. `dependent`: a function of a reason that stops, because the value of
# a row depends on other rows. `condition`: whether a condition is wanted, not a column.
db_function <- function(expression, source, types, env, label, call, abort = abort_data,
                        dependent = function(why) abort_dependent(label, why, call),
                        condition = FALSE) {
  stops <- list(
    stop = function(why) abort_other_values(label, paste0(": ", why), call, abort),
    dependent = dependent
  )
  folded <- fold_constants(expression, source$names, env)
  part <- tryCatch({
    folded <- dbplyr::partial_eval(folded, data = source$like, env = env)
    write_sql(folded, source, types, stops, condition)
  }, error = function(e) {
    if (inherits(e, "bayesrisk_error")) rlang::cnd_signal(e)
    reason <- conditionMessage(e)
    abort("{.code {label}} cannot be said in SQL: {reason}", call)
  })
  check_length(part$sql, source, label, call, abort)
  part
}

# Functions with R's values use their argument several times, so nested ones grow fast.
check_length <- function(sql, source, label, call, abort) {
  letters <- nchar(sql)
  if (letters <= source$dialect$longest) return(invisible())
  abort(c(
    "{.code {label}} has {format_count(letters)} characters in SQL, too many for this engine.",
    i = "Compute the inner functions as columns of the table, for example by
         {.fn dplyr::mutate}."
  ), call)
}

abort_other_values <- function(label, why, call, abort) {
  abort(c(
    "{.code {label}} has other values in SQL than in R{why}.",
    i = "Compute it as a column of the table, for example by {.fn dplyr::mutate}."
  ), call)
}

# Parts without a column are computed by R. I() means nothing to a database. `empty`: whether a part
# may have no value.
fold_constants <- function(e, columns, env, empty = FALSE) {
  if (is_column_of(e, columns) || !is.language(e)) return(e)
  if (!any(all.vars(e) %in% columns)) {
    value <- tryCatch(eval(e, env), error = function(error) NULL)
    return(if (is.atomic(value) && (empty || length(value))) value else e)
  }
  if (rlang::is_call(e, "I", 1L)) e[[1L]] <- as.name("(")
  empty <- seq_along(e)[-1L] == 3L & rlang::is_call(e, "%in%")
  as.call(c(e[[1L]], Map(fold_constants, as.list(e)[-1L], list(columns), list(env), empty)))
}

# The SQL of `weights` and `subset`, quosures; NULL for none.
db_masked <- function(quosure, arg, source, types, call) {
  if (!is_given(quosure)) return(NULL)
  expression <- rlang::quo_get_expr(quosure)
  check_masked_names(quosure, arg, source, call)
  check_driver_reads(quosure_columns(quosure), source, abort_argument, call)
  if (!any(all.vars(expression) %in% source$names)) {
    abort_argument(
      "{.arg {arg}} must be computed from columns of the table, which has no order of rows.", call
    )
  }
  written <- function(condition) {
    env <- rlang::quo_get_env(quosure)
    dependent <- function(why) abort_masked_rows(arg, paste0(": ", why), call)
    db_function(expression, source, types, env, arg, call, abort_data, dependent, condition)$sql
  }
  column <- written(condition = FALSE)
  check_masked_sample(quosure, column, arg, source, types, call)
  written(condition = arg == "subset")
}

# R computes `weights` and `subset` for a few rows, too, see type_of_sample(). Their values must not
# depend on other rows: a database sums over the rows that are left, and it has no order of rows.
check_masked_sample <- function(quosure, sql, arg, source, types, call) {
  if (is_simulated(source$con)) return(invisible())
  expression <- rlang::quo_get_expr(quosure)
  used <- intersect(all.vars(expression), source$names)
  rows <- in_database(
    db_head(source, c(db_column(used, source), sql), 20L), arg, abort_data, call
  )
  if (!nrow(rows)) return(invisible())
  columns <- stats::setNames(as.list(rows[seq_along(used)]), used)
  value <- masked_value(quosure, columns, arg, call)
  one_of_all <- nrow(rows) == 1L && nrow(db_head(source, db_column(used, source), 2L)) > 1L
  alone <- !one_of_all && length(value) == nrow(rows) &&
    is.null(dependent_row(value, columns, function(of_row) rlang::eval_tidy(quosure, of_row)))
  if (!alone) abort_masked_rows(arg, "", call)
  if (arg == "subset" && !is.logical(value)) {
    abort_argument(
      "{.arg subset} must be TRUE or FALSE for each row, not {describe_value(value[[1L]])}.", call
    )
  }
  type <- if (is.logical(value)) "logical" else "double"
  comparable <- is.logical(value) || is.numeric(value)
  if (comparable && !same_values(value, rows[[length(rows)]], type, source$dialect)) {
    abort_other_values(arg, "", call, abort_data)
  }
  check_letters(expression, used, source, types, arg, call, abort_data)
}

abort_masked_rows <- function(arg, why, call) {
  abort_argument(c(
    "{.arg {arg}} must give one value for each row, which does not depend on other rows{why}.",
    i = "Make it a column of the table, for example by {.fn dplyr::mutate}."
  ), call)
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
    exp = of_number(db_exp), log = of_logarithm(), log10 = of_logarithm(10),
    log2 = of_logarithm(2), log1p = of_log1p, floor = of_number(function(x, dialect) db_floor(x)),
    ceiling = of_number(function(x, dialect) db_minus_floor(x)),
    trunc = of_number(function(x, dialect) db_trunc(x)), round = of_round,
    pmin = of_extreme("least"), pmax = of_extreme("greatest"),
    as.numeric = of_as_number, as.double = of_as_number, as.integer = of_as_integer,
    as.character = of_text(function(x, dialect) x), as.logical = of_logical("%s"),
    `==` = of_comparison("="), `!=` = of_comparison("<>"), `<` = of_comparison("<"),
    `<=` = of_comparison("<="), `>` = of_comparison(">"), `>=` = of_comparison(">="),
    `&` = of_logical("(%s AND %s)"), `|` = of_logical("(%s OR %s)"), `!` = of_logical("(NOT %s)"),
    xor = of_logical("((%1$s AND NOT %2$s) OR (NOT %1$s AND %2$s))"),
    `%in%` = of_among, is.na = of_is_na, cut = of_cut, ifelse = of_choice(base::ifelse),
    if_else = of_choice(function(condition, true, false, missing = NULL) NULL),
    tolower = of_text(function(x, dialect) sprintf("LOWER(%s)", x)),
    toupper = of_text(function(x, dialect) sprintf("UPPER(%s)", x)),
    nchar = of_nchar, paste = of_paste(" "), paste0 = of_paste(""), substr = of_substr,
    grepl = of_grepl, as.Date = of_date, as_date = of_date
  )
}

# Functions that dbplyr writes or passes on, but that engines compute in their own ways.
other_in_sql <- c(
  "%%", "factorial", "sub", "gsub", "regexpr", "trimws", "sinh", "cosh", "tanh", "signif",
  "replace", "format", "is.null", "bitwAnd", "bitwOr", "bitwXor", "bitwNot", "bitwShiftL",
  "bitwShiftR"
)

# Functions of which dbplyr makes aggregates and windows, so the value of a row depends on other
# rows; and length(), whose name engines have for the letters of a text.
functions_of_rows <- function(con) {
  known <- dbplyr::sql_translation(con)
  c(names(known$aggregate), names(known$window), "length")
}

# R has these parts of a time in UTC, engines have them in the time zone of the session.
numbers_of_time <- c(
  "year", "quarter", "month", "week", "isoweek", "day", "mday", "wday", "yday", "qday", "hour",
  "minute", "second"
)
parts_of_time <- c(numbers_of_time, "floor_date", "date")

# The part of an expression of columns. `types`: of the columns. `stops`: list(stop, dependent), see
# source-db-part.R. `condition`: whether a condition is wanted, not a column.
write_sql <- function(e, source, types, stops, condition) {
  to <- c(list(source = source, types = types, of_rows = functions_of_rows(source$con)), stops)
  forms <- sql_forms()
  to$of <- function(e) written_part(e, to, forms)
  part <- to$of(e)
  write <- if (condition) part_condition else part_value
  list(sql = write(part, to), type = part$type)
}

written_part <- function(e, to, forms) {
  if (is_column_of(e, to$source$names)) return(column_part(as.character(e), to))
  if (!is.call(e)) return(constant_part(e, to))
  if (rlang::is_call(e, "(", 1L)) return(to$of(e[[2L]]))
  e[[1L]] <- without_package(e[[1L]])
  name <- if (is.name(e[[1L]])) as.character(e[[1L]]) else ""
  called <- rlang::call_name(e)
  if (any(called %in% to$of_rows)) to$dependent(sprintf("%s() uses them", called))
  if (name %in% parts_of_time) check_zone(paste0(name, "()"), to)
  if (name %in% other_in_sql) to$stop(sprintf("engines compute %s() in their own ways", name))
  found <- if (!is.null(forms[[name]])) forms[[name]](e, to)
  if (is.null(found)) part_by_dbplyr(e, to) else found
}

# base::log() is log(), whose form is known here.
without_package <- function(name) {
  known <- rlang::is_call(name, "::", 2L) &&
    as.character(name[[2L]]) %in% c("base", "dplyr", "lubridate")
  if (known) name[[3L]] else name
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
  list(sql = sprintf("(%s)", sql), type = type_by_dbplyr(e, to))
}

# What is computed from dates and times has a text as they have, unless it is a number.
type_by_dbplyr <- function(e, to) {
  name <- if (is.name(e[[1L]])) as.character(e[[1L]]) else ""
  if (name %in% c("as.Date", "as_date")) return("date")
  dated <- any(to$types[intersect(all.vars(e), names(to$types))] %in% c("date", "time"))
  if (dated && !name %in% numbers_of_time || name %in% times_of_text) "time" else "other"
}

times_of_text <- c("as.POSIXct", "as_datetime")

# Whether a column of texts becomes dates.
is_conversion <- function(e, to) {
  rlang::is_call(e, c("as.Date", "as_date", times_of_text), 1L) &&
    is_column_of(e[[2L]], to$source$names) && to$types[[as.character(e[[2L]])]] == "character"
}
