test_that("the bars are the costs of the strategies, and the line is the bound", {
  plan <- wide_plan()
  drawn <- draw(plan, "cost")
  expect_identical(drawn$strategy, strategy_names)
  expect_identical(drawn$cost, c(plan$now, plan$all, plan$myopic, plan$value))
  figure <- plot(plan, "cost")
  expect_within(layer_of(figure, "GeomTile")$xmax, rev(drawn$cost), 1e-12)
  expect_identical(layer_of(figure, "GeomVline", 2L)$xintercept, plan$lower)
  # As many digits as tell different costs apart.
  expect_identical(trimws(layer_of(figure, "GeomText")$label), c("1.311", "1.312", "1.504", "2.05"))
  plan$lower <- NA_real_
  is_line <- function(layer) inherits(layer$geom, "GeomVline")
  expect_length(Filter(is_line, plot(plan, "cost")$layers), 1L)
})

test_that("gains are drawn as gains, unknown costs are left out, infinite ones are a text", {
  gain <- two_tests(utility_matrix(treat = c(ill = 8, well = -4), wait = 0))
  figure <- plot(gain, "cost")
  expect_match(figure$labels$x, "gain")
  expect_match(figure$labels$caption, "no plan gains more")
  expect_within(layer_of(figure, "GeomTile")$xmax[[1L]], 0.377, 1e-12)
  plan <- two_tests()
  plan$all <- NA_real_
  plan$now <- Inf
  expect_identical(draw(plan, "cost")$strategy, strategy_names[-2L])
  texts <- trimws(layer_of(plot(plan, "cost"), "GeomText")$label)
  expect_identical(texts, c("0.423", "0.8", "Inf"))
  plan$myopic <- plan$value <- Inf
  expect_bayesrisk_error(plot(plan, "cost"), "argument", "no finite cost")
})

test_that("a large tree says what it leaves out", {
  withr::local_pdf(NULL, width = 7, height = 7)
  expect_message(plot(wide_plan(), limit = 15), "of 25 decisions not drawn",
                 class = "bayesrisk_message_nodes")
  expect_silent(plot(wide_plan()))
  expect_silent(plot(two_tests()))
})

test_that("arguments of the wrong kind, or of the other figure, are errors", {
  plan <- two_tests()
  expect_bayesrisk_error(plot(plan, "cost", limit = 3), "argument", "limit")
  expect_bayesrisk_error(plot(plan, limit = 0), "argument", "limit")
  expect_bayesrisk_error(plot(plan, "trees"), "argument", "type")
  expect_bayesrisk_error(plot(plan, xlim = c(0, 1)), "argument", "xlim")
  expect_bayesrisk_error(plot(plan, col = c(leave = "red")), "argument", "leave.*not drawn")
})
