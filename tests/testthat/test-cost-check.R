hospital <- function() {
  cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(healthy = 0, ill = 50), refer = 2)
}

test_that("a cost is aligned to a model by name", {
  aligned <- align_cost(hospital(), c("healthy", "ill"))
  expect_identical(aligned, matrix(
    c(4, 0, 2, 1, 50, 2), 3,
    dimnames = list(decision = c("treat", "wait", "refer"), truth = c("healthy", "ill"))
  ))
})

test_that("what does not fit a model is said", {
  predict_with <- function(cost, classes) align_cost(cost, classes)
  turned <- hospital()
  dim(turned) <- c(2, 3)
  expect_snapshot({
    said(predict_with(hospital(), c("helthy", "ill")))
    said(predict_with(hospital(), c("healthy", "ill", "dead")))
    said(predict_with(as.matrix(hospital()), c("healthy", "ill")))
    said(predict_with(5, c("healthy", "ill")))
    said(predict_with(turned, c("healthy", "ill")))
  })
})

test_that("a name that stands twice is no cost", {
  twice <- zero_one_cost(c("a", "b"))
  rownames(twice) <- c("a", "a")
  expect_bayesrisk_error(decide(cbind(a = 1, b = 0), twice), "argument", "no longer")
})
