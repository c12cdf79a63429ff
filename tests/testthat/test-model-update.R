# Updated models against one fit of what they stand for.

test_that("rows added in three pieces give one fit", {
  for (spec in list(bayes_naive(), bayes_full(), bayes_full(shrinkage = .1))) {
    model <- fit(spec, Species ~ ., iris[c(1:20, 51:70, 101:120), ])
    model <- update(model, iris[c(21:22, 121:150), ])
    model <- update(model, iris[c(23:50, 71:100), ])
    expect_same_predictions(model, fit(spec, Species ~ ., iris), iris)
    expect_identical(model$rows$used, 150)
  }
})

test_that("new classes and levels come in by name", {
  spec <- bayes_naive(laplace = 1)
  seen <- transform(play_tennis, outlook = as.character(outlook), play = as.character(play))
  first <- seen$outlook != "overcast" & seen$play == "no"
  model <- update(one_class(fit(spec, play ~ ., seen[first, ])), seen[!first, ])
  expect_same_predictions(model, fit(spec, play ~ ., seen), seen, 1e-14)
  expect_identical(model$schema$classes$levels, c("no", "yes"))
})

test_that("added rows may have weights and missing values, and extra columns", {
  rows <- transform(iris, w = rep(c(1, 2, .5), 50), extra = "x")
  rows$Petal.Width[130:140] <- NA
  formula <- Species ~ . - extra
  whole <- fit(bayes_naive(), formula, rows, weights = w)
  half <- seq(1, 149, 2)
  model <- fit(bayes_naive(), formula, rows[half, ], weights = w)
  model <- update(model, rows[-half, ], weights = w)
  expect_same_predictions(model, whole, iris)
  missing <- transform(iris[1:3, ], Petal.Width = NA)
  expect_same_predictions(
    update(fit(bayes_naive(), Species ~ ., iris), missing),
    fit(bayes_naive(), Species ~ ., rbind(iris, missing)), iris
  )
})

test_that("a model of x and y is updated with y", {
  model <- fit_xy(bayes_full(), iris[1:120, 1:4], iris$Species[1:120])
  added <- update(model, iris[121:150, 1:4], y = iris$Species[121:150])
  expect_same_predictions(added, fit(bayes_full(), Species ~ ., iris), iris)
  expect_error(update(model, iris[121:150, ]), "`y`", class = "bayesrisk_error_argument")
  expect_error(update(fit(bayes_naive(), Species ~ ., iris), iris, y = iris$Species), "`y`",
               class = "bayesrisk_error_argument")
})

test_that("features are dropped without data", {
  without <- function(spec, dropped, kept, data = iris) {
    model <- update(fit(spec, Species ~ ., data), dropped)
    expect_same_predictions(model, fit(spec, kept, data), data)
  }
  without(bayes_naive(), . ~ . - Petal.Width, Species ~ . - Petal.Width)
  without(bayes_full(), . ~ . - Sepal.Length - Petal.Width, Species ~ Sepal.Width + Petal.Length)
  without(bayes_full(), . ~ Petal.Length, Species ~ Petal.Length)
  cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear))
  mixed <- update(fit(bayes_full(laplace = 1), am ~ cyl + gear + wt + hp, cars), . ~ . - gear - wt)
  expect_same_predictions(mixed, fit(bayes_full(laplace = 1), am ~ cyl + hp, cars), cars)
  table <- fit(bayes_full(laplace = 1), play ~ ., play_tennis)
  expect_same_predictions(
    update(table, . ~ . - wind - outlook),
    fit(bayes_full(laplace = 1), play ~ temperature + humidity, play_tennis), play_tennis, 1e-13
  )
})

test_that("a dropped feature leaves its block, and the formula", {
  sepal <- list(sepal = c("Sepal.Length", "Sepal.Width"))
  block <- bayes_blocks(c(list(petal = c("Petal.Length", "Petal.Width")), sepal))
  model <- update(fit(block, Species ~ ., iris), . ~ . - Petal.Width)
  kept <- Species ~ Sepal.Length + Sepal.Width + Petal.Length
  expect_equal(model$schema$formula, kept, ignore_attr = TRUE)
  again <- update(model, iris)
  twice <- fit(bayes_blocks(sepal), kept, rbind(iris, iris))
  expect_same_predictions(again, twice, iris)
})

test_that("rows that a joint block left out for the dropped feature are counted once", {
  holes <- iris
  holes$Petal.Width[c(2, 60, 70)] <- NA
  holes$Sepal.Width[c(2, 3)] <- NA
  model <- fit(bayes_full(), Species ~ ., holes)
  expect_warning(update(model, . ~ . - Petal.Width), "3 rows.*Petal.Width",
                 class = "bayesrisk_warning_skipped_rows")
  expect_warning(update(fit(bayes_naive(), Species ~ ., holes), . ~ . - Petal.Width), NA)
  # Row 2 misses both: three rows were left out for these features, plus row 3.
  expect_warning(update(model, . ~ . - Petal.Width - Sepal.Width), "4 rows",
                 class = "bayesrisk_warning_skipped_rows")
})

test_that("settings are estimated again without data", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  smooth <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  expect_identical(update(model, laplace = 1), smooth)
  uniform <- update(model, prior = "uniform")
  expect_identical(uniform, fit(bayes_naive(prior = "uniform"), play ~ ., play_tennis))
  expect_identical(update(uniform, prior = NULL), model)
  full <- fit(bayes_full(), Species ~ ., iris)
  expect_identical(update(full, shrinkage = .2, variance = "ml"),
                   fit(bayes_full(shrinkage = .2, variance = "ml"), Species ~ ., iris))
  expect_identical(update(full, identity = .2), fit(bayes_full(identity = .2), Species ~ ., iris))
  expect_identical(update(full, covariance = "pooled"),
                   fit(bayes_full(covariance = "pooled"), Species ~ ., iris))
})

test_that("a known model takes another prior, and nothing else", {
  gaussian <- likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  known <- bayes_known(c(a = .75, b = .25), x = gaussian)
  expect_identical(update(known, prior = c(b = .5, a = .5))$parameters$prior, c(.5, .5))
  expect_error(update(known, data.frame(x = 1)), "no statistics",
               class = "bayesrisk_error_argument")
  expect_error(update(known, laplace = 1), "no statistics", class = "bayesrisk_error_argument")
})

test_that("rows that miss a feature altogether, and no rows at all, may be added", {
  rows <- transform(play_tennis, outlook = as.character(outlook))
  hollow <- transform(rows[1:3, ], outlook = NA_character_)
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    model <- fit(spec, play ~ ., rows)
    whole <- fit(spec, play ~ ., rbind(rows, hollow))
    expect_same_predictions(update(model, hollow), whole, rows, 1e-14)
    expect_identical(update(model, rows[0, ]), model)
  }
})

test_that("no rows change nothing on each way in, and a stream begins with its first row", {
  data <- data.frame(y = c("a", "a", "b", "b", "a", "b"), x = c(1, 2, 5, 6, 1.5, 7))
  spec <- bayes_naive()
  model <- fit(spec, y ~ x, data)
  none <- data[0, ]
  expect_identical(update(model, none), model)
  expect_identical(update(model, data, subset = x > 100), model)
  expect_identical(update(model, data_chunks(function() NULL)), model)
  expect_identical(update(model, data_parts(list(none, none))), model)
  by_xy <- fit_xy(spec, data["x"], data$y)
  expect_identical(update(by_xy, none["x"], y = none$y), by_xy)
  if (rlang::is_installed("data.table")) {
    file <- withr::local_tempfile(lines = "y,x")
    expect_identical(update(model, csv_chunks(file)), model)
  }
  if (rlang::is_installed(c("RSQLite", "dbplyr"))) {
    con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
    withr::defer(DBI::dbDisconnect(con))
    DBI::dbWriteTable(con, "none", none)
    expect_identical(update(model, dplyr::tbl(con, "none")), model)
    expect_identical(update(model, query_chunks(con, "SELECT * FROM none")), model)
  }
  whole <- bayes_statistics(spec, y ~ x, data)
  expect_identical(update(whole, none), whole)
  seen <- bayes_statistics(spec, y ~ x, none)
  expect_identical(update(seen, none), seen)
  for (i in 1:6) seen <- update(seen, data[i, ])
  expect_same_statistics(seen, whole, "stream")
  expect_same_statistics(update(bayes_statistics(spec, y ~ x, none), chunked(data, 2L)), whole,
                         "chunks")
  first <- suppressWarnings(fit(spec, y ~ x, data[1, ]))
  expect_bayesrisk_error(update(first, data[3, ]), "degenerate", "bayes_statistics.*no spread")
  expect_bayesrisk_error(update(seen), "argument", "moredata")
  expect_bayesrisk_error(update(seen, . ~ . - x), "argument", "must be rows")
  expect_bayesrisk_error(update(seen, data["x"]), "schema", "no column y")
})

test_that("what cannot be updated is named", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_error(update(model, features = list(Petal.Width = likelihood_categorical(laplace = 1))),
               "Petal.Width", class = "bayesrisk_error_argument")
  expect_error(update(model, features = list(Petal.Girth = likelihood_gaussian("ml"))),
               "Petal.Girth", class = "bayesrisk_error_argument")
  expect_error(update(model, . ~ . - Petal.Girth), "Petal.Girth",
               class = "bayesrisk_error_argument")
  expect_error(update(model, . ~ . + hp), "hp", class = "bayesrisk_error_argument")
  expect_error(update(model, play ~ .), "class", class = "bayesrisk_error_argument")
  expect_error(update(model, iris[-5]), "Species", class = "bayesrisk_error_schema")
  expect_error(update(model, iris[-1]), "Sepal.Length", class = "bayesrisk_error_schema")
  text <- transform(iris, Petal.Width = as.character(Petal.Width))
  expect_error(update(model, text), "Petal.Width", class = "bayesrisk_error_schema")
  expect_error(update(model, lapalce = 1), "lapalce", class = "bayesrisk_error_argument")
  expect_error(update(model, weights = 1:150), "weights", class = "bayesrisk_error_argument")
  expect_error(update(model, 3), "moredata", class = "bayesrisk_error_schema")
})

# Merged models against one fit of all rows.

thirds <- function(data) split(data, rep(1:3, length.out = nrow(data)))

test_that("three parts merge to one fit, in any order and grouping", {
  for (spec in list(bayes_naive(), bayes_full(), bayes_full(covariance = "pooled"))) {
    whole <- fit(spec, Species ~ ., iris)
    part <- lapply(thirds(iris), function(rows) fit(spec, Species ~ ., rows))
    expect_same_predictions(merge(merge(part[[1]], part[[2]]), part[[3]]), whole, iris)
    expect_same_predictions(merge(part[[3]], merge(part[[2]], part[[1]])), whole, iris)
  }
})

test_that("counts merge exactly", {
  for (spec in list(bayes_naive(laplace = 1), bayes_full(laplace = 1))) {
    part <- lapply(thirds(play_tennis), function(rows) fit(spec, play ~ ., rows))
    merged <- merge(merge(part[[3]], part[[1]]), part[[2]])
    whole <- fit(spec, play ~ ., play_tennis)
    expect_identical(merged$statistics, whole$statistics)
    expect_identical(merged$parameters$banks, whole$parameters$banks)
  }
})

test_that("the parameters of a merge are those of one fit to 1e-12 of their scale", {
  part <- lapply(thirds(iris), function(rows) fit(bayes_full(), Species ~ ., rows))
  merged <- merge(merge(part[[1]], part[[3]]), part[[2]])
  whole <- fit(bayes_full(), Species ~ ., iris)
  expect_within(bank_of(merged)$mean, bank_of(whole)$mean, 1e-15)
  Map(function(a, b) expect_within(a, b, 1e-12, scale = max(abs(b))),
      covariances_of(merged), covariances_of(whole))
  expect_identical(merged$rows$used, 150)
})

test_that("different specifications do not merge", {
  naive <- fit(bayes_naive(), play ~ ., play_tennis)
  smooth <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  expect_error(merge(naive, smooth), "specifications differ", class = "bayesrisk_error_argument")
  collected <- bayes_statistics(bayes_naive(), play ~ ., play_tennis)
  expect_error(merge(collected, naive), "`y`", class = "bayesrisk_error_argument")
  expect_error(merge(naive, collected), "`y`", class = "bayesrisk_error_argument")
  expect_error(merge(naive), "`y`", class = "bayesrisk_error_argument")
  expect_error(merge(naive, naive, all = TRUE), "all", class = "bayesrisk_error_argument")
})

test_that("a known model has nothing to merge", {
  known <- bayes_known(c(a = .5, b = .5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_error(merge(known, known), "no statistics", class = "bayesrisk_error_argument")
})

test_that("a prior in class order means the classes of its own part", {
  spec <- bayes_naive(prior = c(.3, .7))
  x <- c(1, 2, 4, 7, 9, 8)
  first <- fit(spec, y ~ x, data.frame(x, y = factor(rep(c("b", "c"), each = 3), c("b", "c"))))
  second <- fit(spec, y ~ x, data.frame(x, y = factor(rep(c("b", "c"), each = 3), c("c", "b"))))
  expect_identical(first$spec$prior, c(b = .3, c = .7))
  expect_error(merge(first, second), "specifications differ", class = "bayesrisk_error_argument")
  expect_identical(merge(first, first)$parameters$prior, c(.3, .7))
})

test_that("parts whose features have the same label must compute them in the same way", {
  data <- transform(mixed(), `log(x)` = x^2, check.names = FALSE)
  statistics <- function(formula, rows = data) {
    bayes_statistics(bayes_naive(laplace = 1), formula, rows)
  }
  differ <- function(x, y, text) expect_bayesrisk_error(merge(x, y), "argument", text)
  # A column of the same name
  differ(statistics(y ~ log(x)), statistics(y ~ `log(x)`), "x: a column.*the column log")
  # Numbers that print alike
  third <- statistics(y ~ I(x + 0.3))
  other <- statistics(rlang::new_formula(quote(y), call("I", call("+", quote(x), 0.1 + 0.2))))
  expect_identical(names(third$schema$features), names(other$schema$features))
  differ(third, other, "not computed in the same way")
  # A value in one part, a column in the other
  k <- 2
  of_columns <- statistics(y ~ I(x / k), transform(data, k = 2))
  differ(statistics(y ~ I(x / k)), of_columns, "k = 2.*k: a column")
  # The class
  data$`x > 1` <- data$y
  differ(statistics(x > 1 ~ g), statistics(`x > 1` ~ g), "different classes")
  expect_identical(merge(third, third)$schema, third$schema)
})

test_that("parts of different classes do not merge", {
  data <- transform(mixed(), other = rev(y))
  parts <- lapply(c(y ~ x, other ~ x), function(f) bayes_statistics(bayes_naive(), f, data))
  expect_bayesrisk_error(merge(parts[[1]], parts[[2]]), "argument", "different classes: y and")
})

test_that("a column of NA alone in new rows brings no levels of its own", {
  data <- data.frame(y = c("a", "b", "b", "a"), x = c("u", "v", "u", NA), z = factor(c(1, 2, 1, 2)))
  model <- fit(bayes_naive(laplace = 1), y ~ x + z, data)
  found <- update(model, data.frame(y = c("a", "b"), x = NA, z = NA))
  # Only the class counts.
  wanted <- update(model, data.frame(y = c("a", "b"), x = NA_character_, z = factor(NA, 1:2)))
  expect_identical(coef(found), coef(wanted))
  expect_identical(found$schema$features, model$schema$features)
})
