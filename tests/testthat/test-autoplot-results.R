skip_if_not_installed("ggplot2")

test_that("folds stand beside their candidate", {
  figure <- do.call(ggplot2::autoplot, figures()$cv)
  folds <- attr(figures()$cv[[1L]], "by_fold")
  points <- layer_of(figure, "GeomPoint", 2L)
  expect_equal(sort(points$y), sort(folds$cost))
  expect_true(all(abs(points$x - round(points$x)) <= 0.25))
  expect_match(do.call(ggplot2::autoplot, figures()$difference)$labels$y, "minus that of naive")
})

test_that("unstable decisions are open", {
  object <- figures()$stability[[1L]]
  open <- layer_of(ggplot2::autoplot(object), "GeomPoint", 2L)
  expect_equal(sort(open$y), sort(object$probability[object$stays < 0.95]))
})

test_that("the value of data has its limit, its price and its classes", {
  object <- figures()$data_value[[1L]]
  figure <- ggplot2::autoplot(object)
  expect_equal(layer_of(figure, "GeomHline", 2L)$yintercept, attr(object, "limit"))
  expect_equal(layer_of(figure, "GeomLine")$y, c(10, 30, 100) * 0.001 / 100)
  few <- fit(bayes_naive(), am ~ hp + wt, mtcars)
  by_class <- value_of_data(few, n = c(10, 30), draws = 3, by = "class")
  figure <- ggplot2::autoplot(by_class)
  expect_identical(nrow(layer_of(figure, "GeomPoint")), nrow(by_class))
})

test_that("a decision by one action has one panel", {
  decided <- decide(two_classes(), data.frame(x = 1:3), cost_matrix(ask = c(A = 1, B = 1)))
  figure <- ggplot2::autoplot(decided)
  expect_silent(built <- ggplot2::ggplot_build(figure))
  expect_identical(length(built$layout$panel_params), 1L)
  expect_equal(built$data[[1L]]$ymax, 1)
})

test_that("dependence has a point for each pair and class", {
  object <- figures()$dependence[[1L]]
  points <- suppressMessages(layer_of(ggplot2::autoplot(object, limit = 2), "GeomPoint"))
  top <- suppressMessages(draw(object, limit = 2))
  expect_equal(sort(points$x), sort(as.vector(class_information(top, levels(iris$Species)))))
})
