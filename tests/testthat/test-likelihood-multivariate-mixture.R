# Joint blocks by mixtures of multivariate Gaussians. References: mclust (model VVV), a Gaussian
# block for one component, and sums of normal densities in R.

joint_fit <- function(x, ..., weights = NULL) {
  x <- as.data.frame(x)
  spec <- bayes_full(joint = likelihood_mixture(...), prior = "uniform")
  one_class(fit_xy(spec, x, rep("all", nrow(x)), weights = weights))
}

two_classes <- function(n = 150, seed = 1) {
  withr::with_seed(seed, {
    far <- rep(c(0, 4), length.out = n)
    data.frame(
      a = far + stats::rnorm(n), b = -far + stats::rnorm(n, sd = 2), c = stats::rnorm(n),
      y = rep(c("one", "two", "two"), length.out = n)
    )
  })
}

# The log density of rows under the components of a class in coef(); missing features left out.
log_mixture_density <- function(x, weights, mean, covariance) {
  apply(x, 1L, function(row) {
    at <- which(!is.na(row))
    if (length(at) == 0L) return(0)
    terms <- vapply(seq_along(weights), function(t) {
      s <- matrix(covariance[at, at, t], length(at))
      away <- row[at] - mean[t, at]
      log(weights[[t]]) - 0.5 * (sum(away * solve(s, away)) + determinant(2 * pi * s)$modulus)
    }, 1)
    max(terms) + log(sum(exp(terms - max(terms))))
  })
}

test_that("the log likelihood is not below that of mclust (VVV)", {
  skip_on_cran()
  skip_if_not_installed("mclust")
  suppressPackageStartupMessages(withr::local_package("mclust"))
  data <- list(
    iris = iris[1:4], petals = iris[3:4], faithful = datasets::faithful,
    quakes = datasets::quakes[c("lat", "long", "depth")], crabs = MASS::crabs[4:8],
    attitude = datasets::attitude[1:2], two = two_classes(400)[1:3],
    three = two_classes(900, 2)[1:3]
  )
  compared <- 0L
  for (name in names(data)) {
    for (components in 1:3) {
      other <- mclust::Mclust(
        data[[name]], G = components, modelNames = "VVV", verbose = FALSE,
        control = mclust::emControl(tol = c(1e-12, 1e-12), itmax = c(10000, 10000))
      )
      if (is.null(other)) next
      compared <- compared + 1L
      model <- joint_fit(data[[name]], components, min_variance_share = 1e-6)
      own <- as.numeric(logLik(model))
      expect_gte(own, other$loglik - 1e-6 * abs(other$loglik))
      parameters <- mclust::nMclustParams("VVV", ncol(data[[name]]), components)
      expect_equal(attr(logLik(model), "df"), parameters)
    }
  }
  expect_gte(compared, 20L)
})

test_that("one component is a Gaussian block with variance = \"ml\"", {
  one <- fit(bayes_full(joint = likelihood_mixture(1)), Species ~ ., iris)
  gaussian <- fit(bayes_full(variance = "ml"), Species ~ ., iris)
  expect_within(predict(one, iris, type = "prob"), predict(gaussian, iris, type = "prob"), 1e-12, 1)
  expect_within(as.numeric(logLik(one)), as.numeric(logLik(gaussian)), 1e-12)
  expect_identical(attr(logLik(one), "df"), attr(logLik(gaussian), "df"))
  expect_equal(summary(one)$blocks$numeric$sd, summary(gaussian)$blocks$numeric$sd,
               ignore_attr = TRUE)
})

test_that("scores are sums of normals; missing features are integrated out", {
  model <- fit(bayes_full(joint = likelihood_mixture(2)), y ~ ., two_classes())
  at <- as.matrix(two_classes(24, 3)[1:3])
  at[cbind(rep(1:24, 2), rep_len(1:3, 48))[1:20, ]] <- NA
  at[24, ] <- NA
  score <- predict(model, as.data.frame(at), type = "log_likelihood")
  block <- coef(model)$numeric
  for (class in c("one", "two")) {
    expected <- log_mixture_density(
      at, block$weights[[class]], block$mean[[class]], block$covariance[[class]]
    )
    expect_within(score[, class], expected, 1e-12)
  }
  expect_identical(unname(score[24, ]), c(0, 0))
  total <- Map(function(x, weights, mean, covariance) {
    sum(log_mixture_density(as.matrix(x), weights, mean, covariance))
  }, split(two_classes()[1:3], two_classes()$y), block$weights, block$mean, block$covariance)
  of_classes <- sum(table(two_classes()$y) * log(table(two_classes()$y) / 150))
  expect_within(as.numeric(logLik(model)), sum(unlist(total)) + of_classes, 1e-12)
})

test_that("BIC and AIC select, class by class", {
  skip_on_cran()
  x <- datasets::faithful
  criterion <- function(model, penalty) penalty * attr(logLik(model), "df") - 2 * logLik(model)
  each <- lapply(1:4, function(components) joint_fit(x, components))
  for (select in c("bic", "aic")) {
    penalty <- if (select == "bic") log(nrow(x)) else 2
    best <- which.min(vapply(each, criterion, 1, penalty))
    expect_identical(coef(joint_fit(x, 1:4, select)), coef(each[[best]]))
  }
})

test_that("the order of rows, weights, parts, units and a saved model change nothing", {
  skip_on_cran()
  x <- datasets::faithful
  whole <- coef(joint_fit(x, 2))
  expect_identical(coef(joint_fit(x[272:1, ], 2)), whole)
  twice <- joint_fit(x[rep(1:272, 2), ], 2)
  expect_identical(coef(twice), coef(joint_fit(x, 2, weights = rep(2, 272))))
  moved <- coef(joint_fit(data.frame(a = 8 * x[[1]] + 1024, b = x[[2]] / 4), 2))$numeric
  expect_equal(unname(moved$mean$all), unname(whole$numeric$mean$all) %*% diag(c(8, 0.25)) +
                 rep(c(1024, 0), each = 2), tolerance = 1e-7)
  data <- two_classes()
  spec <- bayes_full(joint = likelihood_mixture(2))
  full <- fit(spec, y ~ ., data)
  parts <- merge(fit(spec, y ~ ., data[1:60, ]), fit(spec, y ~ ., data[61:150, ]))
  expect_identical(coef(parts)$numeric, coef(full)$numeric)
  updated <- update(fit(spec, y ~ ., data[101:150, ]), data[1:100, ])
  expect_identical(coef(updated)$numeric, coef(full)$numeric)
  expect_identical(coef(update(full, joint = likelihood_mixture(3))),
                   coef(fit(bayes_full(joint = likelihood_mixture(3)), y ~ ., data)))
  dropped <- update(full, . ~ . - b)
  expect_identical(coef(dropped)$numeric, coef(fit(spec, y ~ a + c, data))$numeric)
  file <- withr::local_tempfile()
  saveRDS(full, file)
  expect_identical(predict(readRDS(file), data), predict(full, data))
})

test_that("rows that miss a feature are left out of the fit, and counted", {
  data <- two_classes()
  data$b[1:10] <- NA
  spec <- bayes_full(joint = likelihood_mixture(2))
  model <- fit(spec, y ~ ., data)
  expect_identical(coef(model)$numeric, coef(fit(spec, y ~ ., data[-(1:10), ]))$numeric)
  expect_output(print(model), "used 140 of 150 rows")
  expect_identical(summary(model)$features$missing, c(0, 10, 0))
  expect_identical(counts(model)$numeric, c(one = 46, two = 94))
})

test_that("a class without a covariance of its own has the normal that a Gaussian borrows", {
  data <- two_classes()
  data$b[data$y == "one"] <- 2 * data$a[data$y == "one"]
  spec <- function(...) bayes_full(joint = likelihood_mixture(1:2), ...)
  expect_warning(
    model <- fit(spec(), y ~ ., data), "borrows.*numeric \\(class \"one\"\\)",
    class = "bayesrisk_warning_degenerate"
  )
  gaussian <- suppressWarnings(fit(bayes_full(variance = "ml"), y ~ ., data))
  block <- coef(model)$numeric
  expect_identical(block$covariance$one[, , 1], coef(gaussian)$numeric$covariance$one,
                   ignore_attr = TRUE)
  expect_true(all(tidy(model)$borrowed[tidy(model)$class == "one"][-1]))
  expect_error(
    fit(spec(degenerate = "stop"), y ~ ., data), "b = 2 a", class = "bayesrisk_error_degenerate"
  )
  expect_warning(
    kept <- fit(spec(), y ~ ., cbind(two_classes(), d = 7)), "[Ll]eft out",
    class = "bayesrisk_warning_degenerate"
  )
  plain <- fit(spec(), y ~ ., two_classes())
  expect_identical(
    coef(kept)$numeric$mean$one[, 1:3, drop = FALSE], coef(plain)$numeric$mean$one
  )
})

test_that("components without spread borrow, and say so", {
  data <- data.frame(a = c(0, 0, 1, 1, 0, 1), b = c(0, 1, 0, 1, 0, 1), y = "all")
  spec <- function(...) {
    bayes_full(joint = likelihood_mixture(4, starts = 5), prior = "uniform", ...)
  }
  one_class(
    expect_warning(fit(spec(), y ~ ., data), "borrow", class = "bayesrisk_warning_degenerate")
  )
  expect_error(fit(spec(degenerate = "stop"), y ~ ., data), "without spread in some direction",
               class = "bayesrisk_error_degenerate")
})

test_that("a block of mixtures is read like any other", {
  model <- fit(bayes_full(joint = likelihood_mixture(2)), y ~ ., two_classes())
  expect_output(print(model), "features jointly by mixtures of 2 Gaussians", fixed = TRUE)
  expect_output(print(summary(model)), "weight")
  rows <- tidy(model)
  block <- coef(model)$numeric
  expect_identical(nrow(rows), 2L + 2L * 2L * (1L + 3L + 6L))
  own <- rows[rows$class == "two" & rows$level %in% "2", ]
  expect_identical(own$estimate[own$statistic == "weight"], block$weights$two[[2]])
  expect_identical(own$estimate[own$statistic == "mean"], unname(block$mean$two[2, ]))
  expect_identical(
    own$estimate[own$term == "a:c"], block$covariance$two["a", "c", 2]
  )
  parts <- contributions(model, two_classes()[1:3, 1:3])
  expect_within(
    unname(apply(parts, c(1, 3), sum)),
    unname(predict(model, two_classes()[1:3, 1:3], type = "log_joint")), 1e-14
  )
  expect_identical(dim(simulate(model, 10, seed = 1)), c(10L, 4L))
  drawn <- simulate(model, 20000, seed = 2)
  class <- split(drawn[c("a", "b", "c")], drawn$y)$two
  expect_equal(colMeans(class), colSums(block$weights$two * block$mean$two), tolerance = 0.1,
               ignore_attr = TRUE)
})

test_that("the naive view has the mixtures of the features", {
  model <- fit(bayes_full(joint = likelihood_mixture(2)), y ~ ., two_classes())
  alone <- naive(model)
  block <- coef(model)$numeric
  expect_equal(coef(alone)$b$mean, c(block$mean$one[, "b"], block$mean$two[, "b"]),
               ignore_attr = TRUE)
  expect_equal(coef(alone)$b$sd^2, c(block$covariance$one["b", "b", ],
                                     block$covariance$two["b", "b", ]), ignore_attr = TRUE)
  expect_within(
    predict(alone, data.frame(a = NA, b = 1:3, c = NA), type = "prob"),
    predict(model, data.frame(a = NA, b = 1:3, c = NA), type = "prob"), 1e-14, 1
  )
  more <- update(alone, two_classes(30, 5))
  expect_identical(coef(more)$a, coef(fit(
    bayes_naive(numeric = likelihood_mixture(2)), y ~ ., rbind(two_classes(), two_classes(30, 5))
  ))$a)
})

test_that("regions, risks, searches, plots and cross-validation take a block of mixtures", {
  skip_on_cran()
  data <- two_classes()
  spec <- bayes_full(joint = likelihood_mixture(1:2, starts = 5))
  model <- fit(spec, y ~ a + b, data)
  exact <- bayes_risk(model)
  random <- bayes_risk(model, method = "monte_carlo", seed = 1)
  expect_equal(exact$total, random$total, tolerance = 1e-3)
  regions <- decision_regions(model, features = "a", given = list(b = 1))
  beside <- data.frame(a = regions$to[-nrow(regions)], b = 1)
  expect_within(predict(model, beside, type = "prob"), rep(0.5, 2 * nrow(beside)), 1e-9, 1)
  expect_s3_class(decision_regions(model), "bayesrisk_result")
  expect_s3_class(value_of_information(model), "data.frame")
  expect_s3_class(next_feature(model, data.frame(a = NA, b = 1)), "data.frame")
  bounds <- risk_bounds(model)
  expect_identical(is.na(bounds$value), c(FALSE, TRUE, TRUE, FALSE, TRUE))
  for (type in c("density", "regions")) expect_no_error(draw(model, type = type))
  three <- fit(spec, y ~ ., data)
  expect_true(is.finite(bayes_risk(three, seed = 1)$total))
  expect_lt(cv_risk(spec, y ~ a + b, data)$cost[[1L]], 0.6)
})

test_that("statistics are written and read; rows are not given away where counts are protected", {
  spec <- bayes_full(joint = likelihood_mixture(1:2))
  statistics <- bayes_statistics(spec, y ~ ., two_classes())
  file <- withr::local_tempfile(fileext = ".json")
  write_statistics(statistics, file)
  expect_identical(read_statistics(file), statistics)
  expect_error(
    bayes_statistics(spec, y ~ ., two_classes(), min_count = 5), "hold values of rows",
    class = "bayesrisk_error_argument"
  )
})

test_that("blocks with their own likelihoods stand side by side", {
  pairs <- list(petal = c("Petal.Length", "Petal.Width"), sepal = c("Sepal.Length", "Sepal.Width"))
  spec <- bayes_blocks(pairs, joint = list(petal = likelihood_mixture(1:2)), shrinkage = 0.1)
  model <- fit(spec, Species ~ ., iris)
  expect_identical(names(coef(model)$petal), c("weights", "mean", "covariance"))
  expect_identical(coef(model)$sepal, coef(fit(
    bayes_blocks(pairs["sepal"], shrinkage = 0.1), Species ~ ., iris
  ))$sepal)
  expect_output(print(model), "of petal jointly by mixtures of 1 to 2 Gaussians by BIC.*others by")
  expect_identical(summary(spec)$part[6:7], c("joint petal", "covariance"))
  both <- bayes_blocks(pairs, joint = likelihood_mixture(1:2))
  expect_identical(vapply(fit(both, Species ~ ., iris)$plan$banks, `[[`, "", "type"),
                   rep("multivariate_mixture", 2))
  expect_identical(update(model, . ~ . - Petal.Length - Petal.Width)$spec$joint, NULL)
})

test_that("settings of Gaussian blocks have no use", {
  refused <- function(code) {
    expect_error(code, "no Gaussian block", class = "bayesrisk_error_argument")
  }
  mixture <- likelihood_mixture()
  refused(bayes_full(joint = mixture, covariance = "pooled"))
  refused(bayes_full(joint = mixture, shrinkage = 0.1))
  refused(bayes_full(joint = mixture, borrow = 1))
  refused(bayes_full(joint = mixture, variance = "ml"))
  refused(bayes_blocks(list(p = "a"), joint = list(p = mixture), borrow = 1))
  expect_error(
    fit(bayes_blocks(list(g = c("u", "v")), joint = list(g = mixture)), y ~ .,
        data.frame(u = letters[1:4], v = letters[1:4], y = c("a", "b"))),
    "categorical.*mixture", class = "bayesrisk_error_argument"
  )
})
