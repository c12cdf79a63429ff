# A few folds of data in which each level occurs in each class.
tuned <- function(spec, grid, formula = play ~ ., data = days()) {
  folds <- withr::with_seed(1, rsample::vfold_cv(data, v = 2))
  withr::with_seed(2, tune::tune_grid(
    workflows::workflow(formula, spec), folds, grid = grid,
    metrics = yardstick::metric_set(yardstick::mn_log_loss)
  ))
}

days <- function() {
  data <- play_tennis[rep(seq_len(14), 6), ]
  withr::with_seed(1, data$humidity <- sample(data$humidity))
  data
}

test_that("many values of Laplace take one fit", {
  skip_without_parsnip()
  data <- frame_of_parsnip()
  x <- data[-1]
  fitted <- parsnip::fit_xy(with_engine(parsnip::naive_Bayes(Laplace = 5)), x, data$y)
  values <- c(0.5, 5, 2)
  found <- parsnip::multi_predict(fitted, x, type = "prob", Laplace = values)
  classes <- parsnip::multi_predict(fitted, x, Laplace = values)
  expect_s3_class(found, "tbl_df")
  expect_identical(dim(found), c(90L, 1L))
  expect_identical(classes$.pred[[7]]$Laplace, values)
  for (i in seq_along(values)) {
    model <- fit_xy(bayes_naive(laplace = values[[i]]), x, data$y)
    of_value <- do.call(rbind, lapply(found$.pred, function(row) unlist(row[i, -1])))
    expect_identical(unname(of_value), unname(predict(model, x, type = "prob")))
    class <- vapply(classes$.pred, function(row) as.character(row$.pred_class[[i]]), "")
    expect_identical(class, as.character(predict(model, x)))
  }
  as_fitted <- parsnip::multi_predict(fitted, x[1:2, ])$.pred[[2]]
  expect_identical(as_fitted$.pred_class, predict(fitted, x[2, ])$.pred_class)
  expect_identical(as_fitted$Laplace, NA_real_)
  expect_identical(parsnip::multi_predict_args(fitted), "Laplace")
})

test_that("tune_grid() fits once for each fold, whatever the grid of Laplace", {
  skip_without_tune()
  fits <- 0L
  original <- bayes_classifier
  counting <- function(...) {
    fits <<- fits + 1L
    original(...)
  }
  before <- replace_functions("bayesrisk", list(bayes_classifier = counting))
  withr::defer(replace_functions("bayesrisk", before))
  spec <- with_engine(parsnip::naive_Bayes(Laplace = hardhat::tune()))
  found <- tuned(spec, data.frame(Laplace = c(0.1, 0.5, 1, 2)))
  expect_identical(fits, 2L)
  expect_identical(nrow(tune::collect_notes(found)), 0L)
  means <- tune::collect_metrics(found)
  expect_identical(means$Laplace, c(0.1, 0.5, 1, 2))
  folds <- withr::with_seed(1, rsample::vfold_cv(days(), v = 2))
  expected <- vapply(folds$splits, function(split) {
    model <- fit(bayes_naive(laplace = 2), play ~ ., rsample::analysis(split))
    out <- rsample::assessment(split)
    p <- predict(model, out, type = "prob")
    -mean(log(p[cbind(seq_len(nrow(out)), as.integer(out$play))]))
  }, 1)
  expect_equal(means$mean[[4L]], mean(expected), tolerance = 1e-12)
})

test_that("tune_grid() finds the ranges of all arguments by itself, without a note", {
  skip_without_tune()
  tune <- hardhat::tune
  specs <- list(
    with_engine(parsnip::naive_Bayes(Laplace = tune(), smoothness = tune())),
    with_engine(parsnip::discrim_regularized(frac_common_cov = tune(), frac_identity = tune())),
    with_engine(parsnip::discrim_quad(), shrinkage = tune()),
    with_engine(parsnip::discrim_linear(), identity = tune())
  )
  for (spec in specs) {
    found <- tuned(spec, 3, Species ~ ., iris)
    expect_identical(nrow(tune::collect_notes(found)), 0L)
    expect_identical(nrow(tune::collect_metrics(found)), 3L)
  }
  # Both ends of the ranges are valid.
  ends <- expand.grid(frac_common_cov = c(0, 1), frac_identity = c(0, 1))
  found <- tuned(specs[[2L]], ends, Species ~ ., iris)
  expect_identical(nrow(tune::collect_notes(found)), 0L)
  found <- tuned(
    with_engine(parsnip::naive_Bayes(Laplace = tune())), data.frame(Laplace = c(0, 3))
  )
  expect_identical(nrow(tune::collect_notes(found)), 0L)
})

test_that("the grid of another engine stays as it is", {
  skip_without_tune()
  spec <- parsnip::set_engine(parsnip::naive_Bayes(Laplace = hardhat::tune()), "klaR")
  grid <- tibble::tibble(Laplace = c(1, 2))
  found <- generics::min_grid(spec, grid)
  expect_identical(found$Laplace, c(1, 2))
  expect_identical(lengths(found$.submodels), c(0L, 0L))
})
