test_that("the figure of a guarantee has each threshold", {
  model <- valid_models()$naive
  data <- valid_data()[rep(1:24, 20), ]
  rule <- guarantee(model, data, bound = 0.6, by = g)
  figure <- plot(rule)
  expect_identical(nrow(figure$data), nrow(rule$points))
  expect_identical(figure$data$test == "passed", rule$points$passed)
  expect_identical(levels(figure$data$panel), as.character(rule$groups$g))
  expect_silent(ggplot2::ggplotGrob(figure))
  few <- guarantee(model, data[1:3, ], bound = 0.01)
  expect_error(plot(few), class = "bayesrisk_error_argument")
})
