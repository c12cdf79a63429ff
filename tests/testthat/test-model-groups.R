# Grouped fits against separate fits of the rows of each group.

expect_same_model <- function(model, expected, tolerance = 1e-12) {
  expect_equal(coef(model), coef(expected), tolerance = tolerance)
  expect_equal(as.numeric(logLik(model)), as.numeric(logLik(expected)), tolerance = tolerance)
}

test_that("the model of a group is that of its rows", {
  data <- birds()
  data$size[c(3, 50, 77)] <- NA
  for (spec in grouped_specs()) {
    models <- fit(spec, y ~ kind + size + eggs, data, by = region)
    expect_identical(names(models), c("west", "south", "north"))
    for (region in names(models)) {
      own <- fit(spec, y ~ kind + size + eggs, data[data$region == region, ])
      expect_same_model(models[[region]], own)
      expect_identical(models[[region]]$rows, own$rows)
      expect_identical(
        lapply(models[[region]]$statistics$banks, `[[`, "missing"),
        lapply(own$statistics$banks, `[[`, "missing")
      )
    }
  }
})

test_that("weights, subset, na.action and several keys mean what they mean for one model", {
  data <- birds()
  data$eggs[5:9] <- NA
  models <- fit(
    grouped_specs()$naive, y ~ kind + size + eggs, data, weights = weight, subset = size > -1,
    na.action = na.omit, by = c(region, year)
  )
  expect_length(models, 9L)
  expect_identical(names(models)[1:3], c("west.2019", "west.2020", "west.2021"))
  expect_identical(names(tidy(models))[1:2], c("region", "year"))
  own <- fit(
    grouped_specs()$naive, y ~ kind + size + eggs, data, weights = weight,
    subset = size > -1 & region == "south" & year == 2020, na.action = na.omit
  )
  expect_same_model(models$south.2020, own)
  expect_identical(models$south.2020$rows$used, own$rows$used)
})

test_that("all groups merged are the fit without keys", {
  data <- birds()
  for (spec in grouped_specs()[c("naive", "blocks", "full")]) {
    models <- fit(spec, y ~ kind + size + eggs, data, by = c(region, year))
    whole <- fit(spec, y ~ kind + size + eggs, data)
    expect_same_model(merge(models), whole)
    expect_identical(merge(models)$rows, whole$rows)
    without <- merge(models[!startsWith(names(models), "north")])
    expect_same_model(without, fit(spec, y ~ kind + size + eggs, data[data$region != "north", ]))
  }
})

test_that("many groups agree with a loop, whatever the threads", {
  withr::local_seed(3)
  n <- 60000L
  data <- data.frame(
    g = sample.int(700L, n, TRUE), x = rnorm(n, 1e6), z = rexp(n),
    y = factor(sample(c("a", "b"), n, TRUE))
  )
  models <- fit(bayes_naive(), y ~ x + z, data, by = g, threads = 1)
  two <- fit(bayes_naive(), y ~ x + z, data, by = g, threads = 2)
  expect_identical(models, two)
  for (g in c(1L, 350L, 700L)) {
    expect_same_model(models[[as.character(g)]], fit(bayes_naive(), y ~ x + z, data[data$g == g, ]))
  }
})

test_that("a class without spread in its group borrows from the same class of the others", {
  data <- data.frame(
    g = rep(c("p", "q", "r"), each = 8), y = rep(c("a", "b"), 12),
    x = c(rep(c(1, 5), 4), 2, 3, 4, 6, 3, 8, 1, 9, 7, 1, 5, 2, 6, 8, 9, 9)
  )
  expect_warning(
    models <- fit(bayes_naive(), y ~ x, data, by = g),
    class = "bayesrisk_warning_degenerate"
  )
  for (class in c("a", "b")) {
    own <- split(data$x[data$y == class], data$g[data$y == class])
    pooled <- sum(vapply(own, function(x) sum((x - mean(x))^2), 1)) / sum(lengths(own) - 1)
    expected <- sqrt(pooled / (length(own$p) - 1 + 1))
    expect_equal(coef(models$p)$x[class, ], c(mean = mean(own$p), sd = expected), tolerance = 1e-14)
  }
  expect_same_model(models$q, fit(bayes_naive(), y ~ x, data[data$g == "q", ]))
  expect_true(all(tidy(models$p)$borrowed[tidy(models$p)$term == "x"]))
})

test_that("one value in a whole group borrows, too; a joint block as a whole", {
  withr::local_seed(5)
  data <- data.frame(
    g = rep(c("p", "q"), each = 20), y = rep(c("a", "b"), 20), x = rnorm(40), z = rnorm(40)
  )
  data$x[data$g == "p"] <- 3
  suppressWarnings(models <- fit(bayes_naive(), y ~ x + z, data, by = g))
  x <- data$x[data$g == "q" & data$y == "a"]
  expect_equal(
    coef(models$p)$x["a", "sd"][[1L]], sqrt(sum((x - mean(x))^2) / (10 - 1 + 10 - 1) / 10),
    tolerance = 1e-14
  )
  data$z[data$g == "p"] <- 3
  suppressWarnings(joint <- fit(bayes_full(), y ~ x + z, data, by = g))
  own <- data[data$g == "q" & data$y == "b", c("x", "z")]
  expect_equal(
    coef(joint$p)$numeric$covariance$b,
    crossprod(scale(as.matrix(own), scale = FALSE)) / 18 * 2 / 11, tolerance = 1e-12,
    ignore_attr = TRUE
  )
})

test_that("groups without a model are an error that names them", {
  data <- data.frame(
    g = rep(c("p", "q"), each = 6), y = rep(c("a", "b"), 6), x = rep(c(1, 2), 6)
  )
  error <- expect_error(
    fit(bayes_naive(), y ~ x, data, by = g), class = "bayesrisk_error_degenerate"
  )
  expect_identical(error$groups, c("p", "q"))
  data$x <- seq_len(12)
  data$x[data$g == "q"] <- 1
  error <- expect_error(
    fit(bayes_naive(degenerate = "stop"), y ~ x, data, by = g),
    class = "bayesrisk_error_degenerate"
  )
  expect_identical(error$groups, "q")
})

test_that("models of groups are a list of models", {
  models <- fit(bayes_naive(), y ~ kind + size, birds(), by = region)
  expect_s3_class(models[["north"]], "bayesrisk_model")
  expect_identical(models$north, models[[3L]])
  expect_identical(names(models[c("north", "west")]), c("north", "west"))
  expect_identical(vapply(models, function(m) m$rows$used, 1), vapply(as.list(models), function(m) {
    m$rows$used
  }, 1))
  expect_error(models[["nroth"]], "north", class = "bayesrisk_error_argument")
  expect_error(models["nroth"], class = "bayesrisk_error_argument")
  file <- withr::local_tempfile()
  saveRDS(models, file)
  expect_identical(readRDS(file), models)
  damaged <- structure(models, keys = attr(models, "keys")[1:2, , drop = FALSE])
  expect_error(damaged[["north"]], class = "bayesrisk_error_object")
  expect_error(print(damaged), class = "bayesrisk_error_object")
})

test_that("one group leaves out of cross-validation by a column of the data", {
  data <- birds()
  by_name <- cv_risk(bayes_naive(), y ~ kind + size, data, folds = region)
  expect_equal(by_name, cv_risk(bayes_naive(), y ~ kind + size, data, folds = data$region))
})

test_that("an index that is no group, or the same one twice, is an error", {
  skip_on_cran()
  models <- fit(bayes_naive(), y ~ kind + size, birds(), by = region)
  for (i in list(99, -1, 0, 1.5, NA, NA_character_, TRUE, NULL, character(), list(),
                 c("north", "west"), 1:2)) {
    expect_error(models[[i]], "group", class = "bayesrisk_error_argument")
  }
  for (i in list(c(1, 1), c("west", "west"), 99, NA, 0, NULL, list(1), c(-1, 1), quote(a))) {
    expect_error(models[i], "group|Group", class = "bayesrisk_error_argument")
  }
  expect_identical(models[[factor("north")]], models$north)
  expect_identical(models[factor("north")], models["north"])
  expect_identical(names(models[-1]), c("south", "north"))
  expect_identical(models[], models)
})

test_that("damaged keys are found", {
  models <- fit(bayes_naive(), y ~ kind + size, birds(), by = region)
  for (key in list(1, NULL, list(columns = "region", type = "factor"))) {
    damaged <- structure(models, by = list(region = key))
    expect_error(print(damaged), "damaged", class = "bayesrisk_error_object")
    expect_error(predict(damaged, birds()), class = "bayesrisk_error_object")
  }
  expect_error(
    print(structure(models, by = list(k = 1))), "damaged", class = "bayesrisk_error_object"
  )
})

test_that("a prior that does not suit a group names the group", {
  data <- data.frame(y = rep(c("a", "b", "c"), 8), x = seq_len(24) %% 7 + 0.5)
  data$region <- rep(c("north", "south"), each = 12)
  data <- data[!(data$region == "south" & data$y == "c"), ]
  models <- fit(bayes_naive(), y ~ x, data, by = region)
  prior <- c(a = 0.2, b = 0.3, c = 0.5)
  expect_bayesrisk_error(
    predict(models, data, prior = prior), "argument", "In group \"south\".*0 for class \"c\""
  )
  expect_bayesrisk_error(predict(models, data, threads = 0), "argument", "^`threads`")
})

test_that("functions of one model refuse models of groups, and show how to take one", {
  skip_on_cran()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  models <- fit(bayes_naive(), y ~ kind + size, birds(), by = region)
  refused <- list(
    function() coef(models), function() logLik(models), function() AIC(models),
    function() nobs(models), function() confint(models), function() vcov(models),
    function() formula(models), function() simulate(models, 3),
    function() augment(models, newdata = birds()), function() plot(models, "regions"),
    function() decision_regions(models), function() bayes_risk(models),
    function() decision_threshold(models)
  )
  for (f in refused) {
    error <- expect_error(f(), class = "bayesrisk_error_argument")
    expect_match(conditionMessage(error), "models[[\"west\"]]", fixed = TRUE)
  }
  expect_error(coef(models), "tidy", class = "bayesrisk_error_argument")
  expect_error(confint(models), "`confint()` takes one", fixed = TRUE)
  expect_identical(summary(models), models)
  damaged <- structure(models, keys = NULL)
  expect_error(coef(damaged), class = "bayesrisk_error_object")
})

test_that("contributions explain each case by the model of its group", {
  data <- birds()
  spec <- bayes_naive(laplace = 1)
  models <- fit(spec, y ~ kind + size + eggs, data, by = region, pool = 5)
  rows <- data[c(20, 3, 77, 14, 200), ]
  cost <- cost_matrix(yes = c(yes = 0, no = 3), no = c(yes = 1, no = 0), ask = 0.5)
  for (asked in list(NULL, cost)) {
    found <- contributions(models, rows, asked)
    expect_identical(class(found), class(contributions(models[[1]], rows, asked)))
    for (i in seq_len(nrow(rows))) {
      own <- contributions(models[[as.character(rows$region[[i]])]], rows[i, ], asked)
      expect_equal(found[i, , ], own[1, , ])
    }
    expect_identical(dimnames(found)$case, dimnames(contributions(models[[1]], rows, asked))$case)
  }
  total <- apply(contributions(models, rows, cost), c(1, 3), sum)
  expect_equal(
    total, predict(models, rows, type = "cost", cost = cost), ignore_attr = TRUE,
    tolerance = 1e-12
  )
  decided <- decide(models, rows, cost)
  expect_identical(attr(contributions(models, rows, cost), "decision"), decided$decision)
  expect_output(print(contributions(models, rows, cost)))
  new <- transform(rows, region = "east")
  expect_error(contributions(models, new), class = "bayesrisk_error_schema")
  expect_equal(
    contributions(models, new, default = "pooled"), contributions(merge(models), new),
    tolerance = 1e-12
  )
})

test_that("rows of a list of tables are predicted by their groups", {
  withr::local_seed(3)
  words <- matrix(rpois(400, 2), 80, dimnames = list(NULL, letters[1:5]))
  others <- data.frame(y = rep(c("m", "n"), 40), g = rep(c("u", "v"), each = 40))
  data <- list(words = words, others)
  models <- fit(bayes_text(), y ~ words, data, by = g)
  mixed <- c(70, 3, 50, 12)
  rows <- list(words = words[mixed, ], others[mixed, ])
  own <- function(i, g) predict(models[[g]], list(words = words[i, , drop = FALSE]), type = "prob")
  expected <- rbind(own(70, "v"), own(3, "u"), own(50, "v"), own(12, "u"))
  expect_equal(predict(models, rows, type = "prob"), expected, ignore_attr = TRUE)
  expect_identical(decide(models, rows)$decision, predict(models, rows))
  expect_identical(dim(contributions(models, rows)), c(4L, 2L, 2L))
})
