# The recipe of ?data_parts. test-source-parts.R runs it with four ranks.
library(Rmpi)
library(bayesrisk)
arguments <- commandArgs(TRUE)
files <- file.path(arguments[[1]], sprintf("%d.rds", 1:4))
rank <- mpi.comm.rank(0)
size <- mpi.comm.size(0)
mine <- bayes_statistics(bayes_full(laplace = 1), y ~ z + k + f, readRDS(files[[rank + 1]]))
step <- 1
while (step < size) {
  if (rank %% (2 * step) != 0) {
    mpi.send.Robj(mine, rank - step, 0, 0)
    break
  }
  if (rank + step < size) mine <- merge(mine, mpi.recv.Robj(rank + step, 0, 0))
  step <- 2 * step
}
if (rank == 0) saveRDS(mine, file.path(arguments[[1]], "merged.rds"))
invisible(mpi.barrier(0))
mpi.finalize()
