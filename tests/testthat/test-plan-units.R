units_of <- function(model, ...) {
  plan <- test_plan(model, zero_one_cost(c("i", "w")), ...)
  plan_units(model, plan$setup$tests, 0, NULL)$units
}

tables_model <- function() {
  p <- rbind(i = c(p = 0.9, n = 0.1), w = c(0.3, 0.7))
  bayes_known(prior = c(i = 0.3, w = 0.7), a = p, b = p, c = p)
}

test_that("features that share a panel are one unit, the others units of their own", {
  expect_identical(connected_groups(list(1:2, 2:3, 5L), 1:5), list(1:3, 4L, 5L))
  alone <- units_of(tables_model(), price = 0.1)
  expect_identical(lapply(alone, `[[`, "features"), list(1L, 2L, 3L))
  panel <- units_of(tables_model(), price = 0.1, panels = list(both = c("a", "c")))
  expect_identical(lengths(lapply(panel, `[[`, "features")), c(1L, 2L))
})

test_that("a panel is paid once, then its features are read", {
  unit <- units_of(tables_model(), price = 0.1, panels = list(both = c("a", "c")))[[2]]
  # Nothing known; a or c known; a read while c is paid; all known.
  expect_length(unit$states, 5)
  first <- unit$steps[[1]]
  expect_length(first, 1)
  expect_identical(c(first[[1]]$price, first[[1]]$counts), c(0.1, 1))
  paid <- unit$steps[[first[[1]]$`next`[[1]] + 1]]
  expect_identical(c(paid[[1]]$price, paid[[1]]$counts), c(0, 0))
  expect_true(all(paid[[1]]$`next` == 4L))
  expect_identical(unit$steps[[5]], list())
})

test_that("of a large panel the plan has what its tests lead to", {
  names <- paste0("f", 1:12)
  p <- rbind(i = c(p = 0.6, n = 0.4), w = c(0.4, 0.6))
  model <- do.call(
    bayes_known, c(list(prior = c(i = 0.3, w = 0.7)), stats::setNames(rep(list(p), 12), names))
  )
  expect_length(units_of(model, price = 0.01, panels = list(lab = names))[[1L]]$states, 13L)
  plan <- test_plan(model, zero_one_cost(model), 0.01, panels = list(lab = names))
  newdata <- as.data.frame(as.list(stats::setNames(rep("p", 12), names)))
  expect_identical(predict(plan, newdata)$action, "i")
  newdata$f3 <- NA
  expect_error(predict(plan, newdata), "reads them together", class = "bayesrisk_error_argument")
})

test_that("too many ways to know a table or a panel are refused before they are listed", {
  names <- paste0("f", 1:10)
  cells <- expand.grid(stats::setNames(rep(list(c("p", "n")), 10), names))
  cells$y <- rep(c("i", "w"), 512)
  model <- fit(bayes_full(laplace = 1), y ~ ., cells)
  expect_error(
    test_plan(model, zero_one_cost(model), price = 0.01), "too many ways",
    class = "bayesrisk_error_argument"
  )
})

test_that("later states follow earlier ones, and each pattern of a case is a state", {
  unit <- units_of(
    tables_model(), price = c(a = 0.1, c = 0.2, both = 0.25, b = 0.1),
    panels = list(both = c("a", "c"))
  )[[1]]
  for (at in seq_along(unit$states)) {
    for (step in unit$steps[[at]]) expect_true(all(step$`next` >= at))
  }
  known <- as.matrix(expand.grid(c(FALSE, TRUE), FALSE, c(FALSE, TRUE)))
  states <- states_of_cases(unit, known, matrix(1L, 4, 3))
  expect_false(anyNA(states))
  expect_identical(anyDuplicated(states), 0L)
})
