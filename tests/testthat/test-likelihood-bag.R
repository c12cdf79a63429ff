# Bags of Gaussians and of Poisson counts: the models of the dense matrix, term by term, to 1e-12.

normal_specs <- function() {
  list(
    bayes_naive(), bayes_naive(variance = "ml"),
    bayes_naive(numeric = likelihood_gaussian(min_variance = 0.3)),
    bayes_naive(numeric = likelihood_gaussian(min_variance_share = 0.9, borrow = 2)),
    bayes_naive(numeric = likelihood_poisson()),
    bayes_naive(numeric = likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 2))
  )
}

expect_dense_model <- function(spec, x, y, weights = NULL, newdata = x, tolerance = 1e-12) {
  bag <- fit_xy(spec, sparse(x), y, weights)
  single <- fit_xy(spec, x, y, weights)
  expect_within(scores(bag, sparse(newdata)), scores(single, newdata), tolerance)
  expect_within(
    scores(bag, sparse(newdata), "log_joint"), scores(single, newdata, "log_joint"), tolerance
  )
  expect_within(logLik(bag), logLik(single), tolerance)
  expect_identical(attr(logLik(bag), "df"), attr(logLik(single), "df"))
  of_bag <- coef(bag)$terms
  if (is.matrix(of_bag)) of_bag <- list(rate = of_bag)
  for (name in names(of_bag)) {
    expect_within(
      of_bag[[name]], vapply(coef(single)[colnames(x)], function(b) b[, name], of_bag[[1L]][, 1L]),
      tolerance, scale = 1
    )
  }
}

test_that("with and without weights, at seen and unseen rows", {
  data <- mails()
  x <- dense(data$words)
  new <- dense(mails(9L, seed = 2)$words)
  for (spec in normal_specs()) {
    expect_dense_model(spec, x, data$y)
    expect_dense_model(spec, x, data$y, newdata = new)
    expect_dense_model(spec, x, data$y, data$weight)
  }
})

test_that("numbers of all signs and sizes that are not far from 0", {
  withr::local_seed(3)
  x <- dense(mails()$words) * stats::rnorm(720) * 10^rep(-2:1, each = 180)
  for (spec in normal_specs()[1:4]) expect_dense_model(spec, x, mails()$y, tolerance = 1e-11)
})

test_that("numbers far from 0 keep the digits that (mean / sd)^2 leaves", {
  # The log density at 0 is taken off again from a row that has a number.
  withr::local_seed(4)
  y <- mails()$y
  for (far in c(10, 1e3, 1e5)) {
    x <- matrix(stats::rnorm(180) + far, 60, dimnames = list(NULL, c("u", "v", "w")))
    bag <- fit(bayes_naive(), list(x = x), y)
    single <- fit(bayes_naive(), x, y)
    expect_within(
      predict(bag, list(x = x), type = "prob"), predict(single, x, type = "prob"),
      1e-12 + 100 * far^2 * .Machine$double.eps, scale = 1
    )
  }
})

expect_dense_model_and_warning <- function(spec, x, y) {
  expect_warning(bag <- fit(spec, sparse(x), y), class = "bayesrisk_warning_degenerate")
  expect_warning(single <- fit(spec, x, y), class = "bayesrisk_warning_degenerate")
  expect_within(scores(bag, sparse(x)), scores(single, x), 1e-12)
}

test_that("a term of one value is left out or borrows, as the column is", {
  data <- mails()
  x <- dense(data$words)
  x[, 3] <- 0
  expect_dense_model_and_warning(bayes_naive(), x, data$y)
  x[data$y == "ham", 4] <- 0
  expect_dense_model_and_warning(bayes_naive(), x, data$y)
  expect_bayesrisk_error(
    fit(bayes_naive(degenerate = "stop"), sparse(x), data$y), "degenerate", "terms"
  )
})

test_that("likelihoods that read no bag are errors that name one that does", {
  data <- mails()
  for (likelihood in list(likelihood_kernel(), likelihood_gamma(), likelihood_mixture())) {
    expect_bayesrisk_error(
      fit(bayes_naive(numeric = likelihood), y ~ words, data), "argument",
      "words.*bag of terms.*bayes_text"
    )
    expect_bayesrisk_error(
      fit(bayes_naive(features = list(words = likelihood)), y ~ words, data), "argument", "words"
    )
  }
  for (likelihood in list(likelihood_multinomial(), likelihood_bernoulli())) {
    expect_bayesrisk_error(
      fit(bayes_naive(features = list(size = likelihood)), y ~ size, data), "argument", "size"
    )
    expect_bayesrisk_error(bayes_naive(numeric = likelihood), "argument", "numeric features")
  }
  expect_bayesrisk_error(
    fit(bayes_blocks(list(b = c("words", "size"))), y ~ words + size, data), "argument",
    "Block b: words is a bag"
  )
})

test_that("counts of a Poisson bag must be counts", {
  data <- mails()
  spec <- bayes_naive(numeric = likelihood_poisson())
  bad <- data
  bad$words@x[[1L]] <- 0.5
  expect_bayesrisk_error(fit(spec, y ~ words, bad), "data", "no counts.*w01")
  expect_bayesrisk_error(predict(fit(spec, y ~ words, data), bad), "schema", "no counts.*w01")
})

bag_models <- function(data) {
  of <- function(counts) fit(bayes_text(counts), y ~ words + size + from, data)
  list(
    multinomial = of("multinomial"), bernoulli = of("bernoulli"), complement = of("complement"),
    poisson = of("poisson"), gaussian = fit(bayes_naive(), y ~ words + size + from, data)
  )
}

test_that("contributions add up; the bag is one block beside the other features", {
  data <- mails()
  for (model in bag_models(data)) {
    parts <- contributions(model, data)
    expect_setequal(dimnames(parts)[[2L]], c("(prior)", "size", "from", "words"))
    expect_within(apply(parts, c(1, 3), sum), scores(model, data, "log_joint"), 1e-12)
    alone <- fit(model$spec, y ~ words, data)
    expect_within(parts[, "words", ], scores(alone, data), 1e-12)
  }
})

test_that("decisions minimise the expected cost of the posterior", {
  data <- mails()
  cost <- cost_matrix(
    bin = c(spam = 0, ham = 20, list = 5), keep = c(spam = 1, ham = 0, list = 0),
    file = c(spam = 2, ham = 1, list = -1)
  )
  for (model in bag_models(data)) {
    decided <- decide(model, data, cost)
    p <- predict(model, data, type = "prob")
    expected <- p %*% t(unclass(cost)[, colnames(p)])
    expect_within(as.matrix(decided[paste0("cost_", colnames(expected))]), expected, 1e-12, 1)
    expect_identical(
      as.character(decided$decision), colnames(expected)[max.col(-expected, "first")]
    )
  }
})

test_that("parts of the data merge to the whole, in any way of adding them", {
  skip_on_cran()
  data <- mails()
  first <- data[1:25, ]
  second <- data[26:60, ]
  for (whole in bag_models(data)) {
    one <- fit(whole$spec, y ~ words + size + from, first)
    two <- fit(whole$spec, y ~ words + size + from, second)
    statistics <- bayes_statistics(whole$spec, y ~ words + size + from, second)
    sources <- list(
      merge(one, two), update(one, second),
      fit(whole$spec, y ~ words + size + from, chunked(data, 7L)),
      fit(whole$spec, y ~ words + size + from, data_parts(list(second, first))),
      fit(whole$spec, merge(
        bayes_statistics(whole$spec, y ~ words + size + from, first), statistics
      ))
    )
    for (other in sources) expect_same_predictions(whole, other, data)
  }
})

test_that("new documents bring new terms; the union is the model of all", {
  data <- mails()
  other <- data[31:60, ]
  other$words <- data$words[31:60, ]
  colnames(other$words)[1:3] <- c("new1", "new2", "new3")
  all <- sparse(cbind(
    rbind(dense(data$words[1:30, 1:3]), matrix(0, 30, 3)), dense(data$words[, 4:12]),
    rbind(matrix(0, 30, 3, dimnames = list(NULL, paste0("new", 1:3))), dense(other$words[, 1:3]))
  ))
  for (counts in c("multinomial", "bernoulli", "complement", "poisson")) {
    first <- fit(bayes_text(counts), y ~ words, data[1:30, ])
    whole <- fit(bayes_text(counts), list(words = all), data$y)
    for (model in list(
      update(first, other), merge(first, fit(bayes_text(counts), y ~ words, other)),
      merge(fit(bayes_text(counts), y ~ words, other), first)
    )) {
      expect_setequal(colnames(coef(model)$words), colnames(all))
      expect_within(
        coef(model)$words[, colnames(all)], coef(whole)$words, 1e-12
      )
      expect_same_predictions(model, whole, list(words = all))
    }
  }
})

test_that("cross-validation is fitting each fold by hand", {
  data <- mails()
  folds <- rep_len(1:4, 60)
  cost <- zero_one_cost(levels(data$y), reject = 0.5)
  for (model in bag_models(data)) {
    formula <- y ~ words + size + from
    p <- cv_predict(model$spec, formula, data, folds = folds)
    realised <- numeric(60)
    for (k in 1:4) {
      out <- folds == k
      by_hand <- fit(model$spec, formula, data[!out, ])
      expect_within(p[out, ], predict(by_hand, data[out, ], type = "prob"), 1e-12, scale = 1)
      decision <- as.character(decide(by_hand, data[out, ], cost)$decision)
      realised[out] <- unclass(cost)[cbind(decision, as.character(data$y[out]))]
    }
    found <- cv_risk(model$spec, formula, data, cost, folds = folds)
    expect_within(as.data.frame(found)$cost, mean(realised), 1e-12)
  }
  weighted <- cv_predict(bayes_text(), y ~ words, data, folds = folds, weights = weight)
  out <- folds == 2
  by_hand <- fit(bayes_text(), y ~ words, data[!out, ], weights = weight)
  expect_within(weighted[out, ], predict(by_hand, data[out, ], type = "prob"), 1e-12, scale = 1)
})

test_that("cross-validation of bags in many folds, with words of one fold, by any threads", {
  data <- mails(120L)
  models <- bag_models(data)[1:4] # a Gaussian leaves out a word that only one case has
  data$words[-5L, "w03"] <- 0
  data$words <- sparse(dense(data$words))
  for (model in models) {
    p <- cv_predict(model$spec, y ~ words + size, data, folds = 120)
    for (out in c(1L, 5L, 120L)) {
      by_hand <- fit(model$spec, y ~ words + size, data[-out, ])
      expect_within(p[out, ], predict(by_hand, data[out, ], type = "prob")[1, ], 1e-12, scale = 1)
    }
    two <- cv_predict(model$spec, y ~ words + size, data, folds = 120, threads = 2)
    expect_identical(two, p)
  }
})

test_that("tempered models have one power for each block, fitted or asked for", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size, data)
  for (by in c("model", "block")) {
    tempered <- temper(model, data, by = by, folds = rep_len(1:4, 60))
    power <- coef(tempered)$temper$power
    expect_named(power, c("size", "words"), ignore.order = TRUE)
    parts <- contributions(model, data)
    expected <- parts[, "(prior)", ] + power[["words"]] * parts[, "words", ] +
      power[["size"]] * parts[, "size", ]
    expect_within(scores(tempered, data, "log_joint"), expected, 1e-12)
  }
  expect_named(
    coef(fit(bayes_text(temper = TRUE), y ~ words, data))$temper$power, "words"
  )
})

test_that("a bag is a block of its own beside joint blocks", {
  data <- mails()
  data$length <- data$size^2 + seq_len(60) %% 7
  spec <- bayes_blocks(list(c("size", "length")), features = list(words = likelihood_multinomial()))
  model <- fit(spec, y ~ ., data[c("y", "size", "length", "words")])
  expected <- scores(fit(bayes_full(), y ~ size + length, data), data) +
    scores(fit(bayes_text(), y ~ words, data), data)
  expect_within(scores(model, data), expected, 1e-12)
  full <- fit(bayes_full(), y ~ size + length + words, data)
  expected <- scores(fit(bayes_full(), y ~ size + length, data), data) +
    scores(fit(bayes_naive(), y ~ words, data), data)
  expect_within(scores(full, data), expected, 1e-12)
})

test_that("groups, subsets and dropped features", {
  data <- mails()
  models <- fit(bayes_text(), y ~ words, data, by = from)
  for (key in c("u", "v", "w")) {
    own <- fit(bayes_text(), y ~ words, data, subset = from == key)
    expect_identical(coef(models[[key]])$words, coef(own)$words)
    rows <- data[data$from == key, ]
    expect_identical(predict(models, rows), predict(own, rows))
  }
  expect_same_predictions(merge(models), fit(bayes_text(), y ~ words, data), data)
  model <- fit(bayes_text(), y ~ words + size, data)
  expect_identical(
    coef(update(model, . ~ . - words)), coef(fit(bayes_text(), y ~ size, data))
  )
  expect_identical(
    coef(update(model, . ~ . - size)), coef(fit(bayes_text(), y ~ words, data))
  )
})

test_that("augment() adds to the data, and to nothing where the data are a matrix", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words, data)
  added <- augment(model, data)
  expect_identical(added[names(data)], data)
  expect_identical(added$.pred_class, predict(model, data))
  alone <- augment(model, data$words)
  expect_identical(alone, added[setdiff(names(added), names(data))])
  listed <- augment(model, list(words = data$words, data["size"]))
  expect_identical(listed, added[c("size", names(alone))])
})

test_that("functions that need a world say that a bag has none", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size, data)
  cost <- zero_one_cost(levels(data$y))
  uses <- list(
    function() bayes_risk(model), function() simulate(model, 2),
    function() decision_regions(model, cost, features = "size"),
    function() minimax_prior(model), function() value_of_data(model, cost),
    function() value_of_information(model, cost),
    function() feature_dependence(y ~ words + size, data)
  )
  for (use in uses) {
    expect_bayesrisk_error(use(), "argument", "words.*bag of terms.*no data-generating")
  }
})

test_that("costs and priors vary for given cases; without a case nothing is known", {
  data <- mails()
  model <- fit(bayes_text(), y ~ words + size, data)
  cost <- zero_one_cost(levels(data$y))
  ranges <- list(spam = c(0.1, 0.6), ham = c(0.2, 0.3), list = c(0.1, 0.9))
  calls <- list(
    function(...) cost_sweep(model, ..., cost = cost, class = "ham"),
    function(...) break_even(model, ..., cost = cost, class = "ham"),
    function(...) cost_ranges(model, ..., cost = cost, vary = list(prior = ranges))
  )
  for (ask in calls) {
    expect_bayesrisk_error(ask(), "argument", "newdata.*bag of terms")
    expect_s3_class(ask(newdata = data[1, ]), "data.frame")
  }
  even <- break_even(model, data[1, ], cost, class = "ham")
  at <- even$value[[1L]] + c(-1e-6, 1e-6)
  others <- prop.table(c(spam = 1, list = 1))
  decided <- vapply(at, function(p) {
    as.character(decide(model, data[1, ], cost, prior = c(ham = p, others * (1 - p)))$decision)
  }, "")
  expect_identical(decided, c(as.character(even$below[[1L]]), as.character(even$above[[1L]])))
})

test_that("known words are no parameters; a search leaves bags as they are", {
  expect_bayesrisk_error(
    bayes_known(c(a = 0.5, b = 0.5), words = likelihood_multinomial()), "argument",
    "words.*no parameters"
  )
  data <- mails()
  found <- search_blocks(bayes_text(), y ~ words + size, data)
  expect_identical(found$bag, likelihood_multinomial())
  expect_same_predictions(
    fit(found, y ~ words + size, data), fit(bayes_text(), y ~ words + size, data), data
  )
})

test_that("the order of rows and terms, the unit of weights and threads change nothing", {
  data <- mails(300L, 20L, 5)
  withr::local_seed(6)
  rows <- sample(300)
  other <- data[rows, ]
  other$words <- data$words[rows, sample(20)]
  for (model in bag_models(data)) {
    formula <- y ~ words + size + from
    expect_same_predictions(model, fit(model$spec, formula, other), data)
    weighted <- fit(model$spec, formula, data, weights = weight, threads = 1L)
    expect_identical(fit(model$spec, formula, data, weights = weight, threads = 2L), weighted)
    joint <- scores(model, data, "log_joint")
    expect_identical(scores(model, data, "log_joint", threads = 2L), joint)
    for (row in c(1L, 77L, 300L)) {
      expect_identical(as.vector(scores(model, data[row, ], "log_joint")), unname(joint[row, ]))
    }
  }
  # Without smoothing and with maximum likelihood only the shares of weights matter.
  for (spec in list(bayes_text("complement", laplace = 1e-300), bayes_naive(variance = "ml"))) {
    one <- fit(spec, y ~ words, data, weights = weight)
    expect_same_predictions(one, fit(spec, y ~ words, data, weights = 8 * weight), data)
  }
})

test_that("statistics are written and read as text", {
  data <- mails()
  spec <- bayes_text(features = list(size = likelihood_gaussian()))
  for (model in c(bag_models(data), list(fit(spec, y ~ words + size, data)))) {
    statistics <- bayes_statistics(model$spec, y ~ words + size, data)
    for (format in c("rds", "json")) {
      file <- withr::local_tempfile()
      write_statistics(statistics, file, format)
      expect_identical(fit(model$spec, read_statistics(file)), fit(model$spec, statistics))
    }
  }
})

test_that("R5: a model, statistics or a specification of bags with damaged parts", {
  skip_on_cran()
  withr::local_seed(1)
  data <- mails(20L, 4L)
  data$there <- data$words != 0
  spec <- bayes_text("complement", features = list(
    there = likelihood_bernoulli(), size = likelihood_gaussian()
  ))
  models <- list(
    fit(spec, y ~ words + there + size, data), fit(bayes_text("poisson"), y ~ words, data),
    fit(bayes_text(), y ~ words, data), suppressWarnings(fit(bayes_naive(), y ~ words, data))
  )
  cost <- zero_one_cost(levels(data$y))
  shown <- function(fun) function(object) utils::capture.output(print(fun(object)))
  uses <- list(
    function(m) predict(m, data), function(m) decide(m, data, cost), coef, tidy, counts, logLik,
    function(m) stopifnot(!is.nan(posterior(m, data))), function(m) contributions(m, data),
    function(m) update(m, laplace = 2), function(m) update(m, data), function(m) merge(m, m),
    shown(identity), shown(summary), function(m) augment(m, data)
  )
  for (model in models) expect_damage_proof(model, uses, 20L)
  expect_damage_proof(bayes_statistics(spec, y ~ words + there + size, data), list(
    function(s) fit(spec, s), function(s) merge(s, s), nobs, shown(identity)
  ), 20L)
  expect_damage_proof(spec, list(
    function(s) fit(s, y ~ words + there + size, data), shown(identity)
  ), 20L)
})

test_that("models of no term are summarised", {
  data <- mails()
  specs <- list(
    bayes_text(), bayes_text("bernoulli"), bayes_text("complement"), bayes_text("poisson"),
    bayes_naive()
  )
  for (spec in specs) {
    model <- fit(spec, data$words[, 0], data$y)
    expect_identical(dim(summary(model)$blocks$terms)[[1]], if (is.null(spec$bag)) NULL else 3L)
    expect_output(print(summary(model)), "terms")
  }
})

test_that("the reason why a bag has no world is that of its likelihood", {
  data <- mails()
  expect_bayesrisk_error(
    simulate(fit(bayes_text(), y ~ words, data)), "argument", "words is a bag.*length of a case"
  )
  for (spec in list(bayes_text("poisson"), bayes_text("bernoulli"), bayes_naive())) {
    model <- suppressWarnings(fit(spec, y ~ words, data))
    expect_bayesrisk_error(
      simulate(model), "argument",
    "no data-generating model: such a model has single.*a column for each"
    )
  }
})

test_that("likelihoods that do not fit a bag: the sentence says what it is", {
  data <- mails()
  for (likelihood in list(likelihood_histogram(), likelihood_empirical())) {
    expect_bayesrisk_error(
      fit(bayes_naive(features = list(words = likelihood)), y ~ words, data), "argument",
      "Feature words is a bag of terms; (a histogram|an empirical) likelihood does not fit it"
    )
    expect_bayesrisk_error(
      fit(bayes_naive(numeric = likelihood), y ~ words, data), "argument",
      "words is a bag of terms; (a histogram|an empirical) likelihood does not fit it"
    )
  }
})

counts_of_words <- function() {
  withr::local_seed(1)
  matrix(
    stats::rpois(60, 1.5) * stats::rbinom(60, 1, 0.6), 12,
    dimnames = list(sprintf("d%d", 1:12), letters[1:5])
  )
}

test_that("scores and coefficients are the multinomial log likelihood", {
  x <- counts_of_words()
  class <- rep(c("a", "b", "c"), 4)
  model <- fit(bayes_text(), x, class)
  found <- predict(model, x, type = "log_likelihood") + log_coefficient(x)
  theta <- coef(model)$terms
  for (k in rownames(theta)) {
    expected <- apply(x, 1, stats::dmultinom, prob = theta[k, ], log = TRUE)
    expect_lt(max(abs(found[, k] - expected)), 1e-10)
  }
  expect_identical(names(log_coefficient(x)), rownames(x))
})

test_that("large counts, empty cases and other forms of a matrix", {
  x <- rbind(c(a = 1e5, b = 2e6), c(0, 0), c(1, 0), c(170, 171))
  expected <- lgamma(rowSums(x) + 1) - rowSums(lgamma(x + 1))
  expect_equal(log_coefficient(x), expected, tolerance = 1e-12)
  expect_identical(log_coefficient(x)[2:3], c(0, 0))
  expect_identical(log_coefficient(unname(x)), log_coefficient(x))
  expect_identical(log_coefficient(Matrix::Matrix(x, sparse = TRUE)), log_coefficient(x))
  expect_identical(log_coefficient(methods::as(Matrix::Matrix(x, sparse = TRUE), "RsparseMatrix")),
                   log_coefficient(x))
  expect_identical(log_coefficient(x[0, ]), numeric())
})

test_that("numbers that are no counts are errors that name the term", {
  x <- counts_of_words()
  for (bad in list(-1, 0.5, NA, Inf)) {
    wrong <- x
    wrong[3, "d"] <- bad
    expect_bayesrisk_error(log_coefficient(wrong), "data", "\"d\"")
  }
  expect_bayesrisk_error(log_coefficient(), "argument", "matrix of counts")
  expect_bayesrisk_error(log_coefficient(iris), "argument", "matrix of counts")
  expect_bayesrisk_error(log_coefficient(x, y = 1), "argument", "y")
  damaged <- methods::as(Matrix::Matrix(x, sparse = TRUE), "CsparseMatrix")
  damaged@i[[2]] <- 1000L
  expect_bayesrisk_error(log_coefficient(damaged), "data", "damaged")
})
