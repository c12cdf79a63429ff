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
  cells <- confusion_data(unclass(counted), NULL, NULL)
  texts <- tile_texts(transform(cells, cost = n), cells$n / 4)
  expect_match(texts[[1L]], "^[0-9]+\n[0-9]+%\ncost [0-9]+$")
  expect_identical(texts[[3L]], as.character(cells$n))
  texts <- list("1234\n100%\ncost 12", "1234\n100%", "1234")
  expect_identical(figure_text(texts, c(3, 3))$text, texts[[1L]])
  expect_identical(figure_text(texts, c(18, 18))$text, texts[[3L]])
  expect_null(figure_text(texts, c(60, 60)))
  withr::local_pdf(NULL, width = 12, height = 8)
  expect_identical(figure_text(texts, c(18, 18))$text, texts[[1L]])
})

test_that("errors are shaded by their cost, decisions that are the truth by their share of it", {
  expect_identical(share_colours(c(1, 2)), rep(share_colours(1), 2L))
  cost <- cost_matrix(b = c(b = 1, a = 6), a = c(b = 3, a = 0), ask = 2)
  cells <- confusion_data(unclass(counted), cost, NULL)
  tiles <- shade_tiles(cells)
  expect_identical(tiles$right, c(TRUE, FALSE, FALSE, FALSE, TRUE, FALSE))
  expect_equal(tiles$shade, c(1 / 2, 1, 0, 0, 2 / 3, 2 / 6), tolerance = 1e-14)
  expect_identical(tiles$by_cost, c(FALSE, TRUE, TRUE, TRUE, FALSE, TRUE))
  plain <- shade_tiles(transform(cells, share = NA))
  expect_equal(plain$shade, cells$n / c(2, 2, 2, 3, 3, 3))
  expect_false(any(plain$by_cost))
})

test_that("tiles have counts, shares, costs and a frame around right decisions", {
  counts <- figures()$confusion[[1L]]
  figure <- plot(counts)
  expect_identical(layer_of(figure, "GeomText")$label[c(1L, 5L)], c("50\n100%", "47\n94%"))
  # Rows from above, as in the printed table.
  frames <- layer_of(figure, "GeomTile", 2L)
  expect_equal(as.numeric(frames$x + frames$y), c(4, 4, 4))
  axis <- ggplot2::ggplot_build(figure)$layout$panel_params[[1L]]
  expect_identical(axis$y$get_labels(), rev(levels(iris$Species)))
  expect_identical(axis$x$get_labels(), levels(iris$Species))
  cost <- zero_one_cost(levels(iris$Species))
  priced <- plot(counts, cost = cost)
  expect_match(layer_of(priced, "GeomText")$label[[6L]], "cost 3")
})
