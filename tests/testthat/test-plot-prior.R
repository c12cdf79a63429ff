test_that("classes are drawn with their intervals", {
  case <- shifted()
  found <- estimate_prior(case$model, case$rows)
  expect_identical(draw(found), as.data.frame(found))
  expect_identical(draw(found, main = "Shares", col = c(a = "red")), as.data.frame(found))
  expect_bayesrisk_error(draw(found, colour = 1), "argument", "colour")
  one <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  expect_identical(nrow(draw(estimate_prior(one, iris))), 3L)
})
