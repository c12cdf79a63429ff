# Spark through sparklyr: one session for a run of the tests, since it takes 20 seconds to start.
# SPARK_HOME names the folder of a Spark. It may lack Hive.

# `ansi`: whether a number that has no result is an error, or NULL.
connect_spark <- function(ansi = "true") {
  skip_if_not_installed("sparklyr")
  home <- Sys.getenv("SPARK_HOME")
  skip_if_not(file.exists(file.path(home, "bin", "spark-submit")), "Spark is not there.")
  server("spark", function(folder) {
    servers$session <- start_spark(folder)
    TRUE
  })
  run_statement(servers$session, paste("SET spark.sql.ansi.enabled =", ansi))
  servers$session
}

# The session keeps all its files in `folder`. A cluster of worker processes is another master.
start_spark <- function(folder, master = "local[2]", memory = "2g") {
  config <- sparklyr::spark_config()
  config$spark.ui.enabled <- "false"
  config$spark.driver.host <- "127.0.0.1"
  config$spark.local.dir <- file.path(folder, "local")
  config$spark.sql.warehouse.dir <- file.path(folder, "warehouse")
  config$spark.sql.shuffle.partitions <- 2L
  config$spark.log.level <- "ERROR"
  config$`sparklyr.shell.driver-memory` <- memory
  config$sparklyr.connect.enablehivesupport <- FALSE
  # A text runs once: Java's second compiler and a collector with threads cost more than they save.
  withr::local_envvar(
    SPARK_WORKER_DIR = file.path(folder, "workers"),
    JAVA_TOOL_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
  )
  suppressWarnings(sparklyr::spark_connect(
    master, Sys.getenv("SPARK_HOME"), app_name = basename(folder), config = config
  ))
}

# Runs a statement. DBI::dbExecute() of sparklyr takes an apostrophe in a name for the begin of a
# text.
run_statement <- function(con, statement) {
  if (!inherits(con, "spark_connection")) return(DBI::dbExecute(con, statement))
  sparklyr::invoke(sparklyr::hive_context(con), "sql", enc2utf8(statement))
}

# dbWriteTable() of sparklyr changes the names of columns, and tbl() does not read all names. Rows
# in one file keep their order.
put_spark <- function(con, data, name) {
  quoted <- spark_dialect$quote_name(name, con)
  # There are no VALUES without rows.
  some <- data[seq_len(max(1L, nrow(data))), , drop = FALSE]
  rows <- do.call(paste, c(unname(lapply(some, spark_literal)), sep = ", "))
  run_statement(con, sprintf(
    "CREATE TABLE %s USING parquet AS SELECT /*+ COALESCE(1) */ * FROM VALUES %s AS t(%s) LIMIT %d",
    quoted, paste0("(", rows, ")", collapse = ", "),
    toString(spark_dialect$quote_name(names(data), con)), nrow(data)
  ))
  if (all(grepl("^[A-Za-z0-9_]+$", c(name, names(data))))) return(dplyr::tbl(con, name))
  lazy_result(con, paste("SELECT * FROM", quoted), names(data))
}

spark_literal <- function(x) {
  if (is.factor(x)) x <- as.character(x)
  type <- switch(class(x)[[1L]],
    numeric = "DOUBLE", integer = "INT", logical = "BOOLEAN", Date = "DATE", "STRING"
  )
  text <- if (type == "DOUBLE") sprintf("%.17g", x) else as.character(x)
  missing <- is.na(x) & !(text %in% "NaN" & type == "DOUBLE")
  sprintf("CAST(%s AS %s)", ifelse(missing, "NULL", spark_dialect$quote(enc2utf8(text))), type)
}

# The rows of a query as texts that Spark itself makes of them.
spark_texts <- function(con, sql) {
  names <- names(ask_rows(con, sprintf("SELECT * FROM (%s) WHERE 1 = 0", sql)))
  columns <- spark_dialect$quote_name(names, con)
  ask_rows(con, sprintf(
    "SELECT %s FROM (%s)", toString(sprintf("CAST(%1$s AS STRING) AS %1$s", columns)), sql
  ))
}
