# Cross-validation and tempering of chunks, parts and tables against the same rows in memory.

rows_uses <- function() {
  rows <- late_data(400)
  spec <- bayes_naive(laplace = 1)
  model <- fit(spec, y ~ z + k + f + late, rows)
  groups <- fit(spec, y ~ z + k, rows, by = g)
  cost <- cost_matrix(a = c(a = 0, b = 1, c = 2), b = c(a = 1, b = 0, c = 1), wait = 0.4)
  by_case <- cost_matrix(go = list(a = 0, b = ~z, c = 3), stop = ~w)
  seeded <- function(f) {
    function(data) {
      set.seed(4)
      suppressWarnings(suppressMessages(f(data)))
    }
  }
  lapply(list(
    risk = function(data) cv_risk(spec, y ~ z + f + late, data, cost, weights = w, subset = k > 1),
    dot = function(data) cv_risk(spec, y ~ ., data, folds = 4, cluster = k),
    cases = function(data) cv_risk(list(a = spec, b = bayes_full()), y ~ z + k, data, by_case),
    posterior = function(data) cv_predict(spec, y ~ log(z) + g, data, folds = l),
    temper = function(data) temper(model, data, "block", weights = w),
    groups = function(data) temper(groups, data, folds = 5),
    likelihoods = function(data) {
      search_likelihoods(spec, y ~ z + k, data, list(likelihood_gamma(), likelihood_poisson()))
    },
    search = function(data) search_blocks(spec, y ~ z + k + f, data, criterion = "cost", folds = 3)
  ), seeded)
}

test_that("chunks and parts have the numbers of their rows", {
  rows <- late_data(400)
  # A column that no rbind() unites is not used, but by a dot.
  odd <- rows
  odd$odd <- as.list(seq_len(400))
  pieces <- in_pieces(rows, 150)
  uses <- rows_uses()
  for (name in names(uses)) {
    wanted <- uses[[name]](rows)
    own <- if (name == "dot") rows else odd
    expect_equal(uses[[name]](chunked(own, 70, again = FALSE)), wanted, tolerance = 1e-12)
    parts <- data_parts(list(pieces[[1L]], function() chunked(pieces[[2L]], 99), pieces[[3L]]))
    expect_equal(uses[[name]](parts), wanted, tolerance = 1e-12, label = name)
  }
})

for (engine in database_engines) {
  test_that(paste("rows of a lazy table are those of its columns:", engine), {
    rows <- late_data(400)
    rows$g <- as.character(rows$g)
    if (engine %in% c("sqlite", "mariadb")) rows$l <- as.integer(rows$l)
    rows$fold <- rep(1:5, 80)
    table <- put_table(local_database(engine), rows)
    spec <- bayes_naive(laplace = 1)
    # Given folds do not depend on the order of rows.
    risk <- function(data) {
      muffle_ours(cv_risk(spec, y ~ z + f + late, data, folds = fold, interval = "folds"))
    }
    expect_equal(as.data.frame(risk(table)), as.data.frame(risk(rows)), tolerance = 1e-12)
    model <- muffle_ours(fit(spec, y ~ z + f + late, rows))
    expect_equal(
      coef(muffle_ours(temper(model, table, folds = fold)))$temper,
      coef(muffle_ours(temper(model, rows, folds = fold)))$temper, tolerance = 1e-9
    )
  })
}

test_that("too many values, other columns and no rows are errors", {
  rows <- late_data(400)
  chunks <- chunked(rows, 100)
  some <- list(kept = c("y", "z"))
  expect_bayesrisk_error(rows_in_memory(chunks, some, NULL, 799), "data", "799 values")
  expect_identical(dim(rows_in_memory(chunks, some, NULL, 800)), c(400L, 2L))
  parts <- data_parts(list(rows[1:200, ], rows[201:400, ]))
  expect_bayesrisk_error(rows_in_memory(parts, some, NULL, 799), "data", "sample")
  expect_bayesrisk_error(rows_in_memory(parts, some, NULL, 300), "data", "sample")
  expect_identical(rows_in_memory(parts, NULL, NULL), rows)
  cut <- data_parts(list(rows[1:200, ], rows[201:400, -3]))
  expect_bayesrisk_error(cv_risk(bayes_naive(), y ~ z + k, cut), "data", "z")
  expect_bayesrisk_error(
    cv_risk(bayes_naive(), y ~ z + k, data_parts(list(1))), "data", "data frame"
  )
  expect_bayesrisk_error(cv_risk(bayes_naive(), y ~ z, chunked(rows[0, ], 9)), "data", "no rows")
  # The columns that are shown are all.
  table <- put_table(local_database("sqlite"), rows)
  for (data in list(chunks, parts, table)) {
    error <- expect_error(cv_risk(bayes_naive(), y ~ zz, data), class = "bayesrisk_error")
    expect_match(conditionMessage(error), "no column zz")
    expect_match(conditionMessage(error), "z, k, f")
  }
  breaks <- c(-1, 2, 100)
  set.seed(1)
  found <- cv_risk(bayes_naive(laplace = 1), y ~ cut(k, breaks), chunks)
  set.seed(1)
  expect_equal(found, cv_risk(bayes_naive(laplace = 1), y ~ cut(k, breaks), rows))
})
