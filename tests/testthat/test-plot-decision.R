# Costs of go, stay and ask: 10 p, 1 - p and 0.5.
drawn_decisions <- function() {
  p <- c(0, 0.02, 0.04, 0.3, 0.6, 0.9, NA)
  cost <- cost_matrix(go = c(ill = 10, well = 0), stay = c(ill = 0, well = 1), ask = 0.5)
  decide(cbind(ill = p, well = 1 - p), cost)
}

margins_of <- function(x) attr(draw(x), "margins")

test_that("shares and costs are those of the summary", {
  x <- drawn_decisions()
  drawn <- draw(x)
  expect_identical(structure(drawn, margins = NULL), summary(x)$actions)
  expect_identical(drawn$cases, c(3L, 2L, 1L))
})

test_that("margins are the share of an action's cases at most so far from the next", {
  drawn <- margins_of(drawn_decisions())
  expect_named(drawn, c("action", "margin", "share"))
  # go at 0, 0.02, 0.04: 0.5, 0.3, 0.1 below ask; ask at 0.3: 0.2 below stay.
  share <- function(action, margin) {
    of_action <- drawn[drawn$action == action, ]
    of_action$share[[findInterval(margin, of_action$margin)]]
  }
  expect_equal(share("go", 0.05), 0)
  expect_equal(share("go", 0.2), 1 / 3)
  expect_equal(share("go", 0.4), 2 / 3)
  expect_equal(share("ask", 0.19), 0)
  expect_equal(share("ask", 0.21), 1)
})

test_that("one action, an action never taken, infinite and equal costs are drawn", {
  p <- cbind(a = c(0.2, 0.7), b = c(0.8, 0.3))
  one <- plot(decide(p, cost_matrix(only = 1)))
  expect_null(attr(one$data, "margins"))
  expect_silent(built <- ggplot2::ggplot_build(one))
  expect_identical(length(built$layout$panel_params), 1L)
  expect_equal(built$data[[1L]]$ymax, 1)
  never <- margins_of(decide(p, flat_cost(good = 0, bad = 1)))
  expect_true(all(is.na(never$share[never$action == "bad"])))
  infinite <- margins_of(decide(p, cost_matrix(x = c(a = Inf, b = 0), y = c(a = 1, b = 1))))
  expect_identical(range(infinite$margin), c(0, 1))
  expect_identical(range(margins_of(decide(p, cost_matrix(u = 1, v = 1)))$margin), c(0, 1))
})

test_that("a bad call names the argument", {
  x <- drawn_decisions()
  expect_bayesrisk_error(draw(x, xlim = 0:1), "argument", "xlim")
  expect_bayesrisk_error(draw(x, colour = 2), "argument", "colour")
  expect_bayesrisk_error(draw(x[7, ]), "argument", "no case")
})
