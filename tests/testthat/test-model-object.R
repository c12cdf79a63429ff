data <- data.frame(
  y = rep(c("a", "b"), c(5, 4)),
  x = c(1, 2, 4, 3, 2.5, 7, 9, 5, 6),
  z = c(3, 1, 2, 5, 4, 4, 1, 7, 2),
  g = c("u", "v", "u", "u", "v", "v", "u", "v", "v"),
  h = c("p", "q", "q", "p", "q", "p", "q", "p", "q")
)
naive <- fit(bayes_naive(laplace = 1), y ~ ., data)
full <- fit(bayes_full(laplace = 1), y ~ ., data)
uses <- list(
  predict = function(model) predict(model, data),
  decide = function(model) predict(model, data, type = "decision"),
  contributions = function(model) contributions(model, data),
  settings = function(model) update(model, laplace = 2),
  rows = function(model) update(model, data),
  drop = function(model) update(model, . ~ . - x),
  merge = function(model) merge(model, model)
)
expect_damaged <- function(model, by = names(uses)) {
  for (use in uses[by]) {
    error <- tryCatch(unworded(suppressWarnings(use(model))), error = identity)
    expect_s3_class(error, "bayesrisk_error_object")
  }
}
readers <- c("predict", "decide", "contributions")
changed <- function(model, path, value) {
  model <- unclass(model)
  model[[path]] <- value
  structure(model, class = "bayesrisk_model")
}

test_that("what is no model is an argument error, what only says so is damaged (R5)", {
  for (object in list(NULL, 1, "a", list(), iris, mean, bayes_naive())) {
    expect_bayesrisk_error(contributions(object, data), "argument", "object.*fitted model")
    expect_bayesrisk_error(merge(naive, object), "argument", "y.*fitted model")
  }
  for (object in list(list(), 1, "a", TRUE, list(schema = 1), unclass(naive)[1:3], mean)) {
    expect_damaged(structure(object, class = "bayesrisk_model"))
  }
})

test_that("a part that is gone or of another type is damage", {
  for (part in c("schema", "plan", "parameters")) {
    for (value in list(NA, 1, "a", list(), mean, quote(a))) {
      expect_damaged(changed(naive, part, value))
    }
    model <- unclass(naive)
    model[[part]] <- NULL
    expect_damaged(structure(model, class = "bayesrisk_model"))
  }
  for (value in list(NULL, NA, 1, "a", list(), mean)) {
    model <- unclass(naive)
    model["spec"] <- list(value)
    expect_damaged(structure(model, class = "bayesrisk_model"),
                   c("settings", "rows", "drop", "merge"))
  }
})

test_that("a likelihood, a bank or a count of rows that is none is damage", {
  spec <- bayes_naive(features = list(x = likelihood_kernel(1)))
  model <- fit(spec, y ~ x + g, data)
  readings <- list(
    print = function(model) capture.output(print(model)),
    summary = function(model) summary(model),
    regions = function(model) decision_regions(model, features = "x"),
    risk = function(model) bayes_risk(model)
  )
  broken <- list(
    changed(model, c("spec", "features", "x"), list()),
    changed(model, c("rows", "read"), NA_real_),
    changed(model, c("plan", "banks"), lapply(model$plan$banks, `[[<-`, "name", 1:3)),
    changed(model, c("parameters", "banks"), list()),
    changed(model, c("statistics", "banks"), model$statistics$banks[1])
  )
  for (damaged in broken) {
    for (read in readings) expect_bayesrisk_error(read(damaged), "object", "damaged")
  }
})

test_that("a damaged prior is damage", {
  priors <- list(
    NA_real_, c(0.5, NA), c(NaN, 1), c(-1, 2), c(Inf, 0), 1, c(0.2, 0.3, 0.5), c("a", "b"),
    c(0.1, 0.1)
  )
  for (prior in priors) {
    expect_damaged(changed(naive, c("parameters", "prior"), prior), readers)
  }
  model <- unclass(naive)
  model$parameters["prior"] <- list(NULL)
  expect_damaged(structure(model, class = "bayesrisk_model"), readers)
})

test_that("damaged classes are damage", {
  wrong <- list(
    "a", c("a", "b", "c"), c("a", "a"), c("a", NA), 1:2, character(), list("a", "b")
  )
  for (levels in wrong) {
    expect_damaged(changed(naive, c("schema", "classes", "levels"), levels))
  }
  for (type in list(character(), NA, c("factor", "ordered"), 1, "strange")) {
    expect_damaged(changed(naive, c("schema", "classes", "type"), type))
  }
})

test_that("damaged features are damage, and never a crash", {
  levels <- c("schema", "features", "g", "levels")
  for (value in list("u", c("u", "v", "w"), c("u", "u"), c(NA, "v"), 1:2, character(), NA)) {
    expect_damaged(changed(naive, levels, value))
    expect_damaged(changed(full, levels, value))
  }
  for (kind in list("numeric", "strange", NA_character_, character(), 1)) {
    expect_damaged(changed(naive, c("schema", "features", "g", "kind"), kind))
  }
  for (name in list("x", NA_character_, character(), 1, "", mean)) {
    expect_damaged(changed(naive, c("schema", "features", "g", "name"), name))
  }
  unnamed <- changed(naive, c("schema", "features"), unname(naive$schema$features))
  expect_damaged(unnamed)
  expect_damaged(changed(naive, c("schema", "features"), naive$schema$features[-1]))
})

test_that("a damaged plan is damage", {
  bank <- c("plan", "banks")
  wrong <- list(
    c(1L, 9L), c(0L, 1L), c(NA, 1L), 1:2 + 0.5, "x", 1L, integer(), c(1L, 1L), 3:4
  )
  for (features in wrong) {
    banks <- naive$plan$banks
    banks[[1]]$features <- features
    expect_damaged(changed(naive, bank, banks), readers)
  }
  for (type in list("categorical", "strange", NA_character_, character(), 1)) {
    banks <- naive$plan$banks
    banks[[1]]$type <- type
    expect_damaged(changed(naive, bank, banks), readers)
  }
  expect_damaged(changed(naive, bank, naive$plan$banks[1]), readers)
  expect_damaged(changed(naive, bank, rev(naive$plan$banks)), readers)
})

damage_matrix <- function(x) {
  low <- replace(x, 1, NA)
  list(x[, -1, drop = FALSE], x[-1, , drop = FALSE], t(x)[, 1], NULL, "a", x * NA, low,
       `storage.mode<-`(x, "character"))
}

test_that("damaged parameters are damage, never a wrong answer", {
  damage <- function(model, bank, field, values) {
    for (value in values) {
      banks <- model$parameters$banks
      banks[[bank]][field] <- list(value)
      expect_damaged(changed(model, c("parameters", "banks"), banks), readers)
    }
  }
  gaussian <- naive$parameters$banks[[1]]
  for (field in c("mean", "mean_low", "sd")) {
    damage(naive, 1, field, damage_matrix(gaussian[[field]]))
  }
  damage(naive, 1, "left_out", list(NULL, "a", rep(0L, 9L), 1))
  damage(naive, 1, "sd", list(-gaussian$sd, gaussian$sd * 0, replace(gaussian$sd, 2, Inf)))
  table <- naive$parameters$banks[[2]]$log_probability
  damage(naive, 2, "log_probability",
         c(damage_matrix(table), list(replace(table, 1, Inf), abs(table))))
  block <- full$parameters$banks[[1]]
  for (field in c("mean", "mean_low")) damage(full, 1, field, damage_matrix(block[[field]]))
  first <- block$factor[[1]]
  singular <- replace(first, 4, 0)
  for (bad in c(damage_matrix(first)[-4], list(first * 0, singular, replace(first, 1, Inf)))) {
    damage(full, 1, "factor", list(list(bad, block$factor[[2]])))
  }
  damage(full, 1, "factor", list(list(), c(block$factor, list(first)), first, NULL))
  joint <- full$parameters$banks[[2]]
  damage(full, 2, "cells",
         list(joint$cells + 9L, joint$cells - 1L, joint$cells[, 1, drop = FALSE],
              joint$cells * NA, NULL))
  damage(full, 2, "log_probability", damage_matrix(joint$log_probability))
  damage(full, 2, "log_unseen", list(0, c(NA, 0), NULL, "a"))
})

test_that("damaged statistics are damage wherever they are used", {
  counts <- c("settings", "rows", "drop", "merge")
  for (value in list(NA, 1, "a", list(), mean)) {
    expect_damaged(changed(naive, "statistics", value), counts)
  }
  for (field in c("weight", "rows")) {
    for (value in list(1, c(NA, 1), c(-1, 5), "a", NULL)) {
      model <- unclass(naive)
      model$statistics$classes[field] <- list(value)
      expect_damaged(structure(model, class = "bayesrisk_model"), counts)
    }
  }
  for (value in damage_matrix(naive$statistics$banks[[2]]$count)) {
    model <- unclass(naive)
    model$statistics$banks[[2]]["count"] <- list(value)
    expect_damaged(structure(model, class = "bayesrisk_model"), counts)
  }
})

test_that("damaged results of bayes_statistics() are damage too", {
  whole <- bayes_statistics(bayes_naive(), y ~ ., data)
  for (part in c("spec", "schema", "plan", "statistics")) {
    for (value in list(NULL, 1, "a", list())) {
      broken <- unclass(whole)
      broken[part] <- list(value)
      class(broken) <- "bayesrisk_statistics"
      expect_error(fit(bayes_naive(), broken), class = "bayesrisk_error_object")
      expect_error(merge(broken, whole), class = "bayesrisk_error_object")
      expect_error(merge(whole, broken), class = "bayesrisk_error_object")
    }
  }
})

test_that("a specification that is none is an argument error", {
  for (spec in list(list(), 1, "a", list(structure = "naive"), list(structure = 1))) {
    object <- structure(spec, class = "bayesrisk_spec")
    expect_error(fit(object, y ~ x, data), class = "bayesrisk_error")
    expect_error(fit_xy(object, data["x"], data$y), class = "bayesrisk_error")
  }
})

test_that("a model or statistics of an older version say so, and are not taken for damaged (R5)", {
  statistics <- bayes_statistics(bayes_naive(), y ~ x, data)
  for (version in c("0.1.0", "0.1.0.9000")) {
    older <- changed(naive, "version", version)
    older$plan <- NULL
    text <- sprintf("made\\s+by\\s+bayesrisk\\s+%s;.*since\\s+0.2.0", version)
    for (use in uses) expect_bayesrisk_error(use(older), "object", text)
    expect_bayesrisk_error(print(older), "object", version)
    statistics$version <- version
    expect_bayesrisk_error(fit(bayes_naive(), statistics), "object", version)
    expect_bayesrisk_error(merge(statistics, statistics), "object", version)
  }
  for (version in list(NULL, NA, 1, "", "a", c("0.1.0", "0.1.0"), character())) {
    damaged <- unclass(naive)
    damaged["version"] <- list(version)
    expect_damaged(structure(damaged, class = "bayesrisk_model"))
  }
})
