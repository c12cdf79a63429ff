data <- data.frame(y = rep(c("a", "b"), 4), x = c(1, 3, 4, 5, 1.5, 2, 2.5, 6))
model <- fit(bayes_naive(), y ~ x, data)
cost <- zero_one_cost(c("a", "b"))
now <- package_version_string

# Objects that say their version, and a use of each.
versioned <- list(
  list(model, function(x) predict(x, data)),
  list(model, function(x) decide(x, data, cost)),
  list(model, function(x) update(x, data)),
  list(model, print),
  list(model, function(x) merge(model, x)),
  list(model, function(x) write_model_json(x, tempfile())),
  list(bayes_statistics(bayes_naive(), y ~ x, data), function(x) fit(bayes_naive(), x)),
  list(bayes_naive(), function(x) fit(x, y ~ x, data)),
  list(bayes_naive(), print),
  list(assess_decisions(model, data, cost), summary),
  list(temper(predict(model, data, type = "prob"), data$y), print)
)

test_that("an object of a newer version is an error that names both versions", {
  for (case in versioned) {
    newer <- unclass(case[[1L]])
    expect_identical(newer$version, now)
    newer$version <- "99.1.2"
    newer <- structure(newer, class = class(case[[1L]]))
    expect_bayesrisk_error(case[[2L]](newer), "object", "99.1.2")
    expect_bayesrisk_error(case[[2L]](newer), "object", now)
  }
})

test_that("models of groups and costs say their version", {
  grouped <- transform(rbind(data, data), g = rep(1:2, each = 8))
  groups <- fit(bayes_naive(), y ~ x, grouped, by = g)
  uses <- list(
    list(groups, function(x) predict(x, grouped)), list(cost, function(x) decide(model, data, x)),
    list(cost, print), list(cost_matrix(go = ~x, stay = 1), function(x) decide(model, data, x))
  )
  for (case in uses) {
    newer <- case[[1L]]
    expect_identical(attr(newer, "version"), now)
    attr(newer, "version") <- "99.1.2"
    expect_bayesrisk_error(case[[2L]](newer), "object", "99.1.2")
  }
})

test_that("an older object gets each later change of form once, in order", {
  change <- function(number) {
    function(x) replace(x, "order", list(c(x$order, number)))
  }
  changes <- list("0.2.0.0.1" = change(1), "0.2.0.0.2" = change(2))
  changed <- function(object) up_to_date(object, "model", environment(), changes)
  of <- function(version) structure(list(version = version), class = "bayesrisk_model")
  expect_identical(changed(of("0.2.0"))$order, c(1, 2))
  expect_identical(changed(of("0.2.0.0.1"))$order, 2)
  expect_null(changed(of("0.2.0.0.2"))$order)
  expect_identical(changed(changed(of("0.2.0"))), changed(of("0.2.0")))
})

test_that("the specification of an older model is brought up to date with it", {
  older <- unclass(model)
  older$version <- "0.2.0"
  older$spec <- structure(unclass(older$spec), class = class(model$spec))
  older$spec$version <- NULL
  older <- structure(older, class = class(model))
  expect_identical(up_to_date(older, "model", environment()), model)
  expect_identical(merge(older, model), merge(model, model))
})

test_that("an older assessment has the measures, and what follows from its parts", {
  now_known <- assess_decisions(model, data, class = "b")
  older <- unclass(now_known)
  new <- c(
    "kappa_linear", "kappa_quadratic", "npv", "lr_positive", "lr_negative", "average_precision"
  )
  older$measures <- older$measures[!older$measures$measure %in% new, ]
  older$by_truth <- older$by_truth[setdiff(names(older$by_truth), new)]
  older$ranking$precision <- older$benefit$standardised <- NULL
  older$version <- "0.2.0.1"
  read <- up_to_date(structure(older, class = class(now_known)), "assessment", environment())
  expect_setequal(
    paste(read$measures$measure, read$measures$class),
    paste(now_known$measures$measure, now_known$measures$class)
  )
  # The table of cases has the first three; the others need the cases.
  for (name in c("npv", "lr_positive", "lr_negative")) {
    estimates <- function(x) x$measures$estimate[x$measures$measure == name]
    expect_equal(estimates(read), estimates(now_known))
    expect_false(all(is.na(estimates(read))))
  }
  others <- c("kappa_linear", "kappa_quadratic", "average_precision")
  expect_true(all(is.na(read$measures$estimate[read$measures$measure %in% others])))
  expect_identical(names(summary(read)), names(summary(now_known)))
  expect_equal(read$by_truth$npv, now_known$by_truth$npv)
  expect_equal(read$ranking$precision, now_known$ranking$precision)
  expect_equal(read$benefit$standardised, now_known$benefit$standardised)
  expect_no_error(format(read))
  expect_s3_class(summary(read), "bayesrisk_summary_assessment")
})

test_that("tests of classes are those of an assessment, also with actions that are no class", {
  truth <- c("a", "a", "a", "b", "b", "e", "e", "e")
  p <- cbind(a = c(.8, .4, .1, .2, .1, .2, .1, .1), b = c(.1, .3, .8, .7, .2, .2, .1, .8))
  p <- cbind(p, e = 1 - p[, "a"] - p[, "b"])
  apart <- cost_matrix(go = c(a = 0, b = 1, e = 2), stay = 1)
  for (cost in list(zero_one_cost(colnames(p)), zero_one_cost(colnames(p), 0.4), apart)) {
    x <- assess_decisions(p, cost = cost, truth = truth)
    found <- tests_of_classes(x$confusion)
    for (name in names(found)) expect_equal(unname(found[[name]]), x$by_truth[[name]])
  }
})
