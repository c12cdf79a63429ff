# Stability against the same sums by R, from the draws.

stable_model <- function() {
  fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris[c(1:9, 51:62, 101:110), ])
}

# The decisions that are not `now`.
setdiff_of <- function(decisions, now) decisions[decisions != now]

test_that("shares, savings and intervals are those of the draws", {
  model <- stable_model()
  new <- iris[c(1, 60, 71, 110, 120, 150), ]
  cost <- cost_matrix(
    a = c(setosa = 0, versicolor = 2, virginica = 6),
    b = c(setosa = 3, versicolor = 0, virginica = 4),
    c = c(setosa = 5, versicolor = 2, virginica = 0)
  )
  found <- decision_stability(model, new, cost, n = 300, seed = 7)
  draws <- simulate_parameters(model, 300, seed = 7)
  prob <- simplify2array(lapply(draws, function(m) predict(m, new, type = "prob")))
  costs <- apply(prob, 3L, function(p) p %*% t(unclass(cost)[1:3, ]), simplify = FALSE)
  decisions <- sapply(draws, function(m) as.character(predict(m, new, cost = cost)))
  now <- as.character(predict(model, new, cost = cost))
  expect_equal(as.character(found$decision), now)
  expect_equal(found$stays, rowMeans(decisions == now))
  saving <- rowMeans(sapply(costs, function(m) {
    m[cbind(seq_along(now), match(now, c("a", "b", "c")))] - apply(m, 1L, min)
  }))
  expect_equal(found$saving, unname(saving), tolerance = 1e-10)
  others <- lapply(seq_along(now), function(i) {
    table(factor(setdiff_of(decisions[i, ], now[[i]]), c("a", "b", "c")))
  })
  expect_equal(found$runner_up_share, vapply(others, max, 1) / 300)
  expect_equal(
    as.character(found$runner_up),
    vapply(others, function(n) if (max(n) > 0) names(n)[[which.max(n)]] else NA_character_, "")
  )
  interval <- apply(prob, c(1L, 2L), stats::quantile, c(0.025, 0.975))
  limits <- attr(found, "intervals")
  expect_equal(limits$lower, interval[1L, , ], tolerance = 1e-10, ignore_attr = TRUE)
  expect_equal(limits$upper, interval[2L, , ], tolerance = 1e-10, ignore_attr = TRUE)
  expect_equal(found$probability, apply(predict(model, new, type = "prob"), 1L, max),
               ignore_attr = TRUE)
})

test_that("costs by case, missing values, kernels and tempering count", {
  skip_on_cran()
  data <- valid_data()
  data$x[3] <- NA
  spec <- bayes_naive(laplace = 1, features = list(z = likelihood_kernel()))
  model <- fit(spec, y ~ x + g + z, data)
  cost <- cost_matrix(pay = list(a = ~ n, b = 0), refuse = c(a = 0, b = 2))
  found <- decision_stability(model, data, cost, n = 60, seed = 2)
  draws <- simulate_parameters(model, 60, seed = 2)
  decisions <- sapply(draws, function(m) as.character(predict(m, data, cost = cost)))
  now <- as.character(predict(model, data, cost = cost))
  expect_equal(found$stays, rowMeans(decisions == now))
  expect_output(print(found), "as estimated: z")
  tempered <- suppressMessages(temper(model, data, folds = 4, bias = TRUE))
  skip_if(is.null(coef(tempered)$temper))
  found <- decision_stability(tempered, data, n = 60, seed = 2, class = "a")
  draws <- simulate_parameters(tempered, 60, seed = 2)
  prob <- sapply(draws, function(m) predict(m, data, type = "prob")[, "a"])
  expect_equal(found$lower, apply(prob, 1L, stats::quantile, 0.025), ignore_attr = TRUE)
})

test_that("threads and the number of rows do not change a row", {
  model <- stable_model()
  many <- iris[rep(1:150, 10), ]
  one <- decision_stability(model, many, n = 50)
  expect_identical(decision_stability(model, many, n = 50, threads = 2), one)
  expect_equal(one$stays[1:150], decision_stability(model, iris, n = 50)$stays)
})

test_that("a case without a decision has NA, and a given prior is known", {
  model <- stable_model()
  new <- data.frame(Sepal.Length = c(5, Inf), Sepal.Width = 3)
  found <- suppressWarnings(decision_stability(model, new, n = 20))
  expect_true(all(is.na(unlist(found[2, c("stays", "saving", "lower", "upper")]))))
  nothing <- data.frame(Sepal.Length = NA_real_, Sepal.Width = NA_real_)
  given <- decision_stability(
    model, nothing, prior = c(setosa = 0.2, versicolor = 0.5, virginica = 0.3), n = 20
  )
  expect_equal(c(given$lower, given$upper, given$stays), c(0.5, 0.5, 1))
  expect_lt(decision_stability(model, nothing, n = 200)$stays, 1)
})

test_that("the result prints, is a data frame, and takes its arguments", {
  found <- decision_stability(stable_model(), iris, n = 20)
  expect_output(print(found), "stability of 150 decisions under 20 draws")
  expect_equal(class(as.data.frame(found)), "data.frame")
  expect_output(print(found[found$stays < 1, ]))
  expect_error(
    decision_stability(stable_model(), iris, class = "rose"), class = "bayesrisk_error_argument"
  )
  expect_error(
    decision_stability(stable_model(), zero_one_cost(c("a", "b"))), class = "bayesrisk_error"
  )
})

test_that("95 % intervals of a class probability hold the true one in 95 % of samples", {
  skip_on_cran()
  world <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1.5), sd = 1),
    w = likelihood_gaussian(mean = c(a = 0, b = 1), sd = c(a = 1, b = 1.5))
  )
  cases <- data.frame(x = c(-0.5, 0.8, 2), w = c(0.5, 1, 2))
  truth <- predict(world, cases, type = "prob")[, "b"]
  runs <- 300
  for (seed in 1:2) {
    covered <- vapply(seq_len(runs), function(i) {
      model <- fit(bayes_naive(), class ~ x + w, simulate(world, 100, seed = 1000 * seed + i))
      found <- decision_stability(model, cases, n = 400, seed = i, class = "b")
      truth >= found$lower & truth <= found$upper
    }, logical(3L))
    # four standard errors of a share of 300 runs are 0.05
    expect_lt(max(abs(rowMeans(covered) - 0.95)), 0.05)
  }
})
