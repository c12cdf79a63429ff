skip_if_not_installed("ggplot2")

test_that("every class with a plot has a figure, and no other", {
  methods <- parseNamespaceFile("bayesrisk", dirname(system.file(package = "bayesrisk")))$S3methods
  plotted <- methods[methods[, 1L] == "plot", 2L]
  expect_setequal(methods[methods[, 1L] == "autoplot", 2L], plotted)
  drawn <- unlist(lapply(figures(), function(figure) class(figure[[1L]])))
  never <- c("boundaries", "regions", "models", "result")
  never <- sprintf("bayesrisk_%s", never)
  expect_setequal(setdiff(intersect(drawn, plotted), never), setdiff(plotted, never))
})

test_that("every figure has the numbers of plot(), is built silently and sets no theme", {
  for (name in names(all <- figures())) {
    drawn <- do.call(draw, all[[name]])
    figure <- do.call(ggplot2::autoplot, all[[name]])
    expect_length(figure$theme, 0L)
    expect_silent(built <- ggplot2::ggplot_build(figure))
    if (name == "decision") drawn <- drawn$actions
    for (column in names(drawn)) {
      expect_identical(
        plain(figure$data[[column]]), plain(drawn[[column]]), info = paste(name, column)
      )
    }
    for (column in shown_columns(name)) {
      expect_lt(distance_from(drawn[[column]], built), 1e-9, label = paste(name, column))
    }
  }
})

test_that("a scale of the user replaces a default one without a message", {
  model <- iris_naive()
  figure <- ggplot2::autoplot(model, features = "Petal.Width")
  own <- c(setosa = "#111111", versicolor = "#222222", virginica = "#333333")
  colours_of <- function(figure) unique(ggplot2::layer_data(figure)$colour)
  # Blue, orange and green of Okabe and Ito, as plot() has them.
  expect_identical(colours_of(figure), c("#0072B2", "#E69F00", "#009E73"))
  expect_silent({
    changed <- figure + ggplot2::scale_colour_manual(values = own) +
      ggplot2::scale_x_continuous(limits = c(0, 3)) + ggplot2::coord_cartesian(ylim = c(0, 2)) +
      ggplot2::theme_minimal()
    ggplot2::ggplot_build(changed)
  })
  expect_identical(colours_of(changed), unname(own))
})

test_that("levels and numbers share a figure", {
  built <- ggplot2::ggplot_build(do.call(ggplot2::autoplot, figures()$mixed))
  axes <- lapply(built$layout$panel_params, function(panel) {
    Filter(Negate(is.na), panel$x$get_labels())
  })
  expect_identical(unname(axes[[3L]]), c("u", "v"))
  expect_identical(unname(axes[[4L]]), c("p", "q"))
  expect_false(anyNA(as.numeric(axes[[1L]])))
  ranges <- lapply(built$layout$panel_params, function(panel) panel$x$continuous_range)
  expect_true(all(diff(ranges[[3L]]) > 2, ranges[[3L]][[1L]] < 0.6))
  # Levels have the order of the feature, not of the alphabet.
  built <- ggplot2::ggplot_build(do.call(ggplot2::autoplot, figures()$tennis))
  expect_identical(built$layout$panel_params[[1L]]$x$get_labels(), levels(play_tennis$outlook))
})

test_that("legends are not cut at 6 x 4 inches", {
  classes <- sprintf("class number %02d", 1:19)
  y <- factor(rep(classes, 10), classes, ordered = TRUE)
  x <- withr::with_seed(1, data.frame(a = rnorm(190), b = rnorm(190)))
  model <- fit(bayes_naive(), y ~ ., cbind(y = y, x))
  room <- function(figure) {
    grDevices::pdf(NULL, 6, 4)
    on.exit(grDevices::dev.off())
    grob <- ggplot2::ggplotGrob(figure)
    legends <- grob$grobs[grepl("^guide-box(-right)?$", grob$layout$name)][[1L]]
    inches <- function(unit) grid::convertUnit(sum(unit), "inches", valueOnly = TRUE)
    c(inches(legends$widths), inches(legends$heights))
  }
  cost <- zero_one_cost(classes, reject = 0.3)
  data <- cbind(y = y, x)
  taken <- room(ggplot2::autoplot(model, "regions", data = data, cost = cost))
  expect_true(all(taken > 0.5 & taken < c(4.5, 4)))
  taken <- room(ggplot2::autoplot(model, "cost", features = "a", cost = cost))
  expect_true(all(taken > 0.5 & taken < c(4.5, 4)))
})

test_that("long labels are cut, and crowded ones are turned", {
  expect_identical(cut_to(c("short", "a label that is long"), 10), c("short", "a la...ong"))
  expect_false(are_crowded(c("sunny", "overcast", "rain"), 27))
  expect_true(are_crowded(c("sunny", "overcast", "rain"), 18))
  expect_identical(titled("short", paste(rep("word", 12), collapse = " "))$y,
                   "word word word word word word\nword word word word word word")
  expect_null(titled(NULL, "y")$x)
})

test_that("symbols, lines and line ends of unknown labels", {
  expect_identical(solid_symbols(c(21L, 24L, 3L)), c(16L, 17L, 3L))
  expect_null(shared_axis(1L))
  breaks <- shared_axis(2L)$scale_x_continuous()$breaks
  expect_equal(breaks(c(0, 1)), c(0, 0.2, 0.4, 0.6, 0.8))
})
