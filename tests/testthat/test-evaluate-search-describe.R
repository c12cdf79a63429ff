test_that("a search prints its specification, its path and what it left", {
  by_bic <- search_blocks(bayes_naive(), Species ~ ., iris, criterion = "bic", max_size = 2)
  expect_output(print(by_bic), "search by BIC .*-BIC / 2: -221.4 at the start")
  titanic <- as.data.frame(Titanic)
  expect_snapshot(search_blocks(bayes_naive(), Survived ~ ., titanic, weights = Freq))
  withr::local_seed(1)
  noise <- data.frame(y = rep(c("a", "b"), 20), p = stats::rnorm(40), q = stats::rnorm(40))
  noise$p[[1]] <- NA
  expect_output(print(search_blocks(bayes_naive(), y ~ ., noise)), "No merge .*missing: 1 row")
})

test_that("a search whose path was damaged is an error", {
  found <- search_blocks(bayes_naive(), Species ~ ., iris)
  attr(found, "search")$path <- NULL
  expect_error(print(found), class = "bayesrisk_error_object")
  expect_error(as.data.frame(found), class = "bayesrisk_error_object")
})
