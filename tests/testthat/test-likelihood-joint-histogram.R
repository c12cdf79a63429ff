# Numbers: a table per class of factors made by cut(), divided by the widths of the bins; and
# bayes_full() on these factors.

petals <- c("Petal.Length", "Petal.Width")
by_petals <- Species ~ Petal.Length + Petal.Width
lattice <- list(Petal.Length = seq(1, 7, 0.75), Petal.Width = seq(0, 2.5, 0.5))

# The shares of the cells in each class, classes last, from data without missing values.
cell_shares <- function(data, edges, laplace = 0, weights = rep(1, nrow(data))) {
  bins <- Map(function(x, e) {
    factor(bin_of(x, e), seq_len(length(e) - 1L))
  }, data[names(edges)], edges)
  counts <- tapply(weights, c(unname(bins), list(data$Species)), sum, default = 0) + laplace
  sweep(counts, length(dim(counts)), apply(counts, length(dim(counts)), sum), "/")
}

bin_of <- function(x, edges) findInterval(x, edges, rightmost.closed = TRUE)

# Densities of rows without missing values.
cell_densities <- function(new, shares, edges) {
  bins <- Map(bin_of, new[names(edges)], edges)
  volume <- Reduce(`*`, Map(function(e, bin) diff(e)[bin], edges, bins))
  vapply(seq_len(dim(shares)[[3L]]), function(k) shares[cbind(bins[[1L]], bins[[2L]], k)] / volume,
         numeric(nrow(new)))
}

# Edges of a block are one vector for all features, so equal bins come from width and origin.
grid_of <- function(width, origin) {
  lapply(iris[petals], function(x) {
    first <- floor((min(x) - origin) / width)
    origin + width * (first:(floor((max(x) - origin) / width) + 1))
  })
}

test_that("densities are the shares of the cells divided by their volume", {
  edges <- grid_of(0.75, 0)
  for (laplace in c(0, 0.3)) {
    spec <- bayes_full(joint = likelihood_histogram(width = 0.75, origin = 0, laplace = laplace))
    model <- fit(spec, by_petals, iris)
    shares <- cell_shares(iris, edges, laplace)
    expect_within(unname(coef(model)$numeric), unname(shares), 1e-14, scale = 1)
    expected <- cell_densities(iris, shares, edges)
    expect_within(
      unname(exp(predict(model, iris, type = "log_likelihood"))), expected, 1e-12
    )
    of_class <- expected[cbind(1:150, as.integer(iris$Species))]
    expect_within(as.double(logLik(model)), sum(log(of_class / 3)), 1e-12)
    expect_identical(attr(logLik(model), "df"), 2 + 3 * (prod(lengths(edges) - 1) - 1))
  }
})

test_that("the posteriors are those of bayes_full() on factors made by cut()", {
  breaks <- seq(0, 8, 0.5)
  cut_iris <- data.frame(
    lapply(iris[1:4], cut, breaks, right = FALSE), Species = iris$Species
  )
  new <- iris
  set.seed(5)
  gaps <- matrix(runif(600) < 0.2, 150)
  for (j in 1:4) new[gaps[, j], j] <- NA
  cut_new <- data.frame(lapply(new[1:4], cut, breaks, right = FALSE))
  for (laplace in c(0, 1)) {
    joint <- likelihood_histogram(breaks = breaks, laplace = laplace)
    model <- fit(bayes_full(joint = joint), Species ~ ., iris)
    by_factors <- fit(bayes_full(laplace = laplace), Species ~ ., cut_iris)
    suppressWarnings({
      p <- predict(model, new, type = "prob")
      q <- predict(by_factors, cut_new, type = "prob")
    })
    expect_within(unname(p), unname(q), 1e-12, scale = 1)
    # coef() lists the same cells
    cells <- coef(model)$numeric
    expect_identical(dim(cells), dim(coef(by_factors)$categorical))
    expect_within(cells$probability, coef(by_factors)$categorical$probability, 1e-14, scale = 1)
    expect_identical(levels(cells$Petal.Width)[c(1, 16)], c("[0, 0.5)", "[7.5, 8]"))
  }
})

test_that("missing members are summed out, and their widths drop out", {
  edges <- list(Petal.Length = seq(1, 7, length.out = 4), Petal.Width = seq(1, 7, length.out = 4))
  data <- iris
  data$Petal.Width <- data$Petal.Width + 2
  model <- fit(
    bayes_full(joint = likelihood_histogram(breaks = seq(1, 7, length.out = 4), laplace = 0.5)),
    by_petals, data
  )
  shares <- cell_shares(data, edges, 0.5)
  new <- data.frame(Petal.Length = c(1, 2.9, 4, 7, NA, NA), Petal.Width = NA_real_)
  new$Petal.Width[5] <- 4.5
  alone <- apply(shares, c(1, 3), sum)[c(1, 1, 2, 3), ] / 2
  other <- apply(shares, c(2, 3), sum)[2, ] / 2
  found <- exp(predict(model, new, type = "log_likelihood"))
  expect_within(unname(found), unname(rbind(alone, other, 1)), 1e-13)
})

test_that("a block of one feature is a histogram", {
  block <- list(sepal = "Sepal.Length")
  new <- data.frame(Sepal.Length = c(4.3, 5.2, 6, 7.9, NA))
  for (likelihood in list(
    likelihood_histogram(width = 0.5), likelihood_histogram(laplace = 1),
    likelihood_histogram(breaks = "FD", laplace = 0.1), likelihood_histogram(breaks = c(4, 5, 6, 8))
  )) {
    joint <- fit(bayes_blocks(block, joint = likelihood), Species ~ Sepal.Length, iris)
    single <- fit(bayes_naive(numeric = likelihood), Species ~ Sepal.Length, iris)
    expect_equal(
      predict(joint, new, type = "log_likelihood"), predict(single, new, type = "log_likelihood"),
      tolerance = 1e-14
    )
    expect_equal(logLik(joint), logLik(single), tolerance = 1e-13)
    expect_identical(joint$schema$features, single$schema$features)
    expect_equal(t(coef(joint)$sepal), summary(single)$blocks$Sepal.Length,
                 ignore_attr = TRUE, tolerance = 1e-14)
    expect_equal(bayes_risk(joint)$total, bayes_risk(single)$total, tolerance = 1e-14)
    expect_equal(
      as.data.frame(decision_regions(joint)), as.data.frame(decision_regions(single))
    )
  }
})

test_that("each feature has bins of its own by a rule; weights are copies", {
  spec <- bayes_blocks(list(petal = petals), joint = likelihood_histogram(breaks = "Sturges"))
  w <- rep(1:3, 50)
  model <- fit(spec, by_petals, iris, weights = w)
  copies <- fit(spec, by_petals, iris[rep(1:150, w), ])
  expect_identical(coef(model), coef(copies))
  expect_identical(counts(model)[-1], counts(copies)[-1])
  bins <- ceiling(log2(300)) + 1
  edges <- lapply(iris[petals], function(x) seq(min(x), max(x), length.out = bins + 1))
  expect_within(unname(coef(model)$petal), unname(cell_shares(iris, edges, weights = w)), 1e-14,
                scale = 1)
  expect_equal(sum(counts(model)$petal), 300)
  expect_identical(
    model$schema$features$Petal.Length$bins$edges[c(1, bins + 1)], range(iris$Petal.Length)
  )
})

test_that("parts merge to the whole; a grid grows with the data", {
  spec <- bayes_full(joint = likelihood_histogram(width = 0.75, origin = 0))
  parts <- split(iris, rep(1:3, 50))
  whole <- fit(spec, by_petals, iris)
  merged <- Reduce(merge, lapply(parts, function(data) bayes_statistics(spec, by_petals, data)))
  expect_identical(coef(fit(spec, merged)), coef(whole))
  grown <- fit(spec, by_petals, iris[iris$Petal.Length > 2, ])
  grown <- suppressMessages(update(grown, iris[iris$Petal.Length <= 2, ]))
  order <- dimnames(coef(whole)$numeric)
  found <- coef(grown)$numeric
  expect_identical(found[, , order$class], coef(whole)$numeric)
  ruled <- bayes_full(joint = likelihood_histogram())
  first <- bayes_statistics(ruled, by_petals, parts[[1L]])
  expect_error(
    merge(first, bayes_statistics(ruled, by_petals, parts[[2L]])), "other bins.*Petal",
    class = "bayesrisk_error_argument"
  )
})

test_that("updates: a feature is dropped, the smoothing changes, other bins do not", {
  spec <- bayes_full(joint = likelihood_histogram(width = 0.5))
  model <- fit(spec, Species ~ ., iris)
  expect_identical(
    coef(update(model, . ~ . - Sepal.Length - Sepal.Width)), coef(fit(spec, by_petals, iris))
  )
  smoothed <- update(model, joint = likelihood_histogram(width = 0.5, laplace = 1))
  direct <- fit(
    bayes_full(joint = likelihood_histogram(width = 0.5, laplace = 1)), Species ~ ., iris
  )
  expect_identical(coef(smoothed), coef(direct))
  expect_error(
    update(model, joint = likelihood_histogram(width = 0.4)), "other bins",
    class = "bayesrisk_error_argument"
  )
})

test_that("threads and chunks do not matter", {
  set.seed(9)
  n <- 150000L
  x <- data.frame(a = runif(n, 0, 3), b = rnorm(n), c = rexp(n))
  x$b[sample(n, 1000L)] <- NA
  y <- sample(c("u", "v"), n, TRUE)
  spec <- bayes_full(joint = likelihood_histogram(width = 0.5, origin = 0, laplace = 0.1))
  one <- fit_xy(spec, x, y, threads = 1)
  two <- fit_xy(spec, x, y, threads = 2)
  expect_identical(one, two)
  parts <- lapply(split(seq_len(n), rep(1:2, c(70000, 80000))), function(i) {
    fit_xy(spec, x[i, ], y[i])
  })
  expect_identical(coef(merge(parts[[1L]], parts[[2L]])), coef(one))
  expect_identical(
    unname(predict(one, x, type = "log_likelihood", threads = 1)[65530:65545, ]),
    unname(predict(one, x[65530:65545, ], type = "log_likelihood"))
  )
})

test_that("values outside of the bins: an error at the fit, density 0 at prediction", {
  spec <- bayes_full(joint = likelihood_histogram(breaks = c(0, 2, 4)))
  expect_error(
    fit(spec, by_petals, iris), "outside the bins.*Petal.Length.*virginica.*50 rows",
    class = "bayesrisk_error_data"
  )
  wide <- fit(bayes_full(joint = likelihood_histogram(breaks = c(0, 2, 7), laplace = 1)),
              by_petals, iris)
  new <- data.frame(Petal.Length = c(7.5, 7), Petal.Width = c(NA, 1))
  expect_warning(
    p <- predict(wide, new, type = "prob"), "1 row.*|values outside of all bins",
    class = "bayesrisk_warning_impossible"
  )
  expect_true(all(is.na(p[1L, ])))
  expect_false(anyNA(p[2L, ]))
})

test_that("settings that a block cannot have are refused", {
  own <- likelihood_histogram(breaks = list(a = c(0, 1), b = c(0, 2)))
  expect_error(
    bayes_full(joint = own), "joint.*breaks.*by class", class = "bayesrisk_error_argument"
  )
  expect_error(
    bayes_blocks(list(petal = petals), joint = list(petal = own)), "joint\\$petal.*breaks",
    class = "bayesrisk_error_argument"
  )
  many <- as.data.frame(matrix(runif(640), 10))
  expect_error(
    fit_xy(bayes_full(joint = likelihood_histogram(width = 2, origin = 0)), many, rep(1:2, 5)),
    "joint histogram of block numeric.*64 features", class = "bayesrisk_error_degenerate"
  )
})

test_that("a class without complete rows borrows, or is an error", {
  data <- iris[petals]
  data$Petal.Width[iris$Species == "setosa"] <- NA
  spec <- bayes_full(joint = likelihood_histogram(width = 1))
  expect_warning(
    model <- fit_xy(spec, data, iris$Species), "setosa", class = "bayesrisk_warning_degenerate"
  )
  shares <- coef(model)$numeric
  expect_within(
    shares[, , "setosa"], (shares[, , "versicolor"] + shares[, , "virginica"]) / 2, 1e-14, scale = 1
  )
  strict <- bayes_full(joint = likelihood_histogram(width = 1), degenerate = "stop")
  expect_error(fit_xy(strict, data, iris$Species), "laplace", class = "bayesrisk_error_degenerate")
  expect_error(
    fit_xy(spec, data.frame(a = c(1, 2), b = NA_real_), c("u", "v")), "b.*no value",
    class = "bayesrisk_error_data"
  )
})

test_that("draws fall into the cells, uniformly within each", {
  model <- fit(bayes_full(joint = likelihood_histogram(width = 1, origin = 0)), by_petals, iris)
  drawn <- simulate(model, nsim = 20000, seed = 2)
  edges <- grid_of(1, 0)
  expect_within(
    unname(cell_shares(drawn, edges)), unname(coef(model)$numeric), 0.02, scale = 1
  )
  within <- drawn$Petal.Length %% 1
  expect_gt(stats::ks.test(within, "punif")$p.value, 1e-4)
})

test_that("print, summary, tidy, counts and plots know the block", {
  model <- fit(
    bayes_blocks(list(petal = petals), joint = likelihood_histogram(width = 1, origin = 0)),
    Species ~ ., iris
  )
  expect_output(print(model), "jointly by\\s+histograms with bins of width 1 from 0")
  expect_output(print(summary(model)), "most probable cells")
  ruled <- fit(bayes_full(joint = likelihood_histogram()), by_petals, iris)
  expect_identical(levels(summary(ruled)$blocks$numeric$Petal.Width)[1:2],
                   c("[0.1, 0.3667)", "[0.3667, 0.6333)"))
  tidied <- tidy(model)
  cells <- tidied[tidied$term == "Petal.Length:Petal.Width", ]
  expect_equal(nrow(cells), length(coef(model)$petal))
  expect_identical(cells$estimate, as.vector(coef(model)$petal))
  expect_true("[1, 2):[0, 1)" %in% cells$level)
  counted <- as.data.frame(counts(model))
  expect_equal(sum(counted$count[counted$term == "Petal.Length:Petal.Width"]), 150)
  expect_identical(dimnames(counts(model)$petal), dimnames(coef(model)$petal))
  shown <- draw(model, features = "Petal.Length")
  # The density of a member: the sum of its cells by the width of the bin, 1.
  at <- shown[shown$class == "setosa" & shown$x > 1 & shown$x < 2, ]
  setosa <- sum(coef(model)$petal["[1, 2)", , "setosa"])
  expect_within(at$density, rep(setosa, nrow(at)), 1e-13)
})

test_that("the risk of two features is that of the cells", {
  model <- fit(bayes_full(joint = likelihood_histogram(width = 1, laplace = 0.1)), by_petals, iris)
  risk <- bayes_risk(model, tolerance = 1e-3)
  exact <- 1 - sum(apply(coef(model)$numeric / 3, 1:2, max))
  expect_lt(abs(risk$total - exact), 5e-4)
})

test_that("the naive view has the histograms of the features", {
  joint <- likelihood_histogram(width = 0.5, laplace = 0)
  full <- fit(bayes_full(joint = joint), Species ~ ., iris)
  apart <- fit(bayes_naive(numeric = joint), Species ~ ., iris)
  view <- naive(full)
  expect_equal(coef(view), coef(apart), tolerance = 1e-13)
  expect_identical(counts(view), counts(apart))
  expect_equal(
    suppressWarnings(predict(view, iris, type = "prob")),
    suppressWarnings(predict(apart, iris, type = "prob")), tolerance = 1e-12
  )
})

test_that("regions and the value of a feature condition on the bins of the others", {
  joint <- likelihood_histogram(width = 1, origin = 0, laplace = 0.1)
  model <- fit(bayes_full(joint = joint), by_petals, iris)
  case <- data.frame(Petal.Length = NA_real_, Petal.Width = 1.4)
  regions <- as.data.frame(
    decision_regions(model, features = "Petal.Length", given = list(Petal.Width = 1.4))
  )
  middle <- (regions$from + regions$to) / 2
  inside <- is.finite(middle) & middle > 1 & middle < 7
  expect_identical(
    as.character(regions$decision[inside]),
    as.character(predict(model, data.frame(Petal.Length = middle[inside], Petal.Width = 1.4)))
  )
  # The posterior is constant in each cell, so the risk after Petal.Length is known is a sum.
  shares <- coef(model)$numeric[, "[1, 2)", ]
  after <- 1 - sum(apply(shares, 1L, max)) / sum(shares)
  worth <- next_feature(model, case)
  expect_within(worth$cost_after[[1L]], after, 1e-12)
})
