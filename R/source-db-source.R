# A lazy table of dbplyr as a source: its connection, its query, and the types of its columns.

# `prefix`: what the names of internal columns begin with where columns of the table are near, and
# no name of the table. Some engines read a name as the column of the same SELECT that has it.
# `like`: the lazy table itself, for the translation of functions. `simulated`: the types of columns
# that are known without a database, NULL with one. `forms`: see column_forms().
db_source <- function(data) {
  con <- dbplyr::remote_con(data)
  query <- ask_database(as.character(dbplyr::sql_render(data)))
  source <- list(
    con = con, dialect = db_dialect(con), query = query,
    names = colnames(data), prefix = free_prefix(colnames(data)), like = data,
    simulated = if (is_simulated(con)) {
      tryCatch(prototype_types(data), error = function(e) character())
    }
  )
  c(source, list(forms = column_forms(source)))
}

free_prefix <- function(names) {
  prefix <- "bayes_"
  while (any(startsWith(lower_case(names), prefix))) prefix <- paste0(prefix, "x_")
  prefix
}

# The columns that the driver reads otherwise than the engine casts them: formats of their SQL,
# named by column.
column_forms <- function(source) {
  forms <- source$dialect$forms
  if (is.null(forms) || is_simulated(source$con)) return(character())
  types <- switch(
    source$dialect$types, driver = driver_types(source), engine = postgresql_types(source),
    r = declared_types(source, source$query)
  )
  found <- stats::setNames(forms[types], names(types))
  found[!is.na(found)]
}

# The names of the types of the columns: from the driver RPostgres, or from PostgreSQL, which tells
# them for a row.
driver_types <- function(source) {
  none <- send_query(source, db_select("*", db_sub(source$query), "1 = 0"), 1)
  on.exit(none$close())
  info <- none$columns()
  stats::setNames(info$.typname, info$name)
}

postgresql_types <- function(source) {
  types <- sprintf("CAST(pg_typeof(bayes_q.%s) AS TEXT)", db_name(source$names, source))
  none <- db_sub(db_select("*", db_sub(source$query), "1 = 0"), "bayes_q")
  row <- db_rows_of(source, db_select(
    types, paste("(SELECT 1) bayes_o LEFT JOIN", none, "ON TRUE")
  ))
  stats::setNames(as.character(unlist(row)), source$names)
}

# Columns as the driver reads them.
db_column <- function(columns, source) {
  sql <- db_name(columns, source)
  forms <- source$forms[columns]
  formed <- !is.na(forms) & nzchar(forms)
  sql[formed] <- unlist(Map(sprintf, forms[formed], sql[formed]))
  sql
}

# The types of the data frame from which dbplyr::lazy_frame() made a table. A column that a verb of
# dplyr computes has no type.
prototype_types <- function(data) {
  query <- data$lazy_query
  origin <- stats::setNames(nm = colnames(data))
  while (!is.null(query$select)) {
    from <- query$select$expr[match(origin, query$select$name)]
    own <- vapply(from, is.name, NA)
    origin <- stats::setNames(vapply(from[own], as.character, ""), names(origin)[own])
    query <- query$x
  }
  if (!is.data.frame(query$x)) return(character())
  origin <- origin[origin %in% names(query$x)]
  stats::setNames(vapply(query$x[origin], frame_type, ""), names(origin))
}

frame_type <- function(x) {
  type <- if (is.factor(x)) "character" else if (is.object(x)) NA_character_ else typeof(x)
  if (type %in% c("double", "integer", "character", "logical")) type else "other"
}

# The sums and counts of a query, as doubles, whatever the driver makes of whole numbers. Only y and
# x1, x2, ... may be texts.
db_get <- function(source, query) {
  rows <- plain_columns(db_rows_of(source, query))
  counted <- !grepl("^(y|x[0-9]+)$", names(rows))
  rows[counted] <- lapply(rows[counted], as.double)
  rows
}

# `ask`: ask_rows() or ask_types().
db_rows_of <- function(source, query, ask = ask_rows) {
  ask_database({
    try_percent(source, query)
    lower_names(ask(source$con, query), source$dialect)
  })
}

# The rows of a query in blocks: see open_rows().
send_query <- function(source, query, rows) {
  ask_database({
    try_percent(source, query)
    open_rows(source$con, query, rows)
  })
}

# The names that a query gives to its columns have small letters.
lower_names <- function(rows, dialect) {
  if (dialect$upper_names) names(rows) <- lower_case(names(rows))
  rows
}

# RPostgres takes the text of an error for a format of C, so an error that cites a % garbles the
# message or ends R. PostgreSQL plans such a query first, in a block whose errors double the %.
try_percent <- function(source, query) {
  if (source$dialect$plain_errors || !grepl("%", query, fixed = TRUE)) return(invisible())
  text <- gsub("'", "''", paste("EXPLAIN", query), fixed = TRUE)
  text <- gsub("%", "\\0025", gsub("\\", "\\\\", text, fixed = TRUE), fixed = TRUE)
  tag <- "$bayes$"
  while (grepl(tag, text, fixed = TRUE)) tag <- sub("bayes", "bayes_", tag, fixed = TRUE)
  DBI::dbExecute(source$con, paste0(
    "DO ", tag, " BEGIN EXECUTE U&'", text, "'; EXCEPTION WHEN OTHERS THEN RAISE EXCEPTION USING ",
    "ERRCODE = SQLSTATE, MESSAGE = REPLACE(SQLERRM, CHR(37), REPEAT(CHR(37), 2)); END ", tag
  ))
}

# An error of the database gets a class of its own, because some queries are tried again.
ask_database <- function(expr) {
  tryCatch(expr, error = function(e) {
    if (is_time_limit(e)) stop(e)
    rlang::abort("The database cannot answer a query.", "bayesrisk_query", parent = e)
  })
}

# Says to the user what a query stopped at.
report_query <- function(expr, call) {
  tryCatch(expr, bayesrisk_query = function(e) {
    abort_data(c(
      "The database cannot answer a query.",
      i = "Does the table exist, may you read all its columns that are used, and does neither a lock
           nor a time limit stop the query?"
    ), call, parent = e$parent)
  })
}

# Expressions of the first rows. `known`: columns that are not missing in these rows.
db_head <- function(source, columns, rows, known = NULL) {
  found <- db_rows_of(source, db_select(columns, db_sub(db_head_query(source, rows, known))))
  found[] <- lapply(found, plain_column)
  found
}

db_head_query <- function(source, rows, known = NULL) {
  like <- source$like
  if (length(known)) {
    # dbplyr would unite filter() and a verb that renames columns, and these names are the new ones.
    query <- db_select("*", db_sub(source$query), paste(db_column(known, source), "IS NOT NULL"))
    like <- lazy_result(source$con, query, source$names)
  }
  ask_database(as.character(dbplyr::sql_render(utils::head(like, rows))))
}

plain_columns <- function(rows) {
  rows[] <- lapply(rows, function(x) {
    if (is.integer(x) && !is.factor(x)) as.double(x) else plain_column(x)
  })
  rows
}

# Some drivers give texts a class of their own: RPostgres those of an enumeration.
plain_column <- function(x) {
  if (inherits(x, "integer64")) return(as.double(x))
  if (is.character(x) && is.object(x)) as.character(x) else x
}

# The types of the columns of a query, in the words of R: double, integer, character, logical, or
# NA for another type.
db_types <- function(source, query, none = no_rows(source, query)) {
  declared <- row_types(none)
  if (source$dialect$typed || !length(declared)) return(declared)
  # SQLite keeps dates as numbers or text, and its driver makes dates of them.
  dated <- vapply(none, inherits, NA, c("Date", "POSIXt"))
  replace(stored_types(source, query, declared), dated, NA_character_)
}

# The types of the table's columns that functions use. "date" and "time" (or another type) are none
# that a likelihood reads.
column_types <- function(source, columns) {
  columns <- intersect(columns, source$names)
  if (!length(columns)) return(character())
  if (is_simulated(source$con)) {
    types <- source$simulated[columns]
    return(stats::setNames(ifelse(is.na(types), "unknown", types), columns))
  }
  query <- db_select(db_column(columns, source), db_sub(source$query, "bayes_q"))
  none <- no_rows(source, query)
  types <- db_types(source, query, none)
  other <- ifelse(vapply(none, inherits, NA, "Date"), "date", "time")
  stats::setNames(ifelse(is.na(types), other, types), columns)
}

declared_types <- function(source, query) row_types(no_rows(source, query))

no_rows <- function(source, query) db_rows_of(source, query, ask_types)

row_types <- function(rows) {
  vapply(rows, function(x) {
    if (is.factor(x)) return("character")
    x <- plain_column(x)
    if (is.object(x)) return(NA_character_)
    switch(typeof(x), double = , integer = , character = , logical = typeof(x), NA_character_)
  }, "")
}

# SQLite: a column holds values of any type. Numbers and text in one column have no type of R. The
# names of SQLite's types are in the order blob, integer, real, text.
stored_types <- function(source, query, declared) {
  names <- db_name(names(declared), source)
  found <- lapply(in_batches(names, source$dialect$columns %/% 2L), function(x) {
    kind <- sprintf("(NULLIF(typeof(%s), 'null'))", x)
    columns <- c(rbind(paste0("MIN", kind), paste0("MAX", kind)))
    unlist(db_rows_of(source, db_select(columns, db_sub(query))), use.names = FALSE)
  })
  found <- matrix(as.character(unlist(found)), 2L)
  type <- c(integer = "integer", real = "double", text = "character")[found[2L, ]]
  # A column that is declared as double may hold whole numbers only.
  type[type %in% "integer" & declared %in% "double"] <- "double"
  type[found[1L, ] %in% "blob" | found[2L, ] %in% "text" & !found[1L, ] %in% "text"] <- NA
  empty <- is.na(found[1L, ])
  type[empty] <- declared[empty]
  stats::setNames(type, names(declared))
}
