# The databases of the tests. From apt, as root: servers, their own clients, drivers of ODBC and the
# headers that drivers of R are compiled with. From npm, if that is here: DuckDB's library and
# client, because the R package takes an hour to compile, and ClickHouse's library. Where SPARK_HOME
# names a Spark, the Java that it needs. Without one of them its tests are skipped. Sourced by
# setup.R.

missing_databases <- function() {
  has <- function(...) any(nzchar(Sys.which(c(...)))) || any(file.exists(Sys.glob(c(...))))
  there <- c(
    sqlite3 = has("sqlite3"), `postgresql-client` = has("psql"), `mariadb-client` = has("mariadb"),
    postgresql = has("initdb", "/usr/lib/postgresql/*/bin/initdb"), `libpq-dev` = has("pg_config"),
    `mariadb-server` = has("mariadbd", "/usr/sbin/mariadbd"),
    `libmariadb-dev` = has("mariadb_config"), `unixodbc-dev` = has("/usr/include/sql.h"),
    libsqliteodbc = has("/usr/lib/*/odbc/libsqlite3odbc.so"),
    `odbc-postgresql` = has("/usr/lib/*/odbc/psqlodbcw.so"),
    `odbc-mariadb` = has("/usr/lib/*/odbc/libmaodbc.so"),
    `openjdk-17-jre-headless` = !is_found("SPARK_HOME") || has("java")
  )
  names(there)[!there]
}

# Drivers that the package does not suggest: they need programs that come with no R package.
prepare_drivers <- function() {
  install_libraries()
  duckdb <- if (!requireNamespace("duckdb", quietly = TRUE)) c("adbi", "adbcdrivermanager")
  packages <- c("odbc", if (is_found("BAYESRISK_DUCKDB")) duckdb,
                if (is_found("BAYESRISK_CHDB")) "RClickhouse",
                "adbcdrivermanager", "adbcsqlite", "adbcpostgresql")
  install_from_cran(stats::setNames(rep("0", length(packages)), packages))
}

# The databases whose tests are skipped.
absent_databases <- function() {
  servers <- c(PostgreSQL = "postgresql", MariaDB = "mariadb-server", ODBC = "unixodbc-dev")
  libraries <- c(DuckDB = "BAYESRISK_DUCKDB", ClickHouse = "BAYESRISK_CHDB", Spark = "SPARK_HOME")
  found <- vapply(libraries, is_found, NA)
  c(names(servers)[servers %in% missing_databases()], names(libraries)[!found])
}

is_found <- function(variable) nzchar(Sys.getenv(variable))

npm_folder <- function() file.path(cache_folder(), "npm")

# DuckDB's client brings the library.
npm_packages <- c("@duckdb/node-api", "chdb")

# Sets the environment variables that the tests read: a file, and the folder of node_modules.
find_libraries <- function() {
  modules <- file.path(npm_folder(), "node_modules")
  duckdb <- file.path(modules, "@duckdb", "node-bindings-linux-x64", "libduckdb.so")
  if (!is_found("BAYESRISK_DUCKDB") && file.exists(duckdb)) Sys.setenv(BAYESRISK_DUCKDB = duckdb)
  chdb <- file.exists(file.path(modules, "chdb"))
  if (!is_found("BAYESRISK_CHDB") && chdb) Sys.setenv(BAYESRISK_CHDB = npm_folder())
}

install_libraries <- function() {
  fits <- identical(Sys.info()[["machine"]], "x86_64") && Sys.info()[["sysname"]] == "Linux"
  there <- file.exists(file.path(npm_folder(), "node_modules", npm_packages))
  if (fits && nzchar(Sys.which("npm")) && !all(there)) {
    dir.create(npm_folder(), recursive = TRUE, showWarnings = FALSE)
    arguments <- c(
      "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", shQuote(npm_folder()),
      npm_packages
    )
    timed(
      paste("Installing with npm:", toString(npm_packages)),
      suppressWarnings(system2("npm", arguments, stdout = FALSE, stderr = FALSE))
    )
  }
  find_libraries()
}
