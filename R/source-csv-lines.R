# A text file in blocks of whole records. A record is a row, or the header. A line end within quotes
# belongs to its field, so a record can have several lines.
#
# A block is a list of
#
#   raw     the bytes of the block, up to a line end
#   ends    the positions of the ends of its records
#   inner   the positions of the line ends within quotes
#   quotes  the positions of the quotes that enclose fields, or are doubled within them
#   before  the number of lines of the file before the block
#   file    the path of the file

# A record that is longer than this has a quote that is not closed.
most_record_bytes <- 2^27

white_bytes <- as.raw(c(0x20, 0x09))

# The state of a file while it is read: `lines`, `records` and `read` count lines, records and
# bytes. `header`: whether the first record is no row.
open_lines <- function(file, header, call) {
  packed <- grepl("[.]gz$", file)
  con <- tryCatch(
    suppressWarnings(if (packed) gzfile(file, "rb") else base::file(file, "rb")),
    error = function(e) abort_data("The file {.file {file}} cannot be opened.", call)
  )
  list2env(list(
    con = con, rest = raw(), lines = 0, records = 0, read = 0, file = file, packed = packed,
    stamp = file_stamp(file), header = header
  ))
}

# `state`: see open_lines(). The next block, of about `bytes` bytes; NULL at the end of the file.
next_block <- function(state, bytes, marks, call) {
  repeat {
    if (is.null(state$con)) return(NULL)
    before <- state$read
    raw <- read_bytes(state, bytes, call)
    last <- state$read - before < bytes
    if (length(state$rest)) raw <- c(state$rest, raw)
    state$rest <- raw()
    if (last) close_block(state)
    if (last && length(raw) && raw[[length(raw)]] != charToRaw("\n")) raw <- c(raw, charToRaw("\n"))
    block <- find_records(raw, marks)
    if (last) check_end(state, length(block$ends), call)
    end <- max(0L, block$ends)
    block[c("before", "file")] <- list(state$lines, state$file)
    if (last && end < length(raw) || length(raw) - end > most_record_bytes) {
      abort_open_quote(block, end, call)
    }
    if (end < length(raw)) state$rest <- raw[(end + 1):length(raw)]
    if (end > 0) break
    if (last) return(NULL)
    bytes <- 2 * bytes
  }
  # A subset by positions would need four times the memory of the block, and a function that cuts
  # would copy it.
  length(raw) <- end
  block <- cut_positions(block, end)
  state$lines <- state$lines + length(block$ends) + length(block$inner)
  state$records <- state$records + length(block$ends)
  c(list(raw = raw), block)
}

cut_positions <- function(block, end) {
  for (kind in c("inner", "quotes")) {
    at <- block[[kind]]
    left <- length(at)
    while (left && at[[left]] > end) left <- left - 1L
    length(at) <- left
    block[[kind]] <- at
  }
  block
}

# A damaged archive is a warning of readBin() and fewer bytes, or fewer bytes alone: see
# is_unpacked().
read_bytes <- function(state, bytes, call) {
  raw <- tryCatch(readBin(state$con, "raw", bytes), warning = identity, error = identity)
  if (!is.raw(raw)) {
    reason <- conditionMessage(raw)
    abort_data("The file {.file {state$file}} cannot be read: {reason}", call)
  }
  state$read <- state$read + length(raw)
  # Windows begins texts in UTF-8 with these three bytes.
  first <- state$read == length(raw) && length(raw) > 2L
  if (first && identical(raw[1:3], as.raw(c(0xef, 0xbb, 0xbf)))) raw <- raw[-(1:3)]
  raw
}

# At the end of a file: whether all of it was read, and whether it is still the same.
check_end <- function(state, records, call) {
  rows <- max(0, state$records + records - state$header)
  check_same_file(state$stamp, rows, call)
  sound <- if (state$packed) is_unpacked(state$file, state$read) else state$read == state$stamp$size
  if (sound) return(invisible())
  kind <- if (state$packed) "compressed file" else "file"
  read <- paste0(count_of(rows, "row", "rows"), ", ", format_count(state$read), " bytes,")
  abort_data(c(
    "The {kind} {.file {state$file}} is damaged, or ends too early.",
    x = "Only {read} can be read.",
    i = "Make it again, or copy it again."
  ), call)
}

close_block <- function(state) {
  if (!is.null(state$con)) close(state$con)
  state$con <- NULL
}

# `marks`: list(quote, sep, white), see csv_marks().
find_records <- function(raw, marks) {
  ends <- grepRaw("\n", raw, fixed = TRUE, all = TRUE)
  quotes <- if (nzchar(marks$quote)) grepRaw(marks$quote, raw, fixed = TRUE, all = TRUE)
  quotes <- true_quotes(quotes, raw, marks)
  # Before a line end that is not within quotes the number of quotes is even.
  inner <- length(quotes) && length(ends)
  if (inner) inner <- findInterval(ends, quotes) %% 2L == 1L
  if (!any(inner)) return(list(ends = ends, inner = integer(), quotes = quotes))
  list(ends = ends[!inner], inner = ends[inner], quotes = quotes)
}

# The quotes without those within a field that does not begin with a quote, such as 5" pipe.
true_quotes <- function(quotes, raw, marks) {
  if (!length(quotes)) return(integer())
  odd <- seq.int(1L, length(quotes), 2L)
  opens <- is_field_start(quotes[odd], raw, marks)
  if (all(opens)) return(quotes)
  again <- quotes[odd[-1L]] == quotes[odd[-1L] - 1L] + 1L
  if (all(opens[-1L] | again) && opens[[1L]]) return(quotes)
  opens <- is_field_start(quotes, raw, marks)
  kept <- logical(length(quotes))
  inside <- FALSE
  closed <- -1L
  for (i in seq_along(quotes)) {
    # A quote directly after a closing one is the second of a doubled quote.
    kept[[i]] <- inside || opens[[i]] || quotes[[i]] == closed + 1L
    if (!kept[[i]]) next
    if (inside) closed <- quotes[[i]]
    inside <- !inside
  }
  quotes[kept]
}

# Whether a separator, a line end, or the beginning of the file stands before a position.
is_field_start <- function(at, raw, marks) {
  starts <- function(byte) byte == charToRaw("\n") | Reduce(`|`, lapply(marks$sep, `==`, byte))
  byte <- raw[at - 1L]
  # raw[0] has length 0.
  if (at[[1L]] == 1L) byte <- c(charToRaw("\n"), byte)
  found <- starts(byte)
  if (!marks$white || all(found)) return(found)
  open <- which(!found & (byte == white_bytes[[1L]] | byte == white_bytes[[2L]]))
  before <- at[open] - 1L
  while (length(open)) {
    before <- before - 1L
    first <- before < 1L
    byte <- raw[pmax(before, 1L)]
    found[open] <- first | starts(byte)
    left <- !found[open] & (byte == white_bytes[[1L]] | byte == white_bytes[[2L]])
    open <- open[left]
    before <- before[left]
  }
  found
}

csv_separators <- c(",", "\t", ";", "|", " ", ":")

# The marks of a CSV file: its quote, and the separators that it may have. Without `sep` these are
# all usual ones.
csv_marks <- function(settings) {
  sep <- if (is.null(settings$sep)) csv_separators else settings$sep
  list(
    quote = if (is.null(settings$quote)) "\"" else settings$quote,
    sep = lapply(sep, charToRaw), white = !isFALSE(settings$strip.white)
  )
}

# fread() splits some fields with line ends, and leaves doubled quotes as they are. So bytes that
# do not occur in the block stand for them while fread() reads: see unmask(). `mask`: what the bytes
# stand for, named by the bytes.
mask_block <- function(block, call) {
  quotes <- block$quotes
  if (!length(quotes)) return(block)
  pairs <- doubled_quotes(quotes, block$raw)
  returns <- grepRaw("\r", block$raw, fixed = TRUE, all = TRUE)
  if (length(returns)) returns <- returns[findInterval(returns, quotes) %% 2L == 1L]
  if (!length(pairs) && !length(returns) && !length(block$inner)) return(block)
  free <- Filter(function(byte) !length(grepRaw(byte, block$raw, fixed = TRUE)), control_bytes)
  if (length(free) < 3L) abort_data("The file {.file {block$file}} is not text.", call)
  quote <- rawToChar(block$raw[quotes[[1L]]])
  block$raw[block$inner] <- free[[1L]]
  block$raw[returns] <- free[[2L]]
  block$raw[c(pairs, pairs + 1L)] <- free[[3L]]
  shown <- vapply(free[1:3], rawToChar, "")
  block$mask <- stats::setNames(c("\n", "\r", quote), c(shown[1:2], strrep(shown[[3L]], 2L)))
  block
}

# The position of the first of each two quotes that stand for one.
doubled_quotes <- function(quotes, raw) {
  two <- rep(raw[[quotes[[1L]]]], 2L)
  if (!length(grepRaw(two, raw, fixed = TRUE))) return(integer())
  closing <- seq.int(2L, max(2L, length(quotes) - 1L), 2L)
  quotes[closing[which(quotes[closing + 1L] == quotes[closing] + 1L)]]
}

# All but NUL, white space, and the separator of files with one column.
control_bytes <- lapply(setdiff(c(0x01:0x08, 0x0e:0x1f), 0x1c), as.raw)

# The bytes that stand for other text are replaced. Other fields stay the same objects.
unmask <- function(x, mask) {
  for (byte in names(mask)) {
    at <- grep(byte, x, fixed = TRUE, useBytes = TRUE)
    if (!length(at)) next
    encoding <- Encoding(x[at])
    plain <- gsub(byte, mask[[byte]], x[at], fixed = TRUE, useBytes = TRUE)
    Encoding(plain) <- encoding
    x[at] <- plain
  }
  x
}

# The file's line in which a record of the block begins.
line_of <- function(block, record) {
  start <- if (record > 1L) block$ends[[record - 1L]] + 1L else 1L
  block$before + record + sum(block$inner < start)
}

# Adds `blank` to a block: whether each record is empty or white.
mark_blank <- function(block, sep) {
  at <- c(1L, block$ends[-length(block$ends)] + 1L)
  open <- seq_along(at)
  while (length(open)) {
    byte <- block$raw[at[open]]
    open <- open[Reduce(`|`, lapply(blank_bytes(sep), `==`, byte))]
    at[open] <- at[open] + 1L
  }
  block$blank <- at == block$ends
  block
}

# A separator is not blank: it stands between two empty fields.
blank_bytes <- function(sep) {
  lapply(setdiff(c(" ", "\t", "\r"), if (is.null(sep)) "\t" else sep), charToRaw)
}

without_blank <- function(text, sep) {
  white <- paste0("[", rawToChar(do.call(c, blank_bytes(sep))), "]*")
  text <- sub(paste0("^(", white, "\n)+"), "", text, perl = TRUE, useBytes = TRUE)
  gsub(paste0("\n", white, "(?=\n)"), "", text, perl = TRUE, useBytes = TRUE)
}

abort_open_quote <- function(block, end, call) {
  first <- block$quotes[block$quotes > end]
  line <- block$before + 1L + length(block$ends) + sum(block$inner < min(first))
  abort_data(c(
    "{.file {block$file}}: the quote in line {format_count(line)} is not closed.",
    i = "Write {.code quote = \"\"} if quotes are ordinary characters of the file."
  ), call)
}
