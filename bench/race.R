# What the benchmarks share.

# The tasks take turns, so that a noisy moment does not hit one of them alone.
race <- function(tasks, rounds = 7) {
  seconds <- matrix(NA_real_, rounds, length(tasks), dimnames = list(NULL, names(tasks)))
  for (round in seq_len(rounds)) {
    for (task in names(tasks)) {
      gc(FALSE)
      seconds[round, task] <- as.numeric(bench::bench_time(tasks[[task]]())[["real"]])
    }
  }
  apply(seconds, 2, stats::median)
}

# The first task is ours; one called "read" is the read ceiling.
report <- function(title, seconds) {
  ours <- seconds[[1]]
  cat("\n", title, "\n", sep = "")
  for (name in setdiff(names(seconds), "read")) {
    note <- sprintf("%.1f times ours", seconds[[name]] / ours)
    if (name == names(seconds)[1]) {
      note <- if ("read" %in% names(seconds)) {
        sprintf("%.2f of the read ceiling", seconds[["read"]] / ours)
      } else {
        ""
      }
    }
    cat(sprintf("  %-24s %10.5f s   %s\n", name, seconds[[name]], note))
  }
}
