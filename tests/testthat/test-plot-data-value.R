test_that("the plot draws and returns the savings with their intervals", {
  model <- fit(bayes_naive(), am ~ hp + wt, mtcars)
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  found <- value_of_data(model, n = c(5, 20), draws = 5, price = 0.001, cases = 100)
  drawn <- plot(found)
  expect_equal(drawn$saving, found$saving)
  expect_equal(drawn$upper - drawn$lower, 4 * found$std_error)
  classes <- plot(value_of_data(model, n = c(5, 20), by = "class", draws = 5), main = "by class")
  expect_equal(as.character(classes$class), rep(c("0", "1"), each = 2))
  attr(found, "limit") <- "a"
  expect_error(plot(found), "whole result", class = "bayesrisk_error_argument")
})
