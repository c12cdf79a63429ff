two_tests_model <- function() {
  p <- rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
  bayes_known(prior = c(ill = 0.1, well = 0.9), first = p, second = p)
}
two_tests_cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))

pima_cost <- cost_matrix(treat = c(No = 3, Yes = 1), leave = c(No = 0, Yes = 15), refer = 2)
pima_price <- c(glu = 0.2, bmi = 0.1, age = 0.1, ped = 0.1, npreg = 0.1)

test_that("two tests pay where neither does alone (contract: .423)", {
  plan <- test_plan(two_tests_model(), two_tests_cost, price = 0.1)
  expect_within(plan$value, 0.423, 1e-12)
  expect_true(plan$exact)
  expect_within(plan$lower, 0.423, 1e-12)
  expect_identical(plan$upper, plan$value)
  expect_within(c(plan$now, plan$myopic), c(0.8, 0.8), 1e-12)
  # Both at once: .2, and 8 for ill cases with fewer than two positives, 4 for well ones with two.
  expect_within(plan$all, 0.2 + 0.1 * 0.19 * 8 + 0.9 * 0.04 * 4, 1e-12)
  tree <- plan$tree
  expect_identical(tree$test, c("first", "second", NA, NA, NA))
  expect_identical(tree$action, c(NA, NA, "treat", "wait", "wait"))
  expect_identical(tree$answer, c(NA, "pos", "pos", "neg", "neg"))
  expect_within(tree$probability, c(1, 0.27, 0.117 / 0.27, 0.153 / 0.27, 0.73), 1e-12)
  expect_within(tree$cost[[1]], 0.423, 1e-12)
})

test_that("random problems agree with an exhaustive search", {
  withr::local_seed(20)
  for (i in seq_len(if (Sys.getenv("NOT_CRAN") == "true") 500 else 15)) {
    classes <- sample(2:4, 1)
    sizes <- sample(2:3, if (i %% 10 == 0) 4 else sample(2:3, 1), TRUE)
    if (i %% 7 == 0) sizes[[1]] <- 4
    problem <- random_tests(classes, sizes)
    price <- problem$price
    tests <- lapply(seq_along(sizes), function(j) list(features = j, price = price[[j]]))
    panels <- NULL
    if (i %% 3 == 0) {
      panels <- list(both = c("t1", "t2"))
      alone <- if (i %% 2 == 0) seq_along(sizes) else seq_along(sizes)[-(1:2)]
      price <- c(price[alone], both = stats::runif(1, 0, 0.6))
      tests <- c(tests[alone], list(list(features = 1:2, price = price[["both"]])))
    }
    visit <- if (i %% 5 == 0) 0.1 else 0
    steps <- if (i %% 4 == 0) i %% 3 else Inf
    model <- do.call(bayes_known, c(list(prior = problem$prior), problem$likelihoods))
    cost <- suppressWarnings(cost_of_matrix(problem$cost, names(problem$prior)))
    plan <- test_plan(model, cost, price, panels = panels, visit = visit, max_tests = steps)
    search <- function(...) {
      search_tests(
        problem$prior, product_table(problem$likelihoods), problem$cost, tests, visit, steps, ...
      )
    }
    expect_within(c(plan$value, plan$lower, plan$tree$cost[[1]]), rep(search(), 3), 1e-10)
    if (is.null(panels)) expect_within(plan$myopic, search(myopic = TRUE), 1e-10)
  }
})

test_that("features of a joint table are tested one by one, each given the others", {
  joint <- data.frame(
    a = rep(c("x", "y"), each = 20), b = rep(c("u", "v", "w", "u"), 10),
    y = rep(c("k", "l", "k", "l", "l"), 8)
  )
  joint$y[joint$a == "x" & joint$b == "u"] <- "k"
  joint$c <- rep(c("p", "q"), 20)
  spec <- bayes_blocks(list(c("a", "b")), laplace = 1)
  model <- fit(spec, y ~ a + b + c, joint)
  cost <- cost_matrix(k = c(k = 0, l = 3), l = c(k = 4, l = 0))
  plan <- test_plan(model, cost, price = 0.1)
  grid <- expand.grid(a = c("x", "y"), b = c("u", "v", "w"), c = c("p", "q"))
  prior <- model$parameters$prior
  likelihood <- predict(model, grid, type = "likelihood")
  table <- lapply(1:2, function(k) array(likelihood[, k], c(2, 3, 2)))
  tests <- lapply(1:3, function(j) list(features = j, price = 0.1))
  matrix <- rbind(c(0, 3), c(4, 0))
  expect_within(plan$value, search_tests(prior, table, matrix, tests), 1e-10)
  given <- test_plan(model, cost, price = 0.1, given = list(a = "x"))
  table <- lapply(table, function(p) array(p[1, , ], c(1, 3, 2)))
  p <- vapply(table, sum, 1) * prior
  table <- lapply(table, function(t) t / sum(t))
  expect_within(
    given$value, search_tests(p / sum(p), table, matrix, tests[2:3]), 1e-10
  )
})

test_that("five numbers of Pima: value 1.7635, repeated next_feature() 1.8008", {
  skip_on_cran()
  skip_if_not_installed("MASS")
  model <- fit(bayes_naive(), type ~ glu + bmi + age + ped + npreg, MASS::Pima.tr)
  plan <- test_plan(model, pima_cost, pima_price)
  expect_lte(plan$value - plan$lower, 1e-3 * plan$now)
  expect_within(plan$value, 1.7635, 1e-3)
  expect_within(plan$myopic, 1.8008, 5e-3)
  expect_within(c(plan$all, plan$now), c(1.916, 2), 1e-3)
  expect_within(plan$tree$cost[[1]], plan$value + plan$loss, 1e-12)
})

test_that("quartiles of the same features: 1.722674 and 1.779137", {
  skip_if_not_installed("MASS")
  data <- MASS::Pima.tr
  for (name in names(pima_price)) {
    cuts <- unique(c(-Inf, stats::quantile(data[[name]], 1:3 / 4), Inf))
    data[[name]] <- cut(data[[name]], cuts)
  }
  model <- fit(bayes_naive(laplace = 1), type ~ glu + bmi + age + ped + npreg, data)
  plan <- test_plan(model, pima_cost, pima_price)
  expect_within(plan$value, 1.722674, 1e-6)
  expect_within(plan$myopic, 1.779137, 1e-6)
})

test_that("cases that follow the printed tree cost what it says", {
  skip_on_cran()
  skip_if_not_installed("MASS")
  data <- MASS::Pima.tr
  data$old <- cut(data$age, c(0, 30, 40, 100))
  kinds <- list(
    numbers = list(), gamma = list(glu = likelihood_gamma()),
    kernel = list(glu = likelihood_kernel()), mixture = list(glu = likelihood_mixture(2)),
    histogram = list(glu = likelihood_histogram()), counts = list(npreg = likelihood_poisson()),
    dispersed = list(npreg = likelihood_negative_binomial())
  )
  z <- vapply(kinds, function(kind) {
    spec <- bayes_naive(features = if (length(kind)) kind, laplace = 1)
    model <- fit(spec, type ~ glu + npreg + old, data)
    plan <- test_plan(model, pima_cost, price = 0.1)
    expect_lte(plan$value - plan$lower, 1e-3 * plan$now)
    drawn <- simulate(model, 4000, seed = 3)
    cost <- cost_by_tree(plan, drawn, as.character(drawn$type))
    (mean(cost) - plan$tree$cost[[1]]) / stats::sd(cost) * sqrt(4000)
  }, 1)
  expect_true(all(abs(z) < 3))
})

test_that("50 random problems cost what their trees say", {
  skip_on_cran()
  withr::local_seed(7)
  z <- vapply(1:50, function(i) {
    problem <- random_tests(if (i %% 3 == 0) 3 else 2, c(3, 2))
    names <- names(problem$prior)
    means <- stats::setNames(stats::rnorm(length(names)), names)
    model <- do.call(bayes_known, c(
      list(prior = problem$prior, x = likelihood_gaussian(mean = means, sd = 1)),
      problem$likelihoods
    ))
    cost <- suppressWarnings(cost_of_matrix(problem$cost, names))
    plan <- test_plan(model, cost, price = stats::runif(1, 0, 0.2), tolerance = 1e-2)
    drawn <- simulate(model, 2000, seed = i)
    paid <- cost_by_tree(plan, drawn, as.character(drawn$class))
    off <- mean(paid) - plan$tree$cost[[1]]
    if (abs(off) < 1e-12) 0 else off / stats::sd(paid) * sqrt(2000)
  }, 1)
  expect_true(all(abs(z) < 3.5))
  # Together they are standard normal: 50 squares have the mean 1 and the standard deviation .2.
  expect_lte(mean(z^2), 1.6)
})

test_that("three classes and numbers: the bounds meet", {
  skip_on_cran()
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    setosa = c(setosa = 0, versicolor = 3, virginica = 6),
    versicolor = c(setosa = 3, versicolor = 0, virginica = 2),
    virginica = c(setosa = 5, versicolor = 1, virginica = 0), ask = 0.8
  )
  plan <- test_plan(model, cost, price = 0.3, features = c("Petal.Length", "Petal.Width"))
  expect_lte(plan$value - plan$lower, 1e-3 * plan$now)
  drawn <- simulate(model, 4000, seed = 1)
  paid <- cost_by_tree(plan, drawn, as.character(drawn$Species))
  expect_lte(abs(mean(paid) - plan$tree$cost[[1]]), 3 * stats::sd(paid) / sqrt(4000))
})

test_that("four classes and five numbers: the bounds meet", {
  skip_on_cran()
  withr::local_seed(1)
  classes <- letters[1:4]
  means <- matrix(stats::rnorm(20), 4, dimnames = list(classes, NULL))
  model <- do.call(bayes_known, c(
    list(prior = stats::setNames(rep(0.25, 4), classes)),
    lapply(stats::setNames(1:5, paste0("x", 1:5)), function(j) {
      likelihood_gaussian(mean = means[, j], sd = 1)
    })
  ))
  plan <- test_plan(model, price = 0.15)
  expect_lte(plan$value - plan$lower, 1e-3 * plan$now)
  expect_lte(plan$lower, plan$value)
  first <- predict(plan, as.data.frame(as.list(means[1, ] * NA), col.names = paste0("x", 1:5)))
  expect_within(first$cost, plan$value, 1e-3 * plan$now)
  drawn <- simulate(model, 4000, seed = 1)
  paid <- cost_by_tree(plan, drawn, as.character(drawn$class))
  expect_lte(abs(mean(paid) - plan$tree$cost[[1]]), 3 * stats::sd(paid) / sqrt(4000))
})

test_that("an infinite cost is kept: only certainty allows the action", {
  model <- bayes_known(
    prior = c(ill = 0.1, well = 0.9), test = rbind(ill = c(pos = 1, neg = 0), well = c(0.2, 0.8))
  )
  cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = Inf, well = 0))
  plan <- test_plan(model, cost, price = 0.5)
  # A negative test excludes the disease: 3.6 now, .5 + .28 * 4 * .18 / .28 with the test.
  expect_within(c(plan$now, plan$value), c(3.6, 0.5 + 0.18 * 4), 1e-12)
  none <- cost_matrix(treat = c(ill = 0, well = Inf), wait = c(ill = Inf, well = 0))
  expect_identical(test_plan(model, none, price = 0.5)$value, Inf)
  numbers <- bayes_known(
    prior = c(ill = 0.1, well = 0.9), x = likelihood_gaussian(mean = c(ill = 0, well = 1), sd = 1)
  )
  expect_identical(test_plan(numbers, none, price = 0.5)$value, Inf)
  expect_lte(test_plan(numbers, cost, price = 0.5, time = 0)$value, 3.6)
})

test_that("many tests: bounds within the time, and the gap is told", {
  skip_on_cran()
  withr::local_seed(4)
  tests <- lapply(stats::setNames(nm = paste0("x", 1:20)), function(name) {
    likelihood_gaussian(mean = c(a = 0, b = stats::runif(1, 0.2, 1.2)), sd = 1)
  })
  model <- do.call(bayes_known, c(list(prior = c(a = 0.7, b = 0.3)), tests))
  cost <- cost_matrix(a = c(a = 0, b = 10), b = c(a = 5, b = 0))
  price <- stats::setNames(stats::runif(20, 0.05, 0.4), names(tests))
  plan <- test_plan(model, cost, price, time = 3)
  expect_false(plan$exact)
  expect_lte(plan$lower, plan$value)
  expect_lt(plan$value, plan$now)
  drawn <- simulate(model, 2000, seed = 2)
  found <- assess_plan(plan, drawn, truth = drawn$class, interval = "none")
  expect_lt(found$cost[[1]], found$cost[found$rule == "now"])
})

test_that("pruning states its loss", {
  plan <- test_plan(two_tests_model(), two_tests_cost, price = 0.1, max_depth = 1)
  expect_within(plan$value, 0.423, 1e-12)
  expect_within(plan$loss, 0.8 - 0.423, 1e-12)
  expect_identical(nrow(plan$tree), 1L)
  rare <- test_plan(two_tests_model(), two_tests_cost, price = 0.1, min_probability = 0.3)
  expect_within(rare$tree$cost[[1]], rare$value + rare$loss, 1e-12)
})

test_that("no step of a pruned tree is at a rare node", {
  skip_if_not_installed("MASS")
  model <- fit(bayes_naive(), type ~ glu + bmi + age, MASS::Pima.tr)
  for (least in c(0.02, 0.05)) {
    plan <- test_plan(model, pima_cost, 0.05, min_probability = least)
    expect_gte(min(reach_of(plan$tree)[!is.na(plan$tree$test)]), least)
    expect_within(plan$tree$cost[[1]], plan$value + plan$loss, 1e-12)
  }
})

test_that("the cost of the tree by class is that of any prior", {
  plan <- test_plan(two_tests_model(), two_tests_cost, price = 0.1)
  # The second test follows a positive first one. The 19 % of the ill who are not positive twice
  # wait, and 4 % of the well are treated.
  by_class <- c(ill = 0.1 + 0.9 * 0.1 + 0.19 * 8, well = 0.1 + 0.2 * 0.1 + 0.04 * 4)
  expect_within(plan$class_costs, by_class, 1e-12)
  expect_within(sum(plan$prior * plan$class_costs), plan$tree$cost[[1]], 1e-12)
})

test_that("a level may be an empty text", {
  p <- rbind(a = c(0.7, 0.2, 0.1), b = c(0.2, 0.2, 0.6))
  colnames(p) <- c("", "u", "v")
  model <- bayes_known(prior = c(a = 0.5, b = 0.5), t = p)
  plan <- test_plan(model, NULL, price = 0.01)
  expect_true("" %in% unlist(plan$levels))
  expect_false(any(grepl("costs least", plan$tree$answer)))
})

test_that("answers that are counts are whole numbers", {
  model <- bayes_known(
    prior = c(a = 0.5, b = 0.5), n = likelihood_poisson(rate = c(a = 1, b = 6))
  )
  plan <- test_plan(model, cost_matrix(a = c(a = 0, b = 3), b = c(a = 3, b = 0)), price = 0.1)
  # The odds e^-5 6^n are 1 at n = 5 / log(6) = 2.8.
  expect_identical(plan$tree$answer, c(NA, "<= 2", ">= 3"))
  expect_identical(plan$tree$from[-1L], c(-Inf, 3))
  expect_identical(
    count_answers_of(c(-Inf, 1, 2, 5), c(1, 2, 5, Inf)), c("0", "1", "2 to 4", ">= 5")
  )
})

test_that("one count is worth its exact risk, whatever its mean", {
  cost <- zero_one_cost(c("a", "b"))
  for (mean in c(10, 1e6, 1e12, 3e15)) {
    model <- bayes_known(
      c(a = 0.5, b = 0.5), x = likelihood_negative_binomial(1.5, c(a = mean, b = 3 * mean))
    )
    plan <- test_plan(model, cost, price = 0.01)
    exact <- bayes_risk(model, cost)$total + 0.01
    expect_within(plan$value, exact, 1e-3)
    expect_lte(plan$lower, exact + 1e-9)
  }
})

test_that("single values and bins are planned as the levels they are", {
  withr::local_seed(1)
  value <- function(p) sample(c(0, 1, 3.5), 300, TRUE, p)
  data <- data.frame(y = rep(c("a", "b", "c"), each = 100))
  for (name in c("u", "v", "w")) {
    data[[name]] <- c(value(c(5, 3, 2)), value(c(2, 5, 3)), value(c(1, 3, 6)))[
      rep(c(0, 300, 600), each = 100) + seq_len(300)
    ]
  }
  cost <- cost_matrix(a = c(a = 0, b = 4, c = 2), b = c(a = 1, b = 0, c = 5), ref = 0.8)
  price <- c(u = 0.02, v = 0.03, w = 0.06)
  levels <- test_plan(fit(bayes_naive(), y ~ ., transform(
    data, u = factor(u), v = factor(v), w = factor(w)
  )), cost, price)
  expect_true(levels$exact)
  bins <- likelihood_histogram(breaks = c(-0.5, 0.5, 2, 4))
  for (likelihood in list(likelihood_empirical(), bins)) {
    model <- fit(bayes_naive(numeric = likelihood), y ~ ., data)
    plan <- test_plan(model, cost, price)
    expect_within(plan$value, levels$value, 1e-9)
    expect_true(plan$exact)
    expect_within(plan$myopic, levels$myopic, 1e-9)
  }
})

test_that("values that a class lacks end its infinite cost", {
  data <- data.frame(x = c(0.5, 0.2, 0.8, 1.2, 1.5, 1.8), y = rep(c("a", "b"), each = 3))
  cost <- cost_matrix(A = c(a = 0, b = Inf), B = c(a = Inf, b = 0))
  for (likelihood in list(likelihood_empirical(), likelihood_histogram(breaks = 0:2))) {
    model <- fit(bayes_naive(numeric = likelihood), y ~ x, data)
    plan <- test_plan(model, cost, price = 0.1)
    expect_within(c(plan$value, plan$lower, plan$tree$cost[[1L]]), rep(0.1, 3), 1e-12)
    expect_within(assess_plan(plan, data)$cost[[1L]], 0.1, 1e-12)
  }
  # Below the least probability of a step a bin still ends the infinite cost.
  four <- data.frame(x = c(rep(0.5, 9), 1.5, rep(2.5, 9)), y = rep(c("a", "b"), c(10, 9)))
  model <- fit(bayes_naive(numeric = likelihood_histogram(breaks = 0:3)), y ~ x, four)
  plan <- test_plan(model, cost, price = 0.1, min_probability = 0.2)
  expect_within(c(plan$value, plan$tree$cost[[1L]]), c(0.1, 0.1), 1e-12)
  # A tree of too many nodes.
  levels <- paste0("l", 1:1500)
  sure <- matrix(0, 2, 1500, dimnames = list(c("a", "b"), levels))
  sure[cbind(rep(1:2, 750), 1:1500)] <- 1 / 750
  model <- bayes_known(prior = c(a = 0.5, b = 0.5), t = sure, u = sure)
  expect_identical(test_plan(model, cost, price = 0.1)$lower, 0.1)
  # Under a normal each value is possible, however improbable.
  plan <- test_plan(fit(bayes_naive(), y ~ x, data), cost, price = 0.1)
  expect_identical(plan$value, Inf)
})

test_that("the test that ends an infinite cost is found among many", {
  weak <- rbind(a = c(u = 0.55, v = 0.45), b = c(0.45, 0.55))
  sure <- rbind(a = c(u = 1, v = 0), b = c(0, 1))
  tests <- c(rep(list(weak), 15), list(sure))
  names(tests) <- paste0("t", seq_along(tests))
  model <- do.call(bayes_known, c(list(prior = c(a = 0.5, b = 0.5)), tests))
  cost <- cost_matrix(A = c(a = 0, b = Inf), B = c(a = Inf, b = 0))
  plan <- test_plan(model, cost, price = 0.1)
  expect_within(c(plan$value, plan$lower), c(0.1, 0.1), 1e-12)
  # Without it there is no plan of a finite cost.
  plan <- test_plan(model, cost, price = 0.1, features = paste0("t", 1:3))
  expect_identical(c(plan$value, plan$lower), c(Inf, Inf))
})

test_that("a tree of too many nodes leaves out steps, at last all", {
  p <- rbind(a = c(x = 0.6, y = 0.4), b = c(0.4, 0.6))
  names <- paste0("t", 1:12)
  model <- do.call(
    bayes_known, c(list(prior = c(a = 0.5, b = 0.5)), stats::setNames(rep(list(p), 12), names))
  )
  wrong <- stats::pbinom(5, 12, 0.6) + stats::dbinom(6, 12, 0.6) / 2
  price <- 0.999 * (0.5 - wrong)
  plan <- test_plan(model, zero_one_cost(model), price, panels = list(lab = names))
  expect_within(plan$value, wrong + price, 1e-12)
  expect_within(plan$tree$cost[[1L]], plan$value + plan$loss, 1e-12)
  expect_lte(nrow(plan$tree), 1000)
})

test_that("answers of a probability near the least double have a plan", {
  rare <- function(p, a, b) rbind(a = c(u = p, v = a - p, w = 1 - a), b = c(p, b - p, 1 - b))
  model <- bayes_known(
    prior = c(a = 0.5, b = 0.5), t1 = rare(1e-161, 0.6, 0.3), t2 = rare(2e-162, 0.9, 0.1),
    t3 = rbind(a = stats::setNames(rep(0.05, 20), letters[1:20]), b = rep(0.05, 20))
  )
  plan <- test_plan(model, zero_one_cost(model))
  expect_within(plan$value, bayes_risk(model)$total, 1e-12)
})

test_that("many classes have a plan", {
  classes <- paste0("c", 1:70)
  model <- bayes_known(
    stats::setNames(rep(1 / 70, 70), classes),
    x = likelihood_gaussian(mean = stats::setNames(1:70, classes), sd = 0.5)
  )
  # Whatever the time: the first step is always compared with the decision.
  plan <- test_plan(model, zero_one_cost(model), price = 0.01, time = 0.1)
  exact <- bayes_risk(model)$total + 0.01
  expect_lte(plan$lower, exact)
  expect_gte(plan$value, exact)
  expect_lt(plan$value, exact + 0.1)
})

test_that("columns of the cost are given, too", {
  model <- bayes_known(
    prior = c(a = 0.6, b = 0.4), t = rbind(a = c(p = 0.8, q = 0.2), b = c(0.3, 0.7))
  )
  cost <- cost_matrix(go = list(a = ~amount, b = 0), stay = c(a = 0, b = 9))
  plan <- test_plan(model, cost, price = 0.1, given = list(amount = 3))
  same <- test_plan(model, cost_matrix(go = c(a = 3, b = 0), stay = c(a = 0, b = 9)), price = 0.1)
  expect_identical(plan$tree, same$tree)
  expect_identical(plan$given, NULL)
  expect_error(test_plan(model, cost, given = list(amont = 3)), "amont")
  open <- list(amount = NA)
  expect_error(
    test_plan(model, cost, given = open), "not known", class = "bayesrisk_error_argument"
  )
})

test_that("bad input is named", {
  model <- two_tests_model()
  bad <- function(...) expect_error(test_plan(...), class = "bayesrisk_error_argument")
  expect_match(conditionMessage(bad(model, two_tests_cost, c(first = 1, thrid = 1))), "thrid")
  expect_match(conditionMessage(bad(model, two_tests_cost, -1)), "price")
  expect_match(conditionMessage(bad(model, two_tests_cost, c(first = 1))), "second")
  expect_match(conditionMessage(bad(model, two_tests_cost, 1, panels = list("first"))), "panels")
  expect_match(
    conditionMessage(bad(model, two_tests_cost, 1, panels = list(first = "second"))), "first"
  )
  misspelt <- list(frist = "pos")
  expect_match(conditionMessage(bad(model, two_tests_cost, 1, given = misspelt)), "frist")
  expect_match(conditionMessage(bad(model, two_tests_cost, 1e308, visit = 1e308)), "visit")
  kernel <- fit(bayes_naive(numeric = likelihood_kernel()), Species ~ ., iris)
  kernel <- suppressMessages(temper(kernel, iris))
  if (any(kernel$parameters$temper$power != 1)) {
    expect_match(conditionMessage(bad(kernel, NULL, 1)), "closed form")
  }
})

test_that("a number of a joint block is a test if the others are given", {
  skip_on_cran()
  model <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width, iris)
  plan <- test_plan(model, NULL, price = 0.01, given = list(Petal.Length = 4.9))
  expect_identical(plan$tests$test, "Petal.Width")
  one <- next_feature(model, data.frame(Petal.Length = 4.9, Petal.Width = NA), price = 0.01)
  expect_within(plan$value, one$cost_after + 0.01, 1e-3 * plan$now)
})
