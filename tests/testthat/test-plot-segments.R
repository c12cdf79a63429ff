by_sex <- function(...) {
  assess_decisions(segment_model(), segment_cases(), segment_cost(), truth = y, by = sex, ...)
}

test_that("costs, differences and sensitivities of segments with their intervals", {
  found <- by_sex()
  table <- found$by_segment
  drawn <- draw(found)
  expect_named(drawn, c("segment", "estimate", "lower", "upper", "believed"))
  expect_identical(drawn$upper, table$cost_upper)
  expect_identical(drawn$believed, table$believed)
  drawn <- draw(found, "difference")
  expect_identical(drawn$lower, table$lower)
  expect_identical(draw(found, "sensitivity")$estimate, table$sensitivity)
  line <- layer_of(plot(found), "GeomHline")
  expect_equal(line$yintercept, found$all$cost)
  expect_equal(layer_of(plot(found, "difference"), "GeomHline")$yintercept, 0)
})

test_that("without intervals, without beliefs, with gains, without anything", {
  expect_no_error(draw(by_sex(interval = "none")))
  data <- segment_cases()
  treat <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 20, well = 0))
  other <- assess_decisions(
    decide(segment_model(), data), data, zero_one_cost(c("ill", "well"), reject = 1),
    truth = y, by = sex
  )
  expect_match(plot(other)$labels$caption, "^Line: all cases.$")
  gain <- utility_matrix(ill = c(ill = 5, well = -1), well = c(ill = -5, well = 1))
  figure <- plot(assess_decisions(segment_model(), data, gain, truth = y, by = sex))
  expect_identical(figure$labels$y, "gain per case")
  expect_lt(figure$data$estimate[[1]], 0)
  none <- assess_decisions(segment_model(), data, treat, truth = y, by = sex)
  expect_bayesrisk_error(draw(none, "sensitivity"), "argument", "nothing to draw")
  expect_bayesrisk_error(draw(none, "costs"), "argument", "type")
})
