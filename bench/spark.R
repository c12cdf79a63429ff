# Fits and predictions of Spark, ClickHouse and DuckDB, beside Spark's own Gaussian naive Bayes, on
# one table, in one run. SPARK_HOME, BAYESRISK_CHDB and BAYESRISK_DUCKDB as for the tests; an engine
# that is not here is left out.
#
#   Rscript bench/spark.R             # 2e6 rows x 10 numbers, 3 classes, 6 turns
#   Rscript bench/spark.R 1e5 2       # fewer rows, fewer turns
#
# Each turn does all tasks, so that a slow minute slows all of them; the least time of each counts.
# The answers are compared before they are timed.

root <- normalizePath(file.path(dirname(sub("--file=", "", grep(
  "--file=", commandArgs(), value = TRUE
))), ".."))
for (package in c("bayesrisk", "testthat", "dplyr")) {
  suppressPackageStartupMessages(library(package, character.only = TRUE))
}
Sys.setenv(NOT_CRAN = "true") # starts servers
for (name in c("servers", "spark", "clickhouse")) {
  source(file.path(root, "tests", "testthat", sprintf("helper-%s.R", name)))
}
at_end <- new.env()
run_end <- function() at_end

arguments <- as.numeric(commandArgs(TRUE))
rows <- if (length(arguments)) arguments[[1]] else 2e6
turns <- if (length(arguments) > 1) arguments[[2]] else 6
features <- paste0("x", 1:10)
folder <- tempfile("spark")
dir.create(folder)
path <- file.path(folder, "table.parquet")

# Normal numbers, whose means differ between classes, written once as Parquet.
make_table <- function(con) {
  numbers <- sprintf("randn(%1$d) + (id %% 3) * %2$g AS x%1$d", 1:10, 1:10 / 10)
  made <- run_statement(con, sprintf(
    "SELECT substr('abc', CAST(id %% 3 AS INT) + 1, 1) AS y, CAST(id %% 3 AS DOUBLE) AS label,
            %s FROM range(%.0f)", toString(numbers), rows
  ))
  sparklyr::invoke(sparklyr::invoke(made, "write"), "parquet", path)
  sparklyr::spark_read_parquet(con, "big", path, memory = FALSE)
}

# The same table in another engine.
copy_table <- function(engine, statement) {
  con <- tryCatch(suppressWarnings(connect_database(engine)), condition = identity)
  if (inherits(con, "condition")) {
    cat(engine, "is not here:", conditionMessage(con), "\n")
    return(NULL)
  }
  DBI::dbExecute(con, sprintf(statement, path))
  tbl(con, "big")
}

fit_mllib <- function(con, table) {
  table <- sparklyr::ft_vector_assembler(table, features, "features")
  spec <- sparklyr::invoke_new(con, "org.apache.spark.ml.classification.NaiveBayes")
  settings <- c(setModelType = "gaussian", setLabelCol = "label", setFeaturesCol = "features")
  for (name in names(settings)) spec <- sparklyr::invoke(spec, name, settings[[name]])
  data <- sparklyr::spark_dataframe(table)
  list(model = sparklyr::invoke(spec, "fit", data), data = data)
}

count_mllib <- function(fitted) {
  scored <- sparklyr::sdf_register(sparklyr::invoke(fitted$model, "transform", fitted$data))
  found <- collect(count(scored, prediction))
  as.numeric(found$n[order(found$prediction)])
}

count_classes <- function(model, table) {
  found <- collect(count(predict(model, table), .pred_class))
  as.numeric(found$n[order(found$.pred_class)])
}

count_decisions <- function(model, table) {
  found <- collect(count(decide(model, table, cost), .decision))
  as.numeric(found$n[order(found$.decision)])
}

spark <- start_spark(folder, memory = "6g")
cost <- cost_matrix(
  A = c(a = 0, b = 5, c = 9), B = c(a = 2, b = 0, c = 3), C = c(a = 4, b = 1, c = 0)
)
tables <- Filter(Negate(is.null), list(
  Spark = make_table(spark),
  ClickHouse = copy_table("clickhouse", paste(
    "CREATE TABLE big ENGINE = Memory AS SELECT * FROM file('%s/*.parquet', 'Parquet')"
  )),
  DuckDB = copy_table("duckdb", "CREATE TABLE big AS SELECT * FROM read_parquet('%s/*.parquet')")
))
formula <- stats::reformulate(features, "y")
specs <- list(naive = bayes_naive(), full = bayes_full())
models <- lapply(specs, fit, formula, tables$Spark)
theirs <- fit_mllib(spark, tables$Spark)
# Rows that are ties to rounding may differ.
for (table in tables) {
  apart <- max(abs(count_classes(models$naive, table) - count_mllib(theirs)))
  if (apart > 1e-5 * rows) stop("the naive models decide otherwise: ", apart, " rows")
}

tasks <- list(
  `MLlib naive: fit` = function() fit_mllib(spark, tables$Spark),
  `MLlib naive: classes counted` = function() count_mllib(theirs)
)
for (engine in names(tables)) for (name in names(specs)) local({
  table <- tables[[engine]]
  spec <- specs[[name]]
  model <- models[[name]]
  tasks[paste0(engine, " ", name, ": ", c("fit", "classes counted", "decisions counted"))] <<- list(
    function() fit(spec, formula, table), function() count_classes(model, table),
    function() count_decisions(model, table)
  )
})
seconds <- replicate(turns, vapply(tasks, function(task) {
  invisible(gc())
  system.time(task())[["elapsed"]]
}, 1))
least <- apply(seconds, 1, min)
print(data.frame(task = names(tasks), seconds = round(unname(least), 2)), row.names = FALSE)

# The first time as a multiple of the second.
targets <- list(
  c("Spark full: classes counted", "Spark naive: classes counted", 3),
  c("ClickHouse full: classes counted", "ClickHouse naive: classes counted", 3),
  c("Spark naive: fit", "MLlib naive: fit", 0.5),
  c("Spark naive: classes counted", "MLlib naive: classes counted", 0.5),
  c("Spark full: fit", "MLlib naive: fit", 0.75),
  c("ClickHouse naive: classes counted", "DuckDB naive: classes counted", 2)
)
for (target in targets) if (all(target[1:2] %in% names(least))) {
  ratio <- least[[target[[1]]]] / least[[target[[2]]]]
  cat(sprintf("%s / %s: %.2f (at most %s)\n", target[[1]], target[[2]], ratio, target[[3]]))
}

cat("\nThe largest Java method of a prediction of Spark, in bytes (Java compiles up to 8000):\n")
method_sizes <- utils::getFromNamespace("method_sizes", "bayesrisk")
for (name in names(models)) for (type in c("class", "prob", "decide")) {
  text <- as_sql(models[[name]], spark, tables$Spark, type = type,
                 cost = if (type == "decide") cost)
  cat(sprintf("%-5s %-6s %d\n", name, type, max(method_sizes(spark, text))))
}
sparklyr::spark_disconnect(spark)
withr::deferred_run(at_end)
unlink(folder, recursive = TRUE)
