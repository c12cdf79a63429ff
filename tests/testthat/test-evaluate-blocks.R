test_that("blocks are collected as a model collects them", {
  cases <- read_cases(iris, fit_request(
    Species ~ ., rlang::quo(), rlang::quo(), stats::na.pass, 1L
  ), NULL)
  counted <- collect_blocks(list(1:2, 3:4), cases, NULL)
  spec <- bayes_blocks(list(names(iris)[1:2], names(iris)[3:4]))
  model <- bayes_statistics(spec, Species ~ ., iris)
  expect_identical(counted$statistics, lapply(model$statistics$banks, identity))
})

test_that("parts of a list keep its order", {
  parts <- list()
  found <- by_parts(as.list(1:4001), function(part) {
    parts[[length(parts) + 1L]] <<- length(part)
    lapply(part, function(x) 2 * x)
  })
  expect_identical(unlist(parts), c(2000L, 2000L, 1L))
  expect_identical(unlist(found), 2 * seq_len(4001))
})
