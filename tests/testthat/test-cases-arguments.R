# Arguments that are none: an error of the argument's class, and no other.

test_that("A1: smoothing, floors and shares are one number of their range", {
  skip_on_cran()
  takes <- list(
    laplace = function(x) likelihood_categorical(laplace = x),
    laplace = function(x) bayes_naive(laplace = x), laplace = function(x) bayes_full(laplace = x),
    laplace = function(x) likelihood_histogram(laplace = x),
    m = function(x) likelihood_categorical(m = x),
    min_variance = function(x) likelihood_gaussian(min_variance = x),
    shrinkage = function(x) bayes_full(shrinkage = x),
    identity = function(x) bayes_full(identity = x)
  )
  for (i in seq_along(takes)) {
    for (value in list(-1, NA, NA_real_, NaN, Inf, "1", TRUE, list(1), numeric(), "")) {
      expect_bayesrisk_error(takes[[i]](value), "argument", names(takes)[[i]])
    }
    # Only the likelihood itself may have a laplace for each level.
    if (i > 1L) expect_bayesrisk_error(takes[[i]](c(0.1, 0.2)), "argument", names(takes)[[i]])
  }
  three <- data.frame(y = c("a", "b", "b"), g = c("u", "v", "w"))
  two_levels <- bayes_naive(categorical = takes[[1L]](c(1, 2)))
  expect_bayesrisk_error(fit(two_levels, y ~ g, three), "argument",
                         "laplace.*2 numbers.*g.*3 levels")
})

# Enough rows for folds and pairs of features.
repeated <- function() {
  data <- mixed()[rep(1:8, 4), ]
  transform(data, x = x + seq_along(x) / 100)
}

test_that("A2: weights and subsets of cross-validation and of dependence", {
  cross <- list(object = bayes_naive(), formula = y ~ x + z, data = repeated(), folds = 2)
  measure <- cross[c("formula", "data")]
  quietly <- function(fun) {
    function(...) suppressMessages(suppressWarnings(fun(...), classes = "bayesrisk_warning"))
  }
  is_frame <- function(x) is.data.frame(x)
  for (arg in c("weights", "subset")) {
    error <- paste0("bayesrisk_error", if (arg == "weights") "_argument")
    expect_fuzz_proof(quietly(cv_risk), arg, cross, is_frame, error)
    expect_fuzz_proof(quietly(cv_predict), arg, cross, is.matrix, error)
    expect_fuzz_proof(quietly(feature_dependence), arg, measure, is_frame, error)
  }
  expect_fuzz_proof(quietly(cv_predict), "data", cross, is.matrix, "bayesrisk_error")
})

test_that("A2: events of a joint table, and the table", {
  shares <- matrix(c(0.1, 0.2, 0.3, 0.4), 2, dimnames = list(u = c("a", "b"), v = c("c", "d")))
  joint <- joint_table(as.table(shares))
  is_share <- function(x) is.numeric(x) && length(x) == 1L && (is.nan(x) || x >= 0 && x <= 1)
  fixed <- list(joint = joint, event = quote(u == "a"))
  expect_fuzz_proof(event_probability, "joint", fixed, is_share)
  for (arg in c("event", "given")) expect_fuzz_proof(event_probability, arg, fixed, is_share)
})

test_that("A2: what a plot is asked for", {
  model <- fit(bayes_naive(), y ~ x, mixed())
  drawn <- list(
    type = assess_decisions(model, mixed(), seed = 1),
    cost = confusion_table(c("a", "b", "a"), c("a", "a", "b")),
    type = cv_risk(bayes_naive(), y ~ x, repeated(), folds = 2)
  )
  for (i in seq_along(drawn)) {
    expect_fuzz_proof(draw, names(drawn)[[i]], list(x = drawn[[i]]), function(x) TRUE)
  }
})

test_that("A2: digits of whatever is printed", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  cost <- cost_matrix(go = c(a = 0, b = 3), stop = 1)
  results <- list(
    cost, assess_decisions(model, mixed(), seed = 1), bayes_risk(model), minimax_prior(model, cost),
    compare_decisions(list(first = model, second = model), data = mixed(), seed = 1),
    cv_risk(bayes_naive(), y ~ x, repeated(), folds = 2), feature_dependence(y ~ x + z, mixed()),
    next_feature(model, data.frame(x = NA, z = 1), cost), decision_threshold(cost = cost),
    decision_regions(model), contributions(model, mixed()[1, ])
  )
  text <- function(...) utils::capture.output(print(...))
  for (result in results) {
    expect_fuzz_proof(text, "digits", list(x = result), is.character)
    for (digits in c(1L, 22L)) expect_type(text(result, digits = digits), "character")
  }
  expect_fuzz_proof(text, "n", list(x = decide(model, mixed(), cost)), is.character)
})

test_that("C3: what is no cost of the classes is an error, not a decision", {
  costs <- matrix(
    c(0, 2, 1, 1, 0, 5, 8, 1, 0), 3, dimnames = list(decision = letters[1:3], truth = letters[1:3])
  )
  other <- twice <- costs
  colnames(other)[[3L]] <- "d"
  colnames(twice)[[3L]] <- "b"
  text <- costs
  storage.mode(text) <- "character"
  posterior <- cbind(a = 0.5, b = 0.25, c = 0.25)
  model <- bayes_known(c(a = 0.5, b = 0.25, c = 0.25))
  bad <- list(
    other, twice, costs[, 1:2], unname(costs), replace(costs, 4, NA), replace(costs, 4, NaN), text,
    as.data.frame(text), as.data.frame(costs)
  )
  read <- function(cost) suppressWarnings(as_cost_matrix(cost), classes = "bayesrisk_warning")
  for (cost in bad) {
    expect_bayesrisk_error(decide(posterior, read(cost)), "argument", "")
    expect_bayesrisk_error(predict(model, data.frame(x = 1), cost = read(cost)), "argument", "")
  }
  for (cost in list(unname(costs), as.data.frame(text), "a", 1)) {
    expect_bayesrisk_error(decide(posterior, cost), "argument", "cost")
  }
})
