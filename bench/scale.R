# Data larger than memory: the time, the peak memory of the process, and the constants behind the
# vignette "Larger than one machine".
#
#   Rscript bench/scale.R             # 1e7 rows x 10 numbers as a CSV file of about 1.9 GB
#   Rscript bench/scale.R 1e6         # fewer rows
#   Rscript bench/scale.R 1e7 --store # writes vignettes/articles/scale.csv
#
# Each measurement is a process of its own, because the peak of a process never falls. Linux only:
# the peak is VmHWM of /proc.

arguments <- commandArgs(TRUE)
store <- "--store" %in% arguments
arguments <- setdiff(arguments, "--store")
rows <- if (length(arguments)) as.numeric(arguments[[1]]) else 1e7
folder <- tempfile("scale")
dir.create(folder)
csv <- file.path(folder, "data.csv")

block <- function(n) {
  y <- sample(c("a", "b", "c"), n, TRUE)
  x <- matrix(stats::rnorm(10 * n), n) + match(y, c("a", "b", "c"))
  data.frame(y = y, x)
}

write_blocks <- function(rows, csv, block) {
  set.seed(1)
  for (i in seq_len(ceiling(rows / 1e6))) {
    data.table::fwrite(block(min(1e6, rows)), csv, append = i > 1, showProgress = FALSE)
  }
}

# Runs work(csv) in a new process: list(value, seconds, peak in MB, and the peak of loading alone).
measure <- function(work, ...) {
  callr::r(function(work, arguments) {
    peak <- function() {
      line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
      as.numeric(gsub("[^0-9]", "", line)) / 1024
    }
    library(bayesrisk)
    loadNamespace("data.table")
    data.table::setDTthreads(2L)
    before <- peak()
    seconds <- system.time(value <- do.call(work, arguments))[["elapsed"]]
    list(value = value, seconds = seconds, peak = peak(), before = before)
  }, list(work, list(...)), libpath = .libPaths())
}

callr::r(write_blocks, list(rows, csv, block), libpath = .libPaths())
cases <- list(
  `naive, CSV in chunks` = function(csv) fit(bayes_naive(), y ~ ., csv_chunks(csv)),
  `full, CSV in chunks` = function(csv) fit(bayes_full(), y ~ ., csv_chunks(csv)),
  `histograms, two passes` = function(csv) {
    fit(bayes_naive(numeric = likelihood_histogram()), y ~ ., csv_chunks(csv))
  },
  `posteriors, CSV to CSV` = function(csv) {
    model <- fit(bayes_naive(), y ~ ., csv_chunks(csv, rows = 1e5, nThread = 2))
    to <- tempfile(fileext = ".csv")
    on.exit(unlink(to))
    write_chunks(predict(model, csv_chunks(csv), type = "prob"), to)
  }
)
table <- do.call(rbind, lapply(names(cases), function(name) {
  found <- measure(cases[[name]], csv)
  data.frame(
    what = name, rows = rows, seconds = found$seconds, peak_mb = round(found$peak),
    loaded_mb = round(found$before)
  )
}))
print(table, row.names = FALSE, digits = 3)

# The constants of the simulation on paper.
memory <- measure(function(block) {
  data <- block(1e6)
  counting <- system.time(for (i in 1:5) bayes_statistics(bayes_naive(), y ~ ., data))[["elapsed"]]
  naive <- bayes_statistics(bayes_naive(), y ~ ., data)
  full <- bayes_statistics(bayes_full(), y ~ ., data)
  merging <- system.time(for (i in 1:200) merge(naive, naive))[["elapsed"]]
  c(
    count_seconds_per_row = counting / 5e6, merge_seconds = merging / 200,
    message_bytes_naive = length(serialize(naive, NULL)),
    message_bytes_full = length(serialize(full, NULL))
  )
}, block)$value
constants <- c(
  bytes_per_row = file.size(csv) / rows,
  read_seconds_per_row = table$seconds[[1]] / rows, memory
)
print(signif(constants, 3))
if (store) {
  utils::write.csv(
    data.frame(constant = names(constants), value = signif(unname(constants), 3)),
    "vignettes/articles/scale.csv", row.names = FALSE, quote = FALSE
  )
}
unlink(folder, recursive = TRUE)
