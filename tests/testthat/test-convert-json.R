skip_if_not_installed("jsonlite")

json_again <- function(model, ...) {
  file <- withr::local_tempfile()
  write_model_json(model, file, ...)
  read_model_json(file)
}

test_that("models of every kind are read as they were written, bit for bit", {
  withr::local_seed(1)
  text <- valid_text()
  data <- valid_data()
  models <- c(valid_models(), list(
    text = text$model, bernoulli = fit(bayes_text("bernoulli"), text$data$words, data$y),
    complement = fit(bayes_text("complement"), text$data$words, data$y),
    rates = fit(bayes_text("poisson"), text$data$words, data$y),
    gamma = fit(bayes_naive(numeric = likelihood_gamma()), y ~ I(exp(x)), data),
    overdispersed = fit(bayes_naive(numeric = likelihood_negative_binomial()), y ~ n, data),
    tempered = temper(fit(bayes_naive(), y ~ x + g, data), data, by = "block", folds = 2),
    borrowed = suppressWarnings(fit(bayes_naive(), y ~ x, data[c(1, 2, 4, 6), ])),
    odd = bayes_known(c(`it's "x"` = 0.5, "\u00e9{a}" = 0.5), .double = likelihood_gaussian(
      mean = c(`it's "x"` = -0, "\u00e9{a}" = 0), sd = 1e-150
    ))
  ))
  for (name in names(models)) expect_same_bits(json_again(models[[name]]), models[[name]], name)
})

test_that("without statistics a model scores the same, and cannot be updated", {
  data <- valid_data()
  model <- valid_models()$blocks
  bare <- json_again(model, statistics = FALSE)
  joint <- function(model) predict(model, data, type = "log_joint")
  expect_identical(joint(bare), joint(model))
  expect_identical(coef(bare), coef(model))
  expect_identical(nobs(bare), 0)
  for (use in list(logLik, counts, function(m) update(m, data), function(m) merge(m, model))) {
    expect_error(use(bare), class = "bayesrisk_error_argument")
  }
  prior <- c(a = 0.1, b = 0.9)
  expect_within(coef(update(bare, prior = prior))$prior, prior, 0)
  expect_output(print(bare), "without data")
  expect_same_bits(json_again(bare), bare)
})

# The model of a file whose text is changed before it is read.
read_changed <- function(model, from, to, ...) {
  file <- withr::local_tempfile()
  write_model_json(model, file)
  text <- gsub("\n *", " ", readChar(file, file.size(file), useBytes = TRUE))
  stopifnot(grepl(from, text, fixed = TRUE))
  writeBin(charToRaw(gsub(from, to, text, fixed = TRUE)), file)
  read_model_json(file, ...)
}

test_that("a file runs no code that is not a known function of its formula", {
  skip_on_cran()
  data <- valid_data()
  model <- fit(bayes_naive(laplace = 1), y ~ I(x * 2) + g, data)
  ran <- withr::local_tempfile()
  code <- sprintf("I(file.create(\\\"%s\\\") + x)", ran)
  wrong <- function(text, ...) expect_bayesrisk_error(force(text), "object", ...)
  # In the expression alone, which print() and formula() do not show
  expression <- '"expression": { ".code": "%s" }'
  in_expression <- function(...) {
    read_changed(model, sprintf(expression, "I(x * 2)"), sprintf(expression, code), ...)
  }
  wrong(in_expression(), "file\\.create")
  wrong(suppressMessages(in_expression(trust = TRUE)), "not the terms of its formula")
  # In the formula, in the class, or instead of it
  expect_message(
    trusted <- read_changed(model, "I(x * 2)", code, trust = TRUE), "file\\.create",
    class = "bayesrisk_message_code"
  )
  wrong(read_changed(model, "I(x * 2)", code), "file\\.create")
  wrong(read_changed(model, "y ~ ", sprintf("%s ~ ", code)), "file\\.create")
  wrong(read_changed(model, "+ g", sprintf("+ g - %s", code)), "file\\.create")
  wrong(read_changed(model, "I(x * 2)", "I(x * password)"), "password")
  other <- sprintf(expression, "I(x * 3)")
  wrong(read_changed(model, sprintf(expression, "I(x * 2)"), other), "not the terms")
  wrong(read_changed(model, "+ g", "+ h"), "not the terms")
  wrong(read_changed(model, "I(x * 2)", paste(rep("x", 1e5), collapse = " * ")), "nested")
  expect_false(file.exists(ran))
  # With the user's consent it runs where it is used.
  predict(trusted, data)
  expect_true(file.exists(ran))
  expect_bayesrisk_error(read_model_json(opened$model, trust = NA), "argument", "trust")
})

test_that("values of a formula are data without foreign classes", {
  m <- as.Date("2024-02-29")
  model <- fit(bayes_naive(), y ~ I(x - as.numeric(m)), valid_data())
  expect_same_bits(json_again(model), model)
  other <- "[\"other\",\"Date\"]"
  expect_bayesrisk_error(read_changed(model, "[\"Date\"]", other), "object", "more than data")
})

test_that("unknown fields and fields that stand twice are errors", {
  skip_on_cran()
  model <- fit(bayes_naive(laplace = 1), y ~ x + g, valid_data())
  model <- temper(model, valid_data(), folds = 2)
  json <- function(x) paste0('"', x, '": ')
  fields <- c(
    "format", "format_version", "model", "spec", "structure", "numeric", "schema", "formula",
    "classes", "features", "kind", "plan", "banks", "statistics", "weight", "mean", "parameters",
    "prior", "notes", "temper", "common", "rows", "read", "version", ".double", ".list"
  )
  for (field in fields) {
    for (other in c(field, "other")) {
      more <- paste0(json(other), "null, ", json(field))
      expect_bayesrisk_error(read_changed(model, json(field), more), "object", "damaged")
    }
  }
})

test_that("a file without a sound model is a classed error", {
  file <- withr::local_tempfile()
  write_model_json(fit(bayes_naive(laplace = 1), play ~ ., play_tennis), file)
  text <- readChar(file, file.size(file))
  read <- jsonlite::read_json(file)
  withr::local_seed(3)
  for (i in 1:40) {
    at <- sample(nchar(text), 1L)
    damaged <- paste0(
      substr(text, 1L, at - 1L), sample(c("7", "\"", "{", "]", "x", ""), 1L),
      substring(text, at + sample(20L, 1L))
    )
    writeBin(charToRaw(damaged), file)
    outcome <- tryCatch(read_model_json(file), error = identity)
    expect_true(
      inherits(outcome, c("bayesrisk_error", "bayesrisk_model")),
      info = paste(i, class(outcome)[[1L]])
    )
  }
  expect_s3_class(tryCatch(read_model_json(file), error = identity), "bayesrisk_error")
  write_statistics(bayes_statistics(bayes_naive(), play ~ ., play_tennis), file)
  expect_error(read_model_json(file), "no model", class = "bayesrisk_error_object")
  saveRDS(1, file)
  expect_error(read_model_json(file), class = "bayesrisk_error_object")
  future <- sub("\"format_version\": 1", "\"format_version\": 2", text, fixed = TRUE)
  writeBin(charToRaw(future), file)
  expect_error(read_model_json(file), "another\\s+version", class = "bayesrisk_error_object")
})

test_that("every field of a file may be wrong", {
  skip_on_cran()
  withr::local_seed(5)
  file <- withr::local_tempfile()
  models <- valid_models()[c("naive", "blocks", "points")]
  models$text <- valid_text()$model
  for (name in names(models)) {
    damages <- all_damages(models[[name]])
    for (damage in sample(damages, 20L)) {
      damaged <- damage$make()
      # An object that cannot be written cannot be read either.
      written <- tryCatch(
        {
          write_json(damaged, "model", file, NULL)
          TRUE
        },
        error = function(e) FALSE
      )
      if (!written) next
      problem <- damage_problem(function(file) {
        predict(read_model_json(file), valid_data(), type = "prob")
      }, file)
      expect_null(problem, info = paste(name, path_label(models[[name]], damage$path), damage$kind))
    }
  }
})

test_that("wrong arguments are classed errors", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  folder <- withr::local_tempdir()
  wrong <- function(expr, ...) expect_error(expr, ..., class = "bayesrisk_error_argument")
  wrong(write_model_json(play_tennis, file.path(folder, "x")))
  wrong(write_model_json(model, file.path(folder, "no", "x")))
  wrong(write_model_json(model, folder))
  wrong(write_model_json(model, file.path(folder, "x"), statistics = NA))
  wrong(read_model_json(file.path(folder, "x")))
  groups <- fit(bayes_naive(), play ~ outlook, play_tennis, by = wind)
  wrong(write_model_json(groups, file.path(folder, "x")), "Take the model of a group")
  expect_identical(dir(folder), character())
  expect_invisible(write_model_json(model, file.path(folder, "x")))
})
