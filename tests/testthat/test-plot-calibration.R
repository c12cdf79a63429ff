test_that("Wilson's interval is that of prop.test() without correction", {
  tested <- stats::prop.test(3, 17, correct = FALSE)$conf.int
  expect_equal(unlist(wilson_interval(3 / 17, 17), use.names = FALSE), as.vector(tested))
  expect_identical(wilson_interval(0, 4)$lower, 0)
  expect_identical(wilson_interval(1, 4)$upper, 1)
})

# Cases of a class of a share of half a per cent, whose probability is right.
rare_cases <- function(n, seed = 1) {
  withr::with_seed(seed, {
    p <- stats::plogis(stats::rnorm(n, -6, 1))
    truth <- ifelse(stats::runif(n) < p, "fraud", "ok")
    list(posterior = cbind(ok = 1 - p, fraud = p), truth = truth)
  })
}

test_that("bins of a rare class have equal numbers, and the axes the range of the data", {
  rare <- rare_cases(5000)
  x <- assess_decisions(rare$posterior, truth = rare$truth)
  p <- rare$posterior[, "fraud"]
  own <- rare$truth == "fraud"
  bin <- ceiling(rank(p) / 500)
  bins <- x$calibration[x$calibration$class == "fraud", ]
  expect_equal(bins$cases, rep(500, 10))
  expect_equal(bins$predicted, as.vector(tapply(p, bin, mean)))
  expect_equal(bins$observed, as.vector(tapply(own, bin, mean)))
  expect_equal(bins$from, as.vector(tapply(p, bin, min)))
  expect_equal(bins$to, as.vector(tapply(p, bin, max)))
  expect_equal(nrow(x$calibration), 20L)
  figure <- plot(x, "calibration")
  built <- ggplot2::ggplot_build(figure)$layout$panel_params[[1L]]
  expect_lt(built$x.range[[2L]], 0.05)
  expect_lt(built$y.range[[2L]], 0.1)
  expect_false("GeomRect" %in% vapply(figure$layers, function(l) class(l$geom)[[1L]], ""))
  expect_identical(
    figure$labels$caption, "Bins of about equal numbers, as far as probabilities differ."
  )
  # Weights are copies; equal probabilities share a bin.
  p <- rep(c(0.001, 0.002, 0.003), c(500, 490, 10))
  truth <- rep(c("ok", "fraud", "ok"), c(990, 5, 5))
  tied <- assess_decisions(cbind(ok = 1 - p, fraud = p), truth = truth)$calibration
  expect_equal(tied$cases[tied$class == "fraud"], c(500, 490, 10))
  weighted <- assess_decisions(
    cbind(ok = 1 - c(0.001, 0.002, 0.003, 0.003), fraud = c(0.001, 0.002, 0.003, 0.003)),
    truth = c("ok", "ok", "fraud", "ok"), weights = c(500, 490, 5, 5)
  )$calibration
  same <- c("class", "from", "to", "cases", "predicted", "observed")
  expect_equal(weighted[same], tied[same])
})

test_that("a rare class that is told apart keeps its bins of equal width", {
  p <- c(rep(0.001, 950), seq(0.2, 0.95, length.out = 50))
  truth <- rep(c("ok", "fraud", "ok"), c(960, 30, 10))
  x <- suppressWarnings(assess_decisions(cbind(ok = 1 - p, fraud = p), truth = truth))
  expect_equal(x$calibration$to - x$calibration$from, rep(0.1, 20))
})

test_that("calibration has a panel for each class, and bars of its cases", {
  figure <- do.call(plot, figures()$calibration_three)
  bars <- layer_of(figure, "GeomRect")
  longest <- tapply(bars$ymax - bars$ymin, bars$PANEL, max)
  expect_equal(as.vector(longest), rep(0.14, 3))
  one <- plot(figures()$roc[[1L]], "calibration", class = "virginica")
  expect_identical(one$labels$x, "probability of virginica")
})
