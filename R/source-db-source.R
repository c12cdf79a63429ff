# A lazy table of dbplyr as a source: its connection, its query, and the types of its columns.

# `like`: the lazy table itself, for the translation of functions.
db_source <- function(data) {
  con <- dbplyr::remote_con(data)
  list(
    con = con, dialect = db_dialect(con), query = as.character(dbplyr::sql_render(data)),
    names = colnames(data), like = data
  )
}

# The result of a query, with whole numbers as doubles, whatever the driver makes of them.
db_get <- function(source, query) plain_columns(db_rows_of(source, query))

db_rows_of <- function(source, query) ask_database(DBI::dbGetQuery(source$con, query))

# An error of the database gets a class of its own, because some queries are tried again.
ask_database <- function(expr) {
  tryCatch(expr, error = function(e) {
    rlang::abort("The database cannot answer a query.", "bayesrisk_query", parent = e)
  })
}

# Expressions of the first rows.
db_head <- function(source, columns, rows) {
  query <- as.character(dbplyr::sql_render(utils::head(source$like, rows)))
  found <- db_rows_of(source, db_select(columns, db_sub(query)))
  found[] <- lapply(found, function(x) if (inherits(x, "integer64")) as.double(x) else x)
  found
}

plain_columns <- function(rows) {
  rows[] <- lapply(rows, function(x) {
    if (inherits(x, "integer64") || is.integer(x) && !is.factor(x)) as.double(x) else x
  })
  rows
}

# The types of the columns of a query, in the words of R: double, integer, character, logical, or
# NA for another type.
db_types <- function(source, query) {
  declared <- declared_types(source, query)
  if (source$dialect$typed || !length(declared)) declared else stored_types(source, query, declared)
}

declared_types <- function(source, query) {
  rows <- db_select("*", db_sub(query), "1 = 0")
  vapply(db_rows_of(source, rows), function(x) {
    if (inherits(x, "integer64")) return("double")
    if (is.factor(x)) return("character")
    if (is.object(x)) return(NA_character_)
    switch(typeof(x), double = , integer = , character = , logical = typeof(x), NA_character_)
  }, "")
}

# SQLite: a column holds values of any type. Numbers and text in one column have no type of R.
stored_types <- function(source, query, declared) {
  kinds <- c("integer", "real", "text", "blob")
  names <- db_name(names(declared), source$con)
  found <- lapply(in_batches(names, source$dialect$columns %/% length(kinds)), function(x) {
    columns <- sprintf("MAX(typeof(%s) = '%s')", rep(x, each = length(kinds)), kinds)
    unlist(db_rows_of(source, db_select(columns, db_sub(query)))) %in% 1
  })
  found <- matrix(unlist(found), length(kinds), dimnames = list(kinds, NULL))
  number <- found["integer", ] | found["real", ]
  type <- ifelse(found["text", ], "character", ifelse(
    found["real", ], "double", ifelse(found["integer", ], "integer", declared)
  ))
  # A column that is declared as double may hold whole numbers only.
  type[type == "integer" & declared %in% "double"] <- "double"
  type[found["blob", ] | found["text", ] & number] <- NA_character_
  stats::setNames(type, names(declared))
}

in_batches <- function(x, size) unname(split(x, (seq_along(x) - 1L) %/% size))
