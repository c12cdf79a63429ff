test_that("a model that decides no better than a constant action is said to be so", {
  given <- report_given()
  facts <- report_facts(given)
  expect_null(limit_saving(facts$constants, facts$assessed))
  # Referring every case is as cheap.
  given$cost <- cost_matrix(
    treat = c(ill = 0, well = 1), wait = c(ill = 5, well = 0), refer = 0.12
  )
  facts <- report_facts(given)
  expect_match(
    limit_saving(facts$constants, facts$assessed),
    "not shown to be better .* always \u2018refer\u2019"
  )
})

test_that("probabilities that are too sure are doubted, right ones are not", {
  given <- report_given()
  expect_null(limit_certain(report_facts(given)$assessed))
  # Each feature is counted eight times.
  copies <- paste0("x", 1:8)
  given$data[copies] <- given$data["x"]
  model <- fit(bayes_naive(), stats::reformulate(copies, "y"), given$data)
  assessed <- suppressWarnings(assess_decisions(model, given$data, given$cost))
  expect_match(limit_certain(assessed), "^Its probabilities are too sure. Of ")
  expect_true(is_doubted(assessed))
})

test_that("right probabilities are seldom doubted", {
  skip_on_cran()
  # The believed cost is below the interval of the cost in at most half of 5 % of the data sets, the
  # test of cases with a posterior near 1 rejects one in a thousand.
  withr::local_seed(1)
  cost <- cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 5, well = 0))
  doubted <- replicate(400, {
    p <- stats::rbeta(150, 0.5, 1)
    truth <- factor(ifelse(stats::runif(150) < p, "ill", "well"), c("ill", "well"))
    is_doubted(suppressWarnings(
      assess_decisions(cbind(ill = p, well = 1 - p), cost = cost, truth = truth)
    ))
  })
  expect_lte(sum(doubted), stats::qbinom(0.999, 400, 0.036))
})

test_that("few cases, odd columns, missing values and other shares are named", {
  classes <- data.frame(
    class = c("a", "b"), cases = c(3L, 97L), share = c(0.03, 0.97), assumed = c(0.3, 0.7),
    trained = c(30L, 70L)
  )
  expect_match(limit_few(classes), "few cases of \u2018a\u2019 (3)", fixed = TRUE)
  expect_match(
    limit_shares(list(classes = classes, weighted = FALSE)),
    "\u2018a\u2019 30\u00a0%, here 3\u00a0%", fixed = TRUE
  )
  expect_null(limit_shares(list(classes = classes, weighted = TRUE)))
  expect_null(limit_seen(classes))
  # Chance: 9 of 100 where 20 were expected is rare enough, 2 of 10 where 1 was expected is not.
  of_two <- function(a, n, assumed) {
    limit_shares(list(weighted = FALSE, classes = data.frame(
      class = c("a", "b"), cases = c(a, n - a), share = c(a, n - a) / n,
      assumed = c(assumed, 1 - assumed)
    )))
  }
  expect_match(of_two(9L, 100L, 0.2), "here 9")
  expect_null(of_two(2L, 10L, 0.1))
  expect_match(limit_seen(replace(classes, "trained", list(c(3, 97)))), "too good")
  features <- data.frame(
    feature = c("x", "id"), missing = c(11L, 0L), remark = c(NA, "whole numbers")
  )
  expect_match(limit_missing(features, 100), "\u2018x\u2019 in 11\u00a0%", fixed = TRUE)
  expect_null(limit_missing(features, 110))
  expect_match(limit_features(features), "\u2018id\u2019: whole numbers", fixed = TRUE)
  expect_null(limit_features(features[1L, ]))
  expect_null(limit_features(page_try(check_model(1, rlang::current_env()))))
})

test_that("the gravest finding comes first, and cautions hold for every model", {
  given <- report_given()
  facts <- report_facts(given)
  # The hundred cases are as many in each class as those of training.
  expect_match(page_findings(facts), "^These cases are as many")
  expect_match(page_not(page_findings(facts)), "Not for other kinds of cases")
  expect_match(page_not(c("A.", "B.", "C.")), "^A. B. These cases showed 1 more reason[.]")
  expect_length(page_cautions(facts), 6L)
})
