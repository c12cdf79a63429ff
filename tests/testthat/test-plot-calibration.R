test_that("two classes: the second; more: all of them", {
  ten <- ten_cases()
  result <- assess_decisions(ten$posterior, truth = ten$truth)
  drawn <- draw(result, "calibration")
  expect_identical(unique(as.character(drawn$class)), "ill")
  expect_true(all(drawn$cases > 0))
  three <- assess_decisions(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris)
  expect_setequal(as.character(draw(three, "calibration")$class), levels(iris$Species))
})

test_that("Wilson's interval is that of prop.test() without correction", {
  tested <- stats::prop.test(3, 17, correct = FALSE)$conf.int
  expect_equal(unlist(wilson_interval(3 / 17, 17), use.names = FALSE), as.vector(tested))
  expect_identical(wilson_interval(0, 4)$lower, 0)
  expect_identical(wilson_interval(1, 4)$upper, 1)
})
