# Sources that change while they are read, or between two passes of one call.

# The name of a file, and its size and time, which tell whether it has changed.
file_stamp <- function(file) {
  c(list(file = file), file.info(file, extra_cols = FALSE)[c("size", "mtime")])
}

# `rows`: how many were read.
check_same_file <- function(stamp, rows, call) {
  now <- file_stamp(stamp$file)
  if (identical(now, stamp)) return(invisible())
  size <- format_count(stamp$size)
  is <- if (is.na(now$size)) "does not exist" else paste("has", format_count(now$size), "bytes")
  abort_data(c(
    "The file {.file {stamp$file}} changed while it was read.",
    x = "It had {size} bytes at first, and {is} now; {count_of(rows, 'row', 'rows')} of it were
         read.",
    i = "Read it when it is complete, or read a copy of it."
  ), call)
}

# The same chunks for several passes, each of which must find what the first one found.
same_each_pass <- function(data) {
  stamps <- data$stamps()
  open <- data$open
  first <- NULL
  rows <- 0
  data$open <- function(call) {
    for (stamp in stamps) check_same_file(stamp, rows, call)
    rows <<- 0
    reader <- open(call)
    next_chunk <- reader$next_chunk
    reader$next_chunk <- function(call) {
      chunk <- next_chunk(call)
      rows <<- rows + NROW(chunk)
      if (is.null(chunk) && is.null(first)) first <<- rows
      if (is.null(chunk) && rows != first) abort_other_rows(first, rows, call)
      chunk
    }
    reader
  }
  data
}

abort_other_rows <- function(first, rows, call,
                             remedy = "All passes must return the same rows.") {
  abort_data(c(
    "The data changed while they were read.",
    x = "They are read several times: {count_of(first, 'row', 'rows')} at first, then
         {format_count(rows)}.",
    i = remedy
  ), call)
}

# `seen`: the states of parts in the passes before, by position; NULL if there is one pass alone.
compare_passes <- function(results, at, seen) {
  if (is.null(seen)) return(results)
  for (i in seq_along(results)) {
    now <- results[[i]]$state
    part <- as.character(at[[i]])
    if (is.null(seen[[part]])) seen[[part]] <- now
    if (is.null(now) || identical(seen[[part]], now)) next
    results[[i]] <- list(failed = "It changed while it was read.", argument = FALSE)
  }
  results
}
