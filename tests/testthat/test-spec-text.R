test_that("counts are short for a likelihood of bags", {
  expect_identical(bayes_text()$bag, likelihood_multinomial())
  expect_identical(
    bayes_text(laplace = 0.5, weights_ok = TRUE)$bag,
    likelihood_multinomial(0.5, weights_ok = TRUE)
  )
  expect_identical(bayes_text("bernoulli", 2)$bag, likelihood_bernoulli(2))
  expect_identical(
    bayes_text("complement", normalise = TRUE)$bag,
    likelihood_multinomial(complement = TRUE, normalise = TRUE)
  )
  expect_identical(
    bayes_text("poisson", 0.1)$bag, likelihood_poisson(pseudo_count = 0.1, pseudo_exposure = 0.1)
  )
})

test_that("the other arguments are those of bayes_naive()", {
  spec <- bayes_text(
    categorical = likelihood_categorical(2), numeric = likelihood_poisson(),
    features = list(size = likelihood_gaussian()), prior = "uniform", degenerate = "stop",
    temper = TRUE
  )
  naive <- bayes_naive(
    categorical = likelihood_categorical(2), numeric = likelihood_poisson(),
    features = list(size = likelihood_gaussian()), prior = "uniform", degenerate = "stop",
    temper = TRUE
  )
  shared <- setdiff(names(unclass(naive)), "bag")
  expect_identical(unclass(spec)[shared], unclass(naive)[shared])
})

test_that("a specification prints, and its parts are rows", {
  expect_output(print(bayes_text()), "multinomial distributions\\s+with Laplace 1")
  expect_output(print(bayes_text("bernoulli")), "bags of terms by the presence")
  rows <- as.data.frame(bayes_text("complement"))
  expect_identical(rows$setting[rows$part == "bag"], "complement weights with Laplace 1")
  expect_false("bag" %in% as.data.frame(bayes_naive())$part)
})

test_that("wrong arguments", {
  skip_on_cran()
  for (bad in list(-1, NA, Inf, "1", c(1, 2))) {
    expect_bayesrisk_error(bayes_text(laplace = bad), "argument", "laplace")
  }
  expect_bayesrisk_error(bayes_text("words"), "argument", "counts")
  expect_bayesrisk_error(bayes_text("complement", laplace = 0), "argument", "positive")
  expect_bayesrisk_error(bayes_text("bernoulli", normalise = TRUE), "argument", "normalise")
  expect_bayesrisk_error(bayes_text("poisson", weights_ok = TRUE), "argument", "weights_ok")
  # Texts that are not counted: both lines that count them.
  texts <- c("an offer for you", "the meeting")
  lines <- "counts <- quanteda::dfm.quanteda::tokens.texts.*"
  expect_bayesrisk_error(
    fit(bayes_text(), texts, c("a", "b")), "argument",
    paste0(lines, "fit.bayes_text.., counts, class")
  )
  model <- fit(bayes_text(), matrix(1:4, 2, dimnames = list(NULL, c("an", "the"))), c("a", "b"))
  for (new in list(texts, data.frame(terms = texts))) {
    expect_bayesrisk_error(predict(model, new), "schema", paste0(lines, "predict.model, counts"))
  }
  expect_bayesrisk_error(
    bayes_text(normalise = TRUE), "argument", "`normalise` is for `counts = \"complement\"`"
  )
  expect_bayesrisk_error(
    bayes_text("complement", laplace = 0), "argument", "positive with `counts = \"complement\"`"
  )
  expect_bayesrisk_error(bayes_text(normalise = TRUE), "argument", "normalise")
  expect_bayesrisk_error(
    bayes_text(features = list(words = "multinomial")), "argument", "features\\$words"
  )
})

test_that("laplace of an update is that of the bags", {
  data <- mails()
  for (counts in c("multinomial", "bernoulli", "complement", "poisson")) {
    model <- update(fit(bayes_text(counts), y ~ words, data), laplace = 3)
    expect_identical(coef(model), coef(fit(bayes_text(counts, 3), y ~ words, data)))
  }
  model <- fit(bayes_text("complement"), y ~ words, data)
  expect_bayesrisk_error(update(model, laplace = -1), "argument", "laplace")
  expect_bayesrisk_error(update(model, laplace = 0), "argument", "laplace.*positive")
})

test_that("features may name bags; they come before the bags' own likelihood", {
  data <- mails()
  data$there <- data$words != 0
  spec <- bayes_text(features = list(there = likelihood_bernoulli(2)))
  model <- fit(spec, y ~ words + there + size + from, data)
  alone <- list(
    fit(bayes_text(), y ~ words, data), fit(bayes_text("bernoulli", 2), y ~ there, data),
    fit(bayes_naive(), y ~ size + from, data)
  )
  expected <- Reduce(`+`, lapply(alone, scores, data))
  expect_within(scores(model, data), expected, 1e-12)
  expect_bayesrisk_error(
    fit(bayes_text(features = list(word = likelihood_bernoulli())), y ~ words, data), "argument",
    "word"
  )
})

test_that("a table of numbers is a bag for bayes_text() alone", {
  data <- mails()
  x <- dense(data$words)
  expect_identical(names(coef(fit(bayes_text(), x, data$y))), c("prior", "terms"))
  expect_identical(names(coef(fit(bayes_naive(), x, data$y))), c("prior", colnames(x)))
})
