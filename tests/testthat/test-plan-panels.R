# Two classes whose normals share their covariance, `distance` apart: all that a panel says is the
# number along the discriminant.
discriminant_model <- function(distance, more = list()) {
  covariance <- rbind(c(2, 0.6), c(0.6, 1))
  along <- solve(covariance, c(1, -1))
  apart <- c(1, -1) * distance / sqrt(sum(along * c(1, -1)))
  means <- rbind(ill = c(a = 5, b = 1) + apart, well = c(5, 1))
  do.call(bayes_known, c(list(
    prior = c(ill = 0.3, well = 0.7),
    lab = likelihood_gaussian(mean = means, covariance = covariance)
  ), more))
}
panel_cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 10, well = 0), refer = 1.5)

test_that("a panel of normals with one covariance is a number along the discriminant", {
  second <- list(x = likelihood_gaussian(mean = c(ill = 0, well = 1), sd = 1))
  panel <- discriminant_model(1.7, second)
  number <- do.call(bayes_known, c(list(
    prior = c(ill = 0.3, well = 0.7), z = likelihood_gaussian(mean = c(ill = 1.7, well = 0), sd = 1)
  ), second))
  plan <- test_plan(panel, panel_cost, price = c(lab = 0.1, x = 0.15), tolerance = 1e-4)
  same <- test_plan(number, panel_cost, price = c(z = 0.1, x = 0.15), tolerance = 1e-4)
  expect_lte(plan$value - plan$lower, 1e-4 * plan$now)
  expect_within(plan$value, same$value, 2e-4 * plan$now)
  expect_within(plan$all, same$all, 1e-8)
  expect_true(plan$lower <= same$value && same$lower <= plan$value)
  expect_identical(plan$tests$features[plan$tests$test == "lab"], list(c("a", "b")))
})

test_that("the answers of a panel are probabilities of a class", {
  plan <- test_plan(discriminant_model(1.7), panel_cost, price = 0.1)
  tree <- plan$tree
  expect_identical(tree$feature[[1L]], "a, b")
  # Where treat, refer and wait cost the same: 4 (1 - p) = 1.5 and 10 p = 1.5 of p = P(ill).
  expect_within(tree$to[2:3], 1 - c(0.625, 0.15), 1e-10)
  expect_identical(tree$class[2:4], rep("well", 3))
  expect_match(tree$answer[[2]], "P(well) < 0.375", fixed = TRUE)
  expect_within(plan$value, bayes_risk(discriminant_model(1.7), panel_cost)$total + 0.1, 1e-8)
  expect_within(plan$value, plan$all, 1e-8)
  rows <- tidy(plan)
  expect_match(rows$path[[2]], "lab: P(well) < 0.375", fixed = TRUE)
  expect_identical(rows$class[2:4], rep("well", 3))
})

test_that("what is known of a block changes its panel", {
  covariance <- diag(c(1, 2, 1.5)) + 0.4
  means <- rbind(ill = c(a = 1, b = 0, c = 2), well = c(0, 1, 0))
  model <- bayes_known(
    prior = c(ill = 0.3, well = 0.7),
    lab = likelihood_gaussian(mean = means, covariance = covariance)
  )
  plan <- test_plan(model, panel_cost, price = 0.1, given = list(a = 0.2))
  expect_identical(plan$tests$features, list(c("b", "c")))
  # The discriminant of b and c given a: of normals with this distance, by their own formula.
  rest <- covariance[2:3, 2:3] - tcrossprod(covariance[2:3, 1]) / covariance[1, 1]
  apart <- (means[1, 2:3] - means[2, 2:3]) - covariance[2:3, 1] / covariance[1, 1]
  number <- bayes_known(
    prior = stats::setNames(plan$prior, c("ill", "well")),
    z = likelihood_gaussian(
      mean = c(ill = sqrt(sum(apart * solve(rest, apart))), well = 0), sd = 1
    )
  )
  expect_within(plan$value, bayes_risk(number, panel_cost)$total + 0.1, 1e-8)
})

test_that("cases that follow a tree with panels cost what it says", {
  skip_on_cran()
  skip_if_not_installed("MASS")
  cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)
  spec <- bayes_blocks(list(blood = c("glu", "bp"), body = c("bmi", "skin")))
  model <- fit(spec, type ~ glu + bp + bmi + skin + age, MASS::Pima.tr)
  price <- c(blood = 0.15, body = 0.05, age = 0.02)
  plan <- test_plan(model, cost, price)
  expect_lte(plan$value - plan$lower, 1e-3 * plan$now)
  drawn <- simulate(model, 4000, seed = 3)
  found <- assess_plan(plan, drawn)
  se <- 3 * stats::sd(as.matrix(cost)[cbind(
    as.character(decide(model, drawn, cost)$decision), as.character(drawn$type)
  )]) / sqrt(4000)
  expect_lte(abs(found$cost[[1]] - plan$value), se)
  expect_lte(abs(found$cost[found$rule == "all"] - plan$all), se)
  # predict() leads each case to the same end.
  some <- drawn[1:100, ]
  known <- some[names(model$schema$features)]
  known[] <- NA_real_
  paid <- numeric(100)
  repeat {
    step <- predict(plan, known)
    open <- which(!is.na(step$test))
    if (!length(open)) break
    for (i in open) {
      at <- plan$tests$features[[match(step$test[[i]], plan$tests$test)]]
      known[i, at] <- some[i, at]
      paid[[i]] <- paid[[i]] + price[[step$test[[i]]]]
    }
  }
  paid <- paid + as.matrix(cost)[cbind(step$action, as.character(some$type))]
  expect_within(assess_plan(plan, some, interval = "none")$cost[[1]], mean(paid), 0.02)
})

test_that("a panel is paid for if its first feature says nothing", {
  p <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
  model <- bayes_known(
    prior = c(ill = 0.3, well = 0.7), f1 = rbind(ill = c(a = 1, b = 0), well = c(1, 0)), f2 = p
  )
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  both <- test_plan(model, cost, c(both = 0.2), panels = list(both = c("f1", "f2")))
  alone <- test_plan(model, cost, c(f2 = 0.2), features = "f2")
  expect_within(c(both$value, both$lower, both$tree$cost[[1]]), rep(alone$value, 3), 1e-12)
  near <- bayes_known(
    prior = c(ill = 0.3, well = 0.7),
    x = likelihood_gaussian(mean = c(ill = 1e-6, well = 0), sd = 1),
    z = likelihood_gaussian(mean = c(ill = 2, well = 0), sd = 1)
  )
  both <- test_plan(near, cost, c(both = 0.2), panels = list(both = c("x", "z")))
  alone <- test_plan(near, cost, c(z = 0.2), features = "z")
  expect_within(both$value, alone$value, 2e-3 * alone$now)
  expect_lte(both$lower, alone$value + 1e-6)
  expect_within(both$tree$cost[[1]], both$value + both$loss, 1e-12)
})

test_that("a tempered panel has the normal of its power", {
  skip_if_not_installed("MASS")
  model <- fit(bayes_full(), type ~ bmi + skin, MASS::Pima.tr)
  cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)
  tempered <- model
  tempered <- suppressMessages(temper(fit(bayes_full(), type ~ bmi + skin, MASS::Pima.tr),
                                      MASS::Pima.tr))
  power <- coef(tempered)$temper$power[[1L]]
  plan <- test_plan(tempered, cost, price = 0.01)
  wide <- coef(model)
  by_class <- split(MASS::Pima.tr[c("bmi", "skin")], MASS::Pima.tr$type)
  known <- bayes_known(
    prior = plan$prior,
    block = likelihood_gaussian(
      mean = do.call(rbind, lapply(by_class, colMeans)),
      covariance = lapply(by_class, function(x) stats::cov(x) / power)
    )
  )
  expect_within(plan$value, test_plan(known, cost, price = 0.01)$value, 1e-8)
})

test_that("members of a block that are not tested are not known", {
  skip_if_not_installed("MASS")
  cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)
  data <- MASS::Pima.tr
  model <- fit(bayes_full(), type ~ glu + bmi + age, data)
  plan <- test_plan(model, cost, 0.1, features = c("glu", "bmi"))
  found <- assess_plan(plan, data, interval = "none")
  data$age <- NA_real_
  expect_identical(assess_plan(plan, data, interval = "none"), found)
  decided <- decide(model, data, cost)
  paid <- as.matrix(cost)[cbind(as.character(decided$decision), as.character(data$type))]
  expect_within(found$cost[found$rule == "all"], mean(paid) + 0.1, 1e-12)
})

iris_cost <- cost_matrix(
  setosa = c(setosa = 0, versicolor = 4, virginica = 6),
  versicolor = c(setosa = 5, versicolor = 0, virginica = 3),
  virginica = c(setosa = 9, versicolor = 2, virginica = 0)
)

test_that("panels of three classes are known by draws, with a standard error", {
  skip_on_cran()
  specs <- list(
    bayes_full(), bayes_full(covariance = "pooled"), bayes_full(joint = likelihood_mixture(2))
  )
  for (spec in specs) {
    model <- fit(spec, Species ~ Sepal.Length + Sepal.Width, iris)
    plan <- test_plan(model, iris_cost, price = 0.05)
    expect_false(plan$exact)
    expect_true(plan$error > 0 && plan$error < 0.002)
    # `all` has errors of its own, of 1e-3 of the cost now.
    expect_lte(abs(plan$value - plan$all), 4 * plan$error + 1e-3 * plan$now)
    expect_lte(plan$lower, plan$value + 1e-12)
  }
  dear <- test_plan(model, iris_cost, price = 5)
  expect_identical(nrow(dear$tree), 1L)
  expect_within(dear$value, dear$now, 1e-12)
})

test_that("the cost of a panel of three classes is that by quadrature", {
  skip_on_cran()
  withr::local_seed(3)
  classes <- c("a", "b", "c")
  at <- as.matrix(expand.grid(x = seq(-9, 11, 0.05), y = seq(-9, 11, 0.05)))
  off <- vapply(1:8, function(i) {
    means <- matrix(stats::rnorm(6, 0, 1.3), 3, dimnames = list(classes, c("x", "y")))
    covariance <- lapply(stats::setNames(nm = classes), function(k) {
      crossprod(matrix(stats::rnorm(6), 3)) / 3 + diag(0.3, 2)
    })
    prior <- stats::setNames(c(0.2, 0.3, 0.5), classes)
    costs <- matrix(stats::runif(9, 1, 5), 3, dimnames = list(paste("do", classes), classes))
    diag(costs) <- 0
    model <- bayes_known(
      prior = prior, block = likelihood_gaussian(mean = means, covariance = covariance)
    )
    plan <- test_plan(model, cost_of_matrix(costs, classes), price = 0)
    weight <- vapply(classes, function(k) {
      prior[[k]] * exp(log_normal(at, means[k, ], covariance[[k]])) / (2 * pi) * 0.05^2
    }, numeric(nrow(at)))
    truth <- sum(do.call(pmin, as.data.frame(weight %*% t(costs))))
    c(plan$value - truth, plan$error, plan$now)
  }, numeric(3))
  expect_true(all(abs(off[1, ]) < 4 * off[2, ] + 2e-4 * off[3, ]))
})

test_that("limits of a tree of draws are its loss, not the value", {
  skip_on_cran()
  spec <- bayes_blocks(list(sepal = c("Sepal.Length", "Sepal.Width")))
  model <- fit(spec, Species ~ Sepal.Length + Sepal.Width + Petal.Width, iris)
  plan <- test_plan(model, iris_cost, price = 0.05)
  cut <- test_plan(model, iris_cost, price = 0.05, max_depth = 1)
  expect_identical(cut$value, plan$value)
  expect_gt(cut$loss, 0.01)
  expect_within(cut$tree$cost[[1]], cut$value + cut$loss, 1e-12)
  expect_output(print(plan), "about [0-9.]+ above")
  # Cases that follow the rule cost what the tree says.
  drawn <- simulate(model, 4000, seed = 2)
  found <- assess_plan(plan, drawn, interval = "none")
  expect_lte(abs(found$cost[[1]] - plan$value), 0.05)
})

test_that("panels that cannot be measured are named", {
  model <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width + Sepal.Width, iris)
  bad <- function(...) {
    conditionMessage(expect_error(test_plan(model, NULL, ...), class = "bayesrisk_error_argument"))
  }
  expect_match(bad(c(Petal.Length = 1, numeric = 1)), "numeric")
  some <- list(both = c("Petal.Length", "Petal.Width"))
  expect_match(bad(c(both = 1), panels = some), "only some")
  plan <- test_plan(model, NULL, price = 0.01)
  some <- data.frame(Petal.Length = 4.9, Petal.Width = NA_real_, Sepal.Width = NA_real_)
  expect_error(predict(plan, some), "at once", class = "bayesrisk_error_argument")
  histogram <- fit(
    bayes_full(joint = likelihood_histogram()), Species ~ Petal.Length + Petal.Width, iris
  )
  expect_error(test_plan(histogram, NULL, 1), "joint histogram", class = "bayesrisk_error_argument")
})
