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

test_that("a key with the name of a column gets a prefix", {
  data <- stats::setNames(birds(), sub("region", "class", names(birds())))
  models <- fit(bayes_naive(), y ~ size, transform(data, rows = year), by = c(class, rows))
  expect_identical(names(tidy(models))[1:4], c("by_class", "rows", "class", "term"))
  expect_identical(names(as.data.frame(models)), c("class", "by_rows", "rows"))
  expect_output(print(models), "by_rows")
  both <- fit(bayes_naive(), y ~ size, transform(data, by_class = year), by = c(class, by_class))
  expect_identical(names(tidy(both))[1:3], c("by_by_class", "by_class", "class"))
})
