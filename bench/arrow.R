# The fit of an Arrow stream beside reading it as a data frame and fitting that, in one run:
#
#   Rscript bench/arrow.R [rows] [turns]
#
# The stream is a file with ten numbers and a class, 65,536 rows a batch. Each time is the smallest
# of the turns. Memory is that of the process at most above the start of the fit, in megabytes.

suppressPackageStartupMessages({
  library(bayesrisk)
  library(nanoarrow)
})
arguments <- as.numeric(c(commandArgs(TRUE), 1e7, 5))
rows <- arguments[[1L]]
turns <- arguments[[2L]]

# Batch by batch: the whole is never in memory.
write_batches <- function(file, rows, size = 65536) {
  set.seed(1)
  write_chunks(data_chunks(local({
    left <- rows
    function() {
      n <- min(size, left)
      left <<- left - n
      if (n == 0) return(NULL)
      data <- as.data.frame(matrix(rnorm(n * 10), n))
      data$y <- sample(c("a", "b", "c"), n, TRUE)
      data
    }
  })), file)
}

file <- tempfile(fileext = ".arrows")
write_batches(file, rows)
stream <- function() read_nanoarrow(file)
spec <- bayes_naive()

seconds <- function(f) system.time(f())[["elapsed"]]
# The memory of the process in megabytes, and its peak since the last reset: nanoarrow's buffers are
# not R's.
process_memory <- function(field) {
  line <- grep(paste0("^", field), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

peak <- function(f) {
  gc()
  writeLines("5", "/proc/self/clear_refs")
  start <- process_memory("VmRSS")
  f()
  process_memory("VmHWM") - start
}

data <- memory <- found <- NULL
works <- list(
  "read as a data frame" = function() data <<- as.data.frame(stream()),
  "fit of the data frame" = function() memory <<- fit(spec, y ~ ., data, threads = 1),
  "fit of the stream" = function() found <<- fit(spec, y ~ ., stream(), threads = 1),
  "fit of the stream, two threads" = function() fit(spec, y ~ ., stream(), threads = 2)
)
# At first, because R gives little of its memory back.
held <- peak(works[["fit of the stream"]])
times <- vapply(seq_len(turns), function(turn) vapply(works, seconds, 1), numeric(length(works)))
stopifnot(isTRUE(all.equal(coef(found), coef(memory), tolerance = 1e-12)))
best <- apply(times, 1L, min)

print(data.frame(seconds = signif(best, 3)))
cat(sprintf(
  "fit of the stream / (reading + fit): %.2f (at most 1.3); two threads / one: %.2f (at most 1)\n",
  best[[3L]] / (best[[1L]] + best[[2L]]), best[[4L]] / best[[3L]]
))
cat(sprintf("%.0f MB above the start; a batch has %.0f MB\n", held, 65536 * 11 * 8 / 2^20))
