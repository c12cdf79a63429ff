# A second implementation, from the formulas of the papers.
p_value <- function(n, sum, alpha, binomial) {
  if (n == 0) return(1)
  if (binomial) return(stats::pbinom(sum, n, alpha))
  mean <- min(sum / n, alpha)
  h <- (if (mean > 0) mean * log(mean / alpha) else 0) + (1 - mean) * log((1 - mean) / (1 - alpha))
  min(1, exp(-n * h), exp(1) * stats::pbinom(ceiling(sum - 1e-9), n, alpha))
}

# The sizes that are tested, with the errors that they allow, and the first one.
test_sizes <- function(n, alpha, delta, binomial) {
  p <- function(k, c) p_value(k, c, alpha, binomial)
  sizes <- NULL
  for (k in ceiling((1:50) * n / 50)) {
    passing <- Filter(function(c) p(k, c) <= delta, 0:floor(k * alpha))
    if (!length(passing)) next
    c <- max(passing)
    k <- min(Filter(function(k) p(k, c) <= delta, seq_len(k)))
    if (is.null(sizes) || k > max(sizes[, 1])) sizes <- rbind(sizes, c(k, c))
  }
  last <- max(sizes[, 1])
  if (last < n) {
    most <- max(Filter(function(c) p(n, c) <= delta, 0:(n * alpha)))
    sizes <- rbind(sizes, c(n, most))
  }
  power <- stats::pbinom(sizes[, 2], sizes[, 1], alpha * sizes[, 1] / n)
  list(size = sizes[, 1], start = which.max(power))
}

threshold_by_hand <- function(score, cost, alpha, delta, binomial) {
  tried <- test_sizes(length(score), alpha, delta, binomial)
  best <- -Inf
  for (k in tried$size[tried$start:length(tried$size)]) {
    at <- sort(score)[[k]]
    own <- cost[score <= at]
    if (p_value(length(own), sum(own), alpha, binomial) > delta) break
    best <- at
  }
  best
}

# Cases of two or three classes with posteriors that are right.
believed_cases <- function(n, classes = 2, sharp = 3) {
  p <- matrix(stats::rexp(n * classes)^sharp, n, dimnames = list(NULL, letters[seq_len(classes)]))
  p <- p / rowSums(p)
  truth <- apply(p, 1L, function(x) sample(colnames(p), 1L, prob = x))
  list(p = p, truth = truth)
}

test_that("the rule is that of a second implementation", {
  for (seed in 1:6) {
    w <- withr::with_seed(seed, believed_cases(200))
    found <- guarantee(w$p, truth = w$truth, bound = 0.15, delta = 0.1)
    score <- apply(w$p, 1L, min)
    wrong <- as.numeric(colnames(w$p)[max.col(w$p)] != w$truth)
    expect_equal(found$groups$threshold, threshold_by_hand(score, wrong, 0.15, 0.1, TRUE))
    expect_identical(found$test, "binomial")

    w <- withr::with_seed(seed, believed_cases(200, 3))
    values <- rbind(a = c(a = 0, b = 2, c = 3), b = c(1, 0, 4), c = c(2, 1, 0))
    cost <- as_cost_matrix(values, rows = "decision")
    found <- guarantee(w$p, truth = w$truth, cost = cost, bound = 1, delta = 0.1)
    expected <- w$p %*% t(values)
    action <- apply(expected, 1L, which.min)
    paid <- values[cbind(action, match(w$truth, letters))] / 4
    by_hand <- threshold_by_hand(apply(expected, 1L, min), paid, 1 / 4, 0.1, FALSE)
    expect_equal(found$groups$threshold, by_hand)
    expect_identical(found$test, "Hoeffding-Bentkus")
    points <- found$points
    sums <- points$cost * points$decided * 200 / 4
    by_hand <- Map(p_value, round(points$decided * 200), sums, 1 / 4, FALSE)
    expect_equal(points$p_value, unlist(by_hand), tolerance = 1e-12)
  }
})

test_that("the binomial test keeps its digits", {
  w <- withr::with_seed(1, believed_cases(20000, sharp = 1))
  found <- guarantee(w$p, truth = w$truth, bound = 0.3)$points
  found <- found[found$p_value > 1e-280, ]
  errors <- found$cost * found$decided * 20000
  expect_lt(min(found$p_value), 1e-200)
  expect_equal(
    log(found$p_value), stats::pbinom(errors, found$decided * 20000, 0.3, log.p = TRUE),
    tolerance = 1e-9
  )
})

test_that("groups have a rule each, with a share of delta", {
  w <- withr::with_seed(3, believed_cases(600))
  data <- data.frame(g = rep(c("u", "v", "w"), each = 200), h = 1)
  rule <- guarantee(w$p, data, w$truth, bound = 0.15, by = c(g, h))
  for (i in 1:3) {
    own <- data$g == c("u", "v", "w")[[i]]
    alone <- guarantee(w$p[own, ], truth = w$truth[own], bound = 0.15, delta = 0.05 / 3)
    expect_identical(unlist(rule$groups[i, -(1:2)]), unlist(alone$groups))
  }
  decided <- decide(w$p, newdata = data, rule = rule)
  expect_equal(
    as.vector(tapply(decided$decision != "refer", data$g, mean)), rule$groups$decided
  )
  computed <- guarantee(w$p, data, w$truth, bound = 0.15, by = substr(g, 1, 1))
  expect_identical(computed$groups$threshold, rule$groups$threshold)
  # A group that the sample lacks, and a missing one, are referred.
  data$g[1:2] <- c("new", NA)
  expect_warning(others <- decide(w$p, newdata = data, rule = rule), "2 cases of no group",
                 class = "bayesrisk_warning_groups")
  expect_true(all(others$decision[1:2] == "refer"))
  expect_output(print(rule), "in each of 3 groups is at most 0.15")
  # A case of the sample without a group does not count.
  data$g <- rep(c("u", "v", NA), each = 200)
  expect_warning(
    some <- guarantee(w$p, data, w$truth, bound = 0.15, by = g, delta = 0.1 / 3), "200 cases",
    class = "bayesrisk_warning_missing"
  )
  expect_identical(some$groups$threshold, rule$groups$threshold[1:2])
  data$cost <- data$g
  expect_error(guarantee(w$p, data, w$truth, bound = 0.15, by = cost), "named cost",
               class = "bayesrisk_error_argument")
})

test_that("a score of its own, thresholds of its own, and those of other cases", {
  w <- withr::with_seed(4, believed_cases(400))
  data <- data.frame(doubt = apply(w$p, 1L, min))
  plain <- guarantee(w$p, truth = w$truth, bound = 0.15)
  scored <- guarantee(w$p, data, w$truth, bound = 0.15, order = 2 * doubt)
  expect_equal(scored$groups$threshold, 2 * plain$groups$threshold)
  expect_equal(scored$groups$decided, plain$groups$decided)
  expect_identical(decide(w$p, newdata = data, rule = scored)$decision,
                   decide(w$p, rule = plain)$decision)

  grid <- guarantee(w$p, truth = w$truth, bound = 0.15, grid = c(0.02, 0.05, 0.1, 0.5))
  expect_identical(grid$points$threshold, c(0.02, 0.05, 0.1, 0.5))
  expect_true(grid$points$tested[[1]])
  expect_warning(
    strict <- guarantee(w$p, truth = w$truth, bound = 0.15, grid = c(0, 0.1)), "cannot pass",
    class = "bayesrisk_warning_strict"
  )
  expect_identical(strict$groups$threshold, -Inf)
  expect_identical(strict$fewest, 19)
  expect_error(guarantee(w$p, data, w$truth, bound = 0.15, order = rank(doubt)),
               "depends on other rows", class = "bayesrisk_error_data")
  expect_error(guarantee(w$p, data, w$truth, bound = 0.15, by = cut(doubt, 3)),
               "depends on other rows", class = "bayesrisk_error_data")

  same <- guarantee(w$p, truth = w$truth, bound = 0.15, grid = w$p)
  expect_equal(same$groups, plain$groups)
  other <- withr::with_seed(5, believed_cases(1000))$p
  tried <- guarantee(w$p, truth = w$truth, bound = 0.15, grid = other)
  expect_true(all(tried$points$threshold %in% apply(other, 1L, min)))
})

test_that("a print without a rule has the threshold that did not pass", {
  w <- withr::with_seed(8, believed_cases(300))
  none <- guarantee(w$p, truth = rev(w$truth), bound = 0.15)
  tested <- none$points[none$points$tested, ]
  expect_identical(none$groups$threshold, -Inf)
  expect_identical(nrow(tested), 1L)
  said <- gsub("\\s+", " ", paste(utils::capture.output(print(none, digits = 3)), collapse = " "))
  expect_match(said, sprintf(
    "began with %s of the sample decided, with a share of errors of %s: p = %s is above 0.05",
    percent_text(tested$decided), format(tested$cost, digits = 3),
    format(tested$p_value, digits = 3)
  ), fixed = TRUE)
})

test_that("infinite costs end the tests, and are said not to be promised", {
  w <- withr::with_seed(6, believed_cases(400))
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0), refer = 0.4)
  w$p[w$p < 0.01] <- 0
  w$p <- w$p / rowSums(w$p)
  w$truth[w$p[, "a"] == 1] <- "a"
  rule <- guarantee(w$p, truth = w$truth, cost = cost, bound = 0.3)
  expect_gt(rule$groups$decided, 0)
  expect_output(print(rule), "Infinite costs are not part of the promise")
  # A case of infinite cost among those that cost least.
  w$truth[w$p[, "a"] == 1][[1]] <- "b"
  rule <- guarantee(w$p, truth = w$truth, cost = cost, bound = 0.3)
  expect_identical(rule$groups$threshold, -Inf)
  expect_output(print(rule), "action\\s+of\\s+every\\s+case\\s+is\\s+\"refer\"")
})

test_that("costs by case need their largest one", {
  w <- withr::with_seed(7, believed_cases(500))
  data <- data.frame(amount = seq(1, 10, length.out = 500))
  cost <- cost_matrix(a = list(a = 0, b = ~ amount), b = c(a = 1, b = 0))
  expect_error(guarantee(w$p, data, w$truth, cost, bound = 1), "`max_cost` is needed",
               class = "bayesrisk_error_argument")
  rule <- guarantee(w$p, data, w$truth, cost, bound = 1, max_cost = 10)
  decided <- decide(w$p, newdata = data, rule = rule)
  kept <- decided$decision != "refer"
  paid <- ifelse(decided$decision == "a", ifelse(w$truth == "b", data$amount, 0), w$truth == "a")
  expect_equal(mean(kept), rule$groups$decided)
  expect_equal(mean(paid[kept]), rule$groups$cost)
  other <- cost_matrix(a = list(a = 0, b = ~ amount / 9), b = c(a = 1, b = 0))
  expect_error(decide(w$p, other, newdata = data, rule = rule), "another one than the cost",
               class = "bayesrisk_error_argument")
  expect_error(guarantee(w$p, data, w$truth, cost, bound = 1, max_cost = 10, grid = w$p),
               "must be numbers if costs differ by case", class = "bayesrisk_error_argument")
  expect_error(guarantee(w$p, data, w$truth, cost, bound = 1, max_cost = 5),
               "more than `max_cost`, 5", class = "bayesrisk_error_argument")
})

test_that("bad arguments are errors that name them", {
  w <- withr::with_seed(8, believed_cases(50))
  fails <- function(..., says) {
    expect_error(guarantee(w$p, truth = w$truth, ...), says, class = "bayesrisk_error_argument")
  }
  fails(says = "`bound` is missing")
  fails(bound = 0, says = "above 0 and below the largest cost, 1")
  fails(bound = 1, says = "above 0 and below the largest cost, 1")
  fails(bound = 0.1, delta = 1, says = "`delta` must be between 0 and 1")
  fails(bound = 0.1, max_cost = 0.5, says = "a cost is 1")
  fails(bound = 0.1, grid = c(0.2, 0.1), says = "increasing")
  fails(bound = 0.1, grid = numeric(), says = "increasing")
  fails(bound = 0.1, grid = "train", says = "increasing")
  fails(bound = 0.1, refer = "a", says = "which is a class")
  fails(bound = 0.1, refer = "", says = "name of an action")
  fails(bound = 0.1, by = g, says = "`data` is needed")
  fails(bound = 0.1, refer = c("x", "y"), says = "`refer` must be one string")
  gains <- utility_matrix(a = c(a = 1, b = 0), b = c(a = 0, b = 1))
  fails(cost = gains, bound = 0.1, says = "negative costs")
  only <- cost_matrix(refer = c(a = 0, b = 0))
  fails(cost = only, bound = 0.1, says = "no action but")
  rule <- guarantee(w$p, truth = w$truth, bound = 0.3)
  expect_error(decide(w$p, prior = "uniform", trained_prior = "uniform", rule = rule),
               "do not go together", class = "bayesrisk_error_argument")
  expect_error(decide(w$p, capacity = c(a = 3), rule = rule), "do not go together",
               class = "bayesrisk_error_argument")
  model <- valid_models()$naive
  rule <- guarantee(model, valid_data(), bound = 0.9)
  expect_error(decide(model, valid_data(), rule = rule, estimate = "predictive"),
               "`estimate` and a", class = "bayesrisk_error_argument")
  human <- cost_matrix(a = c(a = 0, b = 1), b = c(a = 1, b = 0), human = 0.2)
  expect_message(guarantee(w$p, truth = w$truth, cost = human, bound = 0.3), "refer = \"human\"",
                 class = "bayesrisk_message_referral")
  w$truth[1:3] <- NA
  expect_warning(guarantee(w$p, truth = w$truth, bound = 0.3), "3 cases without a truth",
                 class = "bayesrisk_warning_missing")
  w$truth[] <- NA
  expect_error(guarantee(w$p, truth = w$truth, bound = 0.3), "No case has",
               class = "bayesrisk_error_argument")
})

test_that("few cases promise nothing", {
  w <- withr::with_seed(9, believed_cases(20))
  rule <- guarantee(w$p, truth = w$truth, bound = 0.05)
  expect_identical(rule$groups$threshold, -Inf)
  expect_identical(nrow(rule$points), 0L)
  expect_true(all(decide(w$p, rule = rule)$decision == "refer"))
})

test_that("a rule breaks its bound at most as often as it says", {
  skip_on_cran()
  # The mean cost is just above the bound at every threshold: each rule that is found is wrong.
  flat <- function(n, mean) {
    p <- stats::runif(n, 0.5, 1)
    p <- cbind(a = p, b = 1 - p)
    list(p = p, truth = ifelse(stats::runif(n) < mean, "b", "a"))
  }
  wrong <- withr::with_seed(10, replicate(600, {
    w <- flat(150, 0.1001)
    guarantee(w$p, truth = w$truth, bound = 0.1, delta = 0.1)$groups$threshold > -Inf
  }))
  expect_lt(mean(wrong), 0.1 + 2.6 * sqrt(0.1 * 0.9 / 600))
  # It rises through the bound.
  broken <- withr::with_seed(11, replicate(600, {
    p <- stats::runif(200, 0.5, 1)
    truth <- ifelse(stats::runif(200) < 0.6 * (1 - p), "b", "a")
    found <- guarantee(cbind(a = p, b = 1 - p), truth = truth, bound = 0.1, delta = 0.1)
    at <- found$groups$threshold
    # The mean of .6 (1 - p) for 1 - p up to the threshold.
    is.finite(at) && 0.3 * at > 0.1
  }))
  expect_lt(mean(broken), 0.1 + 2.6 * sqrt(0.1 * 0.9 / 600))
})
