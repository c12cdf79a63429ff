local_print_options <- function(env = parent.frame()) {
  withr::local_options(
    digits = 3, width = 80, cli.num_colors = 1L, OutDec = ".", scipen = 0, .local_envir = env
  )
}

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
