test_that("a table, what it compares, and what is left out", {
  folds <- rep_len(1:5, 150)
  candidates <- list(naive = bayes_naive(), full = bayes_full())
  data <- droplevels(iris[1:100, ])
  by_class <- ifelse(data$Species == "setosa", "s", rep_len(c("a", "b"), 100))
  expect_snapshot({
    cv_risk(bayes_naive(), Species ~ ., iris, folds = folds)
    cv_risk(candidates, Species ~ ., iris, folds = folds)
    print(cv_risk(candidates, Species ~ ., iris, folds = 150), digits = 2)
    suppressWarnings(print(
      cv_risk(bayes_naive(prior = c(.5, .5)), Species ~ ., data, folds = by_class)
    ))
  })
})

test_that("a part of the result is a plain table", {
  result <- cv_risk(
    list(naive = bayes_naive(), full = bayes_full()), Species ~ ., iris, folds = rep_len(1:5, 150)
  )
  expect_output(print(result[2, ]), "\n *candidate")
  result$candidate <- c("a", "b")
  expect_output(print(result), "\n *candidate")
  expect_output(print(result["cost"]), "cost")
})
