test_that("numeric features: the density at the estimates, marginal of a block too", {
  for (spec in list(bayes_naive(), bayes_full())) {
    drawn <- draw(fit(spec, Species ~ ., iris))
    expect_named(drawn, c("feature", "x", "level", "class", "density"))
    for (feature in names(iris)[1:4]) {
      for (class in levels(iris$Species)) {
        rows <- drawn[drawn$feature == feature & drawn$class == class, ]
        values <- iris[iris$Species == class, feature]
        expect_equal(rows$density, dnorm(rows$x, mean(values), sd(values)), tolerance = 1e-12)
      }
    }
  }
  expect_true(all(is.na(drawn$level)))
})

test_that("pooled covariance: one standard deviation for all classes", {
  drawn <- draw(fit(bayes_full(covariance = "pooled"), Species ~ ., iris), features = "Sepal.Width")
  values <- split(iris$Sepal.Width, iris$Species)
  sd <- sqrt(mean(vapply(values, var, 1)))
  rows <- drawn[drawn$class == "virginica", ]
  expect_equal(rows$density, dnorm(rows$x, mean(values$virginica), sd), tolerance = 1e-12)
})

test_that("categorical features: the probability of each level given the class", {
  drawn <- draw(fit(bayes_naive(), play ~ ., play_tennis))
  wind <- drawn[drawn$feature == "wind", ]
  expect_identical(wind$level, c("weak", "strong", "weak", "strong"))
  expect_identical(as.character(wind$class), c("yes", "yes", "no", "no"))
  expect_equal(wind$density, c(6 / 9, 3 / 9, 2 / 5, 3 / 5), tolerance = 1e-14)
  expect_true(all(is.na(drawn$x)))
})

test_that("the marginal of a joint table is the table summed over the other features", {
  model <- fit(bayes_full(), play ~ outlook + wind, play_tennis)
  drawn <- draw(model, features = "outlook")
  counts <- table(play_tennis$outlook, play_tennis$play)
  expect_equal(drawn$density, as.vector(prop.table(counts, 2)), tolerance = 1e-14)
})

test_that("kinds may be mixed, and a class without rows has no density", {
  data <- data.frame(
    y = factor(c("p", "p", "q", "q"), levels = c("p", "q", "r")), x = c(1, 2, 4, 9),
    a = factor(c("u", "v", "u", "v"), levels = c("u", "v", "w"))
  )
  suppressMessages(model <- fit(bayes_naive(), y ~ ., data))
  drawn <- draw(model)
  expect_identical(unique(drawn$feature), c("x", "a"))
  expect_true(all(is.na(drawn$density[drawn$class == "r"])))
  expect_identical(drawn$density[drawn$level %in% "w" & drawn$class != "r"], c(0, 0))
})

test_that("posteriors of the classes sum to 1 at each point and are those of predict()", {
  model <- fit(bayes_full(), Species ~ ., iris)
  drawn <- draw(model, "posterior", features = c("Petal.Width", "Sepal.Length"))
  expect_named(drawn, c("feature", "x", "level", "class", "posterior"))
  expect_identical(unique(drawn$feature), c("Petal.Width", "Sepal.Length"))
  rows <- drawn[drawn$feature == "Petal.Width", ]
  by_class <- matrix(rows$posterior, ncol = 3)
  expect_equal(rowSums(by_class), rep(1, nrow(by_class)), tolerance = 1e-12)
  x <- rows$x[seq_len(nrow(by_class))]
  newdata <- data.frame(Sepal.Length = NA, Sepal.Width = NA, Petal.Length = NA, Petal.Width = x)
  expect_identical(by_class, unname(predict(model, newdata, "prob")))
})

test_that("levels: Bayes' theorem from the counts; the prior can be replaced", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  drawn <- draw(model, "posterior", features = "outlook")
  counts <- table(play_tennis$outlook, play_tennis$play)
  expect_equal(drawn$posterior, as.vector(prop.table(counts, 1)), tolerance = 1e-14)
  uniform <- draw(model, "posterior", features = "wind", prior = "uniform")
  strong <- uniform$posterior[uniform$level == "strong"]
  expect_equal(strong, c(3 / 9, 3 / 5) / (3 / 9 + 3 / 5), tolerance = 1e-14)
})

test_that("a level impossible under every class has no posterior, without a warning", {
  data <- data.frame(
    y = factor(c("p", "p", "q")), a = factor(c("u", "v", "u"), levels = c("u", "v", "w"))
  )
  model <- fit(bayes_naive(), y ~ ., data)
  expect_no_warning(drawn <- draw(model, "posterior"))
  expect_identical(is.na(drawn$posterior), drawn$level == "w")
})

test_that("one class only: a posterior of 1", {
  data <- data.frame(y = "a", x = c(1, 2, 4))
  drawn <- draw(one_class(fit(bayes_naive(), y ~ x, data)), "posterior")
  expect_true(all(drawn$posterior == 1))
})

test_that("a feature that the model left out has no density", {
  d <- transform(iris, constant = 3)
  model <- suppressWarnings(fit(bayes_naive(), Species ~ Petal.Width + constant, d))
  drawn <- draw(model, data = d)
  expect_true(all(is.na(drawn$density[drawn$feature == "constant"])))
  expect_false(anyNA(drawn$density[drawn$feature == "Petal.Width"]))
  expect_identical(left_out_features(model), "constant")
  expect_identical(layer_of(plot(model), "GeomText")$label, "left out")
})

test_that("posteriors of a level are stacked in the order of the classes", {
  tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  figure <- plot(tennis, "posterior", features = "wind")
  bars <- layer_of(figure, "GeomCol")
  drawn <- figure$data
  expect_equal(bars$ymax[bars$group == 1L], drawn$posterior[drawn$class == "yes"])
  expect_equal(bars$ymax[bars$group == 2L], c(1, 1))
  expect_identical(figure$labels$x, "wind")
})
