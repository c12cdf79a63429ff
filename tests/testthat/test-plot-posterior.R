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
  drawn <- draw(fit(bayes_naive(), y ~ x, data), "posterior")
  expect_true(all(drawn$posterior == 1))
})
