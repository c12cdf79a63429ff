test_that("results without a plot say what to plot instead", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  no_plot <- function(x, pattern) expect_bayesrisk_error(plot(x), "argument", pattern)
  no_plot(bayes_naive(), "no plot.*`fit\\(\\)` it and plot the model")
  no_plot(search_blocks(bayes_naive(), Species ~ ., iris), "path of the search")
  no_plot(simulate_parameters(model, 2), "plot\\(x\\[\\[1\\]\\]\\)")
  no_plot(confint(model), "plot\\(model\\).*decision_stability")
  posterior <- predict(model, iris, type = "prob")
  no_plot(temper(posterior, iris$Species), "plot\\(assessed, \"calibration\"\\)")
  no_plot(flip(model, iris[1, ]), "regions")
  no_plot(likelihood_gamma(), "`fit\\(\\)` a model with it")
  no_plot(zero_one_cost(c("a", "b")), "type = \"cost\"")
  no_plot(bayes_risk(fit(bayes_naive(), am ~ wt, mtcars)), "has no plot")
  no_plot(compare_decisions(list(a = model, b = model), data = iris), "as.data.frame\\(x\\)")
})

test_that("what is named instead can be drawn", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length + Petal.Length, iris)
  expect_no_error({
    draw(simulate_parameters(model, 2)[[1]])
    draw(decision_stability(model, iris[1:20, ], n = 10))
    posterior <- predict(model, iris, type = "prob")
    calibrated <- predict(temper(posterior, iris$Species), posterior)
    draw(assess_decisions(calibrated, truth = iris$Species), "calibration")
    draw(update(model, . ~ . - Sepal.Length), type = "regions")
    draw(model, type = "cost", cost = zero_one_cost(model), features = "Petal.Length")
  })
})

test_that("base R draws tables and numbers", {
  model <- fit(bayes_naive(numeric = likelihood_kernel()), Species ~ ., iris)
  withr::local_pdf(NULL)
  expect_no_error(plot(coef(model)$Sepal.Width))
  expect_no_error(plot(proportions(confusion_table(iris$Species, rev(iris$Species)))))
})

test_that("autoplot() is the same figure, with the same errors", {
  figure <- ggplot2::autoplot(two_classes(), "regions", xlim = c(0, 30))
  expect_true(inherits(figure, "ggplot"))
  expect_identical(figure$data, plot(two_classes(), "regions", xlim = c(0, 30))$data)
  no_figure <- function(x, pattern) {
    expect_bayesrisk_error(ggplot2::autoplot(x), "argument", pattern)
  }
  no_figure(bayes_naive(), "`object`, of class.*has no plot.*`fit\\(\\)` it")
  no_figure(decision_regions(two_classes()), "holds no model")
  no_figure(fit(bayes_naive(), mpg > 20 ~ wt, mtcars, by = am), "plot\\(models")
  # Tables, which plot() leaves to base graphics.
  no_figure(proportions(confusion_table(iris$Species, iris$Species)), "has no plot")
})

test_that("ggplot2 is loaded by the first plot, not with the package", {
  skip_if_not_installed("callr")
  loaded <- callr::r(function(library) {
    library(bayesrisk, lib.loc = library)
    before <- isNamespaceLoaded("ggplot2")
    plot(fit(bayes_naive(), Species ~ Sepal.Width, iris))
    c(before, isNamespaceLoaded("ggplot2"))
  }, list(dirname(system.file(package = "bayesrisk"))))
  expect_identical(loaded, c(FALSE, TRUE))
})
