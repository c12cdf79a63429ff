# The least expected cost of all choices of at most `most` cases for one action.
least_with <- function(costs, action, most) {
  others <- apply(costs[, setdiff(colnames(costs), action), drop = FALSE], 1L, min)
  chosen <- lapply(0:most, function(m) utils::combn(nrow(costs), m, simplify = FALSE))
  min(vapply(unlist(chosen, recursive = FALSE), function(at) {
    sum(replace(others, at, costs[at, action]))
  }, 1))
}

test_that("a capacity chooses the cases that gain most", {
  ten <- ten_cases()
  free <- decide(ten$posterior, ten$cost)
  costs <- as.matrix(as.data.frame(free)[paste0("cost_", c("healthy", "ill", "refer"))])
  colnames(costs) <- c("healthy", "ill", "refer")
  for (action in colnames(costs)) {
    for (most in 0:3) {
      limited <- decide(ten$posterior, ten$cost, capacity = stats::setNames(most, action))
      expect_equal(sum(limited$cost), least_with(costs, action, most))
      expect_lte(sum(limited$decision == action), most)
      expect_equal(limited$cost, costs[cbind(1:10, as.integer(limited$decision))])
      expect_equal(
        limited$margin, costs[cbind(1:10, as.integer(limited$runner_up))] - limited$cost
      )
      found <- attr(limited, "capacity")
      expect_equal(found$cost, sum(limited$cost) - sum(free$cost))
    }
  }
  enough <- decide(ten$posterior, ten$cost, capacity = c(refer = 10))
  expect_identical(as.data.frame(enough), as.data.frame(free))
})

test_that("a capacity holds for models, and the result is a decision", {
  model <- fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris)
  cost <- zero_one_cost(model, reject = 0.2)
  limited <- decide(model, iris, cost, capacity = c(reject = 20))
  expect_identical(sum(limited$decision == "reject"), 20L)
  expect_identical(summary(limited)$error, NA_real_)
  expect_null(attr(limited[1:5, ], "capacity"))
  expect_null(attr(rbind(limited, limited), "capacity"))
  assessed <- assess_decisions(limited, truth = iris$Species)
  expect_identical(sum(assessed$confusion[, "reject"]), 20L)
  expect_equal(assessed$believed, mean(limited$cost))
})

test_that("a capacity is explained, and a bad one is an error", {
  ten <- ten_cases()
  expect_snapshot(print(decide(ten$posterior, ten$cost, capacity = c(refer = 1)), n = 3))
  expect_output(
    print(decide(ten$posterior, ten$cost, capacity = c(refer = 5))), "(2 without limits).",
    fixed = TRUE
  )
  expect_refusals(
    "capacity & 5" = decide(ten$posterior, ten$cost, capacity = 5),
    "capacity & refr & refer & cost" = decide(ten$posterior, ten$cost, capacity = c(refr = 5)),
    "capacity & 1.5" = decide(ten$posterior, ten$cost, capacity = c(refer = 1.5)),
    "capacity" = decide(ten$posterior, cost_matrix(go = 1), capacity = c(go = 1))
  )
})

# The cost and the price of each choice of actions for some cases, by enumeration.
all_choices <- function(costs, price = numeric(ncol(costs))) {
  choices <- as.matrix(expand.grid(rep(list(seq_len(ncol(costs))), nrow(costs))))
  cases <- rep(seq_len(nrow(costs)), each = nrow(choices))
  sums <- function(of) {
    rowSums(matrix(of[cbind(cases, as.vector(choices))], nrow(choices)))
  }
  list(
    cost = sums(costs), price = sums(matrix(price, nrow(costs), ncol(costs), byrow = TRUE)),
    count = t(apply(choices, 1L, tabulate, ncol(costs)))
  )
}

costs_of <- function(decided) {
  costs <- as.matrix(as.data.frame(decided)[paste0("cost_", levels(decided$decision))])
  unname(costs)
}

random_cases <- function(seed, rows = 8L) {
  set.seed(seed)
  p <- matrix(rexp(3 * rows), rows)
  list(
    posterior = structure(p / rowSums(p), dimnames = list(NULL, c("a", "b", "c"))),
    cost = cost_matrix(a = c(a = 0, b = 2, c = 5), b = c(a = 1, b = 0, c = 3),
                       c = c(a = 4, b = 1, c = 0))
  )
}

test_that("capacities of several actions are optimal", {
  for (seed in 1:12) {
    cases <- random_cases(seed)
    free <- decide(cases$posterior, cases$cost)
    choices <- all_choices(costs_of(free))
    most <- c(a = 2, b = seed %% 4 + 1)
    limited <- decide(cases$posterior, cases$cost, capacity = most)
    allowed <- choices$count[, 1] <= most[["a"]] & choices$count[, 2] <= most[["b"]]
    expect_equal(sum(limited$cost), min(choices$cost[allowed]))
    found <- attr(limited, "capacity")
    expect_equal(found$cost, sum(limited$cost) - sum(free$cost))
    more <- choices$count[, 1] <= most[["a"]] + 1 & choices$count[, 2] <= most[["b"]]
    expect_equal(found[["next"]][[1]], sum(limited$cost) - min(choices$cost[more]))
    changed <- limited$decision != free$decision
    expect_identical(limited$runner_up[changed], free$decision[changed])
    expect_equal(limited$margin[changed], free$cost[changed] - limited$cost[changed])
    expect_identical(limited$margin[!changed], free$margin[!changed])
  }
})

test_that("a limit of every action is a division of the cases", {
  cases <- random_cases(3, 9L)
  limited <- decide(cases$posterior, cases$cost, capacity = c(a = 3, b = 3, c = 3))
  expect_identical(as.vector(table(limited$decision)), c(3L, 3L, 3L))
  expect_bayesrisk_error(
    decide(cases$posterior, cases$cost, capacity = c(a = 3, b = 3, c = 2)), "argument", "9 cases"
  )
  forbidden <- cost_matrix(a = c(a = 0, b = Inf, c = Inf), b = c(a = 1, b = 0, c = 0))
  expect_bayesrisk_error(
    decide(cases$posterior, forbidden, capacity = c(b = 3)), "argument", "finite cost"
  )
})

test_that("cases without a decision, and without a finite cost, need no place", {
  p <- cbind(a = c(0.5, NA, 0.5, 0.9), b = c(0.5, NA, 0.5, 0.1))
  hopeless <- suppressWarnings(
    cost_matrix(a = c(a = Inf, b = Inf), b = c(a = Inf, b = Inf), c = c(a = Inf, b = Inf))
  )
  limited <- suppressWarnings(decide(p, hopeless, capacity = c(a = 1, b = 1)))
  expect_identical(as.vector(table(limited$decision)), c(1L, 1L, 1L))
  expect_identical(which(is.na(limited$decision)), 2L)
  expect_identical(limited$cost[-2], rep(Inf, 3))
})

test_that("the gap of a budget bounds what a better choice could save", {
  skip_on_cran()
  gaps <- vapply(1:20, function(seed) {
    cases <- random_cases(seed)
    price <- c(a = 3, b = 1, c = 0)
    choices <- all_choices(costs_of(decide(cases$posterior, cases$cost)), price)
    total <- seed %% 7
    limited <- decide(cases$posterior, cases$cost, budget = list(price = price[1:2], total = total))
    found <- attr(limited, "budget")
    spent <- sum(price[as.character(limited$decision)])
    expect_equal(found$spent, spent)
    expect_lte(spent, total)
    best <- min(choices$cost[choices$price <= total])
    expect_gte(best, sum(limited$cost) - found$gap - 1e-12)
    found$gap
  }, 1)
  expect_lt(median(gaps), 0.2)
  expect_true(all(gaps >= 0))
})

test_that("a budget and capacities hold together", {
  skip_on_cran()
  for (seed in 1:10) {
    cases <- random_cases(seed)
    price <- c(a = 2, b = 1, c = 0)
    choices <- all_choices(costs_of(decide(cases$posterior, cases$cost)), price)
    limited <- decide(
      cases$posterior, cases$cost, capacity = c(c = 4), budget = list(price = price, total = 7)
    )
    expect_lte(sum(limited$decision == "c"), 4)
    expect_lte(attr(limited, "budget")$spent, 7)
    best <- min(choices$cost[choices$price <= 7 & choices$count[, 3] <= 4])
    expect_identical(attr(limited, "capacity")$`next`, NA_real_)
    expect_gte(best, sum(limited$cost) - attr(limited, "budget")$gap - 1e-12)
    expect_lte(best, sum(limited$cost) + 1e-12)
  }
})

test_that("limits are explained, and bad ones are errors", {
  cases <- random_cases(1)
  expect_snapshot({
    print(decide(cases$posterior, cases$cost, capacity = c(a = 1, b = 1)), n = 2)
    print(decide(
      cases$posterior, cases$cost, budget = list(price = c(a = 2, b = 1), total = 4)
    ), n = 2)
    print(decide(cases$posterior, cases$cost, budget = list(price = c(a = 1), total = 99)), n = 2)
  })
  refuse <- function(...) decide(cases$posterior, cases$cost, ...)
  expect_refusals(
    "capacity & a & more than once" = refuse(capacity = c(a = 1, a = 2)),
    "capacity & 0 or more & -1" = refuse(capacity = c(a = -1)),
    "budget & price & total" = refuse(budget = 100),
    "budget & z" = refuse(budget = list(price = c(z = 1), total = 1)),
    "budget & price" = refuse(budget = list(price = 3, total = 1)),
    "budget & total price of 2" = refuse(budget = list(price = c(a = 1, b = 1, c = 1), total = 2))
  )
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_bayesrisk_error(
    decide(model, chunked(iris, 50L), budget = list(price = c(setosa = 1), total = 1)), "argument",
    "budget"
  )
})

test_that("prices whose sums round, and ties that are left", {
  p <- cbind(a = c(0.6, 0.6, 0.6), b = c(0.4, 0.4, 0.4))
  kept <- decide(p, budget = list(price = c(a = 0.1), total = 0.3))
  expect_identical(as.character(kept$decision), rep("a", 3))
  even <- cbind(a = c(0.5, 0.5), b = c(0.5, 0.5), c = 0)
  cost <- cost_matrix(
    a = c(a = 0, b = 2, c = 9), b = c(a = 2, b = 0, c = 9), c = c(a = 4, b = 4, c = 0)
  )
  limited <- decide(even, cost, capacity = c(a = 0, b = 1))
  expect_identical(limited$tie, limited$margin == 0)
  expect_identical(summary(limited)$ties, sum(limited$margin == 0))
})

test_that("constant actions respect the limits", {
  skip_on_cran()
  cases <- random_cases(2)
  truth <- factor(rep(c("a", "b", "c"), length.out = 8))
  limited <- decide(cases$posterior, cases$cost, capacity = c(a = 3, b = 8))
  constant <- assess_decisions(limited, truth = truth)$constant
  expect_identical(is.na(constant$cost), as.character(constant$action) == "a")
  expect_identical(as.character(constant$action[[3]]), "a")
  free <- assess_decisions(decide(cases$posterior, cases$cost), truth = truth)$constant
  expect_equal(constant$cost[1:2], free$cost[free$action != "a"])
  open <- rbind(cases$posterior, NA)
  eight <- suppressWarnings(decide(open, cases$cost, capacity = c(a = 8)))
  expect_false(anyNA(suppressWarnings(
    assess_decisions(eight, truth = c(as.character(truth), "a"))
  )$constant$cost))
  none <- decide(cases$posterior, cases$cost, capacity = c(a = 3, b = 3, c = 3))
  assessed <- assess_decisions(none, truth = truth)
  expect_true(all(is.na(assessed$constant$cost)))
  expect_output(print(assessed), "the limits allow no single action")
})

two_thirds <- function(class = "b", threshold = 2 / 3) {
  rule <- tune_threshold(
    cbind(a = c(1 - threshold, 0.9), b = c(threshold, 0.1)), truth = c("b", "a"), class = class
  )
  rule$threshold <- threshold
  rule
}

test_that("a rule decides by its threshold, and the costs stay expected costs", {
  p <- cbind(a = c(0.2, 0.4, 0.5, NA, 1 / 3), b = c(0.8, 0.6, 0.5, NA, 2 / 3))
  cost <- cost_matrix(a = c(a = 0, b = 3), b = c(a = 1, b = 0))
  ruled <- decide(p, cost, rule = two_thirds())
  expect_identical(as.character(ruled$decision), c("b", "a", "a", NA, "b"))
  free <- decide(p, cost)
  expect_identical(as.character(free$decision), c("b", "b", "b", NA, "b"))
  expect_equal(ruled$cost, c(0.2, 1.8, 1.5, NA, 1 / 3))
  expect_equal(ruled$margin[2:3], c(0.4 - 1.8, 0.5 - 1.5))
  expect_identical(as.character(ruled$runner_up[2:3]), c("b", "b"))
  expect_output(print(ruled), "Decided by a rule: b if its probability is at least 0.6667")
  expect_null(attr(ruled[1:2, ], "rule"))
})

test_that("below the threshold the most probable other class is decided", {
  p <- cbind(a = c(0.4, 0.2), b = c(0.35, 0.3), c = c(0.25, 0.5))
  rule <- tune_threshold(p, truth = c("a", "c"), class = "c")
  rule$threshold <- 0.25
  expect_identical(as.character(decide(p, rule = rule)$decision), c("c", "c"))
  rule$threshold <- 0.6
  expect_identical(as.character(decide(p, rule = rule)$decision), c("a", "b"))
  rule$threshold <- Inf
  expect_output(print(decide(p, rule = rule)), "never c")
})

test_that("models, chunks and frameworks decide by a rule as their posteriors do", {
  skip_if_not_installed("MASS")
  model <- fit(bayes_naive(), type ~ ., MASS::Pima.tr)
  rule <- tune_threshold(model, MASS::Pima.te, metric = "f1", class = "Yes")
  ruled <- decide(model, MASS::Pima.te, rule = rule)
  p <- predict(model, MASS::Pima.te, type = "prob")
  above <- unname(p[, "Yes"]) >= rule$threshold
  expect_identical(as.character(ruled$decision), ifelse(above, "Yes", "No"))
  expect_identical(ruled$decision, decide(p, rule = rule)$decision)
  pieces <- as.data.frame(decide(model, chunked(MASS::Pima.te, 100L), rule = rule))
  expect_identical(as.character(pieces$.decision), as.character(ruled$decision))
})

test_that("a rule that does not fit is an error", {
  p <- cbind(a = 0.2, b = 0.8)
  expect_refusals(
    "rule & tune_threshold" = decide(p, rule = 0.5),
    "rule & capacity" = decide(p, rule = two_thirds(), capacity = c(a = 1)),
    "rule & classes" = decide(cbind(x = 0.2, y = 0.8), rule = two_thirds()),
    "cost & a" = decide(p, cost_matrix(go = c(a = 1, b = 2)), rule = two_thirds())
  )
  damaged <- two_thirds()
  damaged$threshold <- "high"
  expect_bayesrisk_error(decide(p, rule = damaged), "object", "rule")
})
