# Rscript bench/memory-text.R ROOT FILE fit|class KIND: prints the increase (in MB) of the peak
# memory of this process during the call, above its memory after the data (and, before a prediction,
# the model) were read. bench/tasks-text.R writes FILE and sets glibc's limits so that free memory
# is given back.

arguments <- commandArgs(TRUE)
source(file.path(arguments[1], "bench", "tasks-text.R"))
loadNamespace("Matrix")
data <- readRDS(arguments[2])
task <- arguments[3]
fit <- function(words, y) bayesrisk::fit_xy(text_specs[[arguments[4]]](), words, y)
suppressPackageStartupMessages(library(bayesrisk))

kilobytes <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}

# Memory that a first call loads is not counted.
few <- data$words[seq_len(1000L), ]
invisible(predict(fit(few, data$y[seq_len(1000L)]), few))
if (task == "class") model <- fit(data$words, data$y)

invisible(gc())
writeLines("5", "/proc/self/clear_refs")
before <- kilobytes("VmRSS")
result <- if (task == "fit") fit(data$words, data$y) else predict(model, data$words)
cat(max(0, kilobytes("VmHWM") - before) / 1024, "\n")
