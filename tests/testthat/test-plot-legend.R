# Legends of `n` entries, fitted to inches.
fit_labels <- function(labels, width, most_rows = 100, ...) {
  fit_legend(legend_entries(data.frame(labels = labels), ...), width, most_rows)
}

test_that("entries stand in columns of equal width that fill the width", {
  withr::local_pdf(NULL)
  fitted <- fit_labels(sprintf("class %02d", 1:30), 5, line = TRUE)
  key <- (fitted$segment + fitted$gap + 1) * character_width()
  expect_lte(fitted$columns * (key + fitted$text_width), 5)
  expect_gt((fitted$columns + 1) * (key + fitted$text_width), 5)
  expect_identical(fitted$shown, 1:30)
  expect_equal(fitted$rows, ceiling(30 / fitted$columns))
})

test_that("a legend of too many rows says how many entries it left out", {
  withr::local_pdf(NULL)
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

test_that("text is cut to a width", {
  withr::local_pdf(NULL)
  expect_identical(cut_text("short", 7), "short")
  expect_lte(strwidth(cut_text(strrep("m", 300), 2), "inches"), 2)
  expect_identical(cut_text(c("text", "t"), 0.01), c("...", "..."))
  expect_identical(cut_text(c("a", ""), 1), c("a", ""))
  expect_identical(cut_text(quote(x^2), 0.01), quote(x^2))
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
