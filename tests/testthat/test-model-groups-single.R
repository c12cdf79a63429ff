test_that("functions of one model refuse models of groups, and show how to take one", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  models <- fit(bayes_naive(), y ~ kind + size, birds(), by = region)
  refused <- list(
    function() coef(models), function() logLik(models), function() AIC(models),
    function() nobs(models), function() confint(models), function() vcov(models),
    function() temper(models, birds()), function() formula(models), function() simulate(models, 3),
    function() augment(models, newdata = birds()), function() plot(models, "regions"),
    function() contributions(models, birds()), function() decision_regions(models),
    function() bayes_risk(models), function() decision_threshold(models)
  )
  for (f in refused) {
    error <- expect_error(f(), class = "bayesrisk_error_argument")
    expect_match(conditionMessage(error), "models[[\"west\"]]", fixed = TRUE)
  }
  expect_error(coef(models), "tidy", class = "bayesrisk_error_argument")
  expect_error(confint(models), "`confint()` takes one", fixed = TRUE)
  expect_identical(summary(models), models)
  damaged <- structure(models, keys = NULL)
  expect_error(coef(damaged), class = "bayesrisk_error_object")
})
