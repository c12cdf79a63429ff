test_that("the print has a row per segment, notes and thresholds", {
  data <- segment_cases()
  found <- assess_decisions(segment_model(), data, segment_cost(), truth = y, by = c(sex, region))
  expect_snapshot(print(found))
  expect_snapshot(print(assess_decisions(
    segment_model(), data, zero_one_cost(c("ill", "well")), truth = y, by = sex, sensitivity = 0.9
  )))
})

test_that("a segment that costs more is named, with an interval", {
  data <- segment_cases()
  cost <- cost_matrix(ill = c(ill = 1, well = 1), well = c(ill = 6, well = 0))
  by_class <- function(cost, ...) {
    assess_decisions(segment_model(), data, cost, truth = y, by = c(class = y), ...)
  }
  found <- by_class(cost)
  expect_gt(found$by_segment$lower[[1]], 0)
  text <- paste(format(found), collapse = " ")
  number <- function(x) format(x, digits = 4)
  expect_match(text, sprintf(
    "ill costs more than the other cases: %s per case (%s to %s).",
    number(found$by_segment$difference[[1]]), number(found$by_segment$lower[[1]]),
    number(found$by_segment$upper[[1]])
  ), fixed = TRUE)
  expect_match(text, "well costs less than the other cases", fixed = TRUE)
  expect_match(text, "No case of ill: \"well\"", fixed = TRUE)
  # Percentiles of the bootstrap do not hold what they say, so nothing is claimed.
  expect_no_match(format(by_class(cost, interval = "bootstrap")), "more than the other")
  expect_no_match(format(by_class(cost, interval = "none")), "more than the other")
  gain <- utility_matrix(ill = c(ill = -1, well = -1), well = c(ill = -6, well = 0))
  expect_identical(by_class(gain)$by_segment, found$by_segment)
  text <- paste(format(by_class(gain)), collapse = " ")
  expect_match(text, "ill gains less than the other cases", fixed = TRUE)
  expect_match(text, "has the largest gain: -", fixed = TRUE)
})

test_that("overconfident segments are named", {
  sure <- rep(c(0.995, 0.6), each = 60)
  data <- data.frame(y = rep(c("a", "b", "a"), c(50, 10, 60)), g = rep(c("s", "t"), each = 60))
  posterior <- cbind(a = sure, b = 1 - sure)
  found <- suppressWarnings(assess_decisions(posterior, data, truth = y, by = g))
  expect_match(paste(format(found), collapse = " "), "s: Of 60 cases with a posterior of 0.99")
  expect_no_match(format(found), "^t: Of")
})

test_that("tidy(), glance() and as.data.frame()", {
  data <- segment_cases()
  found <- assess_decisions(segment_model(), data, segment_cost(), truth = y, by = c(sex, region))
  expect_identical(tidy(found), found$by_segment)
  expect_identical(as.data.frame(found), found$by_segment)
  rows <- glance(found)
  expect_identical(names(rows), c("sex", "region", names(glance(found$all))))
  for (i in 1:4) {
    expect_identical(rows[i, -(1:2)], glance(found$segments[[i]]), ignore_attr = "row.names")
  }
  expect_equal(rows$cost, found$by_segment$cost)
  expect_equal(found$by_segment$gap, rows$cost - rows$believed)
})

test_that("a damaged result is an error", {
  data <- segment_cases()
  found <- assess_decisions(segment_model(), data, truth = y, by = sex)
  found$by_segment$gap <- NULL
  expect_bayesrisk_error(print(found), "object", "damaged")
  expect_bayesrisk_error(glance(found), "object", "damaged")
  expect_bayesrisk_error(plot(found), "object", "damaged")
})
