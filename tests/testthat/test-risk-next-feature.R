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
  skip_on_cran()
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

test_that("every odd argument of next_feature() is read or refused by design", {
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

two_tests <- function() {
  test <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(pos = 0.2, neg = 0.8))
  bayes_known(prior = c(ill = 0.1, well = 0.9), a = test, b = test)
}

test_that("two tests may pay where neither does alone, and the sentence says so", {
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  steps <- next_feature(two_tests(), cost = cost, price = 0.1)
  expect_false(any(steps$best))
  # Both positive: treat. Ill with one or no positive answer are missed.
  after <- 0.9 * 0.2^2 * 4 + 0.1 * (1 - 0.9^2) * 8
  tidied <- tidy(steps)
  expect_equal(tidied$cost_all, rep(after, 2), tolerance = 1e-13)
  expect_identical(tidied$price_all, c(0.2, 0.2))
  expect_match(format(steps), "measure several .none alone.*all 2: cost 0.8 now, 0.296 after")
  dear <- next_feature(two_tests(), cost = cost, price = 0.26)
  expect_match(format(dear), "decide now .none alone pays, nor do all together")
  # With an answer: one test is left, whose cost is that of measuring all.
  known <- next_feature(two_tests(), data.frame(a = c("pos", "neg"), b = NA), cost, price = 0.1)
  expect_equal(tidy(known)$cost_all, known$cost_after, tolerance = 1e-13)
  # Costs by case are those of the case.
  by_case <- cost_matrix(treat = list(ill = 0, well = ~ dear), wait = c(ill = 8, well = 0))
  cases <- data.frame(a = NA, b = NA, dear = c(4, 2))
  found <- tidy(next_feature(two_tests(), cases, by_case, price = 0.1))
  half <- cost_matrix(treat = c(ill = 0, well = 2), wait = c(ill = 8, well = 0))
  expect_equal(found$cost_all[[1]], after, tolerance = 1e-13)
  expect_equal(found$cost_all[[3]], bayes_risk(two_tests(), half)$total, tolerance = 1e-13)
})

test_that("the cost after all features is that of simulated cases; a block that is split is open", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  case <- data.frame(Sepal.Length = 6, Sepal.Width = 3, Petal.Length = NA, Petal.Width = NA)
  found <- tidy(next_feature(model, case))
  drawn <- simulate(model, 4e4, seed = 1)
  # The classes are drawn with equal priors, and count as the case has them.
  weight <- 3 * predict(model, case, type = "prob")[1L, drawn$Species]
  cost <- weight * decide(model, transform(drawn, Sepal.Length = 6, Sepal.Width = 3))$cost
  expect_lt(abs(mean(cost) - found$cost_all[[1]]), 4 * stats::sd(cost) / 200)
  joint <- fit(bayes_full(), Species ~ ., iris)
  steps <- next_feature(joint, case, price = 1)
  expect_identical(tidy(steps)$cost_all, c(NA_real_, NA_real_))
  expect_match(format(steps), "decide now, or measure several")
  none <- next_feature(joint, price = 1)
  expect_equal(tidy(none)$cost_all[[1]], bayes_risk(joint)$total, tolerance = 1e-12)
})

test_that("what is outside of a set is not seen", {
  of <- function(a, b) likelihood_gaussian(mean = c(ill = a, well = b), sd = 1)
  prior <- c(ill = 0.3, well = 0.7)
  three <- bayes_known(prior, a = of(1, 0), b = of(1, 0), c = of(3, 0))
  two <- bayes_known(prior, a = of(1, 0), b = of(1, 0))
  risk <- function(set) {
    value_of_information(three, features = list(set), all = FALSE)$risk[[2]]
  }
  expect_equal(risk(c("a", "b")), bayes_risk(two)$total, tolerance = 1e-6)
  # Sums of two normals whose means are 2 apart: a normal with twice the variance.
  sum_of_two <- bayes_known(
    prior, s = likelihood_gaussian(mean = c(ill = 2, well = 0), sd = sqrt(2))
  )
  expect_equal(risk(c("a", "b")), bayes_risk(sum_of_two)$total, tolerance = 1e-6)
  case <- data.frame(a = NA_real_, b = NA_real_, c = 1.2)
  found <- tidy(next_feature(three, case, price = 0.05))
  p <- predict(three, case, type = "prob")[1, ]
  expect_equal(found$cost_all[[1]], bayes_risk(two, prior = p)$total, tolerance = 1e-6)
  counts <- bayes_known(
    prior, a = of(1, 0), n = likelihood_poisson(rate = c(ill = 3, well = 2)),
    m = likelihood_poisson(rate = c(ill = 9, well = 2))
  )
  pair <- bayes_known(prior, a = of(1, 0), n = likelihood_poisson(rate = c(ill = 3, well = 2)))
  found <- value_of_information(counts, features = list(c("a", "n")), all = FALSE)$risk[[2]]
  expect_equal(found, bayes_risk(pair)$total, tolerance = 1e-3)
})

test_that("a test that cannot decide alone saves exactly nothing", {
  test <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
  two <- bayes_known(c(ill = 0.1, well = 0.9), t1 = test, t2 = test)
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  steps <- next_feature(two, NULL, cost)
  expect_identical(as.data.frame(steps)$saving, c(0, 0))
  expect_match(format(steps), "measure several .*saves 0.504")
  expect_identical(value_of_information(two, cost)$value[2:3], c(0, 0))
})

test_that("an infinite cost that stays is no saving", {
  test <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
  two <- bayes_known(c(ill = 0.5, well = 0.5), t1 = test, t2 = test)
  cost <- cost_matrix(treat = c(ill = 0, well = Inf), wait = c(ill = Inf, well = 0))
  expect_match(format(next_feature(two, NULL, cost)), "decide now")
})

test_that("beside a bag of terms: the mean cost of predict() over each other feature", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size + from, data)
  cost <- cost_matrix(spam = c(spam = 0, ham = 4, list = 2), ham = c(spam = 1, ham = 0, list = 1),
                      list = c(spam = 2, ham = 3, list = 0))
  case <- transform(data[c(1, 5), ], size = NA_real_, from = NA_character_)
  case$words <- data$words[c(1, 5), ]
  steps <- as.data.frame(next_feature(model, case, cost))
  expect_identical(steps$feature, rep(c("size", "from"), 2L))
  for (i in 1:2) {
    decided <- decide(model, case[i, ], cost)
    expect_within(steps$cost_now[steps$row == i], rep(decided$cost, 2L), 1e-12)
    one <- case[i, ]
    after <- integrated_cost(model, one, "size", cost, c(-9, 9))
    expect_within(steps$cost_after[steps$row == i & steps$feature == "size"], after, 1e-9)
    levels <- model$schema$features$from$levels
    known <- one[rep(1L, length(levels)), ]
    known$from <- levels
    least <- apply(predict(model, known, type = "cost", cost = cost), 1L, min)
    share <- exp(predict(model, known, type = "log_evidence") -
                   predict(model, one, type = "log_evidence"))
    expect_within(
      steps$cost_after[steps$row == i & steps$feature == "from"], sum(least * share), 1e-12
    )
  }
  # All unknown features together: the risk of the model of the others, from the posterior.
  all <- tidy(next_feature(model, case, cost, price = 10))
  posterior <- predict(model, case, type = "prob")
  others <- fit(bayes_naive(), y ~ size + from, data)
  for (i in 1:2) {
    risk <- bayes_risk(others, cost, posterior[i, ])$total
    expect_within(all$cost_all[all$row == i], rep(risk, 2L), 1e-12)
  }
  expect_bayesrisk_error(
    next_feature(model, case, cost, features = "words"), "argument", "words is a bag of terms"
  )
  alone <- fit(bayes_text(), y ~ words, data)
  expect_bayesrisk_error(
    next_feature(alone, data, cost), "argument", "words is a bag of terms.*no other features"
  )
  expect_bayesrisk_error(next_feature(model, cost = cost), "argument", "newdata.*bag of terms")
})
