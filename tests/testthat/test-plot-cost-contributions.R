tennis_costs <- function(..., order = "given") {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
  contributions(model, rbind(play_query(), transform(play_query(), ...)), cost, order = order)
}

test_that("bars lead from the cost under the prior to the cost of the case", {
  parts <- tennis_costs(outlook = "overcast")
  drawn <- draw(parts)
  expect_identical(unique(drawn$decision), c("wait", "ask"))
  wait <- drawn[drawn$decision == "wait", ]
  expect_identical(
    wait$block, c("prior", "outlook", "temperature", "humidity", "wind", "case")
  )
  expect_identical(wait$contribution[1:5], unname(parts[1, , "wait"]))
  expect_identical(wait$from, c(0, wait$to[1:4], 0))
  expect_equal(wait$to[[6]], sum(parts[1, , "wait"]), tolerance = 1e-14)
})

test_that("Shapley values are sorted by size; cases and actions can be chosen", {
  parts <- tennis_costs(outlook = "overcast", order = "shapley")
  drawn <- draw(parts, decision = "book")
  expect_identical(
    drawn$block[2:5], names(sort(-abs(parts[1, -1, "book"])))
  )
  unsorted <- draw(parts, decision = "book", sort = FALSE)
  expect_identical(unsorted$block[2:5], dimnames(parts)$block[-1])
  expect_identical(nrow(draw(parts, case = 1:2)), 24L)
  few <- draw(parts, decision = "book", limit = 2)
  expect_identical(few$block[4:5], c("2 others", "case"))
  expect_equal(few$to[[4]], few$to[[5]], tolerance = 1e-14)
})

test_that("infinite costs and cases without a decision can be drawn", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = c(yes = 0, no = Inf), wait = c(yes = 20, no = 0))
  parts <- contributions(model, transform(play_query(), outlook = "overcast"), cost)
  drawn <- draw(parts, decision = "book")
  expect_identical(drawn$contribution[1:2], c(Inf, -Inf))
  expect_identical(drawn$to[[6L]], 0)
  cost <- cost_matrix(book = list(yes = 0, no = ~ price), wait = c(yes = 20, no = 0))
  unpriced <- suppressWarnings(contributions(model, cbind(play_query(), price = NA_real_), cost))
  expect_identical(unique(draw(unpriced)$decision), c("book", "wait"))
})

test_that("arguments that are wrong are named", {
  parts <- tennis_costs(outlook = "overcast")
  expect_bayesrisk_error(draw(parts, decision = "sleep"), "argument", "decision")
  expect_bayesrisk_error(draw(parts, case = 3), "argument", "case")
  expect_bayesrisk_error(draw(parts, class = "yes"), "argument", "class")
  expect_bayesrisk_error(draw(parts, sort = NA), "argument", "sort")
})
