# Rows of a lazy table, read in blocks by the engine: where the database is beside R, as SQLite is,
# this is faster than SQL; and it serves likelihoods for which nearly all rows differ.

# Whether the rows of a bank are read.
reads_rows <- function(bank, cases) {
  if (cases$strategy != "auto") return(cases$strategy == "stream")
  if (isTRUE(bank$em)) return(TRUE)
  record <- record_of(bank)
  if (bank$type == "multivariate_gaussian") return(length(bank$features) > widest_sql_block)
  !(bank$type == "gaussian" || record$support %in% c("levels", "counts"))
}

# The text of the query for a block grows with the square of its features.
widest_sql_block <- 64L

inform_reading <- function(banks, labels) {
  features <- labels[unlist(lapply(banks, `[[`, "features"))]
  inform_bayesrisk(c(
    "SQL does not count {.field {utils::head(features, 10L)}}: the rows are read in blocks.",
    i = "{.code lazy_table(x, strategy = \"stream\")} reads all features in this way, and
         {.code strategy = \"sql\"} none."
  ), "reads_rows")
}

# The states of banks.
read_banks <- function(banks, cases, call) {
  used <- sort(unique(as.integer(unlist(lapply(banks, `[[`, "features")))))
  banks <- lapply(banks, function(bank) {
    bank$features <- match(bank$features, used)
    bank
  })
  groups <- length(cases$classes$levels)
  total <- NULL
  problems <- NULL
  counts <- numeric(groups + 1)
  each_block(cases, db_rows(cases, used), function(rows) {
    g <- as.integer(rows$g)
    counts <<- counts + tabulate(replace(g, is.na(g), groups + 1L), groups + 1L)
    columns <- Map(db_encode, rows[place_names(used)], cases$schema$features[used])
    collected <- call_engine(collect_statistics_cpp(
      banks, groups, bind_frame(unname(columns), nrow(rows)), g,
      if (cases$weighted) as.double(rows$v), cases$threads
    ), call)
    problems <<- unite_problems(problems, collected$diagnostics)
    total <<- if (is.null(total)) {
      collected$statistics
    } else {
      merge_statistics_cpp(banks, groups, length(used), total, collected$statistics)
    }
  })
  check_same_rows(seq_along(counts), counts, cases, call)
  cases$schema$features <- cases$schema$features[used]
  check_data_problems(problems, cases, call)
  total
}

# Groups are counted by the engine: SQL would need a query for each kind of likelihood and group.
collect_by_key <- function(data, request, call) {
  source <- report_query(db_source(data), call)
  plan <- reading_plan(data, source, FALSE)
  if (plan$strategy == "sql") {
    abort_argument(c(
      "SQL does not count groups: {.arg by} needs rows.",
      i = "Leave {.code strategy = \"sql\"} out of {.fn lazy_table}."
    ), call)
  }
  if (plan$strategy == "auto") {
    inform_bayesrisk("SQL does not count groups: the rows are read in blocks.", "reads_rows")
  }
  columns <- key_request_columns(db_formula(source, request, call), request)
  collect_from(table_chunks(source, columns, plan$rows, abort_data, call), request, call)
}

# The columns that a grouped fit reads. `asked`: see db_formula().
key_request_columns <- function(asked, request) {
  keys <- lapply(request$by, function(key) if (is.list(key)) key$columns else all.vars(key))
  masked <- lapply(request[c("weights", "subset")], quosure_columns)
  # A formula may name columns that it leaves out.
  named <- if (rlang::is_formula(request$formula)) all.vars(request$formula)
  unique(unlist(list(columns_of(asked$response), asked_columns(asked$terms), keys, masked, named)))
}

# Columns of a lazy table in chunks of `rows` rows.
table_chunks <- function(source, columns, rows, abort, call) {
  columns <- intersect(columns, source$names)
  if (!length(columns)) columns <- source$names[[1L]]
  check_driver_reads(columns, source, abort, call)
  types <- column_types(source, columns)
  read <- typed_sql(db_column(columns, source), types, source)
  named <- stats::setNames(read, db_name(columns, source))
  text <- if (!is.null(source$dialect$bytes)) which(types[columns] %in% "character")
  if (length(text)) {
    bytes <- source$dialect$bytes(read[text])
    named <- c(named, stats::setNames(bytes, paste0(source$prefix, "bytes", text)))
  }
  query <- db_select(named, db_sub(source$query, "bayes_q"))
  new_chunks(function(call) {
    reader <- open_query(source$con, query, rows, call)
    if (length(text)) with_held_texts(reader, columns[text], length(columns)) else reader
  }, "A lazy table.")
}

# A reader whose rows end with the bytes of their texts, without these, after a check.
with_held_texts <- function(reader, texts, columns) {
  next_chunk <- reader$next_chunk
  reader$next_chunk <- function(call) {
    rows <- next_chunk(call)
    if (is.null(rows)) return(NULL)
    for (i in seq_along(texts)) {
      check_held_text(rows[[texts[[i]]]], rows[[columns + i]], texts[[i]], call)
    }
    rows[seq_len(columns)]
  }
  reader
}

# Calls a function for each block of rows of a query, and at least once.
each_block <- function(cases, query, use) {
  blocks <- send_query(cases$source, query, cases$chunk)
  on.exit(blocks$close())
  repeat {
    rows <- ask_database(blocks$next_rows())
    use(lower_names(rows, cases$source$dialect))
    if (nrow(rows) < cases$chunk) break
  }
}

unite_problems <- function(first, second) {
  united <- Map(c, first, second)
  if (is.null(first)) united <- second
  key <- paste(united$problem, united$class, united$feature)
  count <- vapply(split(united$count, factor(key, unique(key))), sum, 1)
  united <- lapply(united, `[`, !duplicated(key))
  replace(united, "count", list(unname(count)))
}

# How the rows of a lazy table are counted: the strategy and the rows of a block. `far`: whether
# weights are so large or small that products with them could leave the range of a double.
reading_plan <- function(data, source, far) {
  chosen <- attr(data, "bayesrisk_reading")
  if (is.null(chosen)) chosen <- list(strategy = "auto", rows = 1e5)
  near <- chosen$strategy == "auto" && source$dialect$streams
  if (near || far) chosen$strategy <- "stream"
  chosen
}
