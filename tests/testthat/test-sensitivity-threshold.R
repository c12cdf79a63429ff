ocr <- function() {
  bayes_known(
    prior = c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  )
}

letter_cost <- function(miss) cost_matrix(a = c(a = 0, b = miss), b = c(a = 1, b = 0))

test_that("miss to false alarm: the thresholds of the lecture", {
  posterior <- function(miss) {
    decision_threshold(cost = cost_matrix(
      alarm = c(fire = 0, none = 1), quiet = c(fire = miss, none = 0)
    ))$posterior
  }
  expect_within(vapply(10^(0:3), posterior, 1), 1 / c(2, 11, 101, 1001), 1e-15)
})

test_that("letters: ratio, posterior, log odds and cut, by the cost of a miss", {
  for (miss in c(1, 3, 5, 10)) {
    threshold <- decision_threshold(letter_cost(miss), object = ocr())
    expect_s3_class(threshold, "bayesrisk_threshold")
    expect_named(
      threshold,
      c("action", "class", "posterior", "likelihood_ratio", "log_odds", "cut", "feature")
    )
    expect_identical(c(threshold$action, threshold$class), c("a", "a"))
    expect_within(threshold$likelihood_ratio, miss / 3, 1e-15)
    expect_within(threshold$posterior, miss / (miss + 1), 1e-15)
    expect_within(threshold$log_odds, log(miss), 1e-15)
    expect_within(threshold$cut, 20 + 1.6 * log(3 / miss), 1e-14)
  }
})

test_that("basketball: break-even at a prior of 2/19 means a ratio of 8.5", {
  shares <- c(NBA = 2 / 19, R = 17 / 19)
  threshold <- decision_threshold(cost = zero_one_cost(c("NBA", "R")), prior = shares)
  expect_within(threshold$likelihood_ratio, 8.5, 1e-14)
  expect_within(threshold$posterior, 0.5, 1e-15)
  expect_null(threshold$cut)
  expect_true("cut" %in% names(threshold))
})

test_that("a cost that is right of neither zero nor one (Elkan 2001)", {
  cost <- cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = -2))
  threshold <- decision_threshold(cost = cost)
  expect_within(threshold$posterior, 6 / 55, 1e-15)
  expect_identical(threshold$likelihood_ratio, NA_real_)
  # At the threshold both cost the same.
  p <- threshold$posterior
  expect_within(p + 4 * (1 - p), 50 * p - 2 * (1 - p), 1e-14)
  # The classes in another order: the same class, the same threshold.
  other <- cost_matrix(treat = c(healthy = 4, ill = 1), wait = c(healthy = -2, ill = 50))
  expect_identical(decision_threshold(cost = other)[c("class", "posterior")],
                   threshold[c("class", "posterior")])
  prior <- c(ill = 0.2, healthy = 0.8)
  expect_within(decision_threshold(cost = other, prior = prior)$likelihood_ratio, 6 / 49 * 4, 1e-15)
  expect_identical(
    decision_threshold(cost = cost, prior = prior)$likelihood_ratio,
    decision_threshold(cost = other, prior = prior)$likelihood_ratio
  )
})

test_that("the decision by the threshold is that of predict(), for random costs", {
  skip_on_cran()
  set.seed(8)
  for (i in 1:300) {
    cells <- matrix(sample(c(-2, 0, 1, 3, 7, Inf), 4, TRUE, c(1, 2, 2, 1, 1, 0.3)), 2,
                    dimnames = list(c("u", "v"), c("a", "b")))
    threshold <- decision_threshold(cost = new_cost(cells))
    p <- c(0.05123, 0.30123, 0.61123, 0.97123)
    posterior <- if (threshold$class == "a") p else 1 - p
    costs <- cells %*% rbind(p, 1 - p)
    margin <- costs["v", ] - costs["u", ]
    margin[is.nan(margin)] <- 0
    first <- posterior > threshold$posterior
    clear <- margin != 0 & !is.nan(margin)
    expect_identical(first[clear], unname(margin > 0)[clear])
    # Equal costs: the first action.
    if (all(margin == 0)) expect_true(all(first))
  }
})

test_that("an action that is always or never taken", {
  always <- decision_threshold(cost = unwise_cost(u = c(a = 0, b = 1), v = c(a = 1, b = 2)))
  expect_identical(unlist(always[3:5]), c(posterior = -Inf, likelihood_ratio = NA, log_odds = -Inf))
  never <- decision_threshold(
    cost = unwise_cost(u = c(a = 1, b = 2), v = c(a = 0, b = 1)), prior = c(a = 0.5, b = 0.5)
  )
  expect_identical(unlist(never[3:5]), c(posterior = Inf, likelihood_ratio = Inf, log_odds = Inf))
  expect_identical(format(always), "u is always decided")
  expect_identical(format(never), "u is never decided")
  equal <- decision_threshold(cost = unwise_cost(u = c(a = 1, b = 2), v = c(a = 1, b = 2)))
  expect_identical(equal$posterior, -Inf)
  ruled_out <- decision_threshold(cost = cost_matrix(u = c(a = 0, b = Inf), v = c(a = 1, b = 0)))
  expect_identical(ruled_out$posterior, 1)
  certain <- decision_threshold(cost = letter_cost(2), prior = c(a = 0, b = 1))
  expect_identical(certain$likelihood_ratio, Inf)
})

test_that("only an object with one feature, a number, has cuts; all of them", {
  cost <- cost_matrix(buy = c(no = 1, yes = 0), pass = c(no = 0, yes = 3))
  tennis <- fit(bayes_naive(), play ~ wind, play_tennis)
  expect_null(decision_threshold(cost, object = tennis)$cut)
  wide <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 0), sd = c(a = 1, b = 2))
  )
  cut <- decision_threshold(letter_cost(1), object = wide)$cut
  # x^2 (1 - 1/4) / 2 = log(2).
  expect_within(cut, c(-1, 1) * sqrt(8 / 3 * log(2)), 1e-15)
  expect_identical(
    decision_threshold(ocr(), letter_cost(1), "uniform")$cut,
    decision_threshold(ocr(), letter_cost(1), c(b = 0.5, a = 0.5))$cut
  )
})

test_that("a threshold prints as sentences", {
  expect_snapshot(decision_threshold(letter_cost(5), object = ocr()))
  alone <- decision_threshold(
    cost = cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0))
  )
  expect_match(format(alone), "probability of ill exceeds 0.07547")
})

test_that("more or fewer than two are pointed elsewhere", {
  expect_refusals(
    "cost & 3 actions & 3 classes" = decision_threshold(cost = zero_one_cost(levels(iris$Species))),
    "cost & 3 actions & 2 classes" =
      decision_threshold(cost = zero_one_cost(c("a", "b"), reject = 0.1)),
    "cost & no class" = decision_threshold(cost = flat_cost(a = 1, b = 2)),
    "cost & setosa & versicolor & virginica & a" =
      decision_threshold(letter_cost(1), object = iris_naive())
  )
  expect_error(decision_threshold(), class = "bayesrisk_error_argument")
})

test_that("any argument gives a threshold or an error that is meant", {
  is_threshold <- function(x) inherits(x, "bayesrisk_threshold")
  fixed <- list(cost = letter_cost(2), object = ocr())
  for (arg in c("cost", "prior", "object")) {
    expect_fuzz_proof(decision_threshold, arg, fixed, is_threshold)
  }
  expect_fuzz_proof(decision_threshold, "prior", fixed["cost"], is_threshold)
})

test_that("costs near the largest number do not overflow", {
  size <- 1e308
  of <- function(miss, alarm) {
    decision_threshold(cost = cost_matrix(
      alarm = c(fire = -miss, none = alarm), quiet = c(fire = miss, none = -alarm)
    ))
  }
  expect_within(of(size, size)$posterior, 0.5, 1e-15)
  expect_within(of(size, size / 4)$posterior, 0.2, 1e-15)
  expect_within(of(size, size / 4)$log_odds, -log(4), 1e-15)
  expect_within(of(1e-300, 3e-300)$posterior, 0.75, 1e-15)
})

test_that("the ends of histograms, beyond which there is no decision, are no cuts", {
  data <- data.frame(y = rep(c("a", "b"), each = 4), x = c(.5, 1.5, 1.6, 2.5, 2.5, 2.6, .1, 2.9))
  model <- fit(bayes_naive(numeric = likelihood_histogram(breaks = 0:3)), y ~ x, data)
  cost <- zero_one_cost(c("a", "b"))
  expect_identical(decision_regions(model)$decision, factor(c(NA, "a", "b", NA), c("a", "b")))
  expect_identical(decision_threshold(cost, object = model)$cut, 2)
})

test_that("a model alone has 0-1 cost", {
  threshold <- decision_threshold(ocr())
  expect_identical(threshold, decision_threshold(ocr(), zero_one_cost(ocr())))
  expect_identical(threshold$posterior, 0.5)
  # Lecture "Unit III": the cut of equal variances, 20 + 16 log(3) / 10.
  expect_within(threshold$cut, 20 + 1.6 * log(3), 1e-12)
  expect_identical(threshold$feature, "pixels")
  expect_match(format(threshold), "pixels = 21.76", all = FALSE)
  expect_match(format(threshold), "decision_regions()", fixed = TRUE, all = FALSE)
  expect_within(decision_threshold(ocr(), prior = "uniform")$cut, 20, 1e-12)
})

test_that("without a cost a model needs two classes, and without a model a cost is needed", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  expect_bayesrisk_error(decision_threshold(model), "argument", "`object` has 3")
  expect_bayesrisk_error(decision_threshold(), "argument", "`cost` must be made by")
  expect_null(decision_threshold(cost = zero_one_cost(c("a", "b")))$feature)
})

test_that("there is no cut where there are no regions", {
  withr::local_seed(1)
  data <- data.frame(y = rep(c("a", "b"), 50), x = rgamma(100, rep(c(2, 4), 50)))
  model <- fit(bayes_naive(numeric = likelihood_gamma(), temper = TRUE), y ~ x, data)
  expect_error(decision_regions(model), class = "bayesrisk_error_argument")
  found <- decision_threshold(model)
  expect_identical(found$posterior, 0.5)
  expect_null(found$cut)
})
