data <- data.frame(
  y = c("a", "a", "a", "a", "b", "b", "b"),
  n = c(1L, 2L, 4L, 3L, 7L, 9L, 8L),
  x = c(0.5, 2, 1, 3, 2, 4, 7),
  g = c("k", "l", "l", "k", "l", "m", "k"),
  f = factor(c("p", "q", "p", "q", "q", "q", "p"), c("q", "p", "r")),
  o = factor(c("lo", "hi", "lo", "hi", "hi", "lo", "hi"), c("lo", "hi"), ordered = TRUE),
  l = c(TRUE, FALSE, NA, TRUE, FALSE, FALSE, TRUE)
)

test_that("a feature is remembered by name, kind, type and levels", {
  features <- fit(bayes_naive(laplace = 1), y ~ ., data)$schema$features
  expect_identical(names(features), c("n", "x", "g", "f", "o", "l"))
  of <- function(field) unname(vapply(features, `[[`, "", field))
  expect_identical(of("kind"), rep(c("numeric", "categorical"), c(2, 4)))
  expect_identical(of("type"), c("integer", "double", "character", "factor", "ordered", "logical"))
  expect_identical(features$f$levels, c("q", "p", "r"))
  expect_identical(features$o$levels, c("lo", "hi"))
  expect_null(features$x$levels)
})

test_that("columns with the same names and types share their entries in the schema", {
  entries <- new_features(c("a", "b", "c"), c("double", NA, "integer"))
  expect_named(entries, c("a", "b", "c"))
  expect_null(entries$b)
  expect_identical(entries$c, new_feature("c", "integer", NULL))
  same <- new_features(c("a", "b", "c"), c("double", NA, "integer"))
  expect_true(rlang::is_reference(same, entries))
  truth <- new_features(c("a", "b"), "logical", c("FALSE", "TRUE"))
  expect_identical(truth$b, new_feature("b", "logical", c("FALSE", "TRUE")))
})

test_that("the score of mixed features is the prior plus the score of each", {
  spec <- bayes_naive(laplace = 1)
  score <- function(formula, type) predict(fit(spec, formula, data), data, type = type)
  parts <- lapply(names(data)[-1], function(name) {
    score(stats::reformulate(name, "y"), "log_likelihood")
  })
  prior <- rep(log(c(4, 3) / 7), each = 7)
  expect_equal(score(y ~ ., "log_joint"), Reduce(`+`, parts) + prior, tolerance = 1e-13)
})

test_that("the order of the columns does not matter", {
  spec <- bayes_naive(laplace = 1)
  reversed <- data[rev(names(data))]
  expect_equal(posterior(fit(spec, y ~ ., reversed), data), posterior(fit(spec, y ~ ., data), data),
               tolerance = 1e-12)
})

test_that("a level that is declared but never seen counts as a level", {
  model <- fit(bayes_naive(laplace = 1), y ~ f, data)
  table <- exp(model$parameters$banks[[1]]$log_probability)
  expect_equal(table, rbind(c(3, 3, 1) / 7, c(3, 2, 1) / 6), tolerance = 1e-14)
  plain <- fit(bayes_naive(), y ~ f, data)
  expect_identical(plain$parameters$banks[[1]]$log_probability[, 3], c(-Inf, -Inf))
})

test_that("one missing value in every row leaves what is there (T1)", {
  gaps <- data.frame(y = rep(c("a", "b"), each = 4), u = c(1, NA, 3, NA, 5, NA, 8, NA),
                     v = c(NA, 2, NA, 4, NA, 6, NA, 7))
  bank <- fit(bayes_naive(), y ~ ., gaps)$parameters$banks[[1]]
  expect_equal(bank$mean, rbind(c(2, 3), c(6.5, 6.5)), tolerance = 1e-15)
  expect_bayesrisk_error(fit(bayes_full(), y ~ ., gaps), "degenerate", "u.*v")
})

test_that("NaN counts as missing, Inf is an error that counts the rows of each column (T1)", {
  gaps <- transform(data, x = replace(x, 3, NaN))
  expect_identical(fit(bayes_naive(), y ~ x, gaps)$parameters,
                   fit(bayes_naive(), y ~ x, transform(data, x = replace(x, 3, NA)))$parameters)
  infinite <- transform(data, x = replace(x, c(1, 6), c(Inf, -Inf)))
  infinite$z <- replace(data$x, 2, Inf)
  expect_bayesrisk_error(fit(bayes_naive(), y ~ ., infinite), "data",
                         "x \\(2 rows\\).*z \\(1 row\\)")
  expect_bayesrisk_error(fit(bayes_full(), y ~ x + z, infinite), "data", "x.*z")
  expect_bayesrisk_error(fit(bayes_naive(), y ~ log(w), transform(data, w = x - 0.5)), "data",
                         "log\\(w\\)")
})

test_that("a constant feature is an error that names class and feature, or has a floor", {
  constant <- transform(data, x = replace(x, 1:4, 0.1), z = 5)
  strict <- bayes_naive(degenerate = "stop")
  expect_bayesrisk_error(fit(strict, y ~ x + n, constant), "degenerate",
                         "class \"a\".*x.*min_variance")
  error <- rlang::catch_cnd(fit(strict, y ~ x + z, constant), "bayesrisk_error_degenerate")
  expect_match(conditionMessage(error), "class \"a\": `x`, `z` constant")
  expect_match(conditionMessage(error), "class \"b\": `z` constant")
  floored <- bayes_naive(numeric = likelihood_gaussian(min_variance = 0.25))
  expect_equal(fit(floored, y ~ x, constant)$parameters$banks[[1]]$sd[1], 0.5, tolerance = 1e-15)
  single <- fit(bayes_naive(laplace = 1), y ~ g, transform(data, g = "k"))
  expect_equal(as.vector(posterior(single, data[1, ])), c(4, 3) / 7, tolerance = 1e-14)
})

test_that("more features than rows: naive fits, full says what is missing", {
  wide <- data.frame(y = rep(c("a", "b"), c(3, 4)), matrix(sin(1:140), 7))
  rows <- rowSums(posterior(fit(bayes_naive(), y ~ ., wide), wide))
  expect_equal(rows, rep(1, 7), tolerance = 1e-12)
  expect_bayesrisk_error(fit(bayes_full(degenerate = "stop"), y ~ ., wide), "degenerate",
                         "class \"a\" has 3 rows.*21 or more")
})

test_that("all classes together decide one class alone (T5)", {
  one <- data.frame(y = "only", x = c(1, 2, 4), g = c("k", "l", "l"), z = c(2, 1, 1))
  for (spec in list(bayes_naive(), bayes_full(), bayes_blocks(list(c("x", "z"))))) {
    expect_identical(unname(posterior(one_class(fit(spec, y ~ ., one)), one)), matrix(1, 3, 1))
  }
})

test_that("columns are read alike, together or one by one", {
  data <- data.frame(a = c(1, NA, 3), b = 1:3, g = c("k", "l", NA), l = c(TRUE, FALSE, NA))
  data$named <- c(u = 1, v = 2, w = 3)
  container <- frame_container(data)
  read <- read_features(container, 1:5, names(data), NULL, NULL)
  alone <- Map(function(x, name) read_values(x, 3L, name, NULL, NULL), data, names(data))
  expect_identical(read$features, lapply(alone, `[[`, "feature"))
  expect_identical(read$columns, unname(lapply(alone, `[[`, "column")))
  short <- container
  short$columns$b <- 1:2
  expect_error(
    read_features(short, 1:5, names(data), NULL, NULL), "2 values", class = "bayesrisk_error_data"
  )
})

test_that("a schema must have its classes, formula and features", {
  schema <- fit(bayes_naive(laplace = 1), y ~ log(x + 9) + g, mixed())$schema
  expect_null(schema_problem(schema))
  changed <- function(path, value) {
    schema[[path]] <- value
    schema_problem(schema)
  }
  expect_identical(schema_problem(1), "its schema is gone")
  expect_identical(changed(c("classes", "levels"), c("a", "a")), "its classes are gone")
  expect_identical(changed(c("classes", "type"), "text"), "its classes are gone")
  expect_identical(changed("formula", z ~ x), "its formula does not fit its response")
  expect_identical(changed("features", list(1)), "its features have lost a name, kind or level")
  attr(schema$features, "names") <- structure(1:2, levels = "a", class = "factor")
  expect_identical(schema_problem(schema), "its features have lost a name, kind or level")
})

test_that("the features are the terms of the formula", {
  data <- transform(mixed(), h = g, z = NULL)
  schema <- fit(bayes_naive(laplace = 1), y ~ . + log(x + 9) - h, data)$schema
  expect_null(schema_problem(schema))
  others <- "its features are not the terms of its formula"
  with_formula <- function(formula) {
    attr(formula, ".Environment") <- NULL # nolint: object_name_linter.
    schema$formula <- formula
    schema_problem(schema)
  }
  expect_null(with_formula(y ~ x + g + log(x + 9)))
  expect_null(with_formula(y ~ . + (log(x + 9))))
  for (formula in c(
    y ~ ., y ~ log(x + 9), y ~ . + log(x + 8), y ~ . + log(x + 9) + h, y ~ . + log(x + 9) - x,
    y ~ . + log(x + 9) + x:g
  )) {
    expect_identical(with_formula(formula), others)
  }
  schema$formula <- y ~ . + log(x + 9) - h
  expect_identical(schema_problem(schema), "its formula does not fit its response")
  schema["formula"] <- list(NULL)
  expect_identical(schema_problem(schema), others)
})

test_that("a feature has levels if it is categorical, and knows the columns of its expression", {
  number <- new_feature("x", "double", NULL)
  level <- new_feature("g", "character", c("u", "v"))
  computed <- new_feature("log(x)", "double", NULL, list(expression = quote(log(x)), columns = "x"))
  for (feature in list(number, level, computed)) expect_true(is_sound_feature(feature))
  expect_true(is_sound_feature(new_feature("g", "factor", c("u", NA))))
  broken <- list(
    1, replace(number, "type", "text"), c(number[-4L], levels = "u"),
    replace(level, "type", "double"),
    replace(level, "levels", list(c("u", NA))), replace(level, "levels", list(c("u", "u"))),
    replace(computed, "columns", "y"), replace(computed, "expression", list(NULL)),
    replace(computed, "expression", list(quote(log(x) + z))),
    replace(computed, "values", list(list(x = 2))),
    replace(computed, "values", list(list(log = structure(1, class = "other"))))
  )
  for (feature in broken) expect_false(is_sound_feature(feature))
})
