# Names that look like nothing: empty text, blanks, "NA", and names that differ by blanks. A class
# must have a name. Levels of features and keys of groups may be empty.

nameless <- c("", " ", "NA", "v ", "v")

strange_rows <- function(classes = c("  ", "NA", "a ", "a")) {
  withr::local_seed(6)
  n <- 120L
  data.frame(
    y = rep_len(classes, n), x = stats::rnorm(n), g = sample(nameless, n, TRUE),
    h = sample(nameless, n, TRUE), r = rep_len(nameless, n), id = seq_len(n)
  )
}

test_that("an empty class is an error, wherever the rows are", {
  data <- strange_rows(c("", "a"))
  spec <- bayes_naive(laplace = 1)
  refused <- function(expr) expect_bayesrisk_error(expr, "data", "y.*a class must have a name")
  refused(fit(spec, y ~ g, data))
  refused(fit(spec, y ~ g, transform(data, y = factor(y))))
  refused(fit(spec, y ~ g, transform(data, y = factor("a", c("a", "")))))
  refused(fit_xy(spec, data["g"], data$y))
  refused(fit(spec, y ~ g, data, by = r))
  refused(fit(spec, y ~ g, chunked(data, 50L)))
  expect_bayesrisk_error(
    fit(spec, y ~ g, data_parts(list(data))), "data", "a class must have a name"
  )
  refused(bayes_statistics(spec, y ~ g, data))
  refused(cv_risk(spec, y ~ g, data))
  refused(feature_dependence(y ~ g + h, data))
  refused(update(fit(spec, y ~ g, strange_rows()), data))
  rows <- transform(strange_rows(c("", "a", "b")), w = as.numeric(y != ""))
  expect_message(model <- fit(spec, y ~ g, rows, weights = w), "loses level \"\"")
  expect_identical(model$schema$classes$levels, c("a", "b"))
})

for (engine in database_engines) {
  test_that(paste("names that look like nothing are those of memory:", engine), {
    con <- local_database(engine)
    spec <- bayes_naive(laplace = 1)
    expect_bayesrisk_error(
      fit(spec, y ~ g, put_table(con, strange_rows(c("", "a")))), "data", "must have a name"
    )
    data <- strange_rows()
    table <- put_table(con, data)
    model <- fit(spec, y ~ x + g + h, data)
    found <- fit(spec, y ~ x + g + h, table)
    expect_identical(found$schema, model$schema)
    expect_identical(counts(found), counts(model))
    predicted <- as.data.frame(dplyr::collect(predict(model, table, type = "both")))
    predicted <- predicted[order(predicted$id), ]
    expect_identical(predicted$.pred_class, as.character(predict(model, data, type = "class")))
    expect_equal(
      unname(as.matrix(predicted[paste0(".pred_", model$schema$classes$levels)])),
      unname(predict(model, data, type = "prob")), tolerance = 1e-12
    )
  })
}

test_that("strange classes, levels and groups work in memory, and survive files", {
  data <- strange_rows()
  cost <- zero_one_cost(sort(unique(data$y), method = "radix"))
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    model <- fit(spec, y ~ x + g + h, data)
    p <- predict(model, data, type = "prob")
    expect_identical(colnames(p), c("  ", "NA", "a", "a "))
    expect_identical(as.character(decide(model, data, cost)$decision),
                     colnames(p)[max.col(p, "first")])
    expect_identical(levels(tidy(model)$class), colnames(p))
    known <- do.call(bayes_known, c(list(coef(model)$prior), coef(model)[-1L]))
    expect_equal(predict(known, data, type = "prob"), p, tolerance = 1e-12)
  }
  skip_if_not_installed("jsonlite")
  file <- withr::local_tempfile()
  write_model_json(model, file)
  expect_identical(predict(as_bayes_model(read_model_json(file)), data, type = "prob"), p)
})

test_that("a group may have an empty name", {
  data <- strange_rows()
  models <- fit(bayes_naive(laplace = 1), y ~ x + g, data, by = r)
  expect_identical(names(models), sort(nameless, method = "radix"))
  expect_identical(models[[""]], models[[1L]])
  expect_identical(names(models[c("v ", "")]), c("v ", ""))
  expect_identical(models[-1L][["NA"]], models[["NA"]])
  expect_bayesrisk_error(models[c("", "")], "argument", "chosen twice")
  expect_bayesrisk_error(models["w"], "argument", "no group \"w\"")
  empty <- data$r == ""
  expect_identical(predict(models, data[empty, ]), predict(models[[""]], data[empty, ]))
})
