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
  expect_no_error(draw(coef(model)$Sepal.Width))
  expect_no_error(draw(proportions(confusion_table(iris$Species, rev(iris$Species)))))
})
