# Reads new data for a model. Columns and levels are matched to the schema by name.

read_newdata <- function(schema, newdata, call, arg = "newdata") {
  if (is_text(newdata) && length(bags_of(schema$features))) abort_uncounted_text(arg, call)
  container <- read_container(newdata, arg, abort_schema, call)
  container <- name_lone_bag(container, schema$features, arg, abort_schema, call)
  columns <- read_new_columns(schema, container, match_columns(schema, container, arg, call), call)
  names(columns) <- names(schema$features)
  list(frame = bind_frame(columns, container$rows), row_names = container$row_names)
}

abort_uncounted_text <- function(arg, call) {
  abort_schema(c(
    "{.arg {arg}} is text; the model knows a bag of terms.",
    counting_bullets("predict(model, counts)")
  ), call)
}

abort_no_rows <- function(arg, call) {
  abort_argument("{.arg {arg}} is missing: a model does not keep its training data.", call)
}

# A matrix in place of new data is the bag of the model, whatever its name.
name_lone_bag <- function(container, features, arg, abort, call) {
  if (length(features) != 1L || features[[1L]]$kind != "bag") return(container)
  if (is_number_matrix(container$matrix)) {
    container <- bag_container(container$matrix, arg, abort, call)
  }
  if (!isTRUE(container$alone)) return(container)
  container$names <- names(container$columns) <- features[[1L]]$name
  container
}

# list(positions, numeric): the position of each feature's column, NA for a function of columns;
# whether the column must hold numbers. Rows that are predicted one by one have the same names of
# columns.
match_columns <- function(schema, container, arg, call) {
  key <- list(schema$features, schema$unnamed, container$names, container$unnamed)
  known_value("positions", key, function() find_columns(schema, container, arg, call))
}

find_columns <- function(schema, container, arg, call) {
  features <- schema$features
  plain <- vapply(features, function(f) is.null(f$expression), NA, USE.NAMES = FALSE)
  if (container$unnamed && !schema$unnamed && length(features)) {
    abort_schema("{.arg {arg}} has no column names; the model knows its features by name.", call)
  }
  if (container$unnamed && schema$unnamed && length(container$names) != length(features)) {
    abort_schema(
      "{.arg {arg}} has {length(container$names)} column{?s}; the model has {length(features)}
       feature{?s}.", call
    )
  }
  used <- names(features)
  if (!all(plain)) used <- unlist(ifelse(plain, used, lapply(features, `[[`, "columns")))
  positions <- check_columns_there(used, container, abort_schema, arg, call)
  check_column_names(container$names, used, arg, abort_schema, call)
  if (!all(plain)) positions <- replace(match(names(features), container$names), !plain, NA)
  list(positions = positions, numeric = kinds_of(features) == "numeric" & plain)
}

# `places`: a result of match_columns().
read_new_columns <- function(schema, container, places, call) {
  positions <- places$positions
  read <- places$numeric
  columns <- vector("list", length(positions))
  if (is.numeric(container$matrix)) {
    columns[read] <- encode_matrix(container$matrix, positions[read])
  } else if (is.null(container$matrix)) {
    values <- container$columns[positions[read]]
    numbers <- !is.na(number_types(values, container$rows))
    read[read] <- numbers
    columns[read] <- encode_vectors(values[numbers])
  } else {
    read[] <- FALSE
  }
  for (j in which(!read)) {
    columns[[j]] <- read_new_column(schema$features[[j]], container, positions[[j]], call)
  }
  columns
}

read_new_column <- function(feature, container, position, call) {
  if (!is.na(position) && is_number_matrix(container$matrix)) {
    check_kind(container$matrix, typeof(container$matrix), feature, call)
    return(encode_matrix(container$matrix, position, feature$levels)[[1L]])
  }
  x <- if (is.na(position)) {
    evaluate_term(feature, container, globalenv(), feature$name, abort_schema, call)
  } else {
    container_column(container, position)
  }
  type <- check_column(x, feature$name, container$rows, abort_schema, call)
  check_kind(x, type, feature, call)
  if (is.na(position)) {
    check_alone(x, feature, container, globalenv(), feature$name, call, abort_schema)
  }
  if (feature$kind == "numeric") return(encoded(x))
  if (feature$kind == "bag") {
    check_terms_named(x, feature, abort_schema, call)
    x <- bag_cells(x, feature$name, abort_schema, call)
  }
  encode_column(x, type, feature$levels)
}

# The columns of cases of which only `values` are known, numbers or codes of levels, named by
# feature.
feature_columns <- function(features, values = list(), rows = 1L) {
  lapply(features, function(feature) {
    value <- values[[feature$name]]
    if (is.null(value)) value <- rep(NA, rows)
    if (feature$kind == "numeric") return(encoded(as.double(value)))
    encoded(as.integer(value), 1L, length(feature$levels))
  })
}

# A column of only NA is logical in R. It is accepted for any kind of feature.
check_kind <- function(x, type, feature, call) {
  if (type_kind(type) == feature$kind) return(invisible())
  if (feature$kind == "bag") {
    abort_schema(c(
      "Column {.field {feature$name}} must be a matrix: the model knows it as a bag of terms.",
      if (is_text(x)) {
        counting_bullets("predict(model, counts)")
      } else {
        c(i = "A case without terms is a row of zeros.")
      }
    ), call)
  }
  if (type == "logical" && all(is.na(x))) return(invisible())
  now <- type_kind(type)
  abort_schema(
    "Column {.field {feature$name}} is {now} ({type}); the model knows it as {feature$kind}
     ({feature$type}).", call
  )
}
