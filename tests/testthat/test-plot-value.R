test_that("the savings are drawn with their intervals, the limit and the price", {
  model <- fit(bayes_naive(), am ~ hp + wt, mtcars)
  found <- value_of_data(model, n = c(5, 20), draws = 5, price = 0.001, cases = 100)
  drawn <- draw(found)
  expect_equal(drawn$saving, found$saving)
  expect_equal(drawn$upper - drawn$lower, 4 * found$std_error)
  figure <- plot(found)
  expect_equal(layer_of(figure, "GeomHline", 2L)$yintercept, attr(found, "limit"))
  expect_equal(layer_of(figure, "GeomLine")$y, c(5, 20) * 0.001 / 100)
  by_class <- value_of_data(model, n = c(5, 20), by = "class", draws = 5)
  classes <- draw(by_class, main = "by class")
  expect_equal(as.character(classes$class), rep(c("0", "1"), each = 2))
  expect_identical(nrow(layer_of(plot(by_class), "GeomPoint")), nrow(by_class))
  expect_error(plot(found[0, ]), "nothing to draw", class = "bayesrisk_error_argument")
})

test_that("the rows are drawn, the best features first", {
  cost <- cost_matrix(take = c(positive = 0, negative = 5), leave = c(positive = 2, negative = 0))
  value <- value_of_information(shapes_model(), cost)
  drawn <- draw(value)
  best <- order(-value$value[2:4]) + 1L
  expect_identical(drawn$known, value$known[c(1, best, 5, 6)])
  expect_identical(drawn$risk, value$risk[c(1, best, 5, 6)])
  expect_message(drawn <- draw(value, limit = 1), "2 of 3", class = "bayesrisk_message_features")
  expect_identical(drawn$known, value$known[c(1, best[[1]], 5, 6)])
  expect_silent(draw(value, main = "Shapes", col = "red"))
})

test_that("gains are drawn too, infinite risks are refused", {
  gain <- cost_matrix(take = c(positive = -5, negative = 1), leave = 0)
  expect_identical(nrow(draw(value_of_information(shapes_model(), gain))), 6L)
  both <- cost_matrix(one = c(a = 1, b = Inf), two = c(a = Inf, b = 2))
  infinite <- value_of_information(letters_model(), both)
  expect_error(draw(infinite), "infinite", class = "bayesrisk_error_argument")
})

test_that("odd arguments are read or refused by design", {
  value <- value_of_information(shapes_model())
  expect_error(draw(value, colour = 1), "colour", class = "bayesrisk_error_argument")
  expect_error(draw(value[1:2, ]), "whole", class = "bayesrisk_error_argument")
  expect_fuzz_proof(
    function(...) suppressMessages(draw(...)), "limit", list(x = value), is.data.frame
  )
})
