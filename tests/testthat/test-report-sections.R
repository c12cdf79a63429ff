test_that("a saving is told by what its interval allows", {
  say <- list(save = "save")
  best <- function(saved, lower, upper) data.frame(saved = saved, lower = lower, upper = upper)
  expect_match(page_saved(best(1, 0.5, 2), say), "^Compared with it, the model saves 1 .*2[)][.]$")
  expect_match(page_saved(best(1, -0.5, 2), say), "may be chance")
  expect_match(page_saved(best(-1, -2, 0.5), say), "saves nothing")
})

test_that("a tuned threshold promises nothing", {
  given <- report_given()
  expect_match(page_promise(NULL), "^Nothing is promised")
  rule <- tune_threshold(given$object, given$data)
  expect_match(page_promise(rule), "^Nothing is promised. A rule .* no guarantee for others")
  # Any other result is told in its own words.
  risk <- bayes_risk(fit(bayes_naive(), y ~ x, given$data), given$cost)
  expect_no_match(page_promise(risk), "Nothing is promised")
  given$guarantee <- risk
  say <- page_words(assess_decisions(given$object, given$data, given$cost))
  shown <- utils::capture.output(page_guarantee(given, say))
  expect_identical(sum(grepl("Bayes risk", shown, fixed = TRUE)), 1L)
})

test_that("the population is that of the prior", {
  given <- report_given(prior = c(ill = 0.1, well = 0.9))
  expect_match(page_population(given, page_classes(given)), "\u2018ill\u2019 10\u00a0% and")
  expect_match(page_population(given, page_classes(given)), "weighted to it")
  given$prior <- NULL
  expect_no_match(page_population(given, page_classes(given)), "weighted")
})

test_that("0-1 costs and costs by case are shown", {
  said <- function(cost) utils::capture.output(page_costs(cost))
  expect_true(any(grepl("^[|]ill +[|] +0[|] +1[|]", said(zero_one_cost(c("ill", "well"))))))
  by_case <- cost_matrix(treat = list(ill = 0, well = ~ abs(x)), wait = c(ill = 5, well = 0))
  expect_true(any(grepl("computed for each case", said(by_case))))
  gains <- utility_matrix(treat = c(ill = 5, well = 0), wait = c(ill = 0, well = 2))
  expect_true(any(grepl("These are the gains", said(gains))))
})

test_that("reasons beyond 12 blocks say in which order they count", {
  withr::local_seed(1)
  data <- data.frame(y = rep(c("a", "b"), 20), matrix(stats::rnorm(40 * 13), 40))
  given <- list(
    object = fit(bayes_naive(), y ~ ., data), data = data, cost = zero_one_cost(c("a", "b")),
    prior = NULL
  )
  reasons <- page_reasons(given)
  say <- page_words(assess_decisions(given$object, data))
  expect_length(page_reasons_text(reasons, say), 2L)
  expect_s3_class(page_reasons_figure(reasons, say), "ggplot")
  expect_identical(nrow(page_reasons_figure(reasons, say)$data), 10L)
})
