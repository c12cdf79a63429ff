skip_if_not_installed("data.table")

test_that("a compressed file that is damaged or ends too early is an error", {
  withr::local_seed(1)
  data <- data.frame(y = sample(letters, 1000L, TRUE), x = stats::rnorm(1000L))
  packed <- function(data, header = TRUE) {
    file <- withr::local_tempfile()
    con <- gzfile(file, "w")
    utils::write.table(data, con, sep = ",", row.names = FALSE, col.names = header)
    close(con)
    readBin(file, "raw", 1e6)
  }
  file <- withr::local_tempfile(fileext = ".csv.gz")
  rows <- function(bytes, size = 1e6) {
    writeBin(bytes, file)
    nrow(as.data.frame(csv_chunks(file, size)))
  }
  whole <- packed(data)
  expect_identical(rows(whole), 1000L)
  for (left in c(0.75 * length(whole), length(whole) - c(1, 4, 8), 30)) {
    for (size in c(10, 1e6)) {
      expect_error(rows(utils::head(whole, left), size), class = "bayesrisk_error_data")
    }
  }
  expect_error(
    rows(utils::head(whole, -4L)), "Only 1000 rows, [0-9]+ bytes,", class = "bayesrisk_error_data"
  )
  expect_error(rows(c(whole, charToRaw("a,1\n"))), "damaged", class = "bayesrisk_error_data")
  expect_error(rows(c(whole, raw(512))), class = "bayesrisk_error_data")
  damaged <- replace(whole, 3000L, xor(whole[[3000L]], as.raw(7)))
  expect_error(rows(damaged), class = "bayesrisk_error_data")
  # Archives that follow each other, and a file that is not compressed.
  two <- c(whole, packed(data, header = FALSE))
  expect_identical(rows(two, 100), 2000L)
  expect_error(rows(utils::head(two, -300L)), "ends too early", class = "bayesrisk_error_data")
  expect_identical(rows(charToRaw("y,x\na,1\n")), 1L)
})
