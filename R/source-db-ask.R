# How a database is asked: for all rows of a query, for its rows in blocks, and for a lazy table of
# its result. Nothing else sends queries that have rows.
#
# The methods of DBI that sparklyr has are not used: they read the text before Spark does, take an
# apostrophe in a name for the beginning of a text, and run the query again for each block, which
# may give some rows twice and others never.

# `...`: arguments of DBI::dbGetQuery().
ask_rows <- function(con, query, ...) UseMethod("ask_rows")

#' @export
ask_rows.default <- function(con, query, ...) { # nolint: object_name_linter.
  DBI::dbGetQuery(con, query, ...)
}

#' @export
ask_rows.spark_connection <- function(con, query, ...) { # nolint: object_name_linter.
  asked <- ask_spark(con, query)
  collect_spark(asked, asked$rows)
}

# list(next_rows(), close(), columns()). `next_rows()` gives the next `rows` rows, as far as there
# are some. Each row comes once. `columns()`: see DBI::dbColumnInfo(); Spark has none.
open_rows <- function(con, query, rows) UseMethod("open_rows")

#' @export
open_rows.default <- function(con, query, rows) { # nolint: object_name_linter.
  result <- DBI::dbSendQuery(con, query)
  list(
    next_rows = function() DBI::dbFetch(result, n = rows),
    # A lost connection has the error of its query already.
    close = function() succeeds(DBI::dbClearResult(result)),
    columns = function() DBI::dbColumnInfo(result)
  )
}

# Spark's iterator runs the query once. Guava, which is a part of Spark, takes blocks from it.
#' @export
open_rows.spark_connection <- function(con, query, rows) { # nolint: object_name_linter.
  asked <- ask_spark(con, query)
  schema <- sparklyr::invoke(asked$rows, "schema")
  iterator <- sparklyr::invoke(asked$rows, "toLocalIterator")
  guava <- function(class, what, ...) {
    sparklyr::invoke_static(con, paste0("com.google.common.collect.", class), what, ...)
  }
  size <- as.integer(min(rows, .Machine$integer.max))
  list(
    next_rows = function() {
      block <- guava("Lists", "newArrayList", guava("Iterators", "limit", iterator, size))
      table <- sparklyr::invoke(sparklyr::spark_session(con), "createDataFrame", block, schema)
      collect_spark(asked, table)
    },
    close = function() NULL
  )
}

# No rows of a query, with the types of its columns.
ask_types <- function(con, query) UseMethod("ask_types")

#' @export
ask_types.default <- function(con, query) { # nolint: object_name_linter.
  ask_rows(con, db_select("*", db_sub(query), "1 = 0"))
}

# Spark knows the types without running the query.
#' @export
ask_types.spark_connection <- function(con, query) { # nolint: object_name_linter.
  schema <- spark_schema(sparklyr::invoke(sparklyr::hive_context(con), "sql", query))
  columns <- lapply(schema$types, function(type) {
    if (type %in% names(spark_types)) spark_types[[type]] else structure(list(), class = type)
  })
  list2DF(stats::setNames(columns, schema$names))
}

# The types of Spark that sparklyr reads as plain vectors.
spark_types <- list(
  String = character(), Char = character(), Varchar = character(), Double = numeric(),
  Float = numeric(), Decimal = numeric(), Long = numeric(), Integer = integer(),
  Short = integer(), Byte = integer(), Boolean = logical(), Null = logical()
)

# list(names, types): of the columns of `rows`, an object of Spark.
spark_schema <- function(rows) {
  columns <- sparklyr::sdf_schema(rows)
  of <- function(what) vapply(columns, `[[`, "", what, USE.NAMES = FALSE)
  list(names = of("name"), types = sub("Type.*", "", of("type")))
}

# `names`: the columns of the query. `like`: a lazy table of the same connection, if there is one.
lazy_result <- function(con, query, names, like = NULL) UseMethod("lazy_result")

#' @export
lazy_result.default <- function(con, query, names, like = NULL) { # nolint: object_name_linter.
  dplyr::tbl(con, dplyr::sql(query), vars = names)
}

# tbl() asks sparklyr for the names, which takes as long as a short query, and does not read all of
# them.
#' @export
lazy_result.spark_connection <- function(con, query, names, # nolint: object_name_linter.
                                         like = NULL) {
  table <- if (is.null(like)) dplyr::tbl(con, dplyr::sql("SELECT 1 AS x")) else like
  table$lazy_query <- dbplyr::lazy_base_query(dplyr::sql(query), names, "remote")
  attr(table, "bayesrisk_reading") <- NULL
  table
}

# Says once in a session that Spark makes a method of a query that is too large for Java's compiler.
inform_size <- function(con, query) UseMethod("inform_size")

#' @export
inform_size.default <- function(con, query) NULL # nolint: object_name_linter.

#' @export
inform_size.spark_connection <- function(con, query) { # nolint: object_name_linter.
  shape <- rlang::hash(gsub("[0-9.]+e[-+][0-9]+", "", query))
  known <- isTRUE(told$method_size) || shape %in% told$small
  if (known || nchar(query) < shortest_large) return(invisible())
  setting <- "spark.sql.codegen.hugeMethodLimit"
  # The size depends on the shape of the query. One that fails is an error when it is asked.
  size <- tryCatch(max(0L, method_sizes(con, query)), error = function(e) 0L)
  if (size <= largest_method) {
    told$small <- c(told$small, shape)
    return(invisible())
  }
  session <- sparklyr::invoke(sparklyr::spark_session(con), "conf")
  limit <- as.numeric(sparklyr::invoke(session, "get", setting, "65535"))
  if (limit <= largest_method) return(invisible())
  told$method_size <- TRUE
  inform_bayesrisk(c(
    "Spark makes a method of {size} bytes of the prediction. Java compiles up to {largest_method},
     so the prediction may be slow.",
    i = "Smaller methods are made after {.code SET {setting} = {largest_method}}, a statement for
         Spark."
  ), "method_size")
}

told <- new.env(parent = emptyenv())

# HotSpot leaves larger methods to its interpreter. Texts below some characters have smaller ones.
largest_method <- 8000L
shortest_large <- 7000L

# The size of the largest method of each stage that Spark compiles as a whole.
method_sizes <- function(con, query) {
  text <- ask_rows(con, paste("EXPLAIN CODEGEN", query))[[1L]]
  found <- unlist(regmatches(text, gregexpr("maxMethodCodeSize:[0-9]+", text)))
  as.integer(sub(".*:", "", found))
}

# list(rows, names, types): the rows of a query as an object of Spark, in a form in which sparklyr
# loses nothing: it takes an empty text alone and the text <NA> for missing, divides a column at
# U+0003, and may add a row of missing values to none. So texts begin with a mark and have another
# sign in the place of U+0003, and each row has a column of its own. Plain names are never read as a
# part of a column.
ask_spark <- function(con, query) {
  rows <- sparklyr::invoke(sparklyr::hive_context(con), "sql", query)
  schema <- spark_schema(rows)
  plain <- sprintf("c%d", seq_along(schema$names))
  # sparklyr takes the integer -2^31 for NA.
  read <- c(String = spark_text, Integer = "CAST(%1$s AS BIGINT) AS %1$s")[schema$types]
  marked <- ifelse(is.na(read), plain, sprintf(read, plain))
  rows <- sparklyr::invoke(rows, "toDF", as.list(plain))
  rows <- sparklyr::invoke(rows, "selectExpr", as.list(c(marked, "1 AS row")))
  c(list(rows = rows), schema)
}

# U+0001 stands before the signs a (for U+0001) and b (for U+0003).
spark_text <- paste0(
  "concat('.', replace(replace(CAST(%1$s AS STRING), char(1), concat(char(1), 'a')), ",
  "char(3), concat(char(1), 'b'))) AS %1$s"
)

read_spark_text <- function(x) {
  gsub("\001a", "\001", gsub("\001b", "\003", substring(x, 2L), fixed = TRUE), fixed = TRUE)
}

# R has no integer -2^31.
read_spark_integer <- function(x) {
  if (any(abs(x) > .Machine$integer.max, na.rm = TRUE)) as.double(x) else as.integer(x)
}

# `rows`: some or all of those that were asked for.
collect_spark <- function(asked, rows) {
  found <- as.data.frame(sparklyr::sdf_collect(rows, arrow = FALSE))
  found <- found[!is.na(found$row), seq_along(asked$names), drop = FALSE]
  rownames(found) <- NULL
  text <- asked$types == "String"
  found[text] <- lapply(found[text], read_spark_text)
  whole <- asked$types == "Integer"
  found[whole] <- lapply(found[whole], read_spark_integer)
  # A column of NULL without a type holds logical missing values, as NA does in R.
  found[asked$types == "Null"] <- list(rep(NA, nrow(found)))
  # sparklyr has no class for some types, if they have no rows or short values.
  other <- !asked$types %in% names(spark_types)
  found[other] <- Map(function(x, type) {
    if (is.object(x)) x else structure(x, class = type)
  }, found[other], asked$types[other])
  stats::setNames(found, asked$names)
}

# Without memory Spark stops, and the connection to it stays.
is_open <- function(con) {
  open <- DBI::dbIsValid(con)
  if (!open || !inherits(con, "spark_connection")) return(open)
  !sparklyr::invoke(sparklyr::spark_context(con), "isStopped")
}

succeeds <- function(expr) {
  tryCatch({
    expr
    TRUE
  }, error = function(e) FALSE)
}

# The bytes of the texts among the columns `x` of a query that is grouped by them.
byte_columns <- function(x, cases) {
  bytes <- cases$source$dialect$bytes
  text <- x[cases$types[x] %in% "character"]
  if (!length(text) || is.null(bytes)) return(NULL)
  stats::setNames(bytes(text), paste0("bytes_", text))
}

# Texts with U+0000 or bytes that are no UTF-8 come back as other texts, and two of them as one.
check_held_texts <- function(rows, x, cases, call) {
  for (column in x[cases$types[x] %in% "character"]) {
    name <- c(cases$response, cases$labels)[[match(column, names(cases$types))]]
    check_held_text(rows[[column]], rows[[paste0("bytes_", column)]], name, call)
  }
}

# `bytes`: of each text in the database; NA or NULL if it is not known.
check_held_text <- function(text, bytes, name, call) {
  text <- enc2utf8(as.character(text))
  held <- is.na(text) | validUTF8(text)
  if (!is.null(bytes)) held <- held & (is.na(bytes) | bytes == nchar(text, "bytes"))
  if (all(held)) return(invisible())
  abort_data(c(
    "Column {.field {name}} has texts that R cannot hold: with U+0000, or with bytes that are no
     UTF-8.",
    i = "Mend them in the database, for example by {.fn dplyr::mutate}."
  ), call)
}
