# trap '' XFSZ; Rscript tools/full-disks.R: writes files with the bayesrisk that R finds where there
# is too little space, and ends processes while they write. A file must be complete, or the file
# before it untouched. Space is limited by a small file system, if this user may mount one, and by
# prlimit, to a byte. The trap lets a write fail at this limit; otherwise it ends R. The last line
# counts passed and failed cases.

library(bayesrisk)
suppressWarnings(RNGversion("4.0.0"))
set.seed(1)

rows <- iris[rep(1:150, 20), ]
statistics <- bayes_statistics(bayes_naive(), Species ~ ., iris)
models <- lapply(c(0, 1), function(laplace) fit(bayes_naive(laplace), Species ~ ., iris))
chunks <- function() {
  i <- 0
  data_chunks(function() if ((i <<- i + 1) <= 5) rows, reset = function() i <<- 0)
}

# By the end of the name. Only the first three replace a file.
writers <- list(
  model.json = function(file, i = 1) write_model_json(models[[i]], file),
  statistics.json = function(file, i = 1) write_statistics(statistics, file),
  statistics.rds = function(file, i = 1) write_statistics(statistics, file, "rds"),
  rows.csv = function(file, i = 1) write_chunks(chunks(), file),
  rows.csv.gz = function(file, i = 1) write_chunks(chunks(), file)
)
replacing <- names(writers)[1:3]

counts <- c(passed = 0, failed = 0)
count <- function(sound, ...) {
  counts[[if (sound) "passed" else "failed"]] <<- counts[[if (sound) "passed" else "failed"]] + 1
  if (!sound) cat("FAILED:", ..., "\n")
}

bytes_of <- function(file) readBin(file, "raw", file.size(file))
bytes_in <- function(folder) {
  files <- list.files(folder, full.names = TRUE, all.files = TRUE, no.. = TRUE)
  lapply(stats::setNames(files, basename(files)), bytes_of)
}

# The file that a writer writes if there is space.
written <- function(name, i = 1) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  writers[[name]](file.path(folder, name), i)
  bytes_of(file.path(folder, name))
}
whole <- sapply(names(writers), written, simplify = FALSE)

# Writes into the folder, in which `limit()` limits the space and `free()` frees it. Says whether
# the file is there.
try_writer <- function(name, folder, limit, free, what) {
  file <- file.path(folder, name)
  before <- bytes_in(folder)
  limit()
  error <- tryCatch({
    writers[[name]](file)
    NULL
  }, error = identity)
  free()
  after <- bytes_in(folder)
  wanted <- before
  if (is.null(error)) wanted[[name]] <- whole[[name]]
  same <- identical(after[sort(names(after))], wanted[sort(names(wanted))])
  classed <- is.null(error) || inherits(error, "bayesrisk_error_argument")
  count(same && classed, name, what, if (!is.null(error)) conditionMessage(error))
  is.null(error)
}

# Each writer in each space, with an old file and without one. At least one call of each writer must
# write the file, and one must not.
try_spaces <- function(folder, spaces, limit, free, what) {
  for (name in names(writers)) {
    answers <- logical()
    for (old in c(FALSE, if (name %in% replacing) TRUE)) {
      for (space in spaces(length(whole[[name]]))) {
        unlink(list.files(folder, full.names = TRUE))
        if (old) writeLines("old", file.path(folder, name))
        said <- paste(what, format(space), if (old) "old file")
        answers <- c(answers, try_writer(name, folder, function() limit(space), free, said))
      }
    }
    count(any(answers) && !all(answers), name, what, "always with the same answer")
  }
}

## A limit of the size of files -----------------------------------------------------------------

limit_files <- function(bytes) {
  status <- system2("prlimit", c("--pid", Sys.getpid(), sprintf("--fsize=%s:", bytes)))
  stopifnot(status == 0)
}

limited_sizes <- function() {
  if (!nzchar(Sys.which("prlimit"))) return(message("There is no prlimit: this part is left out."))
  folder <- tempfile()
  dir.create(folder)
  sizes <- function(whole) {
    c(0, 1, whole %/% 2, whole - 1, whole, sample.int(whole, 15L), 2^30)
  }
  free <- function() limit_files("unlimited")
  limit <- function(bytes) limit_files(sprintf("%.0f", bytes))
  try_spaces(folder, sizes, limit, free, "limit of bytes:")
}

## A small file system --------------------------------------------------------------------------

small_disk <- function() {
  folder <- tempfile()
  dir.create(folder)
  options <- c("-t", "tmpfs", "-o", "size=4m", "tmpfs", folder)
  failed <- !nzchar(Sys.which("mount")) ||
    suppressWarnings(system2("mount", options, stdout = FALSE, stderr = FALSE)) != 0
  if (failed) return(message("This user may not mount a disk: this part is left out."))
  on.exit(system2("umount", folder))
  fill <- file.path(folder, "fill")
  # The system gives space in pages.
  spaces <- function(whole) 4096 * unique(c(0, 1, whole %/% 8192, whole %/% 4096, 500))
  limit <- function(space) {
    suppressWarnings(writeBin(raw(2^22), fill))
    con <- file(fill, "r+b")
    seek(con, file.size(fill) - space, rw = "write")
    truncate(con)
    close(con)
  }
  try_spaces(folder, spaces, limit, function() unlink(fill), "free bytes:")
}

## Kills ----------------------------------------------------------------------------------------

# A process that writes again and again: one file with two contents in turn, or new files.
keep_writing <- function(name, folder) {
  for (i in 1:1e6) {
    file <- if (name %in% replacing) name else paste0(i, name)
    writers[[name]](file.path(folder, file), i %% 2 + 1)
  }
}

try_kill <- function(name, contents) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  if (name %in% replacing) writers[[name]](file.path(folder, name))
  job <- parallel::mcparallel(keep_writing(name, folder), silent = TRUE)
  Sys.sleep(stats::runif(1L, 0.02, 0.4))
  tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(parallel::mccollect(job))
  found <- bytes_in(folder)
  found <- found[!startsWith(names(found), "partial-")]
  sound <- length(found) > 0L || !name %in% replacing
  for (bytes in found) sound <- sound && any(vapply(contents, identical, NA, bytes))
  count(sound, name, "after a kill")
  length(found)
}

kills <- function(each = 10L) {
  if (.Platform$OS.type != "unix") return(message("R cannot fork here: this part is left out."))
  for (name in names(writers)) {
    contents <- list(whole[[name]], written(name, 2))
    files <- vapply(seq_len(each), function(k) try_kill(name, contents), 1L)
    count(sum(files) > 0L, name, "never wrote before a kill")
  }
}

limited_sizes()
small_disk()
kills()
cat(sprintf("%.0f passed, %.0f failed\n", counts[["passed"]], counts[["failed"]]))
quit(status = as.integer(counts[["failed"]] > 0 || counts[["passed"]] == 0))
