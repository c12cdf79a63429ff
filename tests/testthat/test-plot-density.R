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
