# Pieces of SQL. Only this file writes names and values of users into SQL. `source`: see
# db_source().

# A connection that dbplyr simulates writes SQL, but cannot quote.
db_name <- function(x, con) {
  if (!isS4(con)) {
    names <- lapply(x, function(name) dbplyr::escape(dbplyr::ident(name), con = con))
    return(vapply(names, as.character, ""))
  }
  as.character(DBI::dbQuoteIdentifier(con, x))
}

db_text <- function(x, con) class_dialect(con)$quote(enc2utf8(x), con)

# Levels as literals of a column of the schema's type.
db_values <- function(x, type, source) {
  switch(type,
    character = , factor = , ordered = db_text(x, source$con),
    logical = ifelse(as.logical(x), "TRUE", "FALSE"),
    source$dialect$number(as.numeric(x))
  )
}

db_double <- function(x, dialect) sprintf("CAST(%s AS %s)", x, dialect$double)

# A column as text is compared, by level; other types are compared as they are.
db_key <- function(x, type, source) if (type == "character") source$dialect$text(x) else x

# CASE <x> WHEN <value> THEN <result> ... ELSE <other> END
db_case <- function(x, values, results, other = "NULL") {
  if (!length(values)) return(other)
  paste0(
    "CASE ", x, paste0(" WHEN ", values, " THEN ", results, collapse = ""), " ELSE ", other, " END"
  )
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

db_sub <- function(query, alias = "bayes_t") sprintf("(%s) AS %s", query, alias)
