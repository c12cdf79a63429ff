flowers <- function() transform(iris, g = Sepal.Width > 3, h = Sepal.Length > 6)

test_that("complete data without smoothing: the naive fit", {
  full <- naive(fit(bayes_full(), Species ~ ., flowers()))
  single <- fit(bayes_naive(), Species ~ ., flowers())
  for (type in c("log_prob", "log_joint")) {
    expect_within(
      predict(full, flowers(), type = type), predict(single, flowers(), type = type), 1e-12
    )
  }
  expect_equal(coef(full), coef(single), tolerance = 1e-13)
  expect_identical(full$plan, single$plan)
  expect_identical(counts(full), counts(single))
  expect_identical(nobs(full), 150)
})

test_that("smoothed cells and shrunk covariances keep their marginals", {
  full <- fit(bayes_full(laplace = 1, shrinkage = 0.3, prior = "uniform"), Species ~ ., flowers())
  view <- coef(naive(full))
  joint <- coef(full)
  expect_within(view$g, t(apply(joint$categorical, c("g", "class"), sum)), 1e-15)
  expect_within(view$h, t(apply(joint$categorical, c("h", "class"), sum)), 1e-15)
  expect_within(view$Petal.Width[, "mean"], joint$numeric$mean[, "Petal.Width"], 1e-15)
  sd <- vapply(joint$numeric$covariance, function(s) sqrt(s[["Petal.Width", "Petal.Width"]]), 1)
  expect_within(view$Petal.Width[, "sd"], sd, 1e-14)
  pooled <- fit(bayes_full(covariance = "pooled"), Species ~ ., iris)
  sd <- sqrt(diag(coef(pooled)$numeric$covariance))
  expect_within(coef(naive(pooled))$Sepal.Width[, "sd"], rep(sd[["Sepal.Width"]], 3L), 1e-14)
  expect_identical(naive(full)$parameters$prior, full$parameters$prior)
})

test_that("single features stay, of any likelihood", {
  spec <- bayes_blocks(
    list(petal = c("Petal.Length", "Petal.Width")), numeric = likelihood_kernel(), laplace = 1
  )
  model <- fit(spec, Species ~ ., flowers())
  view <- naive(model)
  same <- c("Sepal.Length", "Sepal.Width", "g", "h")
  expect_identical(coef(view)[same], coef(model)[same])
  expect_within(coef(view)$Petal.Length[, "mean"], coef(model)$petal$mean[, 1L], 1e-15)
  apart <- bayes_blocks(list(c("Petal.Length", "g2"), c("Sepal.Length", "Petal.Width")))
  both <- fit(apart, Species ~ ., transform(iris, g2 = Sepal.Width^2))
  expect_equal(
    coef(naive(both)), coef(fit(bayes_naive(), Species ~ ., transform(iris, g2 = Sepal.Width^2))),
    tolerance = 1e-12
  )
  single <- fit(bayes_naive(), Species ~ ., iris)
  expect_identical(naive(single), single)
})

test_that("a known model: the diagonal and the marginals", {
  mean <- rbind(a = c(x = 0, y = 1), b = c(2, 3))
  covariance <- list(b = matrix(c(4, 1, 1, 9), 2), a = diag(2))
  cells <- array(c(4, 1, 1, 4, 1, 4, 4, 1) / 10, c(2, 2, 2), list(
    class = c("b", "a"), g = c("u", "v"), h = c("p", "q")
  ))
  known <- bayes_known(
    c(a = 0.3, b = 0.7), xy = likelihood_gaussian(mean = mean, covariance = covariance), t = cells,
    n = likelihood_poisson(c(a = 1, b = 2))
  )
  expected <- bayes_known(
    c(a = 0.3, b = 0.7), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = c(a = 1, b = 2)),
    y = likelihood_gaussian(mean = c(a = 1, b = 3), sd = c(a = 1, b = 3)),
    g = rbind(b = c(u = 0.5, v = 0.5), a = c(0.5, 0.5)),
    h = rbind(b = c(p = 0.5, q = 0.5), a = c(0.5, 0.5)), n = likelihood_poisson(c(a = 1, b = 2))
  )
  expect_equal(coef(naive(known)), coef(expected), tolerance = 1e-15)
  expect_identical(naive(known)$schema, expected$schema)
  expect_identical(naive(known)$plan, expected$plan)
  shared <- bayes_known(
    c(a = 0.5, b = 0.5), xy = likelihood_gaussian(mean = mean, covariance = 4 * diag(2))
  )
  expect_within(coef(naive(shared))$y[, "sd"], c(2, 2), 1e-15)
  moved <- naive(update(known, prior = "uniform"))
  expect_identical(moved$parameters$prior, c(0.5, 0.5))
})

test_that("the view goes on: update, merge, drop, save", {
  full <- fit(bayes_full(), Species ~ ., flowers()[1:120, ])
  view <- naive(full)
  more <- flowers()[121:150, ]
  expect_equal(
    coef(update(view, more)), coef(fit(bayes_naive(), Species ~ ., flowers())), tolerance = 1e-12
  )
  expect_equal(
    coef(update(view, laplace = 1)),
    coef(fit(bayes_naive(laplace = 1), Species ~ ., flowers()[1:120, ])), tolerance = 1e-12
  )
  expect_named(coef(update(view, . ~ g + h)), c("prior", "g", "h"))
  path <- withr::local_tempfile(fileext = ".rds")
  saveRDS(view, path)
  expect_identical(predict(readRDS(path), more), predict(view, more))
  expect_true(is.na(logLik(view)))
  expect_identical(glance(view)$nobs, 120)
  expect_match(paste(format(view), collapse = " "), "Naive view: .* blocks numeric, categorical")
})

test_that("a file of JSON keeps the view", {
  skip_if_not_installed("jsonlite")
  view <- naive(fit(bayes_full(), Species ~ ., flowers()))
  path <- withr::local_tempfile(fileext = ".json")
  write_model_json(view, path)
  expect_identical(read_model_json(path), view)
})

test_that("classes without rows, features left out and borrowed blocks", {
  data <- transform(iris, one = 1, Species = factor(Species, c(levels(Species), "rare")))
  full <- suppressMessages(suppressWarnings(fit(bayes_full(), Species ~ ., data)))
  view <- naive(full)
  single <- suppressMessages(suppressWarnings(fit(bayes_naive(), Species ~ ., data)))
  expect_within(
    predict(view, data, type = "prob"), predict(single, data, type = "prob"), 1e-10, scale = 1
  )
  expect_equal(coef(view), coef(single), tolerance = 1e-12)
  few <- suppressWarnings(fit(bayes_full(), Species ~ ., iris[c(1:50, 51:100, 101:102), ]))
  sd <- sqrt(diag(coef(few)$numeric$covariance$virginica))
  expect_within(vapply(coef(naive(few))[-1L], function(x) x["virginica", "sd"], 1), sd, 1e-13)
  expect_identical(summary(naive(few))$features$note, rep("borrows in 1 class", 4L))
  joint <- fit(bayes_full(laplace = 1), y ~ g + h, data.frame(
    y = factor(c("a", "b"), c("a", "b")), g = c("u", "v"), h = c("p", "q")
  ))
  expect_within(coef(naive(joint))$g["a", ], c(3, 2) / 5, 1e-15)
})

test_that("what is no model is an error", {
  expect_bayesrisk_error(naive(), "argument", "must be a fitted model")
  expect_bayesrisk_error(naive(bayes_full()), "argument", "must be a fitted model")
})

test_that("the marginals of a table count cells that were not seen", {
  bank <- list(type = "joint_table", name = "t", features = 1:2, levels = c(2L, 3L))
  state <- list(
    parameters = list(
      cells = rbind(c(1L, 1L), c(2L, 3L)), log_probability = log(rbind(c(0.3, 0.3), c(0.6, 0))),
      log_unseen = log(c(0.1, 0.1))
    ),
    statistics = list(cells = rbind(c(1L, 1L), c(2L, 3L)), count = rbind(c(2, 2), c(5, 0)))
  )
  parts <- single_states(bank, state)
  expect_within(exp(parts[[1L]]$parameters$log_probability), rbind(c(0.5, 0.5), c(0.8, 0.2)), 1e-15)
  expect_within(
    exp(parts[[2L]]$parameters$log_probability), rbind(c(0.4, 0.2, 0.4), c(0.7, 0.2, 0.1)), 1e-15
  )
  expect_identical(parts[[2L]]$statistics$count, rbind(c(2, 0, 2), c(5, 0, 0)))
})

test_that("a bank of single features splits into what it was bound from", {
  model <- fit(bayes_naive(laplace = 1), Species ~ ., transform(iris, g = Sepal.Width > 3))
  expect_length(model$plan$banks, 2L)
  for (b in seq_along(model$plan$banks)) {
    state <- list(
      parameters = model$parameters$banks[[b]], statistics = model$statistics$banks[[b]]
    )
    parts <- single_states(model$plan$banks[[b]], state)
    bound <- bind_parameters(lapply(parts, `[[`, "parameters"))
    expect_identical(
      bound[setdiff(names(bound), "left_out")],
      state$parameters[setdiff(names(state$parameters), "left_out")]
    )
    expect_identical(bind_parameters(lapply(parts, `[[`, "statistics")), state$statistics)
  }
})

test_that("the exponents of joint blocks are gone, and a message says so", {
  full <- fit(bayes_full(temper = TRUE), Species ~ ., iris)
  expect_message(view <- naive(full), class = "bayesrisk_message_untempered")
  expect_null(coef(view)$temper)
  expect_equal(predict(view, iris), predict(naive(update(full, temper = NULL)), iris))
})
