assessed_ten <- function(...) {
  ten <- ten_cases()
  assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth, ...)
}

test_that("each plot gives back what it drew", {
  result <- assessed_ten()
  expect_identical(draw(result), result$cells)
  expect_identical(draw(result, "confusion", main = "Ten"), result$cells)
  expect_identical(draw(result, "cost"), result$cost_curve)
  expect_identical(draw(result, "coverage"), result$risk_coverage)
  expect_identical(draw(result, "benefit"), result$benefit)
  expect_named(draw(result, "calibration"), c(names(result$calibration), "lower", "upper"))
})

test_that("what needs probabilities or two classes says so", {
  ten <- ten_cases()
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  expect_bayesrisk_error(draw(decided, "calibration"), "argument", "probabilities")
  three <- assess_decisions(fit(bayes_naive(), Species ~ Petal.Width, iris), iris)
  expect_bayesrisk_error(draw(three, "cost"), "argument", "two classes, not 3")
  alone <- bayes_known(c(a = 1), x = likelihood_gaussian(mean = c(a = 0), sd = 1))
  alone <- assess_decisions(alone, data.frame(x = 1:3), truth = rep("a", 3))
  expect_bayesrisk_error(draw(alone, "benefit"), "argument", "two classes, not 1")
  one <- assess_decisions(ten$posterior[1:2, ], truth = ten$truth[1:2])
  expect_bayesrisk_error(draw(one, "benefit"), "argument", "both classes")
  expect_bayesrisk_error(draw(decided, "roc"), "argument", "type")
  expect_bayesrisk_error(draw(decided, tpye = "cost"), "argument", "tpye")
})

test_that("two classes: the second; more: all of them", {
  ten <- ten_cases()
  result <- assess_decisions(ten$posterior, truth = ten$truth)
  drawn <- draw(result, "calibration")
  expect_identical(unique(as.character(drawn$class)), "ill")
  expect_true(all(drawn$cases > 0))
  three <- assess_decisions(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris)
  expect_setequal(as.character(draw(three, "calibration")$class), levels(iris$Species))
})

test_that("classes are chosen by name; at most nine have a panel", {
  three <- assess_decisions(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris)
  drawn <- draw(three, "calibration", class = c("virginica", "setosa"))
  expect_setequal(as.character(drawn$class), c("virginica", "setosa"))
  expect_bayesrisk_error(draw(three, "calibration", class = "rose"), "argument", "class")
  expect_bayesrisk_error(draw(three, class = "setosa"), "argument", "does not use")
  expect_fuzz_proof(draw, "class", list(x = three, type = "calibration"), is.data.frame)
  many <- data.frame(y = sprintf("class %02d", rep(1:12, each = 4)), x = seq_len(48)^1.1)
  model <- suppressWarnings(assess_decisions(fit(bayes_naive(), y ~ x, many), many))
  expect_message(
    drawn <- draw(model, "calibration"), "3 of 12", class = "bayesrisk_message_class"
  )
  expect_identical(nlevels(droplevels(drawn$class)), 9L)
})

test_that("what has no curve is an error that says why", {
  ten <- ten_cases()
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  expect_bayesrisk_error(plot(decided, "roc"), "argument", "needs probabilities")
  ill <- ten$truth == "ill"
  alone <- assess_decisions(ten$posterior[ill, ], truth = ten$truth[ill])
  expect_bayesrisk_error(plot(alone, "lift"), "argument", "two classes or more")
})

test_that("a figure of one class names it, the dearest to miss, else the rarer one", {
  ten <- ten_cases()
  of <- function(cost, rows = 1:10) {
    assess_decisions(ten$posterior[rows, ], cost = cost, truth = ten$truth[rows])
  }
  subtitle <- function(x, type, ...) plot(x, type, ...)$labels$subtitle
  dear <- cost_matrix(healthy = c(healthy = 0, ill = 1), ill = c(healthy = 4, ill = 0))
  for (type in c("calibration", "benefit", "lift")) {
    expect_identical(subtitle(of(ten$cost), type), "class ill")
    expect_identical(subtitle(of(dear), type), "class healthy")
    expect_identical(subtitle(of(NULL, -1), type), "class ill")
    expect_identical(subtitle(of(NULL, -3), type), "class healthy")
  }
  expect_identical(subtitle(of(ten$cost), "roc"), "class ill, AUC 0.8")
  expect_identical(subtitle(of(dear), "roc"), "class healthy, AUC 0.8")
  expect_identical(
    subtitle(of(dear), "precision", class = "ill"), "class ill, average precision 0.835"
  )
  three <- assess_decisions(fit(bayes_naive(), Species ~ Sepal.Width, iris), iris)
  expect_null(subtitle(three, "roc"))
  expect_match(subtitle(three, "roc", class = "setosa"), "class setosa, AUC 0[.]")
  expect_null(subtitle(of(ten$cost), "confusion"))
})
