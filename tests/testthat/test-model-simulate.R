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
