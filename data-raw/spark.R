# The session of Spark that the vignette "Larger than one machine" shows, with its output, as
# vignettes/articles/spark-session.txt. Needs sparklyr, and a Spark in SPARK_HOME.

library(bayesrisk)
library(dplyr, warn.conflicts = FALSE)
source(file.path("data-raw", "session.R"))
options(digits = 3, width = 90)

folder <- tempfile("spark")
config <- sparklyr::spark_config()
config$spark.local.dir <- file.path(folder, "local")
config$spark.sql.warehouse.dir <- file.path(folder, "warehouse")
config$spark.log.level <- "ERROR"
config$spark.ui.enabled <- "false"
config$sparklyr.connect.enablehivesupport <- FALSE # the Spark may lack Hive and its page
con <- sparklyr::spark_connect("local", Sys.getenv("SPARK_HOME"), config = config)
path <- file.path(folder, "decided.parquet")

set.seed(1)
rows <- 3000
data <- data.frame(
  id = seq_len(rows), paid = sample(c("yes", "no"), rows, TRUE, c(0.9, 0.1)),
  income = rgamma(rows, 9, 0.2), region = sample(c("north", "south", "west"), rows, TRUE)
)
data$income <- data$income * ifelse(data$paid == "yes", 1.2, 1)
cost <- cost_matrix(lend = c(yes = 0, no = 10), refuse = c(yes = 1, no = 0))
invisible(copy_to(con, data, "loans"))

session <- '
loans <- tbl(con, "loans")
model <- fit(bayes_naive(laplace = 1), paid ~ income + region, loans)
model
decided <- decide(model, loans, cost)
count(decided, region, .decision)
sparklyr::spark_write_parquet(select(decided, id, .decision, .cost), path)
'

shown <- c('con <- sparklyr::spark_connect("yarn")', record_session(session))
sparklyr::spark_disconnect(con)
unlink(folder, recursive = TRUE)
writeLines(shown, "vignettes/articles/spark-session.txt", useBytes = TRUE)
