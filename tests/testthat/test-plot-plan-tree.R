# The rectangles of all texts of a tree in inches, as grid draws them on this device.
text_boxes <- function(figure) {
  grob <- ggplot2::ggplotGrob(figure)
  panel <- grob$layout[grob$layout$name == "panel", ]
  dev <- grDevices::dev.size()
  inches <- function(units) grid::convertUnit(units, "inches", valueOnly = TRUE)
  fixed <- function(units) {
    plain <- !grid::unitType(units) %in% "null"
    c(sum(inches(units[plain])), sum(!plain))
  }
  room <- dev - c(fixed(grob$widths)[[1L]], fixed(grob$heights)[[1L]])
  built <- ggplot2::ggplot_build(figure)
  ranges <- built$layout$panel_params[[1L]]
  place <- function(values, range, size) (values - range[[1L]]) / diff(range) * size
  do.call(rbind, lapply(built$data, function(layer) {
    if (is.null(layer$label)) return(NULL)
    layer <- layer[!is.na(layer$label), ]
    box <- "fill" %in% names(layer)
    size <- layer$size * ggplot2::.pt
    font <- grid::gpar(fontsize = size[[1L]], lineheight = layer$lineheight[[1L]])
    grobs <- lapply(layer$label, grid::textGrob, gp = font)
    pad <- if (box) 0.03 else 0
    width <- vapply(grobs, function(g) inches(grid::grobWidth(g)), 1) + 2 * pad
    height <- vapply(grobs, function(g) inches(grid::grobHeight(g)), 1) + 2 * pad
    x <- place(layer$x, ranges$x.range, room[[1L]])
    y <- place(layer$y, ranges$y.range, room[[2L]])
    left <- x - layer$hjust * width
    low <- y - layer$vjust * height
    data.frame(label = layer$label, left, right = left + width, low, high = low + height,
               room = room[[1L]])
  }))
}

overlapping <- function(boxes) {
  pairs <- utils::combn(nrow(boxes), 2L)
  a <- boxes[pairs[1L, ], ]
  b <- boxes[pairs[2L, ], ]
  touch <- pmin(a$right, b$right) - pmax(a$left, b$left) > 0.005 &
    pmin(a$high, b$high) - pmax(a$low, b$low) > 0.005
  paste(a$label, b$label, sep = " | ")[touch]
}

long_names <- function() {
  wide_plan(
    names = c("plasma glucose concentration, fasting", "BODY MASS INDEX OF THE PATIENT",
              "age_in_completed_years_at_admission", "family history of diabetes mellitus"),
    actions = c("leave the patient alone", "refer to a specialist in town",
                "treat with the standard dose")
  )
}

test_that("no text covers another one or leaves the panel", {
  skip_on_cran()
  for (size in list(c(7, 7), c(6, 4))) {
    withr::local_pdf(NULL, width = size[[1L]], height = size[[2L]])
    plans <- list(two_tests(), two_tests(price = 3), panel_plan(), deep_plan(40), wide_plan(),
                  long_names(), wide_plan(c(0.06, 0.03, 0.01, 0.02)))
    for (plan in plans) {
      for (limit in c(15, 30)) {
        boxes <- text_boxes(suppressMessages(plot(plan, limit = limit)))
        if (nrow(boxes) > 1L) expect_identical(overlapping(boxes), character())
        expect_true(all(boxes$left > 0 & boxes$right < boxes$room))
        expect_true(all(boxes$low > 0))
      }
    }
  }
})

test_that("ends have rows of their own, tests stand between their answers", {
  withr::local_pdf(NULL, width = 7, height = 7)
  drawn <- draw(wide_plan())
  tree <- wide_plan()$tree
  expect_identical(drawn$node, tree$node)
  expect_identical(drawn$parent, tree$parent)
  expect_within(drawn$reach, reach_of(tree), 1e-14)
  expect_identical(as.character(drawn$decision), tree$action)
  expect_identical(drawn$y[!is.na(drawn$decision)], as.double(25:1))
  for (i in which(is.na(drawn$decision))) {
    expect_identical(drawn$y[[i]], mean(range(drawn$y[which(drawn$parent == i)])))
    expect_length(unique(drawn$x[which(drawn$parent == i)]), 1L)
    expect_gt(min(drawn$x[which(drawn$parent == i)]), drawn$x[[i]])
  }
  expect_identical(drawn$label[c(1, 2, 3)], c("glu", "leave", "age"))
  expect_identical(drawn$answer[c(1, 2, 3)], c(NA, "< 99.5", "99.5 to 108"))
})

test_that("branches that fewest cases reach are boxes with the number of their steps", {
  withr::local_pdf(NULL, width = 7, height = 7)
  plan <- wide_plan()
  drawn <- suppressMessages(draw(plan, limit = 10))
  expect_lte(sum(!is.na(drawn$decision) | drawn$hidden > 0L), 10L)
  steps <- sum_below(plan$tree, as.integer(is_step(plan$tree)))
  nodes <- sum_below(plan$tree, rep(1L, 40L))
  hidden <- drawn[drawn$hidden > 0L, ]
  expect_identical(hidden$hidden, nodes[hidden$node] - 1L)
  steps <- steps[hidden$node]
  expect_identical(hidden$label, sprintf("%d more %s", steps, ifelse(steps == 1L, "step", "steps")))
  # Of a long row of tests the first ones are drawn.
  deep <- suppressMessages(draw(deep_plan(40)))
  expect_identical(sum(deep$hidden) + nrow(deep), 81L)
  expect_gt(nrow(deep), 8L)
})

test_that("ends have the colours of their actions, those of the user too", {
  plan <- two_tests()
  ends <- layer_of(plot(plan), "GeomLabel", 2L)
  expect_identical(ends$label, c("treat", "wait", "wait"))
  expect_identical(ends$fill[[2L]], ends$fill[[3L]])
  expect_false(ends$fill[[1L]] == ends$fill[[2L]])
  own <- layer_of(plot(plan, col = c(treat = "red")), "GeomLabel", 2L)
  expect_identical(own$fill[-1L], ends$fill[-1L])
  expect_false(own$fill[[1L]] == ends$fill[[1L]])
  # An action that is a class has its colour in every figure.
  both <- cost_matrix(ill = c(ill = 0, well = 4), well = c(ill = 8, well = 0))
  same <- layer_of(plot(two_tests(both)), "GeomLabel", 2L)
  keys <- label_style(c("ill", "well"), list(classes = c("ill", "well")))
  expect_identical(same$fill, unname(region_colours(c("ill", "well"), keys))[c(1, 2, 2)])
})

test_that("the wider a line, the more cases", {
  figure <- plot(two_tests())
  lines <- layer_of(figure, "GeomPath")
  width <- vapply(split(lines$linewidth, lines$group), unique, 1)
  expect_within(unname(width), line_widths(c(0.73, 0.27, 0.153, 0.117)), 1e-12)
})
