test_that("errors name the argument of the caller", {
  of_object <- function(object) drawn_name(environment())
  of_x <- function(x) drawn_name(environment())
  expect_identical(of_object(), "object")
  expect_identical(of_x(), "x")
  object <- 1
  expect_bayesrisk_error(check_any_drawn(FALSE, environment()), "argument", "`object` has no case")
  expect_no_error(check_any_drawn(TRUE, environment()))
})
