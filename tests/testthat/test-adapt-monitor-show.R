# How a monitor is printed.

test_that("a monitor says what it saw, in sentences and tables", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  start <- monitor(model, zero_one_cost(model))
  expect_match(format(start), "No rows yet", all = FALSE, fixed = TRUE)
  calm <- update(start, simulate(model, 60, seed = 1)[-1L])
  text <- paste(format(calm), collapse = " ")
  expect_match(text, "60 rows, none with a class")
  expect_match(text, "No alarm")
  expect_match(text, "share of setosa")
  meadow <- subset(simulate(model, 400, seed = 2), Species != "setosa")
  shares <- paste(format(update(calm, meadow[-1L])), collapse = " ")
  expect_match(shares, "Alarm at row [0-9]+; the change was at about row [0-9]+")
  expect_match(shares, "Keeping the +prior costs")
  expect_match(shares, "rarer")
})

test_that("a broken feature is named", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  new <- simulate(model, 200, seed = 2)
  new$Petal.Width <- 10 * new$Petal.Width
  text <- gsub("\\s+", " ", paste(format(update(monitor(model), new)), collapse = " "))
  expect_match(text, "`Petal.Width` is not distributed as in training")
  expect_match(text, ", given the class")
  expect_match(text, "200 with a class")
})

test_that("the evidence is a data frame", {
  rows <- as.data.frame(valid_monitor())
  expect_named(rows, c("watched", "kind", "evidence", "alarm", "since", "change"))
  expect_identical(rows$kind[[1L]], "share")
})

test_that("gains are told as gains", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  gain <- utility_matrix(
    keep = c(setosa = 1, versicolor = 2, virginica = 9),
    sell = c(setosa = 4, versicolor = 3, virginica = 1)
  )
  watch <- update(monitor(model, gain), iris[1:60, -5])
  expect_lt(watch$cost_kept, 0)
  expect_match(paste(format(watch), collapse = " "), "Expected gain per row now")
})
