# Lecture "Applied Machine Learning Fundamentals, Unit III": a letter by its black pixels.
ocr <- function(sd = 4) {
  bayes_known(
    prior = c(a = 0.75, b = 0.25),
    pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = sd)
  )
}

cuts_of <- function(regions) utils::head(regions$to, -1L)

iris_by_sepal <- function(variance) {
  fit(bayes_naive(prior = "uniform", variance = variance), Species ~ Sepal.Length, iris)
}

# A bimodal class with its second hump under the other class (after Bishop's figure).
humps <- function() {
  bayes_known(
    prior = c(C1 = 0.6, C2 = 0.4),
    x = likelihood_mixture(
      weights = list(C1 = c(0.7, 0.3), C2 = 1), mean = list(C1 = c(3, 5.8), C2 = 5.8),
      sd = list(C1 = c(0.9, 0.8), C2 = 0.95)
    )
  )
}

test_that("one row for each interval, from -Inf to Inf, with its decision", {
  regions <- decision_regions(ocr())
  expect_s3_class(regions, c("bayesrisk_regions", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_named(regions, c("from", "to", "decision", "exact"))
  expect_identical(regions$from, c(-Inf, regions$to[[1L]]))
  expect_identical(regions$to[[2L]], Inf)
  expect_identical(regions$decision, factor(c("a", "b")))
  expect_identical(regions$exact, c(TRUE, TRUE))
  expect_identical(attr(regions, "feature"), "pixels")
})

test_that("a letter: cuts in closed form, for priors, spreads and costs", {
  expect_within(cuts_of(decision_regions(ocr())), 20 + 1.6 * log(3), 1e-14)
  expect_within(cuts_of(decision_regions(ocr(), prior = "uniform")), 20, 1e-14)
  expect_within(cuts_of(decision_regions(ocr(3))), 20.988751060, 1e-10)
  expect_within(cuts_of(decision_regions(ocr(5))), 22.746530722, 1e-10)
  cut_for <- function(miss) {
    cost <- cost_matrix(a = c(a = 0, b = miss), b = c(a = 1, b = 0))
    cuts_of(decision_regions(ocr(), cost))
  }
  expect_within(
    vapply(c(1, 3, 5, 10), cut_for, 1), c(21.757779662, 20, 19.182679, 18.073644), 3e-8
  )
})

test_that("rejecting: the three rows of the lecture's example", {
  cuts <- vapply(c(0.05, 0.1, 0.2), function(price) {
    regions <- decision_regions(ocr(), zero_one_cost(ocr(), reject = price))
    expect_identical(as.character(regions$decision), c("a", "reject", "b"))
    cuts_of(regions)
  }, numeric(2))
  expect_within(
    cuts, c(17.046677, 26.468882, 18.242220, 25.273339, 19.539708, 23.975850), 4e-8
  )
})

test_that("irises by their sepals: three cuts, and a fourth region on the far left", {
  cuts <- list(
    ml = c(2.958829123, 5.454389650, 6.327819686),
    unbiased = c(2.957256925, 5.455797236, 6.329791669)
  )
  for (variance in names(cuts)) {
    regions <- decision_regions(iris_by_sepal(variance))
    expect_within(cuts_of(regions), cuts[[variance]], 2e-10)
    expect_identical(
      as.character(regions$decision), c("virginica", "setosa", "versicolor", "virginica")
    )
    expect_true(all(regions$exact))
  }
})

test_that("three classes and general costs: zeros of sums of exponentials", {
  cost <- as_cost_matrix(
    matrix(
      c(0, 1, 3, 2, 0, 1, 9, 4, 0), 3, dimnames = list(c("1", "2", "3"), levels(iris$Species))
    ),
    rows = "decision"
  )
  regions <- decision_regions(iris_by_sepal("unbiased"), cost)
  expect_within(
    cuts_of(regions), c(3.0133138438, 3.2766694391, 5.2294303184, 5.7232816451), 2e-11
  )
  expect_identical(as.character(regions$decision), c("3", "2", "1", "2", "3"))
  expect_false(any(regions$exact))
})

test_that("a class with two humps: C2, C1 and C2 again, one cut far out", {
  regions <- decision_regions(humps())
  expect_within(cuts_of(regions), c(-47.4313892025, 4.534771164), 2e-10)
  expect_identical(as.character(regions$decision), c("C2", "C1", "C2"))
})

test_that("an end is exact when it is infinite or a root in closed form", {
  # Rejecting against a class is a quadratic; against both, a sum of three terms.
  cost <- cost_matrix(
    a = c(a = 0, b = 1), b = c(a = 1, b = 0), ask = c(a = 0.2, b = 0.1)
  )
  regions <- decision_regions(ocr(), cost)
  expect_identical(as.character(regions$decision), c("a", "ask", "b"))
  expect_true(all(regions$exact))
  three <- zero_one_cost(levels(iris$Species), reject = 0.3)
  regions <- decision_regions(iris_by_sepal("ml"), three)
  expect_false(all(regions$exact))
})

test_that("data at an offset of 1e9 keep the digits of their cuts", {
  near <- iris
  near$Sepal.Length <- round(iris$Sepal.Length * 8)
  far <- near
  far$Sepal.Length <- near$Sepal.Length + 2^30
  spec <- bayes_naive(prior = c(setosa = 0.2, versicolor = 0.5, virginica = 0.3))
  cuts <- lapply(list(near, far), function(data) {
    cuts_of(decision_regions(fit(spec, Species ~ Sepal.Length, data)))
  })
  expect_within(cuts[[2L]] - 2^30, cuts[[1L]], 1.2e-7, scale = 1)
})

test_that("moved and stretched data move and stretch their cuts", {
  cost <- zero_one_cost(levels(iris$Species), reject = 0.35)
  cuts <- function(data) {
    cuts_of(decision_regions(fit(bayes_naive(), Species ~ Sepal.Width, data), cost))
  }
  original <- cuts(iris)
  for (change in list(c(3, 100), c(-2, 0), c(1e6, -5), c(1e-7, 0))) {
    data <- iris
    data$Sepal.Width <- change[[1L]] * iris$Sepal.Width + change[[2L]]
    expect_within(sort((cuts(data) - change[[2L]]) / change[[1L]]), original, 1e-10)
  }
})

test_that("the decision at every point is that of predict(), just beside the cuts too", {
  skip_on_cran()
  set.seed(4)
  for (i in 1:100) {
    problem <- random_line()
    regions <- decision_regions(problem$model, problem$cost)
    cuts <- cuts_of(regions)
    expect_false(is.unsorted(cuts, strictly = TRUE))
    step <- 1e-6 * problem$scale
    x <- c(problem$centre + problem$scale * c(stats::rnorm(150, sd = 3), stats::rcauchy(50)),
           cuts - step, cuts + step)
    expected <- predict(problem$model, data.frame(x = x), cost = problem$cost)
    found <- regions$decision[findInterval(x, cuts) + 1L]
    tied <- nearly_tied(problem, data.frame(x = x))
    expect_identical(found[!tied], expected[!tied], label = sprintf("problem %d", i))
  }
})

test_that("what is marginalised and what is given", {
  full <- fit(bayes_full(), Species ~ ., iris)
  marginal <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  expect_within(
    cuts_of(decision_regions(full, features = "Petal.Length")),
    cuts_of(decision_regions(marginal)), 1e-12
  )
  given <- data.frame(Sepal.Length = 6, Petal.Width = NA, Sepal.Width = 3.1)
  regions <- decision_regions(full, features = "Petal.Length", given = given)
  x <- seq(-3, 15, length.out = 301)
  expected <- predict(full, data.frame(given, Petal.Length = x))
  expect_identical(regions$decision[findInterval(x, cuts_of(regions)) + 1L], expected)
  expect_identical(
    decision_regions(full, features = "Petal.Length", given = as.list(given)), regions
  )
})

test_that("categories can be given; a feature that is a function by its own value", {
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, mixed())
  regions <- decision_regions(model, features = "x", given = list(g = "v"))
  x <- seq(-20, 20, length.out = 301)
  expect_identical(
    regions$decision[findInterval(x, cuts_of(regions)) + 1L],
    predict(model, data.frame(x = x, g = "v"))
  )
  model <- fit(bayes_full(), am ~ log(hp) + wt, mtcars)
  regions <- decision_regions(model, features = "wt", given = list("log(hp)" = log(120)))
  x <- seq(0, 8, length.out = 101)
  expect_identical(
    regions$decision[findInterval(x, cuts_of(regions)) + 1L],
    predict(model, data.frame(hp = 120, wt = x))
  )
})

test_that("classes that are out, actions that are never taken", {
  expect_identical(nrow(decision_regions(ocr(), prior = c(0, 1))), 1L)
  never <- unwise_cost(a = c(a = 0, b = 1), b = c(a = 1, b = 0), pay = c(a = 3, b = 2))
  expect_identical(levels(decision_regions(ocr(), never)$decision), c("a", "b", "pay"))
  expect_identical(as.character(decision_regions(ocr(), never)$decision), c("a", "b"))
  # An infinite cost rules out wherever the class is possible, and that is everywhere.
  ruled_out <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0))
  expect_identical(as.character(decision_regions(ocr(), ruled_out)$decision), "b")
  expect_identical(as.character(decision_regions(ocr(), ruled_out, c(1, 0))$decision), "a")
  same <- unwise_cost(first = c(a = 1, b = 1), second = 1)
  expect_identical(as.character(decision_regions(ocr(), same)$decision), "first")
})

test_that("a model without one clear numeric feature is told what to do", {
  tennis <- fit(bayes_naive(), play ~ ., play_tennis)
  model <- iris_naive()
  expect_refusals(
    "object" = decision_regions(tennis),
    "features & Sepal.Length" = decision_regions(model),
    "features & Petal.Widht & Petal.Width" = decision_regions(model, features = "Petal.Widht"),
    "features & g & x" = decision_regions(fit(bayes_naive(), y ~ x + g, mixed()), features = "g"),
    "given & Petal.Width" =
      decision_regions(model, features = "Petal.Width", given = list(Petal.Width = 1)),
    "given & Petal.Lenght" =
      decision_regions(model, features = "Petal.Width", given = list(Petal.Lenght = 1)),
    "given & 150" = decision_regions(model, features = "Petal.Width", given = iris),
    "givn & given" =
      decision_regions(fit(bayes_full(), y ~ x + g, mixed()), features = "x", givn = 1)
  )
  expect_refusals(
    .kind = "schema",
    "given & Petal.Length" =
      decision_regions(model, features = "Petal.Width", given = list(Petal.Length = Inf)),
    "Petal.Length" =
      decision_regions(model, features = "Petal.Width", given = list(Petal.Length = "1"))
  )
  expect_error(decision_regions(), class = "bayesrisk_error_argument")
})

test_that("what no class allows is no condition", {
  data <- data.frame(
    y = factor(rep(c("a", "b"), each = 4)), x = c(1:4, 3:6),
    g = factor(rep(c("u", "v"), each = 4), levels = c("u", "v", "w"))
  )
  model <- fit(bayes_naive(), y ~ x + g, data)
  expect_error(
    decision_regions(model, features = "x", given = list(g = "w")), "impossible",
    class = "bayesrisk_error_schema"
  )
  expect_identical(
    as.character(decision_regions(model, features = "x", given = list(g = "v"))$decision), "b"
  )
  expect_warning(
    decision_regions(model, features = "x", given = list(g = "z")),
    class = "bayesrisk_warning_unknown_level"
  )
})

test_that("regions print as a table, and are a data frame otherwise", {
  regions <- decision_regions(iris_by_sepal("unbiased"))
  expect_snapshot(regions)
  expect_identical(class(as.data.frame(regions)), "data.frame")
})

test_that("any argument gives regions or an error that is meant", {
  model <- ocr()
  is_regions <- function(x) inherits(x, "bayesrisk_regions")
  fuzz <- function(...) expect_fuzz_proof(decision_regions, ..., is_valid = is_regions)
  fuzz("object")
  for (arg in c("cost", "prior", "features")) fuzz(arg, list(object = model))
  two <- fit(bayes_naive(), Species ~ Petal.Width + Petal.Length, iris)
  fuzz(
    "given", list(object = two, features = "Petal.Width"), error = "bayesrisk_error"
  )
  expect_error(decision_regions(model, colour = 1), class = "bayesrisk_error_argument")
})
