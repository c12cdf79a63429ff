# Databases for tests. Real servers are started once for a run of the tests, when the first test
# asks for one, and stopped at its end. They listen on a unix socket only. Under root a server runs
# as another user, because PostgreSQL refuses root. `timeout` ends a server that outlives its tests.

servers <- new.env()

database_engines <- c("sqlite", "postgresql", "mariadb", "duckdb", "clickhouse", "spark")

without_transactions <- c("clickhouse", "spark")

# The same engines through what lends connections, through drivers of ODBC, and in another mode.
database_connections <- c(
  database_engines, "sqlite pool", "postgresql pool", "sqlite odbc", "postgresql odbc",
  "mariadb odbc", "spark without ANSI"
)

# A connection to an engine, closed at the end of the test. Skips the test if the engine or its
# driver is missing, and on CRAN, where these tests would take most of the time. `...`: settings of
# PostgreSQL's driver for ODBC.
local_database <- function(engine, env = parent.frame(), ...) {
  skip_on_cran()
  until <- as.numeric(Sys.getenv("TESTS_UNTIL", "Inf"))
  skip_if(as.numeric(Sys.time()) > until, "No time is left: TESTS_UNTIL.")
  for (package in c("DBI", "dbplyr", "dplyr")) skip_if_not_installed(package)
  # On loading, the packages of drivers may warn that the system does not know its time zone.
  con <- suppressWarnings(connect_database(engine, ...))
  withr::defer(disconnect(con), env)
  con
}

disconnect <- function(con) {
  if (inherits(con, "spark_connection")) return() # the tests share it
  if (!inherits(con, "Pool")) return(suppressWarnings(DBI::dbDisconnect(con)))
  if (DBI::dbIsValid(con)) pool::poolClose(con)
}

connect_database <- function(engine, ...) {
  switch(engine,
    sqlite = connect_sqlite(), postgresql = connect_postgresql(),
    mariadb = connect_mariadb(), duckdb = connect_duckdb(), clickhouse = connect_clickhouse(),
    spark = connect_spark(), "spark without ANSI" = connect_spark(ansi = "false"),
    "sqlite pool" = connect_sqlite(connect_pool),
    "postgresql pool" = connect_postgresql(connect = connect_pool),
    "sqlite odbc" = connect_odbc(dbplyr::dialect_sqlite(), "SQLite3", Database = sqlite_file()),
    "postgresql odbc" = connect_odbc(
      dbplyr::dialect_postgres(), "PostgreSQL Unicode", Database = "postgres", Port = 5499L,
      Servername = server("postgresql", start_postgresql), UserName = "bayes",
      ...
    ),
    "mariadb odbc" = connect_odbc(
      dbplyr::dialect_mariadb(), "MariaDB Unicode", Database = mariadb_database(), User = "root",
      Socket = file.path(server("mariadb", start_mariadb), "s")
    )
  )
}

# Connections of one run share a file, so that a test can open two.
sqlite_file <- function() {
  if (is.null(servers$sqlite)) servers$sqlite <- withr::local_tempfile(.local_envir = run_end())
  servers$sqlite
}

connect_sqlite <- function(connect = DBI::dbConnect) {
  skip_if_not_installed("RSQLite")
  con <- connect(drv = RSQLite::SQLite(), dbname = sqlite_file())
  DBI::dbExecute(con, "PRAGMA busy_timeout = 20000")
  DBI::dbGetQuery(con, "PRAGMA journal_mode = WAL")
  con
}

# `name`: servers of other names run beside the first one.
connect_postgresql <- function(..., name = "postgresql", connect = DBI::dbConnect) {
  skip_if_not_installed("RPostgres")
  folder <- server(name, start_postgresql)
  connect(
    drv = RPostgres::Postgres(), host = folder, port = 5499L, user = "bayes", dbname = "postgres",
    timezone_out = "UTC", options = "-c statement_timeout=60000 -c client_min_messages=warning", ...
  )
}

connect_mariadb <- function(...) {
  skip_if_not_installed("RMariaDB")
  folder <- server("mariadb", start_mariadb)
  con <- DBI::dbConnect(
    RMariaDB::MariaDB(), unix.socket = file.path(folder, "s"), username = "root", ...
  )
  DBI::dbExecute(con, "SET max_statement_time = 60")
  DBI::dbExecute(con, "CREATE DATABASE IF NOT EXISTS bayes CHARACTER SET utf8mb4")
  DBI::dbExecute(con, "USE bayes")
  con
}

# The database that the connections of one run share.
mariadb_database <- function() {
  DBI::dbDisconnect(connect_mariadb())
  "bayes"
}

connect_pool <- function(...) {
  skip_if_not_installed("pool")
  pool::dbPool(...)
}

# The package odbc is not suggested, because it needs a driver manager.
connect_odbc <- function(dialect, driver, ...) {
  skip_if_not_installed("odbc")
  drivers <- getExportedValue("odbc", "odbcListDrivers")()$name
  skip_if_not(driver %in% drivers, paste("The driver", driver, "of ODBC is not there."))
  con <- DBI::dbConnect(getExportedValue("odbc", "odbc")(), driver = driver, ...)
  dbplyr::with_dialect(con, dialect)
}

# DuckDB is the package duckdb, or the shared library that BAYESRISK_DUCKDB names. These packages
# are not suggested, because the first takes an hour to compile.
connect_duckdb <- function(...) {
  of <- function(package, name) getExportedValue(package, name)
  if (rlang::is_installed("duckdb")) return(DBI::dbConnect(of("duckdb", "duckdb")(), ...))
  library <- Sys.getenv("BAYESRISK_DUCKDB")
  skip_if_not(file.exists(library), "Neither the package duckdb nor its library is there.")
  skip_if_not_installed("adbi")
  skip_if_not_installed("adbcdrivermanager")
  driver <- of("adbcdrivermanager", "adbc_driver")(library, entrypoint = "duckdb_adbc_init")
  DBI::dbConnect(of("adbi", "adbi")(driver), path = ":memory:", ...)
}

# Writes a data frame into a new table and returns the lazy table.
put_table <- function(con, data, name = NULL) {
  force(con) # skips the test if there is no database
  servers$tables <- c(servers$tables, NA)
  if (is.null(name)) name <- sprintf("t%d_%d", Sys.getpid(), length(servers$tables))
  if (inherits(con, "spark_connection")) return(put_spark(con, data, name))
  DBI::dbWriteTable(con, name, data)
  dplyr::tbl(con, name)
}

## Servers -----------------------------------------------------------------------------------

run_end <- function() testthat::teardown_env()

# The folder of a running server, which is started if need be; CRAN's machines start none.
server <- function(name, start) {
  skip_on_cran()
  if (is.null(servers[[name]])) {
    folder <- tempfile(name, dirname(tempdir()))
    dir.create(folder)
    Sys.chmod(folder, "755")
    servers[[name]] <- folder
    withr::defer(stop_server(name), run_end())
    servers$started[[name]] <- tryCatch(start(folder), error = function(e) FALSE)
  }
  skip_if_not(servers$started[[name]], paste("No", name, "server can be started here."))
  servers[[name]]
}

stop_server <- function(name) {
  folder <- servers[[name]]
  if (name == "spark" && !is.null(servers$session)) sparklyr::spark_disconnect(servers$session)
  servers[[name]] <- NULL
  pid_file <- Sys.glob(file.path(folder, c("pid", "data/postmaster.pid")))
  # PostgreSQL waits for its clients at SIGTERM.
  signal <- if (startsWith(name, "postgresql")) tools::SIGINT else tools::SIGTERM
  if (length(pid_file)) tools::pskill(as.integer(readLines(pid_file[[1L]], 1L)), signal)
  wait_until(!any(file.exists(pid_file)))
  unlink(folder, recursive = TRUE)
}

# The limit ends what would never come, on the slowest machine.
wait_until <- function(condition, seconds = 120) {
  stop_at <- Sys.time() + seconds
  while (!(done <- force_again(substitute(condition), parent.frame())) && Sys.time() < stop_at) {
    Sys.sleep(0.1)
  }
  done
}

force_again <- function(expression, env) {
  isTRUE(tryCatch(suppressWarnings(eval(expression, env)), error = identity))
}

is_root <- function() identical(Sys.info()[["effective_user"]], "root")

# Runs a command as the user of the server; `background`: does not wait for its end.
run_as <- function(user, command, arguments, log, background = FALSE) {
  if (is_root()) {
    arguments <- c("-u", user, "--", command, arguments)
    command <- "runuser"
  }
  if (background) {
    arguments <- c("-k", "10", "10800", command, arguments)
    command <- "timeout"
  }
  status <- system2(command, arguments, stdout = log, stderr = log, wait = !background)
  background || status == 0L
}

start_postgresql <- function(folder) {
  bin <- c(Sys.glob("/usr/lib/postgresql/*/bin"), dirname(Sys.which("postgres")))
  bin <- Find(function(path) file.exists(file.path(path, "initdb")), rev(bin))
  if (is.null(bin)) return(FALSE)
  if (is_root()) system2("chown", c("nobody", folder))
  data <- file.path(folder, "data")
  made <- run_as("nobody", file.path(bin, "initdb"), c(
    "-D", data, "-A", "trust", "-U", "bayes", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8"
  ), file.path(folder, "initdb.log"))
  if (!made) return(FALSE)
  run_as("nobody", file.path(bin, "postgres"), c(
    "-D", data, "-k", folder, "-p", "5499", "-c", shQuote("listen_addresses="), "-c", "fsync=off"
  ), file.path(folder, "log"), background = TRUE)
  wait_until(any(grepl("^ready", readLines(file.path(data, "postmaster.pid"), warn = FALSE))))
}

start_mariadb <- function(folder) {
  path <- c(Sys.getenv("PATH"), "/usr/sbin")
  withr::local_envvar(PATH = paste(path, collapse = .Platform$path.sep))
  if (!all(nzchar(Sys.which(c("mariadbd", "mariadb-install-db"))))) return(FALSE)
  if (is_root()) system2("chown", c("mysql", folder))
  data <- paste0("--datadir=", file.path(folder, "data"))
  made <- run_as("mysql", "mariadb-install-db", c(
    "--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db"
  ), file.path(folder, "install.log"))
  if (!made) return(FALSE)
  run_as("mysql", "mariadbd", c(
    "--no-defaults", data, paste0("--socket=", file.path(folder, "s")),
    paste0("--pid-file=", file.path(folder, "pid")), "--skip-networking"
  ), file.path(folder, "log"), background = TRUE)
  wait_until(file.exists(file.path(folder, "s")))
}
