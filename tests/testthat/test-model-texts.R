# The code of a remedy, run on texts.
converted <- function(texts, found = find_writing(texts, FALSE, FALSE)) {
  lapply(found$code, function(code) {
    suppressWarnings(eval(str2lang(gsub("%1$s", "texts", code, fixed = TRUE))))
  })
}

test_that("the code of numbers as text gives the numbers, and NA for other texts", {
  dollars <- c(paste0("$1,2", 10:59, ".50"), "<500")
  expect_identical(converted(dollars)[[1L]], c(1210:1259 + 0.5, NA))
  euros <- c(paste0("1.2", 10:59, ",50 EUR"), "10-20")
  expect_identical(converted(euros)[[1L]], c(1210:1259 + 0.5, NA))
  shares <- paste0(1:40 / 2, "%")
  expect_equal(converted(shares)[[1L]], 1:40 / 200, tolerance = 1e-15)
})

test_that("signs that do not separate thousands make no number", {
  right <- c("6,005.69", "-1,234,567.5", "12.5", "900", rep("2,000.25", 96))
  numbers <- c(6005.69, -1234567.5, 12.5, 900, rep(2000.25, 96))
  expect_identical(converted(right)[[1L]], numbers)
  for (text in c("1234,567", "0,123", ",123", "1.234,567", "12,345,6789", "-1234,567.5")) {
    expect_identical(converted(c(right, text))[[1L]], c(numbers, NA))
  }
  expect_identical(converted(paste0("$", c(right[-2], "1234,567")))[[1L]], c(numbers[-2], NA))
  swapped <- chartr(",.", ".,", c(right, "1234.567"))
  expect_identical(converted(swapped)[[1L]], c(numbers, 1234.567))
  swapped <- chartr(",.", ".,", c(right, "1234,567"))
  expect_identical(converted(swapped)[[1L]], c(numbers, NA))
  blanks <- chartr(",", " ", c(right, "1234,567"))
  expect_identical(converted(c(blanks, " 3 000.5"))[[1L]], c(numbers, NA, 3000.5))
  # As decimals they are numbers.
  both <- unname(converted(c(paste0("71,", 100:139), "1234,567")))
  expect_identical(both, list(c(71100:71139 + 0, NA), c(71100:71139, 1234567) / 1000))
})

test_that("a sign with two readings has both codes, several units have none", {
  both <- c(226, paste0("71.", 100:139))
  found <- find_writing(both, FALSE, FALSE)
  expect_match(found$remark, "a point of thousands, or a decimal point?", fixed = TRUE)
  expect_identical(converted(both)[[1L]], c(226, 71100:71139))
  expect_identical(converted(both)[[2L]], as.numeric(both))
  expect_null(find_writing(c("$5", "\u20ac6", "$7"), FALSE, FALSE)$code)
})

test_that("dates have the order that more of them can have, or both", {
  days <- as.Date("2024-03-01") + 0:40
  expect_identical(converted(format(days, "%d/%m/%Y"))[[1L]], as.numeric(days))
  expect_length(find_writing(c("01/02/2024", "03/04/2024"), FALSE, FALSE)$code, 2L)
  expect_null(find_writing("2024-39-06", FALSE, FALSE))
  expect_null(find_writing(c("home", "away"), FALSE, TRUE))
})
