skip_if_not_installed("jsonlite")
skip_if_not_installed("data.table")

# Calls that write a file, by the end of its name.
writers <- function() {
  statistics <- bayes_statistics(bayes_naive(), Species ~ ., iris)
  list(
    model.json = function(file) write_model_json(fit(bayes_naive(), statistics), file),
    s.json = function(file) write_statistics(statistics, file),
    s.rds = function(file) write_statistics(statistics, file, "rds"),
    rows.csv = function(file) write_chunks(chunked(iris, 40L), file),
    rows.csv.gz = function(file) write_chunks(chunked(iris, 40L), file)
  )
}

bytes_in <- function(file) readBin(file, "raw", 1e6)

expect_not_written <- function(expr, message, folder) {
  before <- lapply(list.files(folder, full.names = TRUE, all.files = TRUE, no.. = TRUE), bytes_in)
  expect_error(expr, message, class = "bayesrisk_error_argument")
  after <- lapply(list.files(folder, full.names = TRUE, all.files = TRUE, no.. = TRUE), bytes_in)
  expect_identical(after, before)
}

# A file system of 64 kB.
small_disk <- function(env = parent.frame()) {
  skip_on_os(c("windows", "mac", "solaris"))
  folder <- withr::local_tempdir(.local_envir = env)
  mount <- function(...) suppressWarnings(system2("mount", c(...), stdout = FALSE, stderr = FALSE))
  if (mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", folder) != 0) skip("No disk can be mounted.")
  withr::defer(system2("umount", folder), envir = env)
  folder
}

# Leaves `free` bytes, a multiple of 4,096.
fill_disk <- function(folder, free) {
  file <- file.path(folder, "fill")
  unlink(file)
  suppressWarnings(writeBin(raw(2^17), file))
  con <- base::file(file, "r+b")
  seek(con, file.size(file) - free, rw = "write")
  truncate(con)
  close(con)
}

test_that("on a full disk a file is complete, or the file before it stays", {
  folder <- small_disk()
  for (name in names(writers())) {
    file <- file.path(folder, name)
    write <- function() writers()[[name]](file)
    write()
    whole <- bytes_in(file)
    unlink(file)
    for (free in c(0, 4096)) {
      if (free >= length(whole)) next
      fill_disk(folder, free)
      expect_not_written(write(), "cannot be written", folder)
    }
    unlink(file.path(folder, "fill"))
    if (!startsWith(name, "rows")) {
      writeLines("old", file)
      fill_disk(folder, 0)
      expect_not_written(write(), "cannot be written", folder)
      expect_identical(readLines(file), "old")
    }
    unlink(list.files(folder, full.names = TRUE))
  }
})

test_that("temporary files on a full disk lose no row", {
  folder <- small_disk()
  # data.table writes the first page of the rows, and does not tell that the others are lost.
  fill_disk(folder, 4096)
  expect_error(csv_bytes(iris[rep(1:150, 4), ], TRUE, folder), "temporary files is full")
  expect_identical(list.files(folder), "fill")
})

test_that("a file keeps its permissions, and a link stays a link", {
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  file <- file.path(folder, "m.json")
  link <- file.path(folder, "link")
  writeLines("old", file)
  Sys.chmod(file, "600")
  file.symlink("m.json", link)
  model <- fit(bayes_naive(), Species ~ ., iris)
  write_model_json(model, link)
  expect_identical(Sys.readlink(link), "m.json")
  expect_identical(read_model_json(file), model)
  expect_identical(format(file.mode(file)), "600")
  file.symlink("nowhere", file.path(folder, "lost"))
  expect_error(
    write_model_json(model, file.path(folder, "lost")), "leads nowhere",
    class = "bayesrisk_error_argument"
  )
})

test_that("devices, pipes and folders are not replaced", {
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  pipe <- file.path(folder, "pipe")
  skip_if(system2("mkfifo", pipe) != 0, "No pipe can be made.")
  for (write in writers()[1:3]) {
    for (file in c(pipe, folder)) {
      expect_error(write(file), "cannot be written", class = "bayesrisk_error_argument")
    }
    expect_error(write(file.path(folder, "no", "x")), "folder", class = "bayesrisk_error_argument")
  }
  expect_identical(list.files(folder), "pipe")
  # Only checked: root could replace the devices of the machine.
  link <- file.path(folder, "link")
  file.symlink("/dev/null", link)
  for (file in c("/dev/null", "/dev/full", "/dev/stdout", link)) {
    expect_error(
      check_target(file, "file", NULL), "cannot be written", class = "bayesrisk_error_argument"
    )
  }
})

test_that("a file or folder that is read-only is not written", {
  skip_on_os("windows")
  folder <- withr::local_tempdir()
  file <- file.path(folder, "file")
  writeLines("old", file)
  Sys.chmod(file, "400")
  skip_if(file.access(file, 2) == 0, "This user may write everywhere.")
  for (write in writers()[1:3]) expect_not_written(write(file), "cannot be written", folder)
  Sys.chmod(folder, "500")
  for (write in writers()) {
    expect_not_written(write(file.path(folder, "new")), "cannot be written", folder)
  }
  Sys.chmod(folder, "700")
})

test_that("an error or an interrupt leaves the folder as it was", {
  folder <- withr::local_tempdir()
  broken <- function(i = 0L) {
    data_chunks(function() if ((i <<- i + 1L) < 3L) iris else stop("broken"))
  }
  for (name in c("x.csv", "x.csv.gz")) {
    expect_error(write_chunks(broken(), file.path(folder, name)), "broken")
    expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), character())
  }
  stopped <- map_chunks(chunked(iris, 40L), function(chunk, call) rlang::interrupt())
  said <- tryCatch(write_chunks(stopped, file.path(folder, "x.csv")), interrupt = identity)
  expect_s3_class(said, "interrupt")
  expect_identical(list.files(folder, all.files = TRUE, no.. = TRUE), character())
  # A file that appears meanwhile is not replaced.
  to <- file.path(folder, "x.csv")
  late <- map_chunks(chunked(iris, 40L), function(chunk, call) {
    writeLines("other", to)
    chunk
  })
  expect_not_written({
    unlink(to)
    write_chunks(late, to)
  }, "exists", withr::local_tempdir())
  expect_identical(readLines(to), "other")
  # A folder that vanishes.
  vanishing <- map_chunks(chunked(iris, 40L), function(chunk, call) {
    unlink(folder, recursive = TRUE)
    chunk
  })
  expect_error(
    write_chunks(vanishing, file.path(folder, "y.csv")), "cannot be written",
    class = "bayesrisk_error_argument"
  )
})

test_that("a name that ends in .gz is that of a compressed file", {
  to <- withr::local_tempfile(fileext = ".csv.gz")
  # A quote, a separator and a line end within fields; a batch of rows has 100,000.
  rows <- data.frame(x = seq_len(250000L), f = rep_len(c("a", "b\"", "c,\n", NA), 250000L))
  expect_identical(write_chunks(chunked(rows, 200000L), to), 250000)
  expect_identical(readBin(to, "raw", 3L), gzip_start)
  rows$f[is.na(rows$f)] <- ""
  expect_identical(as.data.frame(csv_chunks(to)), rows)
})

test_that("a name that ends in a slash replaces nothing", {
  folder <- withr::local_tempdir()
  file <- file.path(folder, "old")
  writeLines("old", file)
  model <- fit(bayes_naive(), Species ~ ., iris)
  skip_if_not_installed("jsonlite")
  for (name in c(file, file.path(folder, "new"))) {
    expect_bayesrisk_error(write_model_json(model, paste0(name, "/")), "argument", "names a folder")
  }
  skip_if_not_installed("data.table")
  chunks <- predict(model, data_chunks(function() NULL))
  expect_bayesrisk_error(write_chunks(chunks, paste0(file, "/")), "argument", "exists")
  expect_identical(readLines(file), "old")
  expect_identical(list.files(folder), "old")
})
