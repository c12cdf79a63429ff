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

coefficients_of <- function(boundaries) {
  unlist(as.data.frame(boundaries)[1L, c("x2", "xy", "y2", "x", "y", "constant")])
}

test_that("the rules of the lecture's bivariate example", {
  full <- decision_regions(bivariate_full())
  expect_s3_class(full, c("bayesrisk_boundaries", "bayesrisk_result", "data.frame"), exact = TRUE)
  expect_within(coefficients_of(full), c(3.125, -55, -3.125, 26.25, 29.375, -13.90625), 1e-12)
  expect_identical(full$kind, "hyperbola")
  naive <- decision_regions(bivariate_naive())
  expect_within(coefficients_of(naive), c(0.1, 0, -0.1, 0.4, 0.5, -0.225), 1e-12)
  expect_identical(naive$kind, "crossing lines")
  variation <- decision_regions(bivariate_full(6))
  expect_within(coefficients_of(variation), c(3.125, -55, -3.125, 177.5, 201.25, -648.125), 1e-12)
})

test_that("the naive rule's straight lines: y = x + 4.5 and y = 0.5 - x", {
  lines <- attr(decision_regions(bivariate_naive()), "lines")
  expect_named(lines, c("first", "second", "x", "y", "constant"))
  expect_within(sort(-lines$x / lines$y), c(-1, 1), 1e-12)
  expect_within(sort(-lines$constant / lines$y), c(0.5, 4.5), 1e-12)
})

test_that("equations are written out", {
  rejecting <- decision_regions(petals(), zero_one_cost(levels(iris$Species), reject = 0.1))
  expect_snapshot(print(rejecting, digits = 4))
  expect_equations <- function(model, text) {
    expect_match(format(decision_regions(model))[[1L]], text, fixed = TRUE)
  }
  expect_equations(bivariate_full(), "hyperbola, A where 3.125 x^2 - 55 xy - 3.125 y^2 + 26.25 x")
  expect_equations(bivariate_naive(), "crossing lines y = -x + 0.5 and y = x + 4.5, A where 0.1 x")
  expect_equations(petals(bayes_full(covariance = "pooled")), "line y = -0.8819 x + 3.309, setosa")
})

test_that("the polynomial is twice the log ratio: negative where the first costs less", {
  model <- petals()
  grid <- expand.grid(Petal.Length = seq(0, 8, 0.5), Petal.Width = seq(-1, 3, 0.25))
  log_joint <- predict(model, grid, type = "log_joint")
  boundaries <- decision_regions(model)
  expect_identical(nrow(boundaries), 3L)
  terms <- with(grid, cbind(
    Petal.Length^2, Petal.Length * Petal.Width, Petal.Width^2, Petal.Length, Petal.Width, 1
  ))
  for (i in 1:3) {
    value <- terms %*% coefficients_of(boundaries[i, ])
    difference <- log_joint[, boundaries$second[[i]]] - log_joint[, boundaries$first[[i]]]
    expect_within(value, 2 * difference, 1e-9, pmax(1, abs(difference)))
  }
})

test_that("costs move a boundary; more than two normals have no equation", {
  cost <- suppressWarnings(
    cost_matrix(A = c(A = 0, B = 10), B = c(A = 1, B = 0), ask = 0.5, dear = 20)
  )
  boundaries <- decision_regions(bivariate_full(), cost)
  at <- coefficients_of(boundaries[1L, ])
  expect_within(at[1:5], coefficients_of(decision_regions(bivariate_full()))[1:5], 1e-12)
  expect_within(at[[6L]], -13.90625 + 2 * log(10), 1e-12)
  kind <- function(first, second) {
    boundaries$kind[boundaries$first == first & boundaries$second == second]
  }
  expect_identical(kind("A", "ask"), "hyperbola")
  expect_identical(kind("ask", "dear"), "none")
  expect_true(all(is.na(coefficients_of(boundaries[boundaries$kind == "none", ]))))
  expect_identical(decision_regions(petals(), petal_cost())$kind, rep("contour", 3L))
  same <- decision_regions(bivariate_full(), cost_matrix(one = 1, two = 1))
  expect_identical(same$kind, "everywhere")
  only <- decision_regions(bivariate_full(), cost_matrix(only = c(A = 1, B = 2)))
  expect_identical(nrow(only), 0L)
})

test_that("every kind that two normals can have", {
  kind <- function(mean_b, variance_b, prior = c(A = 0.5, B = 0.5)) {
    feature <- function(i) {
      sd <- sqrt(c(A = 1, B = variance_b[[i]]))
      likelihood_gaussian(mean = c(A = 0, B = mean_b[[i]]), sd = sd)
    }
    decision_regions(bayes_known(prior, x = feature(1L), y = feature(2L)))$kind
  }
  expect_identical(kind(c(1, 2), c(1, 1)), "line")
  expect_identical(kind(c(1, 2), c(3, 3)), "circle")
  expect_identical(kind(c(1, 2), c(3, 2)), "ellipse")
  expect_identical(kind(c(1, 2), c(3, 0.5)), "hyperbola")
  expect_identical(kind(c(1, 2), c(3, 1)), "parabola")
  expect_identical(kind(c(1, 0), c(3, 1)), "parallel lines")
  expect_identical(kind(c(0, 0), c(2, 0.5)), "crossing lines")
  expect_identical(kind(c(0, 0), c(1, 1)), "everywhere")
  expect_identical(kind(c(0, 0), c(1, 1), c(A = 0.6, B = 0.4)), "none")
  expect_identical(kind(c(1, 2), c(0.5, 0.5), c(A = 1 - 1e-9, B = 1e-9)), "none")
})

test_that("two of many features: the others marginalised, or given", {
  model <- fit(bayes_full(), Species ~ ., iris)
  features <- c("Petal.Width", "Sepal.Width")
  part <- fit(bayes_full(), Species ~ Petal.Width + Sepal.Width, iris)
  marginal <- decision_regions(model, features = features)
  expect_identical(attr(marginal, "features"), features)
  expect_equal(as.data.frame(marginal), as.data.frame(decision_regions(part)), tolerance = 1e-10)
  given <- list(Petal.Length = 4.9, Sepal.Length = 6)
  boundaries <- decision_regions(model, features = features, given = given)
  newdata <- data.frame(Petal.Width = c(0.3, 1.5, 2), Sepal.Width = c(3, 2.5, 3.3), given)
  log_joint <- predict(model, newdata, type = "log_joint")
  terms <- with(newdata, cbind(Petal.Width^2, Petal.Width * Sepal.Width, Sepal.Width^2,
                               Petal.Width, Sepal.Width, 1))
  difference <- log_joint[, "virginica"] - log_joint[, "setosa"]
  expect_within(terms %*% coefficients_of(boundaries[2L, ]), 2 * difference, 1e-9)
  # In blocks of their own features tell nothing about each other.
  naive <- iris_naive()
  apart <- decision_regions(naive, features = features, given = list(Petal.Length = NA))
  expect_equal(apart, decision_regions(naive, features = features))
})

test_that("far from 0 the coefficients are about a mean", {
  moved <- transform(iris, Petal.Length = Petal.Length + 2^30)
  far <- decision_regions(fit(bayes_full(), Species ~ Petal.Length + Petal.Width, moved))
  origin <- attr(far, "origin")
  expect_gt(origin[["Petal.Length"]], 2^30)
  expect_identical(origin[["Petal.Width"]], 0)
  near <- coefficients_of(decision_regions(petals()))
  expect_within(coefficients_of(far)[1:3], near[1:3], 1e-5)
  expect_output(print(far), "x = Petal.Length - 10737418")
})

test_that("two features must be two numeric ones", {
  model <- iris_naive()
  wrong <- function(feature, text) {
    expect_bayesrisk_error(decision_regions(model, features = feature), "argument", text)
  }
  wrong(c("Petal.Length", "Petal.Widht"), "Petal.Widht.*Perhaps misspelt")
  wrong(c("Petal.Length", "Petal.Length"), "twice")
  wrong(names(iris)[1:3], "one or two")
  mixed <- fit(bayes_naive(), y ~ ., mixed())
  expect_bayesrisk_error(decision_regions(mixed, features = c("x", "g")), "argument",
                         "g.*categorical")
  expect_bayesrisk_error(
    decision_regions(model, features = names(iris)[1:2], given = list(Sepal.Width = 3)),
    "argument", "given.*Sepal.Width"
  )
})

test_that("a part of the table is a table; what is no boundary prints as data", {
  boundaries <- decision_regions(petals())
  expect_s3_class(as.data.frame(boundaries), "data.frame", exact = TRUE)
  expect_output(print(boundaries[2:3, ]), "2 boundaries.*setosa or virginica: ellipse")
  expect_output(print(boundaries[c("first", "kind")]), "ellipse")
  expect_length(format(boundaries), 3L)
})
