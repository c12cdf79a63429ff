reported <- function(x) {
  withr::local_options(digits = 7)
  strsplit(as.character(knitr::knit_print(x)), "\n")[[1L]]
}

test_that("in a report objects are tables", {
  skip_if_not_installed("knitr")
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  cost <- cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 10),
    discard = c(setosa = 2, versicolor = 2, virginica = 0), ask = 1
  )
  cases <- iris[c(1, 99, 140), ]
  full <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width, iris)
  expect_snapshot({
    writeLines(reported(model))
    writeLines(reported(summary(full)))
    writeLines(reported(summary(fit(bayes_full(), play ~ outlook + wind, play_tennis))))
    writeLines(reported(cost))
    writeLines(reported(cost_matrix(pay = list(fraud = ~ amount, ok = 0), refuse = 2)))
    writeLines(reported(utility_matrix(go = 1, stay = 0)))
    writeLines(reported(decide(model, cases, cost)))
    writeLines(reported(confusion_table(iris$Species, decide(model, iris, cost)$decision)))
    writeLines(reported(decision_regions(model, cost, features = "Petal.Length")))
    writeLines(reported(bayes_risk(fit(bayes_naive(), play ~ wind, play_tennis))))
    writeLines(reported(cv_risk(bayes_naive(), Species ~ ., iris, folds = rep(1:5, 30))))
    writeLines(reported(assess_decisions(model, iris, cost)))
    writeLines(reported(joint_table(mooney_cells())))
  })
})

test_that("a report says what a cross-validation left out, and compares only candidates", {
  skip_if_not_installed("knitr")
  data <- data.frame(x = c(1, 2, 3, 4, 4, 9), y = rep(c("a", "b"), each = 3))
  shown <- reported(suppressWarnings(
    cv_risk(bayes_naive(), y ~ x, data, folds = c(1, 2, 3, 1, 2, 3))
  ))
  expect_match(shown, "left out, for want of a decision: naive 2 cases", fixed = TRUE, all = FALSE)
  expect_match(shown, "naive, fold 3: class", fixed = TRUE, all = FALSE)
  expect_no_match(shown, "cost minus that of")
})

test_that("what is markup in a name is text; long tables are cut", {
  skip_if_not_installed("knitr")
  odd <- cost_matrix(`a_b*` = c(`<i>` = 0, `x|y` = 1), `[c]` = c(`<i>` = 2, `x|y` = 0))
  shown <- reported(odd)
  expect_match(shown, "a\\_b\\*", fixed = TRUE, all = FALSE)
  expect_match(shown, "x&#124;y", fixed = TRUE, all = FALSE)
  classes <- c("c\\d", "e\nf")
  known <- bayes_known(
    stats::setNames(c(.5, .5), classes),
    x = likelihood_gaussian(mean = stats::setNames(1:2, classes), sd = 1)
  )
  shown <- reported(known)
  expect_match(shown, "|c\\\\d  |", fixed = TRUE, all = FALSE)
  expect_match(shown, "|e f   |", fixed = TRUE, all = FALSE)
  p <- cbind(a = rep(0.3, 30), b = 0.7)
  shown <- reported(decide(p))
  expect_identical(sum(startsWith(shown, "|b")), 20L)
  expect_match(shown, "... and 10 more rows", fixed = TRUE, all = FALSE)
})

test_that("what is not known of a fit is left out", {
  skip_if_not_installed("knitr")
  by <- function(likelihood) {
    reported(summary(fit(bayes_naive(numeric = likelihood), Species ~ Petal.Width, iris)))
  }
  expect_match(by(likelihood_empirical()), "^\\| logLik\\|$", all = FALSE)
  expect_no_match(by(likelihood_kernel()), "logLik")
})
