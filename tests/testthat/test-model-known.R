# Bags: lecture "Naive Bayes Learning (after Mooney)". Pixels: "Applied Machine Learning
# Fundamentals, Unit III: Bayesian Decision Theory (Wehner)", N(15, 4^2) and N(25, 4^2).
# Bivariate example: "Bayesian Learning (Galili, Shamir, Yakhini)".

bags <- function() {
  bayes_known(
    c(positive = .5, negative = .5),
    size = rbind(positive = c(small = .4, medium = .1, large = .5), negative = c(.4, .2, .4)),
    color = rbind(positive = c(red = .9, blue = .05, green = .05), negative = c(.3, .3, .4)),
    shape = rbind(positive = c(square = .05, triangle = .05, circle = .9), negative = c(.4, .3, .3))
  )
}

pixels <- function() {
  gaussian <- likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  bayes_known(c(a = .75, b = .25), pixels = gaussian)
}

covariance_a <- matrix(c(2, 2.2, 2.2, 2.5), 2)
covariance_b <- matrix(c(2.5, -2.2, -2.2, 2), 2)
mean_xy <- rbind(A = c(x = 0, y = 0), B = c(x = .5, y = .5))

test_that("bags: scores 81/2000 and 9/1000, posterior 9/11 and 2/11", {
  query <- data.frame(size = "medium", color = "red", shape = "circle")
  expect_within(exp(predict(bags(), query, type = "log_joint")), c(81 / 2000, 9 / 1000), 1e-14)
  expect_within(predict(bags(), query, type = "prob"), c(9, 2) / 11, 1e-14)
  expect_identical(as.character(predict(bags(), query)), "positive")
})

test_that("bags: error .14 over all 27 instances, three of them decided positive", {
  grid <- expand.grid(
    size = c("small", "medium", "large"), color = c("red", "blue", "green"),
    shape = c("square", "triangle", "circle")
  )
  joint <- exp(predict(bags(), grid, type = "log_joint"))
  expect_within(sum(joint), 1, 1e-14)
  expect_within(1 - sum(apply(joint, 1, max)), .14, 1e-13)
  expect_identical(sum(predict(bags(), grid) == "positive"), 3L)
})

test_that("pixels: posteriors at 15, 20 and 25, and the boundary", {
  p <- predict(pixels(), data.frame(pixels = c(15, 20, 25)), type = "prob")[, "a"]
  expect_within(p, c(.985566, .75, .116460), 5e-7, scale = 1)
  expect_within(p, 1 / (1 + dnorm(c(15, 20, 25), 25, 4) / dnorm(c(15, 20, 25), 15, 4) / 3), 1e-14)
  cut <- 20 + 1.6 * log(3)
  beside <- data.frame(pixels = cut + c(-1e-6, 1e-6))
  expect_identical(as.character(predict(pixels(), beside)), c("a", "b"))
  middle <- predict(pixels(), data.frame(pixels = 20), type = "prob", prior = "uniform")
  expect_within(middle, c(.5, .5), 0)
})

test_that("standard deviations go by class name", {
  model <- bayes_known(
    c(a = .5, b = .5),
    x = likelihood_gaussian(mean = c(b = 25, a = 15), sd = c(b = 2, a = 4))
  )
  density <- exp(predict(model, data.frame(x = 18), type = "log_likelihood"))
  expect_within(density, c(dnorm(18, 15, 4), dnorm(18, 25, 2)), 1e-14)
})

test_that("two dimensions: the full rule is the lecture's quadratic, the naive two lines", {
  full <- bayes_known(
    c(A = .5, B = .5),
    xy = likelihood_gaussian(mean = mean_xy, covariance = list(B = covariance_b, A = covariance_a))
  )
  naive <- bayes_known(
    c(A = .5, B = .5),
    x = likelihood_gaussian(mean = mean_xy[, "x"], sd = sqrt(c(A = 2, B = 2.5))),
    y = likelihood_gaussian(mean = mean_xy[, "y"], sd = sqrt(c(A = 2.5, B = 2)))
  )
  at <- expand.grid(x = seq(-4, 4, .37), y = seq(-4, 4, .41))
  quadratic <- with(at, 3.125 * x^2 - 55 * x * y - 3.125 * y^2 + 26.25 * x + 29.375 * y - 13.90625)
  expect_identical(predict(full, at) == "A", quadratic < 0)
  joint <- predict(full, at, type = "log_joint")
  expect_within(joint[, "B"] - joint[, "A"], quadratic / 2, 1e-11, scale = pmax(1, abs(quadratic)))
  lines <- with(at, (x + 2)^2 < (y - 2.5)^2)
  expect_identical(predict(naive, at) == "A", lines)
})

test_that("a covariance may be one matrix, a list by class, or an array", {
  known <- function(covariance) {
    gaussian <- likelihood_gaussian(mean = mean_xy, covariance = covariance)
    bayes_known(c(A = .3, B = .7), xy = gaussian)
  }
  at <- data.frame(y = c(.4, 2), x = c(1, -3))
  listed <- predict(known(list(A = covariance_a, B = covariance_b)), at, type = "log_joint")
  array <- array(c(covariance_a, covariance_b), c(2, 2, 2))
  expect_identical(predict(known(array), at, type = "log_joint"), listed)
  swapped <- array[, , 2:1]
  dimnames(swapped) <- list(NULL, NULL, c("B", "A"))
  expect_identical(predict(known(swapped), at, type = "log_joint"), listed)
  expect_within(
    listed[2, ],
    log(c(.3, .7)) + c(log_dmvnorm(c(-3, 2), c(0, 0), covariance_a),
                       log_dmvnorm(c(-3, 2), c(.5, .5), covariance_b)), 1e-12
  )
  pooled <- predict(known(covariance_a), at, type = "log_likelihood")
  expect_within(pooled[1, ], c(log_dmvnorm(c(1, .4), c(0, 0), covariance_a),
                               log_dmvnorm(c(1, .4), c(.5, .5), covariance_a)), 1e-12)
})

test_that("a joint table: the lecture's four cells", {
  table <- array(0, c(2, 2, 2), list(
    NULL, color = c("red", "blue"), shape = c("circle", "square")
  ))
  dimnames(table)[[1]] <- c("positive", "negative")
  table["positive", , ] <- c(.20, .02, .02, .01) / .25
  table["negative", , ] <- c(.05, .20, .30, .20) / .75
  model <- bayes_known(c(positive = .25, negative = .75), both = table)
  cells <- expand.grid(shape = c("circle", "square"), color = c("red", "blue"))
  p <- predict(model, cells, type = "prob")[, "positive"]
  expect_within(p, c(4 / 5, 1 / 16, 1 / 11, 1 / 21), 1e-14)
  expect_within(exp(predict(model, cells, type = "log_evidence")), c(.25, .32, .22, .21), 1e-14)
  red <- predict(model, data.frame(color = "red", shape = NA), type = "prob")
  expect_within(red, c(.22, .35) / .57, 1e-14)

  colour <- rbind(positive = c(red = .88, blue = .12), negative = c(.35 / .75, .4 / .75))
  shape <- rbind(positive = c(circle = .88, square = .12), negative = c(1 / 3, 2 / 3))
  naive <- bayes_known(c(positive = .25, negative = .75), color = colour, shape = shape)
  expect_within(
    predict(naive, cells, type = "prob")[, "positive"],
    c(.623979, .101643, .165275, .013320), 5e-7, scale = 1
  )
})

test_that("classes are in the order of the prior, whatever the order of the parts", {
  model <- bayes_known(
    c(no = .4, yes = .6),
    f = rbind(yes = c(u = .9, v = .1), no = c(.2, .8)),
    x = likelihood_gaussian(mean = c(yes = 1, no = 0), sd = 1)
  )
  score <- exp(predict(model, data.frame(x = 1, f = "u"), type = "log_joint"))
  expect_identical(colnames(score), c("no", "yes"))
  expect_within(score, c(.4 * .2 * dnorm(1), .6 * .9 * dnorm(0)), 1e-14)
})

test_that("a known model without features is its prior", {
  model <- bayes_known(c(a = .2, b = .8))
  expect_within(predict(model, data.frame(x = 1:3), type = "prob"), rep(c(.2, .8), each = 3), 0)
})

test_that("what is not known well is named (G10)", {
  known <- function(...) bayes_known(c(A = .5, B = .5), ...)
  expect_argument_error <- function(code, text) {
    expect_error(code, text, class = "bayesrisk_error_argument")
  }
  expect_argument_error(bayes_known(c(A = .5, B = .6)), "prior")
  expect_argument_error(bayes_known(c(.5, .5)), "prior")
  expect_argument_error(bayes_known(), "prior")
  expect_argument_error(known(x = 3), "`x`")
  expect_argument_error(known(likelihood_gaussian(mean = c(A = 1, B = 2), sd = 1)), "named")
  expect_argument_error(known(x = likelihood_gaussian()), "parameters")
  expect_argument_error(known(x = likelihood_gaussian(mean = c(A = 1, C = 2), sd = 1)), "C")
  expect_argument_error(known(f = rbind(A = c(u = .5, v = .5))), "B")
  unequal <- rbind(A = c(u = .5, v = .6), B = c(.5, .5))
  error <- expect_error(known(size = unequal), "`size`", class = "bayesrisk_error_argument")
  expect_match(conditionMessage(error$parent), "\"A\"")
  indefinite <- matrix(c(1, 2, 2, 1), 2)
  expect_argument_error(
    known(xy = likelihood_gaussian(mean = mean_xy, covariance = indefinite)), "positive definite"
  )
  expect_argument_error(
    known(xy = likelihood_gaussian(mean = mean_xy, covariance = list(A = diag(2), B = indefinite))),
    "class \"B\""
  )
  expect_argument_error(
    known(xy = likelihood_gaussian(mean = mean_xy, covariance = matrix(1, 2, 2))),
    "positive definite"
  )
  expect_argument_error(
    known(x = likelihood_gaussian(mean = c(A = 1, B = 2), sd = 1),
          xy = likelihood_gaussian(mean = mean_xy, covariance = diag(2))), "\\bx\\b"
  )
})

test_that("the classes of a table are found by their names", {
  prior <- c(A = 0.4, B = 0.6)
  rows <- rbind(A = c(u = 0.1, v = 0.7, w = 0.2), B = c(0.5, 0.5, 0))
  expect_no_message(turned <- bayes_known(prior, g = t(rows)))
  expect_identical(turned, bayes_known(prior, g = rows))
  expect_identical(bayes_known(prior, g = as.table(t(rows))), turned)
  # coef() of a joint table has the classes last.
  full <- fit(bayes_full(), play ~ outlook + wind, play_tennis)
  known <- bayes_known(coef(full)$prior, both = coef(full)$categorical)
  expect_within(
    predict(known, play_tennis, type = "prob"), predict(full, play_tennis, type = "prob"), 1e-15
  )
})

test_that("levels that are called like the classes", {
  prior <- c(A = 0.4, B = 0.6)
  table <- rbind(A = c(A = 0.9, B = 0.1), B = c(0.4, 0.6))
  level <- function(model) coef(model)$g["A", "A"]
  # The classes are where the sums are 1.
  expect_no_message(known <- bayes_known(prior, g = table))
  expect_identical(level(known), 0.9)
  expect_no_message(known <- bayes_known(prior, g = t(table)))
  expect_identical(level(known), 0.9)
  # Both sum to 1: the rows, with a message.
  both <- matrix(c(0.2, 0.8, 0.8, 0.2), 2, dimnames = list(c("A", "B"), c("B", "A")))
  expect_message(known <- bayes_known(prior, g = both), class = "bayesrisk_message_axes")
  expect_message(bayes_known(prior, g = both), "taken to be.the.rows")
  expect_identical(level(known), 0.8)
  # Names of the dimensions tell.
  for (axes in list(c("g", "class"), c("g", ""), c("", "class"))) {
    names(dimnames(both)) <- axes
    expect_no_message(known <- bayes_known(prior, g = both))
    expect_identical(level(known), 0.8)
  }
  cells <- array(c(0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4), c(2, 2, 2), list(
    x = c("A", "B"), g = c("A", "B"), h = c("u", "v")
  ))
  expect_no_message(bayes_known(prior, t = cells))
  cells[] <- 0.25
  expect_message(bayes_known(prior, t = cells), "dimension 1")
})

# Models made again from their own coefficients.

test_that("the coefficients of a model are the model", {
  data <- valid_data()
  models <- c(valid_models()[c("full", "pooled", "blocks", "mixtures", "points", "known")], list(
    counts = fit(bayes_naive(numeric = likelihood_negative_binomial()), y ~ n, data),
    gamma = fit(bayes_naive(numeric = likelihood_gamma()), y ~ exp, cbind(data, exp = exp(data$x))),
    normals = fit(bayes_naive(numeric = likelihood_mixture(1:2, starts = 2)), y ~ x, data)
  ))
  data$exp <- exp(data$x)
  for (name in names(models)) {
    again <- do.call(bayes_known, coef(models[[name]]))
    expect_within(
      predict(again, data, type = "log_joint"), predict(models[[name]], data, type = "log_joint"),
      1e-13, scale = 1
    )
    expect_setequal(names(again$schema$features), names(models[[name]]$schema$features))
  }
})

test_that("single elements, and other names of classes", {
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  again <- bayes_known(coef(model)$prior, width = coef(model)$Petal.Width)
  expect_within(
    predict(again, data.frame(width = 1.5), type = "log_likelihood"),
    stats::dnorm(1.5, coef(model)$Petal.Width[, "mean"], coef(model)$Petal.Width[, "sd"], TRUE),
    1e-14
  )
  expect_error(
    bayes_known(c(a = 0.5, b = 0.5), width = coef(model)$Petal.Width),
    "setosa", class = "bayesrisk_error_argument"
  )
})

test_that("what coefficients do not determine is refused", {
  skip_on_cran()
  refused <- function(model, pattern) {
    expect_error(
      do.call(bayes_known, coef(model)), pattern, class = "bayesrisk_error_argument"
    )
  }
  refused(valid_models()$cells, "write_model_json")
  words <- valid_text()$data$words
  y <- valid_data()$y
  refused(fit(bayes_text("complement"), words, y), "terms")
  numbers <- bayes_naive(features = list(words = likelihood_gaussian()))
  refused(fit_xy(numbers, list(words = words), y), "terms")
  data <- valid_data()
  refused(temper(fit(bayes_naive(), y ~ x, data), data, folds = 2), "exponents")
  wrong <- list(
    data.frame(a = 1), data.frame(class = "a", value = 1), list(a = 1), list(mean = 1, sd = 1),
    matrix(1, 2, 2, dimnames = list(class = c("a", "b"), statistic = c("u", "v"))),
    array(0.5, c(2, 2), list(class = c("a", "b"), statistic = c("mean", "sd")))[, 1]
  )
  for (part in wrong) {
    expect_error(
      bayes_known(c(a = 0.5, b = 0.5), x = part), class = "bayesrisk_error_argument"
    )
  }
})
