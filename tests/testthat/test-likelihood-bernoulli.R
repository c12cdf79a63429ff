# Formulas: scikit-learn's BernoulliNB (helper-bags.R); the model of TRUE and FALSE, term by term.

test_that("probabilities and scores are those of BernoulliNB", {
  data <- mails()
  x <- dense(data$words)
  new <- dense(mails(7L, seed = 2)$words)
  for (laplace in c(1, 0.25)) {
    model <- fit(bayes_text("bernoulli", laplace), y ~ words, data)
    expected <- bernoulli_log(x, data$y, laplace)
    expect_within(coef(model)$words, exp(expected), 1e-12)
    expect_within(scores(model, data), bernoulli_score(x, expected), 1e-12)
    expect_within(scores(model, list(words = new)), bernoulli_score(new, expected), 1e-12)
    own <- bernoulli_score(x, expected)[cbind(seq_along(data$y), as.integer(data$y))]
    expect_within(as.double(logLik(model)), sum(own) + 60 * log(1 / 3), 1e-12)
  }
  expect_identical(attr(logLik(model), "df"), 2 + 3 * 12)
  weighted <- fit(bayes_text("bernoulli"), y ~ words, data, weights = weight)
  expect_within(
    coef(weighted)$words, exp(bernoulli_log(x, data$y, 1, data$weight)), 1e-12
  )
})

test_that("the model is that of columns of TRUE and FALSE", {
  data <- mails()
  x <- dense(data$words) != 0
  for (laplace in 0:1) {
    single <- fit(bayes_naive(laplace = laplace), x, data$y)
    for (given in list(x, sparse(x), methods::as(sparse(x), "lMatrix"))) {
      bag <- fit(bayes_text("bernoulli", laplace), list(words = given), data$y)
      expect_within(scores(bag, list(words = given)), scores(single, x), 1e-12)
      expect_within(logLik(bag), logLik(single), 1e-12)
    }
    other <- fit(bayes_naive(laplace = laplace), list(words = methods::as(sparse(x), "lMatrix")),
                 data$y)
    expect_identical(coef(other), coef(bag))
  }
})

test_that("X2: the three documents about China as words that are there or not", {
  words <- rbind(c(1, 2, 0, 0, 0, 0), c(0, 2, 0, 0, 1, 0), c(0, 1, 0, 1, 0, 0), c(0, 1, 1, 0, 0, 1))
  colnames(words) <- c("Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo")
  model <- fit(bayes_text("bernoulli"), words, c("Y", "Y", "Y", "N"))
  p <- predict(model, rbind(c(Chinese = 3, Tokyo = 1, Japan = 1)), type = "prob")
  expect_within(p[, "Y"], 59049 / 309049, 1e-14)
})

test_that("X8: 3000 words whose likelihood is below any double", {
  words <- sprintf("w%04d", 1:3000)
  x <- methods::as(rbind(
    matrix(rep(c(TRUE, FALSE, FALSE), each = 3000), 3, byrow = TRUE),
    matrix(rep(c(TRUE, TRUE, FALSE), each = 3000), 3, byrow = TRUE)
  ), "CsparseMatrix")
  colnames(x) <- words
  model <- fit(bayes_text("bernoulli", laplace = 0), x, rep(c("A", "B"), each = 3))
  new <- rbind(rep(1:0, each = 1500), rep(1:0, c(1501, 1499)))
  colnames(new) <- words
  p <- predict(model, new, type = "prob")
  expect_within(p[, "B"], c(1 / 2, 4 / 5), 1e-10)
})

test_that("without smoothing: words that a class always or never has", {
  x <- rbind(c(1, 0, 1), c(1, 1, 0), c(0, 0, 1), c(0, 1, 1))
  colnames(x) <- c("always_a", "both", "mostly")
  model <- fit(bayes_text("bernoulli", laplace = 0), x, c("a", "a", "b", "b"))
  new <- rbind(c(1, 1, 1), c(0, 1, 1), c(0, 1, 0))
  colnames(new) <- colnames(x)
  expect_warning(
    p <- predict(model, new, type = "prob"), "1 row", class = "bayesrisk_warning_impossible"
  )
  expect_identical(unname(p[1:2, ]), diag(2))
  expect_true(all(is.na(p[3, ])))
})

test_that("any number but 0 is present; a stored 0 is not", {
  x <- sparse(cbind(u = c(1, 2, 3), v = c(1, 1, 5)))
  y <- c("a", "b", "a")
  one <- coef(fit(bayes_text("bernoulli"), x, y))
  x@x[[1]] <- -0.25
  expect_identical(coef(fit(bayes_text("bernoulli"), x, y)), one)
  x@x[[1]] <- 0
  expect_within(coef(fit(bayes_text("bernoulli"), x, y))$terms["a", ], c(2, 3) / 4, 1e-15)
})

test_that("pseudo-counts of FALSE and TRUE must agree for a bag", {
  data <- mails()
  present <- list(words = methods::as(data$words, "lMatrix"))
  of <- function(counts) {
    bayes_naive(categorical = likelihood_categorical(laplace = counts))
  }
  same <- fit(of(c("FALSE" = 2, "TRUE" = 2)), present, data$y)
  expect_identical(coef(same), coef(fit(bayes_text("bernoulli", 2), present, data$y)))
  expect_bayesrisk_error(
    fit(of(c("FALSE" = 2, "TRUE" = 1)), present, data$y), "argument", "FALSE and\\s+TRUE"
  )
  expect_bayesrisk_error(likelihood_bernoulli(Inf), "argument", "laplace")
  expect_identical(
    format(likelihood_bernoulli(2)), "Bag features by the presence of terms with Laplace 2."
  )
})

test_that("known probabilities of presence", {
  table <- rbind(a = c(u = 0.5, v = 1), b = c(0.2, 0))
  model <- bayes_known(c(a = 0.5, b = 0.5), terms = likelihood_bernoulli(table = table))
  words <- rbind(c(u = 2, v = 0), c(1, 1), c(0, 0))
  expect_within(
    exp(predict(model, words, type = "log_likelihood")), cbind(c(0, 0.5, 0), c(0.2, 0, 0.8)), 1e-15
  )
  expect_error(likelihood_bernoulli(table = table + 1), class = "bayesrisk_error_argument")
  expect_error(likelihood_bernoulli(0, table = table), class = "bayesrisk_error_argument")
  expect_fuzz_proof(likelihood_bernoulli, "table", list(), is_likelihood)
})

test_that("a Laplace number whose double overflows", {
  data <- mails()
  model <- fit(bayes_text("bernoulli", 1e308), data$words, data$y)
  expect_identical(unique(as.vector(coef(model)$terms)), 0.5)
  expect_within(predict(model, data$words[1:2, ], type = "prob"), rep(1 / 3, 6), 1e-14)
})

# log(p / (1 - p)) of each present term, 0 if p is 1, and the empty case.
test_that("terms that every case of a class has: contributions add up to those of the bag", {
  x <- rbind(c(u = 2, v = 1, w = 0), c(1, 0, 0), c(0, 1, 2), c(0, 1, 1))
  model <- fit(bayes_text("bernoulli", laplace = 0), x, c("s", "s", "h", "h"))
  of_bag <- contributions(model, x)[, "terms", ]
  found <- top_features(model, n = 9, newdata = x)
  expect_false(anyNA(found$contribution))
  sums <- tapply(found$contribution, found$case, sum)
  one <- found[match(names(sums), found$case), ]
  at <- function(class) of_bag[cbind(as.integer(names(sums)), match(class, colnames(of_bag)))]
  expect_equal(as.vector(sums), at(one$class) - at(one$against), tolerance = 1e-15)
  # p of s: 1, 1/2, 0; of h: 0, 1, 1
  first <- found[found$case == "1", ]
  expect_setequal(first$term, c("u", "v", "(empty)"))
  expect_identical(first$contribution[first$term == "u"], Inf)
  expect_identical(first$contribution[first$term == "v"], 0)
  expect_within(first$contribution[first$term == "(empty)"], log(1 / 2), 1e-15)
  # If no class is impossible, all is finite.
  x <- rbind(c(u = 1, v = 1), c(1, 0), c(1, 1), c(1, 0), c(1, 0))
  model <- fit(bayes_text("bernoulli", laplace = 0), x, c("s", "s", "h", "h", "h"))
  found <- top_features(model, newdata = x, class = "s")
  expect_within(
    tapply(found$contribution, found$case, sum), diff(t(contributions(model, x)[, "terms", ]))[1, ],
    1e-15
  )
  odds <- function(p) log(p / (1 - p))
  expect_within(
    found$contribution[found$case == "1" & found$term != "u"], c(odds(1 / 2) - odds(1 / 3),
                                                               log(1 / 2) - log(2 / 3)), 1e-15
  )
  expect_identical(found$contribution[found$term == "u"], rep(0, 5))
  # A class that a case lacks a term of
  x <- rbind(c(u = 1, v = 1), c(1, 0), c(0, 1), c(1, 0))
  model <- fit(bayes_text("bernoulli", laplace = 0), x, c("s", "s", "h", "h"))
  found <- top_features(model, newdata = cbind(v = 1))
  expect_identical(found$term, c("v", "(empty)"))
  expect_identical(found$contribution, c(0, Inf))
})
