# The databases of the tests: servers, and the headers that their drivers are compiled with, from
# apt; DuckDB's library from npm, because the R package takes an hour to compile. Without one of
# them its tests are skipped. Sourced by setup.R.

prepare_databases <- function() {
  install_with_apt(missing_databases(), c(none = "0"))
  prepare_duckdb()
}

missing_databases <- function() {
  has <- function(...) any(nzchar(Sys.which(c(...)))) || any(file.exists(Sys.glob(c(...))))
  there <- c(
    postgresql = has("initdb", "/usr/lib/postgresql/*/bin/initdb"), `libpq-dev` = has("pg_config"),
    `mariadb-server` = has("mariadbd", "/usr/sbin/mariadbd"),
    `libmariadb-dev` = has("mariadb_config")
  )
  names(there)[!there]
}

duckdb_package <- "@duckdb/node-bindings-linux-x64"

# Sets the environment variable that the tests read.
prepare_duckdb <- function() {
  if (nzchar(Sys.getenv("BAYESRISK_DUCKDB")) || requireNamespace("duckdb", quietly = TRUE)) {
    return(invisible())
  }
  folder <- file.path(cache_folder(), "npm")
  library <- file.path(folder, "node_modules", duckdb_package, "libduckdb.so")
  fits <- identical(Sys.info()[["machine"]], "x86_64") && Sys.info()[["sysname"]] == "Linux"
  if (!file.exists(library) && fits && nzchar(Sys.which("npm"))) {
    message("Installing with npm: ", duckdb_package)
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    suppressWarnings(system2("npm", c(
      "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", shQuote(folder),
      duckdb_package
    ), stdout = FALSE, stderr = FALSE))
  }
  if (!file.exists(library)) return(message("No library of DuckDB: its tests are skipped."))
  Sys.setenv(BAYESRISK_DUCKDB = library)
  install_from_cran(missing_packages(c(adbi = "0", adbcdrivermanager = "0")))
}
