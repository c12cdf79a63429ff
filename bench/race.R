# The one loop that runs all benchmarks. A setting is data: a list of
#   topic, task sizes (n, p, k, levels) and the order of its rows,
#   make:  function() -> the data and the models that its tasks need,
#   same:  function(data) -> stops where answers differ; a note for peers known to be wrong,
#   tasks: named lists of contestants, functions of the data.
# A contestant has the name of its package; a suffix after a colon names the variant. A "limit"
# does the least work that the task requires (see limits.R). A "yardstick" does a part of the task
# with a function of another package or of R. The contestants of a task take turns, so that a noisy
# moment does not affect one alone.

available <- function(package) requireNamespace(package, quietly = TRUE)

package_of <- function(who) sub(":.*", "", who)

installed_only <- function(contestants) {
  here <- vapply(package_of(names(contestants)), function(package) {
    package %in% c("limit", "yardstick") || available(package)
  }, NA)
  contestants[here]
}

# Seconds of one call, averaged over `repeats`. The garbage of the previous call is collected first.
seconds_of <- function(run, data, repeats = 1L) {
  gc(FALSE, full = FALSE)
  time <- bench::bench_time(for (i in seq_len(repeats)) run(data))
  as.numeric(time[["real"]]) / repeats
}

# The first turn of each contestant is a warm-up and determines how it is timed: short calls are
# repeated in a turn (for 30 ms), calls of more than a second have fewer turns. R compiles functions
# during their first calls, so short ones are called many times before they are timed.
race <- function(contestants, data, mode) {
  first <- vapply(contestants, seconds_of, 0, data = data)
  again <- function(short, calls) {
    vapply(contestants[short], seconds_of, 0, data = data, repeats = calls)
  }
  first[first < 0.3] <- again(first < 0.3, 1L)
  first[first < 0.01] <- again(first < 0.01, 200L)
  repeats <- pmin(ceiling(0.03 / first), 100L)
  turns <- ifelse(first > 1, mode$slow_rounds, mode$rounds)
  seconds <- matrix(NA_real_, mode$rounds, length(contestants))
  for (round in seq_len(mode$rounds)) {
    for (i in which(round <= turns)) {
      seconds[round, i] <- seconds_of(contestants[[i]], data, repeats[i])
    }
  }
  data.frame(
    who = names(contestants), value = apply(seconds, 2, stats::median, na.rm = TRUE),
    least = apply(seconds, 2, min, na.rm = TRUE)
  )
}

run_setting <- function(setting, mode) {
  data <- setting$make()
  notes <- setting$same(data)
  rows <- lapply(names(setting$tasks), function(task) {
    contestants <- installed_only(setting$tasks[[task]])
    raced <- race(contestants, data, mode)
    raced$note <- ifelse(raced$who %in% names(notes), notes[raced$who], "")
    result_rows(setting, task, raced)
  })
  do.call(rbind, rows)
}

# Rows of the table of results. `measured`: who, value, perhaps least, unit and note.
result_rows <- function(setting, task, measured) {
  or <- function(value, default) if (is.null(value)) default else value
  data.frame(
    topic = setting$topic, task = task, size = size_label(setting), n = or(setting$n, NA),
    p = or(setting$p, NA), k = or(setting$k, NA), levels = or(setting$levels, NA),
    order = or(setting$order, "random"), who = measured$who, value = measured$value,
    least = or(measured$least, measured$value), unit = or(measured$unit, "s"),
    note = or(measured$note, "")
  )
}

size_label <- function(setting) {
  power <- function(n) {
    if (n < 1e3) return(format(n))
    sub("e[+]0?", "e", format(as.numeric(n), scientific = TRUE))
  }
  parts <- c(
    if (!is.null(setting$n)) {
      paste(c(power(setting$n), if (!is.null(setting$p)) setting$p), collapse = " x ")
    },
    if (!is.null(setting$levels)) paste("L", setting$levels),
    if (!is.null(setting$k)) paste("k", setting$k)
  )
  paste(parts, collapse = ", ")
}

## Equal answers -------------------------------------------------------------------------------

# A gap above `limit` is an error, or a note for a peer that is known to be wrong.
must_agree <- function(who, gap, limit = 1e-9, known_wrong = NULL) {
  if (!is.na(gap) && gap <= limit) return(NULL)
  if (is.null(known_wrong)) {
    stop(who, ": the answers differ by ", gap, call. = FALSE)
  }
  stats::setNames(known_wrong, who)
}

# Posteriors are compared, if there are any, instead of classes, because MASS chooses at random
# between classes whose posteriors differ by a relative difference below 1e-5.
posterior_gap <- function(ours, theirs) {
  theirs <- as.matrix(theirs)
  # Without names, as from bernoulli_naive_bayes(), the columns are in the order of the classes.
  if (!is.null(colnames(theirs))) theirs <- theirs[, colnames(ours)]
  max(abs(ours - theirs))
}

# The share of rows with different classes, without ties.
class_gap <- function(ours, theirs) {
  top <- apply(ours, 1, function(row) sort(row, decreasing = TRUE)[1:2])
  clear <- top[1, ] - top[2, ] > 1e-9
  mean(max.col(ours, "first")[clear] != as.integer(theirs)[clear])
}

# Rows on which answers are compared, spread over all rows.
some_rows <- function(n, most = 1e4) unique(round(seq(1, n, length.out = min(n, most))))
