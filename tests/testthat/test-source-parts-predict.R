test_that("predictions and decisions of parts are a list by part", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  parts <- data_parts(list(a = iris[1:60, ], b = iris[61:150, ]))
  expect_identical(unlist(predict(model, parts), use.names = FALSE), predict(model, iris))
  expect_identical(decide(model, parts)$b, decide(model, iris[61:150, ]))
  expect_error(
    predict(model, data_parts(list(a = iris["Species"]))), "a:", class = "bayesrisk_error_schema"
  )
})
