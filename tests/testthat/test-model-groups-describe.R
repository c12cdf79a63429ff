test_that("a print says the keys, the groups and their rows", {
  models <- fit(bayes_naive(), y ~ size, birds(), by = c(region, year))
  lines <- format(models)
  expect_match(lines, "9 models by region and year, from 400 rows: 2 classes, 1 feature.",
               fixed = TRUE, all = FALSE)
  rows <- as.data.frame(models)
  expect_identical(names(rows), c("region", "year", "rows"))
  expect_identical(sum(rows$rows), 400)
  expect_match(lines, sprintf("west +2019 +%d", rows$rows[[1L]]), all = FALSE)
})
