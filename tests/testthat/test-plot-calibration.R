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

test_that("classes are chosen by name; at most nine have a panel", {
  three <- assess_decisions(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris)
  drawn <- draw(three, "calibration", class = c("virginica", "setosa"))
  expect_setequal(as.character(drawn$class), c("virginica", "setosa"))
  expect_bayesrisk_error(draw(three, "calibration", class = "rose"), "argument", "class")
  expect_bayesrisk_error(draw(three, class = "setosa"), "argument", "does not use")
  expect_fuzz_proof(draw, "class", list(x = three, type = "calibration"), is.data.frame)
  many <- data.frame(y = sprintf("class %02d", rep(1:12, each = 4)), x = seq_len(48)^1.1)
  model <- suppressWarnings(assess_decisions(fit(bayes_naive(), y ~ x, many), many))
  expect_message(
    drawn <- draw(model, "calibration"), "3 of 12", class = "bayesrisk_message_class"
  )
  expect_identical(nlevels(droplevels(drawn$class)), 9L)
})

test_that("calibration has a panel for each class, and bars of its cases", {
  figure <- do.call(plot, figures()$calibration_three)
  bars <- layer_of(figure, "GeomRect")
  longest <- tapply(bars$ymax - bars$ymin, bars$PANEL, max)
  expect_equal(as.vector(longest), rep(0.14, 3))
  one <- plot(figures()$roc[[1L]], "calibration", class = "virginica")
  expect_identical(one$labels$x, "probability of virginica")
})
