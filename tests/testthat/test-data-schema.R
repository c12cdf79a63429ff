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
