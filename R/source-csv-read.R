# One block of a text file as a table: fread() with the errors of this package.

# `types`: of all columns, named by column.
read_block <- function(block, types, settings, call) {
  block <- mask_block(mark_blank(block, settings$sep), call)
  wanted <- sum(!block$blank) - settings$header
  read <- run_fread(block, types, settings, call)
  sound <- is.null(read$problem) && length(read$rows) == length(types)
  if (!sound || nrow(read$rows) != wanted) abort_block(block, types, settings, read, call)
  unmask_rows(read$rows, block$mask)
}

unmask_rows <- function(rows, mask) {
  if (is.null(mask)) return(rows)
  for (j in which(vapply(rows, is.character, NA))) rows[[j]] <- unmask(rows[[j]], mask)
  names(rows) <- unmask(names(rows), mask)
  rows
}

# list(rows, problem): what fread() reads, and its error or the warning that it leaves lines out.
# Columns that are whole numbers or logical have types that fread() finds by itself, or larger ones,
# which check_csv_types() accepts or refuses.
run_fread <- function(block, types, settings, call) {
  text <- block_text(block, call)
  if (any(block$blank)) text <- without_blank(text, settings$sep)
  if (!nzchar(text)) return(list(rows = no_rows(names(types))))
  if (!is.null(types)) {
    forced <- list(double = which(types == "double"), character = which(types == "character"))
    forced <- forced[lengths(forced) > 0L]
    settings$col.names <- names(types)
    if (length(forced)) settings$colClasses <- forced
  }
  fixed <- list(
    text = text, data.table = FALSE, showProgress = FALSE, integer64 = "double",
    keepLeadingZeros = TRUE
  )
  # Other text than UTF-8 hardly ever has bytes that could be UTF-8.
  if (is.null(settings$encoding) && validUTF8(text)) settings$encoding <- "UTF-8"
  problem <- NULL
  read <- function() in_new_session(do.call(data.table::fread, c(fixed, settings)))
  rows <- tryCatch(
    withCallingHandlers(read(), warning = function(w) {
      if (grepl(bad_warnings, conditionMessage(w))) problem <<- conditionMessage(w)
      tryInvokeRestart("muffleWarning")
    }),
    error = function(e) {
      if (is_time_limit(e)) stop(e)
      problem <<- conditionMessage(e)
      NULL
    }
  )
  list(rows = rows, problem = problem)
}

bad_warnings <- "Stopped early|Discarded single-line footer|improper quoting"

block_text <- function(block, call) {
  tryCatch(rawToChar(block$raw), error = function(e) {
    at <- grepRaw(as.raw(0), block$raw, fixed = TRUE)
    line <- block$before + 1 + sum(block$ends < at) + sum(block$inner < at)
    abort_data(c(
      "{.file {block$file}}: line {format_count(line)} has a byte 0, so the file is not text.",
      i = "Files in UTF-16 must be converted to UTF-8."
    ), call)
  })
}

no_rows <- function(names) {
  new_rows(stats::setNames(rep(list(logical()), length(names)), names), 0L)
}

# Stops, and names the first line that fread() cannot read.
abort_block <- function(block, types, settings, read, call) {
  if (!is.null(settings$sep) && settings$sep != " ") {
    records <- strsplit(block_text(block, call), "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
    records <- sub("\r$", "", records, useBytes = TRUE)
    fields <- count_fields(records, settings)
    wrong <- match(TRUE, !block$blank & fields != length(types))
    if (!is.na(wrong)) abort_fields(block, wrong, fields[[wrong]], length(types), call)
    wrong <- grep(quoted_pattern(settings, TRUE), records, perl = TRUE, useBytes = TRUE)
    if (length(wrong)) abort_quotes(block, wrong[[1L]], call)
  }
  lines <- format_count(c(line_of(block, 1L), line_of(block, length(block$ends))))
  reason <- read$problem
  if (is.null(reason)) {
    reason <- paste(NROW(read$rows), "rows instead of", sum(!block$blank) - settings$header)
  }
  abort_data(c(
    "{.file {block$file}}: {.fn data.table::fread} cannot read lines {lines[[1L]]} to
     {lines[[2L]]}.",
    x = "{reason}", i = other_reader
  ), call)
}

other_reader <- "Correct the file, or read it by a function of your own: see {.fn data_chunks}."

abort_fields <- function(block, record, fields, columns, call) {
  line <- format_count(line_of(block, record))
  abort_data(c(
    "{.file {block$file}}: line {line} has {fields} field{?s}, but the file has {columns}
     column{?s}.",
    i = other_reader
  ), call)
}

abort_quotes <- function(block, record, call) {
  line <- format_count(line_of(block, record))
  abort_data(c(
    "{.file {block$file}}: line {line} has a quote within quotes that is not doubled.",
    i = other_reader,
    i = "Write {.code quote = \"\"} if quotes are ordinary characters of the file."
  ), call)
}

# A field within quotes, in which line ends and quotes are masked. `more`: with more text after it.
quoted_pattern <- function(settings, more = FALSE) {
  marks <- csv_marks(settings)
  if (!nzchar(marks$quote)) return("$.")
  sep <- paste0("\\Q", settings$sep, "\\E")
  quote <- paste0("\\Q", marks$quote, "\\E")
  paste0("(^|", sep, ")[ \t]*", quote, "[^", quote, "]*", quote,
         if (more) paste0("[ \t]*+[^", sep, "]"))
}

count_fields <- function(records, settings) {
  plain <- gsub(quoted_pattern(settings), "\\1", records, perl = TRUE, useBytes = TRUE)
  nchar(gsub(sprintf("[^\\Q%s\\E]", settings$sep), "", plain, perl = TRUE, useBytes = TRUE),
        "bytes") + 1L
}
