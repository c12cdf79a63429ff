test_that("every kind of error has its class, the common class and the user's call", {
  raise <- list(
    argument = abort_argument, data = abort_data, degenerate = abort_degenerate,
    schema = abort_schema, object = abort_object, memory = abort_memory
  )
  for (kind in names(raise)) {
    outer <- function(value) raise[[kind]]("{.arg {value}} is wrong.", call = quote(fit(a)))
    error <- rlang::catch_cnd(outer("{x} %s"), "error")
    expect_s3_class(error, c(paste0("bayesrisk_error_", kind), "bayesrisk_error"), exact = FALSE)
    expect_match(conditionMessage(error), "{x} %s", fixed = TRUE)
    expect_identical(conditionCall(error), quote(fit(a)))
  }
})

test_that("warnings and messages are classed", {
  warning <- rlang::catch_cnd(warn_bayesrisk("{1 + 1} rows", "unknown_level"))
  expect_s3_class(warning, "bayesrisk_warning_unknown_level")
  expect_s3_class(warning, "bayesrisk_warning")
  expect_match(conditionMessage(warning), "2 rows")
  message <- rlang::catch_cnd(inform_bayesrisk("said", "empty_class"))
  expect_s3_class(message, "bayesrisk_message_empty_class")
  expect_s3_class(message, "bayesrisk_message")
})

test_that("an error shows the call that the user typed", {
  model <- fit(bayes_naive(), y ~ x, tails())
  calls <- list(
    fit = quote(fit(bayes_naive(), y ~ nowhere, tails())),
    fit_xy = quote(fit_xy(bayes_naive(), tails()["x"], 1)),
    predict = quote(predict(model, tails(), type = "nothing")),
    update = quote(update(model, laplace = -1)),
    merge = quote(merge(model, 1)),
    contributions = quote(contributions(model, 1)),
    bayes_statistics = quote(bayes_statistics(1)),
    bayes_known = quote(bayes_known(1))
  )
  for (name in names(calls)) {
    error <- rlang::catch_cnd(eval(calls[[name]]), "bayesrisk_error")
    expect_match(as.character(conditionCall(error)[[1L]]), name, fixed = TRUE)
  }
})

test_that("names of columns, levels and classes are never read as a template or a format (S16)", {
  skip_on_cran()
  odd <- c("%s%n%d", "{x}", "a b", "{.arg x}")
  for (name in odd) {
    data <- stats::setNames(tails(), c("y", name))
    model <- fit(bayes_naive(), y ~ ., data)
    error <- rlang::catch_cnd(predict(model, tails()), "bayesrisk_error_schema")
    expect_match(conditionMessage(error), name, fixed = TRUE)
    constant <- stats::setNames(data.frame(rep(c("A", name), each = 3), 1), c("y", name))
    strict <- bayes_naive(degenerate = "stop")
    error <- rlang::catch_cnd(fit(strict, y ~ ., constant), "bayesrisk_error_degenerate")
    expect_match(conditionMessage(error), name, fixed = TRUE)
  }
})

test_that("a time limit is told from other errors", {
  expect_true(is_time_limit(simpleError("reached CPU time limit")))
  expect_true(is_time_limit(simpleError("`read()` failed: reached elapsed\n  time limit")))
  expect_false(is_time_limit(simpleError("no limit")))
})

test_that("one message of each kind", {
  model <- fit(bayes_naive(), y ~ x, tails())
  missed <- transform(tails(), z = replace(x, 2, Inf))
  expect_snapshot({
    said(decide(model, tails(), cots = 1))
    said(predict(model, data.frame(X = 1)))
    said(fit(bayes_naive(), y ~ z, missed))
    said(fit(bayes_naive(degenerate = "stop"), y ~ x, tails()[c(1, 4:6), ]))
    said(print(replace(model, "plan", list(NULL))))
    said(decide(c(0.1, 0.4), zero_one_cost(c("A", "B"))))
  })
})
