# Estimated priors against closed forms, plain EM, optim() and simulation.

test_that("one binary feature has a closed form", {
  model <- bayes_known(
    c(a = 0.5, b = 0.5), g = rbind(a = c(u = 0.2, v = 0.8), b = c(0.7, 0.3))
  )
  rows <- data.frame(g = rep(c("u", "v"), c(45, 55)))
  found <- estimate_prior(model, rows)
  # 0.3 + 0.5 p is the share of v.
  expect_equal(found$prior, c(a = 0.5, b = 0.5), tolerance = 1e-9)
  value <- function(share) stats::dbinom(55, 100, share, log = TRUE)
  ends <- 0.3 + 0.5 * c(found$lower[["a"]], found$upper[["a"]])
  expect_equal(2 * (value(0.55) - value(ends)), rep(stats::qchisq(0.95, 1), 2), tolerance = 1e-5)
  expect_equal(found$log_likelihood, 55 * log(0.55) + 45 * log(0.45), tolerance = 1e-12)
  expect_lte(found$gap, 1e-7)
  # The model's prior is the estimate itself.
  expect_equal(found$test, list(statistic = 0, df = 1L, p_value = 1), tolerance = 1e-6)
  other <- estimate_prior(update(model, prior = c(a = 0.9, b = 0.1)), rows)
  expect_equal(other$prior, found$prior, tolerance = 1e-8)
  statistic <- 2 * (value(0.55) - value(0.75))
  expect_equal(other$test$statistic, statistic, tolerance = 1e-8)
  expect_equal(other$test$p_value, stats::pchisq(statistic, 1, lower.tail = FALSE))
  # More v than any prior explains.
  end <- estimate_prior(model, data.frame(g = rep(c("u", "v"), c(5, 95))))
  expect_identical(end$prior, c(a = 1, b = 0))
  expect_identical(c(end$lower[["b"]], end$upper[["a"]]), c(0, 1))
  expect_equal(
    2 * (stats::dbinom(95, 100, 0.8, log = TRUE) -
           stats::dbinom(95, 100, 0.3 + 0.5 * end$lower[["a"]], log = TRUE)),
    stats::qchisq(0.95, 1), tolerance = 1e-5
  )
})

test_that("the estimate is that of plain EM, the interval that of profiles by optimize()", {
  case <- shifted()
  found <- estimate_prior(case$model, case$rows, level = 0.9)
  l <- log_likelihood_rows(case$model, case$rows)
  expect_equal(found$prior, plain_em(l), tolerance = 1e-7)
  expect_equal(found$log_likelihood, prior_log_likelihood(l, found$prior), tolerance = 1e-12)
  for (k in 1:3) {
    for (end in c(found$lower[[k]], found$upper[[k]])) {
      deviance <- 2 * (found$log_likelihood - profile_log_likelihood(l, k, end))
      expect_equal(deviance, stats::qchisq(0.9, 1), tolerance = 1e-5)
    }
  }
  expect_identical(found$rows, c(used = 300, missing = 0, infinite = 0, impossible = 0))
})

test_that("the order of rows, threads, and weights for copies do not matter", {
  case <- shifted()
  found <- estimate_prior(case$model, case$rows)
  expect_equal(estimate_prior(case$model, case$rows[300:1, ])$prior, found$prior, tolerance = 1e-8)
  expect_identical(estimate_prior(case$model, case$rows, threads = 2), found)
  times <- rep_len(0:3, 300)
  copies <- estimate_prior(case$model, case$rows[rep(seq_len(300), times), ])
  weighted <- estimate_prior(case$model, cbind(case$rows, w = times), weights = w)
  parts <- c("prior", "lower", "upper", "log_likelihood", "test")
  expect_equal(weighted[parts], copies[parts], tolerance = 1e-6)
  expect_identical(weighted$rows[["used"]], sum(times > 0) + 0)
})

test_that("rows that say nothing are left out and counted", {
  case <- shifted()
  case$model <- bayes_known(
    c(a = 0.4, b = 0.3, c = 0.3), x = case$model$spec$features$x,
    g = rbind(a = c(u = 0.7, v = 0.3, w = 0), b = c(0.4, 0.6, 0), c = c(0.1, 0.9, 0))
  )
  wanted <- estimate_prior(case$model, case$rows)
  empty <- data.frame(x = c(NA, NA, Inf, 1), g = c(NA, NA, "u", "w"))
  expect_warning(
    expect_warning(
      found <- estimate_prior(case$model, rbind(case$rows, empty)), "left out",
      class = "bayesrisk_warning_infinite"
    ), "left out", class = "bayesrisk_warning_impossible"
  )
  expect_identical(found$rows, c(used = 300, missing = 2, infinite = 1, impossible = 1))
  parts <- c("prior", "lower", "upper", "log_likelihood")
  expect_equal(found[parts], wanted[parts], tolerance = 1e-7)
  expect_bayesrisk_error(
    estimate_prior(case$model, empty[1:2, ]), "degenerate", "2 rows: miss all features"
  )
  expect_bayesrisk_error(estimate_prior(case$model, case$rows[0, ]), "degenerate", "No row")
})

test_that("costs are those of decide() with the two priors", {
  case <- shifted()
  rows <- rbind(case$rows, data.frame(x = NA, g = NA))
  rows$loss <- seq_len(301) / 100
  costs <- list(
    cost_matrix(a = c(a = 0, b = 1, c = 9), b = c(a = 1, b = 0, c = 1), ask = 0.5),
    cost_matrix(
      a = c(a = 0, b = 1, c = Inf), b = c(a = 1, b = 0, c = 2), c = c(a = 3, b = 1, c = 0)
    ),
    cost_matrix(a = list(a = 0, b = 1, c = ~ loss), b = c(a = 1, b = 0, c = 1), c = ~ loss / 3)
  )
  for (cost in costs) {
    found <- estimate_prior(case$model, rows, cost)
    new <- decide(case$model, rows, cost, prior = found)
    old <- decide(case$model, rows, cost)
    expect_equal(found$cost_new, mean(new$cost), tolerance = 1e-10)
    kept <- as.matrix(as.data.frame(new)[paste0("cost_", levels(new$decision))])
    expect_equal(
      found$cost_kept, mean(kept[cbind(1:301, as.integer(old$decision))]), tolerance = 1e-10
    )
    expect_lt(found$cost_new, found$cost_kept)
  }
  expect_identical(estimate_prior(case$model, rows)$cost_kept, NA_real_)
  # Cases of unknown cost are left out.
  rows$loss[1:100] <- NA
  expect_warning(found <- estimate_prior(case$model, rows, cost), "100 rows",
                 class = "bayesrisk_warning_unpriced")
  new <- suppressWarnings(decide(case$model, rows, cost, prior = found))
  expect_equal(found$cost_new, mean(new$cost, na.rm = TRUE), tolerance = 1e-10)
})

test_that("every function takes the estimate as its prior", {
  skip_on_cran()
  data <- valid_data()
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, data)
  cost <- valid_cost()
  found <- estimate_prior(model, data[1:15, ])
  prior <- found$prior
  same <- function(f) expect_equal(f(found), f(prior))
  same(function(p) predict(model, data, type = "prob", prior = p))
  same(function(p) decide(model, data, cost, prior = p))
  same(function(p) decide(valid_posterior(), cost, prior = p, trained_prior = c(0.5, 0.5)))
  same(function(p) assess_decisions(model, data, cost, prior = p))
  same(function(p) bayes_risk(fit(bayes_naive(), y ~ x, data), cost, prior = p))
  same(function(p) cost_sweep(model, data[1, ], cost, prior = p, class = "a"))
  same(function(p) contributions(model, data, prior = p))
  same(function(p) update(model, prior = p))
  same(function(p) fit(bayes_naive(laplace = 1, prior = p), y ~ x + g, data))
  same(function(p) bayes_known(p, x = likelihood_gaussian(mean = c(a = 1, b = 2), sd = 1)))
  same(function(p) bayes_theorem(p, c(a = 0.2, b = 0.4)))
  same(function(p) withr::with_seed(1, cv_risk(bayes_naive(), y ~ x, data, cost, p, folds = 2)))
  same(function(p) augment(model, newdata = data, prior = p))
  broken <- found
  broken$prior <- "a"
  expect_bayesrisk_error(predict(model, data, prior = broken), "object", "prior")
  expect_bayesrisk_error(predict(model, found), "argument", "prior = found")
})

test_that("a tempered model is estimated by its tempered posterior, divided by its prior", {
  data <- overlapping()
  set.seed(1)
  tempered <- temper(fit(bayes_naive(laplace = 1), y ~ x1 + x2 + g, data), data, bias = TRUE)
  new <- overlapping()[data$y != "a" | seq_len(400) %% 4 == 0, -1]
  found <- suppressWarnings(estimate_prior(tempered, new))
  l <- predict(tempered, new, type = "log_joint") - rep(log(coef(tempered)$prior), each = nrow(new))
  expect_equal(found$prior, plain_em(l, 5000L), tolerance = 1e-6)
  expect_equal(found$log_likelihood, prior_log_likelihood(l, found$prior), tolerance = 1e-10)
  # With the estimate as their prior, the posteriors have the estimate as their mean.
  p <- predict(tempered, new, type = "prob", prior = found)
  expect_equal(colMeans(p), found$prior, tolerance = 1e-7)
  # Constants say nothing about rows without features.
  more <- suppressWarnings(estimate_prior(tempered, rbind(new, NA)))
  expect_equal(more$prior, found$prior, tolerance = 1e-8)
})

test_that("the interval covers as often as it says, under several seeds", {
  skip_on_cran()
  covered <- vapply(1:3, function(seed) {
    case <- shifted(1L, c(0.3, 0.7), 1.5)
    withr::local_seed(seed)
    mean(replicate(150, {
      y <- 1 + (stats::runif(60) < 0.7)
      rows <- data.frame(x = stats::rnorm(60, 1.5 * y), g = NA)
      found <- estimate_prior(case$model, rows)
      found$lower[["a"]] <= 0.3 && 0.3 <= found$upper[["a"]]
    }))
  }, 1)
  # Three standard errors of a share of 450, and of 150.
  expect_lt(abs(mean(covered) - 0.95), 3 * sqrt(0.95 * 0.05 / 450))
  expect_true(all(abs(covered - 0.95) < 3 * sqrt(0.95 * 0.05 / 150)))
})

test_that("difficult data have a finite answer", {
  # No overlap: the shares of the rows.
  model <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1000), sd = 1)
  )
  rows <- data.frame(x = c(0, 1, 999, 1000, 1001))
  found <- estimate_prior(model, rows)
  expect_equal(found$prior, c(a = 0.4, b = 0.6))
  expect_true(all(found$lower > 0.05, found$upper < 0.95))
  # New rows of one class.
  only <- estimate_prior(model, data.frame(x = c(0, 1)))
  expect_equal(only$prior, c(a = 1, b = 0))
  expect_equal(only$lower[["a"]], exp(-stats::qchisq(0.95, 1) / 4), tolerance = 1e-6)
  # A class without rows.
  data <- transform(iris, Species = factor(Species, c(levels(Species), "alba")))
  model <- suppressWarnings(fit(bayes_full(), Species ~ ., data))
  found <- estimate_prior(model, iris)
  expect_identical(found$prior[["alba"]], 0)
  expect_identical(found$lower[["alba"]], NA_real_)
  expect_identical(found$test$df, 2L)
  predict(model, iris, prior = found)
  # Features that do not distinguish classes leave the prior as it is.
  flat <- bayes_known(c(a = 0.3, b = 0.7), x = likelihood_gaussian(mean = c(a = 0, b = 0), sd = 1))
  found <- estimate_prior(flat, data.frame(x = 1:3))
  expect_equal(found$prior, c(a = 0.3, b = 0.7))
  expect_identical(unname(c(found$lower, found$upper)), c(0, 0, 1, 1))
})

test_that("bad arguments are classed errors", {
  skip_on_cran()
  case <- shifted()
  for (level in list(0, 1, 95, -1, "a", NA, c(0.9, 0.95))) {
    expect_bayesrisk_error(
      estimate_prior(case$model, case$rows, level = level), "argument", "level"
    )
  }
  expect_bayesrisk_error(estimate_prior(case$model), "argument", "newdata")
  expect_bayesrisk_error(
    estimate_prior(bayes_naive(), case$rows), "argument", "model of this package"
  )
  expect_bayesrisk_error(estimate_prior(case$model, case$rows["g"]), "schema", "x")
  expect_bayesrisk_error(
    estimate_prior(case$model, case$rows, weights = rep(-1, 300)), "argument", "weights"
  )
  expect_bayesrisk_error(
    estimate_prior(case$model, case$rows, zero_one_cost(c("a", "z"))), "argument", "classes"
  )
  data <- valid_data()
  groups <- fit(bayes_naive(), y ~ x, data, by = g)
  expect_bayesrisk_error(estimate_prior(groups, data), "argument", "model of a group")
})

# Estimates of a prior from posterior probabilities, and the errors of the densities.

prior_cases <- function(n, prior, seed) {
  set.seed(seed)
  y <- sample(length(prior), n, TRUE, prior)
  data.frame(y = factor(y, seq_along(prior)), a = stats::rnorm(n, 1.5 * y), b = stats::rnorm(n))
}

test_that("posteriors give the estimate of the model that made them", {
  train <- prior_cases(200, c(0.5, 0.5), 1)
  new <- prior_cases(300, c(0.8, 0.2), 2)
  model <- fit(bayes_naive(), y ~ ., train)
  posterior <- predict(model, new, type = "prob")
  cost <- zero_one_cost(c("1", "2"))
  by_model <- estimate_prior(model, new, cost)
  found <- estimate_prior(posterior, cost = cost, trained_prior = model$parameters$prior)
  expect_equal(found$prior, by_model$prior, tolerance = 1e-7)
  expect_equal(found$cost_kept, by_model$cost_kept, tolerance = 1e-9)
  expect_identical(found$rows[["used"]], 300)
  expect_identical(found$training, "not included")
  expect_identical(by_model$training, "draws")
  known <- bayes_known(
    prior = c("1" = 0.5, "2" = 0.5), a = likelihood_gaussian(mean = c("1" = 1.5, "2" = 3), sd = 1)
  )
  expect_identical(estimate_prior(known, new)$training, "known")
  bounded <- estimate_prior(posterior, trained_prior = model$parameters$prior, trained_n = 200)
  expect_identical(bounded$training, "bound")
  width <- function(x) x$upper - x$lower
  expect_true(all(width(found) < width(by_model) & width(by_model) < width(bounded)))
  # Without training error both are the same profile interval.
  endless <- estimate_prior(posterior, trained_prior = model$parameters$prior, trained_n = 1e12)
  expect_equal(endless$lower, found$lower, tolerance = 1e-6)
})

test_that("rows without a posterior are left out, weights count rows", {
  posterior <- cbind(a = c(0.9, 0.2, NA, 0.4), b = c(0.1, 0.8, NA, 0.6))
  found <- estimate_prior(posterior, trained_prior = c(a = 0.5, b = 0.5), weights = c(1, 2, 1, 0))
  twice <- estimate_prior(posterior[c(1, 2, 2), ], trained_prior = c(a = 0.5, b = 0.5))
  expect_equal(found$prior, twice$prior)
  expect_equal(found$upper, twice$upper, tolerance = 1e-6)
  expect_identical(found$rows[c("used", "missing")], c(used = 2, missing = 1))
  expect_error(estimate_prior(posterior), "trained_prior", class = "bayesrisk_error_argument")
  expect_error(
    estimate_prior(posterior, trained_prior = c(a = 0.5, b = 0.5), trained_n = "many"), "trained_n",
    class = "bayesrisk_error_argument"
  )
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_error(
    estimate_prior(model, iris, trained_n = 10), "trained_n", class = "bayesrisk_error_argument"
  )
})

# A table is as uncertain as the means of its cells, so the bound is reached.
test_that("for a table the bound of the training error is that of draws", {
  set.seed(5)
  rows <- function(n, prior) {
    y <- sample(2L, n, TRUE, prior)
    first <- stats::runif(n) < c(0.3, 0.7)[y]
    data.frame(y = factor(y), f = factor(ifelse(first, "u", "v"), c("u", "v")))
  }
  train <- rows(300, c(0.5, 0.5))
  new <- rows(20000, c(0.7, 0.3))
  model <- fit(bayes_naive(), y ~ f, train)
  drawn <- estimate_prior(model, new)
  counts <- table(train$y)
  bounded <- estimate_prior(
    predict(model, new, type = "prob"), trained_prior = model$parameters$prior,
    trained_n = c(counts)
  )
  width <- function(x) (x$upper - x$lower)[[1L]]
  # The variance of 100 draws has a standard error of 14 %.
  expect_equal(width(drawn), width(bounded), tolerance = 0.2)
})

test_that("intervals of the prior cover, and tests have their size, with 100 training rows", {
  skip_on_cran()
  runs <- vapply(1:300, function(run) {
    even <- c(0.5, 0.5)
    model <- quietly(fit(bayes_naive(prior = even), y ~ ., prior_cases(100, even, run)))
    found <- quietly(estimate_prior(model, prior_cases(1000, c(0.8, 0.2), 1000 + run)))
    same <- quietly(estimate_prior(model, prior_cases(1000, even, 2000 + run)))
    posterior <- predict(model, prior_cases(1000, c(0.8, 0.2), 1000 + run), type = "prob")
    bounded <- estimate_prior(posterior, trained_prior = even, trained_n = 100)
    covers <- function(x) x$lower[[1L]] <= 0.8 && 0.8 <= x$upper[[1L]]
    c(covers(found), same$test$p_value < 0.05, covers(bounded))
  }, c(NA, NA, NA))
  # Three standard errors about .95 and .05; without the training error they are .54 and .3.
  expect_gt(mean(runs[1L, ]), 0.912)
  expect_lt(mean(runs[2L, ]), 0.088)
  # The bound covers at least as often as the level says.
  expect_gt(mean(runs[3L, ]), 0.95)
})

test_that("the errors of the densities are found in every part and in the first chunks", {
  train <- prior_cases(100, c(0.5, 0.5), 1)
  model <- fit(bayes_naive(), y ~ ., train)
  new <- prior_cases(4000, c(0.8, 0.2), 2)
  whole <- estimate_prior(model, new)
  pieces <- split(new, rep(1:50, each = 80))
  for (found in list(
    estimate_prior(model, data_parts(pieces)), estimate_prior(model, chunked(new, 500))
  )) {
    # Other rows are sampled, so the ends differ a little.
    expect_equal(found$lower, whole$lower, tolerance = 0.05)
    expect_equal(found$upper, whole$upper, tolerance = 0.05)
  }
})

# New rows in clusters whose shares of the classes differ.
clustered_cases <- function(clusters, rows, share, seed) {
  set.seed(seed)
  of_cluster <- stats::rbeta(clusters, 2.3 * share, 2.3 * (1 - share))
  y <- 2 - (stats::runif(clusters * rows) < rep(of_cluster, each = rows))
  data.frame(x = stats::rnorm(clusters * rows, 2 * y), id = rep(seq_len(clusters), each = rows))
}

known_pair <- bayes_known(
  c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 2, b = 4), sd = 1)
)

test_that("with clusters the deviance is that of the covariance of their sums", {
  rows <- clustered_cases(12, 10, 0.7, 1)
  found <- estimate_prior(known_pair, rows, cluster = id)
  alone <- estimate_prior(known_pair, rows)
  expect_equal(found$prior, alone$prior)
  expect_identical(c(found$clusters, alone$clusters), c(12L, 0L))
  expect_match(printed(found), "From 120 rows of 12 clusters.", fixed = TRUE, all = FALSE)
  density <- cbind(stats::dnorm(rows$x, 2), stats::dnorm(rows$x, 4))
  mixture <- function(p) p * density[, 1L] + (1 - p) * density[, 2L]
  ratio <- function(p) {
    slope <- (density[, 1L] - density[, 2L]) / mixture(p)
    12 * stats::var(c(rowsum(slope, rows$id))) / sum(slope^2)
  }
  value <- function(p) sum(log(mixture(p)))
  limit <- stats::qt(0.975, 11)^2 * ratio(found$prior[["a"]])
  for (end in c(found$lower[["a"]], found$upper[["a"]])) {
    expect_equal(2 * (value(found$prior[["a"]]) - value(end)), limit, tolerance = 1e-4)
  }
  statistic <- alone$test$statistic / ratio(0.5)
  expect_equal(found$test$statistic, statistic, tolerance = 1e-6)
  # Hotelling's statistic of one number is the square of Student's.
  expect_equal(found$test$p_value, 2 * stats::pt(-sqrt(statistic), 11), tolerance = 1e-6)
})

test_that("clusters are labels of any type, of models and of posteriors", {
  rows <- clustered_cases(5, 8, 0.7, 1)
  rows$label <- factor(letters[rows$id], rev(letters))
  found <- estimate_prior(known_pair, rows, cluster = id)
  expect_equal(estimate_prior(known_pair, rows[40:1, ], cluster = label), found, tolerance = 1e-6)
  posterior <- predict(known_pair, rows, type = "prob")
  of_posterior <- estimate_prior(
    posterior, trained_prior = c(a = 0.5, b = 0.5), cluster = rows$label
  )
  expect_equal(of_posterior[c("prior", "lower", "test")], found[c("prior", "lower", "test")],
               tolerance = 1e-6)
  one <- estimate_prior(known_pair, rows, cluster = rep(1, 40))
  expect_identical(unname(c(one$lower, one$upper)), rep(NA_real_, 4L))
  expect_identical(one$test$p_value, NA_real_)
  expect_bayesrisk_error(estimate_prior(known_pair, rows, cluster = 1:3), "argument", "cluster")
  expect_bayesrisk_error(
    estimate_prior(known_pair, rows, cluster = replace(id, 3, NA)), "argument", "missing"
  )
})

test_that("intervals of the prior cover, and tests have their size, with clusters", {
  skip_on_cran()
  runs <- vapply(1:200, function(run) {
    rows <- clustered_cases(30, 10, 0.7, run)
    even <- clustered_cases(30, 10, 0.5, 1000 + run)
    covers <- function(x) x$lower[[1L]] <= 0.7 && 0.7 <= x$upper[[1L]]
    c(
      covers(estimate_prior(known_pair, rows, cluster = id)),
      covers(estimate_prior(known_pair, rows)),
      estimate_prior(known_pair, even, cluster = id)$test$p_value < 0.05
    )
  }, c(NA, NA, NA))
  # Three standard errors about .95 and .05.
  expect_gt(mean(runs[1L, ]), 0.904)
  expect_lt(mean(runs[2L, ]), 0.85)
  expect_lt(mean(runs[3L, ]), 0.096)
})
