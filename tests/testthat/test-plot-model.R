test_that("every type is a ggplot, drawn when it is printed, with its data", {
  model <- fit(bayes_blocks(list(petal = c("Petal.Length", "Petal.Width"))), Species ~ ., iris)
  withr::local_pdf(NULL)
  for (type in setdiff(plot_types, "discriminants")) {
    features <- if (type == "density") NULL else "Petal.Length"
    expect_visible(plot(model, type, features = features))
    figure <- plot(model, type, features = features)
    expect_true(inherits(figure, "ggplot"))
    expect_s3_class(figure$data, "data.frame")
    expect_no_error(print(figure))
  }
  expect_identical(draw(model), draw(model, type = "density"))
})

test_that("neither the RNG nor the options are touched", {
  set.seed(1)
  before <- list(.Random.seed, options())
  draw(iris_naive(), "regions", features = c("Petal.Length", "Sepal.Width"), data = iris)
  expect_identical(list(.Random.seed, options()), before)
})

test_that("nine panels at a time, and a message names the others", {
  wide <- cbind(iris, stats::setNames(iris[rep(1:4, 2)], paste0("again", 1:8)))
  model <- fit(bayes_naive(), Species ~ ., wide)
  expect_message(drawn <- draw(model), "again6", class = "bayesrisk_message_features")
  expect_identical(length(unique(drawn$feature)), 9L)
  expect_no_message(draw(model, features = "again8"))
})

test_that("an argument without use is an error that names it", {
  model <- iris_naive()
  cost <- zero_one_cost(model)
  unused <- function(code, arg) expect_error(code, arg, class = "bayesrisk_error_argument")
  unused(draw(model, prior = "uniform"), "prior")
  unused(draw(model, cost = cost), "cost")
  unused(draw(model, "posterior", cost = cost), "cost")
  unused(draw(model, "posterior", data = iris), "data")
  unused(draw(model, "cost", features = "Sepal.Width", data = iris), "data")
  unused(draw(model, colour = "red"), "colour")
  unused(draw(model, add = TRUE), "add")
})

test_that("features are checked by name", {
  model <- iris_naive()
  expect_error(draw(model, features = "petal"), "petal", class = "bayesrisk_error_argument")
  expect_error(
    draw(model, features = c("Petal.Width", "Petal.Width")), "more than once",
    class = "bayesrisk_error_argument"
  )
  prior_only <- fit(bayes_naive(), Species ~ 1, iris)
  expect_error(draw(prior_only), "no features", class = "bayesrisk_error_argument")
})

test_that("names with braces and percent signs are names", {
  odd <- stats::setNames(iris[c(1, 2, 5)], c("{a} %s", "}b{", "y"))
  model <- fit(bayes_naive(), y ~ ., odd)
  expect_identical(unique(draw(model)$feature), c("{a} %s", "}b{"))
  expect_error(draw(model, "cost"), "{a} %s", fixed = TRUE, class = "bayesrisk_error_argument")
})

test_that("whatever is given, there is a plot or an error that names the argument", {
  model <- iris_naive()
  is_drawn <- is.data.frame
  for (arg in c("type", "features", "main", "xlab", "xlim", "col", "lty", "lwd", "pch")) {
    expect_fuzz_proof(draw, arg, list(x = model), is_drawn)
  }
  regions <- list(x = model, type = "regions", features = "Petal.Width")
  for (arg in c("cost", "prior", "features", "ylim")) {
    expect_fuzz_proof(draw, arg, regions, is_drawn)
  }
  expect_fuzz_proof(draw, "data", regions, is_drawn, error = "bayesrisk_error")
})

test_that("a damaged model is said to be one", {
  model <- iris_naive()
  model$parameters$banks[[1L]]$sd <- NULL
  expect_error(draw(model), "damaged", class = "bayesrisk_error_object")
})

test_that("plots of a model with a bag show its other features, as without it", {
  text <- valid_text()
  alone <- fit(bayes_naive(), y ~ size, text$data)
  for (type in c("density", "posterior")) {
    expect_message(drawn <- draw(text$model, type), "words", class = "bayesrisk_message_features")
    expect_equal(drawn, draw(alone, type), tolerance = 1e-14)
    expect_no_message(chosen <- draw(text$model, type, features = "size"))
    expect_identical(chosen, drawn)
    expect_bayesrisk_error(draw(text$model, type, features = "words"), "argument", "top_features")
    expect_bayesrisk_error(
      draw(fit(bayes_text(), y ~ words, text$data), type), "argument", "top_features"
    )
  }
  expect_message(draw(text$model, data = text$data), "words")
  expect_message(draw(temper(text$model, text$data, "block", folds = 2), "posterior"), "words")
  expect_bayesrisk_error(draw(text$model, "regions"), "argument", "words.*no data-generating")
  expect_bayesrisk_error(
    draw(text$model, "cost", features = "size"), "argument", "words.*no data-generating"
  )
  # The expected costs of two classes against the posterior need no feature
  expect_identical(draw(text$model, "cost"), draw(fit(bayes_naive(), y ~ g, valid_data()), "cost"))
})

test_that("what is left out is left out beside a bag, too", {
  text <- valid_text()
  text$data$same <- 1
  model <- suppressWarnings(fit(bayes_text(), y ~ words + same + size, text$data))
  drawn <- suppressMessages(draw(model))
  expect_true(all(is.na(drawn$density[drawn$feature == "same"])))
  expect_false(anyNA(drawn$density[drawn$feature == "size"]))
})
