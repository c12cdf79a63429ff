# The databases of the tests: servers, their own clients, and the headers that their drivers are
# compiled with, from apt, as root; DuckDB's library and client from npm, if that is here, because
# the R package takes an hour to compile. Without one of them its tests are skipped. Sourced by
# setup.R.

prepare_databases <- function() {
  install_with_apt(missing_databases(), c(none = "0"))
  prepare_duckdb()
}

# The databases whose tests are skipped.
absent_databases <- function() {
  servers <- c(PostgreSQL = "postgresql", MariaDB = "mariadb-server")
  c(names(servers)[servers %in% missing_databases()], if (!find_duckdb()) "DuckDB")
}

missing_databases <- function() {
  has <- function(...) any(nzchar(Sys.which(c(...)))) || any(file.exists(Sys.glob(c(...))))
  there <- c(
    sqlite3 = has("sqlite3"), `postgresql-client` = has("psql"), `mariadb-client` = has("mariadb"),
    postgresql = has("initdb", "/usr/lib/postgresql/*/bin/initdb"), `libpq-dev` = has("pg_config"),
    `mariadb-server` = has("mariadbd", "/usr/sbin/mariadbd"),
    `libmariadb-dev` = has("mariadb_config")
  )
  names(there)[!there]
}

# The client brings the library.
duckdb_client <- "@duckdb/node-api"
duckdb_library <- "@duckdb/node-bindings-linux-x64/libduckdb.so"

duckdb_folder <- function() file.path(cache_folder(), "npm")

# Sets the environment variable that the tests read, if the library is here.
find_duckdb <- function() {
  found <- file.path(duckdb_folder(), "node_modules", c(duckdb_library, duckdb_client))
  if (!nzchar(Sys.getenv("BAYESRISK_DUCKDB")) && all(file.exists(found))) {
    Sys.setenv(BAYESRISK_DUCKDB = found[[1L]])
  }
  nzchar(Sys.getenv("BAYESRISK_DUCKDB"))
}

prepare_duckdb <- function() {
  fits <- identical(Sys.info()[["machine"]], "x86_64") && Sys.info()[["sysname"]] == "Linux"
  if (!find_duckdb() && fits && nzchar(Sys.which("npm"))) install_duckdb()
  if (!find_duckdb()) return(message("No library of DuckDB: its tests are skipped."))
  if (requireNamespace("duckdb", quietly = TRUE)) return(invisible())
  install_from_cran(c(adbi = "0", adbcdrivermanager = "0"))
}

install_duckdb <- function() {
  dir.create(duckdb_folder(), recursive = TRUE, showWarnings = FALSE)
  timed(paste("Installing with npm:", duckdb_client), suppressWarnings(system2("npm", c(
    "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", shQuote(duckdb_folder()),
    duckdb_client
  ), stdout = FALSE, stderr = FALSE)))
}
