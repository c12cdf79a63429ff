test_that("a search prints its specification, its path and what it left", {
  expect_snapshot(search_blocks(bayes_naive(), Species ~ ., iris))
  expect_snapshot(search_blocks(bayes_naive(), Species ~ ., iris, criterion = "bic", max_size = 2))
  titanic <- as.data.frame(Titanic)
  expect_snapshot(search_blocks(bayes_naive(), Survived ~ ., titanic, weights = Freq))
  withr::local_seed(1)
  noise <- data.frame(y = rep(c("a", "b"), 20), p = stats::rnorm(40), q = stats::rnorm(40))
  noise$p[[1]] <- NA
  expect_snapshot(search_blocks(bayes_naive(), y ~ ., noise))
})

test_that("a search whose path was damaged prints as a specification", {
  found <- search_blocks(bayes_naive(), Species ~ ., iris)
  attr(found, "search")$path <- NULL
  plain <- bayes_blocks(list(names(iris)[1:4]))
  expect_identical(printed_text(found), printed_text(plain))
  expect_error(as.data.frame(found), class = "bayesrisk_error_object")
})
