naive_and_full <- function(formula, data = iris) {
  list(naive = fit(bayes_naive(), formula, data), full = fit(bayes_full(), formula, data))
}

bivariate <- function(y) list(full = bivariate_full(y), naive = bivariate_naive(y))

test_that("iris: agreement and errors of naive and full", {
  all <- compare_decisions(naive_and_full(Species ~ .), data = iris)
  expect_identical(all$agree, c(150L, 145L))
  expect_identical(all$errors, c(6L, 3L))
  expect_equal(all$cost, c(6, 3) / 150, tolerance = 1e-14)
  expect_true(all(is.na(all[c("risk", "believed", "gap")])))
  sepal <- compare_decisions(naive_and_full(Species ~ Sepal.Length + Sepal.Width), data = iris)
  expect_identical(sepal$agree, c(150L, 145L))
  expect_identical(sepal$errors, c(33L, 30L))
  petal <- compare_decisions(naive_and_full(Species ~ Petal.Length + Petal.Width), data = iris)
  expect_identical(petal$agree, c(150L, 147L))
  expect_identical(petal$errors, c(6L, 3L))
})

test_that("the bivariate worlds: what naive costs and what it believes", {
  near <- compare_decisions(bivariate(0.5), world = "full")
  expect_equal(near$risk, c(.0552241805, .2607318469), tolerance = 1e-8)
  expect_equal(near$believed, c(.0552241805, .4062886243), tolerance = 1e-8)
  expect_equal(near$gap, c(0, .2607318469 - .4062886243), tolerance = 1e-8)
  apart <- compare_decisions(bivariate(6), world = "full")
  expect_equal(apart$risk, c(.0059843906, .0207031779), tolerance = 1e-8)
  expect_equal(apart$believed[[2]], .0220995636, tolerance = 1e-7)
  expect_true(all(is.na(near[c("agree", "errors", "cost")])))
})

test_that("costs, truths, class orders and undecided cases", {
  skip_on_cran()
  cost <- cost_matrix(
    setosa = c(setosa = 0, versicolor = 1, virginica = 5),
    versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
    virginica = c(setosa = 1, versicolor = 1, virginica = 0), ask = 0.4
  )
  models <- naive_and_full(Species ~ .)
  compared <- compare_decisions(models, data = iris, cost = cost, world = "naive")
  assessed <- lapply(models, assess_decisions, iris, cost)
  expect_equal(compared$cost, vapply(assessed, `[[`, 1, "cost"), ignore_attr = TRUE)
  expect_equal(compared$errors / 150, vapply(assessed, `[[`, 1, "error"), ignore_attr = TRUE)
  decided <- lapply(models, function(m) as.character(decide(m, iris, cost)$decision))
  expect_identical(compared$agree[[2]], sum(decided$naive == decided$full))
  risk <- bayes_risk(models$naive, cost, rule = models$full)
  expect_identical(compared$risk[[2]], risk$total)
  expect_identical(compared$believed[[2]], risk$believed)
  turned <- transform(iris, Species = factor(Species, rev(levels(Species))))
  both <- list(naive = models$naive, turned = fit(bayes_naive(), Species ~ ., turned))
  expect_identical(compare_decisions(both, data = iris)$agree, c(150L, 150L))
  holes <- iris
  holes$Species[1:2] <- NA
  holes$Sepal.Length[[4]] <- Inf
  expect_warning(
    expect_warning(
      found <- compare_decisions(models, data = holes), class = "bayesrisk_warning_missing"
    ), "infinite"
  )
  expect_identical(attr(found, "cases"), 147)
  expect_identical(attr(found, "left_out"), c(truth = 2, decision = 1, cost = 0))
  expect_identical(found$agree[[1]], 147L)
  by_case <- cost_matrix(
    setosa = list(setosa = 0, versicolor = ~ Petal.Width, virginica = 2), versicolor = 1,
    virginica = list(setosa = 3, versicolor = 1, virginica = 0)
  )
  expect_equal(
    compare_decisions(models, data = iris, cost = by_case)$cost[[2]],
    assess_decisions(models$full, iris, by_case)$cost
  )
  known <- bivariate(6)
  cases <- simulate(known$full, 40, seed = 1)
  truth <- cases[[setdiff(names(cases), c("x", "y"))]]
  expect_identical(
    compare_decisions(known, data = cases, truth = truth)$errors[[1]],
    sum(predict(known$full, cases) != truth)
  )
  neither <- compare_decisions(models, data = iris, cost = flat_cost(go = 1, stay = 2))
  expect_identical(neither$errors, c(NA_integer_, NA_integer_))
})

test_that("a case that one model cannot decide is no agreement of the others", {
  bins <- likelihood_histogram(breaks = seq(1, 7, 0.5))
  models <- list(
    first = fit(bayes_naive(), Species ~ Petal.Length, iris),
    same = fit(bayes_naive(), Species ~ Petal.Length, iris),
    bins = fit(bayes_naive(numeric = bins), Species ~ Petal.Length, iris)
  )
  far <- iris
  far$Petal.Length[1:3] <- 0
  found <- suppressWarnings(compare_decisions(models, data = far))
  expect_identical(attr(found, "cases"), 147)
  expect_identical(found$agree[1:2], c(147L, 147L))
  expect_bayesrisk_error(
    compare_decisions(models, data = iris[0, ]), "argument", "no case to compare\\."
  )
})

test_that("odd arguments are refused by design", {
  models <- naive_and_full(Species ~ Petal.Length)
  expect_bayesrisk_error(compare_decisions(models), "argument", "world")
  expect_bayesrisk_error(compare_decisions(unname(models), data = iris), "argument", "name")
  expect_bayesrisk_error(compare_decisions(models, data = iris, wrld = "full"), "argument", "wrld")
  expect_bayesrisk_error(compare_decisions(models, world = "fulll"), "argument", "full")
  fewer <- fit(bayes_naive(), Species ~ Sepal.Length, iris)
  uneven <- list(few = fewer, all = fit(bayes_naive(), Species ~ ., iris))
  expect_bayesrisk_error(
    compare_decisions(uneven, world = "few"), "argument", "lacks Sepal.Width"
  )
  other <- c(models, list(tennis = fit(bayes_naive(), play ~ wind, play_tennis)))
  expect_bayesrisk_error(compare_decisions(other, data = iris), "argument", "tennis")
  unknown <- transform(iris, Species = factor(NA, levels(Species)))
  expect_bayesrisk_error(
    suppressWarnings(compare_decisions(models, data = unknown)), "argument", "no case"
  )
  given <- list(object = models, data = iris[c(1, 60, 120), ])
  for (arg in c("object", "data", "cost", "world", "truth", "seed", "threads")) {
    expect_fuzz_proof(
      function(...) suppressWarnings(compare_decisions(...)), arg, given, is.data.frame,
      "bayesrisk_error"
    )
  }
})

test_that("what is wrong with the data is said once, whatever the number of models", {
  tennis <- list(
    naive = fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis),
    full = fit(bayes_full(laplace = 1), play ~ outlook + wind, play_tennis)
  )
  days <- transform(play_tennis, outlook = replace(as.character(outlook), 1:2, "fog"))
  said <- character()
  withCallingHandlers(compare_decisions(tennis, data = days), bayesrisk_warning = function(w) {
    said <<- c(said, conditionMessage(w))
    rlang::cnd_muffle(w)
  })
  expect_length(said, 1)
  expect_match(said, "outlook")
})

test_that("probabilities of other classifiers and decisions are compared like models", {
  models <- naive_and_full(Species ~ Petal.Length + Sepal.Width)
  cost <- cost_matrix(
    setosa = c(setosa = 0, versicolor = 1, virginica = 5),
    versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
    virginica = c(setosa = 1, versicolor = 1, virginica = 0)
  )
  expected <- compare_decisions(models, data = iris, cost = cost, world = "naive")
  tables <- lapply(models, predict, iris, type = "prob")
  decided <- lapply(models, decide, iris, cost)
  shown <- c("agree", "errors", "cost")
  of <- function(...) as.data.frame(compare_decisions(..., cost = cost))[shown]
  plain <- as.data.frame(expected)[shown]
  expect_equal(of(models$naive, models$full, iris), plain)
  expect_equal(of(models$naive, tables$full[, 3:1], iris), plain)
  expect_equal(of(tables$naive, as.data.frame(tables$full), truth = iris$Species), plain)
  expect_equal(of(tables, truth = iris$Species), plain)
  expect_equal(of(decided, truth = iris$Species), plain)
  mixed <- compare_decisions(models["naive"], tables["full"], iris, cost, world = "naive")
  expect_identical(mixed$model, c("naive", "full"))
  expect_equal(mixed$risk, c(expected$risk[[1]], NA))
  # Each model in its world, and in the data, under another prior.
  prior <- c(setosa = 0.1, versicolor = 0.2, virginica = 0.7)
  by_prior <- compare_decisions(models, data = iris, cost = cost, prior = prior, world = "naive")
  updated <- lapply(models, update, prior = prior)
  # The classes have equal shares of the rows.
  by_weight <- compare_decisions(
    updated, data = iris, cost = cost, world = "naive", weights = 3 * prior[as.character(Species)]
  )
  estimates <- setdiff(names(by_prior), c("lower", "upper", "p_value"))
  expect_equal(as.data.frame(by_prior)[estimates], as.data.frame(by_weight)[estimates])
  expect_equal(
    of(tables, truth = iris$Species, prior = prior, trained_prior = rep(1 / 3, 3)),
    as.data.frame(by_prior)[shown]
  )
  expect_equal(
    of(models$naive, tables$full, iris, prior = prior, trained_prior = rep(1 / 3, 3)),
    as.data.frame(by_prior)[shown]
  )
})

test_that("tables that cannot be compared are refused", {
  models <- naive_and_full(Species ~ Petal.Length)
  table <- predict(models$naive, iris, type = "prob")
  refuse <- function(text, ...) expect_bayesrisk_error(compare_decisions(...), "argument", text)
  refuse("must be given", table, table)
  refuse("truth", table, table, iris)
  refuse("must be the classes", models, table[, 1:2], iris)
  refuse("fitted model", models, list(other = "naive"), iris)
  refuse("trained_prior", models, table, iris, prior = "uniform")
  refuse("150 values for 149", models, table[-1, ], iris)
  refuse("must be one of", models, table, iris, world = "other")
})

test_that("models print side by side", {
  models <- list(
    naive = fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis),
    full = fit(bayes_full(laplace = 1), play ~ outlook + wind, play_tennis)
  )
  open <- play_tennis
  open$play[[1]] <- NA
  expect_snapshot(suppressWarnings(compare_decisions(models, data = open, world = "naive")))
  expect_no_match(capture.output(print(compare_decisions(models, data = play_tennis))), "risk")
  in_world <- compare_decisions(models, world = "full")
  expect_no_match(capture.output(print(in_world)), "agree")
  expect_output(print(in_world[2, ]), "^<1 row>")
})

test_that("differences are paired, with McNemar's exact test for 0-1 cost", {
  models <- naive_and_full(Species ~ Petal.Length + Sepal.Width)
  found <- compare_decisions(models, data = iris)
  wrong <- lapply(models, function(m) predict(m, iris) != iris$Species)
  expect_equal(found$difference, c(NA, mean(wrong$full) - mean(wrong$naive)))
  better <- sum(wrong$naive & !wrong$full)
  worse <- sum(wrong$full & !wrong$naive)
  expect_equal(found$p_value[[2L]], stats::binom.test(better, better + worse)$p.value)
  expect_true(found$lower[[2L]] <= found$difference[[2L]])
  expect_true(found$upper[[2L]] >= found$difference[[2L]])
  # A case of weight 2 counts twice.
  weight <- rep_len(1:3, 150)
  copies <- compare_decisions(models, data = iris[rep(1:150, weight), ])
  weighted <- compare_decisions(models, data = iris, weights = weight)
  estimates <- c("agree", "errors", "cost", "difference")
  expect_equal(as.data.frame(weighted)[estimates], as.data.frame(copies)[estimates])
  expect_false(isTRUE(all.equal(weighted$p_value, copies$p_value)))
  grouped <- compare_decisions(models, data = iris, cluster = rep(1:15, 10))
  expect_identical(grouped$difference, found$difference)
})

test_that("the difference of equal models covers 0, and its test has its size", {
  skip_on_cran()
  prior <- c(a = 0.7, b = 0.3)
  feature <- likelihood_gaussian(mean = c(a = 0, b = 1.5), sd = 1)
  world <- bayes_known(prior, x = feature, z = feature)
  models <- list(by_x = bayes_known(prior, x = feature), by_z = bayes_known(prior, z = feature))
  costs <- list(
    zero_one_cost(c("a", "b")),
    cost_matrix(treat = c(a = 1, b = 0), leave = c(a = 0, b = 5))
  )
  for (cost in costs) {
    runs <- vapply(1:150, function(seed) {
      cases <- simulate(world, 100, seed = seed)
      found <- suppressWarnings(compare_decisions(
        models, data = cases[c("x", "z")], cost = cost, truth = cases[[1L]]
      ))
      c(found$lower[[2L]] <= 0 && 0 <= found$upper[[2L]], found$p_value[[2L]] < 0.05)
    }, c(NA, NA))
    # Three standard errors about .95 and .05.
    expect_gte(mean(runs[1L, ]), 0.897)
    expect_lte(mean(runs[2L, ]), 0.103)
  }
})
