test_that("four models of parsnip are ours: class, prob and raw are those of predict()", {
  skip_without_parsnip()
  data <- frame_of_parsnip()
  x <- data[c("x", "z", "text", "f")]
  fitted <- parsnip::fit_xy(with_engine(parsnip::naive_Bayes(Laplace = 1)), x, data$y)
  expect_same_as(fitted, fit_xy(bayes_naive(laplace = 1), x, data$y), x)
  expect_identical(
    predict(fitted, x, type = "raw"),
    predict(parsnip::extract_fit_engine(fitted), x, type = "log_joint")
  )
  kernel <- parsnip::naive_Bayes(smoothness = 1.2, Laplace = 1)
  expect_same_as(
    parsnip::fit_xy(with_engine(kernel), x, data$y),
    fit_xy(bayes_naive(laplace = 1, numeric = likelihood_kernel(adjust = 1.2)), x, data$y), x
  )
  flowers <- function(spec) parsnip::fit(spec, Species ~ ., iris)
  direct <- function(...) fit(bayes_full(...), Species ~ ., iris)
  expect_same_as(flowers(with_engine(parsnip::discrim_quad())), direct(), iris)
  expect_same_as(
    flowers(with_engine(parsnip::discrim_linear(), identity = 0.1, prior = "uniform")),
    direct(covariance = "pooled", identity = 0.1, prior = "uniform"), iris
  )
  regular <- parsnip::discrim_regularized(frac_common_cov = 0.3, frac_identity = 0.2)
  expect_same_as(
    flowers(with_engine(regular)), direct(shrinkage = 0.3, identity = 0.2), iris
  )
})

test_that("frac_common_cov and frac_identity are those of klaR", {
  skip_without_parsnip()
  skip_if_not_installed("klaR")
  spec <- parsnip::discrim_regularized(frac_common_cov = 0.3, frac_identity = 0.2)
  found <- predict(parsnip::fit(with_engine(spec), Species ~ ., iris), iris, type = "prob")
  other <- predict(klaR::rda(Species ~ ., iris, gamma = 0.2, lambda = 0.3), iris)$posterior
  expect_within(unname(as.matrix(found)), unname(other), 1e-12, scale = 1)
})

test_that("a formula and missing values: parsnip drops rows, fit_xy() and workflows keep them", {
  skip_without_parsnip("workflows", "recipes")
  data <- frame_of_parsnip()
  spec <- with_engine(parsnip::naive_Bayes(Laplace = 1))
  ours <- bayes_naive(laplace = 1)
  expect_same_as(
    parsnip::fit(spec, y ~ ., data), fit(ours, y ~ ., data, na.action = stats::na.omit), data
  )
  whole <- fit(ours, y ~ ., data)
  # Text stays text where no step makes it a factor.
  recipe <- recipes::recipe(y ~ ., data, strings_as_factors = FALSE)
  expect_same_as(generics::fit(workflows::workflow(recipe, spec), data), whole, data)
  variables <- workflows::add_variables(
    workflows::workflow(spec = spec), y, c(x, text, f, z)
  )
  expect_same_as(generics::fit(variables, data), whole, data)
})

test_that("frequency weights are repeated rows, importance weights any numbers", {
  skip_without_parsnip("workflows", "hardhat")
  data <- frame_of_parsnip()
  spec <- with_engine(parsnip::naive_Bayes(Laplace = 1))
  copies <- rep(1:3, 30)
  x <- data[-1]
  weighted <- parsnip::fit_xy(spec, x, data$y, case_weights = hardhat::frequency_weights(copies))
  repeated <- rep(seq_len(90), copies)
  twin <- fit_xy(bayes_naive(laplace = 1), x[repeated, ], data$y[repeated])
  expect_equal(coef(parsnip::extract_fit_engine(weighted)), coef(twin), tolerance = 1e-12)
  shares <- seq(0.1, 2, length.out = 90)
  data$w <- hardhat::importance_weights(shares)
  flow <- workflows::add_case_weights(workflows::workflow(y ~ ., spec), w)
  expect_same_as(
    generics::fit(flow, data),
    fit(bayes_naive(laplace = 1), y ~ . - w, data, weights = shares), data
  )
})

test_that("augment(), tidy(), glance(), translate(), print() and required packages", {
  skip_without_parsnip()
  fitted <- parsnip::fit(with_engine(parsnip::naive_Bayes(Laplace = 1)), play ~ ., play_tennis)
  model <- parsnip::extract_fit_engine(fitted)
  added <- augment(fitted, play_tennis)
  ours <- augment(model, play_tennis)
  expect_identical(added$.pred_class, ours$.pred_class)
  expect_identical(added$.pred_yes, unname(ours$.pred_yes))
  expect_identical(tidy(fitted), tidy(model))
  expect_identical(glance(fitted), glance(model))
  expect_output(print(fitted), "Laplace 1.*Estimated from 14 rows")
  spec <- with_engine(parsnip::discrim_regularized(frac_common_cov = 0.5), prior = "uniform")
  expect_output(
    print(parsnip::translate(spec)),
    "bayes_classifier\\(.*weights.*shrinkage = 0.5.*uniform.*structure = \"full\""
  )
  expect_true("bayesrisk" %in% parsnip::required_pkgs(fitted))
  expect_true("bayesrisk" %in% parsnip::required_pkgs(spec))
})

test_that("classes without rows, one class in order, and costs of the fitted engine", {
  skip_without_parsnip()
  few <- iris[1:100, ]
  fitted <- parsnip::fit(with_engine(parsnip::naive_Bayes()), Species ~ ., few)
  prob <- predict(fitted, iris[c(1, 60), ], type = "prob")
  expect_identical(names(prob), paste0(".pred_", levels(iris$Species)))
  expect_identical(prob$.pred_virginica, c(0, 0))
  cost <- zero_one_cost(levels(iris$Species))
  model <- fit(bayes_naive(), Species ~ ., few)
  expect_identical(
    decide(parsnip::extract_fit_engine(fitted), iris, cost), decide(model, iris, cost)
  )
})

test_that("errors of an engine argument name it", {
  skip_without_parsnip()
  bad <- function(spec, pattern) {
    expect_error(parsnip::fit(spec, Species ~ ., iris), pattern, class = "bayesrisk_error_argument")
  }
  bad(with_engine(parsnip::naive_Bayes(), nonsense = 1), "nonsense")
  bad(with_engine(parsnip::naive_Bayes(Laplace = -1)), "laplace")
  bad(with_engine(parsnip::naive_Bayes(smoothness = 0)), "smoothness|adjust")
  bad(with_engine(parsnip::discrim_quad(), identity = 2), "identity")
  bad(with_engine(parsnip::discrim_linear(penalty = 1)), "penalty.*identity")
  for (method in c("min_distance", "shrink_mean")) {
    bad(with_engine(parsnip::discrim_linear(regularization_method = method)), "diagonal.*identity")
  }
  diagonal <- parsnip::discrim_linear(regularization_method = "diagonal")
  bad(with_engine(diagonal, identity = 0.1), "identity.*regularization_method")
})

test_that("regularisation methods are those of this package that they mean", {
  skip_without_parsnip()
  flowers <- function(spec, ...) parsnip::fit(with_engine(spec, ...), Species ~ ., iris)
  linear <- function(method) parsnip::discrim_linear(regularization_method = method)
  one <- bayes_naive(numeric = likelihood_gaussian("ml", pooled = TRUE), prior = "uniform")
  expect_same_as(
    flowers(linear("diagonal"), variance = "ml", prior = "uniform"), fit(one, Species ~ ., iris),
    iris
  )
  expect_same_as(
    flowers(parsnip::discrim_quad(regularization_method = "diagonal")),
    fit(bayes_naive(), Species ~ ., iris), iris
  )
  expect_same_as(
    flowers(linear("shrink_cov")),
    fit(bayes_full(covariance = "pooled", identity = "auto"), Species ~ ., iris), iris
  )
})

test_that("the weights of covariances are parameters of dials", {
  skip_if_not_installed("dials")
  expect_identical(dials::value_seq(shrinkage_weight(), 3), c(0, 0.5, 1))
  expect_identical(dials::range_get(identity_weight(c(0.1, 0.4))), list(lower = 0.1, upper = 0.4))
  for (range in list(1, c(1, 0), c(0, 2), c(-1, 1), "a", c(0, NA))) {
    expect_error(shrinkage_weight(range), "range", class = "bayesrisk_error_argument")
  }
  expect_error(identity_weight(to = 1), "to", class = "bayesrisk_error_argument")
})

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
