# Exponents of models of groups against temper() of each group alone.

of_region <- function(data, label) data[data$region == label, ]

alone <- function(models, data, ...) {
  lapply(stats::setNames(nm = names(models)), function(label) {
    temper(models[[label]], of_region(data, label), ...)
  })
}

test_that("the exponents of each group are those of its rows alone", {
  skip_on_cran()
  data <- birds()
  specs <- list(
    bayes_naive(laplace = 1), bayes_blocks(list(numbers = c("size", "eggs")), laplace = 1),
    bayes_naive(numeric = likelihood_histogram(breaks = seq(-10, 20, 2), laplace = 1), laplace = 1)
  )
  for (spec in specs) {
    models <- fit(spec, y ~ size + eggs + kind, data, by = region)
    for (by in c("model", "kind", "block")) {
      set.seed(3)
      found <- temper(models, data, by, bias = TRUE, folds = 4, weights = weight)
      set.seed(3)
      wanted <- alone(models, data, by, bias = TRUE, folds = 4, weights = weight)
      expect_equal(as.list(found), wanted, tolerance = 1e-12)
    }
    expect_equal(
      as.list(temper(models, data, folds = year, penalty = 1, subset = size < 1)),
      alone(models, data, folds = year, penalty = 1, subset = size < 1), tolerance = 1e-12
    )
  }
  predicted <- predict(found, data, type = "prob")
  expect_equal(
    predicted[data$region == "south", ],
    predict(found$south, of_region(data, "south"), type = "prob")
  )
  expect_equal(
    assess_decisions(found, data), assess_decisions(predicted, truth = data$y)
  )
  expect_output(print(found), "Tempered in 3 of 3 groups: likelihoods to powers of")
})

test_that("bins and the levels of texts are those of all groups", {
  data <- transform(birds(), kind = as.character(kind))
  data$kind[data$region == "west" & data$kind == "c"] <- "a"
  models <- fit(
    bayes_naive(laplace = 1, features = list(size = likelihood_histogram(laplace = 1))),
    y ~ size + kind, data, by = region
  )
  edges <- models$west$schema$features$size$bins$edges
  set.seed(8)
  found <- temper(models, data)
  set.seed(8)
  same <- fit(
    bayes_naive(laplace = 1, features = list(
      size = likelihood_histogram(breaks = edges, laplace = 1)
    )), y ~ size + factor(kind, c("a", "b", "c")), data, by = region
  )
  wanted <- alone(same, data)
  for (label in names(models)) {
    expect_equal(
      unname(coef(found[[label]])$temper$power), unname(coef(wanted[[label]])$temper$power),
      tolerance = 1e-10
    )
  }
})

test_that("updates and merged groups keep exponents; one model of all groups has none", {
  skip_on_cran()
  data <- birds()
  models <- fit(bayes_naive(laplace = 1), y ~ size + kind, data, by = region)
  set.seed(1)
  tempered <- temper(models, data)
  power <- function(models) {
    lapply(as.list(models), function(model) model$parameters$temper$power)
  }
  expect_message(more <- update(tempered, data[1:50, ]), class = "bayesrisk_message_old_exponents")
  expect_identical(power(more), power(tempered))
  expect_equal(more$west, suppressMessages(
    update(tempered$west, of_region(data[1:50, ], "west"))
  ), tolerance = 1e-12)
  expect_message(halves <- merge(tempered[c("west", "north")], tempered["south"]), "from before")
  expect_identical(power(halves), power(tempered))
  expect_identical(update(tempered, temper = NULL), update(models))
  expect_bayesrisk_error(update(tempered, temper = "model"), "argument", "taken off")
  expect_message(one <- merge(tempered), "no exponents")
  expect_equal(one, merge(models))
})

test_that("a small group has as many folds as rows", {
  small <- rbind(birds(), transform(utils::head(birds(), 5L), region = "tiny"))
  models <- suppressWarnings(fit(bayes_naive(), y ~ size, small, by = region))
  set.seed(1)
  expect_no_error(suppressWarnings(temper(models, small)))
})

test_that("errors name the group, and one warning names all", {
  skip_on_cran()
  data <- birds()
  models <- fit(bayes_naive(), y ~ size + kind, data, by = region)
  expect_bayesrisk_error(temper(models[1:2], data), "argument", "134 rows have another")
  expect_bayesrisk_error(
    temper(models, data[data$region != "north", ]), "data", "In group \"north\""
  )
  expect_bayesrisk_error(temper(models, data[-1]), "schema", "region")
  expect_bayesrisk_error(temper(models, data, by = "all"), "argument", "by")
  data$y[data$region != "west"] <- "yes"
  models <- suppressWarnings(fit(bayes_naive(), y ~ size + kind, data, by = region))
  set.seed(1)
  expect_warning(
    found <- temper(models, data), "In 2 groups: \"south\", \"north\"",
    class = "bayesrisk_warning_separated"
  )
  expect_identical(found$south, models$south)
  expect_false(identical(found$west, models$west))
  expect_bayesrisk_error(
    fit(bayes_naive(temper = TRUE), y ~ size, birds(), by = region), "argument", "temper\\(models"
  )
})

test_that("cross-validation of groups is shown, and the shown code runs", {
  skip_on_cran()
  data <- birds()
  models <- fit(bayes_naive(), y ~ size + kind, data, by = c(region, cut(size, c(-9, 0, 9))))
  error <- expect_bayesrisk_error(cv_risk(models, y ~ size, data), "argument", "For each group")
  said <- gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(error)))
  code <- sub(".*`(lapply.*)`.*", "\\1", said)
  spec <- bayes_naive()
  formula <- y ~ size + kind
  set.seed(1)
  found <- suppressWarnings(eval(parse(text = code)))
  expect_length(found, 6L)
  expect_s3_class(found[[1L]], "bayesrisk_cv")
})
