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
