# The rows of each segment, by the values of its keys.
segment_rows <- function(data, found, i) {
  keys <- found$by_segment[found$keys]
  which(data$sex == as.character(keys$sex)[[i]] & data$region == as.character(keys$region)[[i]])
}

test_that("all cases and each segment are assessed as their rows alone, with intervals", {
  data <- segment_cases()
  model <- segment_model()
  case_cost <- cost_matrix(
    ill = c(ill = 0, well = 1), well = list(ill = ~ 3 * amount, well = 0), refer = 0.6
  )
  settings <- list(
    list(cost = segment_cost()), list(cost = segment_cost(), prior = c(ill = 0.1, well = 0.9)),
    list(cost = case_cost, interval = "bootstrap"), list(level = 0.8, interval = "none")
  )
  for (setting in settings) {
    assess <- function(rows, ...) {
      suppressWarnings(do.call(assess_decisions, c(
        list(model, data[rows, ], truth = data$y[rows], class = "ill", seed = 3, ...), setting
      )))
    }
    found <- assess(TRUE, by = quote(c(sex, region)))
    expect_s3_class(found, "bayesrisk_assessments")
    expect_identical(found$all, assess(TRUE))
    expect_named(found$segments, c("f.south", "f.north", "m.south", "m.north"))
    expect_identical(found$missing, 2L)
    for (i in 1:4) {
      expect_equal(
        assessed_values(found$segments[[i]]), assessed_values(assess(segment_rows(data, found, i))),
        tolerance = 1e-12
      )
    }
  }
})

test_that("weights and clusters of a segment are those of its rows", {
  data <- segment_cases()
  # Patients within a region
  data$patient <- interaction(data$patient %/% 3, data$region, data$sex)
  found <- assess_decisions(
    segment_model(), data, segment_cost(), truth = y, class = "ill", weights = weight,
    cluster = ifelse(is.na(sex), "none", as.character(patient)), by = c(sex, region)
  )
  for (i in 1:4) {
    own <- data[segment_rows(data, found, i), ]
    alone <- assess_decisions(
      segment_model(), own, segment_cost(), truth = y, class = "ill", weights = weight,
      cluster = patient
    )
    expect_equal(
      assessed_values(found$segments[[i]]), assessed_values(alone), tolerance = 1e-12
    )
  }
  expect_true(found$apart)
  expect_false(anyNA(found$by_segment$lower))
})

test_that("posteriors, decisions and models of groups have segments, too", {
  data <- segment_cases()
  posterior <- predict(segment_model(), data, type = "prob")
  by_model <- assess_decisions(segment_model(), data, segment_cost(), truth = y, by = sex)
  by_posterior <- assess_decisions(posterior, data, segment_cost(), truth = y, by = "sex",
                                   trained_prior = c(ill = 0.3, well = 0.7))
  same <- setdiff(names(by_model$by_segment), "sex")
  expect_equal(by_posterior$by_segment[same], by_model$by_segment[same], tolerance = 1e-12)
  expect_equal(by_posterior$equal_sensitivity, by_model$equal_sensitivity, tolerance = 1e-12)
  decided <- decide(segment_model(), data, segment_cost())
  by_decision <- assess_decisions(decided, data, truth = y, by = c(sex = sex))
  expect_equal(by_decision$by_segment$cost_lower, by_model$by_segment$cost_lower)
  expect_identical(by_decision$by_segment$log_loss, c(NA_real_, NA))
  expect_null(by_decision$equal_sensitivity)
  models <- fit(bayes_naive(), y ~ x, data, by = region)
  expect_identical(
    names(assess_decisions(models, data, by = c(half = x > 0))$segments), c("FALSE", "TRUE")
  )
})

test_that("a segment that cannot be assessed does not lose the others", {
  data <- segment_cases()
  data$y[data$sex %in% "m" & data$region == "south"] <- NA
  data$y[data$sex %in% "f" & data$region == "south"] <- "well"
  expect_warning(
    found <- assess_decisions(
      segment_model(), data, segment_cost(), truth = y, by = c(sex, region)
    ),
    class = "bayesrisk_warning_missing"
  )
  expect_named(found$segments, c("f.south", "f.north", "m.north"))
  expect_identical(found$by_segment$n[[3]], 0)
  expect_identical(is.na(found$by_segment$cost), c(FALSE, FALSE, TRUE, FALSE))
  expect_identical(is.na(found$by_segment$sensitivity), c(TRUE, FALSE, TRUE, FALSE))
  expect_match(found$problems[["m.south"]], "no case to assess")
  expect_identical(is.na(found$equal_sensitivity$thresholds$threshold), c(TRUE, FALSE, TRUE, FALSE))
  expect_false(is.na(found$equal_sensitivity$extra_cost))
  expect_output(print(found), "No case of ill: \"f.south\".*m.south is not assessed: There is no")
  # A prior needs cases of each class.
  found <- suppressWarnings(assess_decisions(
    segment_model(), data, segment_cost(), truth = y, by = c(sex, region),
    prior = c(ill = 0.1, well = 0.9)
  ))
  expect_match(found$problems[["f.south"]], "no case with this truth")
  expect_identical(nrow(glance(found)), 2L)
})

test_that("a difference is that of the costs of the segment and of all others", {
  data <- segment_cases()
  found <- assess_decisions(segment_model(), data, segment_cost(), truth = y, by = c(sex, region))
  table <- found$by_segment
  # The quantile at this share of 2,000 draws leaves out 0.05 / 8 of their law, see below.
  level <- 1 - 2 * (2001 * 0.05 / 8 - 1) / 1999
  inside <- which(!is.na(data$sex))
  for (i in 1:4) {
    rows <- segment_rows(data, found, i)
    of <- function(rows) {
      assess_decisions(
        segment_model(), data[rows, ], segment_cost(), truth = y, level = level
      )
    }
    own <- of(rows)
    others <- of(setdiff(inside, rows))
    expect_equal(table$difference[[i]], own$cost - others$cost)
    # Zou and Donner (2008), equation 2
    lower <- sqrt((own$cost - own$lower)^2 + (others$upper - others$cost)^2)
    upper <- sqrt((own$upper - own$cost)^2 + (others$cost - others$lower)^2)
    expect_equal(table$lower[[i]], own$cost - others$cost - lower, tolerance = 1e-12)
    expect_equal(table$upper[[i]], own$cost - others$cost + upper, tolerance = 1e-12)
  }
  # Two segments are one comparison.
  two <- assess_decisions(segment_model(), data, segment_cost(), truth = y, by = sex)$by_segment
  expect_equal(two$lower[[1]], -two$upper[[2]])
  alone <- assess_decisions(segment_model(), data, truth = y, by = c(one = x < Inf))
  expect_identical(alone$by_segment$lower, NA_real_)
})

test_that("quantiles of draws leave out what they should, also far out", {
  withr::local_seed(1)
  for (count in c(1, 4, 40)) {
    levels <- levels_together(0.95, count, 2000)
    expect_equal(levels$each, 1 - 0.05 / count)
    # The order of draws is that of uniform numbers.
    below <- replicate(3000, stats::quantile(stats::runif(2000), (1 - levels$drawn) / 2))
    expect_equal(mean(below), 0.025 / count, tolerance = 0.03)
  }
  expect_lt(levels_together(0.95, 50)$drawn, 1)
  expect_gte(levels_together(0.95, 51)$drawn, 1)
})

test_that("the intervals of differences hold together", {
  skip_on_cran()
  # Four segments of 40 cases whose costs are alike: all differences are 0. At 95 % of 150 runs at
  # least 135 have all four intervals around 0, but for a probability of 0.004.
  cost <- cost_matrix(ill = c(ill = 0, well = 1), well = c(ill = 5, well = 0))
  held <- vapply(seq_len(150), function(seed) {
    cases <- simulate(segment_model(), 160, seed = seed)
    found <- suppressWarnings(assess_decisions(
      segment_model(), cases["x"], cost, truth = cases[[1L]],
      by = c(segment = (seq_along(x) - 1) %% 4)
    ))$by_segment
    all(found$lower <= 0 & found$upper >= 0)
  }, NA)
  expect_gte(sum(held), 135)
})

test_that("clusters in two segments, and very many segments, have no intervals of differences", {
  data <- segment_cases()
  found <- assess_decisions(
    segment_model(), data, segment_cost(), truth = y, by = sex, cluster = patient
  )
  expect_false(found$apart)
  expect_identical(found$by_segment$lower, c(NA_real_, NA))
  expect_false(anyNA(found$by_segment$difference))
  expect_output(print(found), "No segment is compared: clusters have cases in several segments")
  many <- assess_decisions(segment_model(), data, segment_cost(), truth = y, by = (patient %/% 2))
  expect_gt(nrow(many$by_segment), 50)
  expect_true(all(is.na(many$by_segment$difference)))
})
