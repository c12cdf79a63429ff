test_that("entries flow into rows as wide as the plot", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  block <- legend_block(list(labels = sprintf("class %02d", 1:30)), line = TRUE)
  flow <- flow_legend(list(block), 5, max_rows = 100)[[1L]]
  expect_true(all(diff(flow$row) %in% 0:1))
  expect_true(all(flow$left + flow$key + strwidth(flow$labels, "inches", legend_cex) <= 5))
  expect_identical(flow$shown, 1:30)
})

test_that("a legend of too many rows says how many entries it left out", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  block <- legend_block(list(labels = sprintf("class %02d", 1:30)), line = TRUE)
  flow <- flow_legend(list(block), 5, max_rows = 2)[[1L]]
  last <- length(flow$shown)
  expect_identical(flow$labels[[last]], sprintf("and %d more", 30L - last + 1L))
})

test_that("several legends stand below each other", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  look <- label_style(c("a", "b"), list(), NULL)
  flows <- flow_legend(list(
    legend_block(look, fill = c("red", "blue"), title = "decision:"),
    legend_block(look, point = TRUE, title = "true class:")
  ), 5, max_rows = 10)
  expect_identical(lapply(flows, `[[`, "row"), list(c(1L, 1L), c(2L, 2L)))
})

test_that("long names are shortened", {
  expect_identical(shorten(c("short", strrep("x", 40))), c("short", paste0(strrep("x", 25), "...")))
})
