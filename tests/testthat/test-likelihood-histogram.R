# Numbers: lecture "Bayesian Learning (Galili, Shamir, Yakhini)", irises by sepal length;
# counts by R's cut(), tabulate() and hist().

sepals <- function(..., prior = "uniform") {
  spec <- bayes_naive(features = list(Sepal.Length = likelihood_histogram(...)), prior = prior)
  fit(spec, Species ~ Sepal.Length, iris)
}

# Two classes of four numbers.
eight <- data.frame(
  y = rep(c("A", "B"), each = 4), x = c(.5, 1.5, 1.6, 2.5, 2.5, 2.6, .1, 2.9)
)

by_eight <- function(..., data = eight) {
  fit(bayes_naive(numeric = likelihood_histogram(...), degenerate = "stop"), y ~ x, data)
}

test_that("the lecture's confusion matrix of irises comes out, all nine cells", {
  decided <- predict(sepals(width = .5), iris)
  lecture <- c("versicolor", "virginica", "setosa")
  table <- confusion_table(iris$Species, decided)
  expect_identical(
    as.double(table[lecture, lecture]), c(31, 12, 11, 14, 37, 0, 5, 1, 39)
  )
  p <- predict(sepals(width = .5), data.frame(Sepal.Length = 5.2), type = "prob")
  expect_within(p, c(28, 5, 1) / 34, 1e-14)
  bins <- coef(sepals(width = .5))$Sepal.Length
  expect_within(bins$from[1:8], 4.3 + .5 * 0:7, 1e-15)
  expect_within(bins$probability * 50, c(
    11, 28, 10, 1, 0, 0, 0, 0, 0, 5, 16, 15, 11, 3, 0, 0, 0, 1, 2, 10, 20, 9, 7, 1
  ), 1e-14)
  expect_within(bins$density, bins$probability / .5, 1e-14)
})

test_that("shares in given bins, smoothed or not; what is outside has no answer (X16, X17)", {
  new <- data.frame(x = c(1.2, 1, 2.1, 0, 3, 3.5, -1))
  expect_warning(
    p <- predict(by_eight(breaks = 0:3), new, type = "prob"), "2 rows",
    class = "bayesrisk_warning_impossible"
  )
  expect_within(p[, "A"], c(1, 1, .25, .5, .25, NA, NA), 1e-15)
  expect_warning(
    p <- predict(by_eight(breaks = 0:3, laplace = 1), new, type = "prob"), "2 rows",
    class = "bayesrisk_warning_impossible"
  )
  expect_within(p[, "A"], c(3 / 4, 3 / 4, 1 / 3, .5, 1 / 3, NA, NA), 1e-15)
  log_density <- predict(by_eight(breaks = 0:3), new[1:5, , drop = FALSE], type = "log_likelihood")
  expect_identical(log_density[1, "B"], -Inf)
})

test_that("X18: shared bins cancel their width, class-wise bins do not", {
  shared <- by_eight(breaks = c(0, 1, 3))
  p <- predict(shared, data.frame(x = 2), type = "prob")
  expect_within(p, c(.5, .5), 1e-15)
  density <- exp(predict(shared, data.frame(x = c(.5, 2)), type = "log_likelihood"))
  expect_within(density, c(1 / 4, 3 / 4 / 2, 1 / 4, 3 / 4 / 2), 1e-15)
  own <- by_eight(breaks = list(B = c(0, 2.55, 3), A = c(0, 1, 2, 4)))
  density <- exp(predict(own, data.frame(x = c(.5, 2.7, 3.5)), type = "log_likelihood"))
  expect_within(density[, "A"], c(1 / 4, 1 / 4 / 2, 1 / 4 / 2), 1e-15)
  expect_within(density[, "B"], c(2 / 4 / 2.55, 2 / 4 / (3 - 2.55), 0), 1e-14)
  expect_identical(attr(logLik(own), "df"), 1 + 2 + 1)
  expect_output(print(summary(own)), "bins")
  expect_identical(levels(coef(own)$x$class), c("A", "B"))
  expect_identical(coef(own)$x$to, c(1, 2, 4, 2.55, 3))
  expect_error(by_eight(breaks = list(A = 0:3, C = 0:3)), "breaks.*Missing.*B",
    class = "bayesrisk_error_argument"
  )
})

test_that("counts are those of hist(), the log likelihood that of its densities", {
  edges <- c(4, 5, 5.5, 6, 8)
  model <- sepals(breaks = edges, prior = NULL)
  densities <- lapply(split(iris$Sepal.Length, iris$Species), function(x) {
    hist(x, edges, right = FALSE, plot = FALSE)$density
  })
  expect_within(coef(model)$Sepal.Length$density, unlist(densities), 1e-14)
  at <- findInterval(iris$Sepal.Length, edges)
  own <- vapply(1:150, function(i) densities[[iris$Species[[i]]]][[at[[i]]]], 1)
  expect_within(as.double(logLik(model)), sum(log(own / 3)), 1e-13)
  expect_identical(attr(logLik(model), "df"), 2 + 3 * 3)
  smoothed <- update(model, features = list(
    Sepal.Length = likelihood_histogram(breaks = edges, laplace = 2)
  ))
  expect_within(
    coef(smoothed)$Sepal.Length$probability,
    unlist(lapply(densities, function(d) (50 * d * diff(edges) + 2) / 58)), 1e-14
  )
})

test_that("values outside of given bins are an error at the fit", {
  expect_error(
    sepals(breaks = c(4, 6, 7)), 'Sepal.Length \\(class "virginica": 12 rows\\)',
    class = "bayesrisk_error_data"
  )
  expect_error(by_eight(data = transform(eight, x = replace(x, 2, Inf))), "Infinite",
    class = "bayesrisk_error_data"
  )
  model <- by_eight()
  expect_error(update(model, data.frame(y = "A", x = 3)), "outside the bins",
    class = "bayesrisk_error_data"
  )
})

test_that("a class without a value of the feature needs smoothing", {
  data <- transform(eight, x = ifelse(y == "A", NA, x))
  expect_error(by_eight(width = 1, data = data), "laplace", class = "bayesrisk_error_degenerate")
  smoothed <- by_eight(width = 1, laplace = 1, data = data)
  expect_within(subset(coef(smoothed)$x, class == "A")$probability, rep(1 / 3, 3), 1e-15)
  expect_identical(summary(smoothed)$features$missing, 4)
  empty <- transform(eight, y = factor(y, c("A", "B", "C")))
  expect_message(model <- by_eight(width = 1, data = empty), "no rows")
  expect_true(all(is.na(subset(coef(model)$x, class == "C")$probability)))
  expect_identical(unname(predict(model, eight, type = "prob")[, "C"]), rep(0, 8))
})

test_that("a weight is that many copies of its row, for rules too", {
  data <- cbind(eight, w = c(1, 3, 2, 1, 4, 1, 1, 2))
  copies <- eight[rep(1:8, data$w), ]
  for (setting in list(list(width = .7), list(breaks = "Sturges"), list(breaks = "FD"))) {
    spec <- bayes_naive(numeric = do.call(likelihood_histogram, setting))
    weighted <- fit(spec, y ~ x, data, weights = w)
    expect_identical(coef(weighted), coef(fit(spec, y ~ x, copies)))
  }
})

test_that("parts merge, data are added and features dropped as if fitted at once", {
  grid <- bayes_naive(numeric = likelihood_histogram(width = .5, origin = 5))
  parts <- split(iris, rep(1:2, length.out = 150))
  parts[[1]] <- rbind(parts[[1]], transform(iris[1, ], Sepal.Length = 15))
  all <- fit(grid, Species ~ ., do.call(rbind, parts))
  first <- fit(grid, Species ~ ., parts[[1]])
  second <- fit(grid, Species ~ ., parts[[2]])
  expect_identical(coef(merge(first, second)), coef(all))
  expect_identical(coef(merge(second, first)), coef(all))
  expect_identical(coef(update(second, parts[[1]])), coef(all))
  expect_identical(logLik(merge(first, second)), logLik(all))
  dropped <- update(all, . ~ . - Petal.Length - Sepal.Width)
  expect_identical(coef(dropped), coef(all)[c("prior", "Sepal.Length", "Petal.Width")])
  chunks <- lapply(parts, function(part) bayes_statistics(grid, Species ~ ., part))
  expect_identical(coef(fit(grid, Reduce(merge, unname(chunks)))), coef(all))
})

test_that("a part without a value adds no bin", {
  grid <- bayes_naive(numeric = likelihood_histogram(width = .5, origin = 5))
  none <- bayes_statistics(grid, Species ~ Sepal.Length, transform(iris, Sepal.Length = NA_real_))
  some <- bayes_statistics(grid, Species ~ Sepal.Length, iris)
  expected <- coef(fit(grid, Species ~ Sepal.Length, iris))
  expect_identical(coef(fit(grid, merge(none, some))), expected)
  expect_identical(coef(fit(grid, merge(some, none))), expected)
  expect_error(fit(grid, none), "no observed value", class = "bayesrisk_error_degenerate")
})

test_that("data that are added find the model's own bins", {
  model <- sepals(width = .5)
  more <- data.frame(Species = "setosa", Sepal.Length = c(3.9, 9))
  bins <- subset(coef(update(model, more))$Sepal.Length, class == "setosa")
  expect_within(bins$from, 4.3 + .5 * -1:9, 1e-15)
  expect_within(bins$probability * 52, c(1, 11, 28, 10, 1, 0, 0, 0, 0, 1, 0)[c(1:9, 11, 10)], 1e-13)
})

test_that("parts whose bins depend on their data do not merge", {
  halves <- split(iris, rep(1:2, length.out = 150))
  halves[[1]]$Sepal.Length[[1]] <- 4
  for (setting in list(list(width = .5), list(breaks = "Sturges"))) {
    spec <- bayes_naive(numeric = do.call(likelihood_histogram, setting))
    parts <- lapply(halves, function(half) fit(spec, Species ~ Sepal.Length, half))
    expect_error(merge(parts[[1]], parts[[2]]), "other bins of.*Sepal.Length.*origin",
      class = "bayesrisk_error_argument"
    )
  }
})

test_that("only what the statistics know can be changed", {
  model <- sepals(width = .5)
  changed <- function(...) {
    update(model, features = list(Sepal.Length = likelihood_histogram(...)))
  }
  expect_identical(coef(changed(width = .5, laplace = 1)), coef(sepals(width = .5, laplace = 1)))
  refused <- function(code) {
    expect_error(code, "other bins", class = "bayesrisk_error_argument")
  }
  refused(changed(width = 1))
  refused(changed(width = .5, origin = 4))
  refused(changed())
  refused(update(model, features = list(Sepal.Length = likelihood_poisson())))
})

test_that("likelihoods mix, and add up block by block", {
  skip_on_cran()
  data <- transform(mtcars, gear = factor(gear))
  spec <- bayes_blocks(
    list(size = c("disp", "hp")),
    numeric = likelihood_histogram(width = 1, laplace = 1),
    features = list(carb = likelihood_poisson(), qsec = likelihood_gaussian())
  )
  model <- fit(spec, am ~ disp + hp + carb + qsec + gear + wt + drat, data)
  expect_identical(sort(names(coef(model))), sort(c(
    "prior", "size", "carb", "qsec", "gear", "wt", "drat"
  )))
  expect_within(
    apply(contributions(model, data), c(1, 3), sum), predict(model, data, type = "log_joint"), 1e-13
  )
  expect_output(print(model), "histograms with bins of width 1 and Laplace 1")
  rows <- tidy(model)
  wt <- rows[rows$term == "wt" & rows$class == "1" & rows$statistic == "probability", ]
  expect_within(sum(wt$estimate), 1, 1e-15)
  expect_identical(wt$level[nrow(wt)], "[4.513, 5.513]")
  expect_output(print(summary(model)), "\\[1.513, 2.513\\)")
})

test_that("cross-validation sees the bins of all data", {
  data <- transform(iris, fold = rep(1:5, 30))
  candidates <- list(
    width = bayes_naive(numeric = likelihood_histogram(width = .5, laplace = 1)),
    given = bayes_naive(numeric = likelihood_histogram(breaks = 4.3 + .5 * 0:8, laplace = 1)),
    poisson = bayes_naive(features = list(tenths = likelihood_poisson()))
  )
  data$tenths <- round(10 * data$Sepal.Length)
  found <- cv_risk(
    candidates, list(
      width = Species ~ Sepal.Length, given = Species ~ Sepal.Length, poisson = Species ~ tenths
    ), data,
    folds = data$fold
  )
  wrong <- function(spec, formula) {
    sum(vapply(1:5, function(f) {
      model <- fit(spec, formula, data[data$fold != f, ])
      test <- data[data$fold == f, ]
      sum(predict(model, test) != test$Species)
    }, 1))
  }
  expected <- c(
    rep(wrong(candidates$given, Species ~ Sepal.Length), 2),
    wrong(candidates$poisson, Species ~ tenths)
  )
  expect_within(found$error, expected / 150, 1e-14)
})

test_that("a histogram is drawn as steps from edge to edge", {
  skip_on_cran()
  drawn <- draw(sepals(width = .5))
  expect_within(range(drawn$x), c(4.3, 8.3), 1e-5)
  inside <- drawn[drawn$class == "setosa" & drawn$x > 4.81 & drawn$x < 5.31, ]
  expect_within(inside$density[inside$x < 5.3], 28 / 25, 1e-14)
  expect_within(inside$density[inside$x > 5.3], 10 / 25, 1e-14)
  expect_within(range(draw(sepals(width = 1e-3), xlim = c(4.5, 4.6))$x), c(4.5, 4.6), 1e-5)
  expect_lte(nrow(draw(sepals(width = 1e-4))), 3L * 4097L)
  drawn <- draw(sepals(width = .5), type = "posterior")
  expect_true(all(drawn$posterior[drawn$x > 8 & drawn$x < 8.3] %in% 0:1))
})

test_that("regions are made of edges, and their probabilities of the shares of bins", {
  model <- sepals(width = .5)
  regions <- decision_regions(model)
  expect_within(regions$to, c(4.3, 5.3, 6.3, 8.3, Inf), 1e-15)
  expect_identical(
    as.character(regions$decision), c(NA, "setosa", "versicolor", "virginica", NA)
  )
  expect_true(all(regions$exact))
  risk <- bayes_risk(model)
  expect_identical(risk$method, "exact")
  expect_within(risk$total, 43 / 150, 1e-15)
  expect_within(t(risk$table) * 150, c(39, 11, 0, 5, 31, 14, 1, 12, 37), 1e-13)
  # By the shares: prior 1/3, everything known afterwards
  worth <- value_of_information(model)
  expect_within(worth$value, c(0, 2 / 3 - 43 / 150, 2 / 3 - 43 / 150, 2 / 3), 1e-15)
  expect_within(next_feature(model)$cost_after, 43 / 150, 1e-15)
})

test_that("costs that are neither square nor symmetric: bin by bin", {
  skip_on_cran()
  model <- sepals(width = .5, prior = c(setosa = .2, versicolor = .5, virginica = .3))
  share <- matrix(coef(model)$Sepal.Length$probability, 8)
  joint <- share * rep(c(.2, .5, .3), each = 8)
  expected <- joint %*% t(unclass(iris_cost()))
  best <- apply(expected, 1, which.min)
  regions <- decision_regions(model, iris_cost())
  at <- findInterval(4.3 + .5 * 0:7 + .25, regions$from)
  expect_identical(as.integer(regions$decision)[at], best)
  expect_within(bayes_risk(model, iris_cost())$total, sum(apply(expected, 1, min)), 1e-14)
  worst <- minimax_prior(model, iris_cost())
  risk_at <- function(prior) {
    expected <- share %*% (prior * t(unclass(iris_cost())))
    sum(apply(expected, 1, min))
  }
  grid <- expand.grid(a = 0:40, b = 0:40) / 40
  grid <- grid[grid$a + grid$b <= 1, ]
  risks <- apply(grid, 1, function(p) risk_at(c(p, 1 - sum(p))))
  expect_within(worst$risk, risk_at(worst$prior), 1e-13)
  expect_gte(worst$risk, max(risks))
  expect_lt(worst$risk, max(risks) + .02)
})

test_that("each class has its own edges; what none has is decided by nobody", {
  breaks <- list(A = c(0, 1, 3), B = c(1.5, 2, 4, 5))
  data <- data.frame(
    y = rep(c("A", "B"), each = 4), x = c(.5, .6, .7, 2, 1.6, 3.5, 3.6, 4.5)
  )
  model <- by_eight(breaks = breaks, data = data)
  # Densities: A 3/4, 1/8; B 1/2, 1/4, 1/4
  regions <- decision_regions(model)
  expect_identical(regions$from, c(-Inf, 0, 1.5, 5))
  expect_identical(as.character(regions$decision), c(NA, "A", "B", NA))
  expect_within(bayes_risk(model)$total, (1.5 / 8) / 2, 1e-15)
  bounds <- risk_bounds(model)$value
  # The integral of the root of the product, over [1.5, 3]
  expect_within(bounds[[2]], (.5 * sqrt(1 / 16) + sqrt(1 / 32)) / 2, 1e-15)
  mean <- c(.75 * .5 + .25 * 2, .25 * 1.75 + .5 * 3 + .25 * 4.5)
  square <- c(
    .75 * (1 / 12 + .25) + .25 * (4 / 12 + 4),
    .25 * (.25 / 12 + 1.75^2) + .5 * (4 / 12 + 9) + .25 * (1 / 12 + 4.5^2)
  )
  distance <- diff(mean)^2 / mean(square - mean^2)
  expect_within(bounds[[4]], .5 / (1 + distance / 4), 1e-14)
  gap <- by_eight(breaks = c(0, 1, 2, 3), data = data.frame(y = c("A", "B"), x = c(.5, 2.5)))
  regions <- decision_regions(gap)
  expect_identical(as.character(regions$decision), c(NA, "A", NA, "B", NA))
  expect_identical(regions$to, c(0, 1, 2, 3, Inf))
  threshold <- decision_threshold(
    cost_matrix(a = c(A = 0, B = 2), b = c(A = 1, B = 0)), object = gap
  )
  expect_identical(threshold$cut, c(1, 2))
  # Only one class is possible in each bin, and none in the gap.
  expect_identical(bayes_risk(gap)$total, 0)
})

test_that("a histogram decides in a Gaussian world, and the reverse", {
  histogram <- sepals(width = .5)
  world <- fit(bayes_naive(prior = "uniform"), Species ~ Sepal.Length, iris)
  mean <- coef(world)$Sepal.Length[, "mean"]
  sd <- coef(world)$Sepal.Length[, "sd"]
  below <- function(x) pnorm(x, mean, sd)
  # Outside of its bins it takes the first action
  right <- c(
    below(5.3)[[1]] + pnorm(8.3, mean[[1]], sd[[1]], lower.tail = FALSE),
    (below(6.3) - below(5.3))[[2]], (below(8.3) - below(6.3))[[3]]
  )
  risk <- bayes_risk(world, rule = histogram)
  expect_identical(risk$method, "exact")
  expect_within(risk$total, 1 - mean(right), 1e-14)
  expect_within(risk$believed, 43 / 150, 1e-15)
  within <- function(from, to) {
    left <- 4.3 + .5 * 0:7
    share <- matrix(coef(histogram)$Sepal.Length$probability, 8)
    colSums(share * pmax(0, pmin(left + .5, to) - pmax(left, from)) / .5)
  }
  regions <- decision_regions(world)
  right <- mapply(function(from, to, class) within(from, to)[[class]], regions$from, regions$to,
    as.integer(regions$decision)
  )
  expect_within(bayes_risk(histogram, rule = world)$total, 1 - sum(right) / 3, 1e-14)
  rule <- function(x) ifelse(x$Sepal.Length < 5.3, "setosa", "virginica")
  seen <- bayes_risk(histogram, rule = rule)
  expect_identical(seen$method, "grid")
  share <- matrix(coef(histogram)$Sepal.Length$probability, 8)
  right <- (sum(share[1:2, 1]) + sum(share[3:8, 3])) / 3
  expect_within(seen$total, 1 - right, 1e-12)
})

test_that("regions of a histogram are drawn, alone and in a plane", {
  skip_on_cran()
  drawn <- draw(sepals(width = .5), type = "regions", data = iris)
  setosa <- drawn[drawn$class == "setosa" & drawn$x > 4.31 & drawn$x < 8.29, ]
  expected <- cut(setosa$x, c(4, 5.3, 6.3, 9), levels(iris$Species), right = FALSE)
  expect_identical(as.integer(setosa$decision), as.integer(expected))
  drawn <- draw(sepals(width = .5), type = "cost", cost = iris_cost(), xlim = c(4, 9))
  expect_true(anyNA(drawn$cost))
  spec <- bayes_naive(features = list(Sepal.Length = likelihood_histogram(width = .5)))
  model <- fit(spec, Species ~ Sepal.Length + Petal.Width, iris)
  drawn <- draw(model, type = "regions")
  seen <- predict(model, data.frame(Sepal.Length = drawn$x, Petal.Width = drawn$y))
  expect_identical(as.integer(drawn$decision), as.integer(seen))
  expect_true(all(decision_regions(model)$kind == "contour"))
})

test_that("a damaged histogram is found", {
  model <- sepals(width = .5)
  damage <- function(part, value) {
    model$plan$banks[[1]][[part]] <- value
    model
  }
  for (broken in list(
    damage("edges", 1:9), damage("edges", c(4, 3)), damage("bins", 7L), damage("bins", NULL),
    damage("bins", rep(4L, 2))
  )) {
    expect_error(predict(broken, iris), "damaged", class = "bayesrisk_error_object")
  }
})

test_that("settings that contradict each other are refused by name", {
  refused <- function(..., text) {
    expect_error(likelihood_histogram(...), text, class = "bayesrisk_error_argument")
  }
  refused(width = 1, breaks = 1:3, text = "width.*breaks")
  refused(origin = 1, text = "origin.*width")
  refused(origin = 1, breaks = 1:3, text = "origin.*width")
  refused(width = 0, text = "width.*positive")
  refused(width = 1e-320, text = "width.*positive")
  refused(breaks = 1, text = "breaks.*two or more")
  refused(breaks = c(1, 3, 2), text = "breaks.*increasing")
  refused(breaks = c(1, 1), text = "breaks.*increasing")
  refused(breaks = c(-1e308, 1e308), text = "breaks")
  refused(breaks = "sturges", text = "Sturges")
  refused(breaks = list(a = 1:3, b = 2), text = "breaks\\$b.*two or more")
  refused(breaks = list(1:3), text = "named by class")
  refused(laplace = -1, text = "laplace")
  expect_error(bayes_known(c(a = 1), x = likelihood_histogram()), "no parameters",
    class = "bayesrisk_error_argument"
  )
  expect_error(
    fit(bayes_naive(features = list(Species = likelihood_histogram())), am ~ Species,
        data.frame(am = 1:2, Species = c("a", "b"))),
    "Species.*categorical.*histogram", class = "bayesrisk_error_argument"
  )
})

test_that("settings print as a sentence", {
  sentence <- function(...) format(likelihood_histogram(...))
  expect_identical(sentence(), "Numeric features by histograms with bins by Sturges' rule.")
  expect_identical(
    sentence(width = .5, origin = 4, laplace = 1),
    "Numeric features by histograms with bins of width 0.5 from 4 and Laplace 1."
  )
  expect_match(sentence(breaks = "FD"), "Freedman and Diaconis")
  expect_match(sentence(breaks = 0:3), "3 given bins")
  expect_match(sentence(breaks = list(a = 0:3)), "given bins by class")
})

test_that("every argument is fuzz-proof", {
  is_histogram <- function(x) is_likelihood(x) && is.character(format(x))
  for (arg in c("width", "breaks", "laplace")) {
    expect_fuzz_proof(likelihood_histogram, arg, is_valid = is_histogram)
  }
  expect_fuzz_proof(likelihood_histogram, "origin", list(width = 1), is_histogram)
})

# Known histograms: densities are shares divided by widths.

test_that("shares of bins, the same bins in all classes or bins by class", {
  table <- rbind(b = c(0.2, 0.8), a = c(0.5, 0.5))
  same <- bayes_known(
    c(a = 0.5, b = 0.5), x = likelihood_histogram(breaks = c(0, 1, 3), table = table)
  )
  at <- data.frame(x = c(0, 0.5, 1, 3, 4, NA))
  found <- suppressWarnings(predict(same, at, type = "log_likelihood"))
  expect_within(exp(found[, "a"]), c(0.5, 0.5, 0.25, 0.25, 0, 1), 1e-15)
  expect_within(exp(found[, "b"]), c(0.2, 0.2, 0.4, 0.4, 0, 1), 1e-15)
  expect_within(coef(same)$x$probability, c(0.5, 0.5, 0.2, 0.8), 1e-15)
  apart <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_histogram(
    breaks = list(a = c(0, 1), b = c(0, 1, 2)), table = list(a = 1, b = c(0.25, 0.75))
  ))
  found <- exp(predict(apart, data.frame(x = c(0.5, 1.5)), type = "log_likelihood"))
  expect_within(found, cbind(c(1, 0), c(0.25, 0.75)), 1e-15)
  expect_within(bayes_risk(apart)$total, 0.125, 1e-12)
})

test_that("wrong tables are classed errors", {
  refused <- function(pattern, ...) {
    expect_error(likelihood_histogram(...), pattern, class = "bayesrisk_error_argument")
  }
  table <- rbind(a = c(0.5, 0.5), b = c(0.2, 0.8))
  refused("breaks", table = table)
  refused("breaks", breaks = "FD", table = table)
  refused("breaks", width = 1, table = table)
  refused("laplace", breaks = 0:2, table = table, laplace = 1)
  refused("2 bins", breaks = 0:2, table = rbind(a = c(0.5, 0.2, 0.3)))
  refused("sum to 1", breaks = 0:2, table = rbind(a = c(0.5, 0.2)))
  refused("0 or more", breaks = 0:2, table = rbind(a = c(1.5, -0.5)))
  refused("row names", breaks = 0:2, table = unname(table))
  refused("list by class", breaks = 0:2, table = 1)
  refused("bins", breaks = list(a = 0:2), table = list(b = c(0.5, 0.5)))
  histogram <- likelihood_histogram(breaks = 0:2, table = table)
  expect_error(bayes_known(c(a = 0.5, c = 0.5), x = histogram), class = "bayesrisk_error_argument")
  expect_error(bayes_naive(numeric = histogram), class = "bayesrisk_error_argument")
  for (arg in "table") {
    expect_fuzz_proof(likelihood_histogram, arg, list(breaks = 0:2), is_likelihood)
  }
})
