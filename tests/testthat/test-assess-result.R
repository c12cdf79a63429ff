test_that("actions that are no classes are never wrong", {
  counts <- confusion_table(c("a", "b", "b", "a"), c("a", "a", "ask", "ask"))
  expect_identical(
    assessed_errors(counts, 1), list(error = 1 / 4, coverage = 1 / 2, error_decided = 1 / 2)
  )
  none <- confusion_table(c("a", "b"), c("go", "wait"))
  expect_true(all(is.na(unlist(assessed_errors(none, 0)))))
  given_back <- confusion_table(factor(c("a", "b")), factor(c("ask", "ask"), c("a", "ask")))
  expect_identical(assessed_errors(given_back, 0)$error_decided, NA_real_)
})

test_that("a few errors among the certain are chance, many are not", {
  certain <- function(expected, wrong) {
    c(from = 0.99, cases = 100, expected = expected, wrong = wrong)
  }
  expect_false(is_overconfident(NULL))
  expect_false(is_overconfident(certain(0, 0)))
  expect_false(is_overconfident(certain(0.5, 2)))
  expect_true(is_overconfident(certain(0, 1)))
  expect_true(is_overconfident(certain(0.5, 6)))
})

test_that("the price of cases given back is part of the risk, if any is", {
  curve <- list(reject = c(1, Inf), decided = c(3, 4), wrong = c(0, 1), cost = c(2, 7))
  drawn <- coverage_frame(curve, 4, TRUE)
  expect_identical(drawn$risk, c((2 + 1) / 4, 7 / 4))
  expect_identical(coverage_frame(curve, 4, FALSE)$error, c(NA_real_, NA_real_))
  expect_null(coverage_frame(list(reject = numeric()), 4, TRUE))
})

test_that("expected costs that differ only by rounding are one price", {
  wrong <- c(0.3, 0.1 + 0.2, 0.3 + 1e-9, 0.3 * (1 + 1e-13), 0)
  p <- cbind(a = wrong, b = 1 - wrong)
  found <- assess_decisions(p, truth = c("a", "b", "b", "b", "b"))$risk_coverage
  expect_equal(found$coverage, c(0.2, 0.8, 1))
  expect_equal(found$error, c(0, 1 / 4, 1 / 5))
  expect_identical(found$reject, c(0, max(wrong[-3]), wrong[[3]]))
})

test_that("the class of an assessment has a case, if a class that is as dear has one", {
  posterior <- data.frame(a = c(.6, .5, .2, .3), b = c(.3, .3, .7, .5), e = c(.1, .2, .1, .2))
  truth <- c("a", "a", "a", "b")
  x <- assess_decisions(posterior, truth = truth)
  expect_identical(x$class, "b")
  expect_s3_class(plot(x, "benefit"), "ggplot")
  dear <- zero_one_cost(c("a", "b", "e"))
  dear["a", "e"] <- 9
  expect_identical(assess_decisions(posterior, cost = dear, truth = truth)$class, "e")
})

test_that("no case is said without a reason where there is none", {
  model <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_bayesrisk_error(
    assess_decisions(model, data.frame(x = numeric()), truth = character()), "argument",
    "no case to assess\\.$"
  )
})

test_that("one screen: costs, errors, counts, shares, and what to beware of", {
  ten <- ten_cases()
  sure <- c(rep(0.999, 30), 0.5)
  expect_snapshot(assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth))
  decided <- assess_decisions(decide(ten$posterior, ten$cost), truth = ten$truth)
  printed <- format(decided)
  expect_no_match(printed, "AUC +[0-9]")
  # The call that it names has what decisions lack.
  advice <- paste(trimws(printed), collapse = " ")
  expect_match(advice, "assess_decisions(posterior, cost = cost, truth = truth)", fixed = TRUE)
  posterior <- ten$posterior
  cost <- ten$cost
  truth <- ten$truth
  whole <- assess_decisions(posterior, cost = cost, truth = truth)
  expect_identical(whole$cost, decided$cost)
  expect_false(anyNA(c(whole$log_loss, measure_of(whole$measures, "auc")$estimate)))
  too_sure <- suppressWarnings(assess_decisions(
    cbind(no = 1 - sure, yes = sure), cost_matrix(go = c(no = 2, yes = 0), stay = 1),
    data = NULL, truth = rep(c("yes", "no", NA), c(25, 5, 1))
  ))
  expect_output(print(too_sure), "error +none.*1 row without a truth.*30 cases.* 5 are wrong")
})

test_that("cells, one row of numbers, and a row per truth", {
  ten <- ten_cases()
  result <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)
  cells <- generics::tidy(result)
  expect_named(cells, c("truth", "decision", "n", "cost", "share"))
  expect_identical(cells, as.data.frame(result))
  expect_identical(cells$n, c(3L, 1L, 1L, 1L, 3L, 1L))
  expect_identical(cells$cost, c(0, 4, 2.5, 10, 3, 2.5))
  expect_equal(cells$share, cells$cost / 22)
  row <- generics::glance(result)
  expect_identical(dim(row), c(1L, 23L))
  expect_identical(row$cost, result$cost)
  by_truth <- summary(result)
  expect_identical(by_truth$n, c(5L, 5L))
  expect_equal(by_truth$error, c(1, 1) / 5)
  expect_equal(by_truth$cost, c(6.5, 15.5) / 5)
  expect_equal(by_truth$share, c(6.5, 15.5) / 22)
})

test_that("a changed assessment is an error of ours", {
  ten <- ten_cases()
  result <- assess_decisions(ten$posterior, cost = ten$cost, truth = ten$truth)
  result$cells <- NULL
  for (use in list(print, generics::tidy, generics::glance, summary, as.data.frame, plot)) {
    expect_bayesrisk_error(use(result), "argument", "changed")
  }
})
