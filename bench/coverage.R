# The frame of the simulations of coverage: cells, by name, and the runs of each. Sourced by the
# scripts coverage-*.R, which are run by
#
#     Rscript bench/coverage-SCRIPT.R [runs] [cores] [pattern of cells]
#
# A cell is a function of a seed. It returns numbers, the same ones for each seed, or NULL if there
# is nothing to count. The seeds are 1, 2, ..., so a cell gives the same numbers alone.

# `describe`: the line of a cell, from the matrix of its runs.
run_cells <- function(cells, describe) {
  arguments <- commandArgs(TRUE)
  argument <- function(i, default) if (length(arguments) >= i) arguments[[i]] else default
  runs <- as.integer(argument(1L, 1000L))
  cores <- as.integer(argument(2L, 1L))
  chosen <- cells[grepl(argument(3L, ""), names(cells))]
  for (i in seq_along(chosen)) {
    seconds <- system.time(
      found <- parallel::mclapply(seq_len(runs), chosen[[i]], mc.cores = cores)
    )[["elapsed"]]
    failed <- Filter(function(run) inherits(run, "try-error"), found)
    if (length(failed)) stop(failed[[1L]])
    found <- do.call(rbind, found)
    cat(sprintf(
      "%d/%d %s: %s (%d runs, %.0f s)\n", i, length(chosen), names(chosen)[[i]], describe(found),
      nrow(found), seconds
    ))
  }
}

shares <- function(x) paste(sprintf("%.3f", x), collapse = " ")
