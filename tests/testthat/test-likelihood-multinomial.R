# Formulas: scikit-learn's MultinomialNB and ComplementNB (helper-bags.R); the bank of cases.

new_mails <- function() dense(mails(7L, seed = 2)$words)

test_that("probabilities and scores are those of MultinomialNB", {
  data <- mails()
  x <- dense(data$words)
  for (laplace in c(1, 0.25, 1e-10)) {
    model <- fit(bayes_text(laplace = laplace), y ~ words, data)
    expected <- multinomial_log(x, data$y, laplace)
    expect_within(coef(model)$words, exp(expected), 1e-12)
    expect_within(scores(model, data), x %*% t(expected), 1e-12)
    expect_within(
      scores(model, list(words = new_mails()), "log_joint"),
      new_mails() %*% t(expected) + rep(log(1 / 3), each = 7), 1e-12
    )
    own <- (x %*% t(expected))[cbind(seq_along(data$y), as.integer(data$y))]
    expect_within(as.double(logLik(model)), sum(own) + 60 * log(1 / 3), 1e-12)
  }
  expect_identical(attr(logLik(model), "df"), 2 + 3 * 11)
})

test_that("a weight is that many copies of a row", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words, data, weights = weight)
  expected <- multinomial_log(dense(data$words), data$y, 1, data$weight)
  expect_within(coef(model)$words, exp(expected), 1e-12)
  copied <- fit(bayes_text(), y ~ words, data[rep(1:60, 2 * data$weight), ])
  doubled <- fit(bayes_text(), y ~ words, data, weights = 2 * weight)
  expect_within(coef(doubled)$words, coef(copied)$words, 1e-15)
})

test_that("weights are those of ComplementNB; the prior is added", {
  data <- mails()
  x <- dense(data$words)
  for (normalise in c(FALSE, TRUE)) {
    expected <- complement_log(x, data$y, 1, normalise)
    model <- fit(bayes_text("complement", normalise = normalise), y ~ words, data)
    expect_within(coef(model)$words, expected, 1e-12)
    expect_within(scores(model, data), x %*% t(expected), 1e-12)
    expect_within(scores(model, data, "log_joint"), x %*% t(expected) + log(1 / 3), 1e-12)
    expect_identical(as.double(logLik(model)), NA_real_)
  }
})

test_that("X1: three documents about China, one about Japan (Manning et al. 2008, table 13.1)", {
  words <- rbind(c(1, 2, 0, 0, 0, 0), c(0, 2, 0, 0, 1, 0), c(0, 1, 0, 1, 0, 0), c(0, 1, 1, 0, 0, 1))
  colnames(words) <- c("Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo")
  model <- fit(bayes_text(), words, c("Y", "Y", "Y", "N"))
  new <- rbind(c(Chinese = 3, Tokyo = 1, Japan = 1))
  p <- predict(model, new, type = "prob")
  expect_within(p[, "Y"], 4782969 / 6934265, 1e-14)
})

test_that("X5: probabilities and posteriors as fractions, with one Laplace for all words", {
  model <- fit(bayes_text(), cbind(u = c(1, 1), v = c(0, 1)), c("a", "b"))
  expect_within(coef(model)$terms, c(2 / 3, 1 / 2, 1 / 3, 1 / 2), 1e-15)
  p <- predict(model, cbind(u = c(1, 1), v = c(0, 1)), type = "prob")
  expect_within(p, c(4 / 7, 8 / 17, 3 / 7, 9 / 17), 1e-15)
})

test_that("X9: counts beyond integers are neither lost nor NA", {
  counts <- cbind(u = c(1e9L, 1e9L, 1e9L, 0L), v = c(1L, 1L, 1L, 1L))
  model <- fit(bayes_text(laplace = 0), counts, c("a", "a", "a", "b"))
  expect_within(coef(model)$terms["a", "u"], 1e9 / (1e9 + 1), 1e-15)
})

test_that("X10: a document without words has the prior, with any smoothing", {
  data <- mails()[-1, ]
  for (laplace in 0:1) {
    model <- fit(bayes_text(laplace = laplace), y ~ words, data)
    p <- predict(model, list(words = 0 * new_mails()), type = "prob")
    expect_within(p, rep(c(20, 19, 20) / 59, each = 7), 1e-15)
  }
})

test_that("X11: a class without any word borrows or is an error; smoothing makes it uniform", {
  counts <- cbind(u = c(2, 1, 0), v = c(1, 0, 0), w = c(0, 1, 0))
  y <- c("a", "a", "b")
  smooth <- fit(bayes_text(), counts, y)
  expect_within(coef(smooth)$terms["b", ], rep(1 / 3, 3), 1e-15)
  expect_bayesrisk_error(
    fit(bayes_text(laplace = 0, degenerate = "stop"), counts, y), "degenerate", "b.*terms"
  )
  expect_warning(
    borrowed <- fit(bayes_text(laplace = 0), counts, y), class = "bayesrisk_warning_degenerate"
  )
  expect_within(coef(borrowed)$terms["b", ], c(3, 1, 1) / 5, 1e-15)
  expect_bayesrisk_error(fit(bayes_text(laplace = 0), 0 * counts, y), "degenerate", "terms")
})

test_that("without smoothing, a word that a class lacks is impossible there", {
  counts <- cbind(u = c(2, 0), v = c(0, 1), w = c(1, 1))
  model <- fit(bayes_text(laplace = 0), counts, c("a", "b"))
  p <- predict(model, rbind(c(u = 1, v = 0, w = 3), c(0, 1, 0)), type = "prob")
  expect_identical(unname(p), diag(2))
  # Impossible in both: 0/0
  expect_warning(
    lost <- predict(model, rbind(c(u = 1, v = 1, w = 0), c(1, 0, 0))),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(as.character(lost), c(NA, "a"))
  # A count of 0 times a log of 0 is 0, also where the 0 is stored.
  stored <- sparse(cbind(u = 1, v = 1, w = 1))
  stored@x[2] <- 0
  expect_identical(unname(predict(model, stored, type = "prob")[1, ]), c(1, 0))
})

test_that("X12, X13: negative numbers and fractions are errors, at the fit and at prediction", {
  skip_on_cran()
  counts <- cbind(u = c(2, 0), v = c(1.5, 1), w = c(1, 1))
  y <- c("a", "b")
  expect_bayesrisk_error(fit(bayes_text(), counts, y), "data", "no counts in \"v\".*weights_ok")
  allowed <- fit(bayes_text(weights_ok = TRUE), counts, y)
  # Each function names its own argument.
  text <- function(expr) conditionMessage(rlang::catch_cnd(expr, "bayesrisk_error"))
  expect_match(text(fit(bayes_text(), counts, y)), "`bayes_text(weights_ok = TRUE)`", fixed = TRUE)
  expect_match(
    text(fit(bayes_naive(features = list(x = likelihood_multinomial())), y ~ x,
             list(data.frame(y = y), x = counts))),
    "`likelihood_multinomial(weights_ok = TRUE)`", fixed = TRUE
  )
  # So do functions that fit in turn, which name the terms as well.
  data <- list(data.frame(y = rep(y, 5)), x = counts[rep(1:2, 5), ])
  own <- "no counts in \"v\".*`bayes_text\\(weights_ok = TRUE\\)`"
  expect_match(text(cv_risk(bayes_text(), y ~ x, data, folds = 2)), own)
  expect_match(text(cv_predict(bayes_text(), y ~ x, data, folds = 2)), own)
  round_data <- replace(data, "x", list(round(data$x + 0.5)))
  expect_match(text(temper(fit(bayes_text(), y ~ x, round_data), data)), own)
  expect_match(
    text(cv_risk(bayes_text("complement"), y ~ x, data, folds = 2)),
    "`bayes_text(\"complement\", weights_ok = TRUE)`", fixed = TRUE
  )
  whole <- fit(bayes_text(), round(counts + 0.5), y)
  expect_match(text(predict(whole, counts)), "`bayes_text(weights_ok = TRUE)`", fixed = TRUE)
  expect_no_match(text(log_coefficient(counts)), "weights_ok")
  expect_within(coef(allowed)$terms, exp(multinomial_log(counts, factor(y))), 1e-14)
  p <- predict(allowed, counts / 4, type = "log_likelihood")
  expect_within(p, counts %*% t(log(coef(allowed)$terms)) / 4, 1e-14)
  counts[1, 2] <- -1
  for (spec in list(bayes_text(), bayes_text(weights_ok = TRUE))) {
    expect_bayesrisk_error(fit(spec, counts, y), "data", "\"v\"")
    expect_bayesrisk_error(predict(allowed, counts), "schema", "\"v\"")
  }
})

test_that("settings that contradict each other are errors", {
  expect_bayesrisk_error(
    likelihood_multinomial(0, complement = TRUE), "argument", "must be positive"
  )
  expect_bayesrisk_error(likelihood_multinomial(normalise = TRUE), "argument", "complement")
  expect_bayesrisk_error(likelihood_multinomial(-1), "argument", "laplace")
  expect_identical(
    format(likelihood_multinomial(2, complement = TRUE, normalise = TRUE, weights_ok = TRUE)),
    "Bag features by normalised complement weights with Laplace 2, fractions allowed."
  )
})

test_that("tidy(), counts() and coef() have a number for each word and class", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size, data)
  rows <- tidy(model)
  of_words <- rows[rows$term == "words", ]
  expect_identical(nrow(of_words), 36L)
  expect_identical(of_words$level, rep(colnames(data$words), each = 3))
  expect_identical(of_words$estimate, as.vector(coef(model)$words))
  expect_identical(unique(of_words$statistic), "probability")
  expect_within(counts(model)$words, class_sums(dense(data$words), data$y), 1e-15)
  expect_output(print(counts(model)), "words")
  expect_output(print(summary(model)), "w01")
})

test_that("tidy() calls the numbers of complement naive Bayes weights", {
  data <- mails()
  of <- function(counts) fit(bayes_text(counts), y ~ words, data)
  statistics <- function(model) unique(tidy(model)$statistic[tidy(model)$term == "words"])
  expect_identical(statistics(of("complement")), "weight")
  expect_identical(statistics(of("multinomial")), "probability")
  expect_identical(attr(coef(of("complement"))$words, "statistic"), "weight")
  expect_null(attr(coef(of("multinomial"))$words, "statistic"))
})

test_that("known probabilities of terms", {
  table <- rbind(b = c(u = 0.2, v = 0.8), a = c(0.5, 0.5))
  model <- bayes_known(c(a = 0.5, b = 0.5), terms = likelihood_multinomial(table = table))
  words <- cbind(v = c(1, 0), u = c(2, 0))
  expect_within(
    predict(model, words, type = "log_likelihood"),
    cbind(c(3 * log(0.5), 0), c(2 * log(0.2) + log(0.8), 0)), 1e-15
  )
  expect_within(coef(model)$terms, table[2:1, ], 1e-15)
  weights <- likelihood_multinomial(complement = TRUE, table = table - 1)
  model <- bayes_known(c(a = 0.5, b = 0.5), terms = weights)
  expect_within(predict(model, words, type = "log_likelihood")[1L, ], c(-1.5, -1.8), 1e-15)
  refused <- function(pattern, ...) {
    expect_error(likelihood_multinomial(...), pattern, class = "bayesrisk_error_argument")
  }
  refused("laplace", laplace = 2, table = table)
  refused("sum to 1", table = table / 2)
  refused("0 or more", table = table - 1)
  refused("row and column names", table = unname(table))
  expect_error(bayes_text(features = list(w = likelihood_multinomial(table = table))),
               class = "bayesrisk_error_argument")
  expect_fuzz_proof(likelihood_multinomial, "table", list(), is_likelihood)
})

test_that("N5: counts too large for a score are NA with a warning, as infinite numbers are", {
  x <- rbind(c(u = 2, v = 1), c(0, 3), c(1, 1))
  model <- fit(bayes_text("complement"), x, c("a", "b", "a"))
  new <- rbind(c(u = 1.7e308, v = 1.7e308), c(1, 0))
  for (type in c("prob", "log_prob", "log_joint", "log_likelihood")) {
    expect_warning(
      found <- predict(model, new, type = type), "1 row with an infinite or too large number: NA",
      class = "bayesrisk_warning_infinite"
    )
    expect_identical(unname(is.na(found)), matrix(c(TRUE, FALSE), 2, 2))
  }
  expect_warning(class <- predict(model, new), class = "bayesrisk_warning_infinite")
  expect_identical(is.na(class), c(TRUE, FALSE))
  cost <- zero_one_cost(c("a", "b"))
  expect_warning(decided <- decide(model, new, cost), class = "bayesrisk_warning_infinite")
  expect_identical(is.na(decided$decision), c(TRUE, FALSE))
  expect_warning(parts <- contributions(model, new), class = "bayesrisk_warning_infinite")
  expect_true(all(is.na(parts[1, , ])))
})

test_that("complement weights of no term, of one term, and of sums beyond a double", {
  x <- mails()$words
  y <- mails()$y
  none <- fit(bayes_text("complement"), x[, 0], y)
  expect_within(predict(none, x[1:2, 0], type = "prob"), rep(1 / 3, 6), 1e-15)
  expect_identical(dim(coef(none)$terms), c(3L, 0L))
  expect_identical(nrow(tidy(none)), 3L)
  for (normalise in c(FALSE, TRUE)) {
    one <- fit(bayes_text("complement", normalise = normalise), x[, 1, drop = FALSE], y)
    expect_identical(as.vector(coef(one)$terms), c(0, 0, 0))
  }
  # log(others / sum), where the quotient is too small for a double
  tiny <- fit(bayes_text("complement", laplace = 1e-300), cbind(u = c(1e20, 0), v = 0), c("a", "b"))
  expect_within(coef(tiny)$terms["a", ], rep(log(2), 2), 1e-15)
  expect_within(coef(tiny)$terms["b", "v"], 320 * log(10), 1e-12)
  for (how in c("multinomial", "complement")) {
    expect_bayesrisk_error(
      fit(bayes_text(how, laplace = 1e308), x, y), "degenerate",
      "a sum of `terms` is beyond the largest double(.|\n)*smaller `laplace`"
    )
  }
})
