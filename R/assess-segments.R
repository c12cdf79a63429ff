# Assessments of segments: all cases, and the cases of each combination of the keys of `by`.

# One assessment. `believed`: with the weights and clusters of read_case_rows(). `settings`:
# list(interval, class, threads).
assess_believed <- function(believed, settings, call) {
  design <- case_design(believed, call)
  interval <- settings$interval
  decided <- count_decided(believed, design, interval, settings$threads, call)
  class <- read_assessed_class(settings$class, believed$cost, rowSums(decided$count), call)
  scores <- if (!is.null(believed$posterior)) {
    call_engine(proper_scores_cpp(
      believed$posterior, believed$logarithms, decided$truth, design, believed$prior,
      match(class, believed$cost$classes)
    ), call)
  }
  measured <- call_engine(measures_cpp(
    believed$decision, decided$truth, design, believed$cost, believed$posterior,
    isTRUE(believed$logarithms), believed$rank, interval, settings$threads
  ), call)
  new_assessment(decided, scores, measured, believed, design, interval, class, call)
}

count_decided <- function(believed, design, interval, threads, call) {
  call_engine(assess_cpp(
    believed$decision, believed$truth, design, believed$cost, believed$expected, interval, threads
  ), call)
}

# The assessments of all cases and of each segment. `sensitivity`: see equalise_segments().
assess_segments <- function(believed, segments, settings, sensitivity, call) {
  check_key_names(names(segments$keys), c(segment_columns, equal_columns), call)
  all <- assess_believed(believed, settings, call)
  settings$class <- all$class
  labels <- group_labels(segments$keys)
  # The warnings about all cases are enough; the print repeats those about a segment.
  found <- suppressWarnings(
    lapply(seq_along(labels), function(i) {
      tryCatch(
        assess_believed(cases_of(believed, which(segments$of == i)), settings, call),
        bayesrisk_error = function(e) gsub("\\s+", " ", cli::ansi_strip(rlang::cnd_header(e)))
      )
    }),
    classes = c("bayesrisk_warning_missing", "bayesrisk_warning_calibration")
  )
  names(found) <- labels
  assessed <- vapply(found, is.list, NA)
  difference <- segment_differences(believed, segments, which(assessed), settings, call)
  new_assessments(
    all, found, difference, segments, equalise_segments(believed, segments, all, sensitivity, call)
  )
}

# The beliefs about some of the cases.
cases_of <- function(believed, rows) {
  for (name in c("decision", "truth", "expected", "weights", "cluster")) {
    if (!is.null(believed[[name]])) believed[[name]] <- believed[[name]][rows]
  }
  if (!is.null(believed$posterior)) {
    posterior <- believed$posterior$columns[[1L]]$data
    believed$posterior <- matrix_frame(posterior[rows, , drop = FALSE])
  }
  # Clusters count from 1.
  if (!is.null(believed$cluster)) {
    believed$cluster <- match(believed$cluster, unique(believed$cluster))
  }
  believed$cost$by_case$value <- lapply(believed$cost$by_case$value, `[`, rows)
  believed
}

# Whether no cluster has cases in two segments. `cluster`: NULL if cases are independent.
are_apart <- function(cluster, segment) {
  if (is.null(cluster)) return(TRUE)
  !anyDuplicated(unique(data.frame(cluster, segment))[[1L]])
}

# The replicates of TableDrawer in the engine.
drawn_tables <- 2000

# The levels of `count` intervals that hold together at `level` (Bonferroni): `each`, and `drawn`,
# the level to ask of quantiles of n draws. The quantile at p (type 7) leaves out
# (1 + (n - 1) p) / (n + 1) of their law, which is more than p: twice as much for p = 1 / n. `drawn`
# is 1 or more where draws are too few.
levels_together <- function(level, count, draws = drawn_tables) {
  tail <- (1 - level) / 2 / count
  list(each = 1 - 2 * tail, drawn = 1 - 2 * ((draws + 1) * tail - 1) / (draws - 1))
}

# The mean cost of each of the segments `assessed` minus that of all others together, with intervals
# that hold together (Bonferroni). A data frame with a row per segment and the attribute `apart`:
# whether no cluster has cases in two segments, as the intervals need.
segment_differences <- function(believed, segments, assessed, settings, call) {
  result <- data.frame(difference = NA_real_, lower = NA_real_, upper = NA_real_)
  result <- result[rep(1L, nrow(segments$keys)), ]
  rownames(result) <- NULL
  counted <- which(segments$of %in% assessed)
  attr(result, "apart") <- are_apart(believed$cluster[counted], segments$of[counted])
  # Two segments are one comparison.
  count <- if (length(assessed) == 2L) 1 else length(assessed)
  levels <- levels_together(settings$interval$level, count)
  if (length(assessed) < 2L || levels$drawn >= 1) return(result)
  interval <- replace(settings$interval, "level", levels$drawn)
  if (!attr(result, "apart")) interval$by <- "none"
  believed[c("posterior", "expected")] <- list(NULL)
  cost_of <- function(rows) {
    part <- cases_of(believed, rows)
    decided <- count_decided(part, case_design(part, call), interval, settings$threads, call)
    found <- assessed_costs(decided, levels$each)
    list(share = found$cost, lower = found$lower, upper = found$upper)
  }
  for (i in assessed) {
    own <- cost_of(which(segments$of == i))
    others <- cost_of(setdiff(counted, which(segments$of == i)))
    ends <- difference_interval(own, others)
    result[i, ] <- open_as_na(c(own$share - others$share, ends$lower, ends$upper))
  }
  result
}
