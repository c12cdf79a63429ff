test_that("a feature may have any name", {
  data <- data.frame(nothing = c(1, 2, 4, 5), perfect = c(1, 1.1, 1.2, 1.1))
  model <- fit_xy(bayes_naive(), data, c("a", "a", "b", "b"))
  expect_named(feature_importance(model), names(data))
  worth <- value_of_information(model, features = "nothing", all = FALSE)
  expect_identical(feature_importance(model)[["nothing"]], worth$value[[2]])
})
