local_print_options <- function(env = parent.frame()) {
  withr::local_options(
    digits = 3, width = 80, cli.num_colors = 1L, OutDec = ".", .local_envir = env
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
