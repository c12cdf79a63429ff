test_that("realised costs are those of each rule, followed by hand", {
  p <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
  model <- bayes_known(prior = c(ill = 0.1, well = 0.9), first = p, second = p)
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
  plan <- test_plan(model, cost, price = 0.1, visit = 0.01)
  data <- data.frame(
    first = c("pos", "pos", "neg", "neg", NA), second = c("pos", "neg", "pos", "neg", "pos"),
    class = c("ill", "ill", "ill", "well", "well")
  )
  found <- assess_plan(plan, data, truth = class)
  expect_identical(found$rule, c("plan", "now", "all", "myopic"))
  expect_identical(attr(found, "left_out"), 1L)
  expect_within(found$cost, c((0.22 * 2 + 0.11 * 2 + 16) / 4, 6, 0.21 + 4, 6), 1e-12)
  expect_within(found$tests, c(1.5, 0, 2, 0), 1e-12)
  expect_within(found$difference[-1], found$cost[-1] - found$cost[[1]], 1e-12)
  expect_true(all(found$lower[-1] <= found$difference[-1]))
  expect_error(assess_plan(plan, data[5, ], truth = class), class = "bayesrisk_error_data")
  expect_output(print(found), "1 row left out")
})

test_that("cases with another value than the plan was given are left out", {
  p <- rbind(a = c(p = 0.8, q = 0.2), b = c(0.3, 0.7))
  model <- bayes_known(prior = c(a = 0.6, b = 0.4), t = p, u = p)
  plan <- test_plan(model, zero_one_cost(model), price = 0.01, given = list(t = "p"))
  data <- data.frame(t = c("p", "q", "p"), u = c("p", "q", "q"), y = c("a", "b", "b"))
  found <- assess_plan(plan, data, truth = y)
  expect_identical(attr(found, "left_out"), 1L)
  expect_identical(
    plain_frame(found), plain_frame(assess_plan(plan, data[c(1, 3), -1], truth = y))
  )
  # What is given as unknown is a test.
  for (u in list(NA, "another")) {
    open <- suppressWarnings(
      test_plan(model, zero_one_cost(model), price = 0.01, given = list(t = "p", u = u))
    )
    expect_identical(plain_frame(assess_plan(open, data, truth = y)), plain_frame(found))
  }
  expect_error(assess_plan(plan, data[2, ], truth = y), "the t of", class = "bayesrisk_error_data")
})

test_that("a plan for another prior is assessed in this population", {
  p <- rbind(a = c(p = 0.9, q = 0.1), b = c(0.2, 0.8))
  model <- bayes_known(prior = c(a = 0.5, b = 0.5), t = p)
  data <- data.frame(t = c("p", "q", "p", "q", "q"), y = c("a", "a", "b", "b", "b"))
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0))
  plan <- test_plan(model, cost, price = 0.01, prior = c(a = 0.2, b = 0.8))
  found <- assess_plan(plan, data, truth = y)
  # Of a one of two is wrong at cost 1, of b one of three at cost 3.
  expect_identical(found$rule[1:2], c("plan", "now"))
  expect_within(found$cost[1:2], c(0.2, 0.2), 1e-12)
  free <- test_plan(model, zero_one_cost(model), price = 0.01, prior = c(a = 0.4, b = 0.6))
  found <- assess_plan(free, data, truth = y)
  expect_within(found$cost[1:2], c(0.4 / 2 + 0.6 / 3 + 0.01, 0.4), 1e-12)
  expect_within(found$tests[1:2], c(1, 0), 1e-12)
})

test_that("with many panels there is no price of all tests", {
  names <- paste0("f", 1:26)
  p <- rbind(a = c(p = 0.6, q = 0.4), b = c(0.4, 0.6))
  model <- do.call(
    bayes_known, c(list(prior = c(a = 0.5, b = 0.5)), stats::setNames(rep(list(p), 26), names))
  )
  blocks <- stats::setNames(split(names[1:26], rep(1:13, each = 2)), paste0("p", 1:13))
  expect_error(
    test_plan(model, NULL, price = 0.01, panels = blocks), "too many ways",
    class = "bayesrisk_error_argument"
  )
  withr::local_seed(2)
  data <- as.data.frame(matrix(stats::rnorm(40 * 26), 40))
  data$y <- rep(c("a", "b"), 20)
  pairs <- split(names(data)[1:26], rep(1:13, each = 2))
  pairs <- stats::setNames(pairs, paste0("p", 1:13))
  model <- fit(bayes_blocks(pairs), y ~ ., data)
  plan <- test_plan(model, zero_one_cost(model), price = 0.01, time = 0)
  expect_identical(plan$all, NA_real_)
  expect_false("all" %in% assess_plan(plan, data)$rule)
})

test_that("on draws of the model each rule costs what the plan says", {
  skip_on_cran()
  skip_if_not_installed("MASS")
  model <- fit(bayes_naive(), type ~ glu + bmi + ped, MASS::Pima.tr)
  cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)
  plan <- test_plan(model, cost, price = 0.1, max_depth = 1)
  drawn <- simulate(model, 2000, seed = 5)
  found <- assess_plan(plan, drawn, interval = "none")
  expect_identical(found$rule, c("plan", "tree", "now", "all", "myopic"))
  expected <- c(plan$value, plan$tree$cost[[1]], plan$now, plan$all, plan$myopic)
  expect_true(all(abs(found$cost - expected) < 0.2))
  # Case by case as by hand.
  paid <- cost_by_tree(plan, drawn, as.character(drawn$type))
  expect_within(found$cost[[2]], mean(paid), 1e-12)
})
