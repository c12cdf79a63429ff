# Fits of database tables against collect()-then-fit, in one run:
#
#   Rscript bench/sources.R [rows] [engines...]
#
# The servers are those of the tests (tests/testthat/helper-servers.R). Each time is the median of
# three turns. The models must agree.

root <- normalizePath(file.path(dirname(sub("--file=", "", grep(
  "--file=", commandArgs(), value = TRUE
))), ".."))
suppressPackageStartupMessages({
  library(bayesrisk)
  library(testthat)
  library(dplyr, warn.conflicts = FALSE)
})
Sys.setenv(NOT_CRAN = "true") # starts servers
source(file.path(root, "tests", "testthat", "helper-servers.R"))
at_end <- new.env()
run_end <- function() at_end

arguments <- commandArgs(TRUE)
rows <- if (length(arguments)) as.numeric(arguments[[1L]]) else 1e6
engines <- if (length(arguments) > 1L) arguments[-1L] else database_engines

make_data <- function(rows, features = 10L) {
  set.seed(1)
  data <- as.data.frame(matrix(rnorm(rows * features), rows))
  data$y <- sample(c("a", "b", "c"), rows, TRUE)
  data
}

# dbWriteTable() of a million rows takes minutes in PostgreSQL and MariaDB; a file does not.
load_table <- function(con, engine, data) {
  if (engine == "sqlite") return(put_table(con, data))
  name <- "measured"
  DBI::dbExecute(con, paste("DROP TABLE IF EXISTS", name))
  if (engine == "duckdb") {
    DBI::dbWriteTable(con, name, data)
    return(tbl(con, name))
  }
  DBI::dbCreateTable(con, name, data)
  file <- tempfile(tmpdir = dirname(tempdir()))
  on.exit(unlink(file))
  text <- data
  text[] <- lapply(data, function(x) if (is.double(x)) sprintf("%.17g", x) else x)
  data.table::fwrite(text, file, sep = "\t", col.names = FALSE, quote = FALSE)
  Sys.chmod(file, "644")
  if (engine == "postgresql") {
    DBI::dbExecute(con, sprintf("COPY %s FROM '%s'", name, file))
    DBI::dbExecute(con, paste("ANALYZE", name))
  } else {
    DBI::dbExecute(con, sprintf("LOAD DATA INFILE '%s' INTO TABLE %s", file, name))
  }
  tbl(con, name)
}

seconds <- function(expr) {
  code <- substitute(expr)
  env <- parent.frame()
  times <- vapply(1:3, function(i) {
    gc(FALSE)
    system.time(eval(code, env))[["elapsed"]]
  }, 1)
  stats::median(times)
}

data <- make_data(rows)
specs <- list(naive = bayes_naive(), full = bayes_full())
for (engine in engines) {
  con <- tryCatch(suppressWarnings(connect_database(engine)), condition = identity)
  if (inherits(con, "condition")) {
    cat(engine, "is not here:", conditionMessage(con), "\n")
    next
  }
  table <- load_table(con, engine, data)
  for (name in names(specs)) {
    spec <- specs[[name]]
    memory <- fit(spec, y ~ ., data)
    found <- fit(spec, y ~ ., lazy_table(table, "sql"))
    stopifnot(isTRUE(all.equal(coef(found), coef(memory), tolerance = 1e-10)))
    times <- c(
      sql = seconds(fit(spec, y ~ ., lazy_table(table, "sql"))),
      stream = seconds(fit(spec, y ~ ., lazy_table(table, "stream"))),
      auto = seconds(fit(spec, y ~ ., table)),
      collect = seconds(fit(spec, y ~ ., collect(table)))
    )
    cat(sprintf(
      "%-10s %-5s %g x 10: sql %.2f s, stream %.2f s, auto %.2f s, collect() and fit %.2f s\n",
      engine, name, rows, times[["sql"]], times[["stream"]], times[["auto"]], times[["collect"]]
    ))
  }
  DBI::dbDisconnect(con)
}
withr::deferred_run(at_end)
