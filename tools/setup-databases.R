# The databases of the tests: servers, their own clients, and the headers that their drivers are
# compiled with, from apt; DuckDB's library and client from npm, because the R package takes an hour
# to compile. Without one of them its tests are skipped. Sourced by setup.R.

prepare_databases <- function() {
  install_with_apt(missing_databases(), c(none = "0"))
  prepare_duckdb()
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

# Sets the environment variable that the tests read.
prepare_duckdb <- function() {
  if (nzchar(Sys.getenv("BAYESRISK_DUCKDB"))) return(invisible())
  folder <- file.path(cache_folder(), "npm")
  found <- file.path(folder, "node_modules", c(duckdb_library, duckdb_client))
  fits <- identical(Sys.info()[["machine"]], "x86_64") && Sys.info()[["sysname"]] == "Linux"
  if (!all(file.exists(found)) && fits && nzchar(Sys.which("npm"))) {
    message("Installing with npm: ", duckdb_client)
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    suppressWarnings(system2("npm", c(
      "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", shQuote(folder),
      duckdb_client
    ), stdout = FALSE, stderr = FALSE))
  }
  if (!all(file.exists(found))) return(message("No library of DuckDB: its tests are skipped."))
  Sys.setenv(BAYESRISK_DUCKDB = found[[1L]])
  if (requireNamespace("duckdb", quietly = TRUE)) return(invisible())
  install_from_cran(missing_packages(c(adbi = "0", adbcdrivermanager = "0")))
}
