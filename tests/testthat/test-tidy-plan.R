test_that("a plan is a table of its nodes that each can be read alone", {
  skip_on_cran()
  rows <- tidy(two_tests())
  expect_identical(rows, as.data.frame(two_tests()))
  expect_named(rows, c(
    "node", "parent", "path", "answer", "test", "action", "probability", "reach", "cost", "price",
    "feature", "from", "to", "class"
  ))
  expect_identical(rows$path, c(
    "start", "first = pos", "first = pos; second = pos", "first = pos; second = neg", "first = neg"
  ))
  expect_within(rows$reach, c(1, 0.27, 0.117, 0.153, 0.73), 1e-12)
  wide <- as.data.frame(wide_plan())
  expect_identical(anyDuplicated(wide$path), 0L)
  last <- "glu 99.5 to 108.3; age >= 55; bmi 25 to 30.25; family = far, near"
  expect_identical(wide$path[[12L]], last)
  # The ends of the intervals are exact.
  expect_identical(sort(unique(wide$to[wide$parent %in% 1L])), c(99.5, 108.312, 141.2, 160, Inf))
})

test_that("the table comes back from a spreadsheet", {
  skip_on_cran()
  rows <- as.data.frame(wide_plan())
  expect_true(all(vapply(rows, is.atomic, NA)))
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(rows, file, row.names = FALSE)
  # A column without a value has no type in a file.
  back <- utils::read.csv(file, colClasses = c(class = "character"))
  expect_equal(back, rows, tolerance = 1e-14)
})

test_that("glance() has the numbers of a plan in one row", {
  skip_on_cran()
  row <- glance(wide_plan())
  plan <- wide_plan()
  expect_identical(nrow(row), 1L)
  for (name in c("value", "lower", "upper", "exact", "error", "loss", "now", "all", "myopic")) {
    expect_identical(row[[name]], plan[[name]])
  }
  expect_identical(unlist(row[c("tests", "nodes", "most_tests")]), c(
    tests = 4L, nodes = 40L, most_tests = 4L
  ))
  expect_within(glance(two_tests())$mean_tests, 1.27, 1e-12)
  expect_identical(glance(two_tests(price = 3))$most_tests, 0L)
  expect_error(glance(two_tests(), 1), class = "bayesrisk_error_argument")
  expect_error(tidy(two_tests(), 1), class = "bayesrisk_error_argument")
})
