# Features: what is remembered of each (name, kind, levels), and its encoding.

# Reads the columns at `positions` of a container as features.
read_features <- function(container, positions, labels, call) {
  columns <- features <- vector("list", length(positions))
  for (j in seq_along(positions)) {
    read <- read_feature(container, positions[[j]], labels[[j]], call)
    features[[j]] <- read$feature
    columns[[j]] <- read$column
  }
  list(features = stats::setNames(features, labels), columns = columns)
}

read_feature <- function(container, position, label, call) {
  matrix <- container$matrix
  if (!is.null(matrix) && !is.character(matrix)) {
    type <- typeof(matrix)
    return(list(
      feature = new_feature(label, type, column_levels(matrix, type)),
      column = encode_matrix_column(matrix, position)
    ))
  }
  x <- container_column(container, position)
  type <- check_column(x, label, container$rows, abort_data, call)
  levels <- column_levels(x, type)
  list(feature = new_feature(label, type, levels), column = encode_column(x, type, levels))
}

check_column <- function(x, label, rows, abort, call) {
  type <- column_type(x)
  if (is.na(type) || length(x) != rows) abort_column(x, label, rows, abort, call)
  type
}

new_feature <- function(name, type, levels, expression = NULL) {
  list(name = name, kind = type_kind(type), type = type, levels = levels, expression = expression)
}

encode_matrix_column <- function(matrix, position, levels = c("FALSE", "TRUE")) {
  column <- encode_column(matrix, typeof(matrix), levels)
  column$column <- as.integer(position)
  column
}

# A feature that is a function of columns.
read_term <- function(expression, container, enclosure, label, call) {
  x <- evaluate_term(expression, container, enclosure, label, abort_data, call)
  type <- check_column(x, label, container$rows, abort_data, call)
  levels <- column_levels(x, type)
  list(
    feature = new_feature(label, type, levels, expression),
    column = encode_column(x, type, levels)
  )
}

# The features of a formula, columns where they lie and functions of columns.
read_terms <- function(terms, container, enclosure, call) {
  check_terms_in_data(terms, container, abort_data, "data", call)
  labels <- names(terms)
  plain <- vapply(terms, is.name, NA)
  check_column_names(container$names, labels[plain], "data", abort_data, call)
  read <- read_features(container, match(labels[plain], container$names), labels[plain], call)
  features <- columns <- vector("list", length(terms))
  features[plain] <- read$features
  columns[plain] <- read$columns
  for (j in which(!plain)) {
    term <- read_term(terms[[j]], container, enclosure, labels[[j]], call)
    features[[j]] <- term$feature
    columns[[j]] <- term$column
  }
  list(features = stats::setNames(features, labels), columns = columns)
}
