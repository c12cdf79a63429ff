test_that("the plot draws and returns the cases in the order of the probability", {
  model <- fit(bayes_naive(), am ~ hp + wt, mtcars)
  found <- decision_stability(model, mtcars, n = 30, class = "1")
  drawn <- draw(found)
  expect_equal(nrow(drawn), 32)
  expect_false(is.unsorted(drawn$probability))
  expect_equal(found$stays[drawn$row], drawn$stays)
  few <- draw(found, most = 5, main = "few", col = c("red", "blue"))
  expect_equal(few$probability, sort(found$probability)[round(seq(1, 32, length.out = 5))])
  expect_silent(draw(decision_stability(model, mtcars, n = 30)))
  expect_error(plot(found, most = 0), class = "bayesrisk_error_argument")
})

test_that("unstable decisions are open", {
  object <- figures()$stability[[1L]]
  open <- layer_of(plot(object), "GeomPoint", 2L)
  expect_equal(sort(open$y), sort(object$probability[object$stays < 0.95]))
})
