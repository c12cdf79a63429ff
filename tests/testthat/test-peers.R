# A second implementation: MASS, e1071 and naivebayes, where they are installed. Their
# floors of small probabilities are switched off (threshold = 0, eps = 0). Posteriors
# agree to 1e-9.

expect_agreement <- function(posterior, theirs) {
  expect_within(posterior, theirs[, colnames(posterior)], 1e-9, scale = 1)
}

gaussian_cases <- function() {
  list(
    iris = list(Species ~ ., iris),
    crabs = list(sp ~ FL + RW + CL + CW + BD, MASS::crabs),
    pima = list(type ~ ., MASS::Pima.tr)
  )
}

for_each_case <- function(check) {
  for (case in gaussian_cases()) check(case[[1]], case[[2]])
}

test_that("full covariances agree with MASS::qda, pooled ones with MASS::lda", {
  skip_if_not_installed("MASS")
  for_each_case(function(formula, data) {
    full <- fit(bayes_full(), formula, data)
    pooled <- fit(bayes_full(covariance = "pooled"), formula, data)
    qda <- predict(MASS::qda(formula, data), data)
    lda <- predict(MASS::lda(formula, data), data)
    expect_agreement(predict(full, data, type = "prob"), qda$posterior)
    expect_agreement(predict(pooled, data, type = "prob"), lda$posterior)
    expect_identical(predict(full, data), qda$class)
    expect_identical(predict(pooled, data), lda$class)
  })
})

test_that("maximum-likelihood covariances agree with MASS::qda(method = 'mle')", {
  skip_if_not_installed("MASS")
  model <- fit(bayes_full(variance = "ml", prior = c(.2, .3, .5)), Species ~ ., iris)
  qda <- MASS::qda(Species ~ ., iris, prior = c(.2, .3, .5), method = "mle")
  expect_agreement(predict(model, iris, type = "prob"), predict(qda, iris)$posterior)
})

test_that("naive Gaussians agree with e1071 and naivebayes", {
  skip_if_not_installed("MASS")
  skip_if_not_installed("e1071")
  skip_if_not_installed("naivebayes")
  for_each_case(function(formula, data) {
    posterior <- predict(fit(bayes_naive(), formula, data), data, type = "prob")
    features <- data[all.vars(formula[[3]])[all.vars(formula[[3]]) != "."]]
    if (length(features) == 0) features <- data[setdiff(names(data), all.vars(formula[[2]]))]
    y <- data[[all.vars(formula[[2]])]]
    e1071 <- e1071::naiveBayes(features, y)
    expect_agreement(posterior, predict(e1071, features, type = "raw", threshold = 0, eps = 0))
    naive <- naivebayes::naive_bayes(features, y)
    theirs <- predict(naive, features, type = "prob", threshold = 0, eps = 0)
    expect_agreement(posterior, theirs)
  })
})

test_that("Titanic by frequencies agrees with e1071 and naivebayes on the expanded rows", {
  skip_if_not_installed("e1071")
  skip_if_not_installed("naivebayes")
  frequencies <- as.data.frame(Titanic)
  expanded <- frequencies[rep(seq_len(32), frequencies$Freq), 1:4]
  cells <- expand.grid(lapply(frequencies[1:3], levels))
  for (laplace in c(0, 1)) {
    model <- fit(bayes_naive(laplace = laplace), Survived ~ ., frequencies, weights = Freq)
    posterior <- predict(model, cells, type = "prob")
    e1071 <- e1071::naiveBayes(Survived ~ ., expanded, laplace = laplace)
    expect_agreement(posterior, predict(e1071, cells, type = "raw", threshold = 0, eps = 0))
    naive <- naivebayes::naive_bayes(expanded[1:3], expanded$Survived, laplace = laplace)
    expect_agreement(posterior, predict(naive, cells, type = "prob", threshold = 0, eps = 0))
  }
})

test_that("PlayTennis with Laplace agrees with e1071", {
  skip_if_not_installed("e1071")
  model <- fit(bayes_naive(laplace = 2), play ~ ., play_tennis)
  theirs <- e1071::naiveBayes(play ~ ., play_tennis, laplace = 2)
  expect_agreement(
    predict(model, play_tennis, type = "prob"),
    predict(theirs, play_tennis, type = "raw", threshold = 0, eps = 0)
  )
})

test_that("glass: pooled as MASS::lda; variances of 0 borrow, or are named with their class", {
  skip_if_not_installed("MASS")
  fgl <- MASS::fgl
  pooled <- fit(bayes_full(covariance = "pooled"), type ~ ., fgl)
  lda <- predict(MASS::lda(type ~ ., fgl), fgl)
  expect_agreement(predict(pooled, fgl, type = "prob"), lda$posterior)
  for (make in list(bayes_naive, bayes_full)) {
    expect_warning(fit(make(), type ~ ., fgl), "Tabl", class = "bayesrisk_warning_degenerate")
    expect_error(
      fit(make(degenerate = "stop"), type ~ ., fgl), "\"Tabl\": `K`, `Ba`, `Fe` constant",
      class = "bayesrisk_error_degenerate"
    )
  }
})
