# ClickHouse without a server: the connection of CRAN's RClickhouse, with its names, texts and
# translations, whose statements go to ClickHouse's own library (the package chdb of npm) in a
# process of Node.js. Each connection has tables of its own.

clickhouse <- new.env()

# BAYESRISK_CHDB names the folder that has node_modules/chdb. `settings`: of the session, as SQL.
# RClickhouse is not suggested, because it comes only as source for most systems.
connect_clickhouse <- function(settings = NULL) {
  for (package in c("RClickhouse", "bit64", "jsonlite", "processx")) skip_if_not_installed(package)
  folder <- Sys.getenv("BAYESRISK_CHDB")
  skip_if_not(dir.exists(file.path(folder, "node_modules", "chdb")), "ClickHouse is not there.")
  if (is.null(clickhouse$methods)) clickhouse$methods <- define_clickhouse()
  process <- processx::process$new(
    "node", c("-e", clickhouse_script, folder), stdin = "|", stdout = "|", stderr = NULL
  )
  con <- methods::new("ChdbConnection", host = "chdb", port = 0, user = "default",
                      Int64 = "integer64", toUTF8 = TRUE, process = process)
  for (setting in settings) ask_clickhouse(con, paste("SET", setting))
  con
}

# The process gets a line with the names of two files: one has a statement, the other gets the rows
# or the error. So texts do not depend on the locale.
clickhouse_script <- "
const { Session } = require(process.argv[1] + '/node_modules/chdb')
const { readFileSync, writeFileSync } = require('fs')
const session = new Session()
for (const statement of [
  'CREATE DATABASE bayes ENGINE = Atomic', 'USE bayes',
  `SET max_threads = 2, default_table_engine = 'Memory'`,
  'SET output_format_json_quote_denormals = 1, output_format_json_quote_64bit_integers = 1'
]) session.query(statement)
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const [statement, rows] = line.split('\\t')
  const form = 'JSONCompactEachRowWithNamesAndTypes'
  let answer = 'ok'
  try {
    writeFileSync(rows, session.query(readFileSync(statement, 'utf8'), form) ?? '')
  } catch (error) {
    answer = 'error'
    writeFileSync(rows, String(error.message ?? error))
  }
  console.log(answer)
}).on('close', () => session.cleanup())
"

# The answer to a statement: list(texts, types), texts with NA for NULL; NULL without rows.
answer_of_clickhouse <- function(con, sql) {
  statement <- withr::local_tempfile()
  file <- withr::local_tempfile()
  writeLines(enc2utf8(sql), statement, useBytes = TRUE)
  con@process$write_input(paste0(statement, "\t", file, "\n"))
  answered <- wait_until({
    con@process$poll_io(1000)
    length(answer <- con@process$read_output_lines(1)) > 0L || !con@process$is_alive()
  })
  if (!answered || !length(answer)) stop("ClickHouse has ended, or does not answer.")
  lines <- readLines(file, encoding = "UTF-8", warn = FALSE)
  if (answer != "ok") stop(paste(lines, collapse = " "))
  if (!length(lines)) return(NULL)
  rows <- jsonlite::fromJSON(
    paste0("[", paste(lines[-(1:2)], collapse = ","), "]"), simplifyVector = FALSE
  )
  text <- function(x) {
    if (is.null(x)) NA_character_ else if (is.double(x)) sprintf("%.17g", x) else as.character(x)
  }
  names <- jsonlite::fromJSON(lines[[1L]])
  texts <- lapply(seq_along(names), function(j) vapply(rows, function(row) text(row[[j]]), ""))
  list(texts = stats::setNames(texts, names), types = jsonlite::fromJSON(lines[[2L]]))
}

# A statement's rows with the types that RClickhouse gives, or as texts.
ask_clickhouse <- function(con, sql) {
  answer <- answer_of_clickhouse(con, sql)
  if (is.null(answer)) return(NULL)
  list2DF(Map(clickhouse_column, answer$texts, answer$types))
}

clickhouse_texts <- function(con, sql) list2DF(answer_of_clickhouse(con, sql)$texts)

clickhouse_column <- function(text, type) {
  type <- gsub("^(LowCardinality|Nullable)\\(|\\)$", "", type)
  if (type %in% c("Int64", "UInt64")) return(bit64::as.integer64(text))
  if (type == "Bool") return(as.logical(text))
  if (type == "Date") return(as.Date(text))
  if (type %in% c("Int8", "Int16", "Int32", "UInt8", "UInt16")) return(as.integer(text))
  if (grepl("^Float|^Decimal|^UInt32", type)) as.numeric(text) else text
}

# Methods of DBI for the process; RClickhouse has the others.
define_clickhouse <- function() {
  getNamespace("RClickhouse")
  where <- globalenv()
  methods::setClass(
    "ChdbConnection", where = where, slots = list(process = "ANY"),
    contains = structure("ClickhouseConnection", package = "RClickhouse")
  )
  methods::setClass("ChdbResult", contains = "DBIResult", slots = list(state = "environment"),
                    where = where)
  set <- function(generic, signature, method) {
    methods::setMethod(getExportedValue("DBI", generic), signature, method, where = where)
  }
  set("dbSendQuery", c("ChdbConnection", "character"), function(conn, statement, ...) {
    rows <- ask_clickhouse(conn, statement)
    methods::new("ChdbResult", state = list2env(list(rows = rows, sql = statement, at = 0L)))
  })
  set("dbFetch", "ChdbResult", function(res, n = -1, ...) clickhouse_fetch(res@state, n))
  set("dbHasCompleted", "ChdbResult", function(res, ...) res@state$at >= NROW(res@state$rows))
  set("dbClearResult", "ChdbResult", function(res, ...) invisible(TRUE))
  set("dbGetRowsAffected", "ChdbResult", function(res, ...) 0)
  set("dbGetStatement", "ChdbResult", function(res, ...) res@state$sql)
  set("dbIsValid", "ChdbResult", function(dbObj, ...) TRUE) # nolint: object_name_linter.
  set("dbIsValid", "ChdbConnection", function(dbObj, ...) { # nolint: object_name_linter.
    dbObj@process$is_alive()
  })
  set("dbDisconnect", "ChdbConnection", function(conn, ...) invisible(conn@process$kill()))
  set("dbWriteTable", c("ChdbConnection", "character", "ANY"), write_clickhouse)
  TRUE
}

clickhouse_fetch <- function(state, n) {
  rows <- state$rows
  if (is.null(rows)) return(data.frame())
  left <- nrow(rows) - state$at
  taken <- as.integer(if (n < 0) left else min(n, left))
  found <- rows[state$at + seq_len(taken), , drop = FALSE]
  rownames(found) <- NULL
  state$at <- state$at + taken
  found
}

# A new table, from a file of the format TabSeparated.
write_clickhouse <- function(conn, name, value, ...) {
  value[] <- lapply(value, function(x) if (is.factor(x)) as.character(x) else x)
  types <- vapply(value, function(x) {
    type <- switch(class(x)[[1L]], numeric = "Float64", integer = "Int32", logical = "Bool",
                   character = "String", Date = "Date", stop("a column of class ", class(x)[[1L]]))
    if (any(is.na(x) & !is.nan(x))) sprintf("Nullable(%s)", type) else type
  }, "")
  table <- as.character(DBI::dbQuoteIdentifier(conn, name))
  columns <- as.character(DBI::dbQuoteIdentifier(conn, names(value)))
  ask_clickhouse(conn, sprintf(
    "CREATE TABLE %s (%s)", table, toString(paste(columns, types))
  ))
  file <- withr::local_tempfile()
  fields <- unname(lapply(value, clickhouse_field))
  writeLines(do.call(paste, c(fields, sep = "\t")), file, useBytes = TRUE)
  ask_clickhouse(conn, sprintf(
    "INSERT INTO %s SELECT * FROM file('%s', 'TabSeparated', '%s')", table, file,
    toString(sprintf("c%d %s", seq_along(types), types))
  ))
  invisible(TRUE)
}

clickhouse_field <- function(x) {
  text <- enc2utf8(as.character(x))
  if (is.double(x) && !is.object(x)) text <- tolower(sprintf("%.17g", x))
  if (is.logical(x)) text <- tolower(text)
  for (sign in c("\\", "\t", "\n")) {
    text <- gsub(sign, c("\\" = "\\\\", "\t" = "\\t", "\n" = "\\n")[[sign]], text, fixed = TRUE)
  }
  text[is.na(x) & !is.nan(x)] <- "\\N"
  text
}
