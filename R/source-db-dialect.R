# What database engines do differently. Only this file names engines: each is a list of what differs
# from standard SQL, found by the class of the connection. An engine that is not here is standard.

# Texts as literals by the connection's own rules.
quoted_text <- function(x, con) {
  if (isS4(con)) return(as.character(DBI::dbQuoteString(con, x)))
  vapply(lapply(x, dbplyr::escape, con = con), as.character, "")
}

standard_dialect <- list(
  double = "DOUBLE PRECISION",
  # A literal that is this double, bit for bit: 17 digits.
  number = function(x) sprintf("CAST(%.16e AS DOUBLE PRECISION)", x),
  infinity = "CAST('Infinity' AS DOUBLE PRECISION)",
  # A number, with NULL for NaN.
  known = identity,
  # A text that is compared byte by byte.
  text = identity,
  greatest = "GREATEST", least = "LEAST", ln = "LN",
  # A query that the optimiser does not merge into the query around it. Otherwise the optimiser may
  # repeat an expression at each use of its column.
  fence = identity,
  # Whether all values of a column have the declared type.
  typed = TRUE,
  # Texts as literals.
  quote = quoted_text,
  # Truth values of a column.
  true = "TRUE", false = "FALSE",
  # Whether a query may begin with WITH only outside of other queries.
  nested = FALSE,
  # Whether names that differ in upper and lower case are different, and the length of a name.
  cased_names = FALSE, name_bytes = Inf,
  # The largest number of columns of a result.
  columns = 1600L,
  # Whether the user has begun a transaction, if dbBegin() would not say so by an error. `ask` gives
  # the value of a query.
  transacting = function(ask) FALSE,
  # Whether an error aborts a transaction, unless it goes back to a savepoint, or in any case.
  savepoints = FALSE, aborts = FALSE,
  # The statement that begins a transaction whose queries read one state of the tables, if
  # dbBegin() does not.
  begin = NULL,
  # The query for what the session is known by, if the driver may connect again without a word.
  session = NULL,
  # Whether rows are read faster than they are counted by SQL.
  streams = FALSE,
  # Whether the driver passes errors on as they are. See try_percent().
  plain_errors = TRUE
)

new_dialect <- function(...) utils::modifyList(standard_dialect, list(...))

plain_number <- function(x) sprintf("%.16e", x)

# SQLite reads some decimals wrong in the last digit. Whole numbers up to 2^53 and powers of 2 are
# read exactly, and so are their quotients.
quotient_number <- function(x) {
  exponent <- ifelse(x == 0 | !is.finite(x), 0, pmax(floor(log2(abs(x))) - 52, -186))
  whole <- x * 2^-exponent
  while (any(even <- exponent < 0 & whole %% 2 == 0)) {
    whole[even] <- whole[even] / 2
    exponent[even] <- exponent[even] + 1
  }
  exact <- is.finite(whole) & whole == trunc(whole) & abs(x) < 2^53
  down <- vapply(pmax(0, -exponent), function(n) {
    powers <- c(rep(62, n %/% 62), n %% 62)
    paste(sprintf("/%.1f", 2^powers[powers > 0]), collapse = "")
  }, "")
  ifelse(exact, sprintf("(%.0f%s)", whole, ifelse(exponent < 0, down, ".0")), plain_number(x))
}

# Literals in which a backslash escapes the next character.
escaped_text <- function(x, con) {
  sprintf("'%s'", gsub("'", "\\'", gsub("\\", "\\\\", x, fixed = TRUE), fixed = TRUE))
}

sqlite_dialect <- new_dialect(
  number = quotient_number, infinity = "9e999", true = "1", false = "0", typed = FALSE,
  streams = TRUE,
  text = function(x) paste(x, "COLLATE BINARY"),
  greatest = "MAX", least = "MIN", ln = "LOG", # RSQLite's LOG is the natural logarithm
  fence = function(query) paste(query, "LIMIT 9223372036854775807")
)

postgresql_dialect <- new_dialect(
  cased_names = TRUE, name_bytes = 63,
  known = function(x) sprintf("NULLIF(%s, 'NaN')", x),
  text = function(x) sprintf("CAST(%s AS TEXT)", x), # an enumeration, too
  fence = function(query) paste(query, "OFFSET 0"),
  # Outside of a transaction both are the time of the query, if it is sent at once.
  transacting = function(ask) ask("SELECT now() <> statement_timestamp()"),
  savepoints = TRUE, begin = "BEGIN ISOLATION LEVEL REPEATABLE READ",
  session = "SELECT pg_backend_pid()"
)

rpostgres_dialect <- utils::modifyList(postgresql_dialect, list(plain_errors = FALSE))

# MariaDB and MySQL have no infinite numbers. Their usual collations take "A", "a" and "a " for one
# text.
mariadb_dialect <- new_dialect(
  true = "1", false = "0", name_bytes = 64,
  # A simulated connection does not know that a backslash is an escape.
  quote = function(x, con) if (isS4(con)) quoted_text(x, con) else escaped_text(x, con),
  double = "DOUBLE", number = plain_number, infinity = "1.7976931348623157e308",
  text = function(x) paste(x, "COLLATE utf8mb4_nopad_bin"),
  session = "SELECT CAST(CONNECTION_ID() AS CHAR)",
  fence = function(query) paste(query, "LIMIT 9223372036854775807")
)

# RMariaDB commits each query outside of dbBegin(), other drivers do not. MySQL does not tell.
mysql_dialect <- utils::modifyList(mariadb_dialect, list(transacting = function(ask) {
  tryCatch(ask("SELECT @@in_transaction") == 1, error = function(e) FALSE)
}))

duckdb_dialect <- new_dialect(
  double = "DOUBLE", number = plain_number, infinity = "CAST('Infinity' AS DOUBLE)",
  known = function(x) sprintf("NULLIF(%s, CAST('NaN' AS DOUBLE))", x),
  text = function(x) sprintf("CAST(%s AS VARCHAR)", x),
  # Outside of a transaction each query is one.
  transacting = function(ask) ask("SELECT txid_current()") == ask("SELECT txid_current()"),
  aborts = TRUE
)

spark_dialect <- new_dialect(
  quote = escaped_text,
  double = "DOUBLE", number = function(x) sprintf("CAST(%.16e AS DOUBLE)", x),
  infinity = "CAST('Infinity' AS DOUBLE)",
  known = function(x) sprintf("NANVL(%s, CAST(NULL AS DOUBLE))", x)
)

snowflake_dialect <- new_dialect(
  quote = escaped_text,
  infinity = "CAST('inf' AS DOUBLE PRECISION)",
  known = function(x) sprintf("NULLIF(%s, CAST('NaN' AS DOUBLE PRECISION))", x)
)

# SQL Server has neither NaN nor infinite numbers.
mssql_dialect <- new_dialect(
  true = "CAST(1 AS BIT)", false = "CAST(0 AS BIT)", nested = TRUE,
  double = "FLOAT", number = plain_number, infinity = "1.7976931348623157e308", ln = "LOG",
  text = function(x) paste(x, "COLLATE Latin1_General_100_BIN2_UTF8"), columns = 1000L
)

clickhouse_dialect <- new_dialect(
  quote = escaped_text,
  cased_names = TRUE,
  double = "Nullable(Float64)", number = plain_number, infinity = "inf",
  known = function(x) sprintf("if(isNaN(%s), NULL, %s)", x, x)
)

# By the class of the connection.
dialects <- list(
  SQLiteConnection = sqlite_dialect,
  PqConnection = rpostgres_dialect, PostgreSQL = postgresql_dialect,
  PostgreSQLConnection = postgresql_dialect,
  MariaDBConnection = mariadb_dialect, MySQLConnection = mysql_dialect, MySQL = mysql_dialect,
  duckdb_connection = duckdb_dialect,
  `Spark SQL` = spark_dialect, spark_connection = spark_dialect,
  Snowflake = snowflake_dialect,
  `Microsoft SQL Server` = mssql_dialect,
  ClickHouse = clickhouse_dialect, ClickhouseConnection = clickhouse_dialect
)

db_dialect <- function(con) {
  if (inherits(con, "AdbiConnection")) asked_dialect(con) else class_dialect(con)
}

class_dialect <- function(con) {
  known <- intersect(class(con), names(dialects))
  if (length(known)) dialects[[known[[1L]]]] else standard_dialect
}

# An ADBC connection has one class for all engines, so the engine is asked.
asked_dialect <- function(con) {
  version <- tryCatch(
    DBI::dbGetQuery(con, "SELECT version() AS v")$v, error = function(e) "sqlite"
  )
  engines <- c("PostgreSQL" = "PostgreSQL", "sqlite" = "SQLiteConnection")
  named <- vapply(names(engines), grepl, NA, x = version, ignore.case = TRUE)
  dialects[[c(engines[named], "duckdb_connection")[[1L]]]]
}
