test_that("tables of groups have their keys as first columns", {
  flowers <- transform(iris, site = rep(c("hill", "lake"), 75))
  models <- fit(bayes_naive(), Species ~ Petal.Width, flowers, by = site)
  tidied <- tidy(models)
  expect_identical(names(tidied)[[1L]], "site")
  one <- tidied[tidied$site == "lake", -1L]
  row.names(one) <- NULL
  expect_identical(one, tidy(models$lake))
  expect_identical(glance(models)$site, factor(c("hill", "lake")))
  expect_identical(as.data.frame(models)$rows, c(75, 75))
})
