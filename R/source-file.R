# Files that are written whole, on a disk that may be full.

# A file is complete, or the file before it is untouched: the bytes go into a partial file beside
# it, which takes its name at the end. R tells of a full disk late or, for archives, not at all, so
# the partial file is measured. `write(put)` calls put(bytes), with bytes as a raw vector; an error
# while R computes the argument `bytes` counts as one of writing. `packed`: whether to compress.
write_whole <- function(file, write, call, arg = "file", packed = FALSE) {
  target <- check_target(file, arg, call)
  attempt <- function(expr) {
    failed <- function(e) {
      if (is_time_limit(e)) stop(e)
      abort_not_written(file, conditionMessage(e), arg, call)
    }
    tryCatch(expr, error = failed, warning = failed)
  }
  partial <- tempfile("partial-", dirname(target))
  con <- NULL
  on.exit({
    if (!is.null(con)) suppressWarnings(close(con))
    unlink(partial)
  })
  con <- attempt(open_partial(partial, target, packed))
  put <- 0
  write(function(bytes) {
    # R writes less than 2 GB at a time.
    attempt(for (at in stretches(length(bytes), 2^24)) writeBin(bytes[at], con))
    put <<- put + length(bytes)
  })
  closing <- con
  con <- NULL
  # An error in place of the warning would leave the connection open.
  status <- suppressWarnings(close(closing))
  held <- attempt(held_bytes(partial, packed))
  if (held != put || any(status != 0)) {
    reason <- sprintf("it holds %s of %s bytes", format_count(held), format_count(put))
    abort_not_written(file, reason, arg, call)
  }
  attempt(file.rename(partial, target))
}

# The place of the file itself, not of a link to it.
check_target <- function(file, arg, call) {
  refuse <- function(reason) abort_not_written(file, reason, arg, call, other_file_remedy)
  # R finds no file of a name that ends in a slash, but writes to it.
  if (grepl(if (.Platform$OS.type == "windows") "[/\\\\]$" else "/$", file)) {
    refuse("it names a folder")
  }
  folder <- dirname(file)
  if (!dir.exists(folder)) {
    abort_argument("{.arg {arg}}: there is no folder {.file {folder}}.", call)
  }
  if (!file.exists(file)) {
    link <- Sys.readlink(file)
    if (!link %in% c("", NA)) refuse("its link leads nowhere")
    return(file.path(normalizePath(folder), basename(file)))
  }
  target <- normalizePath(file, mustWork = FALSE)
  if (dir.exists(target)) refuse("it is a folder")
  # Renaming would replace devices, pipes and protected files. R takes some devices for files, and
  # /dev/stdout may be one. The mode "r+b" does not wait for the other end of a pipe.
  device <- any(grepl("^/(dev|proc)/(?!shm/)", c(file, target), perl = TRUE))
  if (device) refuse("it is a device")
  refused <- tryCatch(
    close(base::file(target, "r+b")), error = conditionMessage, warning = conditionMessage
  )
  if (is.character(refused)) refuse(refused)
  target
}

# The new file has the permissions of the old one before it holds anything.
open_partial <- function(partial, target, packed) {
  file.create(partial)
  if (file.exists(target)) Sys.chmod(partial, file.mode(target), use_umask = FALSE)
  if (packed) gzfile(partial, "wb") else base::file(partial, "wb")
}

# The numbers from 1 to n, at most `most` at a time.
stretches <- function(n, most) {
  lapply(seq(1, n, most), function(from) seq(from, min(n, from + most - 1)))
}

# The number of bytes that were put into a file and can be read from it.
held_bytes <- function(file, packed) {
  if (!file.exists(file)) return(0)
  if (!packed) return(file.size(file))
  con <- gzfile(file, "rb")
  on.exit(close(con))
  held <- 0
  while (n <- length(readBin(con, "raw", 2^24))) held <- held + n
  if (is_unpacked(file, held)) held else 0
}

# Whether all of a file was decompressed, to `read` bytes: R is silent about a file that ends too
# early. Each archive of a file ends with the number of its decompressed bytes.
is_unpacked <- function(file, read) {
  con <- base::file(file, "rb")
  on.exit(close(con))
  # gzfile() reads files that are not compressed, too.
  if (!identical(readBin(con, "raw", 2L), gzip_start[1:2])) return(TRUE)
  size <- file.size(file)
  bytes <- function(end) {
    if (end < 18) return(-1)
    seek(con, end - 4)
    sum(as.integer(readBin(con, "raw", 4L)) * 256^(0:3))
  }
  is_sum <- function(ends) (read - sum(vapply(ends, bytes, 1))) %% 2^32 == 0
  is_sum(size) || is_sum(c(gzip_ends(con, size), size))
}

gzip_start <- as.raw(c(0x1f, 0x8b, 0x08))

# The positions in the file where another archive follows.
gzip_ends <- function(con, size, bytes = 2^24) {
  unlist(lapply(seq(1, max(1, size - 1), bytes), function(from) {
    seek(con, from)
    raw <- readBin(con, "raw", bytes + 9)
    at <- grepRaw(gzip_start, raw, fixed = TRUE, all = TRUE)
    at <- at[at <= bytes & at + 9L <= length(raw)]
    # Compressed bytes can look like a start. The flags, the strength and the system rule that out.
    from + at[raw[at + 3L] <= 0x1f & as.integer(raw[at + 8L]) %in% c(0L, 2L, 4L) &
                as.integer(raw[at + 9L]) %in% c(0:13, 255L)] - 1
  }))
}

abort_not_written <- function(file, reason, arg, call, remedy = full_disk_remedy) {
  abort_argument(c(
    "{.arg {arg}}: {.file {file}} cannot be written: {reason}.",
    i = remedy
  ), call)
}

full_disk_remedy <- "Free space, or name a file in a folder in which you may write."
other_file_remedy <- "Name a plain file that you may write."
