test_that("contributions of PlayTennis are the logs of the lectures' factors", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  parts <- contributions(model, play_query())
  expect_identical(
    dimnames(parts),
    list(
      case = NULL, block = c("(prior)", "outlook", "temperature", "humidity", "wind"),
      class = c("yes", "no")
    )
  )
  expect_within(exp(parts[1, , "yes"]), c(9 / 14, 2 / 9, 3 / 9, 3 / 9, 3 / 9), 1e-14)
  expect_within(exp(parts[1, , "no"]), c(5 / 14, 3 / 5, 1 / 5, 4 / 5, 3 / 5), 1e-14)
})

test_that("contributions add up to the log joint, for any blocks, priors and gaps", {
  cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear), vs = vs == 1)
  cars$wt[3] <- NA
  cars$gear[5] <- NA
  blocks <- bayes_blocks(list(size = c("wt", "disp"), drive = c("gear", "cyl")), laplace = 1)
  model <- fit(blocks, am ~ cyl + gear + vs + wt + disp + hp, cars)
  parts <- contributions(model, cars, prior = c(.9, .1))
  expect_identical(dim(parts), c(32L, 5L, 2L))
  expect_identical(dimnames(parts)$case, rownames(mtcars))
  expect_setequal(dimnames(parts)$block, c("(prior)", "hp", "vs", "size", "drive"))
  joint <- predict(model, cars, type = "log_joint", prior = c(.9, .1))
  expect_within(apply(parts, c(1, 3), sum), joint, 1e-13)
  horse <- fit(bayes_naive(), am ~ hp, cars)
  expect_within(parts[, "hp", ], predict(horse, cars, type = "log_likelihood"), 1e-14)
})

test_that("a block that a case misses adds 0", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  parts <- contributions(model, transform(iris[1, ], Sepal.Width = NA))
  expect_identical(as.vector(parts[1, "Sepal.Width", ]), numeric(3))
})

test_that("a class without rows adds up to -Inf, as its log joint", {
  for (spec in list(bayes_naive(), bayes_full())) {
    model <- suppressMessages(fit(spec, Species ~ ., iris[1:100, ]))
    total <- apply(contributions(model, iris[c(1, 90), ]), c(1, 3), sum)
    expect_identical(unname(total[, "virginica"]), c(-Inf, -Inf))
  }
})

test_that("a prior-only model has the prior as its contribution", {
  parts <- contributions(fit(bayes_naive(), play ~ 1, play_tennis), play_tennis)
  expect_identical(dim(parts), c(14L, 1L, 2L))
  expect_within(exp(parts[7, , ]), c(9, 5) / 14, 1e-15)
})

test_that("arguments that are wrong are named", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_error(contributions(model), "newdata", class = "bayesrisk_error_argument")
  expect_error(contributions(model, iris, prior = 1), "prior", class = "bayesrisk_error_argument")
  expect_error(contributions(iris, iris), "object", class = "bayesrisk_error_argument")
  expect_error(contributions(model, iris[-2]), "Sepal.Width", class = "bayesrisk_error_schema")
  expect_error(contributions(model, iris, cost = 1), "cost", class = "bayesrisk_error_argument")
})

test_that("posterior probabilities have no contributions, and the error says why", {
  p <- predict(fit(bayes_naive(), play ~ ., play_tennis), play_tennis, type = "prob")
  for (table in list(p, as.data.frame(p))) {
    expect_bayesrisk_error(contributions(table, play_tennis), "argument", "Posterior probabilities")
  }
})

test_that("threads change nothing", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  many <- iris[rep(1:150, 30), ]
  expect_identical(contributions(model, many, threads = 2), contributions(model, many))
})

test_that("what is computed from contributions is plain, the frame has a row per number", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  parts <- contributions(model, play_query())
  expect_s3_class(parts, "bayesrisk_contributions")
  for (plain in list(exp(parts), -parts, parts - 1, 2 * parts, parts[1, , ], parts[, "wind", ])) {
    expect_null(attr(plain, "class"))
  }
  expect_identical(unclass(parts) - 1, parts - 1)
  expect_identical(round(unclass(parts), 2), round(parts, 2))
  frame <- as.data.frame(parts)
  expect_identical(names(frame), c("case", "block", "class", "contribution"))
  expect_identical(nrow(frame), 10L)
  of_wind <- frame$contribution[frame$block == "wind" & frame$class == "no"]
  expect_identical(of_wind, parts[1, "wind", "no"])
  expect_identical(as.character(as.data.frame(contributions(model, play_tennis[0, ]))$case),
                   character())
})

test_that("contributions print case by case, with what they come to", {
  model <- fit(bayes_naive(), play ~ outlook + wind, play_tennis)
  flowers <- fit(bayes_naive(), Species ~ ., iris)
  expect_snapshot(contributions(model, play_tennis[2:3, ]))
  expect_output(print(contributions(flowers, iris[c(107, 71, 1, 5), ])), "and 1 more case$")
  expect_output(print(contributions(model, play_tennis[0, ])), "^<.*: 0 cases, 2 blocks")
})

money <- function() {
  cost_matrix(
    press = c(setosa = 0, versicolor = 2, virginica = 9),
    dry = c(setosa = 1, versicolor = 0, virginica = 4),
    leave = c(setosa = 3, versicolor = 1, virginica = 0)
  )
}

# The expected cost of each action when only the blocks `known` (lists of features) are known:
# predict() with all other features missing.
cost_knowing <- function(model, case, known, cost, ...) {
  hidden <- setdiff(names(model$schema$features), unlist(known))
  for (name in hidden) case[[name]] <- NA
  predict(model, case, type = "cost", cost = cost, ...)[1L, ]
}

# The mean over all orders, from all permutations of the blocks.
shapley_by_orders <- function(model, case, blocks, cost, ...) {
  orders <- as.matrix(expand.grid(rep(list(seq_along(blocks)), length(blocks))))
  orders <- orders[apply(orders, 1L, function(o) !anyDuplicated(o)), , drop = FALSE]
  total <- 0
  for (i in seq_len(nrow(orders))) {
    added <- lapply(seq_along(blocks), function(b) {
      before <- orders[i, seq_len(match(b, orders[i, ]) - 1L)]
      cost_knowing(model, case, blocks[c(before, b)], cost, ...) -
        cost_knowing(model, case, blocks[before], cost, ...)
    })
    total <- total + do.call(rbind, added)
  }
  total / nrow(orders)
}

test_that("each block adds the change of predict() when its features become known", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  parts <- contributions(model, iris[c(71, 107), ], money(), prior = c(.2, .3, .5))
  features <- names(iris)[1:4]
  for (i in 1:2) {
    case <- iris[c(71, 107)[[i]], ]
    levels <- vapply(0:4, function(b) {
      cost_knowing(model, case, features[seq_len(b)], money(), prior = c(.2, .3, .5))
    }, numeric(3))
    expected <- rbind(levels[, 1], t(levels[, -1] - levels[, -5]))
    expect_within(parts[i, , ], expected, 1e-13, scale = 10)
  }
  expect_identical(dimnames(parts), list(
    case = c("71", "107"), block = c("(prior)", features), action = c("press", "dry", "leave")
  ))
})

test_that("Shapley values are the mean over all orders, of joint blocks and tempered models", {
  cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear), vs = vs == 1)
  cars$wt[3] <- NA
  cars$gear[5] <- NA
  blocks <- list(size = c("wt", "disp"), drive = c("gear", "cyl"))
  spec <- bayes_blocks(blocks, laplace = 1)
  model <- fit(spec, am ~ cyl + gear + vs + wt + disp + hp, cars)
  cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 2, "1" = 0), ask = 0.8)
  tempered <- suppressMessages(temper(model, cars, by = "block", bias = TRUE, folds = 2))
  for (fitted in list(model, tempered)) {
    parts <- contributions(fitted, cars[3:5, ], cost, order = "shapley")
    all <- c(list(hp = "hp", vs = "vs"), blocks)[dimnames(parts)$block[-1]]
    for (i in 1:3) {
      expected <- shapley_by_orders(fitted, cars[2 + i, ], all, cost)
      expect_within(parts[i, -1, ], expected, 1e-13, scale = 1)
    }
  }
})

test_that("the steps add up to the expected cost of the case minus that of the prior", {
  withr::local_seed(1)
  data <- transform(iris, n = rpois(150, 3), g = sample(c("u", "v"), 150, TRUE))
  data$Sepal.Width[4] <- NA
  specs <- list(
    bayes_naive(features = list(n = likelihood_poisson())), bayes_full(laplace = 1),
    bayes_naive(numeric = likelihood_kernel()),
    bayes_naive(numeric = likelihood_histogram(laplace = 1))
  )
  utility <- utility_matrix(
    a = c(setosa = 4, versicolor = -1, virginica = 0),
    b = c(setosa = 0, versicolor = 2, virginica = 3)
  )
  nothing <- data[1, ]
  nothing[] <- NA
  for (spec in specs) {
    model <- fit(spec, Species ~ ., data)
    for (cost in list(money(), utility)) {
      for (order in c("given", "shapley")) {
        parts <- contributions(model, data, cost, order = order)
        costs <- predict(model, data, type = "cost", cost = cost)
        expect_within(apply(parts, c(1, 3), sum), costs, 1e-13, scale = 10)
        before <- predict(model, nothing, type = "cost", cost = cost)
        expect_within(parts[, 1, ], before[rep(1, 150), ], 1e-13, scale = 10)
      }
    }
  }
  expect_identical(unname(parts[4, "Sepal.Width", ]), c(0, 0))
})

test_that("two normals of equal spread: the cost is a logistic function of one feature", {
  model <- bayes_known(
    prior = c(ill = 0.2, well = 0.8), x = likelihood_gaussian(mean = c(ill = 3, well = 1), sd = 2)
  )
  cost <- cost_matrix(treat = c(ill = 1, well = 4), wait = c(ill = 50, well = 0), refer = 2)
  x <- c(-3, 2, 10)
  parts <- contributions(model, data.frame(x = x), cost)
  p <- stats::plogis(log(0.2 / 0.8) + (3 - 1) / 4 * (x - 2))
  expect_within(parts[, 2, "treat"], (4 - 3 * p) - (4 - 3 * 0.2), 1e-14, scale = 5)
  expect_within(parts[, 2, "wait"], 50 * (p - 0.2), 1e-14, scale = 50)
  # A constant cost has no contributions, not even of rounding.
  expect_identical(unname(parts[, , "refer"]), cbind(c(2, 2, 2), c(0, 0, 0)))
})

test_that("the decision and the best alternative are those of decide()", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  for (cost in list(money(), zero_one_cost(levels(iris$Species)))) {
    parts <- contributions(model, iris, cost)
    decided <- decide(model, iris, cost)
    expect_identical(attr(parts, "decision"), decided$decision)
    expect_identical(attr(parts, "runner_up"), decided$runner_up)
  }
  cost <- cost_matrix(go = c(setosa = 1, versicolor = 2, virginica = 3))
  one <- contributions(model, iris[1, ], cost)
  expect_identical(as.character(attr(one, "runner_up")), NA_character_)
})

test_that("costs by case, unknown costs, impossible and infinite cases", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = list(yes = 0, no = ~ price), wait = c(yes = 20, no = 0))
  days <- cbind(rbind(play_query(), play_query()), price = c(30, NA))
  expect_warning(parts <- contributions(model, days, cost), class = "bayesrisk_warning_unpriced")
  one <- contributions(model, days[1, ], cost_matrix(book = c(yes = 0, no = 30),
                                                     wait = c(yes = 20, no = 0)))
  expect_within(parts[1, , ], one[1, , ], 1e-14)
  expect_identical(unname(is.na(parts[2, , ])), cbind(rep(TRUE, 5), FALSE))
  expect_identical(as.character(attr(parts, "decision")), c("wait", NA))
  never <- fit(bayes_naive(), y ~ x, data.frame(y = rep(c("a", "b"), each = 4), x = c(1:4, 3:6)))
  expect_warning(
    lost <- contributions(never, data.frame(x = c(Inf, 1)), zero_one_cost(c("a", "b"))),
    class = "bayesrisk_warning_infinite"
  )
  expect_true(all(is.na(lost[1, , ])))
  infinite <- cost_matrix(book = c(yes = 0, no = Inf), wait = c(yes = 20, no = 0))
  clouds <- contributions(model, transform(play_query(), outlook = "overcast"), infinite)
  expect_identical(unname(clouds[1, , "book"]), c(Inf, -Inf, 0, 0, 0))
  # Infinite steps that cancel: the print shows the cost of the case.
  expect_match(paste(capture.output(clouds), collapse = "\n"), "expected cost +0[.0]* +20")
})

test_that("predictive distributions are divided, too", {
  model <- fit(bayes_naive(laplace = 1), Species ~ ., iris[c(1:6, 51:56, 101:106), ])
  cost <- zero_one_cost(model, reject = 0.2)
  for (order in c("given", "shapley")) {
    parts <- contributions(model, iris[c(2, 80, 134), ], cost, order = order,
                           estimate = "predictive")
    whole <- predict(model, iris[c(2, 80, 134), ], "cost", cost, estimate = "predictive")
    expect_equal(
      apply(unclass(parts), c(1, 3), sum), unclass(whole), tolerance = 1e-13, ignore_attr = TRUE
    )
  }
})

test_that("wrong arguments of contributions to costs are named", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(contributions(model, iris, money(), order = "size"), "argument", "order")
  wide <- as.data.frame(matrix(seq_len(13 * 6), 6))
  spec <- bayes_naive(numeric = likelihood_histogram(1, laplace = 1))
  rows <- wide
  wide <- fit(spec, y ~ ., cbind(wide, y = 1:2))
  cost <- zero_one_cost(c("1", "2"))
  expect_bayesrisk_error(
    contributions(wide, rows, cost, order = "shapley"), "argument", "order.*12 blocks"
  )
})

test_that("computed results are plain arrays, and the data frame is long", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  parts <- contributions(model, iris[1:2, ], money())
  expect_null(attr(parts * 2, "decision"))
  expect_identical(class(abs(parts)), "array")
  expect_named(as.data.frame(parts), c("case", "block", "action", "contribution"))
  expect_identical(nrow(as.data.frame(parts)), 30L)
})

test_that("contributions to the cost print case by case", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
  days <- rbind(play_query(), transform(play_query(), outlook = "overcast"))
  flowers <- fit(bayes_naive(), Species ~ ., iris)
  expect_snapshot(contributions(model, days, cost))
  fair <- contributions(flowers, iris[c(107, 71), ], money(), order = "shapley")
  expect_output(print(fair), "\\(Shapley values\\)")
  expect_output(print(contributions(model, days[0, ], cost)), "^<.*: 0 cases, 4 blocks")
})

test_that("contributions add up to the costs of predictive distributions", {
  few <- fit(bayes_naive(), Species ~ ., iris[c(1:6, 51:56, 101:106), ])
  cases <- iris[c(71, 107), ]
  for (order in c("given", "shapley")) {
    parts <- contributions(few, cases, money(), order = order, estimate = "predictive")
    expected <- predict(few, cases, type = "cost", cost = money(), estimate = "predictive")
    expect_within(apply(parts, c(1, 3), sum), expected, 1e-12, scale = 10)
    plugin <- contributions(few, cases, money(), order = order)
    expect_gt(max(abs(apply(plugin, c(1, 3), sum) - expected)), 0.01)
  }
})
