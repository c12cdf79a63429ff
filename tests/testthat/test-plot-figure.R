test_that("every figure has the numbers of its data, is built silently and sets no theme", {
  skip_on_cran()
  for (name in names(all <- figures())) {
    figure <- do.call(plot, all[[name]])
    expect_true(all(grepl("^legend", names(figure$theme))), info = name)
    expect_silent(built <- ggplot2::ggplot_build(figure))
    for (column in shown_columns(name)) {
      shown <- distance_to_shown(figure$data[[column]], built)
      expect_lt(shown, 1e-9, label = paste(name, column))
    }
  }
})

test_that("every class with a plot is among the figures", {
  methods <- parseNamespaceFile("bayesrisk", dirname(system.file(package = "bayesrisk")))$S3methods
  plotted <- methods[methods[, 1L] == "plot", 2L]
  drawn <- unlist(lapply(figures(), function(figure) class(figure[[1L]])))
  never <- sprintf("bayesrisk_%s", c("boundaries", "regions", "models", "result"))
  expect_setequal(setdiff(intersect(drawn, plotted), never), setdiff(plotted, never))
})

test_that("a graphical parameter changes the figure or is an error", {
  skip_on_cran()
  given <- list(
    main = "title", xlab = "own", ylab = "own", xlim = c(0.1, 0.7), ylim = c(0.1, 0.7),
    col = "#123456", lty = 4, lwd = 7, pch = 9, cex = 3, alpha = 0.37
  )
  said <- function(figure) list(figure$labels, figure$coordinates$limits)
  drawn <- function(figure) ggplot2::ggplot_build(figure)$data
  read <- vapply(figures(), function(args) {
    plain <- do.call(plot, args)
    plain_drawn <- drawn(plain)
    vapply(names(given), function(name) {
      figure <- tryCatch(
        do.call(plot, c(args, given[name])), bayesrisk_error_argument = conditionMessage
      )
      if (!is.character(figure)) {
        return(!identical(said(figure), said(plain)) || !identical(drawn(figure), plain_drawn))
      }
      expect_match(figure, sprintf("Unused argument: `%s`", name), fixed = TRUE)
      NA
    }, NA)
  }, logical(length(given)))
  expect_identical(colnames(read)[colSums(!read, na.rm = TRUE) > 0], character())
  looks <- function(figure) intersect(names(given)[-(1:3)], rownames(read)[which(read[, figure])])
  expect_identical(looks("tennis"), c("ylim", "col"))
  expect_identical(looks("plane"), c("xlim", "ylim", "col", "pch", "cex", "alpha"))
  expect_identical(looks("confusion"), c("xlim", "ylim"))
  expect_identical(looks("decision"), c("col", "lty", "lwd"))
})

test_that("scales, themes and facets of the user replace defaults without a message", {
  figure <- plot(iris_naive(), features = "Petal.Width")
  own <- c(setosa = "#111111", versicolor = "#222222", virginica = "#333333")
  colours_of <- function(figure) unique(ggplot2::layer_data(figure)$colour)
  # Blue, orange and green of Okabe and Ito.
  expect_identical(colours_of(figure), c("#0072B2", "#E69F00", "#009E73"))
  expect_silent({
    changed <- figure + ggplot2::scale_colour_manual(values = own) +
      ggplot2::scale_x_continuous(limits = c(0, 3)) + ggplot2::coord_cartesian(ylim = c(0, 2)) +
      ggplot2::theme_minimal() + ggplot2::facet_wrap("class")
    built <- ggplot2::ggplot_build(changed)
  })
  expect_identical(colours_of(changed), unname(own))
  expect_identical(length(built$layout$panel_params), 3L)
})

test_that("titles, limits and looks are those of the user", {
  figure <- plot(
    two_classes(), main = expression(x^2), xlab = "mm", ylab = quote(p(x)), ylim = c(0, 0.2),
    xlim = c(0, 30), col = c(B = "red"), lty = 2, lwd = 5.5
  )
  expect_identical(figure$labels$title, expression(x^2))
  expect_identical(figure$labels$x, "mm")
  expect_identical(figure$labels$y, expression(p(x)))
  expect_identical(figure$coordinates$limits[c("x", "y")], list(x = c(0, 30), y = c(0, 0.2)))
  lines <- layer_of(figure, "GeomLine")
  expect_setequal(lines$colour, c("#0072B2", "red"))
  expect_setequal(c(lines$linetype, lines$linewidth), c("dashed", "2"))
  data <- data.frame(x = c(10, 20, 30), class = c("A", "B", NA))
  cases <- plot(two_classes(), "regions", data = data, pch = c("a", "b"), cex = 2, alpha = 0.5)
  points <- layer_of(cases, "GeomPoint", 2L)
  expect_identical(points$shape, c("a", "b", "?"))
  expect_identical(unique(points$alpha), 0.5)
  expect_silent(ggplot2::ggplot_build(cases))
})

# The sizes of the legends of a figure in inches.
legend_sizes <- function(figure, width = 6, height = 4) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  grob <- ggplot2::ggplotGrob(figure)
  # Before version 3.5.0 of ggplot2 all legends are in one box.
  box <- grob$layout$name %in% c("guide-box", "guide-box-top")
  legends <- grob$grobs[box][[1L]]
  inches <- function(unit) grid::convertUnit(sum(unit), "inches", valueOnly = TRUE)
  c(inches(legends$widths), inches(legends$heights))
}

test_that("legends stand above and are not cut, also of many classes", {
  skip_on_cran()
  classes <- sprintf("class number %02d", 1:26)
  y <- factor(rep(classes, 10), classes, ordered = TRUE)
  x <- withr::with_seed(1, data.frame(a = rnorm(260), b = rnorm(260)))
  model <- fit(bayes_naive(), y ~ ., cbind(y = y, x))
  cost <- zero_one_cost(classes, reject = 0.3)
  both <- plot(model, "regions", data = cbind(y = y, x), cost = cost)
  lines <- plot(model, "cost", features = "a", cost = cost)
  for (size in list(c(3, 2), c(6, 4), c(12, 8))) {
    for (figure in list(both, lines)) {
      taken <- legend_sizes(figure, size[[1L]], size[[2L]])
      expect_true(all(taken > 0.2 & taken < size * c(1, 0.5)))
    }
  }
})

test_that("a figure does not keep the data of the caller of plot()", {
  make <- function() {
    unrelated <- as.double(1:1e6)
    figure <- plot(two_classes(), "regions", data = data.frame(x = 15))
    expect_length(unrelated, 1e6)
    figure
  }
  expect_lt(length(serialize(make(), NULL)), 4e6)
})

test_that("cases that share a name have panels of their own", {
  rows <- matrix(c(15, 19, 21), dimnames = list(c("a", "a", "b"), "x"))
  world <- two_classes()
  costs <- zero_one_cost(c("A", "B"), reject = 0.2)
  panels <- function(figure) {
    shown <- as.character(ggplot2::ggplot_build(figure)$layout$layout$panel)
    sub("(case [^:\n]*).*", "\\1", shown)
  }
  own <- sprintf("case %s", c("a", "a.1", "b"))
  expect_identical(panels(plot(cost_sweep(world, rows, costs, class = "B"))), own)
  ranges <- cost_ranges(world, rows, costs, vary = list(A = list(B = c(0, 9)), reject = 0:1))
  expect_identical(panels(plot(ranges, "map")), own)
  expect_identical(panels(plot(contributions(world, rows), case = 1:3)), own)
  priced <- contributions(world, rows, costs)
  expect_identical(unique(panels(plot(priced, case = c("a", "a.1")))), own[1:2])
})

test_that("labels are cut before entries are left out, and their number is said", {
  fitted <- fit_legend(sprintf("class %02d", 1:8))
  expect_identical(fitted$labels, sprintf("class %02d", 1:8))
  expect_equal(fitted$most, 8)
  cut <- fit_legend(sprintf("a class of a very long name %02d", 1:9))
  expect_match(cut$labels, "^a c.*[.]{3}.*0[1-9]$")
  model <- suppressWarnings(fit(bayes_naive(), y ~ x, data.frame(
    y = factor(rep(1:100, 3)), x = withr::with_seed(1, rnorm(300))
  )))
  scale <- plot(model)$plot_env$scale_colour_discrete()
  shown <- scale$breaks(as.character(1:100))
  expect_lt(length(shown), 60)
  expect_match(scale$labels(shown)[[length(shown)]], sprintf("and %d more", 100L - length(shown)))
})

test_that("on a small device text becomes smaller", {
  skip_on_cran()
  withr::local_pdf(NULL, width = 3, height = 2)
  expect_equal(text_scale(), 2 / 3)
  figure <- plot(two_classes(), "regions")
  expect_equal(figure$theme$text$size, 2 / 3 * ggplot2::theme_get()$text$size)
  expect_equal(unique(layer_of(do.call(plot, figures()$decision), "GeomText")$size), 2)
  for (inches in c(0.5, 1, 2)) {
    withr::local_pdf(NULL, width = inches, height = inches)
    expect_no_error(print(plot(two_classes(), "regions", main = "small")))
    expect_no_error(print(do.call(plot, figures()$confusion)))
    expect_no_error(print(plot(iris_naive(), main = "small")))
  }
})

test_that("titles of axes have two lines if they are long", {
  expect_identical(titled("short", paste(rep("word", 12), collapse = " "))$y,
                   "word word word word word word\nword word word word word word")
  expect_null(titled(NULL, "y")$x)
})
