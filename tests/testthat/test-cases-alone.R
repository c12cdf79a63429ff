# Objects travel alone: no result keeps the frame of its caller, whatever stands in it. The frame
# has a text, which must not be found among the bytes of the result. Chunks and parts keep the
# functions that the user gives, and so the environments of these.

marker <- "a text of the caller"

# The value of a call in a frame with the text. The arguments are variables there.
called_in_frame <- function(fun, arguments) {
  stray <- paste(marker)
  places <- sprintf("argument_%d", seq_along(arguments))
  list2env(stats::setNames(arguments, places), environment())
  call <- as.call(c(fun, stats::setNames(lapply(places, as.name), names(arguments))))
  suppressWarnings(suppressMessages(eval(call)))
}

carries_marker <- function(x) {
  length(grepRaw(marker, serialize(x, NULL), fixed = TRUE)) > 0L
}

expect_alone <- function(x, label) {
  expect(!carries_marker(x), paste(label, "keeps the frame in which it was made."))
}

test_that("the text is found in a frame and in a formula", {
  expect_true(carries_marker(called_in_frame(quote(rlang::current_env), list())))
  expect_true(carries_marker(called_in_frame(quote(as.formula), list("~ x"))))
  expect_false(carries_marker(called_in_frame(quote(identity), list(1))))
})

test_that("no value of a function or method keeps the frame of its caller", {
  skip_on_cran()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  withr::local_seed(1)
  withr::local_dir(withr::local_tempdir())
  calls <- all_valid_calls()
  for (label in names(calls)) {
    # A method is called by its generic, whose frame knows its caller.
    generic <- as.name(sub("[.]bayesrisk_[a-z_]+$", "", label))
    utils::capture.output(value <- called_in_frame(generic, calls[[label]][[2L]]))
    expect_alone(value, label)
  }
})

test_that("no figure keeps the frame of its caller", {
  skip_on_cran()
  for (name in names(all <- figures())) {
    expect_alone(called_in_frame(quote(plot), all[[name]]), name)
  }
})

# Objects whose formulas, weights and functions use variables of the frame.
objects_of_a_frame <- function() {
  stray <- paste(marker)
  data <- valid_data()
  k <- 2
  fee <- 3
  cost <- cost_matrix(
    a = list(a = 0, b = ~ abs(z) + fee), b = c(a = 1, b = 0), ask = ~ .env$fee / 9
  )
  gains <- utility_matrix(a = list(a = 0, b = ~ -fee), b = c(a = -1, b = 0), ask = ~ fee + k)
  model <- fit(
    bayes_naive(laplace = 1), y ~ x + I({
      n / k
    }), data, weights = n + k, subset = n > -k
  )
  grouped <- fit(bayes_naive(), y ~ I(x / k), data, by = c(kind = paste(g, k)), weights = n + k)
  case <- data[1, -1]
  list(
    cost = cost, sum = cost + cost * 2, gains = gains, mixed = cost + gains, model = model,
    formula = formula(model), less = update(model, . ~ . - x), again = update(model, data),
    grouped = grouped, statistics = bayes_statistics(bayes_naive(), y ~ I(x / k), data),
    decided = decide(model, data, cost), summary = summary(decide(model, data, cost)),
    assessed = assess_decisions(model, data, cost), steps = contributions(model, case, cost),
    flip = flip(model, case, cost), sweep = cost_sweep(model, case, cost, class = "a"),
    next_feature = next_feature(model, transform(case, x = NA), cost),
    cv = cv_risk(bayes_naive(laplace = 1), y ~ I(x / k), data, cost, folds = 2, weights = n + k),
    compared = compare_decisions(list(a = model, b = model), data = data, cost = cost),
    tempered = temper(model, data, folds = 2), prior = estimate_prior(model, data, cost),
    stability = decision_stability(model, data, cost, n = 5),
    search = search_blocks(bayes_full(), y ~ I(x / k) + z, data),
    dependence = feature_dependence(y ~ I(x / k) + z, data),
    chunks = fit(bayes_naive(), y ~ I(x / k), chunked(data, 10L), weights = n + k),
    predicted = predict(model, chunked(data, 10L)),
    to_decide = decide(model, chunked(data, 10L), cost),
    of_parts = decide(model, data_parts(list(data[1:10, ], data[11:24, ])), cost),
    risk = bayes_risk(fit(bayes_naive(), y ~ x, data), rule = function(rows) rep("a", nrow(rows)))
  )
}

test_that("values that formulas name are kept, and nothing else of the frame", {
  skip_on_cran()
  withr::local_options(keep.source = TRUE)
  made <- suppressWarnings(suppressMessages(objects_of_a_frame()))
  for (name in names(made)) {
    expect_alone(made[[name]], name)
  }
})
