# Texts of SQL run by the engine's own client, not through R: a driver may hide what a text means
# elsewhere.

# The rows that the client of an engine gives for `sql`, as texts as the client writes them, NA for
# NULL; or, with `like`, a data frame with the same columns, as columns of its types. The client
# sees the tables of `con`, but not the temporary ones. Skips the test if the client is not there.
client_rows <- function(con, sql, like = NULL) {
  text <- withr::local_tempfile(fileext = ".sql")
  writeLines(enc2utf8(paste0(sub("[;[:space:]]*$", "", sql), ";")), text, useBytes = TRUE)
  rows <- switch(client_engine(con),
    sqlite = sqlite_client(con, text), postgresql = postgresql_client(text),
    mariadb = mariadb_client(text), duckdb = duckdb_client(con, text),
    clickhouse = clickhouse_texts(con, sql), spark = spark_texts(con, sql)
  )
  if (is.null(like)) return(rows)
  expect_setequal(names(rows), names(like))
  rows <- rows[names(like)]
  rows[] <- Map(client_value, rows, like)
  rows
}

client_engine <- function(con) {
  engines <- c(SQLiteConnection = "sqlite", PqConnection = "postgresql",
               MariaDBConnection = "mariadb", ChdbConnection = "clickhouse",
               spark_connection = "spark")
  c(engines[intersect(class(con), names(engines))], "duckdb")[[1L]]
}

# Clients write infinity in ways of their own, and truth values as t, true or 1.
client_value <- function(x, like) {
  if (is.logical(like)) return(ifelse(is.na(x), NA, tolower(x) %in% c("t", "true", "1")))
  if (is.numeric(like)) as.numeric(sub("infinity", "Inf", x, ignore.case = TRUE)) else x
}

# The output of a client that reads the file `text`.
run_client <- function(command, arguments, text) {
  skip_if_not(nzchar(Sys.which(command)), paste("The program", command, "is not there."))
  out <- withr::local_tempfile()
  log <- withr::local_tempfile()
  status <- system2(command, shQuote(arguments), stdin = text, stdout = out, stderr = log)
  said <- paste(readLines(log, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  if (status != 0L || grepl("error", said, ignore.case = TRUE)) stop(command, ": ", said)
  raw <- readBin(out, "raw", file.size(out))
  value <- rawToChar(raw)
  Encoding(value) <- "UTF-8"
  value
}

# Rows as JSON: numbers have up to 20 digits.
json_rows <- function(json) {
  skip_if_not_installed("jsonlite")
  rows <- jsonlite::fromJSON(json, simplifyVector = FALSE, bigint_as_char = TRUE)
  as_text <- function(x) {
    if (is.null(x)) NA_character_ else if (is.double(x)) sprintf("%.17g", x) else as.character(x)
  }
  columns <- lapply(stats::setNames(nm = names(rows[[1L]])), function(name) {
    vapply(rows, function(row) as_text(row[[name]]), "")
  })
  list2DF(columns)
}

sqlite_client <- function(con, text) {
  json_rows(run_client("sqlite3", c("-batch", "-bail", "-json", con@dbname), text))
}

# The client quotes nothing here, so what separates fields and rows is in no table.
postgresql_client <- function(text) {
  marks <- c(field = "<bayes field>", record = "<bayes record>")
  found <- run_client("psql", c(
    "--no-psqlrc", "--quiet", "--no-align", "--pset=footer=off", "--pset=null=<NULL>",
    "--set=ON_ERROR_STOP=1", paste0("--field-separator=", marks[["field"]]),
    paste0("--record-separator=", marks[["record"]]), "--port=5499",
    paste0("--host=", servers$postgresql), "--username=bayes", "--dbname=postgres"
  ), text)
  records <- strsplit(sub("\n$", "", found), marks[["record"]], fixed = TRUE)[[1L]]
  # strsplit() drops an empty text at the end.
  fields <- strsplit(paste0(records, marks[["field"]]), marks[["field"]], fixed = TRUE)
  rows <- matrix(as.character(unlist(fields[-1L])), ncol = length(fields[[1L]]), byrow = TRUE)
  rows[rows == "<NULL>"] <- NA
  stats::setNames(as.data.frame(rows), fields[[1L]])
}

# The client's XML has no elements but rows and fields, and escapes what looks like one.
mariadb_client <- function(text) {
  xml <- run_client("mariadb", c(
    "--no-defaults", "--xml", "--binary-mode", "--default-character-set=utf8mb4", "--user=root",
    paste0("--socket=", file.path(servers$mariadb, "s")), "bayes"
  ), text)
  rows <- regmatches(xml, gregexpr("(?s)<row>.*?</row>", xml, perl = TRUE))[[1L]]
  pattern <- "(?s)<field name=\"([^\"]*)\"( xsi:nil=\"true\" />|>([^<]*)</field>)"
  fields <- lapply(rows, function(row) {
    found <- regmatches(row, gregexpr(pattern, row, perl = TRUE))[[1L]]
    value <- unescape_xml(sub(pattern, "\\3", found, perl = TRUE))
    value[grepl(" xsi:nil=\"true\" />$", found)] <- NA
    stats::setNames(as.list(value), unescape_xml(sub(pattern, "\\1", found, perl = TRUE)))
  })
  do.call(rbind, lapply(fields, list2DF))
}

unescape_xml <- function(x) {
  signs <- c("&lt;" = "<", "&gt;" = ">", "&quot;" = "\"", "&amp;" = "&")
  for (sign in names(signs)) x <- gsub(sign, signs[[sign]], x, fixed = TRUE)
  x
}

# DuckDB's own client is its package for Node.js, beside the library that the tests load. Two
# processes cannot open one database, so the tables are copied into a file.
duckdb_client <- function(con, text) {
  package <- file.path(dirname(dirname(Sys.getenv("BAYESRISK_DUCKDB"))), "node-api")
  skip_if_not(dir.exists(package), "DuckDB's package for Node.js is not there.")
  file <- withr::local_tempfile()
  for (statement in c("ATTACH '%s' AS bayes_copy", "COPY FROM DATABASE memory TO bayes_copy",
                      "DETACH bayes_copy")) {
    DBI::dbExecute(con, sub("%s", file, statement, fixed = TRUE))
  }
  json_rows(run_client("node", c("-e", duckdb_script, package, file), text))
}

duckdb_script <- "
const [place, file] = process.argv.slice(1)
const text = value => value === null ? null : String(value)
require(place).DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  .then(instance => instance.connect())
  .then(connection => connection.runAndReadAll(require('fs').readFileSync(0, 'utf8')))
  .then(result => console.log(JSON.stringify(
    result.getRowObjects().map(row => Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, text(value)])
    ))
  )))
  .catch(error => { console.error('Error: ' + error.message); process.exit(1) })
"
