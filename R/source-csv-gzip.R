# Whether all of a file was decompressed: R is silent about a file that ends too early. A file ends
# with the number of its decompressed bytes. It can consist of several archives in a row, each of
# which ends so.
# `read`: the number of bytes that were decompressed.
is_unpacked <- function(file, read) {
  con <- base::file(file, "rb")
  on.exit(close(con))
  # gzfile() reads files that are not compressed, too.
  if (!identical(readBin(con, "raw", 2L), gzip_start[1:2])) return(TRUE)
  size <- file.size(file)
  if ((read - gzip_length(con, size)) %% 2^32 == 0) return(TRUE)
  ends <- c(gzip_ends(con, size), size)
  lengths <- vapply(ends, function(end) gzip_length(con, end), 1)
  (read - sum(lengths)) %% 2^32 == 0
}

gzip_start <- as.raw(c(0x1f, 0x8b, 0x08))

# The number that an archive has in its last four bytes.
gzip_length <- function(con, end) {
  if (end < 18) return(-1)
  seek(con, end - 4)
  sum(as.integer(readBin(con, "raw", 4L)) * 256^(0:3))
}

# The positions in the file where another archive follows.
gzip_ends <- function(con, size, bytes = 2^24) {
  found <- numeric()
  for (from in seq(1, max(1, size - 1), bytes)) {
    seek(con, from)
    raw <- readBin(con, "raw", bytes + 9)
    at <- grepRaw(gzip_start, raw, fixed = TRUE, all = TRUE)
    at <- at[at <= bytes & at + 9L <= length(raw)]
    # Compressed bytes can look like a start. The flags, the strength and the system rule that out.
    sound <- raw[at + 3L] <= 0x1f & as.integer(raw[at + 8L]) %in% c(0L, 2L, 4L) &
      as.integer(raw[at + 9L]) %in% c(0:13, 255L)
    found <- c(found, from + at[sound] - 1)
  }
  found
}
