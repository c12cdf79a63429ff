# One test for each policy on difficult input.

test_that("levels and columns are matched by name, a missing column is named", {
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, mixed())
  moved <- transform(mixed()[4:1], g = factor(g, c("v", "u")), extra = 1i)
  expect_identical(posterior(model, moved), posterior(model, mixed()))
  expect_bayesrisk_error(predict(model, moved["x"]), "schema", "newdata.*no column.*g")
})

test_that("columns are categorical, numeric or an error; a kind stays what it was", {
  for (g in list(as.Date(1:8, "1970-01-01"), as.list(1:8), 1:8 + 0i, as.raw(1:8))) {
    data <- mixed()
    data$g <- g
    expect_bayesrisk_error(fit(bayes_naive(), y ~ g, data), "data", "g")
  }
  model <- fit(bayes_naive(), y ~ x, mixed())
  expect_bayesrisk_error(predict(model, data.frame(x = "1")), "schema", "x is categorical.*numeric")
})

test_that("a level that is declared but never seen is smoothed, or has probability 0", {
  declared <- transform(tokens(), g = factor(g, c("w", "v", "u", "never")))
  never <- data.frame(g = "never")
  smoothed <- fit(bayes_naive(laplace = 1), y ~ g, declared)
  expected <- c(2 / 6 / 6, 4 / 6 / 8)
  expect_equal(as.vector(posterior(smoothed, never)), expected / sum(expected), tolerance = 1e-14)
  plain <- fit(bayes_naive(), y ~ g, declared)
  expect_identical(as.vector(predict(plain, never, type = "log_likelihood")), c(-Inf, -Inf))
})

test_that("an unknown level is left out for its row, with one warning that counts", {
  model <- fit(bayes_naive(), y ~ g, tokens())
  expect_warning(answer <- posterior(model, data.frame(g = c("new", "v", "newer"))),
                 "2 rows.*g", class = "bayesrisk_warning_unknown_level")
  expect_equal(unname(answer), rbind(c(2, 4) / 6, c(1, 2) / 3, c(2, 4) / 6), tolerance = 1e-15)
})

test_that("a missing feature leaves the rest of its row in the fit", {
  gaps <- transform(tokens(), x = c(1, 2, NA, 4, NaN, 7))
  model <- fit(bayes_naive(variance = "ml", numeric = NULL), y ~ g, gaps)
  expect_equal(model$parameters$prior, c(2, 4) / 6, tolerance = 1e-15)
  gaps$g[1] <- NA
  counted <- fit(bayes_naive(), y ~ g, gaps)
  expect_equal(counted$parameters$prior, c(2, 4) / 6, tolerance = 1e-15)
  expect_equal(exp(counted$parameters$banks[[1]]$log_probability[2, ]), c(0, 2, 1) / 3,
               tolerance = 1e-15)
})

test_that("a joint block skips a row that misses any of its features", {
  numbers <- transform(mixed(), x = replace(x, 2, NA))
  skipped <- fit(bayes_full(), y ~ x + z, numbers)$parameters
  complete <- fit(bayes_full(), y ~ x + z, mixed()[-2, ])$parameters
  expect_equal(skipped$banks, complete$banks, tolerance = 1e-14)
  expect_equal(skipped$prior, c(5, 3) / 8, tolerance = 1e-15)
})

test_that("a missing feature is marginalised exactly at prediction", {
  model <- fit(bayes_full(), y ~ x + z, mixed())
  joint <- vapply(split(mixed(), mixed()$y), function(part) {
    nrow(part) * dnorm(2.5, mean(part$z), sd(part$z))
  }, 1)
  answer <- posterior(model, data.frame(x = NA, z = 2.5))
  expect_equal(answer[1, ], joint / sum(joint), tolerance = 1e-13)
  expect_equal(as.vector(posterior(model, data.frame(x = NA, z = NA))), c(5, 3) / 8,
               tolerance = 1e-15)
})

test_that("a class that misses or is infinite, and an infinite feature, are errors that count", {
  expect_bayesrisk_error(fit(bayes_naive(), y ~ x, transform(mixed(), y = replace(y, 2:3, NA))),
                         "data", "y.*2 rows")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ x, transform(mixed(), y = c(1, Inf))), "data",
                         "y.*4 rows")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ x, transform(mixed(), x = replace(x, 1, -Inf))),
                         "data", "x.*1 row")
})

test_that("Inf, and what no class allows, give a row of NA and one warning", {
  model <- fit(bayes_naive(), y ~ x, tails())
  expect_warning(answer <- posterior(model, data.frame(x = c(Inf, 5, -Inf))), "2 rows",
                 class = "bayesrisk_warning_infinite")
  expect_equal(unname(answer), rbind(c(NA, NA), c(0.5, 0.5), c(NA, NA)), tolerance = 1e-15)
  expect_false(any(is.nan(answer)))
  crossed <- fit(bayes_naive(), y ~ ., transform(tokens(), h = g))
  rows <- data.frame(g = c("u", "v"), h = c("w", "v"))
  expect_warning(answer <- posterior(crossed, rows), "1 row",
                 class = "bayesrisk_warning_impossible")
  expect_true(all(is.na(answer[1, ])) && !any(is.nan(answer)))
  expect_equal(as.vector(answer[2, ]), c(1, 2) / 3 * c(0.5, 0.5) / 0.5, tolerance = 1e-15)
  expect_true(is.na(suppressWarnings(predict(crossed, rows))[1]))
})

test_that("what one class does not allow has posterior exactly 0 there", {
  model <- fit(bayes_naive(), y ~ g, tokens())
  expect_identical(unname(posterior(model, data.frame(g = "u"))), matrix(c(0, 1), 1))
  expect_identical(unname(predict(model, data.frame(g = "u"), type = "log_prob")),
                   matrix(c(-Inf, 0), 1))
})

test_that("constants, singular covariances and small classes are one error with a remedy", {
  constant <- transform(mixed(), x = 1, w = z)
  naive <- bayes_naive(degenerate = "stop")
  full <- bayes_full(degenerate = "stop")
  expect_bayesrisk_error(fit(naive, y ~ x + z, constant), "degenerate",
                         "class \"a\".*x.*class \"b\".*min_variance")
  expect_bayesrisk_error(fit(full, y ~ z + w, constant), "degenerate",
                         "rank 1 of 2.*shrinkage")
  expect_bayesrisk_error(fit(naive, y ~ z, mixed()[1:6, ]), "degenerate",
                         "class \"b\" .*1 .*z.*variance = \"ml\"")
})

test_that("a class without rows is kept with prior and posterior 0, and said once (T4)", {
  data <- transform(tails(), y = factor(y, c("A", "none", "B")))
  for (spec in list(bayes_naive(), bayes_full(), bayes_full(covariance = "pooled"))) {
    expect_message(model <- fit(spec, y ~ x, data), "none", class = "bayesrisk_message_empty_class")
    answer <- posterior(model, data.frame(x = c(0, 5)))
    expect_identical(answer[, "none"], c(0, 0))
    expect_equal(answer[2, c("A", "B")], c(A = 0.5, B = 0.5), tolerance = 1e-15)
    expect_identical(levels(predict(model, data)), c("A", "none", "B"))
    expect_bayesrisk_error(predict(model, data, prior = c(A = 0.3, none = 0.3, B = 0.4)),
                           "argument", "prior.*none")
  }
})

test_that("the class comes back as a factor of all training levels", {
  levels_of <- function(y) {
    model <- fit_xy(bayes_naive(), tails()["x"], y)
    levels(predict(model, data.frame(x = 0)))
  }
  expect_identical(levels_of(factor(tails()$y, c("B", "A"))), c("B", "A"))
  expect_identical(levels_of(rep(c(10L, 9L), each = 3)), c("9", "10"))
  expect_identical(levels_of(rep(c(TRUE, FALSE), each = 3)), c("FALSE", "TRUE"))
  expect_identical(levels_of(rep(c("b", "A"), each = 3)), c("A", "b"))
})

test_that("one class only: a column of ones (T5)", {
  model <- one_class(fit(bayes_naive(), y ~ x, tails()[1:3, ]))
  expect_identical(posterior(model, data.frame(x = c(0, 1e5, NA))),
                   matrix(1, 3, 1, dimnames = list(NULL, "A")))
})

test_that("priors are matched by name, or are in level order, and sum to 1 within 1e-8 (P1)", {
  model <- fit(bayes_naive(), y ~ x, tails())
  middle <- data.frame(x = 5)
  answer <- function(prior) as.vector(posterior(model, middle, prior = prior))
  expect_equal(answer(c(B = 0.75, A = 0.25)), c(0.25, 0.75), tolerance = 1e-15)
  expect_equal(answer(c(0.25, 0.75)), c(0.25, 0.75), tolerance = 1e-15)
  expect_equal(answer("uniform"), c(0.5, 0.5), tolerance = 1e-15)
  expect_equal(sum(answer(c(0.25, 0.75 + 5e-9))), 1, tolerance = 1e-15)
  far <- posterior(model, data.frame(x = 10), prior = c(1, 0))
  expect_identical(unname(far), matrix(c(1, 0), 1))
  wrong <- list(c(-0.1, 1.1), c(0.5, NA), c(Inf, 0), c(0.5, 0.6), 1, c(0.2, 0.3, 0.5), "A",
                c(A = 0.5, C = 0.5), c(0.25, 0.75 + 1e-7))
  for (prior in wrong) {
    expect_bayesrisk_error(answer(prior), "argument", "prior")
    expect_bayesrisk_error(fit(bayes_naive(prior = prior), y ~ x, tails()), "argument", "prior")
  }
})

test_that("tiny priors count for what they are, and a prior may be 0 (P1, P4)", {
  model <- fit(bayes_naive(), y ~ x, tails())
  score <- predict(model, data.frame(x = c(40, 80)), type = "log_joint",
                   prior = c(A = 1, B = 1e-300))
  expect_equal(score[, "B"] - score[, "A"], c(-340.77552789821371, 59.224472101786295),
               tolerance = 1e-14)
  many <- c(.08, .14, .03, .16, .11, .16, .07, .14, .11, 0)
  data <- data.frame(y = rep(0:9, each = 2), x = 1:20)
  expect_equal(fit(bayes_naive(prior = many), y ~ x, data)$parameters$prior, many,
               tolerance = 1e-15)
})

test_that("ties take the first class or action, and leave the random state alone (P6)", {
  withr::local_seed(1)
  before <- .Random.seed
  model <- fit(bayes_naive(), y ~ x, transform(tails(), y = factor(y, c("B", "A"))))
  expect_identical(as.character(predict(model, data.frame(x = rep(5, 20)))), rep("B", 20))
  cost <- cost_matrix(wait = c(A = 1, B = 0), act = c(A = 0, B = 1))
  expect_identical(as.character(predict(model, data.frame(x = 5), cost = cost)), "wait")
  expect_identical(.Random.seed, before)
})

test_that("reject is an action like any other", {
  model <- fit(bayes_naive(), y ~ x, tails())
  cost <- zero_one_cost(c("A", "B"), reject = 0.2)
  decisions <- predict(model, data.frame(x = c(0, 5, 10)), cost = cost)
  expect_identical(as.character(decisions), c("A", "reject", "B"))
  expect_equal(unname(predict(model, data.frame(x = 5), cost = cost, type = "cost")),
               matrix(c(0.5, 0.5, 0.2), 1))
})

test_that("an infinite cost counts unless the class is impossible", {
  cost <- cost_matrix(go = c(b = Inf, a = 0), stop = c(b = 1, a = 1))
  model <- fit(bayes_naive(), y ~ g, tokens())
  rows <- data.frame(g = c("u", "v"))
  expect_identical(as.character(predict(model, rows, cost = cost)), c("go", "stop"))
  expect_identical(unname(predict(model, rows, cost = cost, type = "cost")),
                   cbind(c(0, Inf), c(1, 1)))
  far <- fit(bayes_naive(), y ~ x, transform(tails(), y = rep(c("a", "b"), each = 3)))
  expect_identical(unname(posterior(far, data.frame(x = -100))), matrix(c(1, 0), 1))
  expect_identical(as.character(predict(far, data.frame(x = -100), cost = cost)), "stop")
  both <- unwise_cost(go = c(b = Inf, a = 0), run = c(b = Inf, a = 0))
  expect_identical(as.character(predict(model, data.frame(g = "v"), cost = both)), "go")
})

test_that("a cost names the classes of the model", {
  expect_bayesrisk_error(cost_matrix(go = c(a = 1, b = 2), stop = c(a = 1, B = 2)), "argument",
                         "B|b")
  model <- fit(bayes_naive(), y ~ g, tokens())
  mistyped <- cost_matrix(go = c(a = 1, c = 2), stop = c(a = 2, c = 1))
  expect_bayesrisk_error(predict(model, tokens(), cost = mistyped), "argument", "c")
})

test_that("fitting and predicting change no data, options, state or files (R1, R2, R14)", {
  skip_on_cran()
  withr::local_seed(3)
  data <- mixed()
  data$n <- 1:8
  numbers <- as.matrix(data[c("x", "z", "n")])
  second <- numbers
  state <- function() {
    list(.Random.seed, options(), getwd(), Sys.getlocale(), nrow(showConnections()), search(),
         dir(tempdir()), dev.list())
  }
  before <- state()
  bytes <- serialize(list(data, numbers), NULL)
  model <- fit(bayes_full(laplace = 1, shrinkage = 0.5), y ~ ., data)
  update(merge(model, model), data)
  predict(model, data, cost = zero_one_cost(c("a", "b")))
  predict(fit_xy(bayes_naive(), numbers, data$y), second, type = "both")
  expect_identical(state(), before)
  expect_identical(serialize(list(data, numbers), NULL), bytes)
})

test_that("a fit after a fit, and a prediction after a prediction, are identical", {
  model <- fit(bayes_naive(laplace = 1), y ~ ., mixed())
  copy <- unserialize(serialize(model, NULL))
  for (type in types_of_any_model()) predict(model, mixed(), type = type)
  expect_identical(model, copy)
  expect_identical(fit(bayes_naive(laplace = 1), y ~ ., mixed()), model)
  expect_identical(fit(bayes_naive(laplace = 1), y ~ ., mixed(), threads = 2), model)
})

test_that("the citation of the package has a year", {
  expect_match(utils::citation("bayesrisk")$year, "^20[0-9]{2}$")
})
