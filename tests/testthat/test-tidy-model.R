test_that("tidy() has a row per class, term and statistic", {
  rows <- tidy(fit(bayes_naive(), play ~ outlook + wind, play_tennis))
  expect_identical(class(rows), "data.frame")
  expect_named(rows, c("class", "term", "level", "statistic", "estimate", "borrowed"))
  expect_identical(nrow(rows), 2L * (1L + 3L + 2L))
  expect_identical(levels(rows$class), c("yes", "no"))
  pick <- rows$term == "outlook" & rows$class == "no"
  expect_identical(rows$level[pick], c("sunny", "overcast", "rain"))
  expect_equal(rows$estimate[pick], c(3, 0, 2) / 5, tolerance = 1e-15)
  prior <- rows[rows$term == "(prior)", ]
  expect_equal(prior$estimate, c(9, 5) / 14, tolerance = 1e-15)
  expect_identical(prior$level, c(NA_character_, NA_character_))
  expect_true(all(rows$statistic == "probability"))
})

test_that("tidy() of numbers has means, sds, variances and covariances", {
  spec <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
  rows <- tidy(fit(spec, Species ~ Sepal.Width + Petal.Length + Petal.Width, iris))
  expect_identical(nrow(rows), 3L * (1L + 2L + 2L + 3L))
  value <- function(term, statistic) {
    rows$estimate[rows$class == "versicolor" & rows$term == term & rows$statistic == statistic]
  }
  versicolor <- iris[51:100, ]
  expect_equal(value("Sepal.Width", "mean"), mean(versicolor$Sepal.Width))
  expect_equal(value("Sepal.Width", "sd"), sd(versicolor$Sepal.Width))
  expect_equal(value("Petal.Length", "mean"), mean(versicolor$Petal.Length))
  expect_equal(value("Petal.Length", "variance"), var(versicolor$Petal.Length))
  expect_equal(
    value("Petal.Length:Petal.Width", "covariance"),
    cov(versicolor$Petal.Length, versicolor$Petal.Width)
  )
  expect_identical(rows$level, rep(NA_character_, 24))
})

test_that("a shared covariance is repeated for each class", {
  model <- fit(bayes_full(covariance = "pooled"), Species ~ Petal.Length + Petal.Width, iris)
  rows <- tidy(model)
  expect_identical(nrow(rows), 3L * (1L + 2L + 3L))
  shared <- coef(model)$numeric$covariance
  expect_equal(rows$estimate[rows$statistic == "covariance"], rep(shared[1, 2], 3))
})

test_that("tidy() of a joint table joins the levels of a cell", {
  rows <- tidy(fit(bayes_full(), play ~ outlook + wind, play_tennis))
  rows <- rows[rows$term == "outlook:wind", ]
  expect_identical(nrow(rows), 12L)
  counts <- with(play_tennis, table(paste(outlook, wind, sep = ":"), play))
  expect_equal(
    rows$estimate[rows$class == "yes" & rows$level == "sunny:weak"],
    counts[["sunny:weak", "yes"]] / 9
  )
  expect_equal(as.vector(tapply(rows$estimate, rows$class, sum)), c(1, 1), tolerance = 1e-15)
})

test_that("a joint table beyond 1e5 cells is tidied by the cells seen", {
  x <- as.data.frame(lapply(1:6, function(j) factor(c(1, 2, 2, 3), 1:8)))
  names(x) <- letters[1:6]
  rows <- tidy(fit_xy(bayes_full(), x, c("u", "u", "v", "v")))
  expect_identical(unique(rows$level), c(NA, "1:1:1:1:1:1", "2:2:2:2:2:2", "3:3:3:3:3:3"))
  expect_equal(rows$estimate, c(0.5, 0.5, 0.5, 0.5, 0, 0, 0.5, 0.5))
})

test_that("tidy() keeps an ordered class ordered, and NA for one without rows", {
  y <- factor(c("lo", "lo", "hi", "hi"), c("lo", "mid", "hi"), ordered = TRUE)
  few <- data.frame(y = y, x = 1:4)
  rows <- tidy(suppressMessages(fit(bayes_naive(), y ~ x, few)))
  expect_true(is.ordered(rows$class))
  expect_identical(rows$estimate[rows$class == "mid"], c(0, NA, NA))
})

test_that("tidy() of thousands of features is right at both ends", {
  x <- matrix(c(1, 2, 4, 5), 4, 2000) + rep(seq_len(2000), each = 4)
  rows <- tidy(fit_xy(bayes_naive(), x, c("a", "a", "b", "b")))
  expect_identical(nrow(rows), 2L + 2000L * 4L)
  expect_equal(rows$estimate[rows$term == "V2000"], c(2001.5, 2004.5, sqrt(0.5), sqrt(0.5)))
})

test_that("glance() is one row about the fit", {
  model <- fit(bayes_full(), play ~ ., play_tennis)
  expect_identical(glance(model), data.frame(
    nobs = 14, df = 71, logLik = as.double(logLik(model)), AIC = AIC(model), BIC = BIC(model),
    classes = 2L, features = 4L
  ))
  known <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_identical(glance(known), data.frame(
    nobs = 0, df = NA_real_, logLik = NA_real_, AIC = NA_real_, BIC = NA_real_, classes = 2L,
    features = 1L
  ))
})

test_that("augment() adds the class and the posterior, and keeps rows and order", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  rows <- iris[c(150, 1, 71), c(5, 2, 1, 3, 4)]
  result <- augment(model, rows)
  expect_identical(result[1:5], rows)
  expect_named(result, c(
    names(rows), ".pred_class", ".pred_setosa", ".pred_versicolor", ".pred_virginica"
  ))
  expect_identical(result$.pred_class, predict(model, rows))
  posterior <- predict(model, rows, type = "prob")
  expect_identical(unname(as.matrix(result[7:9])), unname(posterior))
  expect_identical(augment(model, newdata = rows), result)
  expect_identical(
    augment(model, rows, prior = "uniform")$.pred_virginica,
    unname(predict(model, rows, type = "prob", prior = "uniform")[, "virginica"])
  )
})

test_that("augment() with a cost adds the decision and what each action costs", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = c(no = 20, yes = 0), wait = c(no = 0, yes = 5), ask = 1)
  result <- augment(model, play_tennis, cost = cost)
  expect_named(result, c(
    names(play_tennis), ".pred_class", ".pred_yes", ".pred_no", ".decision", ".cost_book",
    ".cost_wait", ".cost_ask"
  ))
  expect_identical(result$.decision, predict(model, play_tennis, cost = cost))
  expect_equal(result$.cost_book, 20 * result$.pred_no, tolerance = 1e-14)
  expect_equal(result$.cost_wait, 5 * result$.pred_yes, tolerance = 1e-14)
  expect_equal(result$.cost_ask, rep(1, 14), tolerance = 1e-14)
})

test_that("augment() takes every container, and a tibble stays one", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  expect_identical(nrow(augment(model, iris[0, ])), 0L)
  matrix <- as.matrix(iris[c(1, 99), 1:4])
  expect_identical(augment(model, matrix)$.pred_class, predict(model, iris[c(1, 99), ]))
  unnamed <- fit_xy(bayes_naive(), unname(as.matrix(iris[1:4])), iris$Species)
  expect_named(augment(unnamed, unname(matrix))[1:4], paste0("V", 1:4))
  skip_if_not_installed("tibble")
  expect_s3_class(augment(model, tibble::as_tibble(iris)), "tbl_df")
  skip_if_not_installed("data.table")
  table <- data.table::as.data.table(iris)
  expect_s3_class(augment(model, table), "data.table")
  expect_named(table, names(iris))
})

test_that("augment() of a known model works, and replaces its own columns", {
  model <- bayes_known(
    c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
  )
  data <- data.frame(pixels = c(15, NA, 25))
  once <- augment(model, data)
  expect_equal(once$.pred_a[[2]], 0.75)
  expect_identical(augment(model, once), once)
  expect_named(data, "pixels")
})

test_that("augment() warns once", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  strange <- transform(play_tennis[1:3, ], outlook = c("fog", "rain", "fog"))
  warnings <- 0
  withCallingHandlers(
    augment(model, strange, cost = zero_one_cost(model)),
    bayesrisk_warning_unknown_level = function(w) {
      warnings <<- warnings + 1
      rlang::cnd_muffle(w)
    }
  )
  expect_identical(warnings, 1)
})

test_that("bad arguments are classed errors that name them", {
  skip_on_cran()
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_error(augment(model), "data.*newdata", class = "bayesrisk_error_argument")
  expect_error(
    augment(model, play_tennis, newdata = play_tennis), "One of", class = "bayesrisk_error_argument"
  )
  expect_error(augment(model, play_tennis[-2]), "temperature", class = "bayesrisk_error_schema")
  expect_error(augment(model, 1), "`data`", class = "bayesrisk_error_schema")
  expect_error(augment(model, play_tennis, kost = 1), "kost", class = "bayesrisk_error_argument")
  expect_error(tidy(model, conf.int = TRUE), "conf.int", class = "bayesrisk_error_argument")
  expect_error(glance(model, deviance = TRUE), "deviance", class = "bayesrisk_error_argument")
  twice <- fit_xy(bayes_naive(), data.frame(x = c(1, 2, 4, 7)), c("class", "class", "b", "b"))
  expect_error(
    augment(twice, data.frame(x = 1)), ".pred_class", fixed = TRUE,
    class = "bayesrisk_error_argument"
  )
  damaged <- replace(model, "parameters", list(NULL))
  for (method in list(tidy, glance, function(x) augment(x, play_tennis))) {
    expect_error(method(damaged), "damaged", class = "bayesrisk_error_object")
  }
})

test_that("every argument of augment() is fuzz-proof", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  fixed <- list(x = model, newdata = iris[1:2, ])
  for (arg in c("cost", "prior", "threads")) {
    expect_fuzz_proof(augment, arg, fixed, is.data.frame)
  }
  expect_fuzz_proof(
    augment, "data", list(x = model), is.data.frame, error = "bayesrisk_error"
  )
})

test_that("augment() takes costs by case and another prior", {
  model <- fit(bayes_naive(), y ~ x + z, mixed())
  by_case <- cost_matrix(a = list(a = 0, b = ~ abs(x) + 1), b = c(a = 1, b = 0))
  prior <- c(a = 0.2, b = 0.8)
  added <- augment(model, newdata = mixed(), cost = by_case, prior = prior)
  decided <- decide(model, mixed(), by_case, prior)
  expect_identical(added$.decision, decided$decision)
  expect_identical(added$.cost_b, decided$cost_b)
})

test_that("augment() of decisions is that of their model, for probabilities of any classifier", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  cost <- cost_matrix(
    keep = c(setosa = 0, versicolor = 1, virginica = 9), sell = 1,
    ask = list(setosa = 2, versicolor = 2, virginica = ~ Petal.Width)
  )
  by_model <- augment(model, iris, cost = cost)
  decided <- decide(predict(model, iris, type = "prob"), cost, iris)
  by_table <- augment(decided, iris)
  expect_equal(by_table, by_model[names(by_table)], tolerance = 1e-12)
  expect_named(by_table, c(names(iris), ".decision", ".cost_keep", ".cost_sell", ".cost_ask"))
  expect_identical(augment(decided, by_table), by_table)
})

test_that("the table of probabilities gets the decisions; a tibble stays one", {
  p <- cbind(a = c(0.2, 0.7), b = c(0.8, 0.3))
  both <- augment(decide(p), p)
  expect_equal(both, data.frame(
    p, .decision = factor(c("b", "a"), c("a", "b")), .cost_a = 1 - p[, "a"], .cost_b = p[, "a"]
  ))
  skip_if_not_installed("tibble")
  expect_s3_class(augment(decide(p), tibble::as_tibble(p)), "tbl_df")
})

test_that("data that are not those of the decisions are refused", {
  decided <- decide(cbind(a = c(0.2, 0.7), b = c(0.8, 0.3)))
  expect_bayesrisk_error(augment(decided), "argument", "data")
  expect_bayesrisk_error(augment(decided, iris), "argument", "150 rows for 2 decisions")
  expect_bayesrisk_error(augment(decided, iris[1:2, ], cost = 1), "argument", "cost")
})

test_that("a sparse matrix stays out of the result; a list gives its data frames", {
  mail <- mails()
  model <- fit(bayes_text(), y ~ words, mail)
  cost <- zero_one_cost(levels(mail$y))
  decided <- decide(model, mail, cost)
  new <- c(".decision", paste0(".cost_", levels(mail$y)))
  by_model <- augment(model, mail, cost = cost)
  by_row <- methods::as(mail$words, "RsparseMatrix")
  for (data in list(mail$words, list(words = mail$words), by_row)) {
    expect_identical(augment(decided, data), by_model[new])
  }
  listed <- augment(decided, list(words = mail$words, mail["size"]))
  expect_identical(listed, by_model[c("size", new)])
  named <- mail$words
  rownames(named) <- rep(c("u", "v"), 30)
  expect_identical(augment(decided, named)$.decision, decided$decision)
  expect_identical(augment(model, list(words = named), cost = cost)$.decision, decided$decision)
})

test_that("tables of groups have their keys as first columns", {
  flowers <- transform(iris, site = rep(c("hill", "lake"), 75))
  models <- fit(bayes_naive(), Species ~ Petal.Width, flowers, by = site)
  tidied <- tidy(models)
  expect_identical(names(tidied)[[1L]], "site")
  one <- tidied[tidied$site == "lake", -1L]
  row.names(one) <- NULL
  expect_identical(one, tidy(models$lake))
  expect_identical(glance(models)$site, factor(c("hill", "lake")))
  expect_identical(as.data.frame(models)$rows, c(75, 75))
})
