test_that("keys are functions of columns, and use variables where the call stands", {
  data <- segment_cases()
  cuts <- c(-9, 0, 9)
  halves <- function(x) cut(x, cuts)
  found <- assess_decisions(segment_model(), data, truth = y, by = c(half = halves(x)))
  expect_identical(as.character(found$by_segment$half), c("(-9,0]", "(0,9]"))
  expect_equal(found$by_segment$n, as.vector(table(halves(data$x))))
})

test_that("sources have the segments of the same rows in memory", {
  data <- segment_cases()
  model <- fit(bayes_naive(), y ~ x, data)
  whole <- assess_decisions(model, data, by = c(sex, patient %/% 60), weights = weight)
  chunks <- data_parts(list(data[1:50, ], data[51:200, ], data[201:240, ]))
  expect_equal(
    assess_decisions(model, chunks, by = c(sex, patient %/% 60), weights = weight), whole,
    tolerance = 1e-12
  )
})

test_that("bad keys are errors", {
  data <- segment_cases()
  model <- segment_model()
  posterior <- predict(model, data, type = "prob")
  expect_refusals(
    "by & data" = assess_decisions(posterior, truth = data$y, by = sex),
    "239 rows & 240" = assess_decisions(posterior, data[-1, ], truth = data$y, by = sex),
    "by & whole numbers" = assess_decisions(model, data, truth = y, by = amount),
    "by & region & twice" = assess_decisions(model, data, truth = y, by = c(region, region)),
    "by & empty & missing" =
      assess_decisions(model, transform(data, empty = NA), truth = y, by = empty),
    "by & n & my_n" = assess_decisions(model, data, truth = y, by = c(n = sex)),
    "sensitivity & by" = assess_decisions(model, data, truth = y, sensitivity = 0.9),
    "sensitivity & 0 to 1" = assess_decisions(model, data, truth = y, by = sex, sensitivity = 90)
  )
  expect_bayesrisk_error(assess_decisions(model, data, truth = y, by = sx), "schema", "sx")
})
