two <- function() {
  cv_risk(
    list(naive = bayes_naive(), full = bayes_full()), Species ~ ., iris, folds = rep_len(1:5, 150)
  )
}

test_that("intervals of costs, or of differences", {
  result <- two()
  costs <- draw(result)
  expect_named(costs, c("candidate", "estimate", "lower", "upper"))
  expect_identical(costs$lower, result$cost_lower)
  expect_identical(costs$upper, result$cost_upper)
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

test_that("an infinite cost has the interval that its difference has", {
  x <- new_cv(
    list(
      risks = list(
        fold_decided = matrix(2, 1, 2), fold_wrong = matrix(0, 1, 2), cost = c(1, Inf),
        difference = c(0, Inf)
      ),
      means = list(
        error = matrix(0, 2, 2), cost = cbind(c(1, Inf), c(0.1, NaN)),
        difference = cbind(c(0, Inf), c(0, NaN))
      ),
      limits = c(0, 9, 9)
    ),
    data.frame(
      candidate = factor(c("p", "q")), fold = 1L, cases = 2, decided = 2, error = 0,
      cost = c(1, Inf), problem = NA_character_
    ),
    c("p", "q"), c(1L, 1L), NULL, NULL, TRUE
  )
  drawn <- draw(x)
  expect_identical(drawn$upper[[2]], Inf)
  expect_identical(drawn$lower[[2]], x$lower[[2]])
})

test_that("folds: the cost of each candidate, or its paired difference from the first", {
  result <- two()
  by_fold <- attr(result, "by_fold")
  expect_identical(fold_values(by_fold, "cost")$cost, by_fold$cost)
  paired <- fold_values(by_fold, "difference")
  expect_identical(as.character(unique(paired$candidate)), "full")
  of <- function(name) by_fold$cost[by_fold$candidate == name][order(unique(by_fold$fold))]
  expect_identical(paired$cost, of("full") - of("naive"))
})

test_that("folds stand beside their candidate", {
  figure <- do.call(plot, figures()$cv)
  folds <- attr(figures()$cv[[1L]], "by_fold")
  points <- layer_of(figure, "GeomPoint", 2L)
  expect_equal(sort(points$y), sort(folds$cost))
  expect_true(all(abs(points$x - round(points$x)) <= 0.25))
  expect_match(do.call(plot, figures()$difference)$labels$y, "minus that of naive")
})
