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

two_normals <- function() {
  bayes_known(
    prior = c(ill = 0.2, well = 0.8),
    x = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 2),
    y = likelihood_gaussian(mean = c(ill = 0, well = 1), sd = 0.5)
  )
}

treat_or_wait <- function() {
  cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 50, well = 0))
}

test_that("two normals of equal spread: the threshold in closed form", {
  model <- two_normals()
  cost <- treat_or_wait()
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

test_that("values beside a bag of terms, which stays as it is", {
  skip_on_cran()
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size + from, data)
  cost <- zero_one_cost(levels(data$y))
  found <- expect_scanned(model, data[1:12, ], cost, 5, tolerance = 1e-7)
  expect_identical(unique(found$feature), c("size", "from"))
  for (i in which(!is.na(found$level))) {
    there <- with_value(data[found$row[[i]], ], "from", found$level[[i]])
    expect_identical(predict(model, there, cost = cost), found$new_decision[[i]])
  }
  # The terms of other cases change the answers.
  other <- replace(data, "words", list(data$words[rev(seq_len(nrow(data))), ]))
  expect_false(identical(flip(model, other[1:12, ], cost)$value, found$value))
  tempered <- suppressMessages(withr::with_seed(1, temper(model, data, folds = 3)))
  expect_scanned(tempered, data[1:6, ], cost, 5, tolerance = 1e-7)
  expect_bayesrisk_error(
    flip(model, data, features = c("words", "size")), "argument",
    "words is a bag of terms.*other features: size and from"
  )
  alone <- fit(bayes_text(), y ~ words, data)
  expect_bayesrisk_error(flip(alone, data), "argument", "words is a bag.*no other features")
  expect_bayesrisk_error(flip(alone, data$words), "argument", "words is a bag.*no other features")
})

test_that("values are proposed within the range of the data only", {
  known <- bayes_known(
    prior = c(a = 0.5, b = 0.5),
    x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = c(a = 1, b = 3))
  )
  # The wider class wins on both sides; its range ends at 1 + 3.5 * 3.
  cut <- (-1 + c(-1, 1) * sqrt(9 + 144 * log(3))) / 8
  found <- flip(known, data.frame(x = c(-1, 0.5, 30)))
  expect_within(found$value, cut[c(1L, 2L, 2L)], 1e-12)
  # With a strong prior the cut lies at 20, which only cases outside of the range can approach.
  strong <- bayes_known(
    prior = c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  )
  prior <- stats::plogis(c(a = 19.5, b = -19.5))
  found <- flip(strong, data.frame(x = c(1, 25, 20.5)), prior = prior)
  expect_within(found$value, c(NA, 20, 20), 1e-12)
  expect_identical(as.character(found$new_decision), c(NA, "a", "a"))
  # Kernels end at the outermost values of the data; far outside the wider one would win.
  kernel <- fit(bayes_naive(numeric = likelihood_kernel()), Species ~ Sepal.Width, iris)
  values <- flip(kernel, iris, prior = c(1e-9, 1e-9, 1 - 2e-9))$value
  expect_true(all(values >= min(iris$Sepal.Width) & values <= max(iris$Sepal.Width), na.rm = TRUE))
  expect_true(anyNA(values))
})

test_that("missing features are marginalised, and cannot change themselves", {
  full <- fit(bayes_full(), Species ~ ., iris)
  case <- transform(iris[c(71, 107), ], Sepal.Length = NA_real_)
  found <- expect_scanned(full, case, press_or_leave(), 12)
  expect_true(all(is.na(found$value[found$feature == "Sepal.Length"])))
})

# The counts within 3.5 sd of the mean of a class.
counts_in_reach <- function(model, feature) {
  law <- coef(model)[[feature]]
  single <- ncol(law) == 1L
  mean <- law[, if (single) "rate" else "mean"]
  variance <- if (single) mean else mean + mean^2 / law[, "size"]
  0:floor(max(mean + 3.5 * sqrt(variance)))
}

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
    values <- if (row$feature == "k") sort(unique(data$k)) else counts_in_reach(model, row$feature)
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
  skip_on_cran()
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

test_that("two normals of equal spread: the nearest pair of values in closed form", {
  model <- two_normals()
  cost <- treat_or_wait()
  cases <- data.frame(x = c(2, -4, 1), y = c(0.4, 0.9, NA))
  found <- flip(model, cases, cost, together = 2)
  expect_named(found, c(
    "row", "feature", "value", "level", "distance", "feature_2", "value_2", "level_2", "distance_2",
    "distance_sd", "decision", "new_decision", "exact"
  ))
  # In standard deviations the log odds have the slope (1, -2), and 0 at log(4 / 49).
  lack <- log(4 / 49) - log(0.2 / 0.8) - (cases$x - 2) / 2 + 4 * (cases$y - 0.5)
  expect_within(found$distance_sd, abs(lack) / sqrt(5), 1e-13)
  expect_within(found$distance / 2, lack / 5, 1e-6)
  expect_within(found$distance_2 / 0.5, -2 * lack / 5, 1e-6)
  expect_within(found$value, cases$x + found$distance, 1e-14)
  expect_identical(is.na(found$new_decision), c(FALSE, FALSE, TRUE))
  alone <- flip(model, cases[1:2, ], cost)
  expect_true(all(rep(found$distance_sd[1:2], each = 2L) < abs(alone$distance_sd)))
  expect_snapshot(found)
})

# The least distance of a grid of pairs of values that changes the decision.
scan_pair <- function(model, case, pair, cost, sd, ranges, size = 401L) {
  values <- Map(function(range, own) {
    sort(c(seq(range[[1L]], range[[2L]], length.out = size), own))
  }, ranges, case[pair])
  grid <- expand.grid(values)
  cases <- case[rep(1L, nrow(grid)), ]
  cases[pair] <- grid
  changed <- predict(model, cases, type = "decision", cost = cost) !=
    predict(model, case, type = "decision", cost = cost)
  steps <- sweep(sweep(as.matrix(grid), 2L, unlist(case[pair])), 2L, sd, "/")
  min(sqrt(rowSums(steps^2))[which(changed)])
}

test_that("the nearest pair is that of predict(): single normals, blocks, kernels, a bag", {
  skip_on_cran()
  pair <- c("Petal.Length", "Petal.Width")
  data <- transform(iris, wide = Sepal.Width > 3)
  specs <- list(
    bayes_naive(), bayes_full(), bayes_naive(numeric = likelihood_kernel()),
    bayes_naive(numeric = likelihood_histogram(laplace = 1)), bayes_naive(temper = TRUE),
    bayes_blocks(list(p = names(iris)[3:4]), joint = likelihood_histogram(laplace = 1))
  )
  for (spec in specs) {
    model <- suppressMessages(fit(spec, Species ~ Petal.Length + Petal.Width + wide, data))
    cases <- data[c(71, 107, 1), ]
    found <- suppressWarnings(flip(model, cases, press_or_leave(), together = 2, features = pair))
    expect_identical(nrow(found), 3L)
    alone <- suppressWarnings(flip(model, data, press_or_leave(), features = pair))
    ranges <- lapply(pair, function(name) known_range(model, name, NULL))
    sd <- vapply(pair, function(name) {
      stats::median((alone$distance / alone$distance_sd)[alone$feature == name], na.rm = TRUE)
    }, 1)
    for (i in seq_len(3L)) {
      own <- unlist(cases[i, pair])
      nearest <- suppressWarnings(scan_pair(
        model, cases[i, ], pair, press_or_leave(), sd, Map(range, ranges, own)
      ))
      step <- sqrt(sum((vapply(ranges, diff, 1) / 400 / sd)^2))
      expect_lte(found$distance_sd[[i]], nearest + 1e-9)
      expect_gte(found$distance_sd[[i]], nearest - step)
    }
  }
})

test_that("a level and a number, and two levels: no change whose part changes the decision", {
  skip_on_cran()
  cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear))
  cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 2, "1" = 0), ask = 0.8)
  for (spec in list(
    bayes_naive(laplace = 1), bayes_blocks(list(drive = c("gear", "cyl")), laplace = 1)
  )) {
    model <- fit(spec, am ~ cyl + gear + mpg, cars)
    alone <- flip(model, cars, cost)
    found <- flip(model, cars, cost, together = 2)
    expect_identical(unique(found[c("feature", "feature_2")]$feature_2), c("gear", "mpg"))
    decide <- function(row, gear, cyl) {
      there <- cars[row, ]
      there$gear[] <- gear
      there$cyl[] <- cyl
      as.character(predict(model, there, type = "decision", cost = cost))
    }
    for (i in seq_len(nrow(cars))) {
      now <- as.character(alone$decision[match(i, alone$row)])
      own <- lapply(cars[i, c("gear", "cyl")], as.character)
      both <- expand.grid(
        cyl = setdiff(levels(cars$cyl), own$cyl), gear = setdiff(levels(cars$gear), own$gear),
        stringsAsFactors = FALSE
      )
      minimal <- vapply(seq_len(nrow(both)), function(j) {
        decide(i, both$gear[[j]], both$cyl[[j]]) != now &&
          decide(i, own$gear, both$cyl[[j]]) == now && decide(i, both$gear[[j]], own$cyl) == now
      }, NA)
      mine <- found[found$row == i & found$feature_2 == "gear", ]
      expect_setequal(
        paste(mine$level, mine$level_2)[!is.na(mine$level)],
        paste(both$cyl, both$gear)[minimal]
      )
      mine <- found[found$row == i & found$feature == "cyl" & found$feature_2 == "mpg", ]
      before <- abs(alone$distance[alone$row == i & alone$feature == "mpg"])
      for (level in setdiff(levels(cars$cyl), own$cyl)) {
        row <- mine[mine$level %in% level, ]
        there <- transform(cars[i, ], cyl = factor(level, levels(cyl)))
        other <- flip(model, there, cost, features = "mpg")
        at_once <- decide(i, own$gear, level) != now
        if (nrow(row)) {
          expect_false(at_once)
          expect_within(row$distance_2, other$distance, 1e-9)
          expect_true(is.na(before) || abs(row$distance_2) < before)
        } else {
          expect_true(at_once || is.na(other$distance) || abs(other$distance) >= before)
        }
      }
    }
  }
  expect_identical(flip(model, cars, cost, together = 2, threads = 1),
                   flip(model, cars, cost, together = 2, threads = 2))
  expect_identical(nrow(flip(model, cars[0, ], cost, together = 2)), 0L)
  expect_identical(nrow(flip(model, cars, cost, features = "mpg", together = 2)), 0L)
  expect_bayesrisk_error(flip(model, cars, cost, together = 3), "argument", "together")
  expect_output(print(flip(model, cars, cost, together = 2)), "cyl \\+ gear")
})

test_that("a count beside a number: each count is tried", {
  withr::local_seed(4)
  y <- rep(c("a", "b"), each = 60)
  data <- data.frame(y, n = stats::rpois(120, c(a = 3, b = 9)[y]),
                     x = stats::rnorm(120, c(a = 0, b = 2)[y]))
  model <- fit(bayes_naive(features = list(n = likelihood_poisson())), y ~ x + n, data)
  cases <- data[c(1, 70, 100), ]
  found <- flip(model, cases, together = 2)
  alone <- flip(model, data)
  sd <- vapply(c("x", "n"), function(name) {
    stats::median((alone$distance / alone$distance_sd)[alone$feature == name], na.rm = TRUE)
  }, 1)
  for (i in 1:3) {
    distance <- vapply(0:20, function(count) {
      there <- transform(cases[i, ], n = count)
      x <- if (predict(model, there) == found$decision[[i]]) {
        flip(model, there, features = "x")$distance
      } else {
        0
      }
      sqrt((x / sd[["x"]])^2 + ((count - cases$n[[i]]) / sd[["n"]])^2)
    }, 1)
    expect_within(found$distance_sd[[i]], min(distance, na.rm = TRUE), 1e-12)
  }
})

test_that("a count of a wide range is tried in steps, so the pair is not exact", {
  beside <- function(size) {
    bayes_known(
      prior = c(a = 0.5, b = 0.5), n = likelihood_poisson(rate = c(a = size, b = 1.1 * size)),
      x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
    )
  }
  exact <- function(size) {
    flip(beside(size), data.frame(n = size, x = 0.3), together = 2)$exact
  }
  # The sd is 10, and 1000.
  expect_true(exact(100))
  expect_false(exact(1e6))
})

# For each pair the length of the change less that of the shorter change of one of its numbers.
beyond_alone <- function(model, data) {
  alone <- flip(model, data)
  found <- flip(model, data, together = 2)
  length <- stats::setNames(abs(alone$distance_sd), paste(alone$row, alone$feature))
  nearest <- pmin(
    length[paste(found$row, found$feature)], length[paste(found$row, found$feature_2)],
    na.rm = TRUE
  )
  more <- found$distance_sd - nearest
  replace(more, is.na(found$distance_sd) & !is.na(nearest), Inf)
}

test_that("no pair of numbers is further than one of them alone", {
  # Between two values that are tried along x lies the whole region of the narrow class.
  narrow <- bayes_known(
    prior = c(a = 0.4, b = 0.2, c = 0.4),
    x = likelihood_gaussian(mean = c(a = -2, b = 0.06, c = 2), sd = c(a = 1, b = 0.01, c = 1)),
    y = likelihood_gaussian(mean = c(a = 0, b = 0, c = 1), sd = 1)
  )
  cases <- expand.grid(x = seq(-1, 1, by = 0.1), y = c(-0.5, 0.5))
  expect_lte(max(beyond_alone(narrow, cases), na.rm = TRUE), 1e-9)
  skip_on_cran()
  for (likelihood in list(likelihood_gaussian(), likelihood_kernel(adjust = 0.3))) {
    model <- fit(bayes_naive(numeric = likelihood), Species ~ ., iris)
    more <- beyond_alone(model, iris)
    expect_gt(mean(more < -1e-3, na.rm = TRUE), 0.5)
    expect_lte(max(more, na.rm = TRUE), 1e-9)
  }
})
