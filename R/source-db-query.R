# The query of a fit: its columns are the class y, the features x1, x2, ... and the weight v.
# Numbers are doubles, and texts are compared byte by byte. The columns of the table are out of
# reach for all queries of this query.

# The columns that a request needs: list(terms, response, formula). `terms`: the columns and
# functions of the features, named.
db_formula <- function(source, request, call) {
  container <- list(names = source$names, unnamed = FALSE)
  if (!is.null(request$schema)) return(schema_formula(request, container, call))
  formula <- request$formula
  columns_of_weights <- intersect(quosure_columns(request$weights), source$names)
  read <- read_formula(formula, container, columns_of_weights, call)
  check_columns_there(columns_of(read$response), container, abort_data, "data", call)
  enclosure <- formula_enclosure(formula)
  terms <- lapply(read$terms, function(term) {
    if (is_column(term)) as.character(term) else new_term(term, container, enclosure, call)
  })
  check_columns_there(asked_columns(terms), container, abort_data, "data", call)
  list(
    terms = terms, response = read$response, formula = read$formula, enclosure = enclosure
  )
}

# The columns of the terms of db_formula().
asked_columns <- function(terms) {
  unique(unlist(lapply(terms, function(term) if (is.list(term)) term$columns else term)))
}

schema_formula <- function(request, container, call) {
  schema <- request$schema
  match_columns(schema, container, "moredata", call)
  if (is.null(schema$formula)) {
    abort_argument(c(
      "The model was fitted to {.arg x} and {.arg y}, which cannot name columns of a lazy table.",
      i = "Fit it by a formula, or {.fn dplyr::collect} the rows."
    ), call)
  }
  list(
    terms = schema_terms(schema), response = response_there(schema, container, request$y, call),
    formula = schema$formula, enclosure = globalenv()
  )
}

# list(query, known, first, types, factors, weights): `known` has NULL for NaN, `first()` gives the
# first rows. The types are those of y, x1, ... and v. `factors`: of the features, see db_term().
# `weights`: see check_db_weights().
db_query <- function(source, asked, request, call) {
  response <- asked$response
  if (!is_column(response)) {
    response <- list(
      expression = response, columns = intersect(all.vars(response), source$names)
    )
  }
  masked <- request[c("weights", "subset")]
  functions <- Filter(is.list, c(list(response), asked$terms))
  used <- c(lapply(functions, `[[`, "columns"), lapply(masked, quosure_columns))
  types <- column_types(source, unlist(used))
  label <- term_label(asked$response)
  Map(check_uses_column, c(list(response), asked$terms), c(label, names(asked$terms)),
      list(source), list(call))
  read <- c(
    list(y = db_term(response, source, types, asked$enclosure, label, call,
                     remedy = remedy_of_class)),
    Map(db_term, asked$terms, list(source), list(types), list(asked$enclosure),
        names(asked$terms), list(call))
  )
  names(read)[-1L] <- sprintf("x%d", seq_along(asked$terms))
  raw <- vapply(read, `[[`, "", "sql")
  names(raw) <- paste0(source$prefix, names(raw))
  weight <- db_masked(request$weights, "weights", source, types, call)
  subset <- db_masked(request$subset, "subset", source, types, call)
  if (!is.null(weight)) raw[[paste0(source$prefix, "v")]] <- weight
  rows <- db_select(raw, db_sub(source$query, "bayes_q"), subset)
  names <- c(names(read), if (!is.null(weight)) "v")
  # In an engine with typed columns the first rows have the types.
  first <- db_select(raw, db_sub(first_rows_query(source, rows), "bayes_q"), subset)
  head <- if (source$dialect$typed) db_rows_of(source, first)
  types <- if (is.null(head)) db_types(source, rows) else row_types(head)
  found <- types_of_terms(read, stats::setNames(types, names))
  check_db_types(found, rows, source, c(label, names(asked$terms), "weights"), call)
  typed <- stats::setNames(typed_sql(paste0(source$prefix, names), found, source), names)
  # A class that is NaN is missing.
  if (found[["y"]] == "double") typed[["y"]] <- source$dialect$known(typed[["y"]])
  numeric <- found %in% c("double", "integer") & startsWith(names, "x")
  known <- replace(typed, numeric, source$dialect$known(typed[numeric]))
  list(
    types = found, query = db_select(typed, db_sub(rows, "bayes_r")),
    known = db_select(known, db_sub(rows, "bayes_r")),
    first = function() {
      if (is.null(head)) head <- db_rows_of(source, db_select(typed, db_sub(first, "bayes_r")))
      stats::setNames(plain_columns(head), names)
    },
    weights = weight,
    factors = lapply(unname(read[-1L]), `[[`, "factor")
  )
}

# sparklyr cannot say why a table has no first rows: the query of all `rows` has the reason.
first_rows_query <- function(source, rows) {
  tryCatch(db_head_query(source, guess_rows), bayesrisk_query = function(e) {
    db_types(source, rows)
    stop(e)
  })
}

# Numbers as doubles, and texts as queries compare them.
typed_sql <- function(sql, types, source) {
  numeric <- types %in% c("double", "integer")
  sql[numeric] <- db_double(sql[numeric], source$dialect)
  text <- types %in% "character"
  sql[text] <- source$dialect$text(sql[text])
  sql
}

check_db_types <- function(types, rows, source, labels, call) {
  # In SQLite an expression without a value is "logical", because it has no type.
  numbers <- c("double", "integer", if (!source$dialect$typed) "logical")
  if ("v" %in% names(types) && !types[["v"]] %in% numbers) {
    got <- if (is.na(types[["v"]])) "of a type that is none in R" else types[["v"]]
    abort_argument("{.arg weights} must be numbers, one per row, not {got}.", call)
  }
  unread <- which(is.na(types))
  if (!length(unread)) return(invisible())
  first <- unread[[1L]]
  name <- labels[[first]]
  column <- paste0(source$prefix, names(types)[[first]])
  one <- untyped_column(column, rows, source, name, abort_data, call)
  if (first == 1L) abort_class_type(one, name, call)
  abort_column(one, name, 0L, abort_data, call, in_database_remedy)
}

in_database_remedy <-
  "Make a number or a text of it in the database, for example by {.fn dplyr::mutate}."

# No values of a column whose type no likelihood reads.
untyped_column <- function(column, rows, source, name, abort, call) {
  one <- db_rows_of(source, db_select(column, db_sub(rows), "1 = 0"))[[1L]]
  if (is.object(one) || is.list(one)) return(one)
  abort(c(
    "Column {.field {name}} holds both numbers and text.",
    i = "Make it one type in the database, for example by {.fn dplyr::mutate}."
  ), call)
}
