test_that("the costs of constant actions are those of the assessment, with paired intervals", {
  given <- report_given()
  found <- page_constants(given)
  assessed <- assess_decisions(given$object, given$data, given$cost)
  expect_identical(found$cost[[1L]], assessed$cost)
  expect_identical(found$action[-1L], as.character(assessed$constant$action))
  expect_equal(found$cost[-1L], assessed$constant$cost, tolerance = 1e-14)
  expect_equal(found$saved[-1L], found$cost[-1L] - found$cost[[1L]], tolerance = 1e-14)
  # The interval is that of compare_decisions() for the same pair of decisions.
  always <- decide(given$object, given$data, given$cost)
  always$decision[] <- found$action[[2L]]
  compared <- compare_decisions(
    list(own = given$object, always = always), data = given$data, cost = given$cost
  )
  expect_equal(found$saved[[2L]], compared$difference[[2L]], tolerance = 1e-14)
  expect_equal(found$lower[[2L]], compared$lower[[2L]], tolerance = 1e-14)
  expect_equal(found$upper[[2L]], compared$upper[[2L]], tolerance = 1e-14)
})

test_that("what moves the choice is the mean change of the difference of two expected costs", {
  given <- report_given()
  found <- page_reasons(given)
  decided <- decide(given$object, given$data, given$cost)
  # Two blocks: the Shapley value of one is the mean of its changes with and without the other.
  difference <- function(data) {
    costs <- predict(given$object, data, type = "cost", cost = given$cost)
    rows <- seq_len(nrow(data))
    costs[cbind(rows, decided$runner_up)] - costs[cbind(rows, decided$decision)]
  }
  without <- function(name) difference(replace(given$data, name, NA))
  none <- without(c("x", "g"))
  x <- (difference(given$data) - without("x") + without("g") - none) / 2
  g <- (difference(given$data) - without("g") + without("x") - none) / 2
  expect_identical(found$block, c("x", "g"))
  expect_equal(found$moved, c(mean(abs(x)), mean(abs(g))), tolerance = 1e-12)
  expect_true(attr(found, "shapley"))
})

test_that("costs and odds are halved and doubled", {
  given <- report_given()
  found <- page_ranges(given, "ill")
  expect_setequal(found$parameter, c(
    "prior of ill", "cost of treat when truth is well", "cost of wait when truth is ill",
    "cost of refer"
  ))
  of <- function(name) found[found$parameter == name, ]
  expect_equal(of("cost of refer")$from, 0.2)
  expect_equal(of("cost of refer")$to, 0.8)
  prior <- of("prior of ill")
  odds <- function(p) p / (1 - p)
  expect_equal(odds(c(prior$from, prior$to)) / odds(prior$now), c(0.5, 2), tolerance = 1e-12)
  expect_equal(attr(found, "cost"), mean(decide(given$object, given$data, given$cost)$cost))
  # Few of many ranges are shown, those that move most.
  few <- page_ranges(given, "ill", most = 2L)
  width <- found$cost_max - found$cost_min
  expect_setequal(few$parameter, found$parameter[order(-width)[1:2]])
})

test_that("costs that have no range are left out", {
  cost <- cost_matrix(
    prior = c(ill = 2, well = 1), treat = list(ill = 0, well = ~ abs(x)),
    wait = c(ill = Inf, well = 0),
    refer = c(ill = -1, well = -2)
  )
  found <- ranges_of_costs(report_given(cost = cost), rlang::current_env())
  expect_identical(vapply(found, `[[`, "", "of"), c("refer", "refer"))
  expect_identical(lapply(found, `[[`, "range"), list(c(-2, -0.5), c(-4, -1)))
})

test_that("classes have their shares of cases, of the population and of training", {
  given <- report_given()
  found <- page_classes(given)
  expect_identical(found$cases, c(50L, 50L))
  expect_equal(found$trained, c(50, 50))
  expect_equal(found$assumed, c(0.5, 0.5))
  given$prior <- c(well = 0.9, ill = 0.1)
  expect_equal(page_classes(given)$assumed, c(0.1, 0.9))
  groups <- report_given(object = fit(bayes_naive(), y ~ x, given$data, by = g))
  expect_identical(is.na(page_classes(groups)$assumed), c(TRUE, TRUE))
})

test_that("the best power of the posteriors is that of temper()", {
  given <- report_given()
  found <- page_temper(given, page_classes(given))
  expected <- temper(predict(given$object, given$data, type = "prob"), given$truth)
  expect_equal(found$power, expected$power, tolerance = 1e-10)
})

test_that("features are those of the model", {
  given <- report_given()
  expect_identical(page_features(given)$feature, c("x", "g"))
  given$object <- fit_xy(bayes_naive(), given$data["x"], given$data$y)
  found <- page_features(given)
  expect_identical(found$feature, "x")
  expect_identical(found$values, 100L)
  # Of the cases whose class is known, wherever it stands.
  given <- report_given()
  given$data$y[1:3] <- NA
  given$truth[1:5] <- NA
  expect_identical(page_features(given)$values[[1L]], 95L)
  given$data$y <- NULL
  expect_identical(page_features(given)$values[[1L]], 95L)
})

test_that("another prior weights the means over the cases", {
  given <- report_given()
  equal <- page_reasons(given)
  given$prior <- c(ill = 0.5, well = 0.5)
  expect_equal(page_reasons(given), equal, tolerance = 1e-12)
  given$prior <- c(ill = 0.9, well = 0.1)
  given$truth[[1L]] <- NA
  expect_equal(tapply(page_weights(given), given$truth, sum), c(ill = 0.9, well = 0.1) * 99,
    tolerance = 1e-12, ignore_attr = TRUE
  )
  expect_identical(page_weights(given)[[1L]], 0)
})

test_that("long work uses cases that are spread over the rows", {
  rows <- page_cases(data.frame(i = 1:5000), 1000L)$i
  expect_identical(range(rows), c(1L, 5000L))
  expect_length(rows, 1000L)
  expect_true(all(diff(rows) %in% 5:6 | diff(rows) %in% 4:6))
})

test_that("a list of tables has rows, and some of them", {
  words <- matrix(1:6, 3, dimnames = list(NULL, c("a", "b")))
  data <- list(words, data.frame(y = 1:3))
  expect_identical(row_count(data), 3L)
  expect_identical(page_cases(data, 3L), data)
  expect_identical(page_cases(data, 2L)[[2]]$y, c(1L, 3L))
})

test_that("an answer that the package does not have is a reason", {
  gap <- page_try(check_model(1, rlang::current_env()))
  expect_true(is_gap(gap))
  expect_match(gap, "must be a fitted model")
  expect_error(page_try(stop("another")), "another")
})
