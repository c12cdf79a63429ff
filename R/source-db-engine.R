# The dialect of a connection: that of its engine, changed by what its driver does in its own way.

# The dialects by the class of dbplyr's dialect and, for engines that dbplyr does not know, by the
# class of the connection.
dialects <- list(
  sql_dialect_sqlite = sqlite_dialect, sql_dialect_postgres = postgresql_dialect,
  sql_dialect_redshift = redshift_dialect, sql_dialect_mariadb = mariadb_dialect,
  sql_dialect_mysql = mysql_dialect, sql_dialect_spark_sql = spark_dialect,
  sql_dialect_snowflake = snowflake_dialect, sql_dialect_mssql = mssql_dialect,
  duckdb_connection = duckdb_dialect,
  connect_snowflake = snowflake_dialect, spark_connection = spark_dialect,
  ClickHouse = clickhouse_dialect, ClickhouseConnection = clickhouse_dialect,
  ClickHouseHTTPConnection = clickhouse_dialect
)

# Engines that refuse standard SQL: to them "x" is a text.
refusing_engines <- c(
  BigQueryConnection = "BigQuery", sql_dialect_hive = "Hive", sql_dialect_impala = "Impala",
  sql_dialect_access = "Access"
)

decimal_number <- "CAST(CAST(%s AS TEXT) AS DOUBLE PRECISION)"

# By the class of the connection: differences, or a function that asks the connection for them.
drivers <- list(
  # Numbers of single precision are read from their decimals: 0.1 is the double 0.1.
  PqConnection = list(
    plain_errors = FALSE, types = "driver",
    forms = c(float4 = decimal_number, oid = "CAST(%s AS BIGINT)", money = "")
  ),
  # Redshift has no blocks of statements.
  RedshiftConnection = list(plain_errors = TRUE),
  spark_connection = function(con) sparklyr_spark(con),
  # Each query outside of dbBegin() is committed.
  MariaDBConnection = list(transacting = function(request) FALSE),
  # ODBC. MariaDB has no truth values, and its driver gives wrong ones for bits.
  PostgreSQL = function(con) if (!is_simulated(con)) odbc_postgresql(con),
  MariaDB = list(types = "r", forms = c(logical = "CAST(%s AS UNSIGNED)"))
)

# Unless BoolsAsChar = 0 is set, truth values arrive as the texts 1 and 0. They become numbers, as
# in engines that have no truth values.
odbc_postgresql <- function(con) {
  own <- list(types = "engine", forms = c(real = decimal_number, money = ""))
  if (is.logical(ask_rows(con, "SELECT TRUE")[[1L]])) return(own)
  own$forms[["boolean"]] <- "CAST(%s AS INTEGER)"
  c(own, list(conditions = FALSE, true = "1", false = "0"))
}

# sparklyr reads no name with a backtick. A session may tell names in upper and lower case apart.
# From Spark 4 on a view or table may have a collation, and its texts have this one if none is
# named.
sparklyr_spark <- function(con) {
  cased <- tryCatch({
    settings <- sparklyr::invoke(sparklyr::spark_session(con), "conf")
    sparklyr::invoke(settings, "get", "spark.sql.caseSensitive")
  }, error = function(e) "false")
  own <- list(name_signs = c("`", spark_dialect$name_signs), cased_names = tolower(cased) == "true")
  version <- tryCatch(sparklyr::spark_version(con), error = function(e) "0")
  if (version < "4") return(own)
  c(own, list(text = function(x) sprintf("CAST(%s AS STRING COLLATE UTF8_BINARY)", x)))
}

# A connection that dbplyr simulates, or a dialect of it, has no database that could be asked.
is_simulated <- function(con) inherits(con, c("TestConnection", "sql_dialect"))

# The classes of the connection, the most special ones first.
connection_classes <- function(con) if (isS4(con)) methods::is(con) else class(con)

# The classes that may name the engine. dbplyr gives back the connection if it knows no dialect.
engine_classes <- function(con) {
  found <- dbplyr::sql_dialect(con)
  own <- connection_classes(con)
  if (!inherits(found, "sql_dialect")) return(own)
  if (inherits(found, "sql_dialect_odbc") && "AdbiConnection" %in% own) return(asked_engine(con))
  if (inherits(found, "sql_dialect_mariadb") && serves_mysql(con)) return("sql_dialect_mysql")
  # A dialect that is not known here may be that of a class that is.
  if (identical(class(found), "sql_dialect")) class(found) else union(class(found), own)
}

# The name of a dialect, or "standard".
known_engine <- function(con) c(intersect(engine_classes(con), names(dialects)), "standard")[[1L]]

db_dialect <- function(con) {
  known <- known_engine(con)
  dialect <- if (known == "standard") standard_dialect else dialects[[known]]
  for (driver in rev(intersect(connection_classes(con), names(drivers)))) {
    differences <- drivers[[driver]]
    if (is.function(differences)) differences <- differences(con)
    dialect <- utils::modifyList(dialect, as.list(differences))
  }
  dialect
}

# The driver of MariaDB serves MySQL, too.
serves_mysql <- function(con) {
  isS4(con) && inherits(con, "MariaDBConnection") &&
    !grepl("MariaDB", DBI::dbGetInfo(con)$db.version)
}

# An ADBC connection has one class for all engines. dbplyr does not know DuckDB.
asked_engine <- function(con) {
  version <- tryCatch(ask_rows(con, "PRAGMA version"), error = function(e) NULL)
  if (NROW(version)) "duckdb_connection" else "sql_dialect_odbc"
}

same_engine <- function(con, other) {
  is_simulated(con) == is_simulated(other) && known_engine(con) == known_engine(other)
}

# An engine that refuses standard SQL is an error, one that is not known is named once.
check_engine <- function(con, call) {
  classes <- engine_classes(con)
  refusing <- refusing_engines[intersect(classes, names(refusing_engines))]
  if (length(refusing)) {
    abort_argument(c(
      "{refusing[[1L]]} does not read standard SQL, in which {.code \"x\"} is a column.",
      i = "SQL is written for SQLite, PostgreSQL, MariaDB, MySQL, DuckDB, Spark, Snowflake, SQL
           Server, Redshift, ClickHouse and engines that read standard SQL."
    ), call)
  }
  # dbplyr simulates standard SQL if no engine is named.
  if (any(classes %in% names(dialects)) || classes[[1L]] %in% c("sql_dialect", "TestConnection")) {
    return(invisible())
  }
  engine <- sub("^sql_dialect_", "", classes[[1L]])
  inform_bayesrisk(c(
    "The engine of the connection, {.val {engine}}, is not known: it gets standard SQL.",
    i = if (engine == "odbc") {
      "Name it, if it is one of dbplyr's: {.code dbplyr::with_dialect(con,
       dbplyr::dialect_sqlite())}."
    }
  ), "unknown_engine", .frequency = "once", .frequency_id = paste0("bayesrisk_engine_", engine))
}
