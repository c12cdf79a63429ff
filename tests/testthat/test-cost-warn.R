never <- function(...) expect_warning(..., class = "bayesrisk_warning_never_best")
warnings_of <- function(code) {
  found <- list()
  withCallingHandlers(code, warning = function(w) {
    found[[length(found) + 1L]] <<- w
    invokeRestart("muffleWarning")
  })
  cat(vapply(found, conditionMessage, ""), sep = "\n")
}

test_that("sound costs are quiet: those of the lectures, the help and the policies", {
  expect_no_warning({
    cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0), refer = 2)
    cost_matrix(pay = list(fraud = ~amount, ok = 0), refuse = 2)
    cost_matrix(
      operate = c(malignant = 0, benign = 5), wait = c(malignant = 50, benign = 0), refer = 1
    )
    for (miss in c(1, 3, 5, 10, 1000)) {
      cost_matrix(a = c(a = 0, b = miss), b = c(a = 1, b = 0))
    }
    for (d in c(0.05, 0.1, 0.2)) {
      cost_matrix(a = c(a = 0, b = 1), b = c(a = 1, b = 0), reject = d)
    }
    cost_matrix(
      one = c(setosa = 0, versicolor = 2, virginica = 9),
      two = c(setosa = 1, versicolor = 0, virginica = 4),
      three = c(setosa = 3, versicolor = 1, virginica = 0)
    )
    cost_matrix(
      setosa = c(setosa = 0, versicolor = 1, virginica = 5),
      versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
      virginica = c(setosa = 1, versicolor = 1, virginica = 0)
    )
    cost_matrix(keep = c(A = 0, B = Inf), drop = c(A = 3, B = 1))
    cost_matrix(a = 3, b = 3)
    cost_matrix(a = ~x, b = 1)
    zero_one_cost(c("a", "b", "c"), reject = 0.9)
    m <- matrix(
      c(0, 2, 1, 1, 0, 5, 8, 1, 0), 3, dimnames = list(c("a", "b", "c"), c("a", "b", "c"))
    )
    as_cost_matrix(m, rows = "decision")
    as_cost_matrix(m, rows = "truth")
    cost_matrix(go = c(x = 1))
    cost_matrix(go = c(x = Inf, y = Inf))
    # Large costs do not hide a small one, nor does an infinite one.
    cost_matrix(a = c(x = 0, y = 1e15), b = c(x = 1, y = 0), refer = 0.5)
    cost_matrix(a = c(x = 0, y = Inf), b = c(x = Inf, y = 0), refer = 1e9)
  })
})

test_that("actions that are never worth taking are named, with the reason", {
  expect_snapshot({
    warnings_of(cost_matrix(
      a = c(x = 0, y = 2), b = c(x = 0, y = 3), c = c(x = 0, y = 2), d = c(x = 9, y = 9)
    ))
  })
  at <- list(a = c(x = 0, y = 10), b = c(x = 10, y = 0))
  for (refer in c(5, Inf)) never(do.call(cost_matrix, c(at, refer = refer)), "\"refer\" is never")
  never(utility_matrix(`{a}` = c(x = 2, y = 0), b = c(x = 1, y = 0)), "\"b\" .* \"\\{a\\}\".*\"x\"")
  same <- data.frame(truth = c("x", "y"), decision = rep(letters, each = 2), cost = 1)
  never(as_cost_matrix(same), "\"b\" .*\"g\" .* 19 more")
  expect_no_warning(cost_matrix(a = c(x = 0, y = 10), b = c(x = 10, y = 0), refer = 4.99))
})

test_that("identical rows: the first is the one that is taken", {
  never(cost <- cost_matrix(a = c(x = 1, y = Inf), b = c(x = 1, y = Inf)))
  expect_s3_class(cost, "bayesrisk_cost")
  expect_null(why_never(unclass(cost), 1L))
  expect_match(why_never(unclass(cost), 2L), "\"b\" is the same as \"a\"", fixed = TRUE)
})

test_that("a class whose own action is not the best is named", {
  expect_warning(
    cost_matrix(
      a = c(a = 5, b = 1, c = 9), b = c(a = 1, b = 5, c = 9), reject = c(a = 4, b = 4, c = 0)
    ), "truth is \"a\", \"b\" .*truth is \"b\", \"a\"", class = "bayesrisk_warning_unreasonable"
  )
  both <- rlang::catch_cnd(
    suppressWarnings(
      cost_matrix(a = c(a = 5, b = 9), b = c(a = 1, b = 0)), "bayesrisk_warning_never_best"
    )
  )
  expect_s3_class(both, "bayesrisk_warning_unreasonable")
  expect_match(conditionMessage(both), "When truth is \"a\", \"b\" is better than \"a\".")
  # As good is good enough.
  expect_identical(wrong_pays(rbind(a = c(a = 0, b = 1), free = 0)), character())
})

test_that("the margin of an action agrees with a fine grid of beliefs", {
  skip_on_cran()
  withr::local_seed(7)
  grid <- expand.grid(0:60, 0:60)
  grid <- as.matrix(grid[rowSums(grid) <= 60, ])
  grid <- cbind(grid, 60 - rowSums(grid)) / 60
  for (i in 1:100) {
    others <- matrix(round(rnorm(12), 1), 4)
    own <- round(rnorm(3), 1)
    payoff <- others - rep(own, each = 4)
    payoff <- payoff / rep(apply(abs(payoff), 2, max), each = 4)
    best <- max(apply(grid %*% t(payoff), 1, min))
    margin <- best_margin_cpp(others, own)
    expect_gte(margin, best - 1e-12)
    # Between grid points the minimum moves by no more than the steepest slope.
    expect_lte(margin, best + 2 / 60)
  }
})

test_that("what is warned of is what the rule never decides", {
  skip_on_cran()
  withr::local_seed(8)
  grid <- seq(0, 1, length.out = 2001)
  for (i in 1:50) {
    values <- matrix(
      sample(0:6, 8, replace = TRUE), 4, dimnames = list(c("a", "b", "c", "d"), c("x", "y"))
    )
    costs <- cbind(grid, 1 - grid) %*% t(values)
    strictly_best <- function(a) any(costs[, a] < apply(costs[, -a, drop = FALSE], 1, min) - 1e-9)
    unique_rows <- !duplicated(values) & !duplicated(values, fromLast = TRUE)
    for (a in which(unique_rows)) {
      expect_identical(is.null(why_never(values, a)), strictly_best(a))
    }
  }
})

test_that("constants that differ show how costs by the true class are written", {
  expect_warning(cost_matrix(FP = 1, FN = 5), "always \"FP\".*cost_matrix\\(yes = c\\(yes = 0")
  expect_warning(cost_matrix(go = 1, stay = 2, ask = 1), "always \"go\".*cost_matrix\\(treat = ")
  expect_warning(utility_matrix(go = 1, stay = 2), "always \"stay\".*utility_matrix\\(send = ")
})
