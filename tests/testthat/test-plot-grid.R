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

test_that("data need the features drawn; the class is read where it is", {
  model <- iris_naive()
  problem <- list(model = model, call = NULL)
  some <- iris[c(1, 51, 101), c("Petal.Width", "Species")]
  cases <- read_cases_drawn(problem, some, "Petal.Width")
  expect_identical(cases, list2DF(list(Petal.Width = some$Petal.Width, class = some$Species)))
  cases <- read_cases_drawn(problem, data.frame(Petal.Width = 1:2), "Petal.Width")
  expect_identical(cases$Petal.Width, c(1, 2))
  expect_identical(cases$class, factor(c(NA, NA), levels(iris$Species)))
  known <- list(model = letters_model(), call = NULL)
  drawn <- simulate(known$model, 20, seed = 1)
  expect_identical(read_cases_drawn(known, drawn, "pixels")$class, drawn$class)
  # `class` is a function of base R too: no column, no class.
  expect_true(all(is.na(read_cases_drawn(known, drawn["pixels"], "pixels")$class)))
  fitted <- list(model = fit(bayes_naive(), class ~ ., drawn), call = NULL)
  expect_true(all(is.na(read_cases_drawn(fitted, drawn["pixels"], "pixels")$class)))
  expect_error(
    draw(model, "regions", features = "Petal.Width", data = iris[1:2]), "Petal.Width",
    class = "bayesrisk_error_schema"
  )
  expect_error(
    draw(model, "regions", features = "Petal.Width", data = 1:3), "data",
    class = "bayesrisk_error_argument"
  )
  from_matrix <- fit_xy(bayes_naive(), unname(as.matrix(iris[1:4])), iris$Species)
  drawn <- draw(from_matrix, "regions", features = "V3", data = unname(as.matrix(iris[1:4])))
  expect_identical(unique(drawn$feature), "V3")
})

test_that("data are drawn in the units of a feature that is a function", {
  model <- fit(bayes_full(), y ~ log(x) + z, mixed())
  expect_silent(draw(model, "regions", data = mixed()))
})

test_that("of many cases some are drawn, evenly chosen", {
  cases <- data.frame(x = 1:20, class = factor("a"))
  expect_identical(thin_cases(cases), cases)
  expect_message(some <- thin_cases(cases, 3L), "3 of 20", class = "bayesrisk_message_rows")
  expect_identical(some$x, c(1L, 10L, 20L))
  expect_null(thin_cases(NULL))
})
