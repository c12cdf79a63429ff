test_that("the result of a query is read in chunks", {
  for (package in c("RSQLite", "dbplyr")) skip_if_not_installed(package)
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  data <- transform(late_data(), l = as.character(l), g = as.character(g))
  DBI::dbWriteTable(con, "t", data)
  chunks <- query_chunks(con, "SELECT * FROM t", rows = 300)
  expect_equal(as.data.frame(chunks), data)
  spec <- bayes_naive(laplace = 1, features = list(z = likelihood_histogram(laplace = 1)))
  data$k <- as.double(data$k)
  expect_same_statistics(
    bayes_statistics(spec, y ~ ., chunks), bayes_statistics(spec, y ~ ., data), "query"
  )
  expect_error(
    fit(spec, y ~ ., query_chunks(con, "SELECT * FROM nowhere")), "nowhere",
    class = "bayesrisk_error_data"
  )
  expect_no_warning(DBI::dbGetQuery(con, "SELECT 1"))
})

test_that("query_chunks() checks its arguments", {
  skip_if_not_installed("DBI")
  expect_error(query_chunks(7, "SELECT 1"), "con", class = "bayesrisk_error_argument")
})

test_that("Parquet files are read in chunks", {
  skip_if_not_installed("nanoparquet")
  file <- withr::local_tempfile(fileext = ".parquet")
  more <- withr::local_tempfile(fileext = ".parquet")
  data <- transform(late_data(), g = as.character(g))
  nanoparquet::write_parquet(data[1:1000, ], file)
  nanoparquet::write_parquet(data[1001:2011, ], more)
  chunks <- parquet_chunks(c(file, more), rows = 300)
  spec <- bayes_naive(laplace = 1)
  data$k <- as.double(data$k)
  expect_same_statistics(
    bayes_statistics(spec, y ~ ., chunks), bayes_statistics(spec, y ~ ., data), "parquet"
  )
  writeLines("no parquet", file)
  expect_error(as.data.frame(parquet_chunks(file)), "Parquet", class = "bayesrisk_error_data")
  expect_error(parquet_chunks(7), "file", class = "bayesrisk_error_argument")
})

test_that("a truncated Parquet file is an error of ours, and R goes on", {
  skip_if_not_installed("nanoparquet")
  skip_if_not_installed("callr")
  file <- withr::local_tempfile(fileext = ".parquet")
  nanoparquet::write_parquet(late_data(), file)
  found <- callr::r(function(file) {
    bytes <- readBin(file, "raw", file.size(file))
    lengths <- c(0, 1, 4, 8, 12, round(length(bytes) * (1:9) / 10), length(bytes) - c(8, 4, 1))
    vapply(lengths, function(n) {
      writeBin(bytes[seq_len(n)], file)
      tryCatch({
        as.data.frame(bayesrisk::parquet_chunks(file))
        "value"
      }, error = function(e) class(e)[[1L]])
    }, "")
  }, list(file), libpath = .libPaths())
  expect_identical(unique(found), "bayesrisk_error_data")
})
