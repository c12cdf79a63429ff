skip_if_not_installed("tidypredict")
skip_if_not_installed("dplyr")

test_that("a class without rows is impossible in expressions", {
  d <- data.frame(
    y = factor(c("a", "b", "a", "b"), c("a", "b", "c")), f = c("u", "v", "u", "u"),
    x = c(1, 2, 4, 3)
  )
  histograms <- bayes_naive(laplace = 1, numeric = likelihood_histogram(2))
  for (spec in list(bayes_naive(laplace = 1), histograms)) {
    model <- suppressMessages(fit(spec, y ~ ., d))
    answer <- dplyr::mutate(d, !!!tidypredict::tidypredict_fit(model))
    expect_identical(answer$.pred_class, as.character(predict(model, d)))
  }
})

test_that("a large block is for complete rows", {
  data <- iris
  data$sum <- rowSums(iris[1:4]) + rep_len(c(1, 3, 2), 150)
  model <- fit(bayes_full(), Species ~ ., data)
  new <- data[c(1, 60, 120), -5]
  new[2, 1] <- NA
  answer <- dplyr::mutate(new, !!!tidypredict::tidypredict_fit(model))
  expect_identical(is.na(answer$.pred_class), c(FALSE, TRUE, FALSE))
  expect_within(
    as.matrix(answer[c(1, 3), paste0(".log_joint_", levels(iris$Species))]),
    predict(model, new[c(1, 3), ], type = "log_joint"), 1e-12
  )
})
