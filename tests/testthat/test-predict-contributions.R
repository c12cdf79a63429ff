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
