# Shapes, names, priors and new data; numbers from formulas written out here.

naive_iris <- function() fit(bayes_naive(), Species ~ ., iris)

test_that("every type has its shape, columns and row names", {
  model <- naive_iris()
  rows <- iris[c(134, 7), ]
  species <- levels(iris$Species)
  for (type in c("prob", "log_prob", "log_joint", "log_likelihood")) {
    value <- predict(model, rows, type = type)
    expect_type(value, "double")
    expect_identical(dimnames(value), list(c("134", "7"), species))
  }
  expect_identical(predict(model, rows), factor(c("versicolor", "setosa"), species))
  expect_identical(names(predict(model, rows, type = "log_evidence")), c("134", "7"))
  expect_identical(dimnames(predict(model, rows, type = "cost")), list(c("134", "7"), species))
  expect_identical(predict(model, rows, type = "decision"), predict(model, rows))
  for (alias in c("raw", "posterior")) {
    expect_identical(predict(model, rows, type = alias), predict(model, rows, type = "prob"))
  }
  expect_identical(
    predict(model, rows, type = "both"),
    list(class = predict(model, rows), posterior = predict(model, rows, type = "prob"))
  )
})

test_that("automatic row names give none, character row names are kept", {
  model <- fit(bayes_naive(), am ~ wt, mtcars)
  expect_null(rownames(predict(model, data.frame(wt = 1:3), type = "prob")))
  expect_identical(rownames(predict(model, mtcars, type = "prob")), rownames(mtcars))
})

test_that("types are one another's logs, sums and quotients", {
  model <- naive_iris()
  joint <- predict(model, iris, type = "log_joint")
  likelihood <- predict(model, iris, type = "log_likelihood")
  evidence <- predict(model, iris, type = "log_evidence")
  log_posterior <- predict(model, iris, type = "log_prob")
  posterior <- predict(model, iris, type = "prob")
  expect_within(likelihood + log(1 / 3), joint, 1e-13)
  expect_within(evidence, log(rowSums(exp(joint))), 1e-12)
  expect_within(log_posterior, joint - evidence, 1e-12, scale = pmax(1, abs(joint)))
  expect_within(posterior, exp(log_posterior), 1e-12, scale = 1)
  expect_within(rowSums(posterior), rep(1, 150), 1e-15)
  density <- vapply(1:4, function(j) {
    dnorm(iris[[j]], mean(iris[1:50, j]), sd(iris[1:50, j]), log = TRUE)
  }, numeric(150))
  expect_within(likelihood[, 1], rowSums(density), 1e-12)
})

test_that("one row, one feature, one column and no rows keep their shapes (S13)", {
  model <- naive_iris()
  expect_identical(dim(predict(model, iris[9, ], type = "prob")), c(1L, 3L))
  none <- predict(model, iris[0, ], type = "prob")
  expect_identical(dim(none), c(0L, 3L))
  expect_identical(colnames(none), levels(iris$Species))
  expect_identical(predict(model, iris[0, ]), factor(character(), levels(iris$Species)))
  expect_length(predict(model, iris[0, ], type = "log_evidence"), 0L)
})

test_that("a prior at prediction is the prior at the fit", {
  model <- naive_iris()
  prior <- c(virginica = .7, setosa = .1, versicolor = .2)
  refitted <- fit(bayes_naive(prior = prior), Species ~ ., iris)
  for (type in c("class", "prob", "log_joint", "log_evidence", "cost")) {
    expect_identical(
      predict(model, iris, type = type, prior = prior), predict(refitted, iris, type = type)
    )
  }
  expect_identical(
    predict(model, iris, type = "prob", prior = unname(prior[c(2, 3, 1)])),
    predict(refitted, iris, type = "prob")
  )
  expect_identical(
    predict(refitted, iris, type = "prob", prior = "uniform"),
    predict(fit(bayes_naive(prior = "uniform"), Species ~ ., iris), iris, type = "prob")
  )
})

test_that("a prior of 0 rules a class out, whatever the likelihood says (P3)", {
  model <- naive_iris()
  p <- predict(model, iris[150, ], type = "prob", prior = c(1, 0, 0))
  expect_identical(as.vector(p), c(1, 0, 0))
  log_p <- predict(model, iris[150, ], type = "log_prob", prior = c(1, 0, 0))
  expect_identical(as.vector(log_p), c(0, -Inf, -Inf))
  expect_identical(as.character(predict(model, iris[150, ], prior = c(1, 0, 0))), "setosa")
})

test_that("ties go to the first class, within the band and without the RNG", {
  known <- function(prior) {
    bayes_known(prior, x = likelihood_gaussian(mean = c(b = -1, a = 1, c = 5), sd = 1))
  }
  set.seed(1)
  before <- .Random.seed
  class_at <- function(x, prior) as.character(predict(known(prior), data.frame(x = x)))
  expect_identical(class_at(0, c(b = .4, a = .4, c = .2)), "b")
  expect_identical(class_at(c(0, -1e-13, -1e-11), c(a = .4, b = .4, c = .2)), c("a", "a", "b"))
  expect_identical(.Random.seed, before)
})

test_that("columns and levels go by name: order, extra columns, storage do not matter", {
  model <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  expected <- predict(model, play_tennis, type = "prob")
  shuffled <- cbind(extra = 1, play_tennis[4:1])
  shuffled$outlook <- factor(shuffled$outlook, c("rain", "overcast", "fog", "sunny"))
  expect_identical(predict(model, shuffled, type = "prob"), expected)
  text <- data.frame(lapply(play_tennis, as.character))
  expect_identical(predict(model, text, type = "prob"), expected)
  expect_identical(predict(model, as.matrix(play_tennis), type = "prob"), expected)
  row <- droplevels(play_tennis[3, ])
  expect_identical(as.vector(predict(model, row, type = "prob")), as.vector(expected[3, ]))
})

test_that("integer, double, matrix and data frame columns are the same numbers", {
  cars <- data.frame(am = mtcars$am, hp = as.integer(mtcars$hp), carb = as.integer(mtcars$carb))
  model <- fit(bayes_full(), am ~ ., cars)
  expected <- predict(model, cars, type = "log_joint")
  as_double <- transform(cars, hp = as.double(hp))
  expect_identical(predict(model, as_double, type = "log_joint"), expected)
  expect_identical(predict(model, as.matrix(cars), type = "log_joint"), expected)
  expect_identical(predict(model, data.matrix(cars[3:2]), type = "log_joint"), expected)
})

test_that("the class column of newdata is not read (S20)", {
  model <- naive_iris()
  wrong <- transform(iris, Species = rev(Species))
  wrong$Species[3] <- NA
  expect_identical(predict(model, wrong), predict(model, iris))
  expect_identical(predict(model, iris[-5]), predict(model, iris))
})

test_that("functions of columns are computed again", {
  model <- fit(bayes_naive(), am ~ log(hp) + wt, mtcars)
  logged <- fit(bayes_naive(), am ~ log_hp + wt, transform(mtcars, log_hp = log(hp)))
  expect_identical(
    predict(model, mtcars, type = "prob"),
    predict(logged, transform(mtcars, log_hp = log(hp)), type = "prob")
  )
  expect_error(predict(model, mtcars["wt"]), "hp", class = "bayesrisk_error_schema")
})

test_that("new data that do not fit are named (S2, S7)", {
  model <- naive_iris()
  expect_error(predict(model, iris[-1]), "Sepal.Length", class = "bayesrisk_error_schema")
  renamed <- stats::setNames(iris, c("sepal.length", names(iris)[-1]))
  expect_error(predict(model, renamed), "Sepal.Length", class = "bayesrisk_error_schema")
  cut <- transform(iris, Petal.Width = factor(Petal.Width > 1))
  expect_error(predict(model, cut), "Petal.Width.*categorical.*numeric",
               class = "bayesrisk_error_schema")
  expect_error(predict(model, unname(as.matrix(iris[1:4]))), "column names",
               class = "bayesrisk_error_schema")
  expect_error(predict(model, c(5, 3, 1, .2)), "newdata", class = "bayesrisk_error_schema")
  damaged <- play_tennis
  damaged$outlook <- structure(
    c(99L, rep(1L, 13)), levels = levels(damaged$outlook), class = "factor"
  )
  expect_error(predict(fit(bayes_naive(), play ~ ., play_tennis), damaged), "outlook",
               class = "bayesrisk_error_schema")
})

test_that("arguments that are wrong are named", {
  model <- naive_iris()
  expect_argument_error <- function(text, ...) {
    expect_error(predict(model, ...), text, class = "bayesrisk_error_argument")
  }
  expect_argument_error("newdata")
  expect_argument_error("type", iris, type = "probability")
  expect_argument_error("prior", iris, prior = c(.5, .5))
  expect_argument_error("prior", iris, prior = c(-.1, .1, 1))
  expect_argument_error("threads", iris, threads = -1)
  expect_argument_error("cost", iris, type = "class", cost = zero_one_cost(iris$Species))
  expect_argument_error("cost", iris, cost = diag(3))
  expect_argument_error("costs", iris, costs = 1)
})

test_that("a row of which nothing is known has the prior, evidence 1, and their logs", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  rows <- data.frame(
    outlook = c(NA, "sunny"), temperature = NA_character_, humidity = NA_character_,
    wind = NA_character_
  )
  shares <- c(yes = 9, no = 5) / 14
  expect_within(predict(model, rows[1, ], "prob")[1, ], shares, 0)
  expect_within(predict(model, rows, "log_prob")[1, ], log(shares), 1e-15)
  # Five days of fourteen are sunny.
  expect_within(predict(model, rows, "log_evidence"), c(0, log(5 / 14)), 1e-15, scale = 1)
})

test_that("a type by the name of another package shows the right one", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  for (type in c("response", "probability")) {
    expect_bayesrisk_error(predict(model, iris, type = type), "argument", "type = \"prob\"")
  }
  expect_bayesrisk_error(predict(model, iris, type = "link"), "argument", "type = \"log_joint\"")
})

test_that("the joint of the lectures is prior times likelihood", {
  # Lecture "Naive Bayes Learning (after Mooney)": medium, red and circular.
  bags <- bayes_known(
    c(positive = 0.5, negative = 0.5),
    size = rbind(positive = c(medium = 0.1, other = 0.9), negative = c(0.2, 0.8)),
    colour = rbind(positive = c(red = 0.9, other = 0.1), negative = c(0.3, 0.7)),
    shape = rbind(positive = c(circle = 0.9, other = 0.1), negative = c(0.3, 0.7))
  )
  case <- data.frame(size = "medium", colour = "red", shape = "circle", row.names = "ball")
  joint <- predict(bags, case, type = "joint")
  expect_within(joint["ball", ], c(positive = 0.0405, negative = 0.009), 1e-15)
  expect_identical(predict(bags, case, type = "score"), joint)
  expect_identical(joint, exp(predict(bags, case, type = "log_joint")))
  expect_within(joint / rowSums(joint), predict(bags, case, type = "prob"), 1e-15)
  twice <- predict(bags, case, type = "joint", prior = c(positive = 0.2, negative = 0.8))
  expect_within(twice["ball", ], c(0.2 * 0.081, 0.8 * 0.018), 1e-15)
})

test_that("the joint is 0 where it is impossible or underflows, and NA where the row is", {
  model <- fit(bayes_naive(), y ~ g, tokens())
  joint <- predict(model, data.frame(g = "w"), type = "joint", prior = c(b = 0, a = 1))
  expect_identical(c(joint), c(0, 0))
  far <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1))
  expect_identical(c(predict(far, data.frame(x = 100), type = "joint")), c(0, 0))
  expect_true(all(is.finite(predict(far, data.frame(x = 100), type = "log_joint"))))
  expect_warning(
    joint <- predict(far, data.frame(x = Inf), type = "joint"),
    class = "bayesrisk_warning_infinite"
  )
  expect_true(all(is.na(joint)))
})

test_that("evidence is relative to the most likely class, without rows that say nothing", {
  case <- shifted(6L)
  case$rows[2, ] <- NA
  ask <- list(
    model = case$model, even = c(1, 1, 1) / 3, weights = rlang::quo(w), cost = NULL,
    threads = 1L, features = 1:2, draws = 0L, most = c(100, 0)
  )
  rows <- cbind(case$rows, w = c(1, 2, 0, 4, 5, 6))
  piece <- evidence_from(rows, ask, rlang::current_env())[[1L]]
  l <- log_likelihood_rows(case$model, case$rows)
  top <- apply(l, 1L, max)
  l <- l - top
  l[3, ] <- 0
  expect_equal(matrix(piece$likelihood, 6L), unname(exp(l)))
  expect_identical(piece$evidence, c(1, 0, 0, 4, 5, 6))
  expect_identical(piece$weight, c(1, 2, 0, 4, 5, 6))
  expect_equal(piece$log_scale, sum(top * piece$evidence))
  expect_identical(c(piece$used, piece$uninformed), c(4, 1))
  expect_identical(piece$sample$rows, 6)
  alone <- array(piece$sample$others, c(6L, 3L, 2L))
  l <- log_likelihood_rows(case$model, replace(case$rows, "g", NA))
  expect_equal(alone[, , 1L], unname(exp(l - apply(l, 1L, max))))
})

test_that("a sample takes evenly spaced runs", {
  case <- shifted(1000L)
  ask <- list(
    model = case$model, even = c(1, 1, 1) / 3, weights = rlang::quo(), cost = NULL,
    threads = 1L, features = 1:2, draws = 0L, most = c(200, 0)
  )
  sample <- evidence_from(case$rows, ask, rlang::current_env())[[1L]]$sample
  expect_identical(sample$rows, 192)
  l <- log_likelihood_rows(case$model, case$rows[c(1:64, 334:397, 667:730), ])
  expect_equal(matrix(sample$together, 192L), unname(exp(l - apply(l, 1L, max))))
})

test_that("the posterior that comes with decisions is that of a prediction, bit for bit", {
  skip_on_cran()
  set.seed(6)
  call <- rlang::current_env()
  for (classes in c(2L, 3L, 6L)) {
    data <- data.frame(y = factor(rep_len(letters[seq_len(classes)], 1200L)))
    data$x <- stats::rnorm(1200L, as.integer(data$y))
    data$g <- sample(c("u", "v"), 1200L, TRUE)
    model <- fit(bayes_naive(laplace = 1), y ~ x + g, data)
    rows <- data[-1L]
    rows[c(2, 700), ] <- NA
    rows$x[c(3, 900)] <- c(Inf, 1e6)
    rows$g[5] <- "new"
    read <- read_newdata(model$schema, rows, call)
    prior <- model$parameters$prior
    for (reject in list(NULL, 0.2)) {
      cost <- read_cost(zero_one_cost(model, reject = reject), levels(data$y), call = call)
      for (output in c("all", "decision")) for (type in c("prob", "log_prob", "both")) {
        suppressWarnings({
          expected <- decide_rows(model, read, output, prior, cost, 1L, call)
          found <- decide_rows(model, read, output, prior, cost, 2L, call, type)
          scored <- score(model, read, type, prior, NULL, 1L, call)
        })
        expect_identical(found$posterior, scored)
        expect_identical(found[c("value", "report")], expected[c("value", "report")])
      }
    }
  }
})

flowers <- transform(iris, site = rep(c("hill", "lake", "wood"), 50), plot = rep(1:2, 75))

test_that("each row is predicted by the model of its group", {
  models <- fit(bayes_naive(), Species ~ . - plot, flowers, by = site)
  for (type in c("class", "prob", "log_joint", "log_evidence")) {
    found <- predict(models, flowers, type = type)
    for (site in names(models)) {
      at <- which(flowers$site == site)
      expected <- predict(models[[site]], flowers[at, ], type = type)
      rows <- if (is.matrix(found)) found[at, ] else found[at]
      expect_equal(rows, expected, ignore_attr = "dimnames")
    }
  }
})

test_that("a key without a model is an error, or takes the default", {
  models <- fit(bayes_naive(), Species ~ . - plot, flowers, by = site, subset = site != "wood")
  expect_error(predict(models, flowers), "wood", class = "bayesrisk_error_schema")
  whole <- merge(models)
  found <- predict(models, flowers, default = whole)
  wood <- flowers$site == "wood"
  expect_identical(found[wood], predict(whole, flowers[wood, ]))
  expect_error(predict(models, iris), "site", class = "bayesrisk_error_schema")
  expect_error(predict(models, flowers, default = 3), class = "bayesrisk_error_argument")
})

test_that("no rows give no predictions", {
  models <- fit(bayes_naive(), Species ~ . - plot, flowers, by = c(site, plot))
  expect_identical(predict(models, flowers[0, ]), predict(models[[1L]], flowers[0, ]))
})

test_that("a default with other classes is an error, and both is a list of class and posterior", {
  data <- data.frame(y = rep(c("p", "q"), 20), x = rnorm(40) + 5 * (0:1), k = "A")
  models <- fit(bayes_naive(), y ~ x, data, by = k)
  other <- fit(bayes_naive(), y ~ x, transform(data, y = factor(y, c("q", "p"))))
  rows <- transform(data[1:3, ], k = c("A", "Z", "A"))
  expect_error(
    predict(models, rows, default = other), "default", class = "bayesrisk_error_argument"
  )
  whole <- merge(models)
  expect_equal(
    predict(models, rows, default = whole, type = "both"), predict(whole, rows, type = "both")
  )
})

test_that("the likelihood is the density of the features in each class", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  likelihood <- predict(model, iris, type = "likelihood")
  expect_identical(likelihood, exp(predict(model, iris, type = "log_likelihood")))
  setosa <- iris[iris$Species == "setosa", 1:4]
  expect_equal(
    likelihood[[1, "setosa"]],
    prod(stats::dnorm(unlist(iris[1, 1:4]), colMeans(setosa), vapply(setosa, stats::sd, 1)))
  )
})
