ocr <- function(sd = 4) {
  bayes_known(
    prior = c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = sd)
  )
}

# Lecture "Naive Bayes (after Mooney)": a joint table and the naive model of the same.
mooney_joint <- function() {
  table <- array(
    c(0.2, 0.05, 0.02, 0.2, 0.02, 0.3, 0.01, 0.2), c(2, 2, 2),
    list(class = c("positive", "negative"), colour = c("red", "blue"),
         shape = c("circle", "square"))
  )
  prior <- apply(table, 1, sum)
  bayes_known(prior, both = sweep(table, 1, prior, "/"))
}

mooney_naive <- function() {
  bayes_known(
    c(positive = 0.25, negative = 0.75),
    colour = rbind(positive = c(red = 0.88, blue = 0.12), negative = c(35, 40) / 75),
    shape = rbind(positive = c(circle = 0.88, square = 0.12), negative = c(25, 50) / 75)
  )
}

# The decisions of a joint density and their cost, by a sum over a fine grid.
sum_over_grid <- function(model, cost, from, to, n = 2e5) {
  x <- seq(from, to, length.out = n)
  joint <- exp(predict(model, data.frame(x = x), type = "log_joint"))
  least <- do.call(pmin, asplit(joint %*% t(unclass(cost)), 2L))
  sum(least) * (x[[2L]] - x[[1L]])
}

test_that("letters: the Bayes error, its parts and its table", {
  risk <- bayes_risk(ocr())
  expect_s3_class(risk, "bayesrisk_risk")
  expect_within(risk$total, 0.086377977, 4e-9)
  expect_identical(risk$irreducible, risk$total)
  expect_identical(risk$reducible, 0)
  expect_identical(risk$method, "exact")
  expect_lte(risk$accuracy, 1e-12)
  expect_identical(dimnames(risk$table), list(truth = c("a", "b"), decision = c("a", "b")))
  expect_within(risk$table[["b", "a"]], 0.052202652, 1e-8)
  expect_within(risk$table[["a", "b"]], 0.034175325, 1e-8)
  expect_within(sum(risk$table), 1, 1e-15)
  expect_null(risk$believed)
  expect_within(bayes_risk(ocr(3))$total, 0.039864449, 2e-8)
  expect_within(bayes_risk(ocr(5))$total, 0.127016830, 2e-8)
})

test_that("letters: the likelihood rule, the prior rule, the value of seeing x", {
  likelihood <- bayes_risk(ocr(), rule = "likelihood")
  expect_within(likelihood$total, 0.105649774, 4e-9)
  expect_within(likelihood$reducible, 0.019271796, 3e-8)
  blind <- bayes_risk(ocr(), rule = "prior")
  expect_within(blind$total, 0.25, 1e-15)
  expect_within(blind$reducible, 0.163622023, 4e-9)
  minimax <- bayes_risk(ocr(), prior = "uniform")
  expect_within(minimax$total, 0.1056497737, 4e-10)
  expect_within(minimax$table["a", "b"], minimax$table["b", "a"], 1e-14)
})

test_that("letters with costs: the four rows of the lecture's table", {
  for (row in list(
    c(1, 0.052203, 0.034175, 0.086378), c(3, 0.026412, 0.079237, 0.158475),
    c(5, 0.018232, 0.110893, 0.202052), c(10, 0.010418, 0.165841, 0.270025)
  )) {
    cost <- cost_matrix(a = c(a = 0, b = row[[1L]]), b = c(a = 1, b = 0))
    risk <- bayes_risk(ocr(), cost)
    expect_within(c(risk$table[["b", "a"]], risk$table[["a", "b"]], risk$total), row[-1L],
                  6e-7, scale = 1)
  }
  # At a cost of 3, cost and prior cancel: the likelihood rule is the best.
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0))
  expect_within(
    bayes_risk(ocr(), cost)$total, bayes_risk(ocr(), cost, rule = function(x) {
      ifelse(x$pixels < 20, "a", "b")
    })$total, 1e-12
  )
})

test_that("letters with a reject action: rate, error and risk", {
  for (row in list(
    c(0.05, 0.381749, 0.007400, 0.026487), c(0.1, 0.273195, 0.015224, 0.042543),
    c(0.2, 0.165051, 0.030842, 0.063852)
  )) {
    risk <- bayes_risk(ocr(), zero_one_cost(ocr(), reject = row[[1L]]))
    wrong <- risk$table[["a", "b"]] + risk$table[["b", "a"]]
    expect_within(c(sum(risk$table[, "reject"]), wrong, risk$total), row[-1L], 1e-6, scale = 1)
  }
})

test_that("irises by their sepals: errors and the theoretical confusion", {
  model <- function(variance) {
    fit(bayes_naive(prior = "uniform", variance = variance), Species ~ Sepal.Length, iris)
  }
  ml <- bayes_risk(model("ml"))
  expect_within(ml$total, 0.277883832, 2e-9)
  expect_within(
    3 * ml$table,
    rbind(c(0.900600, 0.099324, 0.000076), c(0.172964, 0.605434, 0.221602),
          c(0.035864, 0.303822, 0.660314)), 6e-7, scale = 1
  )
  unbiased <- bayes_risk(model("unbiased"), rule = model("ml"))
  expect_within(unbiased$irreducible, 0.280725775, 2e-9)
  expect_within(unbiased$believed, ml$total, 1e-15)
  expect_gt(unbiased$reducible, 0)
})

test_that("two humps: what the rule of the figure wastes, and what nothing can save", {
  model <- bayes_known(
    prior = c(C1 = 0.6, C2 = 0.4),
    x = likelihood_mixture(
      weights = list(C1 = c(0.7, 0.3), C2 = 1), mean = list(C1 = c(3, 5.8), C2 = 5.8),
      sd = list(C1 = c(0.9, 0.8), C2 = 0.95)
    )
  )
  risk <- bayes_risk(model, rule = function(x) ifelse(x$x < 5.8, "C1", "C2"))
  expect_identical(risk$method, "grid")
  expect_within(risk$total, 0.290391408, 4e-9)
  expect_within(risk$irreducible, 0.224854915, 4e-9)
  expect_within(risk$reducible, 0.065536493, 1e-8)
  # Left of x-hat C2 is lost (0.2), right of it C1.
  expect_within(risk$table[["C2", "C1"]], 0.2, 1e-12)
  expect_within(risk$table[["C1", "C2"]], 0.090391408, 1e-8)
  expect_within(risk$table[["C2", "C1"]] - risk$reducible, 0.134463507, 1e-8)
})

test_that("tables: the joint rule errs in 1/10, the naive one decides the same", {
  risk <- bayes_risk(mooney_joint(), rule = mooney_naive())
  expect_within(risk$irreducible, 0.1, 1e-14)
  expect_within(risk$total, 0.1, 1e-14)
  expect_within(risk$reducible, 0, 1e-15, scale = 1)
  expect_within(bayes_risk(mooney_joint(), rule = "prior")$total, 0.25, 1e-15)
  bags <- bayes_known(
    prior = c(positive = 0.5, negative = 0.5),
    size = rbind(positive = c(small = 0.4, medium = 0.1, large = 0.5), negative = c(0.4, 0.2, 0.4)),
    colour = rbind(positive = c(red = 0.9, blue = 0.05, green = 0.05), negative = c(0.3, 0.3, 0.4)),
    shape = rbind(positive = c(square = 0.05, triangle = 0.05, circle = 0.9),
                  negative = c(0.4, 0.3, 0.3))
  )
  expect_within(bayes_risk(bags)$total, 0.14, 1e-14)
})

test_that("basketball: the rule by height", {
  height <- bayes_known(
    c(NBA = 0.1, R = 0.9),
    height = rbind(NBA = c(tall = 0.85, short = 0.15), R = c(0.1, 0.9))
  )
  # Below the break-even prior of 2/19 nobody is called a player.
  expect_within(bayes_risk(height)$total, 0.1, 1e-15)
  by_height <- function(x) factor(ifelse(x$height == "tall", "NBA", "R"))
  expect_within(bayes_risk(height, rule = by_height)$total, 0.1 * 0.15 + 0.9 * 0.1, 1e-15)
  expect_within(bayes_risk(height, prior = c(NBA = 2 / 19, R = 17 / 19))$total,
                bayes_risk(height, prior = c(NBA = 2 / 19, R = 17 / 19), rule = by_height)$total,
                1e-14)
})

test_that("categories and a number: cell by cell, against a sum over a grid", {
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, mixed())
  cost <- as_cost_matrix(
    matrix(c(0, 2, 0.7, 5, 0, 1.1), 3, dimnames = list(c("A", "B", "ask"), c("a", "b"))),
    rows = "decision"
  )
  least <- 0
  for (g in c("u", "v")) {
    x <- seq(-25, 40, length.out = 2e5)
    joint <- exp(predict(model, data.frame(x = x, g = g), type = "log_joint"))
    expected <- joint %*% t(unclass(cost))
    least <- least + sum(do.call(pmin, asplit(expected, 2L))) * (x[[2L]] - x[[1L]])
  }
  risk <- bayes_risk(model, cost)
  expect_within(risk$total, least, 1e-6)
  by_grid <- bayes_risk(model, cost, rule = function(data) predict(model, data, cost = cost))
  expect_within(by_grid$total, risk$total, 1e-11)
  expect_identical(bayes_risk(model, cost, threads = 2), risk)
})

test_that("the best rule is the best: for random worlds and rules", {
  skip_on_cran()
  set.seed(21)
  for (i in 1:25) {
    world <- random_line()
    other <- world$model
    other$parameters$prior <- rev(other$parameters$prior)
    risk <- bayes_risk(world$model, world$cost, rule = other)
    expect_gte(risk$reducible, 0)
    expect_lte(risk$irreducible, bayes_risk(world$model, world$cost, rule = "prior")$total + 1e-12)
    expect_within(sum(risk$table), 1, 1e-12)
    expect_within(rowSums(risk$table), world$model$parameters$prior, 1e-12)
    expect_within(sum(risk$table * t(unclass(risk$cost))), risk$total, 1e-12)
    range <- world$centre + world$scale * c(-60, 60)
    expect_within(
      risk$irreducible, sum_over_grid(world$model, world$cost, range[[1L]], range[[2L]]), 1e-4
    )
  }
})

test_that("a rule is aligned by names: classes, levels and features in any order", {
  world <- bayes_known(
    c(p = 0.3, q = 0.7), g = rbind(p = c(u = 0.5, v = 0.3, w = 0.2), q = c(0.1, 0.2, 0.7)),
    x = likelihood_gaussian(mean = c(p = 0, q = 1), sd = 1)
  )
  turned <- bayes_known(
    c(q = 0.7, p = 0.3), x = likelihood_gaussian(mean = c(p = 0, q = 1), sd = 1),
    g = rbind(p = c(w = 0.2, v = 0.3, u = 0.5), q = c(0.7, 0.2, 0.1))
  )
  cost <- cost_matrix(one = c(p = 0, q = 3), two = c(q = 0.5, p = 1))
  risk <- bayes_risk(world, cost, rule = turned)
  expect_within(risk$total, risk$irreducible, 1e-14)
  expect_within(risk$believed, risk$irreducible, 1e-14)
  # A level that the rule does not know, a feature that it lacks: it goes on without.
  smaller <- bayes_known(
    c(p = 0.3, q = 0.7), g = rbind(p = c(u = 0.7, v = 0.3), q = c(0.4, 0.6))
  )
  table <- bayes_risk(world, cost, rule = smaller)$table
  by_hand <- function(g, log_odds) rep(if (log_odds > log(5 / 2)) "one" else "two", length(g))
  expect_within(
    bayes_risk(world, cost, rule = function(data) {
      newdata <- data.frame(g = factor(data$g, levels = c("u", "v")))
      as.character(predict(smaller, newdata, cost = cost))
    })$table, table, 1e-12, scale = 1
  )
})

test_that("infinite costs: never NaN", {
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0))
  expect_within(bayes_risk(ocr(), cost)$total, 0.75, 1e-15)
  risk <- bayes_risk(ocr(), cost, rule = function(x) rep("a", nrow(x)))
  expect_identical(unlist(risk[c("total", "reducible")]), c(total = Inf, reducible = Inf))
  all <- cost_matrix(a = Inf, b = Inf)
  expect_identical(
    unlist(bayes_risk(ocr(), all, rule = "prior")[1:3]),
    c(total = Inf, irreducible = Inf, reducible = 0)
  )
  expect_identical(bayes_risk(ocr(), cost, c(a = 1, b = 0))$total, 0)
})

test_that("one class, no feature, a class without rows", {
  one <- one_class(fit(bayes_naive(), y ~ x, data.frame(y = factor("a"), x = 1:3)))
  expect_identical(bayes_risk(one)$total, 0)
  nothing <- fit(bayes_naive(), Species ~ 1, iris)
  expect_within(bayes_risk(nothing)$total, 2 / 3, 1e-15)
  empty <- data.frame(y = factor(rep(c("a", "b"), each = 4), c("a", "none", "b")), x = 1:8)
  model <- suppressMessages(fit(bayes_naive(), y ~ x, empty))
  expect_identical(unname(bayes_risk(model)$table["none", ]), c(0, 0, 0))
  expect_identical(dim(bayes_risk(model, rule = "likelihood")$table), c(3L, 3L))
})

test_that("what does not fit is said", {
  world <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  other <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  classes <- fit(bayes_naive(), am ~ hp, mtcars)
  category <- iris
  category$Sepal.Length <- cut(iris$Sepal.Length, 3)
  category <- fit(bayes_naive(), Species ~ Sepal.Length, category)
  names(mtcars)[4] <- "Sepal.Length"
  cars <- fit(bayes_naive(), am ~ Sepal.Length, mtcars)
  expect_refusals(
    "rule & object & Petal.Length" = bayes_risk(world, rule = other),
    "rule & object & setosa & versicolor & virginica" = bayes_risk(world, rule = cars),
    "rule & object & Sepal.Length" = bayes_risk(world, rule = category),
    "rule & prior & likelihood & posterior" = bayes_risk(world, rule = "posterior"),
    "method & exact & grid & quadrature & monte_carlo" = bayes_risk(world, method = "guess"),
    "method & grid & exact & monte_carlo" = bayes_risk(world, method = "grid"),
    "tolerance & -1" = bayes_risk(world, tolerance = -1),
    "seed & a" = bayes_risk(world, seed = "a")
  )
  expect_error(bayes_risk(), class = "bayesrisk_error_argument")
})

test_that("any argument gives a risk or an error that is meant", {
  is_risk <- function(x) inherits(x, "bayesrisk_risk")
  for (arg in c("object", "cost", "prior", "rule", "method", "tolerance", "seed", "threads")) {
    expect_fuzz_proof(bayes_risk, arg, list(object = ocr()), is_risk)
  }
})

wrong_model <- function() {
  bayes_known(
    prior = c(a = 0.5, b = 0.5), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 6)
  )
}

asymmetric <- function() {
  cost_matrix(a = c(a = 0, b = 10), b = c(a = 1, b = 0), ask = 0.5)
}

test_that("a risk prints as sentences and a table", {
  expect_snapshot({
    bayes_risk(ocr(), asymmetric(), rule = wrong_model())
    summary(bayes_risk(ocr(), asymmetric(), prior = c(1, 0)))
  })
})

test_that("digits are those that are asked for", {
  expect_match(format(bayes_risk(ocr()), digits = 3), "0.0864 ", fixed = TRUE)
  capture.output(expect_identical(print(bayes_risk(ocr())), bayes_risk(ocr())))
})

test_that("a row for each truth and decision, a row with the numbers", {
  risk <- bayes_risk(ocr(), asymmetric(), rule = wrong_model())
  rows <- as.data.frame(risk)
  expect_named(rows, c("truth", "decision", "probability", "cost", "share"))
  expect_identical(nrow(rows), 6L)
  cell <- rows[rows$truth == "b" & rows$decision == "a", ]
  expect_identical(cell$cost, 10)
  expect_identical(cell$probability, risk$table[["b", "a"]])
  expect_within(sum(rows$share), risk$total, 1e-15)
  expect_identical(generics::tidy(risk), rows)
  one <- generics::glance(risk)
  expect_named(
    one, c("total", "irreducible", "reducible", "believed", "accuracy", "method")
  )
  expect_identical(one$total, risk$total)
  expect_identical(generics::glance(bayes_risk(ocr()))$believed, NA_real_)
  expect_bayesrisk_error(generics::glance(risk, 1), "argument", "not used")
})

test_that("an infinite cost that is never met has no share", {
  cost <- cost_matrix(a = c(a = 0, b = Inf), b = c(a = 1, b = 0))
  rows <- as.data.frame(bayes_risk(ocr(), cost))
  expect_identical(rows$share, c(0, 0, 0.75, 0))
})
