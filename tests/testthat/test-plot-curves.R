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
  expect_identical(coverage_panel(c(0.5, 1), cbind(c(0, 0)), "error", NULL)$ylim, c(0, 1))
  expect_identical(coverage_panel(c(0.5, 1), cbind(c(-1, 2)), "cost", NULL)$ylim, c(-1, 2))
})
