# The areas under risk and least, by the trapezoidal rule.
area <- function(x, y) sum(diff(x) * (y[-1] + y[-length(y)]) / 2)

expect_areas <- function(model, rule, ...) {
  drawn <- draw(model, "regions", rule = rule, xlim = c(-20, 60), ...)
  drawn <- drawn[!duplicated(drawn$x), ]
  risk <- bayes_risk(model, ..., rule = rule)
  expect_within(area(drawn$x, drawn$risk), risk$total, 1e-3)
  expect_within(area(drawn$x, drawn$least), risk$irreducible, 1e-3)
  expect_true(all(drawn$least <= drawn$risk * (1 + 1e-12)))
  drawn
}

test_that("the areas are the risk of the rule and that of the best one", {
  skip_on_cran()
  model <- letters_model()
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0), ask = 0.4)
  other <- letters_model(prior = c(a = 0.1, b = 0.9), sd = 6)
  for (rule in list("prior", "likelihood", other, function(x) ifelse(x$pixels < 19, "a", "b"))) {
    expect_areas(model, rule)
    expect_areas(model, rule, cost = cost)
    expect_areas(model, rule, prior = c(a = 0.3, b = 0.7))
  }
})

test_that("what the rule decides, and where that changes", {
  drawn <- expect_areas(letters_model(), "likelihood")
  expect_identical(levels(drawn$rule), c("a", "b"))
  at <- which(diff(as.integer(drawn$rule)) != 0)
  expect_length(at, 1L)
  expect_within(drawn$x[at + 0:1], c(20, 20), 1e-5)
  # Between the cuts of the likelihood and of the posterior the two disagree
  other <- drawn$x > 20 & drawn$x < 20 + 1.6 * log(3)
  expect_true(all(drawn$risk[other] >= drawn$least[other]))
  expect_identical(drawn$rule != drawn$decision, other)
})

test_that("a rule whose classes are in another order is aligned by name", {
  turned <- bayes_known(
    prior = c(b = 0.5, a = 0.5), pixels = likelihood_gaussian(mean = c(b = 25, a = 15), sd = 4)
  )
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0))
  expect_areas(letters_model(), turned, cost = cost)
})

test_that("the best rule leaves nothing to save; a model of the class alone is the prior", {
  model <- letters_model()
  drawn <- draw(model, "regions", rule = model)
  expect_identical(drawn$risk, drawn$least)
  expect_identical(drawn$rule, drawn$decision)
  data <- data.frame(y = rep(c("a", "b"), c(3, 1)), pixels = c(14, 16, 15, 25))
  alone <- fit(bayes_naive(), y ~ 1, data)
  expect_identical(
    draw(model, "regions", rule = alone), draw(model, "regions", rule = "prior")
  )
})

test_that("a rule that cannot be drawn is an error that names it", {
  wrong <- function(text, ...) {
    expect_error(draw(...), text, class = "bayesrisk_error_argument")
  }
  wrong("rule", letters_model(), "posterior", rule = "prior")
  wrong("rule", iris_naive(), "regions", features = "Petal.Width", rule = "prior")
  wrong("rule", iris_naive(), "regions", features = names(iris)[1:2], rule = "prior")
  wrong("no action", letters_model(), "regions", rule = function(x) rep("A", nrow(x)))
  expect_fuzz_proof(draw, "rule", list(x = letters_model(), type = "regions"), is.data.frame)
})

test_that("where a case is impossible to the rule its risk is that of bayes_risk()", {
  draws <- data.frame(y = rep(c("a", "b"), each = 3), x = c(-1, 0, 1, 0, 1, 2))
  world <- fit(bayes_naive(), y ~ x, draws)
  rule <- fit(bayes_naive(numeric = likelihood_histogram(breaks = c(-1, .5, 2))), y ~ x, draws)
  drawn <- subset(draw(world, "regions", rule = rule, xlim = c(-8, 9)), class == "a")
  expect_false(anyNA(drawn$risk))
  gaps <- diff(drawn$x)
  area <- sum(gaps * (drawn$risk[-1L] + drawn$risk[-nrow(drawn)]) / 2)
  expect_within(area, bayes_risk(world, rule = rule)$total, 1e-3)
})

test_that("a rule has a line at its cut, and no label above it", {
  figure <- do.call(plot, figures()$rule)
  expect_equal(layer_of(figure, "GeomVline", 2L)$xintercept, 20)
  expect_match(figure$labels$caption, "the best rule would save")
})
