# Every number of the lecture "Bayesian Learning" (Galili, Shamir, Yakhini) about Fisher's irises.
# Tables have the truth in rows and the decisions in columns, in the lecture's order.

species <- c("versicolor", "virginica", "setosa")

sepal_model <- function(...) fit(bayes_naive(..., prior = "uniform"), Species ~ Sepal.Length, iris)

sepal_histogram <- function(...) sepal_model(numeric = likelihood_histogram(...))

sepal <- function(x) data.frame(Sepal.Length = x)

resubstitute <- function(model) confusion_table(iris$Species, predict(model, iris))

expect_cells <- function(model, ..., errors) {
  counts <- resubstitute(model)[species, species]
  expect_identical(as.vector(t(counts)), as.integer(c(...)))
  expect_identical(sum(counts) - sum(diag(counts)), as.integer(errors))
}

# 1 for calling any flower something else, 5 for a virginica.
virginica_costs_five <- cost_matrix(
  setosa = c(setosa = 0, versicolor = 1, virginica = 5),
  versicolor = c(setosa = 1, versicolor = 0, virginica = 5),
  virginica = c(setosa = 1, versicolor = 1, virginica = 0)
)

test_that("the data: m = 150 flowers, d = 4 features, 50 of each species", {
  model <- fit(bayes_full(), Species ~ ., iris)
  expect_identical(nobs(model), 150)
  expect_identical(dim(coef(model)$numeric$mean), c(3L, 4L))
  expect_identical(as.vector(table(iris$Species)), rep(50L, 3))
  expect_length(unique(iris$Sepal.Length), 35L)
  expect_identical(range(iris$Sepal.Length), c(4.3, 7.9))
})

test_that("sepal length 5.2 and 6.1: Gaussian densities and posteriors", {
  both <- list(ml = sepal_model(variance = "ml"), unbiased = sepal_model(variance = "unbiased"))
  density <- lapply(both, function(m) exp(predict(m, sepal(c(5.2, 6.1)), type = "log_likelihood")))
  posterior <- lapply(both, predict, sepal(c(5.2, 6.1)), type = "prob")
  expect_within(density$ml[1, ], c(.979563589, .276695196, .055741817), 5e-10, 1)
  expect_within(posterior$ml[1, ], c(.746618247, .210895632, .042486121), 5e-10, 1)
  expect_within(density$unbiased[1, ], c(.972720416, .279656353, .057930727), 5e-10, 1)
  expect_within(posterior$unbiased[1, ], c(.742360415, .213428034, .044211551), 5e-10, 1)
  expect_within(density$ml[2, ], c(.008390328, .741541113, .469266830), 5e-10, 1)
  expect_within(posterior$ml[2, ], c(.006882, .608220, .384898), 5e-7, 1)
  for (model in both) expect_identical(as.character(predict(model, sepal(5.2))), "setosa")
  # The univariate density by its formula.
  moments <- coef(both$ml)$Sepal.Length
  by_formula <- dnorm(5.2, moments[, "mean"], moments[, "sd"])
  expect_within(density$ml[1, ], by_formula, 1e-14)
  at_five <- exp(predict(both$ml, sepal(5), type = "log_likelihood"))[, "setosa"]
  expect_identical(round(at_five[[1]], 3), 1.143)
})

test_that("sepal length 5.2: the histogram, bin [4.8, 5.3)", {
  model <- sepal_histogram(width = 0.5)
  mass <- exp(predict(model, sepal(5.2), type = "log_likelihood")) * 0.5
  expect_within(mass, c(28, 5, 1) / 50, 1e-14)
  p <- predict(model, sepal(5.2), type = "prob")
  expect_within(p, c(28, 5, 1) / 34, 1e-14)
  expect_identical(as.vector(round(p, 4)), c(.8235, .1471, .0294))
})

test_that("sepal length 5.2 and 6.1: the exact values", {
  model <- sepal_model(numeric = likelihood_empirical())
  share <- exp(predict(model, sepal(c(5.2, 6.1)), type = "log_likelihood"))
  expect_within(share, rbind(c(3, 1, 0), c(0, 4, 2)) / 50, 1e-15)
  p <- predict(model, sepal(c(5.2, 6.1)), type = "prob")
  expect_within(p, rbind(c(.75, .25, 0), c(0, 4, 2) / 6), 1e-14)
})

test_that("the exact values make 35 training errors, ties by the order of the species", {
  in_order <- function(levels) {
    irises <- transform(iris, Species = factor(Species, levels))
    spec <- bayes_naive(numeric = likelihood_empirical(), prior = "uniform")
    model <- fit(spec, Species ~ Sepal.Length, irises)
    tied <- exp(predict(model, sepal(c(5.8, 6.2)), type = "log_likelihood"))[, species] * 50
    expect_within(tied, rbind(c(3, 3, 1), c(2, 2, 0)), 1e-13)
    expect_identical(as.character(predict(model, sepal(c(5.8, 6.2)))), rep(levels[[1]], 2))
    as.vector(t(resubstitute(model)[species, species]))
  }
  versicolor_first <- in_order(species)
  virginica_first <- in_order(c("virginica", "versicolor", "setosa"))
  expect_identical(versicolor_first, as.integer(c(33, 11, 6, 12, 37, 1, 5, 0, 45)))
  expect_identical(virginica_first, as.integer(c(28, 16, 6, 7, 42, 1, 4, 1, 45)))
  expect_identical(150L - sum(versicolor_first[c(1, 5, 9)]), 35L)
  expect_identical(150L - sum(virginica_first[c(1, 5, 9)]), 35L)
})

test_that("Gaussian estimates of sepal length", {
  moments <- function(variance) coef(sepal_model(variance = variance))$Sepal.Length
  ml <- moments("ml")
  unbiased <- moments("unbiased")
  expect_within(ml[, "mean"], c(2503 / 500, 742 / 125, 1647 / 250), 1e-14)
  expect_identical(unbiased[, "mean"], ml[, "mean"])
  expect_within(ml[, "sd"]^2, c(30441 / 250000, 16319 / 62500, 12383 / 31250), 1e-14)
  expect_within(unbiased[, "sd"]^2, c(30441 / 245000, 16319 / 61250, 1769 / 4375), 1e-14)
  expect_within(ml[, "sd"], c(.348946987, .510983366, .629488681), 5e-10, 1)
  expect_within(unbiased[, "sd"], c(.352489687, .516171147, .635879593), 5e-10, 1)
  expect_within(unbiased[, "sd"]^2, c(.124248980, .266432653, .404342857), 5e-10, 1)
  expect_within(ml[, "sd"]^2, c(.121764, .261104, .396256), 1e-14)
  expect_within(ml[, "sd"]^2 / unbiased[, "sd"]^2, rep(49 / 50, 3), 1e-14)
})

test_that("Gaussian estimates of maximum likelihood: no other mean or variance does better", {
  setosa <- iris$Sepal.Length[iris$Species == "setosa"]
  log_likelihood <- function(mean, sd) {
    known <- bayes_known(c(s = 1), x = likelihood_gaussian(mean = c(s = mean), sd = sd))
    sum(predict(known, data.frame(x = setosa), type = "log_likelihood"))
  }
  ml <- coef(sepal_model(variance = "ml"))$Sepal.Length["setosa", ]
  best <- log_likelihood(ml[["mean"]], ml[["sd"]])
  for (step in c(-1e-3, 1e-3)) {
    expect_lt(log_likelihood(ml[["mean"]] + step, ml[["sd"]]), best)
    expect_lt(log_likelihood(ml[["mean"]], ml[["sd"]] + step), best)
  }
  n <- 50
  variance <- ml[["sd"]]^2
  expect_within(-n / (2 * variance) + n * variance / (2 * variance^2), 0, 1e-12, 1)
  expect_within(best, -n / 2 * (log(2 * pi * variance) + 1), 1e-13)
})

test_that("Gaussian rule of equal priors: four regions and the error of the fitted model", {
  cuts <- list(
    ml = c(2.958829123, 5.454389650, 6.327819686),
    unbiased = c(2.957256925, 5.455797236, 6.329791669)
  )
  risk <- c(ml = .277883832, unbiased = .280725775)
  for (variance in names(cuts)) {
    model <- sepal_model(variance = variance)
    regions <- decision_regions(model)
    decided <- c("virginica", "setosa", "versicolor", "virginica")
    expect_identical(as.character(regions$decision), decided)
    expect_within(regions$from, c(-Inf, cuts[[variance]]), 5e-10)
    expect_within(regions$to, c(cuts[[variance]], Inf), 5e-10)
    expect_true(all(regions$exact))
    expect_within(bayes_risk(model)$total, risk[[variance]], 5e-10, 1)
  }
})

test_that("Gaussian rule: roots of two species at a time, and the theoretical confusion", {
  model <- sepal_model(variance = "ml")
  roots <- function(...) {
    prior <- c(setosa = 0, versicolor = 0, virginica = 0)
    prior[c(...)] <- 1 / 2
    decision_regions(model, prior = prior)$from[-1]
  }
  expect_within(roots("setosa", "versicolor"), c(2.932226110, 5.454389650), 5e-10)
  expect_within(roots("setosa", "virginica"), c(2.958829123, 5.649627983), 5e-10)
  expect_within(roots("versicolor", "virginica"), c(3.024945556, 6.327819686), 5e-10)
  expect_within(bayes_risk(model)$table * 3, c(
    .900600, .172964, .035864, .099324, .605434, .303822, .000076, .221602, .660314
  ), 5e-7, 1)
})

test_that("the printed confusion matrix is that of the histogram, all nine cells", {
  lecture <- c(31, 14, 5, 12, 37, 1, 11, 0, 39)
  rules <- list(
    sepal_histogram(width = 0.5), sepal_histogram(width = 0.5, origin = 4.3),
    sepal_histogram(width = 1), sepal_histogram(breaks = seq(4.3, 7.9, length.out = 12))
  )
  for (rule in rules) expect_cells(rule, lecture, errors = 43)
  bins <- coef(rules[[1]])$Sepal.Length
  expect_within(bins$from[1:8], 4.3 + 0.5 * 0:7, 1e-15)
  expect_within(
    bins$probability * 50,
    c(11, 28, 10, 1, 0, 0, 0, 0, 0, 5, 16, 15, 11, 3, 0, 0, 0, 1, 2, 10, 20, 9, 7, 1), 1e-13
  )
  expect_within(bins$density, bins$probability / 0.5, 1e-14)
  # In tenths: setosa up to 5.2, versicolor up to 6.2, virginica from 6.3.
  tenths <- (43:79) / 10
  expect_identical(
    as.character(predict(rules[[1]], sepal(tenths))),
    rep(c("setosa", "versicolor", "virginica"), c(10, 10, 17))
  )
})

test_that("other rules make other confusion matrices", {
  gaussian <- c(33, 11, 6, 18, 31, 1, 5, 0, 45)
  expect_cells(sepal_model(variance = "ml"), gaussian, errors = 41)
  expect_cells(sepal_model(variance = "unbiased"), gaussian, errors = 41)
  pooled <- fit(bayes_full(covariance = "pooled", prior = "uniform"), Species ~ Sepal.Length, iris)
  expect_cells(pooled, 30, 14, 6, 12, 37, 1, 5, 0, 45, errors = 38)
  # The variance taken for the standard deviation.
  moments <- coef(sepal_model(variance = "unbiased"))$Sepal.Length
  mistaken <- bayes_known(
    prior = c(setosa = 1 / 3, versicolor = 1 / 3, virginica = 1 / 3),
    Sepal.Length = likelihood_gaussian(mean = moments[, "mean"], sd = moments[, "sd"]^2)
  )
  expect_cells(mistaken, 31, 14, 5, 12, 37, 1, 10, 0, 40, errors = 42)
})

test_that("kernel densities make 35 to 55 errors, and the printed confusion matrix never", {
  for (bandwidth in c(0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1)) {
    counts <- resubstitute(sepal_model(numeric = likelihood_kernel(bandwidth)))[species, species]
    errors <- sum(counts) - sum(diag(counts))
    expect_true(errors >= 35 && errors <= 55)
    expect_false(identical(as.vector(t(counts)), c(31L, 14L, 5L, 12L, 37L, 1L, 11L, 0L, 39L)))
  }
})

test_that("the shares of the printed confusion matrix, the first of which is 21 %", {
  share <- 100 * resubstitute(sepal_histogram(width = 0.5))[species, species] / 150
  expect_within(
    t(share), c(20.67, 9.33, 3.33, 8, 24.67, .67, 7.33, 0, 26), 5e-3, 1
  )
  expect_identical(round(share[["versicolor", "versicolor"]]), 21)
  expect_identical(round(100 * (150 - 107) / 150), 29)
})

test_that("expected cost: truth in the rows of the counts, in the columns of the cost", {
  histogram <- resubstitute(sepal_histogram(width = 0.5))
  gaussian <- resubstitute(sepal_model())
  expect_within(expected_cost(histogram, zero_one_cost(species)), 43 / 150, 1e-14)
  expect_within(expected_cost(gaussian, zero_one_cost(species)), 41 / 150, 1e-14)
  expect_within(expected_cost(histogram, virginica_costs_five), 19 / 30, 1e-14)
  expect_within(expected_cost(gaussian, virginica_costs_five), 39 / 50, 1e-14)
  swapped <- t(histogram)
  names(dimnames(swapped)) <- c("truth", "decision")
  expect_within(expected_cost(swapped, virginica_costs_five), 33 / 50, 1e-14)
  # By the names of its axes a transposed table is read as it is meant.
  expect_within(expected_cost(t(histogram), virginica_costs_five), 19 / 30, 1e-14)
})

test_that("more features: naive and full errors, and where they agree", {
  formulas <- list(
    Species ~ ., Species ~ Sepal.Length + Sepal.Width, Species ~ Petal.Length + Petal.Width
  )
  errors <- rbind(c(6, 3, 145), c(33, 30, 145), c(6, 3, 147))
  for (variance in c("ml", "unbiased")) {
    for (i in 1:3) {
      compared <- compare_decisions(list(
        full = fit(bayes_full(variance = variance), formulas[[i]], iris),
        naive = fit(bayes_naive(variance = variance), formulas[[i]], iris)
      ), data = iris)
      found <- c(rev(compared$errors), compared$agree[[2]])
      expect_identical(as.integer(found), as.integer(errors[i, ]))
    }
  }
})

test_that("more features: the cells, and the numbers of parameters", {
  naive <- fit(bayes_naive(), Species ~ ., iris)
  full <- fit(bayes_full(), Species ~ ., iris)
  petals <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width, iris)
  expect_cells(naive, 47, 3, 0, 3, 47, 0, 0, 0, 50, errors = 6)
  expect_cells(full, 48, 2, 0, 1, 49, 0, 0, 0, 50, errors = 3)
  expect_cells(petals, 49, 1, 0, 2, 48, 0, 0, 0, 50, errors = 3)
  # Means, and d (d + 1) / 2 = 10 covariances or 4 variances, for each class; two priors.
  expect_identical(attr(logLik(full), "df"), 2 + 3 * (4 + 10))
  expect_identical(attr(logLik(naive), "df"), 2 + 3 * (4 + 4))
})

test_that("correlations of features within the species, pooled, and over all flowers", {
  expected <- rbind(
    c("Sepal.Length", "Sepal.Width", .743, .526, .457, .530),
    c("Sepal.Length", "Petal.Length", .267, .754, .864, .756),
    c("Sepal.Length", "Petal.Width", .278, .546, .281, .365),
    c("Sepal.Width", "Petal.Length", .178, .561, .401, .378),
    c("Sepal.Width", "Petal.Width", .233, .664, .538, .471),
    c("Petal.Length", "Petal.Width", .332, .787, .322, .484)
  )
  pairs <- feature_dependence(Species ~ ., iris)
  columns <- c("association_setosa", "association_versicolor", "association_virginica")
  found <- pairs[match(paste(expected[, 1], expected[, 2]), paste(pairs$first, pairs$second)), ]
  numbers <- as.matrix(found[c(columns, "association")])
  expect_within(numbers, as.numeric(expected[, 3:6]), 5e-4, 1)
  # Nearest to independent by the pooled and by the largest correlation: sepal length with petal
  # width; then sepal width with petal length, which has the smallest of a class.
  expect_identical(order(found$association)[1:2], 3:4)
  expect_identical(unname(which.min(apply(numbers[, columns], 1L, max))), 3L)
  expect_identical(which(numbers == min(numbers), arr.ind = TRUE)[[1]], 4L)
  expect_identical(which.max(found$association), 2L)
  alone <- one_class(fit(bayes_full(), all ~ ., transform(iris[1:4], all = "iris")))
  over_all <- cov2cor(coef(alone)$numeric$covariance$iris)
  expect_within(over_all[["Sepal.Length", "Sepal.Width"]], -.118, 5e-4, 1)
  expect_within(over_all[["Petal.Length", "Petal.Width"]], .963, 5e-4, 1)
})

test_that("full Bayes by histograms: the shares of the cells of a grid", {
  bins <- data.frame(
    Species = iris$Species,
    length = cut(iris$Petal.Length, seq(1, 7, 0.5), right = FALSE),
    width = cut(iris$Petal.Width, seq(0.1, 2.6, 0.5), right = FALSE)
  )
  full <- fit(bayes_full(prior = "uniform"), Species ~ ., bins)
  naive <- fit(bayes_naive(prior = "uniform"), Species ~ ., bins)
  counts <- table(bins$length, bins$width, bins$Species)
  expect_within(coef(full)$categorical, unclass(counts) / 50, 1e-14, 1)
  compared <- compare_decisions(list(full = full, naive = naive), data = bins)
  expect_identical(as.integer(compared$errors), c(5L, 7L))
  expect_identical(attr(logLik(full), "df"), 3 * (12 * 5 - 1))
  expect_identical(attr(logLik(naive), "df"), 3 * (11 + 4))
  expect_warning(
    p <- predict(full, data.frame(length = "[6,6.5)", width = "[0.6,1.1)"), type = "prob"),
    class = "bayesrisk_warning_impossible"
  )
  expect_true(all(is.na(p)))
})
