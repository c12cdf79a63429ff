# Rscript tools/fuzz.R [PROBLEMS] [FIRST SEED]: random problems beyond those of the tests (a
# million by default, some hours), for the bayesrisk that R finds. Prints the seeds that fail.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
library(bayesrisk)
source(file.path(root, "tests", "testthat", "helper-random.R"))

asked <- as.numeric(commandArgs(TRUE))
problems <- if (length(asked)) asked[[1L]] else 1e6
first <- if (length(asked) > 1L) asked[[2L]] else 1e6
cores <- if (.Platform$OS.type == "windows") 1L else parallel::detectCores()

failed <- 0
for (start in seq(first, first + problems - 1, by = 10000)) {
  seeds <- seq(start, min(start + 9999, first + problems - 1))
  found <- parallel::mclapply(seeds, random_problem, mc.cores = cores)
  wrong <- which(lengths(found) > 0L)
  for (i in wrong) cat("random_problem(", seeds[[i]], "): ", toString(found[[i]]), "\n", sep = "")
  failed <- failed + length(wrong)
  cat(format(Sys.time(), "%H:%M:%S"), max(seeds) - first + 1, "problems,", failed, "failed\n")
}
quit(status = as.integer(failed > 0))
