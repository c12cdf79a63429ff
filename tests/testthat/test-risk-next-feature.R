take_or_leave <- function() {
  cost_matrix(take = c(positive = 0, negative = 4), leave = c(positive = 2, negative = 0))
}

# The mean over a feature of the smallest expected cost, from predict() alone: between
# the changes of the decision, which bisection finds, the integrand is smooth.
integrated_cost <- function(model, case, feature, cost, range) {
  with_value <- function(x) {
    cases <- case[rep(1L, length(x)), , drop = FALSE]
    cases[[feature]] <- x
    cases
  }
  decide <- function(x) as.integer(predict(model, with_value(x), cost = cost))
  grid <- seq(range[[1L]], range[[2L]], length.out = 4001L)
  at <- which(diff(decide(grid)) != 0L)
  cuts <- vapply(at, function(i) {
    low <- grid[[i]]
    high <- grid[[i + 1L]]
    left <- decide(low)
    for (step in 1:60) {
      middle <- (low + high) / 2
      if (decide(middle) == left) low <- middle else high <- middle
    }
    high
  }, 1)
  evidence <- predict(model, case, type = "log_evidence")
  integrand <- function(x) {
    cases <- with_value(x)
    least <- apply(predict(model, cases, type = "cost", cost = cost), 1L, min)
    least * exp(predict(model, cases, type = "log_evidence") - evidence)
  }
  edges <- unique(sort(c(range, cuts, seq(range[[1L]], range[[2L]], length.out = 21L))))
  sum(vapply(seq_along(edges)[-1L], function(i) {
    stats::integrate(integrand, edges[[i - 1L]], edges[[i]], rel.tol = 1e-12,
                     abs.tol = 0)$value
  }, 1))
}

test_that("the medium red thing of unknown shape, by hand", {
  case <- data.frame(size = "medium", colour = "red", shape = NA)
  step <- next_feature(shapes_model(), case, take_or_leave(), price = 0.1)
  expect_s3_class(step, "bayesrisk_next_feature")
  expect_named(
    step, c("row", "feature", "cost_now", "cost_after", "price", "saving", "best")
  )
  # Scores .5 * .1 * .9 = .045 and .5 * .2 * .3 = .03: posterior 3/5 and 2/5.
  now <- min(4 * 2 / 5, 2 * 3 / 5)
  shape <- rbind(positive = c(.05, .05, .9), negative = c(.4, .3, .3)) * c(3, 2) / 5
  after <- sum(pmin(4 * shape["negative", ], 2 * shape["positive", ]))
  expect_within(step$cost_now, now, 1e-14)
  expect_within(step$cost_after, after, 1e-14)
  expect_within(step$saving, now - after - 0.1, 1e-14)
  expect_true(step$best)
})

test_that("several cases and features: enumerated", {
  model <- shapes_model()
  cases <- data.frame(
    size = c("medium", NA, NA), colour = c("red", "red", NA), shape = c(NA, NA, NA_character_)
  )
  steps <- next_feature(model, cases, take_or_leave())
  expect_identical(steps$row, c(1L, 2L, 2L, 3L, 3L, 3L))
  expect_identical(steps$feature, c("shape", "size", "shape", "size", "colour", "shape"))
  by_hand <- vapply(seq_len(nrow(steps)), function(i) {
    case <- cases[steps$row[[i]], ]
    levels <- model$schema$features[[steps$feature[[i]]]]$levels
    seen <- case[rep(1, 3), ]
    seen[[steps$feature[[i]]]] <- levels
    cost <- predict(model, seen, type = "cost", cost = take_or_leave())
    weight <- exp(predict(model, seen, type = "log_evidence") -
                    predict(model, case, type = "log_evidence"))
    sum(weight * apply(cost, 1, min))
  }, 1)
  expect_within(steps$cost_after, by_hand, 1e-13)
  expect_identical(tapply(steps$best, steps$row, sum), tapply(rep(1L, 3), 1:3, sum))
})

test_that("one number: the integral between exact cuts, alone and within a block", {
  cost <- iris_cost()
  naive <- fit(bayes_naive(), Species ~ ., iris)
  full <- fit(bayes_full(), Species ~ ., iris)
  case <- data.frame(Sepal.Length = 6.1, Sepal.Width = 2.9, Petal.Length = 4.9, Petal.Width = NA)
  for (model in list(naive, full)) {
    step <- next_feature(model, case, cost)
    expect_within(
      step$cost_after, integrated_cost(model, case, "Petal.Width", cost, c(-4, 7)), 1e-10
    )
    expect_within(
      step$cost_now, min(predict(model, case, type = "cost", cost = cost)), 1e-14
    )
    two <- transform(case, Sepal.Length = NA_real_)
    steps <- next_feature(model, two, cost)
    expect_within(
      steps$cost_after[[1]], integrated_cost(model, two, "Sepal.Length", cost, c(0, 12)), 1e-10
    )
  }
})

test_that("a mixture, a joint table, and kinds together", {
  model <- bayes_known(
    c(a = .3, b = .5, c = .2),
    x = likelihood_mixture(
      weights = list(a = c(.7, .3), b = 1, c = c(.5, .5)),
      mean = list(a = c(0, 6), b = 3, c = c(-2, 9)), sd = list(a = c(1, 2), b = 1.5, c = c(1, 1))
    ),
    fg = array(
      c(.1, .3, .2, .2, .1, .3, .4, .2, .1, .3, .4, .4), c(3, 2, 2),
      dimnames = list(c("a", "b", "c"), f = c("u", "v"), g = c("y", "z"))
    )
  )
  cost <- cost_matrix(one = c(a = 0, b = 3, c = 8), two = c(a = 4, b = 0, c = 1), ask = 1.1)
  case <- data.frame(x = NA_real_, f = "u", g = NA_character_)
  steps <- next_feature(model, case, cost)
  expect_identical(steps$feature, c("x", "g"))
  expect_within(
    steps$cost_after[[1]], integrated_cost(model, case, "x", cost, c(-14, 20)), 1e-10
  )
  prior <- predict(model, case, type = "prob")
  table <- rbind(a = c(.1, .4), b = c(.3, .2), c = c(.2, .1))
  table <- table / rowSums(table) * as.vector(prior)
  by_hand <- sum(apply(unclass(cost)[, c("a", "b", "c")] %*% table, 2, min))
  expect_within(steps$cost_after[[2]], by_hand, 1e-13)
})

test_that("nothing is saved where the decision cannot change, exactly", {
  dull <- bayes_known(c(a = .3, b = .7), f = rbind(a = c(u = .3, v = .7), b = c(.3, .7)))
  step <- next_feature(dull, cost = cost_matrix(go = c(a = 0, b = 3), stay = c(a = 5, b = 1)))
  expect_identical(step$saving, 0)
  expect_false(step$best)
  expect_identical(step$cost_after, step$cost_now)
  # And a saving far below the rounding of the cost keeps its digits.
  model <- bayes_known(
    c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1),
    f = rbind(a = c(u = 1 - 1e-12, v = 1e-12), b = c(.5, .5))
  )
  cost <- cost_matrix(one = c(a = 0, b = 1), two = c(a = 1, b = 0))
  tiny <- next_feature(model, data.frame(x = NA_real_, f = "v"), cost)
  # The cut in x: log(.5/1e-12) = -(x - 1/2) below which a is likelier.
  cut <- 0.5 - log(.5 / 1e-12)
  gained <- (1e-12 * pnorm(cut) - .5 * pnorm(cut - 1)) / (.5 + 1e-12)
  expect_gt(gained, 0)
  expect_within(tiny$saving, gained, 1e-10)
})

test_that("knowing more is never expected to cost more", {
  model <- fit(bayes_blocks(list(sepal = c("Sepal.Length", "Sepal.Width"))), Species ~ ., iris)
  cases <- iris[seq(1, 150, by = 7), 1:4]
  cases[cbind(seq_len(nrow(cases)), rep(1:4, length.out = nrow(cases)))] <- NA
  cases[5, ] <- NA
  steps <- next_feature(model, cases, iris_cost())
  expect_identical(nrow(steps), sum(is.na(cases)))
  expect_true(all(steps$saving >= 0))
  expect_true(all(steps$cost_after <= steps$cost_now))
  expect_true(all(tapply(steps$best, steps$row, sum) <= 1))
})

test_that("prices by feature, features that can be measured, ties to the first", {
  model <- shapes_model()
  price <- c(shape = 1, size = 0, colour = 0.2)
  steps <- next_feature(model, cost = take_or_leave(), price = price)
  expect_identical(steps$price, c(0, 0.2, 1))
  some <- next_feature(model, cost = take_or_leave(), features = c("shape", "colour"), price = 0.3)
  expect_identical(some$feature, c("colour", "shape"))
  twins <- bayes_known(
    c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1),
    y = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1)
  )
  expect_identical(next_feature(twins)$best, c(TRUE, FALSE))
  expect_identical(next_feature(twins, price = c(x = .1, y = .05))$best, c(FALSE, TRUE))
  expect_identical(next_feature(twins, price = 1)$best, c(FALSE, FALSE))
})

test_that("infinite costs: a feature may be what makes a decision possible", {
  sure <- bayes_known(c(a = .5, b = .5), f = rbind(a = c(u = 1, v = 0), b = c(0, 1)))
  both <- cost_matrix(one = c(a = 1, b = Inf), two = c(a = Inf, b = 2))
  step <- next_feature(sure, cost = both)
  expect_identical(c(step$cost_now, step$cost_after, step$saving), c(Inf, 1.5, Inf))
  blind <- next_feature(letters_model(), cost = both)
  expect_identical(c(blind$cost_now, blind$cost_after, blind$saving), c(Inf, Inf, 0))
  stop <- cost_matrix(go = c(a = 0, b = Inf), stop = c(a = 3, b = 5))
  expect_within(next_feature(sure, cost = stop)$cost_after, 0 * .5 + 5 * .5, 1e-15)
})

test_that("cases in full, without a posterior, with a level that is unknown", {
  full <- next_feature(shapes_model(), data.frame(size = "small", colour = "red", shape = "circle"))
  expect_identical(nrow(full), 0L)
  expect_output(print(full), "row 1: decide now \\(nothing is left to measure\\)")
  both <- bayes_known(
    c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1),
    y = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1)
  )
  expect_warning(
    steps <- next_feature(both, data.frame(x = c(Inf, 1), y = NA_real_)),
    class = "bayesrisk_warning_infinite"
  )
  expect_identical(is.na(steps$saving), c(TRUE, FALSE))
  expect_false(steps$best[[1]])
  expect_warning(
    steps <- next_feature(shapes_model(), data.frame(size = "tiny", colour = NA, shape = NA)),
    class = "bayesrisk_warning_unknown_level"
  )
  expect_identical(steps$feature, c("colour", "shape"))
  expect_identical(nrow(next_feature(shapes_model(), NULL, features = "size")), 1L)
})

test_that("costs by case: as each case with its own", {
  cases <- data.frame(
    size = c("medium", NA, "small"), colour = "red", shape = NA_character_, sum = c(1, 4, NA)
  )
  by_sum <- cost_matrix(take = list(positive = 0, negative = ~ sum),
                        leave = c(positive = 2, negative = 0))
  expect_warning(
    steps <- next_feature(shapes_model(), cases, by_sum), class = "bayesrisk_warning_unpriced"
  )
  for (i in 1:2) {
    fixed <- cost_matrix(take = c(positive = 0, negative = cases$sum[[i]]),
                         leave = c(positive = 2, negative = 0))
    alone <- next_feature(shapes_model(), cases[i, ], fixed)
    expect_identical(steps$saving[steps$row == i], alone$saving)
    expect_identical(steps$cost_after[steps$row == i], alone$cost_after)
  }
  expect_true(is.na(steps$cost_now[steps$row == 3]))
  expect_output(print(steps), "row 3: no posterior, or no cost")
  # Unless it is the cost of what cannot be true; a single case is as many.
  expect_warning(next_feature(shapes_model(), cases[3, ], by_sum),
                 class = "bayesrisk_warning_unpriced")
  sure <- next_feature(shapes_model(), cases, by_sum, prior = c(positive = 1, negative = 0))
  expect_identical(sure$cost_now, numeric(nrow(sure)))
})

test_that("data at a large offset keep their digits", {
  shifted <- function(by) {
    bayes_known(
      c(a = .4, b = .6), x = likelihood_gaussian(mean = c(a = 0, b = 1) + by, sd = c(a = 1, b = 2))
    )
  }
  cost <- cost_matrix(one = c(a = 0, b = 3), two = c(a = 4, b = 0), ask = 1.1)
  after <- function(by) next_feature(shifted(by), cost = cost)$cost_after
  expect_within(after(2^30), after(0), 1e-13)
})

test_that("printed, it says for each case what to do", {
  cases <- data.frame(
    size = c("medium", NA, "small", "small"), colour = c("red", "red", NA, "red"),
    shape = c(NA, NA, "square", "circle")
  )
  steps <- next_feature(shapes_model(), cases, take_or_leave(), price = 0.1)
  many <- next_feature(shapes_model(), cases[rep(1, 20), ], take_or_leave())
  expect_snapshot(steps)
  expect_output(print(many), "row 12 \\(1.11\\): measure .*and 8 more cases")
  expect_output(print(next_feature(shapes_model(), cases[0, ])), "^<next feature of 0 cases>$")
})

test_that("a case is named beside its row number if the data name it", {
  cases <- data.frame(
    size = c("medium", "small"), colour = "red", shape = c(NA, "circle"),
    row.names = c("bag", "shoe")
  )
  steps <- next_feature(shapes_model(), cases, take_or_leave(), price = 0.1)
  expect_identical(steps$case, "bag")
  expect_identical(sub(":.*", "", format(steps)), c("row 1 (bag)", "row 2 (shoe)"))
  expect_identical(as.data.frame(steps)$row, 1L)
  # Row names that are the row numbers are no names.
  expect_null(next_feature(shapes_model(), cases[0, ], take_or_leave())$case)
  rownames(cases) <- NULL
  expect_null(next_feature(shapes_model(), cases[1, ], take_or_leave())$case)
})

test_that("every odd argument is read or refused by design", {
  fixed <- list(object = letters_model(), newdata = data.frame(pixels = NA_real_))
  is_steps <- function(x) inherits(x, "bayesrisk_next_feature")
  for (arg in c("cost", "price", "features", "prior", "threads")) {
    expect_fuzz_proof(next_feature, arg, fixed, is_steps)
  }
  expect_fuzz_proof(next_feature, "object", fixed, is_steps, "bayesrisk_error")
  expect_fuzz_proof(next_feature, "newdata", fixed, is_steps, "bayesrisk_error_schema")
  fixed$newdata$sum <- 2
  fixed$cost <- cost_matrix(a = list(a = 0, b = ~ sum), b = c(a = 1, b = 0))
  expect_fuzz_proof(next_feature, "newdata", fixed, is_steps, "bayesrisk_error")
  expect_fuzz_proof(next_feature, "prior", fixed, is_steps)
  expect_bayesrisk_error(next_feature(shapes_model(), price = c(size = 1)), "argument", "no price")
  expect_bayesrisk_error(next_feature(shapes_model(), price = c(1, 2)), "argument", "named")
  expect_bayesrisk_error(next_feature(shapes_model(), price = c(sise = 1)), "argument", "sise")
})
