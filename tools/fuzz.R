# Rscript tools/fuzz.R [PROBLEMS] [FIRST SEED]: random problems beyond those of the tests, for the
# bayesrisk that R finds. The default is a million problems, two hours on two cores. Prints the
# seeds that fail, and the number of problems that have an answer. All other problems end in an
# error of the package.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
library(bayesrisk)
for (helper in c("bags", "likelihoods", "random", "random-changes", "wording")) {
  source(file.path(root, "tests", "testthat", sprintf("helper-%s.R", helper)))
}

asked <- as.numeric(commandArgs(TRUE))
problems <- if (length(asked)) asked[[1L]] else 1e6
first <- if (length(asked) > 1L) asked[[2L]] else 1e6
cores <- if (.Platform$OS.type == "windows") 1L else parallel::detectCores()

# A list for each seed. A process that crashed returns nothing for any of its seeds, not even "no
# problem"; these seeds are tried again, each in its own process.
try_problems <- function(seeds) {
  try_problem <- function(seed) list(worded_now_and_then(seed, random_problem(seed), every = 100))
  found <- parallel::mclapply(seeds, try_problem, mc.cores = cores)
  lost <- which(!vapply(found, is.list, NA))
  found[lost] <- parallel::mclapply(
    seeds[lost], try_problem, mc.cores = cores, mc.preschedule = FALSE
  )
  found[!vapply(found, is.list, NA)] <- list(list("the process ended"))
  wrong <- which(lengths(lapply(found, unlist)) > 0L)
  for (i in wrong) {
    cat(sprintf("random_problem(%.0f): %s\n", seeds[[i]], toString(unlist(found[[i]]))))
  }
  c(answered = sum(!vapply(found, function(x) is.null(x[[1L]]), NA)), failed = length(wrong))
}

counts <- 0
for (start in seq(first, first + problems - 1, by = 10000)) {
  seeds <- seq(start, min(start + 9999, first + problems - 1))
  counts <- counts + try_problems(seeds)
  cat(sprintf(
    "%s %.0f problems, %.0f answered, %.0f failed\n", format(Sys.time(), "%H:%M:%S"),
    max(seeds) - first + 1, counts[["answered"]], counts[["failed"]]
  ))
}
enough <- counts[["answered"]] > 0.4 * problems
quit(status = as.integer(counts[["failed"]] > 0 || !enough))
