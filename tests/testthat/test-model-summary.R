local_print_options <- function(env = parent.frame()) {
  withr::local_options(
    digits = 3, width = 80, cli.num_colors = 1L, OutDec = ".", scipen = 0, .local_envir = env
  )
}

test_that("the summary of a model prints as tables", {
  local_print_options()
  air <- transform(airquality, Month = factor(Month), Windy = Wind > 10)
  categorical <- fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis)
  sky <- bayes_blocks(list(sky = c("Ozone", "Solar.R")))
  months <- air$Month %in% 6:9 & air$Month != 7
  mixed <- suppressMessages(fit(sky, Month ~ . - Wind - Day, air, subset = months))
  table <- fit(bayes_full(), play ~ ., play_tennis)
  pooled <- fit(bayes_full(covariance = "pooled"), Species ~ ., iris)
  expect_snapshot(summary(mixed))
  expect_output(print(summary(categorical)), "class / outlook .*-31.9 \\(df = 7\\), AIC 77.7")
  expect_output(print(summary(table)), "most probable cells\n")
  expect_output(print(summary(pooled)), "correlation, all classes\n")
})

test_that("classes have prior, weight and rows", {
  titanic <- as.data.frame(Titanic)
  model <- fit(bayes_naive(prior = "uniform"), Survived ~ ., titanic, weights = Freq)
  expect_identical(summary(model)$classes, data.frame(
    class = factor(c("No", "Yes")), prior = c(0.5, 0.5), weight = c(1490, 711), rows = c(10, 14)
  ))
})

test_that("features have the cases that they were estimated from, and the missing ones", {
  air <- transform(airquality, Month = factor(Month), Windy = Wind > 10)
  air$Windy[1:3] <- NA
  formula <- Month ~ Ozone + Solar.R + Temp + Windy
  single <- summary(fit(bayes_naive(), formula, air))$features
  expect_identical(single$feature, c("Ozone", "Solar.R", "Temp", "Windy"))
  expect_identical(single$kind, rep(c("numeric", "categorical"), c(3, 1)))
  expect_identical(single$missing, c(37, 7, 0, 3))
  expect_identical(single$available, 153 - single$missing)
  joint <- summary(fit(bayes_blocks(list(sky = c("Ozone", "Solar.R"))), formula, air))$features
  expect_identical(joint$block, c("sky", "sky", "(single)", "(single)"))
  expect_identical(joint$available, c(111, 111, 153, 150))
  expect_identical(joint$missing, single$missing)
  weighted <- summary(fit(bayes_naive(), formula, air, weights = rep(2, 153)))$features
  expect_identical(weighted$missing, 2 * single$missing)
})

test_that("single features have their parameters, blocks sd and correlation", {
  spec <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
  model <- fit(spec, Species ~ ., iris)
  blocks <- summary(model)$blocks
  expect_named(blocks, c("Sepal.Length", "Sepal.Width", "petal"))
  expect_identical(blocks$Sepal.Width, coef(model)$Sepal.Width)
  expect_equal(blocks$petal$sd["versicolor", "Petal.Width"], sd(iris$Petal.Width[51:100]))
  expect_equal(
    blocks$petal$correlation$virginica, cor(iris[101:150, c("Petal.Length", "Petal.Width")])
  )
  pooled <- fit(bayes_full(covariance = "pooled"), Species ~ ., iris)
  covariance <- coef(pooled)$numeric$covariance
  block <- summary(pooled)$blocks$numeric
  expect_equal(block$sd["virginica", ], sqrt(diag(covariance)))
  expect_equal(block$sd["setosa", ], block$sd["virginica", ])
  expect_equal(block$correlation, cov2cor(covariance))
})

test_that("a joint table gives the most probable cells of each class", {
  data <- data.frame(
    y = rep(c("a", "b"), c(7, 3)), u = c("p", "p", "p", "q", "q", "r", "r", "q", "q", "p"),
    v = c("s", "s", "s", "s", "s", "s", "t", "t", "t", "s")
  )
  cells <- summary(fit(bayes_full(), y ~ ., data))$blocks$categorical
  expect_named(cells, c("u", "v", "class", "probability"))
  expect_identical(paste(cells$class, cells$u, cells$v), c(
    "a p s", "a q s", "a r s", "a r t", "b q t", "b p s"
  ))
  expect_equal(cells$probability, c(3 / 7, 2 / 7, 1 / 7, 1 / 7, 2 / 3, 1 / 3))
  tennis <- summary(fit(bayes_full(), play ~ ., play_tennis))$blocks$categorical
  expect_identical(as.vector(table(tennis$class)), c(5L, 5L))
})

test_that("the fit is that of glance()", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_identical(summary(model)$fit, glance(model))
  local_print_options()
  line <- sprintf("(df = 13), AIC %s, BIC %s", format(AIC(model)), format(BIC(model)))
  expect_output(print(summary(model)), line, fixed = TRUE)
})

test_that("known models, empty classes and prior-only models have summaries", {
  local_print_options()
  known <- bayes_known(
    c(a = 0.75, b = 0.25), x = likelihood_gaussian(mean = c(a = 1, b = 2), sd = 3)
  )
  expect_output(print(summary(known)), "without data", fixed = TRUE)
  expect_false(any(grepl("Log likelihood", capture.output(print(summary(known))))))
  expect_identical(summary(known)$features$available, 0)
  few <- suppressMessages(fit(bayes_full(), Species ~ ., iris[1:100, ]))
  expect_silent(lines <- capture.output(print(summary(few))))
  expect_false(any(grepl("correlation, virginica", lines)))
  prior_only <- summary(fit(bayes_naive(), play ~ 1, play_tennis))
  expect_identical(nrow(prior_only$features), 0L)
  expect_length(prior_only$blocks, 0)
  expect_output(print(prior_only), "yes", fixed = TRUE)
})

test_that("long summaries are cut, and say so", {
  local_print_options()
  set.seed(2)
  x <- matrix(stats::rnorm(40 * 14), 40, dimnames = list(NULL, paste0("v", 1:14)))
  y <- rep(c("a", "b"), 20)
  expect_output(print(summary(fit_xy(bayes_naive(), x, y))), "... and 4 more blocks", fixed = TRUE)
  summary <- summary(fit_xy(bayes_full(), x, y))
  expect_output(print(summary), "the first 10 of 14 columns", fixed = TRUE)
})

test_that("of many levels those that differ most between the classes are printed", {
  local_print_options()
  levels <- sprintf("l%03d", 1:300)
  # Both classes have all levels equally often, but l250 and l007 each have a class of their own.
  data <- data.frame(
    y = rep(c("a", "b"), each = 310),
    place = c(levels, rep("l250", 10), levels, rep("l007", 10))
  )
  summary <- summary(suppressMessages(fit(bayes_naive(), y ~ place, data)))
  shown <- paste(capture.output(print(summary)), collapse = "\n")
  caption <- "the 10 columns that differ most between the classes; 290 more: print(n = 300)"
  expect_match(gsub("\n *", " ", shown), caption, fixed = TRUE)
  # 11 / 310 against 1 / 310; ties stay in order.
  expect_match(shown, "class / place +l007 +l250 +l001 +l002.*\n +a +0.00323 +0.03548")
  expect_identical(ncol(summary$blocks$place), 300L)
  all <- paste(capture.output(print(summary, n = 300)), collapse = "\n")
  for (level in c("l001", "l150", "l300")) expect_match(all, level, fixed = TRUE)
  expect_no_match(all, "differ most", fixed = TRUE)
})

test_that("printing returns its argument invisibly; errors are classed", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  capture.output(shown <- withVisible(print(summary(model))))
  expect_false(shown$visible)
  expect_s3_class(shown$value, "bayesrisk_summary_model")
  expect_error(summary(model, maxsum = 2), "maxsum", class = "bayesrisk_error_argument")
  model$plan <- NULL
  expect_error(summary(model), "damaged", class = "bayesrisk_error_object")
})

test_that("a joint block whose features are all left out has a summary", {
  data <- data.frame(y = c("a", "a", "b", "b"), x = 1, z = 2)
  for (spec in list(bayes_full(joint = likelihood_mixture(2)), bayes_full())) {
    for (rows in list(data, data[1L, ])) {
      summary <- summary(suppressWarnings(fit(spec, y ~ x + z, rows)))
      expect_identical(summary$features$note, rep("left out", 2L))
      expect_true(all(summary$blocks$numeric$sd == 0))
      expect_length(unlist(summary$blocks$numeric$correlation), 0L)
      expect_output(print(summary), "left out", fixed = TRUE)
    }
  }
})

known <- function() {
  bayes_known(
    prior = c(a = 0.75, b = 0.25), pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4),
    size = rbind(a = c(small = 0.4, large = 0.6), b = c(0.5, 0.5))
  )
}

test_that("a model prints as sentences and two tables", {
  local_print_options()
  categorical <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  blocks <- fit(bayes_blocks(list(petal = c("Petal.Length", "Petal.Width"))), Species ~ ., iris)
  weighted <- fit(bayes_naive(), Survived ~ ., as.data.frame(Titanic), weights = Freq)
  pooled <- fit_xy(bayes_full(covariance = "pooled"), iris[1:4], iris$Species)
  prior_only <- fit(bayes_naive(), play ~ 1, play_tennis)
  expect_snapshot(blocks)
  expect_output(print(categorical), "Laplace 1")
  expect_output(print(weighted), "24 of 32 rows with total weight 2201.*weight rows\n")
  expect_output(print(pooled), "one pooled.*Estimated from 150 rows")
  expect_no_match(capture.output(print(prior_only)), "block")
  expect_output(print(known()), "size\n? *by a given table.*without data")
})

test_that("statistics print what they were collected for", {
  local_print_options()
  joint <- bayes_statistics(bayes_full(), play ~ outlook + wind, play_tennis)
  titanic <- as.data.frame(Titanic)
  weighted <- bayes_statistics(bayes_naive(), Survived ~ ., titanic, weights = Freq / 4)
  expect_snapshot(joint)
  expect_output(print(weighted), "24 of 32 rows with total weight 550")
})

test_that("format() gives the sentences", {
  model <- fit(bayes_naive(), Species ~ ., iris, subset = Petal.Width > 0.15)
  expect_identical(format(model), c(
    format(bayes_naive()), "Estimated by Species ~ . from 145 rows: 3 classes, 4 features."
  ))
  part <- function(rows) fit(bayes_naive(), Species ~ ., iris, subset = rows)
  expect_match(format(merge(part(1:70), part(71:150))), "from 150 rows", all = FALSE)
  weightless <- fit(bayes_naive(), Species ~ ., iris, weights = c(rep(1, 140), rep(0, 10)))
  expect_match(format(weightless), "from 140 of 150 rows", all = FALSE)
  one <- one_class(fit_xy(bayes_naive(), data.frame(x = c(1, 2)), c("a", "a")))
  expect_identical(format(one)[[2]], "Estimated from 2 rows: 1 class, 1 feature.")
  expect_identical(format(known())[[2]], "Made from numbers, without data: 2 classes, 2 features.")
  statistics <- bayes_statistics(bayes_naive(), play ~ wind, play_tennis)
  expect_identical(format(statistics), c(
    paste("Statistics for", format(bayes_naive())),
    "Collected by play ~ wind from 14 rows: 2 classes, 1 feature."
  ))
})

test_that("numbers follow options(digits) and options(OutDec), counts are written in full", {
  local_print_options()
  model <- fit(bayes_naive(), play ~ wind, play_tennis)
  expect_output(print(model), "yes   0.643    9", fixed = TRUE)
  withr::local_options(digits = 8, OutDec = ",")
  expect_output(print(model), "yes   0,64286    9", fixed = TRUE)
  many <- data.frame(y = rep(c("a", "b"), 50000), x = c("u", "v", "u", "u"))
  withr::local_options(digits = 3, OutDec = ".", scipen = -5)
  expect_output(print(fit(bayes_naive(), y ~ x, many)), "from 100000 rows", fixed = TRUE)
  expect_output(print(fit(bayes_naive(), y ~ x, many)), " 50000\n", fixed = TRUE)
})

test_that("long lists are cut, and say so", {
  local_print_options()
  set.seed(1)
  x <- matrix(stats::rnorm(100 * 60), 100, dimnames = list(NULL, paste0("feature_", 1:60)))
  model <- fit_xy(bayes_naive(), x, rep(1:25, 4))
  lines <- capture.output(print(model))
  expect_true(all(nchar(lines) <= 80))
  expect_match(lines, "feature_1, feature_2, .*, \\.\\.\\. \\(60\\)$", all = FALSE)
  expect_match(lines, "... and 5 more classes", fixed = TRUE, all = FALSE)
  pairs <- stats::setNames(split(colnames(x), rep(1:30, 2)), paste0("pair", 1:30))
  blocks <- fit_xy(bayes_blocks(pairs, covariance = "pooled"), x, rep(1:2, 50))
  expect_output(print(blocks), "more blocks", fixed = TRUE)
  long <- stats::reformulate(colnames(x), "y")
  data <- cbind(as.data.frame(x), y = rep(1:2, 50))
  expect_match(format(fit(bayes_naive(), long, data))[[2]], "feature_8.* \\.\\.\\. from 100 rows")
})

test_that("strange names do not break the tables", {
  local_print_options()
  data <- data.frame(c("a\nb", "{x}", "%s", "a\nb"), c(1, 2, 5, 3), y = c("p\nq", "r"))
  names(data)[1:2] <- c("new\nline", "{1 + 1} %d")
  lines <- capture.output(print(fit(bayes_naive(), y ~ ., data)))
  expect_match(lines, "p\\nq", fixed = TRUE, all = FALSE)
  expect_match(lines, "new\\nline", fixed = TRUE, all = FALSE)
  expect_match(lines, "{1 + 1} %d", fixed = TRUE, all = FALSE)
})

test_that("printing returns its argument invisibly", {
  for (x in list(known(), bayes_statistics(bayes_naive(), play ~ ., play_tennis))) {
    capture.output(shown <- withVisible(print(x)))
    expect_false(shown$visible)
    expect_identical(shown$value, x)
  }
})

test_that("a damaged model is not printed as one", {
  model <- known()
  model$parameters$prior <- 1
  expect_error(print(model), "damaged", class = "bayesrisk_error_object")
  expect_error(format(model), "damaged", class = "bayesrisk_error_object")
})

test_that("headings stand out where the terminal has styles, and are the same text elsewhere", {
  skip_on_cran()
  model <- fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis)
  cost <- cost_matrix(yes = c(yes = 0, no = 3), no = c(yes = 1, no = 0))
  plane <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  regions <- decision_regions(two_classes())
  decided <- decide(model, play_tennis, cost)
  results <- list(
    model, summary(model), bayes_statistics(bayes_naive(), play ~ wind, play_tennis), cost, decided,
    summary(decided), confusion_table(play_tennis$play, decided$decision), regions,
    decision_regions(plane), decision_threshold(cost = cost), summary(bayes_risk(model)),
    value_of_information(model), minimax_prior(two_classes()),
    next_feature(model, data.frame(outlook = NA, wind = "weak"), cost),
    assess_decisions(model, play_tennis), cv_risk(bayes_naive(), Species ~ ., iris),
    contributions(model, play_tennis), feature_dependence(Species ~ ., iris),
    compare_decisions(list(one = model), data = play_tennis), joint_table(mooney_cells()),
    summary(joint_table(mooney_cells()))
  )
  for (x in results) expect_styled(x)
})

test_that("a joint block that left rows out is named, with the number of rows that it used", {
  holes <- iris
  holes$Sepal.Length[1:50 * 3] <- NA
  model <- fit(bayes_full(), Species ~ ., holes)
  line <- "Block numeric used 100 of 150 rows: the others miss one of its features."
  expect_true(line %in% format(model))
  expect_true(line %in% summary(model)$model)
  expect_true(line %in% format(bayes_statistics(bayes_full(), Species ~ ., holes)))
  expect_false(any(grepl("used", format(fit(bayes_full(), Species ~ ., iris)))))
  expect_false(any(grepl("used", format(fit(bayes_naive(), Species ~ ., holes)))))
})
