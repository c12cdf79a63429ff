# Legends of `n` entries, fitted to inches.
fit_labels <- function(labels, width, most_rows = 100, ...) {
  fit_legend(legend_entries(data.frame(labels = labels), ...), width, most_rows)
}

test_that("entries stand in as few rows as the width allows, in columns of their own width", {
  withr::local_pdf(NULL)
  labels <- c(sprintf("class %02d", 1:28), "a much longer label", "b")
  fitted <- fit_labels(labels, 5, line = TRUE)
  sizes <- legend_width(labels)
  expect_lte(sum(column_widths(sizes, fitted$key, fitted$rows)), 5)
  expect_gt(sum(column_widths(sizes, fitted$key, fitted$rows - 1)), 5)
  expect_identical(fitted$shown, 1:30)
  widths <- diff(fitted$left)
  expect_equal(widths, column_widths(sizes, fitted$key, fitted$rows)[seq_along(widths)])
})

test_that("labels are cut before entries are left out, and their number is said", {
  withr::local_pdf(NULL)
  cut <- fit_labels(sprintf("a class of a very long name %02d", 1:9), 5, 3, line = TRUE)
  expect_identical(cut$shown, 1:9)
  expect_match(cut$labels, "^a c.*[.]{3}.*0[1-9]$")
  fitted <- fit_labels(sprintf("class %02d", 1:30), 5, 2, line = TRUE)
  last <- length(fitted$labels)
  expect_identical(fitted$labels[[last]], sprintf("and %d more", 30L - last + 1L))
  expect_identical(fitted$shown, seq_len(last - 1L))
  expect_identical(fit_labels(c("a", "b"), 0.1, 1)$labels, "and 2 more")
})

test_that("a long title stands above the entries", {
  withr::local_pdf(NULL)
  expect_identical(fit_labels("a", 5, title = "decision:")$heading, 0L)
  expect_gt(fit_labels("a", 5, title = "decision:")$indent, 0)
  expect_identical(fit_labels("a", 1, title = "decision:")$heading, 1L)
})

test_that("keys of every kind are drawn, also where entries are left out", {
  withr::local_pdf(NULL)
  plot.new()
  par(usr = c(0, 5, 0, 5))
  keys <- label_style(sprintf("class %02d", 1:9), list())
  kinds <- list(list(line = TRUE), list(point = TRUE), list(bar = TRUE), list(fill = keys$col))
  for (kind in kinds) {
    entries <- fit_legend(do.call(legend_entries, c(list(keys, title = "of:"), kind)), 3, 2)
    expect_no_warning(draw_legend(entries, 0, 5))
  }
})
