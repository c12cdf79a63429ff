skip_if_not_installed("ggplot2")

test_that("bars of a waterfall have the colour of the class that they support", {
  figure <- do.call(ggplot2::autoplot, figures()$contributions)
  bars <- layer_of(figure, "GeomTile")
  drawn <- figure$data
  expect_equal(nrow(bars), nrow(drawn))
  supported <- ifelse(drawn$contribution >= 0, drawn$class, drawn$against)
  palette <- stats::setNames(palette_colours(3L), levels(iris$Species))
  expect_identical(rev(bars$fill), unname(palette[supported]))
  expect_identical(rev(trimws(layer_of(figure, "GeomText")$label)),
                   sprintf("%+.3g", drawn$contribution))
})

test_that("impossible blocks end at the edge, undefined ones are not drawn", {
  tennis <- fit(bayes_naive(), play ~ ., play_tennis)
  sure <- contributions(tennis, data.frame(
    outlook = "overcast", temperature = "cool", humidity = "high", wind = "weak"
  ))
  expect_true(any(is.infinite(draw(sure)$contribution)))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(sure))
  expect_true(all(is.finite(built$data[[2L]]$xmin), is.finite(built$data[[2L]]$xmax)))
})

test_that("many panels leave the numbers out", {
  many <- ggplot2::autoplot(contributions(iris_naive(), iris[1:5, ]), case = 1:5)
  geoms <- vapply(many$layers, function(layer) class(layer$geom)[[1L]], "")
  expect_false("GeomText" %in% geoms)
  expect_silent(ggplot2::ggplot_build(many))
})

test_that("terms stand in the order of plot(), the first one above", {
  figure <- do.call(ggplot2::autoplot, figures()$case_features)
  built <- ggplot2::ggplot_build(figure)
  terms <- built$layout$panel_params[[1L]]$y$get_labels()
  expect_identical(rev(terms), figure$data$term[figure$data$case == figure$data$case[[1L]]])
})
