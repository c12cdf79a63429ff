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

test_that("the first few cases do not set the scale of the lift, those of a rare class do", {
  cuts <- data.frame(
    class = rep(c("half", "rare"), each = 5), depth = c(0, 0.0005, 0.002, 0.02, 1),
    lift = c(NA, 2, 1.5, 1.4, 1, NA, 100, 80, 45, 1), precision = c(rep(0.5, 5), rep(0.01, 5))
  )
  expect_identical(lift_top(cuts), 80)
  expect_identical(lift_top(cuts[1:5, ]), 1.4)
  # One case of 100 is of the class, and the first ones are: the largest lift is 100, none is cut.
  p <- seq(0.99, 0.01, length.out = 1000)
  rare <- assess_decisions(cbind(a = p, b = 1 - p), truth = rep(c("a", "b"), c(10, 990)))
  figure <- plot(rare, "lift", class = "a")
  expect_equal(figure$coordinates$limits$y, c(0, 100))
  expect_equal(max(layer_of(figure, "GeomLine")$y, na.rm = TRUE), 100)
})

test_that("the area below the steps of precision is the average precision", {
  ten <- ten_cases()
  figure <- plot(assess_decisions(ten$posterior, truth = ten$truth), "precision")
  expect_identical(figure$data$precision[2:4], c(1, 1, 2 / 3))
  steps <- ggplot2::layer_data(figure, 2L)
  expect_identical(steps$x[[1L]], 0)
  expect_equal(sum(diff(steps$x) * steps$y[-1L]), mean(c(1, 1, 3 / 4, 4 / 5, 5 / 8)))
  # The share of the class
  expect_identical(layer_of(figure, "GeomHline")$yintercept, 0.5)
})

test_that("the net benefit has a second axis in shares of the class", {
  ten <- ten_cases()
  figure <- plot(assess_decisions(ten$posterior, truth = ten$truth), "benefit")
  expect_equal(figure$data$standardised, figure$data$benefit / 0.5)
  skip_if_not_installed("ggplot2", "3.5.0")
  place <- function(axis) {
    marks <- ggplot2::get_guide_data(figure, axis)
    marks <- marks[!is.na(marks$y), ]
    stats::approxfun(as.double(marks$.label), marks$y)
  }
  # A mark of the second axis stands at half of its number on the first.
  expect_equal(place("y.sec")(0.5), place("y")(0.25))
})
