test_that("check_numbers() keeps values and names, and makes them plain doubles", {
  expect_identical(check_numbers(c(b = 2L, a = 0L), "x", min = 0), c(b = 2, a = 0))
  expect_identical(check_numbers(c(-1, 2), "x"), c(-1, 2))
  shares <- prop.table(table(c("u", "v", "v", "v")))
  expect_identical(check_numbers(shares, "x"), c(u = 0.25, v = 0.75))
})

test_that("check_numbers() names the argument", {
  for (bad in list(NULL, "a", TRUE, numeric(), matrix(1:4, 2), factor(1), c(1, NA), c(1, Inf))) {
    expect_error(check_numbers(bad, "some_arg"), "some_arg", class = "bayesrisk_error_argument")
  }
  expect_error(check_numbers(c(1, -2), "x", min = 0), "0 or more, not -2",
    class = "bayesrisk_error_argument"
  )
})

test_that("names must tell the entries apart", {
  expect_invisible(check_distinct_names(c("a", "b"), "x"))
  expect_invisible(check_distinct_names(NULL, "x"))
  expect_error(check_distinct_names(c("a", ""), "x"), "`x`.*name is missing",
    class = "bayesrisk_error_argument"
  )
  expect_error(check_distinct_names(c("a", NA), "x"), class = "bayesrisk_error_argument")
  expect_error(check_distinct_names(c("a{b}", "a{b}"), "x"), "a{b}", fixed = TRUE,
    class = "bayesrisk_error_argument"
  )
})

test_that("match_names() gives positions, or lists what is missing and unknown", {
  expect_identical(match_names(c("b", "c", "a"), c("a", "b", "c"), "x"), c(3L, 1L, 2L))
  expect_error(match_names(c("b", "z"), c("a", "b"), "x"), "classes.*Missing.*a.*Unknown.*z",
    class = "bayesrisk_error_argument"
  )
  expect_error(match_names("z", c("a", "b"), "p", "size"), "levels of size",
    class = "bayesrisk_error_argument"
  )
})

test_that("sums_to_one() allows 1e-8", {
  expect_true(sums_to_one(c(0.08, 0.14, 0.03, 0.16, 0.11, 0.16, 0.07, 0.14, 0.11, 0)))
  expect_true(sums_to_one(c(0.5, 0.5 + 9e-9)))
  expect_false(sums_to_one(c(0.5, 0.5 + 2e-8)))
})
