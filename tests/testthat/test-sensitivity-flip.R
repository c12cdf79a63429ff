press_or_leave <- function() {
  cost_matrix(
    press = c(setosa = 0, versicolor = 2, virginica = 9),
    dry = c(setosa = 1, versicolor = 0, virginica = 4),
    leave = c(setosa = 3, versicolor = 1, virginica = 0)
  )
}

with_value <- function(case, feature, values) {
  cases <- case[rep(1L, length(values)), , drop = FALSE]
  cases[[feature]] <- values
  cases
}

# The nearest change of predict() along a feature: a grid around the value of the case, and
# bisection in the first interval that changes the decision.
scan_flip <- function(model, case, feature, cost, reach, ...) {
  decide <- function(x) {
    as.character(predict(model, with_value(case, feature, x), type = "decision", cost = cost, ...))
  }
  x <- case[[feature]]
  now <- decide(x)
  ends <- vapply(c(-1, 1), function(side) {
    grid <- x + side * seq(0, reach, length.out = 6001L)
    at <- which(decide(grid) != now)
    if (!length(at)) return(NA_real_)
    low <- grid[[at[[1L]] - 1L]]
    high <- grid[[at[[1L]]]]
    for (step in 1:60) {
      middle <- (low + high) / 2
      if (decide(middle) == now) low <- middle else high <- middle
    }
    high
  }, 1)
  if (all(is.na(ends))) return(list(value = NA_real_, decision = NA_character_))
  value <- ends[[which.min(abs(ends - x))]]
  list(value = value, decision = decide(value))
}

expect_scanned <- function(model, cases, cost, reach, ..., tolerance = 1e-9) {
  found <- flip(model, cases, cost, ...)
  numeric <- found[is.na(found$level) & !is.na(found$value), ]
  expect_gt(nrow(numeric), 0L)
  for (i in seq_len(nrow(numeric))) {
    row <- numeric[i, ]
    scanned <- scan_flip(model, cases[row$row, ], row$feature, cost, reach, ...)
    expect_within(row$value, scanned$value, tolerance)
    expect_identical(as.character(row$new_decision), scanned$decision)
    expect_within(row$distance, scanned$value - cases[[row$feature]][row$row], tolerance)
  }
  found
}

test_that("two normals of equal spread: the threshold in closed form", {
  model <- bayes_known(
    prior = c(ill = 0.2, well = 0.8),
    x = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 2),
    y = likelihood_gaussian(mean = c(ill = 0, well = 1), sd = 0.5)
  )
  cost <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 50, well = 0))
  cases <- data.frame(x = c(2, -4, 1), y = c(0.4, 0.9, NA))
  found <- flip(model, cases, cost)
  # Treat where 49 P(ill) > 4 P(well): the log odds of ill are above log(4 / 49).
  slope <- c(x = (3 - 1) / 4, y = (0 - 1) / 0.25)
  middle <- c(x = 2, y = 0.5)
  rest <- function(of, other) {
    known <- slope[[other]] * (cases[[other]] - middle[[other]])
    known[is.na(known)] <- 0
    middle[[of]] + (log(4 / 49) - log(0.2 / 0.8) - known) / slope[[of]]
  }
  expect_within(found$value[found$feature == "x"], rest("x", "y"), 1e-13)
  expect_within(found$value[found$feature == "y"], c(rest("y", "x")[1:2], NA), 1e-13)
  expect_within(found$distance, found$value - c(t(cases)), 1e-15)
  expect_within(found$distance_sd, found$distance / c(2, 0.5), 1e-15)
  expect_true(all(found$exact))
  now <- predict(model, cases, type = "decision", cost = cost)
  expect_identical(found$decision, rep(now, each = 2L))
  other <- factor(ifelse(now == "wait", "treat", "wait"), c("treat", "wait"))
  expect_identical(found$new_decision, replace(rep(other, each = 2L), 6L, NA))
})

test_that("the nearest change is that of predict(): single normals, blocks, kernels, tempered", {
  skip_on_cran()
  cases <- iris[c(71, 107, 120, 1), ]
  reach <- 12
  expect_scanned(fit(bayes_naive(), Species ~ ., iris), cases, NULL, reach)
  expect_scanned(fit(bayes_naive(), Species ~ ., iris), cases, press_or_leave(), reach,
                 prior = c(.1, .6, .3))
  full <- fit(bayes_full(), Species ~ ., iris)
  expect_scanned(full, cases[1:2, ], press_or_leave(), reach)
  kernel <- fit(bayes_naive(numeric = likelihood_kernel()), Species ~ ., iris)
  found <- expect_scanned(kernel, cases[1:2, ], press_or_leave(), reach)
  expect_false(all(found$exact))
  tempered <- suppressMessages(temper(full, iris, bias = TRUE, folds = 3))
  expect_scanned(tempered, cases[1:2, ], press_or_leave(), reach)
  mixtures <- fit(
    bayes_blocks(list(p = names(iris)[1:2]), joint = likelihood_mixture(1:2)), Species ~ ., iris
  )
  expect_scanned(mixtures, cases[1:2, ], press_or_leave(), reach)
})

test_that("missing features are marginalised, and cannot change themselves", {
  full <- fit(bayes_full(), Species ~ ., iris)
  case <- transform(iris[c(71, 107), ], Sepal.Length = NA_real_)
  found <- expect_scanned(full, case, press_or_leave(), 12)
  expect_true(all(is.na(found$value[found$feature == "Sepal.Length"])))
})

test_that("counts and single values: the nearest possible value", {
  withr::local_seed(3)
  y <- factor(rep(c("a", "b", "c"), each = 60))
  data <- data.frame(
    y, n = stats::rpois(180, c(a = 2, b = 6, c = 15)[y]), m = stats::rpois(180, 4),
    k = 2 * stats::rpois(180, c(a = 1, b = 3, c = 5)[y])
  )
  features <- list(
    n = likelihood_poisson(), m = likelihood_negative_binomial(), k = likelihood_empirical()
  )
  model <- fit(bayes_naive(features = features), y ~ ., data)
  cases <- data[c(1, 5, 70, 80, 130, 150), ]
  found <- suppressWarnings(flip(model, cases))
  nearest <- function(case, feature, values) {
    decided <- suppressWarnings(
      predict(model, with_value(case, feature, values), type = "decision")
    )
    now <- predict(model, case, type = "decision")
    other <- values[!is.na(decided) & decided != now]
    distance <- other - case[[feature]]
    if (!length(distance)) NA else distance[which.min(abs(distance))]
  }
  for (i in seq_len(nrow(found))) {
    row <- found[i, ]
    values <- if (row$feature == "k") sort(unique(data$k)) else 0:400
    # Two values may be equally near.
    expected <- nearest(cases[row$row, ], row$feature, values)
    expect_within(abs(row$distance), abs(expected), 1e-12)
    if (is.na(row$distance)) next
    there <- with_value(cases[row$row, ], row$feature, row$value)
    expect_identical(predict(model, there, type = "decision"), row$new_decision)
  }
})

test_that("histograms: the nearest edge", {
  model <- fit(bayes_naive(numeric = likelihood_histogram(laplace = 1)), Species ~ ., iris)
  cases <- iris[c(71, 107), ]
  found <- suppressWarnings(flip(model, cases))
  expect_true(all(found$exact))
  changed <- found[!is.na(found$value), ]
  expect_gt(nrow(changed), 3L)
  for (i in seq_len(nrow(changed))) {
    row <- changed[i, ]
    x <- cases[[row$feature]][row$row]
    between <- seq(x, row$value, length.out = 501L)[-501L]
    # On an edge the decision changes just below it.
    step <- if (row$distance > 0) 1e-9 else -1e-9
    decided <- suppressWarnings(predict(
      model, with_value(cases[row$row, ], row$feature, c(between, row$value + step)),
      type = "decision"
    ))
    expect_true(all(is.na(decided[-501L]) | decided[-501L] == row$decision))
    expect_identical(decided[[501L]], row$new_decision)
  }
})

test_that("each other level is tried, alone and within a block", {
  cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear), vs = vs == 1)
  cars$gear[2] <- NA
  specs <- list(
    bayes_naive(laplace = 1), bayes_blocks(list(drive = c("gear", "cyl")), laplace = 1)
  )
  cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 2, "1" = 0), ask = 0.8)
  for (spec in specs) {
    model <- fit(spec, am ~ cyl + gear + vs, cars)
    found <- flip(model, cars, cost)
    now <- predict(model, cars, type = "decision", cost = cost)
    for (feature in c("cyl", "gear", "vs")) {
      levels <- model$schema$features[[feature]]$levels
      for (i in seq_len(nrow(cars))) {
        mine <- found[found$row == i & found$feature == feature, ]
        own <- as.character(cars[[feature]][i])
        values <- if (feature == "vs") as.logical(setdiff(levels, own)) else setdiff(levels, own)
        there <- cars[rep(i, length(values)), ]
        there[[feature]] <- values
        then <- predict(model, there, type = "decision", cost = cost)
        changes <- !is.na(own) & then != now[[i]]
        expected <- if (any(changes)) setdiff(levels, own)[changes] else NA_character_
        expect_identical(mine$level, expected)
        if (any(changes)) expect_identical(mine$new_decision, then[changes])
        expect_true(all(is.na(mine$value)))
      }
    }
  }
  expect_identical(unique(found$case), rownames(mtcars))
})

test_that("costs by case, cases without a decision, and threads", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    act = list(setosa = 0, versicolor = ~ price, virginica = 5),
    rest = c(setosa = 2, versicolor = 0, virginica = 0)
  )
  cases <- cbind(iris[c(1, 1, 1, 1), 1:4], price = c(1, 100, NA, 1))
  cases$Sepal.Length[4] <- Inf
  found <- suppressWarnings(flip(model, cases, cost))
  for (i in 1:2) {
    fixed <- cost_matrix(
      act = c(setosa = 0, versicolor = cases$price[[i]], virginica = 5),
      rest = c(setosa = 2, versicolor = 0, virginica = 0)
    )
    expect_within(found$value[found$row == i], flip(model, cases[i, ], fixed)$value, 1e-14)
  }
  expect_true(all(is.na(found$value[found$row > 2])))
  expect_true(all(is.na(found$decision[found$row > 2])))
  expect_identical(flip(model, iris, threads = 1), flip(model, iris, threads = 2))
  expect_identical(nrow(flip(model, iris[0, ])), 0L)
})

test_that("a tie is at distance 0", {
  model <- bayes_known(
    prior = c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = -1, b = 1), sd = 1)
  )
  found <- flip(model, data.frame(x = 0))
  expect_identical(found$distance, 0)
  expect_identical(as.character(found$new_decision), "b")
})

test_that("arguments that are wrong are named, and features without regions", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(flip(model), "argument", "newdata.*missing")
  expect_bayesrisk_error(flip(model, iris, features = "Petal"), "argument", "features")
  expect_bayesrisk_error(flip(bayes_naive(), iris), "argument", "object")
  expect_bayesrisk_error(flip(model, iris[-1]), "schema", "Sepal.Length")
  kernel <- fit(bayes_naive(numeric = likelihood_kernel(), temper = TRUE), Species ~ ., iris)
  expect_bayesrisk_error(flip(kernel, iris), "argument", "no closed form")
})

test_that("flips print as a table, or as a summary of many cases", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  tennis <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_snapshot(flip(model, iris[c(71, 107), ]))
  expect_no_match(capture.output(print(flip(tennis, play_query()))), "distance")
  expect_output(print(flip(model, iris)), "150 cases.*median_sd.*shows the cases")
})

test_that("features without regions are left out, with a warning, and the others searched", {
  data <- withr::with_seed(1, data.frame(
    y = rep(c("a", "b"), 50), n = stats::rpois(100, rep(c(2, 6), 50)), x = stats::rnorm(100),
    g = sample(c("u", "v"), 100, TRUE)
  ))
  data$x <- data$x + (data$y == "b")
  model <- fit(bayes_naive(features = list(n = likelihood_poisson())), y ~ ., data)
  tempered <- withr::with_seed(1, temper(model, data, by = "block", folds = 3))
  cases <- data[1:4, ]
  expect_warning(found <- flip(tempered, cases), "regions of `?n`? are not computed",
                 class = "bayesrisk_warning_left_out")
  expect_identical(unique(found$feature), c("x", "g"))
  expect_no_warning(chosen <- flip(tempered, cases, features = c("x", "g")))
  expect_identical(found, chosen)
  expect_bayesrisk_error(flip(tempered, cases, features = c("x", "n")), "argument", "density of n ")
  # Nothing else is left to search.
  alone <- update(tempered, . ~ . - x - g)
  expect_bayesrisk_error(suppressMessages(flip(alone, cases)), "argument", "density of n ")
})
