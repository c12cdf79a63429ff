two <- function() {
  cv_risk(
    list(naive = bayes_naive(), full = bayes_full()), Species ~ ., iris, folds = rep_len(1:5, 150)
  )
}

test_that("intervals of costs, or of differences", {
  result <- two()
  costs <- draw(result)
  expect_named(costs, c("candidate", "estimate", "lower", "upper"))
  expect_equal(costs$upper - costs$estimate, stats::qnorm(.975) * attr(result, "cost_error"))
  differences <- draw(result, "difference", main = "Paired")
  expect_identical(differences$lower, result$lower)
})

test_that("one candidate, and one without a cost", {
  expect_no_error(draw(cv_risk(bayes_naive(), Species ~ ., iris, folds = 150)))
  suppressWarnings({
    none <- cv_risk(bayes_full(), play ~ ., play_tennis, folds = 14)
    some <- cv_risk(
      list(full = bayes_full(), naive = bayes_naive(laplace = 1)), play ~ ., play_tennis, folds = 14
    )
  })
  expect_bayesrisk_error(draw(none), "argument", "nothing to draw")
  expect_identical(is.na(draw(some)$estimate), c(TRUE, FALSE))
})

test_that("a part of a result is not drawn", {
  expect_bayesrisk_error(draw(two()[1, ], "cost"), "argument", "its folds are gone")
  expect_bayesrisk_error(draw(two(), "folds"), "argument", "type")
  expect_bayesrisk_error(draw(two(), pcj = 2), "argument", "pcj")
})
