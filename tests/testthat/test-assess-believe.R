# Assessments of chunks, parts and tables against those of the same rows in memory.

assessed_rows <- function() {
  data <- stats::setNames(iris, c("sl", "sw", "pl", "pw", "y"))
  data$y <- as.character(data$y)
  data$site <- rep(c("hill", "lake", "wood"), 50)
  data$w <- rep(c(1, 2.5, 0.5), each = 50)
  data$patient <- rep(1:30, 5)
  data$sl[c(3, 70)] <- NA
  data
}

assessed_cost <- cost_matrix(
  setosa = c(setosa = 0, versicolor = 1, virginica = 2),
  versicolor = c(setosa = 1, versicolor = 0, virginica = 2),
  virginica = c(setosa = 3, versicolor = 1, virginica = 0), ask = 0.3
)

# Calls that assess models on `data`, as functions of it and of how intervals are found.
assess_uses <- function() {
  rows <- assessed_rows()
  model <- fit(bayes_naive(), y ~ sl + pw, rows)
  known <- fit(bayes_full(), y ~ sl + log(pl), rows)
  groups <- fit(bayes_naive(), y ~ sl + pw, rows, by = site)
  prior <- c(setosa = 0.2, versicolor = 0.3, virginica = 0.5)
  by_case <- cost_matrix(
    go = list(setosa = 0, versicolor = ~pl, virginica = ~ 2 * pw),
    stop = list(setosa = ~sw, versicolor = 3, virginica = 1)
  )
  cost <- assessed_cost
  list(
    plain = function(data, ...) assess_decisions(model, data, cost, ...),
    weighted = function(data, ...) {
      assess_decisions(model, data, cost, weights = w * 2, cluster = patient, ...)
    },
    prior = function(data, ...) assess_decisions(known, data, cost, prior = prior, ...),
    by_case = function(data, ...) assess_decisions(model, data, by_case, ...),
    predictive = function(data, ...) {
      assess_decisions(model, data, estimate = "predictive", class = "setosa", ...)
    },
    groups = function(data, ...) assess_decisions(groups, data, cost, weights = w, ...),
    groups_prior = function(data, ...) assess_decisions(groups, data, by_case, prior = prior, ...),
    compared = function(data, ...) {
      compare_decisions(
        list(one = model, two = known, groups = groups), data = data, cost = by_case, weights = w,
        cluster = patient, ...
      )
    }
  )
}

test_that("chunks and parts are assessed as their rows are, draws included", {
  skip_on_cran()
  rows <- assessed_rows()
  uses <- assess_uses()
  pieces <- in_pieces(rows, 60)
  for (name in names(uses)) {
    wanted <- suppressWarnings(uses[[name]](rows))
    # A piece of one row has one number of each formula.
    for (size in c(if (name == "by_case") 1, 47, 1000)) {
      found <- suppressWarnings(uses[[name]](chunked(rows, size)))
      expect_equal(found, wanted, tolerance = 1e-12, label = paste(name, size))
    }
    parts <- data_parts(list(pieces[[1L]], chunked(pieces[[2L]], 13), function() pieces[[3L]]))
    found <- suppressWarnings(uses[[name]](parts))
    expect_equal(found, wanted, tolerance = 1e-12, label = name)
  }
})

test_that("a file is assessed as its rows are", {
  skip_on_cran()
  skip_if_not_installed("data.table")
  rows <- assessed_rows()
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(rows, file, row.names = FALSE)
  for (use in assess_uses()) {
    expect_equal(
      suppressWarnings(use(csv_chunks(file, 40))), suppressWarnings(use(rows)), tolerance = 1e-12
    )
  }
})

for (engine in database_engines) {
  test_that(paste("a lazy table is assessed as its rows are:", engine), {
    rows <- assessed_rows()
    table <- put_table(local_database(engine), rows)
    # The order of rows is the engine's own, and draws depend on it.
    for (use in assess_uses()) {
      found <- suppressWarnings(muffle_ours(use(table, interval = "none")))
      expect_equal(found, suppressWarnings(use(rows, interval = "none")), tolerance = 1e-12)
    }
  })
}

test_that("chunks are read once, and one warning counts the rows of all", {
  skip_on_cran()
  rows <- assessed_rows()
  rows$sl[1:30] <- NA
  rows$pw[21:50] <- NA
  model <- fit(bayes_naive(), y ~ sl + pw, assessed_rows())
  warned <- testthat::capture_warnings(wanted <- assess_decisions(model, rows))
  again <- testthat::capture_warnings(
    found <- assess_decisions(model, chunked(rows, 20, again = FALSE))
  )
  expect_equal(found, wanted, tolerance = 1e-12)
  expect_identical(again, warned)
})

test_that("what a source cannot have is an error with a remedy", {
  skip_on_cran()
  rows <- assessed_rows()
  model <- fit(bayes_naive(), y ~ sl + pw, rows)
  chunks <- chunked(rows, 50)
  expect_bayesrisk_error(assess_decisions(model, chunks, truth = rows$y), "argument", "column")
  known <- bayes_known(
    c(setosa = 0.5, virginica = 0.5),
    sl = likelihood_gaussian(mean = c(setosa = 5, virginica = 6), sd = 1)
  )
  expect_bayesrisk_error(assess_decisions(known, chunks), "argument", "truth")
  expect_bayesrisk_error(assess_decisions(model, chunks, weights = rows$w), "argument", "column")
  expect_bayesrisk_error(assess_decisions(model, chunks, weights = -w), "argument", "negative")
  expect_bayesrisk_error(
    assess_decisions(model, chunked(rows[-4], 50)), "schema", "pw"
  )
  expect_bayesrisk_error(
    assess_decisions(model, chunked(rows[0, ], 50)), "argument", "no case to assess"
  )
  posterior <- predict(model, rows, type = "prob")
  by_case <- cost_matrix(go = list(setosa = 1, versicolor = ~pl, virginica = 2), stop = 1)
  expect_bayesrisk_error(
    assess_decisions(posterior, chunks, by_case, truth = rows$y), "schema",
    "as.data.frame\\(data\\)"
  )
  expect_bayesrisk_error(
    tune_threshold(model, data_parts(list(rows))), "schema", "into a data frame"
  )
})

test_that("the truth is matched by name, whatever its type", {
  classes <- c("b", "a", "2")
  expect_identical(truth_codes(c("a", "b", NA), classes, 3, NULL), c(2L, 1L, NA))
  expect_identical(truth_codes(factor("a", c("z", "a")), classes, 1, NULL), 2L)
  expect_identical(truth_codes(2, classes, 1, NULL), 3L)
  expect_identical(truth_codes(c(TRUE, FALSE), c("FALSE", "TRUE"), 2, NULL), 2:1)
  expect_bayesrisk_error(truth_codes("c", classes, 1, NULL), "argument", "\"c\"")
})

test_that("the truth is a column of the data, or an error says how to name it", {
  skip_on_cran()
  data <- assessed_rows()
  model <- fit(bayes_naive(), y ~ sw + pw, data)
  p <- predict(model, data, type = "prob")
  held <- assess_decisions(p, truth = data$y)
  expect_identical(assess_decisions(p, data, truth = y), held)
  expect_identical(assess_decisions(p, data, truth = as.character(y)), held)
  expect_identical(assess_decisions(model, data, truth = y), assess_decisions(model, data))
  both <- list(p = p, model = model)
  expect_identical(
    compare_decisions(both, data = data, truth = y), compare_decisions(both, data = data)
  )
  expect_identical(tune_threshold(p, data, truth = y), tune_threshold(p, truth = data$y))
  # A wrapper passes its own argument on.
  wrapped <- function(p, truth = NULL) assess_decisions(p, truth = truth)
  expect_identical(wrapped(p, data$y), held)
  expect_bayesrisk_error(wrapped(p), "argument", "`truth` is missing")
  refuse <- function(expr, text) expect_bayesrisk_error(expr, "argument", text)
  refuse(assess_decisions(p, truth = y), "`y`, which is no variable.*`truth = data\\$y`")
  refuse(assess_decisions(p, data, truth = Y), "no column of `data`.*\"Y\" for \"y\"")
  # R has a function of this name.
  refuse(assess_decisions(p, data, truth = class), "no column of `data`.*Columns")
  refuse(assess_decisions(p, data, truth = "y"), "Write `truth = y`, without quotation marks")
  refuse(temper(p, y), "`truth = data\\$y`")
  refuse(tune_threshold(p, truth = y), "`truth = data\\$y`")
  refuse(confusion_table(y, decide(p)$decision), "`truth = data\\$y`")
  refuse(compare_decisions(both, data, truth = y), "Write `data = data`")
  refuse(assess_decisions(model, chunked(data, 50), truth = y), "Leave it out")
})

test_that("the order of classes is that of an ordered truth, else that of the model", {
  classes <- c("a", "b", "c")
  expect_identical(class_ranks(c("a", "b"), classes), integer())
  expect_identical(class_ranks(c("a", "b"), classes, c("b", "a", "c")), c(2L, 1L, 3L))
  expect_identical(class_ranks(ordered("a", c("c", "a", "b")), classes), c(2L, 3L, 1L))
  # A class without a place
  expect_identical(class_ranks(ordered("a", c("b", "a")), classes), integer())
  order <- c("low", "mid", "high")
  data <- data.frame(y = ordered(rep(order, 4), order), x = c(1.5, 2:12))
  model <- fit(bayes_naive(), y ~ x, data)
  linear <- function(...) {
    measures <- suppressWarnings(assess_decisions(model, data, ...))$measures
    measures$estimate[measures$measure == "kappa_linear"]
  }
  expect_false(is.na(linear()))
  expect_identical(linear(truth = as.character(data$y)), linear())
})

test_that("models of groups know the order of their class, also of text and from a file", {
  skip_on_cran()
  order <- c("low", "mid", "high")
  data <- data.frame(
    y = ordered(rep(order, 8), order), x = c(1.5, 2:12, 12:2, 1.5), g = rep(c("u", "v"), each = 12)
  )
  models <- fit(bayes_naive(), y ~ x, data, by = g)
  linear <- function(data, ...) {
    measures <- suppressWarnings(assess_decisions(models, data, ...))$measures
    measures$estimate[measures$measure == "kappa_linear"]
  }
  expected <- linear(data)
  expect_false(is.na(expected))
  text <- transform(data, y = as.character(y))
  expect_identical(linear(text), expected)
  # The classes of a cost may have another order.
  expect_identical(linear(text, cost = zero_one_cost(rev(order))), expected)
  skip_if_not_installed("data.table")
  file <- withr::local_tempfile(fileext = ".csv")
  write.csv(text, file, row.names = FALSE)
  expect_identical(linear(csv_chunks(file)), expected)
})
