# Spark: fits and predictions of bayesrisk beside Spark's own Gaussian naive Bayes, on one table, in
# one run. SPARK_HOME names a Spark; needs sparklyr.
#
#   Rscript bench/spark.R             # 2e6 rows x 10 numbers, 3 classes, 6 turns
#   Rscript bench/spark.R 1e5 2       # fewer rows, fewer turns
#   Rscript bench/spark.R --store     # writes vignettes/spark.csv
#
# Each turn does all tasks, so that a slow minute slows all of them; the least time of each counts.
# The answers are compared before they are timed.

for (package in c("bayesrisk", "dplyr")) {
  suppressPackageStartupMessages(library(package, character.only = TRUE))
}
arguments <- commandArgs(TRUE)
store <- "--store" %in% arguments
arguments <- as.numeric(setdiff(arguments, "--store"))
rows <- if (length(arguments)) arguments[[1]] else 2e6
turns <- if (length(arguments) > 1) arguments[[2]] else 6
folder <- tempfile("spark")
dir.create(folder)

connect <- function() {
  config <- sparklyr::spark_config()
  config$spark.ui.enabled <- "false"
  config$spark.driver.host <- "127.0.0.1"
  config$spark.local.dir <- file.path(folder, "local")
  config$spark.sql.warehouse.dir <- file.path(folder, "warehouse")
  config$spark.log.level <- "ERROR"
  config$`sparklyr.shell.driver-memory` <- "6g"
  config$sparklyr.connect.enablehivesupport <- FALSE
  sparklyr::spark_connect("local[2]", Sys.getenv("SPARK_HOME"), config = config)
}

# Normal numbers, whose means differ between classes, written once as Parquet.
make_table <- function(con) {
  numbers <- sprintf("randn(%1$d) + (id %% 3) * %2$g AS x%1$d", 1:10, 1:10 / 10)
  text <- sprintf(
    "SELECT substr('abc', CAST(id %% 3 AS INT) + 1, 1) AS y, CAST(id %% 3 AS DOUBLE) AS label,
            %s FROM range(%.0f)", toString(numbers), rows
  )
  made <- sparklyr::invoke(sparklyr::hive_context(con), "sql", text)
  path <- file.path(folder, "table.parquet")
  sparklyr::invoke(sparklyr::invoke(made, "write"), "parquet", path)
  sparklyr::spark_read_parquet(con, "big", path, memory = FALSE)
}

fit_mllib <- function(con, table) {
  table <- sparklyr::ft_vector_assembler(table, paste0("x", 1:10), "features")
  spec <- sparklyr::invoke_new(con, "org.apache.spark.ml.classification.NaiveBayes")
  settings <- c(setModelType = "gaussian", setLabelCol = "label", setFeaturesCol = "features")
  for (name in names(settings)) spec <- sparklyr::invoke(spec, name, settings[[name]])
  data <- sparklyr::spark_dataframe(table)
  list(model = sparklyr::invoke(spec, "fit", data), data = data)
}

count_mllib <- function(fitted) {
  scored <- sparklyr::sdf_register(sparklyr::invoke(fitted$model, "transform", fitted$data))
  found <- collect(count(scored, prediction))
  found$n[order(found$prediction)]
}

count_classes <- function(model, table) {
  found <- collect(count(predict(model, table), .pred_class))
  found$n[order(found$.pred_class)]
}

con <- connect()
big <- make_table(con)
formula <- stats::reformulate(paste0("x", 1:10), "y")
naive <- fit(bayes_naive(), formula, big)
full <- fit(bayes_full(), formula, big)
theirs <- fit_mllib(con, big)
# Rows that are ties to rounding may differ.
apart <- max(abs(count_classes(naive, big) - count_mllib(theirs)))
if (apart > 1e-5 * rows) stop("the naive models decide otherwise: ", apart, " rows")

tasks <- list(
  `naive, fit` = function() fit(bayes_naive(), formula, big),
  `full, fit` = function() fit(bayes_full(), formula, big),
  `naive, classes counted` = function() count_classes(naive, big),
  `full, classes counted` = function() count_classes(full, big),
  `MLlib naive, fit` = function() fit_mllib(con, big),
  `MLlib naive, classes counted` = function() count_mllib(theirs)
)
seconds <- replicate(turns, vapply(tasks, function(task) {
  invisible(gc())
  system.time(task())[["elapsed"]]
}, 1))
sparklyr::spark_disconnect(con)
unlink(folder, recursive = TRUE)
found <- data.frame(task = names(tasks), seconds = round(apply(seconds, 1, min), 2))
print(found, row.names = FALSE)
if (store) utils::write.csv(found, "vignettes/spark.csv", row.names = FALSE)
