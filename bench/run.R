# Rscript bench/run.R [quick|full] [TOPIC ...] [--only=REGEX] [--to=FOLDER] [--installed] [--store]
# bench/README.md says what it measures and how to read it.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
source(file.path(root, "vignettes", "stored-runs.R"))
for (file in c(
  "race.R", "limits.R", "tasks-gaussian.R", "tasks-covariance.R", "tasks-categorical.R",
  "tasks-kernel.R", "tasks-decision.R", "tasks-text.R", "tasks-wide.R", "overhead.R", "growth.R",
  "memory.R", "scikit-learn.R", "report.R", "plots.R"
)) {
  source(file.path(root, "bench", file))
}

# Topics that can be named: settings for run_setting(), or rows of results.
topics <- list(
  machine = function(arguments) machine_rows(arguments$mode),
  gaussian = function(arguments) gaussian_settings(arguments$mode),
  covariance = function(arguments) covariance_settings(arguments$mode),
  categorical = function(arguments) categorical_settings(arguments$mode),
  kernel = function(arguments) kernel_settings(arguments$mode),
  decision = function(arguments) decision_settings(),
  text = function(arguments) text_rows(arguments$mode, root),
  `cross-validation` = function(arguments) fold_settings(arguments$mode),
  wide = function(arguments) wide_settings(arguments$mode),
  overhead = function(arguments) overhead_settings(),
  growth = function(arguments) growth_settings(arguments$mode),
  memory = function(arguments) memory_rows(arguments$mode, root),
  `scikit-learn` = function(arguments) scikit_rows(arguments$mode, root, arguments$only)
)
only_full <- c("text", "cross-validation", "growth", "scikit-learn")

read_arguments <- function(arguments) {
  flags <- startsWith(arguments, "--")
  value <- function(name) {
    given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
    if (length(given)) sub("^[^=]*=", "", given[1])
  }
  words <- arguments[!flags]
  name <- intersect(words, c("quick", "full"))[1]
  if (is.na(name)) name <- "quick"
  asked <- setdiff(words, c("quick", "full"))
  unknown <- c(
    setdiff(asked, names(topics)),
    grep("^--(only|to)=|^--(installed|store)$", arguments[flags], invert = TRUE, value = TRUE)
  )
  if (length(unknown)) {
    stop("Unknown: ", toString(unknown), ". Topics: ", toString(names(topics)), call. = FALSE)
  }
  if (!length(asked)) asked <- setdiff(names(topics), if (name == "quick") only_full)
  list(
    mode = list(
      name = name, rounds = if (name == "full") 7 else 5,
      slow_rounds = if (name == "full") 5 else 3
    ),
    topics = asked, only = value("only"), to = value("to"),
    installed = "--installed" %in% arguments, store = "--store" %in% arguments
  )
}

# Rows of one topic: of its settings, or measured by itself.
run_topic <- function(topic, arguments, keep) {
  made <- topics[[topic]](arguments)
  if (is.null(made) || is.data.frame(made)) return(keep(made))
  for (setting in made) {
    title <- paste(c(topic, size_label(setting), setting$order), collapse = ", ")
    if (!is.null(arguments$only) && !grepl(arguments$only, title)) next
    message(format(Sys.time(), "%H:%M:%S "), title)
    keep(run_setting(setting, arguments$mode))
  }
}

# Results are written after every setting, so that a run can be stopped and resumed.
run_all <- function(arguments) {
  folder <- if (is.null(arguments$to)) tempfile("bench-") else arguments$to
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  file <- file.path(folder, "results.csv")
  results <- if (file.exists(file)) read_results(file)
  keep <- function(rows) {
    if (is.null(rows)) return(invisible())
    print_results(rows)
    results <<- if (is.null(results)) rows else merge_results(results, rows)
    write_results(results, file, about_run(arguments$mode))
  }
  for (topic in arguments$topics) run_topic(topic, arguments, keep)
  report_all(results, folder, arguments)
}

report_all <- function(results, folder, arguments) {
  judged <- judge_targets(read_targets(root), results)
  cat("\n", paste(about_run(arguments$mode), "\n"), sep = "")
  print_targets(judged)
  utils::write.csv(judged, file.path(folder, "targets.csv"), row.names = FALSE)
  write_plots(results, folder)
  if (arguments$store) {
    stored <- file.path(root, "vignettes", "articles", c("speed.csv", "speed-targets.csv"))
    file.copy(file.path(folder, c("results.csv", "targets.csv")), stored, TRUE)
  }
  message("Results, targets and figures: ", folder)
}

arguments <- read_arguments(commandArgs(TRUE))
if (!arguments$installed) prepare(root, "bench")
library(bayesrisk)
compile_limits(root)
if (available("data.table")) data.table::setDTthreads(1L)
run_all(arguments)
