test_that("a butchered model predicts the same, without the statistics", {
  skip_on_cran()
  skip_if_not_installed("butcher")
  specs <- list(
    bayes_naive(), bayes_full(), bayes_naive(numeric = likelihood_kernel()),
    bayes_naive(numeric = likelihood_mixture(1:2))
  )
  cost <- zero_one_cost(levels(iris$Species))
  for (spec in specs) {
    model <- fit(spec, Species ~ ., iris)
    small <- butcher::butcher(model)
    for (type in c("class", "prob", "log_joint")) {
      expect_identical(predict(small, iris, type = type), predict(model, iris, type = type))
    }
    expect_identical(decide(small, iris, cost), decide(model, iris, cost))
    expect_identical(tidy(small), tidy(model))
    expect_lt(object.size(small), object.size(model))
    expect_output(print(small), "150 rows")
    gone <- list(
      function(m) update(m, iris), function(m) update(m, laplace = 1), confint,
      function(m) predict(m, iris, estimate = "predictive")
    )
    for (use in gone) {
      expect_error(use(small), "butcher.*took them away", class = "bayesrisk_error_argument")
    }
    expect_true(is.na(glance(small)$logLik))
  }
})

test_that("models of parsnip and workflows can be butchered", {
  skip_without_parsnip("butcher", "workflows")
  spec <- with_engine(parsnip::naive_Bayes(Laplace = 1))
  flow <- generics::fit(workflows::workflow(play ~ ., spec), play_tennis)
  small <- butcher::butcher(flow)
  expect_identical(
    predict(small, play_tennis, type = "prob"), predict(flow, play_tennis, type = "prob")
  )
  fitted <- parsnip::fit(spec, play ~ ., play_tennis)
  small <- butcher::butcher(fitted)
  expect_identical(predict(small, play_tennis), predict(fitted, play_tennis))
  expect_null(parsnip::extract_fit_engine(small)$statistics)
})
