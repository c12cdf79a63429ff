# Blocks of a CSV file. split_csv_cpp() makes a line of each record, so that fread() reads as many
# rows as the block has records, or it is an error.

# A record that is longer than this has a quote that is not closed.
most_record_bytes <- 2^27

csv_separators <- c(",", "\t", ";", "|", " ", ":")

# No text has this byte. So it separates nothing: the file has a column alone.
no_separator <- "\x1c"

# The state of a file while it is read. `lines`, `rows` and `read` count lines, rows and bytes.
# `header`: whether the next record is no row.
open_text <- function(file, header, call) {
  packed <- grepl("[.]gz$", file)
  con <- tryCatch(
    suppressWarnings(if (packed) gzfile(file, "rb") else base::file(file, "rb")),
    error = function(e) abort_data("The file {.file {file}} cannot be opened.", call)
  )
  state <- list2env(list(
    con = con, lines = 0, rows = 0, read = 0, file = file, packed = packed, header = header,
    stamp = file_stamp(file)
  ))
  # Windows begins texts in UTF-8 with these three bytes.
  state$rest <- read_bytes(state, 3, call)
  if (identical(state$rest, as.raw(c(0xef, 0xbb, 0xbf)))) state$rest <- raw()
  state
}

close_text <- function(state) {
  if (!is.null(state$con)) close(state$con)
  state$con <- NULL
}

# A damaged archive is a warning of readBin() and fewer bytes, or fewer bytes alone: see
# is_unpacked().
read_bytes <- function(state, bytes, call) {
  raw <- tryCatch(readBin(state$con, "raw", bytes), warning = identity, error = identity)
  if (!is.raw(raw)) {
    close_text(state)
    reason <- conditionMessage(raw)
    abort_data("The file {.file {state$file}} cannot be read: {reason}", call)
  }
  state$read <- state$read + length(raw)
  raw
}

# The next block, of about `bytes` bytes; NULL at the end of the file. See csv.hpp. `columns`: 0 if
# their number is not known.
next_block <- function(state, bytes, settings, columns, call) {
  sep <- if (is.null(settings$sep)) paste(csv_separators, collapse = "") else settings$sep
  white <- !isFALSE(settings$strip.white)
  # Several spaces in a row are one separator.
  fields <- if (identical(sep, " ")) 0L else columns
  while (!is.null(state$con)) {
    before <- state$read
    raw <- c(state$rest, read_bytes(state, bytes, call))
    last <- state$read - before < bytes
    block <- split_csv_cpp(raw, sep, settings$quote, white, fields, last)
    header <- state$header && length(block$lines) > 0L
    block[c("file", "before", "header")] <- list(state$file, state$lines, header)
    state$rest <- raw[seq.int(block$used + 1, length.out = length(raw) - block$used)]
    state$lines <- state$lines + block$ends
    state$rows <- state$rows + length(block$lines) - header
    state$header <- state$header && !header
    if (last) check_end(state, call)
    if (length(state$rest) > most_record_bytes) block$problem <- "open"
    if (nzchar(block$problem)) abort_csv(block, columns, call)
    if (block$used > 0) return(block)
    bytes <- 2 * bytes
  }
}

# At the end of a file: whether all of it was read, and whether it is still the same.
check_end <- function(state, call) {
  close_text(state)
  check_same_file(state$stamp, state$rows, call)
  sound <- if (state$packed) is_unpacked(state$file, state$read) else state$read == state$stamp$size
  if (sound) return(invisible())
  abort_data(c(
    "The file {.file {state$file}} is damaged, or ends too early.",
    x = "Only {format_count(state$read)} bytes, {count_of(state$rows, 'row', 'rows')} can be read.",
    i = "Make it again, or copy it again."
  ), call)
}

abort_csv <- function(block, columns, call) {
  line <- format_count(block$before + block$line)
  says <- switch(block$problem,
    byte = "line {line} has a byte 0 or another control character, so the file is not text.",
    quote = "line {line} has a quote within quotes that is not doubled.",
    open = "the quote in line {line} is not closed.",
    fields = "line {line} has {block$fields} field{?s}, but the file has {columns} column{?s}.",
    fread = "{.fn data.table::fread} cannot read the lines from {line} on: {block$reason}"
  )
  hint <- switch(block$problem,
    byte = "Files in UTF-16 must be converted to UTF-8.",
    quote = , open = "Write {.code quote = \"\"} if quotes are ordinary characters of the file."
  )
  abort_data(c(
    paste("{.file {block$file}}:", says), i = hint,
    i = "Correct the file, or read it by a function of your own: see {.fn data_chunks}."
  ), call)
}

# list(rows, problem): what fread() reads, and why that is not all. `settings`: those of fread(),
# with col.names if the columns are known.
run_fread <- function(block, settings) {
  names <- settings$col.names
  if (!nzchar(block$text)) {
    columns <- rep(list(logical()), length(names))
    return(list(rows = new_rows(stats::setNames(columns, names), 0L)))
  }
  fixed <- list(
    text = block$text, header = block$header, data.table = FALSE, showProgress = FALSE,
    integer64 = "double", keepLeadingZeros = TRUE, tz = "UTC"
  )
  # Other text than UTF-8 hardly ever has bytes that could be UTF-8.
  if (is.null(settings$encoding) && validUTF8(block$text)) settings$encoding <- "UTF-8"
  # The only field may have separators within quotes, which fread() would split.
  if (length(names) == 1L && settings$sep != " ") settings$sep <- no_separator
  settings <- c(fixed, settings[names(settings) != "header"])
  problem <- NULL
  rows <- tryCatch(
    withCallingHandlers(
      in_new_session(do.call(data.table::fread, settings)),
      warning = function(w) {
        if (grepl(bad_warnings, conditionMessage(w))) problem <<- conditionMessage(w)
        tryInvokeRestart("muffleWarning")
      }
    ),
    error = function(e) if (is_time_limit(e)) stop(e) else problem <<- conditionMessage(e)
  )
  if (!is.data.frame(rows)) return(list(problem = problem))
  wanted <- length(block$lines) - block$header
  if (nrow(rows) != wanted) problem <- c(problem, paste(nrow(rows), "rows instead of", wanted))
  if (block$masked) {
    text <- vapply(rows, is.character, NA)
    rows[text] <- lapply(rows[text], unmask, settings$quote)
    names(rows) <- unmask(names(rows), settings$quote)
  }
  list(rows = rows, problem = problem)
}

bad_warnings <- "Stopped early|Discarded single-line footer|improper quoting"

read_rows <- function(block, settings, call) {
  read <- run_fread(block, settings)
  if (is.null(read$problem)) return(read$rows)
  block[c("problem", "line", "reason")] <- list("fread", 1, read$problem[[1L]])
  abort_csv(block, NULL, call)
}

# fread() splits some fields with line ends, and leaves doubled quotes as they are. So other bytes
# stand for them while it reads: see csv.hpp. Fields without them stay the same objects.
unmask <- function(x, quote) {
  masks <- c("\x10" = "\n", "\x11" = "\r", "\x12" = quote)
  for (mask in names(masks)) {
    at <- grep(mask, x, fixed = TRUE, useBytes = TRUE)
    if (!length(at)) next
    plain <- gsub(mask, masks[[mask]], x[at], fixed = TRUE, useBytes = TRUE)
    Encoding(plain) <- Encoding(x[at])
    x[at] <- plain
  }
  x
}

## Samples ---------------------------------------------------------------------------------------

# The types of the columns (NA: no value in any sample), the separator, and the bytes of a line.
csv_samples <- function(file, settings, call) {
  state <- open_text(file, settings$header, call)
  on.exit(close_text(state))
  size <- state$stamp$size
  part <- state$packed || size > 2^20
  head <- next_block(state, if (part) 2^16 else size + 1, settings, 0L, call)
  if (is.null(head) || !nzchar(head$text)) abort_data("The file {.file {file}} is empty.", call)
  # Blocks have better words for a bad line than fread().
  rows <- run_fread(head, settings)$rows
  if (is.null(rows)) read_rows(head, settings, call)
  line <- head$used / max(1L, nrow(rows))
  settings$sep <- csv_separator(head, settings, names(rows))
  if (part && !state$packed) {
    more <- sample_lines(file, size, settings, length(rows))
    head$text <- paste(c(head$text, more$text), collapse = "")
    head$lines <- c(head$lines, more$lines)
    all <- run_fread(head, settings)$rows
    if (length(all) == length(rows)) rows <- all
  }
  list(types = vapply(rows, sampled_type, "", settings$dec), sep = settings$sep, line = line)
}

# fread() guesses the separator, but does not say which. All chunks must have the same.
csv_separator <- function(head, settings, names) {
  if (!is.null(settings$sep)) return(settings$sep)
  if (length(names) == 1L) return(no_separator)
  for (sep in csv_separators) {
    settings$sep <- sep
    if (identical(names(run_fread(head, settings)$rows), names)) return(sep)
  }
}

# list(text, lines): whole lines all over the file. A sample that begins within quotes seems to have
# other columns, and does not count. Nor does one with a byte 0: its block is an error.
sample_lines <- function(file, size, settings, columns, samples = 100L) {
  con <- base::file(file, "rb")
  on.exit(close(con))
  blocks <- lapply(floor(seq(2^16, size - 2^16, length.out = samples)), function(at) {
    seek(con, at)
    raw <- readBin(con, "raw", 2^16)
    ends <- grepRaw("\n", raw, fixed = TRUE, all = TRUE)
    raw <- raw[seq_along(raw) > ends[1L] & seq_along(raw) <= ends[length(ends)]]
    split_csv_cpp(raw, settings$sep, settings$quote, TRUE, columns, FALSE)
  })
  blocks <- Filter(function(block) !nzchar(block$problem), blocks)
  list(text = vapply(blocks, `[[`, "", "text"), lines = unlist(lapply(blocks, `[[`, "lines")))
}

sampled_type <- function(x, dec) {
  if (all(is.na(x))) return(NA_character_)
  if (is.character(x)) {
    read <- text_numbers(x, dec)
    if (!length(read$wrong) && !all(is.na(read$value))) return("double")
    for (type in names(csv_times)) {
      read <- text_times(x, type)
      if (!length(read$wrong) && !all(is.na(read$value))) return(type)
    }
  }
  switch(
    class(x)[[1L]],
    logical = , integer = typeof(x), numeric = "double", IDate = "Date", POSIXct = "POSIXct",
    "character"
  )
}

needless_zero <- "^0[0-9]"

# fread() leaves a column as text for a number that it does not know, such as INFINITY or 1e400. The
# numbers as R reads them, and the positions of other text. Whole numbers whose digits a double
# cannot hold stay text, and so do hexadecimal ones. `padded`: whether needless zeros may come
# first.
text_numbers <- function(x, dec, padded = FALSE) {
  # Beside decimal commas a point separates thousands.
  known <- if (dec == ".") x else chartr(paste0(dec, "."), ".,", x)
  # In a Turkish locale R does not know INF.
  known <- sub("[Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?[ \t]*$", "Inf", known, useBytes = TRUE)
  value <- suppressWarnings(as.numeric(known))
  other <- paste0("x|[0-9]{19}", if (!padded) paste0("|", needless_zero))
  value[grepl(other, x, ignore.case = TRUE, useBytes = TRUE)] <- NA
  empty <- is.na(x) | grepl("^[ \t]*$", x, useBytes = TRUE)
  list(value = value, wrong = which(is.na(value) & !is.nan(value) & !empty))
}

# Dates and times in UTC, which fread() may leave as text if it keeps needless zeros, and the
# positions of other text. A first text that is none spares the rest.
text_times <- function(x, type) {
  empty <- is.na(x) | x == ""
  first <- x[match(FALSE, empty)]
  if (!grepl(csv_times[[type]], first)) x <- rep(NA_character_, length(x))
  value <- if (type == "Date") {
    as.Date(x, format = "%Y-%m-%d")
  } else {
    day <- if (grepl("T", first, fixed = TRUE)) "%Y-%m-%dT" else "%Y-%m-%d "
    as.POSIXct(x, tz = "UTC", format = paste0(day, "%H:%M:%OS"))
  }
  list(value = value, wrong = which(!empty & (is.na(value) | !grepl(csv_times[[type]], x))))
}

csv_times <- c(
  Date = "^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}$",
  POSIXct = "^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z?$"
)
