# One form for all tables of data: data frames (tibble, data.table), matrices and lists of them.
# Columns are referenced, not copied.

read_container <- function(data, arg, abort, call) {
  if (is_plain_matrix(data)) return(matrix_container(data))
  if (is.data.frame(data)) return(frame_container(data))
  if (is_bag(data)) return(bag_container(data, arg, abort, call))
  if (is_table_list(data)) return(list_container(data, arg, abort, call))
  check_places(call)
  check_tables(data, arg, abort, call)
  if (inherits(data, "tbl_lazy")) {
    rows <- inherits(data, "tbl_sql")
    abort(c(
      "{.arg {arg}} is a lazy table, which this function does not read{if (rows) '' else ', because
       it has no rows'}.",
      i = if (rows) {
        "Read its rows, or a sample of them, by {.fn dplyr::collect}."
      } else {
        "{.fn as_sql} writes the query of a prediction for it."
      }
    ), call)
  }
  if (is_source(data)) abort_source(data, arg, abort, call)
  way_in <- way_into(data, arg)
  if (is.null(way_in) && is.atomic(data) && !is.null(data) && is.null(dim(data))) {
    abort(c(
      "{.arg {arg}} is a vector: it does not say which features it holds.",
      i = "Use a data frame, for example {.code data.frame(x = ...)}, or a matrix with column
           names."
    ), call)
  }
  abort_wanted(data, arg, "a data frame or a matrix", call, c(i = way_in), abort)
}

is_source <- function(data) inherits(data, names(source_names)) || is_arrow(data)

# The classes of what nanoarrow::as_nanoarrow_array_stream() takes as a table.
arrow_classes <- c(
  "nanoarrow_array_stream", "nanoarrow_array", "ArrowTabular", "Dataset", "RecordBatchReader",
  "arrow_dplyr_query", "polars_data_frame", "polars_lazy_frame", "RPolarsDataFrame",
  "RPolarsLazyFrame"
)

is_arrow <- function(data) inherits(data, arrow_classes)

source_names <- c(bayesrisk_chunks = "chunks", bayesrisk_parts = "parts", tbl_sql = "a lazy table")

abort_source <- function(data, arg, abort, call) {
  what <- source_names[intersect(class(data), names(source_names))]
  what <- if (length(what)) what[[1L]] else "an Arrow stream"
  abort(c(
    "{.arg {arg}} is data in {what}, which this function does not read: it needs all rows at once.",
    i = if (what %in% c("chunks", "an Arrow stream")) {
      "{.code as.data.frame({arg})} reads its rows into memory."
    } else {
      "Read the rows of its parts, or a sample of them, into a data frame."
    }
  ), call)
}

# How rows that others hold become a source; NULL if that is not known.
way_into <- function(data, arg) {
  of <- function(...) inherits(data, c(...))
  if (of("survey.design", "svyrep.design")) {
    return("Its rows are {.code design$variables}, and the weights of a fit
            {.code weights(design, \"sampling\")}. Strata and clusters do not change estimates.")
  }
  if (of("table") && length(dim(data)) > 1L) {
    return("{.code as.data.frame({arg})} makes a row of each cell, with its count. A fit takes the
            counts as weights: {.code fit(spec, class ~ ., as.data.frame(data), weights = Freq)}.")
  }
  if (of("DBIConnection", "Pool")) {
    return("A table of it is {.code dplyr::tbl({arg}, \"name\")}.")
  }
  if (of("dtplyr_step", "H2OFrame")) {
    return("{.fn as.data.frame} reads its rows.")
  }
  named <- inherits(data, "connection") || is_string(data) &&
    (utils::file_test("-f", data) || grepl("[.](csv|tsv|txt|parquet)([.]gz)?$", data, TRUE))
  if (named) {
    return("{.code read.csv()} reads a file, and {.fn csv_chunks} or {.fn parquet_chunks} reads its
            path in chunks.")
  }
  NULL
}

is_plain_matrix <- function(x) {
  !is.object(x) && is.matrix(x) && (is.numeric(x) || is.logical(x) || is.character(x))
}

frame_container <- function(data) {
  columns <- unclass(data)
  list(
    columns = columns, matrix = NULL, rows = abs(.row_names_info(data, 2L)),
    names = frame_names(columns), unnamed = FALSE,
    row_names = if (.row_names_info(data, 1L) > 0L) as.character(attr(data, "row.names"))
  )
}

# A column that data.frame() got as I(x).
as_it_was <- function(x) {
  if (inherits(x, "AsIs")) class(x) <- setdiff(class(x), "AsIs")
  x
}

# A copy, because data.table changes the names of its tables in place.
frame_names <- function(columns) {
  if (is.null(names(columns))) return(rep("", length(columns)))
  names <- rlang::duplicate(names(columns))
  if (anyNA(names)) replace(names, is.na(names), "") else names
}

matrix_container <- function(data) {
  size <- dim(data)
  labels <- dimnames(data)
  names <- labels[[2L]]
  list(
    columns = NULL, matrix = data,
    names = if (is.null(names)) sprintf("V%d", seq_len(size[[2L]])) else names,
    rows = size[[1L]], row_names = labels[[1L]], unnamed = is.null(names)
  )
}

# The vector of a column. For a matrix this is a copy, so call it only when needed.
container_column <- function(container, position) {
  if (!is.null(container$matrix)) return(container$matrix[, position])
  x <- container$columns[[position]]
  if (is.object(x)) as_it_was(x) else x
}

# The columns (by name) as a list, for expressions evaluated in the data.
container_list <- function(container, names = container$names) {
  if (is.null(container$matrix)) return(container$columns[names])
  columns <- lapply(match(names, container$names), container_column, container = container)
  stats::setNames(columns, names)
}

check_column_names <- function(names, used, arg, abort, call) {
  if (anyNA(used) || !all(nzchar(used))) {
    abort("{.arg {arg}} has a column without a name.", call)
  }
  if (!anyDuplicated.default(names)) return(invisible())
  twice <- intersect(unique(names[duplicated(names)]), used)
  if (length(twice)) abort("{.arg {arg}} has more than one column {.field {twice}}.", call)
}

# A table that is no data frame as one. A bag stays out of it.
rows_of_table <- function(table, rows, row_names) {
  if (is.matrix(table)) return(as.data.frame(table))
  frames <- if (is_table_list(table)) Filter(is.data.frame, table)
  if (length(frames)) return(do.call(cbind, unname(frames)))
  if (anyDuplicated(row_names)) row_names <- NULL
  as.data.frame(matrix(0, rows, 0L), row.names = row_names)
}

row_count <- function(table) {
  if (is_table_list(table)) return(row_count(table[[1L]]))
  if (is.data.frame(table)) nrow(table) else bag_size(table)[[1L]]
}

# Some rows of a table. A list of tables has them of each.
rows_at <- function(table, at) {
  if (is_table_list(table)) return(lapply(table, rows_at, at))
  table[at, , drop = FALSE]
}

is_joint_table <- function(x) inherits(x, "bayesrisk_joint")

# A matrix in place of a table: its only feature is called `terms`.
bag_container <- function(x, arg, abort, call) {
  check_bag_parts(x, arg, abort, call)
  list(
    columns = list(terms = x), matrix = NULL, rows = bag_size(x)[[1L]], names = "terms",
    unnamed = FALSE, row_names = bag_names(x)[[1L]], alone = TRUE
  )
}

is_table_list <- function(x) {
  is.list(x) && !is.object(x) && length(x) > 0L && all(vapply(x, is_table, NA))
}

is_table <- function(x) is.data.frame(x) || is_bag(x)

# A list that has something else than tables.
check_tables <- function(data, arg, abort, call) {
  if (!is.list(data) || is.object(data) || length(data) == 0L) return(invisible())
  other <- which(!vapply(data, is_table, NA))[[1L]]
  label <- names(data)[other]
  label <- if (is.null(label) || !nzchar(label)) other else encodeString(label, quote = "\"")
  part <- data[[other]]
  abort(c(
    "{.arg {arg}}: element {label} must be a data frame or a matrix of numbers with column names,
     not {describe_value(part)}.",
    i = "A list has tables, for example {.code list(words = x, data.frame(size = n))}."
  ), call)
}

# A list of data frames, whose columns are features, and of named matrices, each one a feature.
list_container <- function(data, arg, abort, call) {
  bags <- !vapply(data, is.data.frame, NA)
  labels <- if (is.null(names(data))) rep("", length(data)) else names(data)
  if (!all(nzchar(labels[bags]))) {
    abort(c(
      "{.arg {arg}}: each matrix must have a name.",
      i = "For example {.code list(words = x, data)}."
    ), call)
  }
  Map(function(x, label) check_bag_parts(x, label, abort, call), data[bags], labels[bags])
  rows <- vapply(data, function(part) {
    if (is.data.frame(part)) nrow(part) else as.integer(bag_size(part)[[1L]])
  }, 1L)
  if (any(rows != rows[[1L]])) {
    named <- sprintf("%s has %d", ifelse(nzchar(labels), labels, seq_along(rows)), rows)
    abort("{.arg {arg}}: the tables have different numbers of rows: {named}.", call)
  }
  columns <- unlist(unname(Map(function(part, label, bag) {
    if (bag) stats::setNames(list(part), label) else unclass(part)
  }, data, labels, bags)), recursive = FALSE)
  attributes(columns) <- list(names = names(columns))
  list(
    columns = columns, matrix = NULL, rows = rows[[1L]], names = frame_names(columns),
    unnamed = FALSE, row_names = list_row_names(data, bags)
  )
}

list_row_names <- function(data, bags) {
  for (part in data[bags]) {
    names <- bag_names(part)[[1L]]
    if (!is.null(names)) return(names)
  }
}
