mixed <- function() {
  data <- data.frame(
    iris[-1], size = factor(ifelse(iris$Sepal.Length > 6, "large", "small"), c("small", "large")),
    even = round(10 * iris$Sepal.Length) %% 2 == 0, text = substr(iris$Species, 1, 1)
  )
  fit(bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")), laplace = 1), Species ~ ., data)
}

test_that("rows have the class and the features, of the types of the fit", {
  model <- mixed()
  rows <- simulate(model, 20, seed = 1)
  expect_identical(dim(rows), c(20L, 7L))
  expect_named(rows, c("Species", names(model$schema$features)))
  expect_identical(levels(rows$Species), levels(iris$Species))
  expect_identical(levels(rows$size), c("small", "large"))
  expect_type(rows$even, "logical")
  expect_type(rows$text, "character")
  expect_type(rows$Petal.Width, "double")
  expect_no_warning(predict(model, rows))
  expect_identical(dim(simulate(model, 0)), c(0L, 7L))
  expect_identical(nrow(simulate(model)), 1L)
})

test_that("the seed is as in stats, and the generator goes on as if nothing was", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  withr::with_preserve_seed({
    set.seed(5)
    first <- simulate(model, 3)
    next_one <- stats::runif(1)
    set.seed(5)
    expect_identical(simulate(model, 3), first)
    expect_identical(stats::runif(1), next_one)
    state <- get(".Random.seed", globalenv())
    seeded <- simulate(model, 3, seed = 5)
    expect_identical(get(".Random.seed", globalenv()), state)
    expect_identical(seeded, first, ignore_attr = "seed")
    expect_identical(as.integer(attr(seeded, "seed")), 5L)
  })
})

test_that("frequencies, means and covariances are those of the model, within chance", {
  prior <- c(setosa = 0.2, versicolor = 0.8, virginica = 0)
  model <- fit(bayes_full(prior = prior), Species ~ ., iris)
  rows <- simulate(model, 2e4, seed = 3)
  n <- table(rows$Species)
  expect_identical(n[["virginica"]], 0L)
  expect_lt(abs(n[["setosa"]] / 2e4 - 0.2), 4 * sqrt(0.16 / 2e4))
  drawn <- rows[rows$Species == "versicolor", -1]
  own <- iris[iris$Species == "versicolor", -5]
  expect_lt(max(abs(colMeans(drawn) - colMeans(own)) / apply(own, 2, sd)), 4 / sqrt(nrow(drawn)))
  expect_lt(max(abs(stats::cov(drawn) / stats::cov(own) - 1)), 0.15)
})

test_that("tables, joint tables and mixtures are drawn from", {
  joint <- joint_table(mooney_cells())
  rows <- simulate(fit(bayes_full(), class ~ ., joint), 2e4, seed = 1)
  again <- joint_table(as.data.frame(table(rows), responseName = "n"))
  expect_lt(max(abs(aperm(unclass(again), c("shape", "colour", "class")) - unclass(joint))), 0.015)
  humps <- bayes_known(
    prior = c(C1 = 0.6, C2 = 0.4),
    class = likelihood_mixture(
      weights = list(C1 = c(0.7, 0.3), C2 = 1), mean = list(C1 = c(3, 5.8), C2 = 5.8),
      sd = list(C1 = c(0.9, 0.8), C2 = 0.95)
    )
  )
  drawn <- simulate(humps, 2e4, seed = 1)
  # A feature may be called as the class would be.
  expect_named(drawn, c("class.1", "class"))
  expect_lt(abs(mean(drawn$class[drawn$class.1 == "C1"]) - (0.7 * 3 + 0.3 * 5.8)), 0.06)
  wrong <- mean(predict(humps, drawn) != drawn$class.1)
  expect_lt(abs(wrong - bayes_risk(humps)$total), 4 * sqrt(0.25 / 2e4))
})

test_that("what is no number of rows or seed is said", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(simulate(model, -1), "argument", "nsim")
  expect_bayesrisk_error(simulate(model, 2, seed = "a"), "argument", "seed")
  expect_bayesrisk_error(simulate(model, 2, sed = 1), "argument", "sed")
  for (arg in c("nsim", "seed")) {
    expect_fuzz_proof(
      function(...) simulate(model, ...), arg, list(nsim = 2), is.data.frame
    )
  }
})

test_that("draws are models with known parameters", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  draws <- simulate_parameters(model, 20, seed = 4)
  expect_length(draws, 20)
  expect_s3_class(draws[[1]], "bayesrisk_model")
  expect_equal(rowSums(predict(draws[[7]], iris[1:3, ], type = "prob")), rep(1, 3),
               ignore_attr = TRUE)
  one <- fit(bayes_naive(), Species ~ Petal.Width, iris)
  drawn <- simulate_parameters(one, 1)[[1]]
  expect_gte(bayes_risk(drawn, rule = one)$total, bayes_risk(drawn)$total)
  expect_output(print(draws), "20 draws of the parameters")
  expect_output(print(draws[[1]]))
  table <- as.data.frame(draws)
  expect_equal(table$draw, rep(1:20, each = 27))
  expect_equal(names(table), c("draw", setdiff(names(tidy(model)), "borrowed")))
  expect_error(update(draws[[1]], iris), class = "bayesrisk_error_argument")
})

test_that("a draw depends on its number and the seed alone", {
  model <- fit(bayes_full(), Species ~ ., iris)
  set.seed(1)
  before <- .Random.seed
  draws <- simulate_parameters(model, 5, seed = 2)
  expect_identical(.Random.seed, before)
  expect_identical(unclass(simulate_parameters(model, 3, seed = 2)), unclass(draws)[1:3])
  expect_false(identical(simulate_parameters(model, 1, seed = 3)[[1]], draws[[1]]))
})

test_that("a prior that is given, and what has no posterior, stay", {
  data <- valid_data()
  model <- fit(
    bayes_naive(prior = "uniform", features = list(z = likelihood_kernel())), y ~ x + z, data
  )
  drawn <- simulate_parameters(model, 2)[[2]]
  expect_equal(coef(drawn)$prior, c(a = 0.5, b = 0.5))
  expect_identical(coef(drawn)$z, coef(model)$z)
  expect_false(identical(coef(drawn)$x, coef(model)$x))
})

test_that("draws of large joint tables, left-out features and empty classes are sound", {
  data <- data.frame(
    y = factor(rep_len(c("a", "b"), 40), c("a", "b", "none")), g = rep_len(letters[1:5], 40),
    h = rep_len(LETTERS[1:3], 40), x = rep(1, 40), z = sin(1:40), w = cos(1:40)
  )
  naive <- suppressWarnings(fit(bayes_naive(laplace = 1), y ~ ., data))
  full <- suppressWarnings(fit(bayes_full(laplace = 0.5), y ~ ., data))
  for (model in list(naive, full)) {
    for (drawn in simulate_parameters(model, 3)) {
      p <- predict(drawn, data, type = "prob")
      expect_true(all(is.finite(p)))
      expect_equal(unname(p[, "none"]), rep(0, 40))
    }
  }
  cells <- coef(simulate_parameters(full, 1)[[1]])$categorical
  expect_equal(sum(cells[, , "a"]), 1)
})

test_that("pseudo-counts near the largest number are those of known tables", {
  spec <- bayes_blocks(list(c("outlook", "humidity")), laplace = 1e308)
  model <- fit(spec, play ~ outlook + humidity, play_tennis)
  expect_identical(coef(simulate_parameters(model, 1)[[1]])[-1], coef(model)[-1])
})

test_that("a draw is taken by its number", {
  draws <- simulate_parameters(fit(bayes_naive(), Species ~ ., iris), 3)
  expect_s3_class(draws[[3]], "bayesrisk_model")
  expect_identical(draws[[2]], unclass(draws)[[2L]])
  for (i in list(9, 0, -1, 1.5, "a", 1:2, NA, TRUE, NULL)) {
    expect_bayesrisk_error(draws[[i]], "argument", "one draw, from 1 to 3")
  }
  expect_bayesrisk_error(draws[[]], "argument", "one draw, from 1 to 3")
})
