# A letter gains 19 from those who buy and costs 1 otherwise. Under p(buys) = 0.3 it is expected to
# gain 0.3 * 19 - 0.7 = 5.
letters_cost <- function() cost_matrix(send = c(buys = -19, silent = 1), skip = 0)
letters_gain <- function() utility_matrix(send = c(buys = 19, silent = -1), skip = 0)
buyers <- function() cbind(buys = c(a = 0.3, b = 0), silent = c(0.7, 1))

# The print of a result, in one line.
shown <- function(x, ...) {
  withr::local_options(digits = 7, width = 80, cli.num_colors = 1L)
  paste(capture.output(print(x, ...)), collapse = "\n")
}

test_that("a utility shows gains, as do costs of which none is above 0", {
  expect_true(are_gains(3, letters_gain()))
  expect_true(are_gains(c(-3, NA, 0)))
  for (costs in list(c(-3, 1), 0, NA, numeric(), Inf)) expect_false(are_gains(costs))
  expect_identical(gain_words("Costs cost, the costs of discosts", TRUE),
                   "Gains gain, the gains of discosts")
  expect_identical(1 / gain_numbers(0, TRUE), Inf)
  table <- data.frame(cost = -2, cost_lower = -3, cost_upper = -1, costly = 1)
  expect_identical(
    gain_columns(table, TRUE), data.frame(gain = 2, gain_lower = 1, gain_upper = 3, costly = 1)
  )
})

test_that("a cell that is negative is a gain of a cost and a cost of a utility", {
  both <- c(
    "deciding send when truth is buys gains 19", "deciding send when truth is silent costs 1"
  )
  expect_identical(format(letters_cost()), c(both, "deciding skip costs 0 whatever is true"))
  expect_identical(format(letters_gain()), c(both, "deciding skip gains 0 whatever is true"))
})

test_that("decisions print as gains and stay costs", {
  for (cost in list(letters_cost(), letters_gain())) {
    decided <- decide(buyers(), cost = cost)
    expect_equal(decided$cost, c(-5, 0), tolerance = 1e-14)
    expect_match(shown(decided), "expected gain per case 2.5", fixed = TRUE)
    expect_match(shown(decided), "gain gain_send gain_skip", fixed = TRUE)
    expect_match(shown(decided), "the columns are costs, minus the gains", fixed = TRUE)
    expect_match(shown(summary(decided)), "gain\n  send +1 +0[.]5 +5\n  skip +1 +0[.]5 +0\n")
    expect_match(shown(summary(decided)), "Expected gain per case: 2.5.", fixed = TRUE)
    figure <- plot(decided)
    expect_match(levels(figure$layers[[1L]]$data$panel)[[1L]], "their mean gain", fixed = TRUE)
    expect_identical(figure$layers[[1L]]$data$text, c("5", "0"))
  }
  losses <- decide(buyers(), cost = cost_matrix(send = c(buys = -19, silent = 1)))
  expect_match(shown(losses), "expected gain per case 2>", fixed = TRUE)
  dear <- decide(buyers(), cost = letters_cost() + cost_matrix(send = 6, skip = 6))
  expect_match(shown(dear), "expected cost per case 3.5", fixed = TRUE)
})

test_that("assessments, comparisons and cross-validations print gains with turned intervals", {
  assessed <- assess_decisions(buyers(), cost = letters_gain(), truth = c("buys", "silent"))
  expect_equal(assessed$cost, -9.5)
  ends <- vapply(-c(assessed$upper, assessed$lower), format, "", digits = 4)
  expect_match(shown(assessed), sprintf(
    "gain per case +9[.]5 [(]95 %% interval %s to %s[)]", ends[[1L]], ends[[2L]]
  ))
  expect_match(shown(assessed), "total gain +19\n")
  expect_match(shown(summary(assessed)), "error gain")
  data <- transform(mtcars, y = ifelse(am == 1, "buys", "silent"))
  set.seed(1)
  folds <- cv_risk(bayes_naive(), y ~ wt, data, letters_gain())
  expect_match(shown(folds), "gain gain_lower gain_upper", fixed = TRUE)
  expect_identical(plot(folds)$labels$y, "gain per case")
  model <- fit(bayes_naive(), y ~ wt, data)
  both <- compare_decisions(list(a = model, b = model), data = data, cost = letters_gain())
  expect_match(shown(both), "gain: per case", fixed = TRUE)
  world <- compare_decisions(list(a = model, b = model), world = "a", cost = letters_gain())
  expect_match(shown(world), "believed: what a model expects; gap:\\s+believed - risk[.]")
  expect_match(shown(world), sprintf("a +%s", format(-world$risk[[1L]], digits = 4)))
})

test_that("risks, next features and ranges print gains", {
  known <- bayes_known(
    c(buys = 0.3, silent = 0.7), x = likelihood_categorical(table = rbind(
      buys = c(yes = 0.9, no = 0.1), silent = c(yes = 0.5, no = 0.5)
    ))
  )
  cost <- letters_gain()
  # Letters go to all, also after a no: 0.03 * 19 > 0.35.
  expect_match(shown(bayes_risk(known, cost)), "no rule gains more than 5 per case", fixed = TRUE)
  step <- shown(next_feature(known, data.frame(x = NA_character_), cost))
  expect_match(step, "gain_now gain_after", fixed = TRUE)
  expect_match(shown(value_of_information(known, cost)), "in expected gain per case", fixed = TRUE)
  ranges <- cost_ranges(known, data.frame(x = c("yes", "no")), cost, vary = list(
    prior = list(buys = c(0.2, 0.4))
  ))
  expect_match(shown(ranges), "^<expected gain per case within ranges: 2 cases, now [0-9]")
  expect_match(shown(ranges), "gain_from gain_to", fixed = TRUE)
  expect_identical(plot(ranges)$labels$x, "expected gain per case")
})

test_that("the minimax prior of a utility prints gains", {
  letters <- bayes_known(
    prior = c(a = 0.75, b = 0.25),
    pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  )
  # The means are 2.5 standard deviations apart: pnorm(1.25) = 0.894 of each letter are read.
  right <- utility_matrix(a = c(a = 1, b = 0), b = c(a = 0, b = 1))
  found <- minimax_prior(letters, right)
  expect_equal(found$risk, -stats::pnorm(1.25), tolerance = 1e-9)
  expect_identical(format(found, digits = 3), c(
    "prior a 0.5, b 0.5", "the Bayes rule gains 0.894", "gain of a 0.894, b 0.894 (gap 0)"
  ))
  expect_match(shown(found, digits = 3), "the gains of the classes differ by 0\n", fixed = TRUE)
  expect_match(shown(found, digits = 3), "class prior  gain\n +a +0[.]5 0[.]894")
  # A loss of a utility is a negative gain; costs of which none is above 0 are gains.
  lost <- minimax_prior(letters, utility_matrix(a = c(a = 0, b = -1), b = c(a = -1, b = 0)))
  expect_match(format(lost, digits = 3)[[2L]], "the Bayes rule gains -0.106", fixed = TRUE)
  cost <- cost_matrix(a = c(a = -1, b = 0), b = c(a = 0, b = -1))
  expect_identical(format(minimax_prior(letters, cost), digits = 3), format(found, digits = 3))
})

test_that("the results of a utility show gains also where they are losses", {
  skip_on_cran()
  known <- bayes_known(
    c(buys = 0.3, silent = 0.7), x = likelihood_categorical(table = rbind(
      buys = c(yes = 0.9, no = 0.1), silent = c(yes = 0.5, no = 0.5)
    ))
  )
  loss <- utility_matrix(send = c(buys = -1, silent = -3), skip = c(buys = -9, silent = -1))
  data <- data.frame(x = c("yes", "no", "yes"), y = c("buys", "silent", "silent"))
  step <- shown(next_feature(known, data.frame(x = NA_character_), loss))
  expect_match(step, "gain_now gain_after", fixed = TRUE)
  worth <- value_of_information(known, loss)
  expect_match(shown(worth), "in expected gain per case", fixed = TRUE)
  expect_identical(plot(worth)$labels$y, "expected gain per case")
  ranges <- cost_ranges(known, data["x"], loss, vary = list(prior = list(buys = c(0.2, 0.4))))
  expect_match(shown(ranges), "^<expected gain per case within ranges: 3 cases, now -[0-9]")
  expect_match(shown(ranges), "gain_from gain_to", fixed = TRUE)
  expect_identical(plot(ranges)$labels$x, "expected gain per case")
  compared <- compare_decisions(list(a = known), data = data["x"], truth = data$y, cost = loss)
  expect_match(shown(compared), "gain: per case", fixed = TRUE)
  assessed <- assess_decisions(known, data["x"], loss, truth = data$y)
  expect_identical(levels(plot(assessed, "coverage")$layers[[1L]]$data$panel)[[1L]], "mean gain")
})

test_that("a sweep of a utility prints the lines that its figure draws", {
  known <- bayes_known(
    c(buys = 0.3, silent = 0.7), x = likelihood_gaussian(mean = c(buys = 1, silent = 0), sd = 1)
  )
  sweep <- cost_sweep(known, cost = letters_gain(), class = "buys")
  # Before anything is seen, a letter gains -1 + 20 p.
  expect_match(shown(sweep), "<action of largest expected gain, along the prior", fixed = TRUE)
  expect_match(shown(sweep), "send +-1 +20")
  expect_equal(as.data.frame(sweep)$slope[[2L]], -20)
  costs <- cost_sweep(known, cost = letters_cost(), class = "buys")
  expect_match(shown(costs), "action of least expected cost", fixed = TRUE)
})

test_that("figures of a utility have axes of gains and data of costs", {
  skip_on_cran()
  known <- bayes_known(
    c(buys = 0.3, silent = 0.7), x = likelihood_gaussian(mean = c(buys = 1, silent = 0), sd = 1)
  )
  cost <- letters_gain()
  lines <- plot(known, "cost", cost = cost)
  expect_identical(lines$labels$y, "expected gain")
  expect_equal(min(lines$data$cost[lines$data$action == "skip"]), 0)
  expect_equal(max(lines$layers[[3L]]$data$cost), -min(lines$data$cost))
  sweep <- plot(cost_sweep(known, cost = cost))
  expect_identical(sweep$labels$y, "expected gain")
  parts <- contributions(known, data.frame(x = 1), cost)
  expect_match(shown(parts), "contributions to the expected gain", fixed = TRUE)
  steps <- plot(parts)
  expect_identical(steps$labels$x, "expected gain")
  expect_setequal(
    as.character(steps$layers[[2L]]$data$supports), c("raises the gain", "expected gain")
  )
  losses <- plot(known, "cost", cost = cost_matrix(send = c(buys = -19, silent = 1), skip = 0))
  expect_identical(losses$labels$y, "expected cost")
})
