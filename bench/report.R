# The results as a file, as tables on the screen, and against the targets (targets.csv).

# Keeps earlier results of tasks that did not run now, so that a suite can be run in parts.
merge_results <- function(old, new) {
  key <- function(rows) with(rows, paste(topic, task, size, order))
  merged <- rbind(old[!key(old) %in% key(new), ], new)
  measures <- merged$unit %in% c("slope", "times")
  rbind(merged[!measures, ], growth_measures(merged))
}

# A csv file whose first lines, which begin with "#", state the date and the machine.
write_results <- function(results, file, about) {
  writeLines(paste("#", about), file)
  results$value <- signif(results$value, 4)
  results$least <- signif(results$least, 4)
  # Column names are appended to the file on purpose.
  suppressWarnings(utils::write.table(
    results, file, append = TRUE, sep = ",", row.names = FALSE, na = "", qmethod = "double"
  ))
}

## When and on what ----------------------------------------------------------------------------

about_run <- function(mode) {
  peers <- c(
    "naivebayes", "Rfast", "collapse", "fastNaiveBayes", "e1071", "MASS", "bnclassify",
    "data.table"
  )
  versions <- vapply(c("bayesrisk", Filter(available, peers)), function(package) {
    paste(package, utils::packageVersion(package))
  }, "")
  c(
    paste0("Date: ", format(Sys.time(), "%Y-%m-%d %H:%M", tz = "UTC"), " UTC, ", mode$name, " run"),
    paste("Machine:", machine_name()),
    paste0(R.version.string, ", BLAS ", basename(utils::sessionInfo()$BLAS)),
    paste("Packages:", toString(versions))
  )
}

machine_name <- function() {
  cores <- paste(parallel::detectCores(), "cores")
  info <- "/proc/cpuinfo"
  if (!file.exists(info)) return(paste0(R.version$platform, ", ", cores))
  line <- grep("^model name", readLines(info), value = TRUE)[1]
  memory <- as.numeric(gsub("[^0-9]", "", readLines("/proc/meminfo", 1L))) / 2^20
  sprintf(
    "%s, %s, %.0f GiB, kernels %s", sub(".*: ", "", line), cores, memory,
    if (nzchar(Sys.getenv("BAYESRISK_BASELINE"))) {
      "for any processor"
    } else if (has_avx2()) {
      "for AVX2"
    } else {
      "as compiled"
    }
  )
}

## Tables --------------------------------------------------------------------------------------

print_results <- function(results) {
  order <- ifelse(results$order == "random", "", paste(",", results$order))
  titles <- paste0(results$task, ", ", results$size, order)
  for (title in unique(titles)) {
    rows <- results[titles == title, ]
    cat("\n", title, "\n", sep = "")
    ours <- rows$value[rows$who == "bayesrisk"]
    for (i in seq_len(nrow(rows))) cat(result_line(rows[i, ], ours), "\n", sep = "")
  }
}

result_line <- function(row, ours) {
  times <- if (row$unit != "s" || length(ours) != 1 || row$who == "bayesrisk") {
    ""
  } else if (package_of(row$who) == "limit") {
    sprintf("%8.2f of it reached", row$value / ours)
  } else {
    sprintf("%8.2f times ours", row$value / ours)
  }
  sprintf(
    "  %-36s %s %-7s%s %s", row$who, formatC(row$value, digits = 4, width = 10, flag = "#"),
    row$unit, times, row$note
  )
}

# Each target with its measurement: the ratio of the other time to ours if the target is a lower
# bound, the ratio of our time to the other if it is an upper bound, or the measured number itself.
judge_targets <- function(targets, results) {
  each <- function(ratio) {
    vapply(seq_len(nrow(targets)), function(i) ratio(targets[i, ], results), 0)
  }
  targets$measured <- each(measured_ratio)
  targets$possible <- each(possible_ratio)
  reached <- with(targets, ifelse(sense == "at least", measured >= bound, measured <= bound))
  targets$reached <- ifelse(reached, "reached", "not reached")
  targets$reached[is.na(reached)] <- "not measured"
  targets
}

target_rows <- function(target, results) {
  rows <- results[results$task == target$task & results$order == "random", ]
  if (nzchar(target$size)) rows[rows$size == target$size, ] else rows
}

# The times of the contestants that a target compares with.
target_times <- function(target, rows) {
  rows$value[rows$who %in% strsplit(target$against, "|", fixed = TRUE)[[1]]]
}

measured_ratio <- function(target, results) {
  rows <- target_rows(target, results)
  ours <- rows$value[rows$who == target$ours]
  if (length(ours) != 1) return(NA_real_)
  if (!nzchar(target$against)) return(ours)
  theirs <- target_times(target, rows)
  if (!length(theirs)) return(NA_real_)
  if (target$sense == "at least") min(theirs) / ours else ours / min(theirs)
}

# The time of a peer divided by the time of an ideal program: the longest time of all limits.
possible_ratio <- function(target, results) {
  rows <- target_rows(target, results)
  limits <- rows$value[is_limit(rows) & !grepl("threads", rows$who)]
  theirs <- target_times(target, rows)
  peer <- target$ours == "bayesrisk" && target$sense == "at least" &&
    !startsWith(target$against, "limit:")
  if (peer && length(limits) && length(theirs)) min(theirs) / max(limits) else NA_real_
}

read_targets <- function(root) {
  targets <- utils::read.csv(file.path(root, "bench", "targets.csv"), colClasses = "character")
  targets$bound <- as.numeric(targets$bound)
  targets
}

print_targets <- function(judged) {
  told <- judged[judged$reached != "not measured", ]
  cat("\nTargets\n")
  cat(sprintf(
    "  %-12s %8.3g  %s %-5g  %s, %s: %s\n", told$reached, told$measured, told$sense, told$bound,
    told$task, told$size, target_ratio(told)
  ), sep = "")
  count <- function(what) sum(judged$reached == what)
  cat(sprintf(
    "\n%d targets reached, %d not reached, %d not measured\n", count("reached"),
    count("not reached"), count("not measured")
  ))
}
