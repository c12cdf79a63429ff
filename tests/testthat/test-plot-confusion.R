counted <- confusion_table(
  c("a", "a", "b", "b", "b"), factor(c("a", "b", "b", "b", "ask"), c("a", "b", "ask"))
)

test_that("cells with their costs, by truth and decision", {
  drawn <- draw(counted)
  expect_named(drawn, c("truth", "decision", "n", "cost", "share"))
  expect_identical(drawn$n, c(1, 1, 0, 0, 2, 1))
  expect_true(all(is.na(drawn$cost)))
  cost <- cost_matrix(b = c(b = 1, a = 6), a = c(b = 3, a = 0), ask = 2)
  priced <- draw(counted, cost = cost)
  expect_identical(priced$cost, c(0, 6, 0, 0, 2, 2))
  expect_identical(priced$share, priced$cost / 10)
})

test_that("an infinite cost without a case plays no part", {
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0), ask = 0.7)
  expect_identical(sum(draw(counted, cost = cost)$cost), 1.7)
})

test_that("classes without a case, one tile, many tiles", {
  expect_no_error(draw(confusion_table(factor("a", c("a", "b")), "reject")))
  expect_no_error(draw(confusion_table("a", "a")))
  many <- rep(sprintf("a rather long class name %d", 1:15), 2)
  expect_no_error(draw(confusion_table(many, rev(many)), main = "many"))
})

test_that("what cannot be drawn is said", {
  expect_bayesrisk_error(draw(counted, cost = 1), "argument", "cost")
  expect_bayesrisk_error(draw(counted, cost = zero_one_cost(c("a", "b"))), "argument", "ask")
  expect_bayesrisk_error(draw(counted, colour = 1), "argument", "colour")
})

test_that("tiles say as much as fits", {
  withr::local_pdf(NULL, width = 4, height = 4)
  cells <- confusion_data(unclass(counted), NULL, NULL)
  texts <- tile_texts(transform(cells, cost = n), cells$n / 4)
  expect_match(texts[[1L]], "^[0-9]+\n[0-9]+%\ncost [0-9]+$")
  expect_identical(texts[[3L]], as.character(cells$n))
  plot.new()
  expect_identical(fit_tile_text(texts, c(3, 2)), texts[[1L]])
  expect_identical(fit_tile_text(texts, c(12, 12)), texts[[3L]])
  expect_null(fit_tile_text(texts, c(60, 60)))
})

test_that("errors are shaded by their cost, decisions that are the truth by their share of it", {
  expect_identical(share_colours(c(1, 2)), rep(share_colours(1), 2L))
  cost <- cost_matrix(b = c(b = 1, a = 6), a = c(b = 3, a = 0), ask = 2)
  cells <- confusion_data(unclass(counted), cost, NULL)
  tiles <- shade_tiles(cells)
  expect_identical(tiles$right, c(TRUE, FALSE, FALSE, FALSE, TRUE, FALSE))
  expect_equal(tiles$shade, c(1 / 2, 1, 0, 0, 2 / 3, 2 / 6), tolerance = 1e-14)
  expect_identical(tiles$colour[c(1, 5)], share_colours(tiles$shade[c(1, 5)]))
  expect_identical(tiles$colour[c(2, 6)], cost_colours(tiles$shade[c(2, 6)]))
  plain <- shade_tiles(transform(cells, share = NA))
  expect_identical(plain$colour, share_colours(cells$n / c(2, 2, 2, 3, 3, 3)))
})
