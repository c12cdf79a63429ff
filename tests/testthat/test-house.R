# The sizes that CONTRIBUTING.md promises. What one reads at once stays small.

test_that("each file of R has 40 to 400 lines", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "R"), "[.]R$", full.names = TRUE)
  files <- setdiff(files, file.path(dirname(files[[1L]]), "RcppExports.R"))
  lines <- vapply(files, function(file) length(readLines(file, warn = FALSE)), 1L)
  expect_identical(basename(files)[lines < 40L | lines > 400L], character())
})

test_that("each file of C++ has at most 400 lines", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "src"), "[.](cpp|hpp|h)$", full.names = TRUE,
               recursive = TRUE)
  files <- files[basename(files) != "RcppExports.cpp"]
  lines <- vapply(files, function(file) length(readLines(file, warn = FALSE)), 1L)
  expect_identical(basename(files)[lines > 400L], character())
})

test_that("each function of R has at most 50 lines", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "R"), "[.]R$", full.names = TRUE)
  long <- lapply(files, function(file) {
    parsed <- utils::getParseData(parse(file, keep.source = TRUE))
    functions <- parsed$parent[parsed$token %in% c("FUNCTION", "'\\\\'")]
    at <- match(functions, parsed$id)
    size <- parsed$line2[at] - parsed$line1[at] + 1L
    sprintf("%s:%d", basename(file), parsed$line1[at])[size > 50L]
  })
  expect_identical(as.character(unlist(long)), character())
})
