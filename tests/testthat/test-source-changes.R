skip_if_not_installed("data.table")

# Chunks of a file that `change` changes after the chunk `at`.
changing_csv <- function(file, change, at = 2L) {
  chunk <- 0L
  map_chunks(csv_chunks(file, 6000), function(rows, call) {
    chunk <<- chunk + 1L
    if (chunk == at) change(file)
    rows
  })
}

cut_file <- function(file, size) {
  con <- base::file(file, "r+b")
  seek(con, size, rw = "write")
  truncate(con)
  close(con)
}

wide_rows <- function() {
  withr::local_seed(2)
  data.frame(y = sample(c("a", "b"), 60000L, TRUE), x = round(stats::rnorm(60000L), 6))
}

test_that("a file that is cut, grows or is replaced while it is read is an error", {
  data <- wide_rows()
  for (extension in c(".csv", ".csv.gz")) {
    file <- withr::local_tempfile(fileext = extension)
    data.table::fwrite(data, file)
    whole <- readBin(file, "raw", file.size(file))
    changes <- list(
      cut = function(file) cut_file(file, 0.6 * length(whole)),
      grown = function(file) cat("a,1\n", file = file, append = TRUE),
      same_size = function(file) {
        writeBin(whole, file)
        Sys.setFileTime(file, "2001-01-01")
      },
      deleted = unlink
    )
    for (name in names(changes)) {
      writeBin(whole, file)
      error <- expect_error(
        fit(bayes_naive(), y ~ x, changing_csv(file, changes[[name]])), "changed while",
        class = "bayesrisk_error_data", label = paste(name, extension)
      )
      said <- gsub("\\s+", " ", conditionMessage(error))
      expect_match(said, sprintf("It had %s bytes at first", length(whole)))
      expect_match(said, "[0-9]+ rows of it were read")
    }
  }
})

test_that("passes of one call read the same file, other calls may find a new one", {
  data <- wide_rows()
  file <- withr::local_tempfile(fileext = ".csv")
  data.table::fwrite(data, file)
  spec <- bayes_naive(numeric = likelihood_histogram())
  # The first pass is over after 11 or 12 chunks.
  for (at in 12:13) {
    chunks <- changing_csv(file, function(file) cat("a,1\n", file = file, append = TRUE), at)
    expect_error(fit(spec, y ~ x, chunks), "changed while", class = "bayesrisk_error_data")
  }
  expect_identical(fit(spec, y ~ x, chunks)$rows$read, 60002)
})

test_that("passes with different rows are an error", {
  passes <- 0L
  i <- 0L
  chunks <- data_chunks(
    function() if ((i <<- i + 1L) <= 4L - passes) iris,
    reset = function() {
      passes <<- passes + 1L
      i <<- 0L
    }
  )
  expect_error(
    fit(bayes_naive(numeric = likelihood_histogram()), Species ~ ., chunks),
    "450 rows at first, then 300", class = "bayesrisk_error_data"
  )
})

test_that("a part that changes between two passes fails", {
  spec <- bayes_naive(numeric = likelihood_histogram())
  file <- withr::local_tempfile(fileext = ".csv")
  sources <- list(
    file = function(pass) {
      if (pass > 1L) write.table(iris, file, TRUE, sep = ",", row.names = FALSE, col.names = FALSE)
      csv_chunks(file)
    },
    table = function(pass) iris[seq_len(150L - pass), ]
  )
  for (source in sources) {
    write.csv(iris, file, row.names = FALSE)
    passes <- 0L
    read <- function(part) if (part == "b") source(passes <<- passes + 1L) else iris
    parts <- data_parts(c("a", "b"), read)
    error <- expect_error(fit(spec, Species ~ ., parts), "b: It changed",
                          class = "bayesrisk_error_data")
    expect_identical(error$parts, "b")
    expect_identical(error$statistics$rows$read, 150)
  }
})
