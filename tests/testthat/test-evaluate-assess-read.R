test_that("the truth is matched by name, whatever its type", {
  classes <- c("b", "a", "2")
  expect_identical(truth_codes(c("a", "b", NA), classes, 3, NULL), c(2L, 1L, NA))
  expect_identical(truth_codes(factor("a", c("z", "a")), classes, 1, NULL), 2L)
  expect_identical(truth_codes(2, classes, 1, NULL), 3L)
  expect_identical(truth_codes(c(TRUE, FALSE), c("FALSE", "TRUE"), 2, NULL), 2:1)
  expect_bayesrisk_error(truth_codes("c", classes, 1, NULL), "argument", "\"c\"")
})

test_that("the class of a formula may be a function of columns", {
  model <- fit(bayes_naive(), cyl > 4 ~ mpg, mtcars)
  result <- assess_decisions(model, mtcars)
  by_hand <- confusion_table(mtcars$cyl > 4, predict(model, mtcars))
  expect_identical(unclass(result$confusion), unclass(by_hand), ignore_attr = TRUE)
  expect_bayesrisk_error(assess_decisions(model, mtcars["mpg"]), "schema", "cyl")
})

test_that("a model from columns needs the truth", {
  model <- fit_xy(bayes_naive(), iris[1:4], iris$Species)
  expect_bayesrisk_error(assess_decisions(model, iris), "argument", "truth")
  result <- assess_decisions(model, iris, truth = iris$Species)
  expect_identical(result$n, 150)
})

test_that("a changed decision is no decision", {
  decided <- decide(ten_cases()$posterior)
  decided$margin <- NULL
  class(decided) <- c("bayesrisk_decision", "data.frame")
  expect_bayesrisk_error(
    assess_decisions(decided, truth = ten_cases()$truth), "argument", "no longer"
  )
})

test_that("costs that name no class take the classes of the truth", {
  ten <- ten_cases()
  decided <- decide(ten$posterior, cost_matrix(wait = 2, refer = 1))
  expect_identical(assess_decisions(decided, truth = ten$truth)$cost, 1)
})

test_that("a matrix of logarithms, and its columns, are read where they lie", {
  frame <- matrix_frame(matrix(1:6 / 7, 3))
  expect_identical(frame$rows, 3)
  expect_identical(frame$column, 1:2)
})
