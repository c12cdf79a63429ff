# The course of a monitor as a figure.

test_that("each type draws its lines over the rows", {
  watch <- valid_monitor()
  evidence <- plot(watch)
  expect_identical(levels(evidence$data$line), c("shares", "features"))
  expect_identical(unique(evidence$data$row), watch$history$row)
  expect_equal(evidence$data$value, with(watch$history, c(shares, features)))
  prior <- plot(watch, "prior")
  expect_identical(levels(prior$data$line), names(watch$prior))
  cost <- plot(watch, "cost")
  expect_equal(cost$data$value, with(watch$history, c(cost_kept, cost_new)))
})

test_that("an alarm is a dotted line", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  watch <- update(monitor(model), iris[1:60, -5])
  expect_true(watch$alarm)
  built <- ggplot2::ggplot_build(plot(watch))
  expect_true(watch$row %in% unlist(lapply(built$data, `[[`, "xintercept")))
})

test_that("a monitor without rows cannot be drawn", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(plot(monitor(model)), "argument", "no rows")
  expect_bayesrisk_error(plot(valid_monitor(), "nothing"), "argument", "type")
})
