# Cross-validation of models of groups against fits to the rows outside of each fold.

cv_birds <- function() {
  data <- birds(240)
  data$fold <- rep(1:4, 60)
  data
}

# The posteriors of held-out rows, by a fit without each fold of each group.
held_out <- function(spec, formula, data, pool) {
  posterior <- matrix(NA_real_, nrow(data), nlevels(data$y))
  for (region in levels(data$region)) {
    for (fold in unique(data$fold)) {
      out <- data$region == region & data$fold == fold
      models <- fit(spec, formula, data[!out, ], by = region, pool = pool)
      posterior[out, ] <- predict(models, data[out, ], type = "prob")
    }
  }
  posterior
}

test_that("the rows of a fold are decided by the pooled model of the other rows", {
  data <- cv_birds()
  formula <- y ~ kind + size + eggs
  spec <- bayes_naive(laplace = 1, features = list(eggs = likelihood_poisson()))
  cost <- cost_matrix(yes = c(yes = 0, no = 3), no = c(yes = 1, no = 0))
  for (pool in list(0, 4, list(size = Inf, kind = 2, "(class)" = 7))) {
    found <- cv_risk(
      spec, formula, data, cost, folds = fold, by = region, pool = pool, interval = "folds"
    )
    posterior <- held_out(spec, formula, data, pool)
    colnames(posterior) <- levels(data$y)
    decision <- as.character(decide(posterior, cost)$decision)
    own <- unclass(cost)[cbind(decision, as.character(data$y))]
    by_group <- attr(found, "by_group")
    expect_equal(by_group$cost, c(tapply(own, data$region, mean)), ignore_attr = TRUE)
    expect_equal(found$cost, mean(own))
    expect_equal(found$error, mean(decision != data$y))
    error <- tapply(own, data$region, stats::sd) / sqrt(tapply(own, data$region, length))
    share <- prop.table(table(data$region))
    expect_equal(attr(found, "cost_error"), sqrt(sum(share^2 * error^2)), tolerance = 1e-10)
  }
})

test_that("without pooling each group is cross-validated alone", {
  data <- cv_birds()
  candidates <- list(naive = bayes_naive(laplace = 1), full = bayes_full(laplace = 1))
  found <- cv_risk(candidates, y ~ eggs + size, data, folds = fold, by = region)
  for (region in levels(data$region)) {
    alone <- cv_risk(candidates, y ~ eggs + size, data[data$region == region, ], folds = fold)
    own <- attr(found, "by_group")
    own <- own[own$region == region, names(alone)]
    expect_equal(own$cost, alone$cost)
    expect_equal(own$difference, alone$difference)
  }
  expect_s3_class(found, "bayesrisk_cv")
  expect_identical(found$candidate, c("naive", "full"))
  expect_snapshot(print(found))
})

test_that("small groups, `.` and sources", {
  withr::local_seed(5)
  data <- cv_birds()[1:90, c("region", "kind", "size", "y")]
  data <- data[data$region != "west" | cumsum(data$region == "west") <= 4, ]
  found <- cv_risk(bayes_naive(laplace = 1), y ~ ., data, by = region, pool = TRUE)
  expect_identical(nrow(attr(found, "by_group")), 3L)
  expect_false(anyNA(found$cost))
  chunks <- data_parts(list(data[1:40, ], data[41:nrow(data), ]))
  withr::local_seed(5)
  expect_equal(cv_risk(bayes_naive(laplace = 1), y ~ ., chunks, by = region, pool = TRUE), found,
               ignore_attr = TRUE)
})

test_that("exponents of pooled groups are those of their held-out rows", {
  data <- cv_birds()
  formula <- y ~ kind + size + eggs
  spec <- bayes_naive(laplace = 1)
  models <- fit(spec, formula, data, by = region, pool = 6)
  tempered <- temper(models, data, folds = fold)
  for (region in names(models)) {
    own <- data$region == region
    lost <- function(power) {
      loss <- 0
      for (fold in 1:4) {
        out <- own & data$fold == fold
        model <- fit(spec, formula, data[!out, ], by = region, pool = 6)[[region]]
        joint <- predict(model, data[out, ], type = "joint")
        prior <- rep(log(coef(model)$prior), each = sum(out))
        score <- prior + power * (log(joint) - prior)
        p <- exp(score - log(rowSums(exp(score))))
        loss <- loss - sum(log(p[cbind(seq_len(sum(out)), as.integer(data$y[out]))]))
      }
      loss / sum(own)
    }
    power <- tempered[[region]]$parameters$temper$power[[1]]
    found <- tempered[[region]]$parameters$temper$loss
    expect_equal(found[[2]], lost(power), tolerance = 1e-8)
    expect_equal(found[[1]], lost(1), tolerance = 1e-8)
  }
})

test_that("bad calls are named", {
  data <- cv_birds()
  spec <- bayes_naive(laplace = 1)
  expect_error(
    cv_risk(spec, y ~ size, data, pool = TRUE), class = "bayesrisk_error_argument"
  )
  expect_error(
    cv_risk(spec, y ~ size, data, by = region, cluster = year), class = "bayesrisk_error_argument"
  )
  one <- rbind(data[data$region != "west", ], data[data$region == "west", ][1, ])
  expect_error(
    cv_risk(spec, y ~ size, one, by = region, pool = 3), "west", class = "bayesrisk_error_data"
  )
})

test_that("bins are those of all groups, of each candidate its own", {
  data <- cv_birds()
  candidates <- list(
    width = bayes_naive(numeric = likelihood_histogram(width = 1, laplace = 1), laplace = 1),
    breaks = bayes_naive(numeric = likelihood_histogram(breaks = c(-9, 0, 9), laplace = 1))
  )
  for (pool in list(0, 3)) {
    found <- cv_risk(candidates, y ~ size, data, folds = fold, by = region, pool = pool)
    for (name in names(candidates)) {
      # The bins of all rows.
      breaks <- fit(candidates[[name]], y ~ size, data, by = region)
      edges <- sort(unique(unlist(coef(breaks[[1]])$size[c("from", "to")])))
      spec <- bayes_naive(numeric = likelihood_histogram(breaks = edges, laplace = 1))
      own <- cv_risk(spec, y ~ size, data, folds = fold, by = region, pool = pool)
      expect_equal(found$cost[found$candidate == name], own$cost)
    }
  }
})

test_that("a given prior, and rows that miss a feature of one candidate", {
  data <- cv_birds()
  lacks <- data[!(data$region == "west" & data$y == "yes"), ]
  spec <- bayes_naive(laplace = 1, prior = c(no = 0.5, yes = 0.5))
  expect_false(anyNA(cv_risk(spec, y ~ size, lacks, by = region, pool = 4)$cost))
  data$eggs[data$region == "west"] <- NA
  expect_error(
    cv_risk(
      bayes_naive(), list(a = y ~ size, b = y ~ size + eggs), data, by = region, pool = 2,
      na.action = na.omit
    ), NA
  )
})

test_that("a key with the name of a column of the result is an error before the work", {
  data <- transform(cv_birds(), cost = region)
  expect_bayesrisk_error(
    cv_risk(bayes_naive(), y ~ size, data, by = cost), "argument", "columns of its own named `?cost"
  )
  found <- cv_risk(bayes_naive(), y ~ size, data, by = c(place = cost))
  expect_identical(names(attr(found, "by_group")), c("place", names(found)))
})
