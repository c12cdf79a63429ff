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

test_that("Wilson's interval is that of prop.test() without correction", {
  tested <- stats::prop.test(3, 17, correct = FALSE)$conf.int
  expect_equal(unlist(wilson_interval(3 / 17, 17), use.names = FALSE), as.vector(tested))
  expect_identical(wilson_interval(0, 4)$lower, 0)
  expect_identical(wilson_interval(1, 4)$upper, 1)
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

test_that("calibration has a panel for each class, and bars of its cases", {
  figure <- do.call(plot, figures()$calibration_three)
  bars <- layer_of(figure, "GeomRect")
  longest <- tapply(bars$ymax - bars$ymin, bars$PANEL, max)
  expect_equal(as.vector(longest), rep(0.14, 3))
  one <- plot(figures()$roc[[1L]], "calibration", class = "virginica")
  expect_identical(one$labels$x, "probability of virginica")
})

test_that("the weight assessed is that of the cases and their costs", {
  truth <- rep(c("b", "a"), c(3, 9))
  posterior <- cbind(a = seq(0.1, 0.9, length.out = 12), b = seq(0.9, 0.1, length.out = 12))
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 2, b = 1))
  result <- assess_decisions(posterior, cost = cost, truth = truth)
  expect_equal(own_weight(result), 3 * 4 / (3 * 4 + 9 * 2))
  other <- assess_decisions(posterior, cost = flat_cost(go = 1, stay = 2), truth = truth)
  expect_null(own_weight(other))
  never <- suppressWarnings(cost_matrix(a = c(a = 0, b = 1), b = c(a = 2, b = 3)))
  expect_null(own_weight(assess_decisions(posterior, cost = never, truth = truth)))
})

test_that("curves are what deciding anew would have given", {
  ten <- ten_cases()
  result <- assess_decisions(ten$posterior, truth = ten$truth)
  p <- ten$posterior[, "ill"]
  ill <- ten$truth == "ill"
  odds <- p / (1 - p) # the shares of the truths are equal
  for (i in c(21, 61, 101, 141)) {
    w <- result$cost_curve$weight[[i]]
    called <- odds * w / (1 - w) >= 1 - 1e-12
    by_hand <- w * mean(!called[ill]) + (1 - w) * mean(called[!ill])
    expect_equal(result$cost_curve$cost[[i]], by_hand)
    t <- result$benefit$threshold[[i]]
    from <- p >= t - 1e-12
    net <- (sum(from & ill) - sum(from & !ill) * t / (1 - t)) / 10
    expect_equal(result$benefit$benefit[[i]], net)
  }
  expect_true(all(result$cost_curve$best <= result$cost_curve$cost + 1e-15))
})

test_that("an error that is the cost is not drawn twice; infinite costs are left out", {
  ten <- ten_cases()
  plain <- assess_decisions(ten$posterior, truth = ten$truth)
  expect_identical(plain$risk_coverage$error, plain$risk_coverage$cost)
  expect_no_error(draw(plain, "coverage"))
  cost <- cost_matrix(healthy = c(healthy = 0, ill = Inf), ill = c(healthy = 1, ill = 0))
  sure <- rbind(c(1, 0), c(1, 0), c(0.5, 0.5))
  colnames(sure) <- c("healthy", "ill")
  expect_warning(
    met <- assess_decisions(sure, cost = cost, truth = c("healthy", "ill", "ill")),
    class = "bayesrisk_warning_calibration"
  )
  expect_no_error(draw(met, "coverage"))
})

test_that("the best cut is found however close the probabilities", {
  p <- rep(c(0.0005, 0.001), each = 50)
  result <- suppressWarnings(
    assess_decisions(cbind(n = 1 - p, y = p), truth = rep(c("n", "y"), each = 50)),
    classes = "bayesrisk_warning_calibration"
  )
  expect_identical(max(result$cost_curve$best), 0)
})

test_that("a cost or error of 0 is drawn on a scale from 0", {
  expect_identical(coverage_limits(c(0.5, 1), cbind(c(0, 0))), c(0, 1))
  expect_identical(coverage_limits(c(0.5, 1), cbind(c(-1, 2))), c(-1, 2))
})

test_that("a cost curve has the constant decisions and the weight now", {
  figure <- do.call(plot, figures()$cost_curve)
  lines <- layer_of(figure, "GeomLine")
  expect_equal(lines$y[lines$group == 3L], figure$data$weight)
  expect_equal(lines$y[lines$group == 4L], 1 - figure$data$weight)
  # The curves that need no model are narrower.
  expect_true(all(lines$linewidth[lines$group > 2L] < min(lines$linewidth[lines$group < 3L])))
  # 50 cases each, errors of 4 and 1.
  expect_equal(layer_of(figure, "GeomVline")$xintercept, 0.8)
})

test_that("the first few cases do not set the limits of coverage", {
  figure <- do.call(plot, figures()$coverage)
  lines <- layer_of(figure, "GeomLine")
  shown <- figure$data$cost[figure$data$coverage >= 0.05]
  expect_lte(max(lines$y[lines$PANEL == 1L], na.rm = TRUE), max(shown, figure$data$risk[-1L]))
  expect_identical(nlevels(lines$PANEL), 2L)
})

test_that("ROC and lift are drawn from the assessment", {
  ten <- ten_cases()
  two <- assess_decisions(ten$posterior, truth = ten$truth)
  roc <- draw(two, "roc")
  expect_identical(roc, two$ranking[two$ranking$class == "ill", ])
  lift <- draw(two, "lift", col = c(ill = "red"))
  expect_identical(lift, roc)
  expect_identical(lift$lift[2:3], c(2, 2))
  three <- assess_decisions(fit(bayes_naive(), Species ~ ., iris), iris)
  expect_identical(draw(three, "roc"), three$ranking)
  expect_setequal(as.character(draw(three, "lift", class = "setosa")$class), "setosa")
})

test_that("what has no curve is an error that says why", {
  ten <- ten_cases()
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  expect_bayesrisk_error(plot(decided, "roc"), "argument", "needs probabilities")
  ill <- ten$truth == "ill"
  alone <- assess_decisions(ten$posterior[ill, ], truth = ten$truth[ill])
  expect_bayesrisk_error(plot(alone, "lift"), "argument", "two classes or more")
})

test_that("the first few cases do not set the scale of the lift", {
  expect_identical(lift_top(data.frame(depth = c(0.001, 0.01, 1), lift = c(15, 3, 1))), 3)
})
