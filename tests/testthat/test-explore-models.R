clouds <- function(correlation) {
  covariance <- correlation * sqrt(5)
  bayes_known(prior = c(A = 0.5, B = 0.5), xy = likelihood_gaussian(
    mean = rbind(A = c(x = 0, y = 0), B = c(x = 0.5, y = 0.5)), covariance = list(
      A = rbind(c(2, covariance), c(covariance, 2.5)),
      B = rbind(c(2.5, -covariance), c(-covariance, 2))
    )
  ))
}
cloud_models <- function() {
  lapply(c("correlation 0" = 0, "correlation 0.5" = 0.5, "correlation 0.95" = 0.95), clouds)
}

test_that("a page of several models has one map, and cases and a rule of each", {
  skip_if_not_installed("htmlwidgets")
  models <- cloud_models()
  cases <- lapply(models, simulate, 30, seed = 1)
  page <- explorer(models, data = cases, rule = lapply(models, naive), controls = "prior")
  expect_equal(as.vector(page$x$models), names(models))
  expect_equal(as.vector(page$x$controls), "prior")
  expect_lt(page_size(page), 60e3)
  for (i in seq_along(models)) {
    part <- page_part(page, i)
    expect_identical(part$features[[1]]$range, page_part(page)$features[[1]]$range)
    expect_equal(as.vector(part$cases$values[[1]]), cases[[i]]$x, tolerance = 1e-6)
    compared <- compare_decisions(
      list(full = models[[i]], naive = naive(models[[i]])), world = "full"
    )
    expect_equal(unlist(part$risk, use.names = FALSE), c(compared$risk, compared$believed[[2]]))
  }
  expect_null(page$x$cases)
  # The cases of all models are those of the first
  shared <- explorer(models, data = cases[[1]])
  expect_equal(as.vector(shared$x$cases$values[[1]]), cases[[1]]$x, tolerance = 1e-6)
  expect_null(page_part(shared)$risk$rule)
})

test_that("classes in another order are those of the page", {
  skip_if_not_installed("htmlwidgets")
  normal <- function(mean) likelihood_gaussian(mean = mean, sd = 1)
  first <- bayes_known(c(a = 0.75, b = 0.25), x = normal(c(a = 1, b = 2)))
  other <- bayes_known(c(b = 0.25, a = 0.75), x = normal(c(b = 2, a = 1)))
  page <- explorer(list(one = first, two = other))
  expect_equal(page_part(page, 2), page_part(page, 1))
})

test_that("models and rules that do not fit are errors", {
  skip_if_not_installed("htmlwidgets")
  models <- cloud_models()
  wrong <- function(..., says) {
    expect_error(explorer(...), says, class = "bayesrisk_error_argument")
  }
  iris_model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  wrong(unname(models), says = "a name for each model")
  wrong(list(a = models[[1]], b = iris_model), says = "classes")
  wrong(list(a = models[[1]], b = 1), says = "fitted model")
  other <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  wrong(list(a = iris_model, b = other), says = "must have the features of the first model")
  d <- transform(iris, Petal.Length = cut(Petal.Length, 3))
  levels <- fit(bayes_naive(laplace = 1), Species ~ Petal.Length, d)
  wrong(list(a = iris_model, b = levels), says = "with the same kind")
  bins <- fit(bayes_naive(numeric = likelihood_poisson()), Species ~ round(Petal.Length), iris)
  normal <- fit(bayes_naive(), Species ~ round(Petal.Length), iris)
  wrong(list(a = bins, b = normal), says = "cannot share a map")
  wrong(models, rule = list(a = 1), says = "names of the models")
  wrong(models, data = list(a = iris), says = "names of the models")
  wrong(models, rule = function(x) "A", says = "must be a model or \"likelihood\"")
  alone <- bayes_known(c(A = 0.5, B = 0.5), x = likelihood_gaussian(mean = c(A = 0, B = 1), sd = 1))
  wrong(models, rule = alone, says = "lacks `y`|lacks y")
  wrong(models, rule = iris_model, says = "needs")
  swapped <- bayes_known(c(A = 0.5, C = 0.5), xy = likelihood_gaussian(
    mean = rbind(A = c(x = 0, y = 0), C = c(x = 1, y = 1)), covariance = diag(2)
  ))
  wrong(models, rule = swapped, says = "must have the classes")
  wrong(models[[1]], controls = "colour", says = "controls")
  wrong(models[[1]], controls = NA, says = "controls")
})

test_that("a slider chooses the model, and the other rule is hatched where it decides otherwise", {
  skip_if_no_browser()
  models <- cloud_models()
  page <- explorer(models, data = lapply(models, simulate, 30, seed = 1),
                   rule = lapply(models, naive))
  likelihood <- explorer(models[[3]], rule = "likelihood", prior = c(A = 0.9, B = 0.1))
  found <- browse(list(page, likelihood), "
    const found = [0, 1, 2].map(i => { enter(0, 'model', i); return summary(0); });
    const table = widgets[0].querySelector('.br-areas').textContent;
    enter(0, 'prior of A, as a number', '0.8');
    const moved = summary(0);
    return {
      shares: found.map(f => f.shares), differ: found.map(f => f.differ), moved: moved.shares,
      moved_differ: moved.differ, table: table,
      other: widgets[0].querySelector('.br-areas').textContent,
      name: field(0, 'model').getAttribute('aria-valuetext'),
      cost: found.map(f => f.meanCost), likelihood: summary(1).differ
    };
  ")
  expect_identical(as.character(found$errors), character())
  seen <- found$result
  grid <- function(prior, rule, rule_prior = prior) {
    at <- lapply(page_part(page)$features, function(axis) {
      axis$range[[1]] + diff(axis$range) * (1:300 - 0.5) / 300
    })
    cases <- expand.grid(x = at[[1]], y = at[[2]])
    mean(predict(models[[3]], cases, prior = prior) != predict(rule, cases, prior = rule_prior))
  }
  for (i in seq_along(models)) {
    expect_lt(max(abs(seen$shares[i, ] - shares_by_r(page, models[[i]]))), 0.002)
    cases <- simulate(models[[i]], 30, seed = 1)
    error <- mean(predict(models[[i]], cases) != cases$class)
    expect_equal(seen$cost[[i]], error, tolerance = 1e-12)
  }
  expect_equal(seen$differ[[1]], 0)
  expect_equal(seen$differ[[3]], grid(NULL, naive(models[[3]])), tolerance = 0.01)
  # The prior of the rule was that of the model, and follows it.
  moved <- c(A = 0.8, B = 0.2)
  expect_lt(max(abs(seen$moved - shares_by_r(page, models[[3]], prior = moved))), 0.002)
  expect_equal(seen$moved_differ, grid(moved, naive(models[[3]])), tolerance = 0.01)
  expect_equal(seen$likelihood, grid(c(A = 0.9, B = 0.1), models[[3]], "uniform"),
               tolerance = 0.01)
  expect_equal(seen$name, "correlation 0.95")
  risk <- bayes_risk(models[[3]], rule = naive(models[[3]]))
  expect_match(seen$table, format(signif(risk$total, 4)), fixed = TRUE)
  expect_match(seen$other, "of the start only")
})
