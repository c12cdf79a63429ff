cut_of <- function(drawn, of = "decision") {
  rows <- drawn[!duplicated(drawn$x), ]
  at <- which(diff(as.integer(rows[[of]])) != 0)
  data.frame(low = rows$x[at], high = rows$x[at + 1])
}

test_that("the points next to a cut bracket the exact one", {
  cut <- cut_of(draw(two_classes(), "regions"))
  expect_identical(nrow(cut), 1L)
  expect_true(cut$low <= 20 && 20 <= cut$high && cut$high - cut$low < 1e-4)

  # Unequal priors move it to 20 + log(3) 16 / 10.
  cut <- cut_of(draw(two_classes(), "regions", prior = c(0.75, 0.25)))
  expect_true(cut$low <= 20 + 1.6 * log(3) && 20 + 1.6 * log(3) <= cut$high)
})

test_that("with a cost the decisions are actions, and the density is prior x density", {
  cost <- cost_matrix(ship = c(A = 0, B = 9), scrap = c(A = 1, B = 0))
  drawn <- draw(two_classes(c(A = 0.75, B = 0.25)), "regions", cost = cost)
  expect_named(drawn, c("feature", "x", "class", "density", "decision"))
  expect_identical(levels(drawn$decision), c("ship", "scrap"))
  # Ship while the odds of A are above 9: log(3) + (15 - 25)(x - 20) / 16 = log(9).
  cut <- cut_of(drawn)
  exact <- 20 + 1.6 * (log(3) - log(9))
  expect_true(cut$low <= exact && exact <= cut$high)
  b <- drawn[drawn$class == "B", ]
  expect_equal(b$density, 0.25 * dnorm(b$x, 25, 4), tolerance = 1e-12)
})

test_that("three classes and general costs: the cuts of the reference", {
  # Sepal length, equal priors: zeros of sums of three exponentials.
  cost <- cost_matrix(
    one = c(setosa = 0, versicolor = 2, virginica = 9),
    two = c(setosa = 1, versicolor = 0, virginica = 4),
    three = c(setosa = 3, versicolor = 1, virginica = 0)
  )
  model <- fit(bayes_naive(prior = "uniform"), Species ~ Sepal.Length, iris)
  drawn <- draw(model, "regions", cost = cost, xlim = c(2.5, 8))
  cut <- cut_of(drawn)
  exact <- c(3.0133138438, 3.2766694391, 5.2294303184, 5.7232816451)
  expect_identical(nrow(cut), 4L)
  expect_true(all(cut$low <= exact & exact <= cut$high))
  rows <- drawn[!duplicated(drawn$x), ]
  expect_identical(rle(as.integer(rows$decision))$values, c(3L, 2L, 1L, 2L, 3L))
})

test_that("limits and data set the range", {
  drawn <- draw(two_classes(), "regions", data = data.frame(x = c(-20, NA, 21)))
  expect_identical(min(drawn$x), -20)
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  drawn <- draw(model, "regions", xlim = c(0, 5), ylim = c(1, 2))
  expect_identical(c(range(drawn$x), range(drawn$y)), c(0, 5, 1, 2))
})

test_that("features must be one or two numeric ones", {
  model <- iris_naive()
  wrong <- function(...) expect_error(draw(...), "features", class = "bayesrisk_error_argument")
  wrong(model, "regions")
  expect_error(draw(model, "regions"), "Petal.Width", class = "bayesrisk_error_argument")
  wrong(model, "regions", features = names(iris)[1:3])
  tennis <- fit(bayes_naive(), play ~ ., play_tennis)
  wrong(tennis, "regions")
  wrong(tennis, "regions", features = "wind")
})

test_that("the strip of decisions changes at the cuts", {
  figure <- do.call(plot, figures()$interval)
  drawn <- figure$data
  strip <- layer_of(figure, "GeomRect")
  expect_equal(strip$xmax[-nrow(strip)], attr(drawn, "regions")$cut)
  expect_equal(layer_of(figure, "GeomVline")$xintercept, attr(drawn, "regions")$cut)
  expect_identical(nrow(layer_of(figure, "GeomPoint")), 150L)
  # Each class has a row of its own.
  points <- layer_of(figure, "GeomPoint", 2L)
  expect_identical(rowSums(table(points$y, points$colour) > 0), c(1, 1, 1), ignore_attr = TRUE)
})

test_that("actions that are the classes share their legend", {
  legends <- function(figure) {
    built <- ggplot2::ggplot_build(figure)$plot$labels
    c(built$fill, built$colour)
  }
  expect_identical(legends(plot(two_classes(), "regions")), c("class", "class"))
  expect_identical(legends(do.call(plot, figures()$interval)), c("decision", "class"))
  # Also if a class is never decided.
  rare <- bayes_known(
    c(a = 0.98, b = 0.01, c = 0.01),
    x = likelihood_gaussian(mean = c(a = 0, b = 1, c = 9), sd = c(a = 1, b = 1, c = 1))
  )
  built <- ggplot2::ggplot_build(plot(rare, "regions"))$plot$scales
  for (aesthetic in c("fill", "colour", "linetype")) {
    expect_identical(built$get_scales(aesthetic)$get_labels(), c("a", "b", "c"))
  }
})
