skip_if_not_installed("ggplot2")

test_that("tiles have counts, shares, costs and a frame around right decisions", {
  counts <- figures()$confusion[[1L]]
  figure <- ggplot2::autoplot(counts)
  expect_identical(layer_of(figure, "GeomText")$label[c(1L, 5L)], c("50\n100%", "47\n94%"))
  expect_identical(nrow(layer_of(figure, "GeomTile", 2L)), 3L)
  # Rows from above, as in the printed table.
  tiles <- layer_of(figure, "GeomTile")
  expect_equal(as.numeric(tiles$y[tiles$x == 1]), 3:1)
  cost <- zero_one_cost(levels(iris$Species))
  priced <- ggplot2::autoplot(counts, cost = cost)
  expect_match(layer_of(priced, "GeomText")$label[[6L]], "cost 3")
  expect_equal(priced$data$cost, draw(counts, cost = cost)$cost)
  # Errors are shaded below 0 by their share of the cost, here the half each.
  expect_equal(priced$data$shade[c(6L, 8L)], c(-1, -1))
})

test_that("texts that do not fit are left out", {
  texts <- list("1234\n100%\ncost 12", "1234\n100%", "1234")
  expect_identical(figure_text(texts, c(3, 3))$text, texts[[1L]])
  expect_identical(figure_text(texts, c(18, 18))$text, texts[[3L]])
  expect_null(figure_text(texts, c(60, 60)))
})
