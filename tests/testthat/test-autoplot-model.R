skip_if_not_installed("ggplot2")

test_that("posteriors of a level are stacked in the order of the classes", {
  tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  figure <- ggplot2::autoplot(tennis, "posterior", features = "wind")
  bars <- layer_of(figure, "GeomCol")
  drawn <- draw(tennis, "posterior", features = "wind")
  expect_equal(bars$ymax[bars$group == 1L], drawn$posterior[drawn$class == "yes"])
  expect_equal(bars$ymax[bars$group == 2L], c(1, 1))
  expect_identical(figure$labels$x, "wind")
})

test_that("the data stand behind the densities, and high bars end at the frame", {
  model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  drawn <- draw(model, data = iris)
  bins <- layer_of(ggplot2::autoplot(model, data = iris), "GeomRect")
  expect_equal(bins$ymax, attr(drawn, "observed")$density)
  spike <- data.frame(class = "A", x = c(rep(15, 300), 15.01))
  high <- layer_of(ggplot2::autoplot(two_classes(), data = spike), "GeomRect")
  expect_true(any(high$ymax == Inf))
  # A feature that the model left out.
  left <- do.call(ggplot2::autoplot, figures()$mixed)
  expect_identical(layer_of(left, "GeomText")$label, "left out")
})

test_that("xlim sets the range that is computed", {
  figure <- ggplot2::autoplot(two_classes(), xlim = c(0, 10))
  expect_identical(range(figure$data$x), c(0, 10))
  expect_identical(figure$data$density, draw(two_classes(), xlim = c(0, 10))$density)
  wrong <- function(...) ggplot2::autoplot(two_classes(), ...)
  expect_bayesrisk_error(wrong(xlim = 3), "argument", "`xlim` must be two different")
  expect_bayesrisk_error(wrong("densty"), "argument", "type")
  expect_bayesrisk_error(wrong(rule = "prior"), "argument", "does not use `rule`")
  expect_bayesrisk_error(wrong(col = "red"), "argument", "Unused argument: `col`")
  expect_bayesrisk_error(wrong(featurse = "x"), "argument", "features")
})

test_that("results without a plot have no figure either", {
  no_figure <- function(x, pattern) {
    expect_bayesrisk_error(ggplot2::autoplot(x), "argument", pattern)
  }
  no_figure(bayes_naive(), "`object`, of class.*has no plot.*`fit\\(\\)` it")
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  no_figure(decision_regions(model), "`object` holds no model")
  no_figure(decision_regions(fit(bayes_naive(), Species ~ Petal.Length, iris)), "holds no model")
  no_figure(summary(model), "Plot the model itself")
  models <- fit(bayes_naive(), mpg > 20 ~ wt, mtcars, by = am)
  no_figure(models, "autoplot\\(models")
  # Tables, which plot() leaves to base graphics.
  no_figure(proportions(confusion_table(iris$Species, iris$Species)), "has no plot")
})

test_that("errors name the argument of autoplot()", {
  changed <- function(x) structure(unclass(x)[1L], class = class(x))
  for (figure in figures()[c("sweep", "cv", "decision", "tornado", "roc", "stability")]) {
    error <- rlang::catch_cnd(ggplot2::autoplot(changed(figure[[1L]])), "error")
    expect_s3_class(error, "bayesrisk_error_argument")
    expect_no_match(cli::ansi_strip(conditionMessage(error)), "`x`")
  }
})
