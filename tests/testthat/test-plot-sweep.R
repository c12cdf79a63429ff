sweep_of_letters <- function(...) {
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.2)
  cost_sweep(letters_model(), data.frame(pixels = c(15, 20, Inf)), cost, ...)
}

quiet_sweep <- function(...) {
  suppressWarnings(sweep_of_letters(...), classes = "bayesrisk_warning_infinite")
}

test_that("all lines at the ends and corners, the cheapest marked", {
  drawn <- draw(quiet_sweep(class = "b"), rows = 2)
  expect_named(drawn, c("row", "action", "x", "cost", "chosen"))
  expect_identical(unique(drawn$row), 2L)
  p <- drawn$x
  by_hand <- cbind(a = 5 * p, b = 1 - p, ask = 0.2)[cbind(seq_along(p), as.integer(drawn$action))]
  expect_within(drawn$cost, by_hand, 1e-13, scale = 1)
  expect_within(unique(p), c(0, 0.04, 0.8, 1), 1e-14)
  expect_identical(as.character(drawn$action[drawn$chosen & p == 0]), "a")
  expect_identical(sum(drawn$chosen), 6L)
})

test_that("a panel for each case that has a decision, nine at most", {
  drawn <- draw(quiet_sweep(), main = "letters")
  expect_identical(unique(drawn$row), 1:2)
  many <- cost_sweep(letters_model(), data.frame(pixels = 10:21))
  expect_message(drawn <- draw(many), "3 of 12", class = "bayesrisk_message_rows")
  expect_identical(unique(drawn$row), 1:9)
  expect_identical(unique(draw(many, rows = c(12, 2))$row), c(12L, 2L))
})

test_that("the range: what was swept, what is wanted, or over the corners from 0", {
  one <- quiet_sweep(vary = c(decision = "a", truth = "b"))
  expect_identical(sweep_range(one, 2L, NULL)[[1L]], 0)
  expect_gt(sweep_range(one, 2L, NULL)[[2L]], 5)
  expect_identical(sweep_range(one, 2L, c(7, 3)), c(3, 7))
  expect_identical(range(draw(one, rows = 1, xlim = c(1, 2))$x), c(1, 2))
  part <- quiet_sweep(from = 0.1, to = 0.3)
  expect_identical(sweep_range(part, 1:2, NULL), c(0.1, 0.3))
  one_action <- cost_sweep(letters_model(), cost = cost_matrix(go = 0), vary = c(decision = "go"))
  expect_identical(sweep_range(one_action, 1L, NULL), c(0, 1.2))
})

test_that("what is chosen is what the sweep decides, ties included", {
  cost <- suppressWarnings(cost_matrix(
    a = c(a = 0, b = 5), twin = c(a = 0, b = 5), b = c(a = 1, b = 0), dear = c(a = 2, b = 2)
  ))
  swept <- cost_sweep(letters_model(), data.frame(pixels = c(15, 20)), cost, class = "b")
  drawn <- draw(swept)
  expect_setequal(as.character(drawn$action[drawn$chosen]), c("a", "b"))
  for (i in seq_len(nrow(swept))) {
    at <- drawn$row == swept$row[[i]] & drawn$x >= swept$from[[i]] & drawn$x <= swept$to[[i]]
    expect_true(all(drawn$chosen[at & drawn$action == swept$decision[[i]]]))
  }
  # A sweep of gains, where a band around the least cost would have the wrong sign.
  gain <- suppressWarnings(as_cost_matrix(-as.matrix(cost), rows = "decision"))
  gains <- draw(cost_sweep(letters_model(), data.frame(pixels = 20), gain, class = "b"))
  expect_identical(rowSums(matrix(gains$chosen, ncol = 4L)) >= 1, rep(TRUE, nrow(gains) / 4L))
})

test_that("what was not swept is not drawn", {
  part <- quiet_sweep(from = 0.1, to = 0.3)
  expect_identical(range(draw(part, rows = 1, xlim = c(0, 0.2))$x), c(0.1, 0.2))
  expect_error(draw(part, xlim = c(0.5, 1)), "xlim", class = "bayesrisk_error_argument")
})

test_that("the Bayes risk at many priors is that of each", {
  model <- shapes_model()
  cost <- cost_matrix(take = c(positive = -1, negative = 7), leave = c(positive = 2, negative = 0))
  risk <- attr(draw(cost_sweep(model, cost = cost)), "risk")
  at <- c(1L, 40L, 65L, 129L)
  each <- vapply(risk$x[at], function(p) {
    bayes_risk(model, cost, prior = c(positive = p, negative = 1 - p))$total
  }, 1)
  expect_within(risk$risk[at], each, 1e-14)
  closed <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0))
  risk <- attr(draw(cost_sweep(letters_model(), cost = closed, class = "b")), "risk")
  expect_identical(risk$risk[c(1L, 129L)], c(0, 0))
  expect_within(risk$risk[65L], 0.5, 1e-15)
})

test_that("infinite lines are not drawn", {
  cost <- cost_matrix(go = c(a = 0, b = Inf), stay = c(a = 3, b = 1))
  drawn <- draw(cost_sweep(letters_model(), cost = cost))
  expect_true(all(is.infinite(drawn$cost[drawn$action == "go"])))
})

test_that("along a prior: the Bayes risk below the lines, its peak the minimax risk", {
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.6)
  drawn <- draw(cost_sweep(letters_model(), cost = cost, class = "b"))
  risk <- attr(drawn, "risk")
  expect_within(risk$risk[risk$x == 0.25], bayes_risk(letters_model(), cost)$total, 1e-14)
  without <- pmin(5 * risk$x, 1 - risk$x, 0.6)
  expect_true(all(risk$risk <= without + 1e-15))
  expect_lte(max(risk$risk), minimax_prior(letters_model(), cost)$risk)
  expect_within(max(risk$risk), minimax_prior(letters_model(), cost)$risk, 1e-3)
  expect_null(attr(draw(cost_sweep(bayes_known(c(a = .5, b = .5)))), "risk"))
  expect_null(attr(draw(quiet_sweep(), rows = 1), "risk"))
})

test_that("what cannot be drawn is refused", {
  swept <- quiet_sweep()
  expect_error(draw(swept, rows = 3), "rows", class = "bayesrisk_error_argument")
  expect_error(draw(swept, colour = 1), "colour", class = "bayesrisk_error_argument")
  expect_error(draw(swept, col = c(zeta = 1)), "zeta", class = "bayesrisk_error_argument")
  for (rows in list(1L, c(1L, NA))) {
    expect_error(draw(swept[rows, ]), "pieces are gone", class = "bayesrisk_error_argument")
  }
  never <- suppressWarnings(cost_sweep(letters_model(), data.frame(pixels = Inf)))
  expect_error(draw(never), "no case", class = "bayesrisk_error_argument")
  is_drawn <- function(x) is.data.frame(x)
  expect_fuzz_proof(draw, "rows", list(x = swept), is_drawn)
})

test_that("a panel names its case and its cuts", {
  two <- data.frame(pixels = c(15, 20), row.names = c("first letter", "second"))
  expect_identical(
    sweep_names(cost_sweep(letters_model(), two)), c(`1` = "first letter", `2` = "second")
  )
  swept <- cost_sweep(letters_model(), two)
  built <- ggplot2::ggplot_build(plot(swept))
  cuts <- cut_labels(swept$to[c(1L, 3L)], 1)
  expect_identical(
    as.character(built$layout$layout$panel),
    sprintf("case %s\nchanges: %s", c("first letter", "second"), cuts)
  )
  expect_identical(plot(swept, rows = 2)$labels$x, "prior of a (case second)")
  rownames(two) <- NULL
  expect_identical(sweep_names(cost_sweep(letters_model(), two)), c(`1` = "1", `2` = "2"))
})

test_that("a sweep marks the decision's changes, the prior now and the Bayes risk", {
  object <- figures()$sweep[[1L]]
  figure <- plot(object)
  expect_equal(layer_of(figure, "GeomVline")$xintercept, 0.75)
  expect_equal(layer_of(figure, "GeomVline", 2L)$xintercept, utils::head(object$to, -1L))
  risk <- layer_of(figure, "GeomLine", 3L)
  expect_equal(risk$y, attr(figure$data, "risk")$risk)
  # The grey line below is the least cost at each corner.
  least <- layer_of(figure, "GeomLine")
  expect_equal(tapply(least$y, least$x, max), tapply(figure$data$cost, figure$data$x, min))
})
