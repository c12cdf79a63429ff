# A few samples of a text file tell the separator and the types of the columns.

csv_types <- c("logical", "integer", "double", "character")

# The columns of the file, their types (NA: no value in any sample), the separator, and the bytes of
# a line.
csv_samples <- function(file, settings, call, samples = 100L) {
  size <- file.size(file)
  state <- open_lines(file, settings$header, call)
  on.exit(close_block(state))
  small <- !state$packed && size <= 2^20
  head <- next_block(state, if (small) size + 1 else 2^16, csv_marks(settings), call)
  if (is.null(head)) abort_data("The file {.file {file}} is empty.", call)
  head <- mask_block(mark_blank(head, settings$sep), call)
  read <- read_head(head, settings, call)
  settings$sep <- csv_separator(head, settings, read, call)
  types <- vapply(read, sampled_type, 1L, settings$dec)
  if (!state$packed && size > 2^20) {
    settings$header <- FALSE
    for (at in unique(floor(seq(length(head$raw), size - 2^16, length.out = samples)))) {
      found <- sample_types(file, at, settings, call)
      if (length(found) == length(types)) types <- pmax(types, found)
    }
  }
  list(
    types = stats::setNames(c(NA, csv_types)[types + 1L], names(read)), sep = settings$sep,
    line = length(head$raw) / max(1L, nrow(read))
  )
}

read_head <- function(head, settings, call) {
  read <- run_fread(head, NULL, settings, call)
  if (is.null(read$rows)) {
    said <- read$problem
    abort_data(c("The beginning of {.file {head$file}} cannot be read.", x = "{said}"), call)
  }
  if (!length(read$rows)) abort_data("The file {.file {head$file}} is empty.", call)
  unmask_rows(read$rows, head$mask)
}

# 0 for a column of NA alone, otherwise the position in csv_types.
sampled_type <- function(x, dec) {
  if (all(is.na(x))) return(0L)
  if (is.character(x)) {
    read <- text_numbers(x, dec)
    if (!length(read$wrong) && !all(is.na(read$value))) x <- read$value
  }
  match(switch(class(x)[[1L]], numeric = "double", class(x)[[1L]]), csv_types, nomatch = 4L)
}

# A sample begins and ends within a line, so its first and last line do not count.
sample_types <- function(file, at, settings, call) {
  con <- base::file(file, "rb")
  on.exit(close(con))
  seek(con, at)
  raw <- readBin(con, "raw", 2^16)
  ends <- grepRaw("\n", raw, fixed = TRUE, all = TRUE)
  if (length(ends) < 2L) return(NULL)
  block <- list(raw = raw[(ends[[1L]] + 1L):ends[[length(ends)]]])
  # The block that has a byte 0 stops, and names the line.
  if (length(grepRaw(as.raw(0), block$raw, fixed = TRUE))) return(NULL)
  vapply(run_fread(block, NULL, settings, call)$rows, sampled_type, 1L, settings$dec,
         USE.NAMES = FALSE)
}

needless_zero <- "^0[0-9]"

# fread() leaves a column as text for a number that it does not know, such as INFINITY or 1e400. The
# numbers as R reads them, and the positions of other text. Whole numbers whose digits a double
# cannot hold stay text, and so do hexadecimal ones. `padded`: whether needless zeros may come
# first.
text_numbers <- function(x, dec, padded = FALSE) {
  if (!is.null(dec)) x <- gsub(dec, ".", x, fixed = TRUE, useBytes = TRUE)
  value <- suppressWarnings(as.numeric(x))
  # In a Turkish locale R does not know INF.
  infinite <- grepl("^[ \t]*[-+]?[Ii][Nn][Ff]([Ii][Nn][Ii][Tt][Yy])?[ \t]*$", x, useBytes = TRUE)
  value[infinite] <- ifelse(grepl("-", x[infinite], fixed = TRUE), -Inf, Inf)
  other <- paste0("x|[0-9]{19}", if (!padded) paste0("|", needless_zero))
  value[grepl(other, x, ignore.case = TRUE, useBytes = TRUE)] <- NA
  empty <- is.na(x) | grepl("^[ \t]*$", x, useBytes = TRUE)
  list(value = value, wrong = which(is.na(value) & !is.nan(value) & !empty))
}

# No text has this byte. So it separates nothing: the file has a column alone.
no_separator <- "\x1c"

# fread() guesses the separator, but does not say which. All chunks must have the same.
csv_separator <- function(head, settings, read, call) {
  if (!is.null(settings$sep)) return(settings$sep)
  if (length(read) == 1L) return(no_separator)
  for (sep in csv_separators) {
    settings$sep <- sep
    again <- unmask_rows(run_fread(head, NULL, settings, call)$rows, head$mask)
    if (identical(names(again), names(read))) return(sep)
  }
}
