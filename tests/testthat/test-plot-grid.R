test_that("a grid runs from the smallest mean - 3.5 sd to the largest mean + 3.5 sd", {
  drawn <- draw(two_classes())
  expect_equal(range(drawn$x), c(15 - 14, 25 + 14), tolerance = 1e-15)
  drawn <- draw(two_classes(), xlim = c(30, 10))
  expect_equal(range(drawn$x), c(10, 30), tolerance = 1e-15)
})

test_that("a narrow class is not lost between the points", {
  model <- bayes_known(
    c(wide = 0.5, narrow = 0.5),
    x = likelihood_gaussian(mean = c(wide = 0, narrow = 3), sd = c(wide = 1000, narrow = 1e-3))
  )
  drawn <- draw(model)
  peak <- max(drawn$density[drawn$class == "narrow"])
  expect_equal(peak, dnorm(0, sd = 1e-3), tolerance = 1e-12)
})

test_that("a feature that is a function of columns is drawn on its own scale", {
  model <- fit(bayes_naive(), am ~ log(hp) + wt, mtcars)
  drawn <- draw(model, features = "log(hp)")
  one <- drawn[drawn$class == "1", ]
  x <- log(mtcars$hp[mtcars$am == 1])
  expect_equal(one$density, dnorm(one$x, mean(x), sd(x)), tolerance = 1e-12)
})

test_that("a grid has points close to every cut within its range", {
  model <- fit(bayes_naive(prior = "uniform"), Species ~ Sepal.Length, iris)
  problem <- list(
    model = model, prior = model$parameters$prior,
    cost = read_cost(NULL, levels(iris$Species), call = NULL), call = NULL
  )
  cuts <- regions_within(problem, "Sepal.Length", c(4, 8))$cut
  expect_within(cuts, c(5.455797236, 6.329791669), 2e-10)
  grid <- beside_cuts(problem, "Sepal.Length", c(4, 8), 5)
  expect_within(grid, c(4, 5 - 4e-6, 5 + 4e-6, 8), 1e-15)
})

test_that("codes change where a neighbour differs", {
  expect_identical(changes(c(1L, 1L, 2L, 2L, NA, 1L)), c(2L, 4L, 5L))
})
