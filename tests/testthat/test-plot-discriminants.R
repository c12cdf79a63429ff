# The figure of discriminant coordinates: regions of the model that has the coordinates as features.

of_flowers <- function() fit(bayes_full(covariance = "pooled"), Species ~ ., iris)

test_that("with all coordinates drawn, the decisions are those of the model", {
  model <- of_flowers()
  drawn <- draw(model, "discriminants", data = iris)
  expect_identical(unique(drawn$feature_x), "LD1")
  found <- discriminants(model)
  some <- seq(1, nrow(drawn), by = 97)
  at <- rbind(drawn$x, drawn$y)[, some]
  # The features of a point: the centre moved within the covariance.
  back <- coef(model)$numeric$covariance %*% found$scaling
  newdata <- as.data.frame(t(found$centre + back %*% at))
  expect_identical(as.character(drawn$decision[some]), as.character(predict(model, newdata)))
  means <- attr(drawn, "means")
  expect_within(means$x, found$means[, "LD1"], 1e-14)
  expect_identical(as.character(means$class), levels(iris$Species))
})

test_that("cases have their coordinates and their classes", {
  cases <- attr(draw(of_flowers(), "discriminants", data = iris), "cases")
  expect_identical(cases$class, iris$Species)
  expect_identical(
    unname(as.matrix(cases[c("LD1", "LD2")])),
    unname(predict(of_flowers(), iris, type = "discriminant"))
  )
  holes <- iris
  holes[2:4, 1] <- NA
  expect_message(
    drawn <- draw(of_flowers(), "discriminants", data = holes), "3 cases not drawn",
    class = "bayesrisk_message_rows"
  )
  expect_identical(nrow(attr(drawn, "cases")), 147L)
})

test_that("one coordinate is drawn as regions of a feature", {
  two <- droplevels(iris[51:150, ])
  model <- fit(bayes_full(covariance = "pooled"), Species ~ ., two)
  drawn <- draw(model, "discriminants", data = two)
  expect_named(drawn, c("feature", "x", "class", "density", "decision"))
  expect_within(attr(drawn, "regions")$cut, 0, 1e-12, scale = 1)
  second <- draw(of_flowers(), "discriminants", features = "LD2")
  expect_identical(unique(second$feature), "LD2")
})

test_that("costs and priors change the regions, and titles name the share of the trace", {
  cost <- zero_one_cost(levels(iris$Species), reject = 0.1)
  drawn <- draw(of_flowers(), "discriminants", cost = cost)
  expect_true("reject" %in% drawn$decision)
  prior <- c(setosa = 0.8, versicolor = 0.1, virginica = 0.1)
  drawn <- draw(of_flowers(), "discriminants", prior = prior)
  expect_within(
    attr(drawn, "means")$x, discriminants(of_flowers(), prior = prior)$means[, 1L], 1e-14
  )
  figure <- plot(of_flowers(), "discriminant")
  expect_identical(figure$labels$x, "LD1 (99.1 % of the trace)")
})

test_that("what cannot be drawn is an error that names the argument", {
  refused <- function(pattern, ...) {
    expect_error(plot(...), pattern, class = "bayesrisk_error_argument")
  }
  refused("LD1", of_flowers(), "discriminants", features = "LD7")
  refused("`features`", of_flowers(), "discriminants", features = "Sepal.Length")
  refused("does not use `rule`", of_flowers(), "discriminants", rule = "prior")
  refused("pooled", fit(bayes_naive(), Species ~ ., iris), "discriminants")
  refused("plot\\(model", discriminants(of_flowers()))
  means <- rbind(a = c(1, 0, 0), b = c(0, 1, 0), c = c(0, 0, 1), d = 0)
  colnames(means) <- c("x", "y", "z")
  four <- bayes_known(
    c(a = 0.1, b = 0.2, c = 0.3, d = 0.4),
    block = likelihood_gaussian(mean = means, covariance = diag(3))
  )
  refused("one or two coordinates", four, "discriminants", features = paste0("LD", 1:3))
  expect_identical(unique(draw(four, "discriminants", features = c("LD1", "LD3"))$feature_y), "LD3")
  expect_error(
    plot(of_flowers(), "discriminants", data = iris[-1]), "Sepal.Length",
    class = "bayesrisk_error_schema"
  )
})
