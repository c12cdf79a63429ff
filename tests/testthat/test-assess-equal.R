# A second implementation, from the definitions.

# The decisions for `class` from a threshold on, otherwise for the most probable other class.
threshold_decisions <- function(p, class, at) {
  others <- p[, colnames(p) != class, drop = FALSE]
  other <- colnames(others)[max.col(others, "first")]
  ifelse(p[, class] >= at, class, other)
}

weighted_share <- function(hit, w) sum(w[hit]) / sum(w)

# list(cost, sensitivity) of a threshold.
at_threshold <- function(p, truth, class, cost, w, at) {
  decided <- threshold_decisions(p, class, at)
  own <- truth == class
  list(
    cost = stats::weighted.mean(cost[cbind(decided, truth)], w),
    sensitivity = weighted_share(decided[own] == class, w[own])
  )
}

least_cost_threshold <- function(p, truth, class, cost, w) {
  at <- c(Inf, sort(unique(p[, class]), decreasing = TRUE))
  costs <- vapply(at, function(t) at_threshold(p, truth, class, cost, w, t)$cost, 1)
  at[which(costs <= min(costs) + 1e-12)[[1L]]]
}

reaching_threshold <- function(p, truth, class, cost, w, level) {
  at <- c(Inf, sort(unique(p[, class]), decreasing = TRUE))
  reached <- vapply(at, function(t) at_threshold(p, truth, class, cost, w, t)$sensitivity, 1)
  at[which(reached >= level - 1e-12)[[1L]]]
}

equal_world <- function(seed, rows = 90) {
  withr::local_seed(seed)
  p <- matrix(round(stats::rexp(3 * rows), 1) + 0.05, rows, dimnames = list(NULL, letters[1:3]))
  p <- p / rowSums(p)
  data <- data.frame(
    truth = apply(p, 1L, function(x) sample(letters[1:3], 1L, prob = x)),
    g = c(NA, rep_len(c("u", "v", "v", "w"), rows - 1L)), weight = stats::runif(rows)
  )
  list(p = p, data = data, cost = cost_matrix(
    a = c(a = 0, b = 1, c = 4), b = c(a = 2, b = 0, c = 3), c = c(a = 1, b = 2, c = 0), ask = 0.2
  ))
}

test_that("thresholds and costs are those of a second implementation, also with weights", {
  for (seed in 1:6) {
    world <- equal_world(seed)
    data <- world$data
    level <- if (seed > 3L) 0.7
    w <- if (seed %% 2L) rep(1, nrow(data)) else data$weight
    found <- suppressWarnings(assess_decisions(
      world$p, data, world$cost, truth = truth, by = g, class = "c", weights = w,
      sensitivity = level, interval = "none"
    ))$equal_sensitivity
    cost <- unclass(world$cost)
    common <- least_cost_threshold(world$p, data$truth, "c", cost, w)
    expect_identical(found$threshold, common)
    now <- at_threshold(world$p, data$truth, "c", cost, w, common)
    expect_equal(found$common_cost, now$cost, tolerance = 1e-12)
    level <- if (is.null(level)) now$sensitivity else level
    expect_equal(found$sensitivity, level, tolerance = 1e-12)
    own <- rep(common, nrow(data))
    for (i in 1:3) {
      rows <- which(data$g == c("u", "v", "w")[[i]])
      of <- function(f, ...) f(world$p[rows, ], data$truth[rows], "c", cost, w[rows], ...)
      expected <- of(reaching_threshold, level)
      row <- found$thresholds[i, ]
      expect_identical(row$threshold, expected)
      expect_equal(unlist(row[c("cost", "sensitivity")]), unlist(of(at_threshold, expected)),
                   tolerance = 1e-12)
      expect_equal(unname(unlist(row[c("common_cost", "common_sensitivity")])),
                   unname(unlist(of(at_threshold, common))), tolerance = 1e-12)
      expect_equal(row$n, sum(w[rows]))
      own[rows] <- expected
    }
    all <- at_threshold(world$p, data$truth, "c", cost, w, own)
    expect_equal(found$cost, all$cost, tolerance = 1e-12)
    expect_equal(found$extra_cost, all$cost - now$cost, tolerance = 1e-12)
  }
})

test_that("the thresholds are those of tune_threshold()", {
  data <- segment_cases()
  data <- data[!is.na(data$sex), ]
  p <- predict(segment_model(), data, type = "prob")
  cost <- segment_cost()
  found <- assess_decisions(segment_model(), data, cost, truth = y, by = sex)$equal_sensitivity
  common <- tune_threshold(p, data, y, cost = cost, class = "ill")
  expect_equal(found$threshold, common$threshold, tolerance = 1e-14)
  level <- common$measures$estimate[common$measures$measure == "sensitivity"]
  expect_equal(found$sensitivity, level)
  for (i in 1:2) {
    rows <- data$sex == c("f", "m")[[i]]
    rule <- tune_threshold(
      p[rows, ], data[rows, ], y, cost = cost, class = "ill", metric = "specificity",
      at_least = c(sensitivity = level)
    )
    expect_equal(found$thresholds$threshold[[i]], rule$threshold, tolerance = 1e-14)
    expect_equal(found$thresholds$cost[[i]], rule$measures$estimate[[1]])
    # A rule that decides by it has the stated cost.
    decided <- decide(p[rows, ], cost = cost, rule = rule)
    assessed <- assess_decisions(decided, truth = data$y[rows])
    expect_equal(found$thresholds$cost[[i]], assessed$cost)
  }
})

test_that("segments without the class, or without another, and thresholds that are never reached", {
  p <- cbind(
    ill = c(0.9, 0.6, 0.4, 0.2, 0.8, 0.7, 0.1), well = c(0.1, 0.4, 0.6, 0.8, 0.2, 0.3, 0.9)
  )
  data <- data.frame(
    y = c("ill", "well", "ill", "well", "ill", "ill", "well"), g = rep(c("a", "b", "c"), c(4, 2, 1))
  )
  cost <- cost_matrix(ill = c(ill = 0, well = 1), well = c(ill = 5, well = 0))
  found <- assess_decisions(p, data, cost, truth = y, by = g)$equal_sensitivity
  # All four ill cases, at the cost of one well case.
  expect_identical(found$threshold, 0.4)
  expect_identical(found$sensitivity, 1)
  expect_identical(found$thresholds$threshold, c(0.4, 0.7, NA))
  expect_identical(found$thresholds$extra_cost, c(0, 0, NA))
  expect_identical(found$extra_cost, 0)
  expect_identical(found$thresholds$common_sensitivity, c(1, 1, NA))
  none <- assess_decisions(p, data, cost, truth = y, by = g, sensitivity = 0)$equal_sensitivity
  expect_identical(none$thresholds$threshold, c(Inf, Inf, NA))
  expect_equal(none$extra_cost, (4 * 5 - 1) / 7)
  # No case of the class at all
  well <- assess_decisions(p, transform(data, y = "well"), cost, truth = y, by = g, class = "ill")
  expect_null(well$equal_sensitivity)
})

test_that("without an action for each class there are no thresholds", {
  data <- segment_cases()
  cost <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 20, well = 0))
  found <- assess_decisions(segment_model(), data, cost, truth = y, by = sex)
  expect_null(found$equal_sensitivity)
  expect_refusals(
    "sensitivity & action & ill" =
      assess_decisions(segment_model(), data, cost, truth = y, by = sex, sensitivity = 0.9),
    "sensitivity & probabilities" = assess_decisions(
      decide(segment_model(), data, segment_cost()), data, truth = y, by = sex, sensitivity = 0.9
    )
  )
})
