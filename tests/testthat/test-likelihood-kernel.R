# Second implementations: dnorm() summed over the data, stats::bw.nrd0() and bw.nrd(), a
# mixture of the same normals.

kernels <- function(formula, data, ..., prior = NULL, weights = NULL) {
  spec <- bayes_naive(
    numeric = likelihood_kernel(...), prior = prior, degenerate = "stop"
  )
  fit(spec, formula, data, weights = weights)
}

density_of <- function(model, x, type = "log_likelihood") {
  predict(model, data.frame(x = x), type = type)
}

# sum w N(x; value, h^2) / sum w, by its definition.
kernel_density <- function(x, value, h, weight = rep(1, length(value))) {
  vapply(x, function(at) sum(weight * stats::dnorm(at, value, h)) / sum(weight), 1)
}

far_apart <- data.frame(y = rep(c("A", "B"), each = 2), x = c(0, 1, 10, 11))

# Values of three classes with ties, of which a has 9.
clusters <- function() {
  data.frame(
    y = factor(rep(c("b", "a", "c"), c(6, 9, 4)), c("c", "a", "b")),
    x = c(1, 2, 2, 4, 8, 1.5, 3, 3, 3.5, 9, 9.25, 9.5, 10, 2.75, 3, -4, -1, 0, 6),
    w = c(1, 3, 2, 1, 1, 2, 1, 1, 4, 2, 1, 1, 1, 3, 1, 2, 2, 1, 1)
  )
}

test_that("X19: kernels of bandwidth 1, far from them too", {
  model <- kernels(y ~ x, far_apart, bandwidth = 1)
  p <- density_of(model, c(5, 5.5, -60), "prob")
  expect_within(p[, "B"], c(0.010911470120437567, .5, 5.1119519486511562e-283), 1e-12)
  expect_within(density_of(model, 5), c(-9.6010379689160242, -14.108007270494047), 1e-15)
  expect_within(diff(-density_of(model, -60)[1, ]), 650, 1e-15)
  # So far out that a double cannot square the distance.
  expect_warning(
    expect_identical(is.na(density_of(model, c(1e150, -1e150, 1e160), "prob")[, 1]),
      c(FALSE, FALSE, TRUE)
    ),
    "1 row", class = "bayesrisk_warning_impossible"
  )
  expect_identical(unname(density_of(model, c(1e9, -1e9), "prob")[, "B"]), c(1, 0))
})

test_that("X20: bandwidths are those of bw.nrd0() and bw.nrd()", {
  data <- data.frame(y = rep(c("A", "B"), each = 5), x = c(1, 1, 1, 1, 2, 3, 4, 5, 6, 9))
  width <- function(...) unique(coef(kernels(y ~ x, data, ...))$x$bandwidth)
  expect_within(width(), c(0.29171818740469724, stats::bw.nrd0(data$x[6:10])), 1e-15)
  expect_within(width("nrd")[[2]], stats::bw.nrd(data$x[6:10]), 1e-15)
  expect_within(width("nrd")[[1]], 0.29171818740469724 / .9 * 1.06, 1e-15)
  expect_identical(width(c(B = 2, A = 3)), c(3, 2))
  expect_identical(width(.5), .5)
  of_iris <- coef(kernels(Species ~ Petal.Width, iris))$Petal.Width
  expect_within(
    tapply(of_iris$bandwidth, of_iris$class, unique),
    tapply(iris$Petal.Width, iris$Species, stats::bw.nrd0), 1e-14
  )
})

# The equations of stats::bw.SJ() and bw.ucv(), solved to more digits by their own functions.
test_that("bandwidths are those of bw.SJ() and bw.ucv()", {
  withr::local_seed(5)
  data <- data.frame(y = rep(c("a", "b", "c"), c(300, 80, 1500)), x = c(
    stats::rnorm(300, rep(c(-3, 3), 150)), 1e3 + stats::rexp(80), stats::rnorm(1500, sd = 1e-3)
  ))
  width <- function(rule, ...) {
    kept <- coef(kernels(y ~ x, data, bandwidth = rule, ...))$x
    tapply(kept$bandwidth, kept$class, unique)
  }
  values <- split(data$x, data$y)
  sj <- vapply(values, function(x) stats::bw.SJ(x, tol = 1e-12 * stats::sd(x)), 1)
  # It warns of a minimum at an end.
  ucv <- suppressWarnings(
    vapply(values, function(x) stats::bw.ucv(x, tol = 1e-7 * stats::sd(x)), 1)
  )
  expect_within(as.vector(width("SJ")), unname(sj), 1e-9)
  expect_within(as.vector(width("ucv")), unname(ucv), 1e-5)
  expect_within(width("SJ", adjust = 0.5), width("SJ") / 2, 1e-14)
  expect_within(width("SJ", points = 1024)[["c"]], sj[["c"]], 1e-2)
  for (rule in c("SJ", "ucv")) {
    spec <- bayes_naive(numeric = likelihood_kernel(rule))
    whole <- fit(spec, y ~ x, data)
    parts <- fit(spec, y ~ x, chunked(data, 100L))
    updated <- update(fit(spec, y ~ x, data[-(1:50), ]), data[1:50, ])
    for (other in list(parts, updated)) {
      expect_within(coef(other)$x$bandwidth, coef(whole)$x$bandwidth, 1e-13)
    }
    # A weight counts as copies.
    w <- rep_len(c(1, 2, 3), nrow(data))
    copies <- data[rep(seq_along(w), w), ]
    expect_within(
      unique(coef(fit(spec, y ~ x, data, weights = w))$x$bandwidth),
      unique(coef(fit(spec, y ~ x, copies))$x$bandwidth), 1e-12
    )
  }
  expect_match(format(likelihood_kernel("SJ")), "by rule \"SJ\"", fixed = TRUE)
})

test_that("of several bandwidths that solve the equation of bw.SJ() the largest is taken", {
  x <- rep(1:5, 10)
  data <- data.frame(y = rep(c("a", "b"), each = 50), x = c(x, x + 0.5))
  found <- tidy(fit(bayes_naive(numeric = likelihood_kernel("SJ")), y ~ x, data))
  largest <- stats::bw.SJ(x, lower = 0.4, upper = 1, tol = 1e-12)
  expect_gt(largest, 3 * stats::bw.SJ(x))
  expect_equal(found$estimate[found$term == "x"], rep(largest, 2), tolerance = 1e-9)
})

test_that("classes without spread borrow, also with the rules that solve an equation", {
  flat <- data.frame(y = rep(c("A", "B"), 3:4), x = c(5, 5, 5, 1, 2, 2, 4))
  width <- function(rule) {
    kept <- coef(suppressWarnings(
      fit(bayes_naive(numeric = likelihood_kernel(rule)), y ~ x, flat)
    ))$x
    kept$bandwidth[kept$class == "A"][[1L]]
  }
  expect_identical(width("ucv"), width("nrd0"))
  expect_identical(width("SJ"), width("nrd0"))
  # The interquartile range is 0: bw.SJ() has no answer.
  ties <- suppressWarnings(
    kernels(y ~ x, transform(flat, y = "A", x = c(rep(1, 6), 2)), bandwidth = "SJ")
  )
  expect_true(all(coef(ties)$x$bandwidth > 0))
})

test_that("X20: a class without spread, or of one row, has no bandwidth by rule", {
  flat <- data.frame(y = rep(c("A", "B"), 3:4), x = c(5, 5, 5, 1, 2, 2, 4))
  for (data in list(flat, flat[-(1:2), ])) {
    expect_error(kernels(y ~ x, data), 'class "A": `x` constant.*likelihood_kernel\\(\\)',
      class = "bayesrisk_error_degenerate"
    )
    model <- kernels(y ~ x, data, bandwidth = .5)
    expect_within(density_of(model, 6)[1, "A"], stats::dnorm(6, 5, .5, log = TRUE), 1e-14)
  }
  expect_error(
    kernels(y ~ x, data.frame(y = "A", x = 1:2), weights = c(.5, .25)), "weighs 0.75",
    class = "bayesrisk_error_degenerate"
  )
  expect_error(
    kernels(y ~ x, data.frame(y = c("A", "A", "B"), x = c(1, 2, NA))),
    'class "B" has no observed value', class = "bayesrisk_error_degenerate"
  )
  expect_error(
    kernels(y ~ x, data.frame(y = "A", x = c(-1.7e308, 0, 1.7e308))), "beyond the largest double",
    class = "bayesrisk_error_degenerate"
  )
  expect_warning(
    model <- kernels(y ~ x, transform(flat[4:7, ], y = factor(y, c("A", "B")))), "class \"B\""
  )
  expect_identical(coef(model)$x$bandwidth[[1]], NA_real_)
  expect_identical(density_of(model, 1, "prob")[1, ], c(A = 0, B = 1))
})

test_that("densities are sums of dnorm(), weights those of copies", {
  data <- clusters()
  at <- c(-30, -4, 0, 2.3, 3, 9.1, 10, 25)
  for (bandwidth in list(NULL, "nrd", .3, c(a = .2, b = 1, c = 3))) {
    copies <- data[rep(seq_len(19), data$w), ]
    copied <- kernels(y ~ x, copies, bandwidth = bandwidth)
    weighted <- kernels(y ~ x, data, bandwidth = bandwidth, weights = data$w)
    expect_within(coef(weighted)$x$bandwidth, coef(copied)$x$bandwidth, 1e-14)
    expect_within(density_of(weighted, at), density_of(copied, at), 1e-13)
    for (class in c("a", "b", "c")) {
      own <- coef(weighted)$x
      value <- copies$x[copies$y == class]
      expect_within(
        exp(density_of(weighted, at)[, class]),
        kernel_density(at, value, own$bandwidth[own$class == class][[1]]), 1e-12
      )
    }
  }
})

test_that("a row is scored the same among any others, and by any number of threads", {
  model <- kernels(Species ~ Petal.Width, iris)
  at <- data.frame(Petal.Width = c(iris$Petal.Width, NA, -50, 1e4, seq(-3, 9, length.out = 3000)))
  all <- predict(model, at, type = "log_joint")
  some <- c(1, 75, 151, 152, 153, 2000)
  expect_equal(
    predict(model, at[some, , drop = FALSE], type = "log_joint"),
    all[some, ], tolerance = 0, ignore_attr = TRUE
  )
  expect_identical(predict(model, at, type = "log_joint", threads = 2), all)
  expect_identical(unname(all[151, ]), rep(log(1 / 3), 3))
})

test_that("a grid is right within its bound, whatever the order and the parts", {
  set.seed(1)
  data <- data.frame(y = rep(c("a", "b"), c(6000, 3000)), x = c(rnorm(6000), rexp(3000) + 1e6))
  exact <- kernels(y ~ x, data, points = Inf)
  grid <- kernels(y ~ x, data, points = 256)
  step <- grid$statistics$banks[[1]]$step
  expect_identical(step, 2^round(log2(step)))
  expect_lte(max(table(coef(grid)$x$class)), 256L)
  h <- summary(exact)$blocks$x[, "bandwidth"]
  expect_within(summary(grid)$blocks$x[, "bandwidth"], h, 2e-2)
  # With equal bandwidths.
  grid <- update(grid, numeric = likelihood_kernel(h, points = 256))
  at <- c(seq(-5, 5, length.out = 301), 1e6 + seq(-1, 10, length.out = 301))
  error <- abs(exp(density_of(grid, at)) - exp(density_of(exact, at)))
  bound <- (step / h)^2 / 8 / (h * sqrt(2 * pi))
  expect_true(all(t(error) <= bound))
  expect_gt(max(error[, 1]), bound[[1]] / 1e3)
  # Weight and mean stay.
  of_a <- subset(coef(grid)$x, class == "a")
  expect_within(sum(of_a$weight * of_a$value), mean(data$x[1:6000]), 1e-10)
  same <- function(other) {
    expect_identical(other$statistics$banks[[1]]$step, step)
    expect_within(coef(other)$x$value, coef(grid)$x$value, 0)
    expect_within(coef(other)$x$weight, coef(grid)$x$weight, 1e-12)
    expect_within(density_of(other, at), density_of(grid, at), 1e-12)
  }
  spec <- bayes_naive(numeric = likelihood_kernel(h, points = 256))
  part <- list(1:100, 101:5000, 5001:9000)
  models <- lapply(part, function(rows) bayes_statistics(spec, y ~ x, data[rows, ]))
  same(fit(spec, Reduce(merge, models)))
  same(fit(spec, Reduce(merge, rev(models))))
  same(update(fit(spec, y ~ x, data[c(1:50, 8000:9000), ]), data[51:7999, ]))
  same(fit(spec, y ~ x, data[sample(9000), ]))
  same(fit(spec, y ~ x, data, threads = 2))
})

test_that("on a grid, scores are the sum of normals within a hundredth of its bound", {
  skip_on_cran()
  set.seed(4)
  values <- list(
    smooth = rnorm(2000), tails = 4 * rnorm(2000)^3, gaps = rnorm(2000) + 30 * rep(0:3, 500),
    ties = round(rnorm(2000), 2), offset = rnorm(2000) + 1e9
  )
  for (name in names(values)) {
    w <- rep(c(1, 1e-3, 50, 7), 500)
    data <- data.frame(y = rep(c("a", "b"), 1000), x = values[[name]])
    h <- c(a = .3, b = 1)
    model <- kernels(y ~ x, data, weights = w, bandwidth = h, points = 256)
    step <- model$parameters$banks[[1]]$step
    expect_true(all(step > 0))
    at <- c(
      data$x, sample(data$x, 2000) + rnorm(2000), range(data$x) + c(-1, 1),
      range(data$x) + c(-1000, 1000) * .3
    )
    found <- density_of(model, at)
    points <- split(coef(model)$x, coef(model)$x$class)
    for (k in 1:2) {
      z2 <- outer(at, points[[k]]$value, function(x, v) ((x - v) / h[[k]])^2 / 2)
      least <- apply(z2, 1, min)
      sum <- log(as.vector(exp(least - z2) %*% points[[k]]$weight)) - least
      expected <- sum - log(h[[k]]) - log(2 * pi) / 2
      bound <- (step[[k]] / h[[k]])^2 / 8
      expect_lte(max(abs(found[, k] - expected) - 1e-13 * abs(expected)), bound / 100 + 1e-13)
      # Series are used: sums would agree to the last digits.
      expect_gt(max(abs(found[, k] - expected)), bound * 1e-8)
    }
    for (row in c(1:20, 4001:4004)) {
      expect_identical(unname(density_of(model, at[[row]])[1, ]), unname(found[row, ]))
    }
    threaded <- predict(model, data.frame(x = at), type = "log_likelihood", threads = 2)
    expect_identical(threaded, found)
    expect_identical(
      do.call(rbind, lapply(split(at, rep(1:3, length.out = 4004)), density_of, model = model)),
      found[unlist(split(1:4004, rep(1:3, length.out = 4004))), ], ignore_attr = TRUE
    )
  }
})

test_that("values that are kept are summed, on a lattice too", {
  data <- data.frame(y = "a", x = rep(1:200, 5) / 8)
  model <- one_class(kernels(y ~ x, data, bandwidth = .5))
  expect_identical(model$parameters$banks[[1]]$step, 0)
  at <- c(data$x, seq(-3, 28, length.out = 500))
  expect_within(density_of(model, at)[, "a"], log(kernel_density(at, data$x, .5)), 1e-13)
})

test_that("a grid that is too wide for the bandwidth is refused", {
  data <- data.frame(y = rep(c("a", "b"), c(500, 5)), x = c(1:500, 1:5))
  expect_error(
    kernels(y ~ x, data, bandwidth = 1, points = 64),
    'class "a": the points of `x` lie on a grid of step 8.*points.*bandwidth',
    class = "bayesrisk_error_degenerate"
  )
  expect_s3_class(kernels(y ~ x, data, bandwidth = 1), "bayesrisk_model")
  expect_s3_class(kernels(y ~ x, data, points = 64), "bayesrisk_model")
})

test_that("parts merge, rows are added and features dropped as if fitted at once", {
  spec <- bayes_naive(numeric = likelihood_kernel())
  parts <- split(iris, rep(1:2, length.out = 150))
  all <- fit(spec, Species ~ ., iris)
  first <- fit(spec, Species ~ ., parts[[1]])
  expect_same_predictions(merge(first, fit(spec, Species ~ ., parts[[2]])), all, iris)
  expect_same_predictions(update(first, parts[[2]]), all, iris)
  dropped <- update(all, . ~ . - Petal.Length)
  expect_identical(coef(dropped), coef(all)[c("prior", "Sepal.Length", "Sepal.Width",
                                              "Petal.Width")])
  narrow <- update(all, numeric = likelihood_kernel(.1))
  expect_identical(coef(narrow), coef(fit(
    bayes_naive(numeric = likelihood_kernel(.1)), Species ~ ., iris
  )))
  for (other in list(likelihood_kernel(points = 64), likelihood_gaussian())) {
    expect_error(update(all, numeric = other), "other likelihoods",
      class = "bayesrisk_error_argument"
    )
  }
  expect_error(fit(bayes_naive(numeric = likelihood_kernel(c(setosa = 1, other = 2))),
    Species ~ ., iris), "bandwidth.*Missing.*versicolor", class = "bayesrisk_error_argument"
  )
})

test_that("a class that a part brings along finds its bandwidth by name", {
  spec <- bayes_naive(numeric = likelihood_kernel(c(b = 2, a = 1)))
  a <- bayes_statistics(spec, y ~ x, data.frame(y = "a", x = 1:3))
  b <- bayes_statistics(spec, y ~ x, data.frame(y = "b", x = 2:5))
  merged <- fit(spec, merge(b, a))
  expect_identical(unique(coef(merged)$x[c("class", "bandwidth")])$bandwidth, c(1, 2))
})

test_that("cross-validation, one by one too, is what its folds say", {
  skip_on_cran()
  data <- transform(iris, fold = rep(1:5, 30))
  candidates <- list(
    rule = bayes_naive(numeric = likelihood_kernel()),
    narrow = bayes_naive(numeric = likelihood_kernel(.05)),
    grid = bayes_naive(numeric = likelihood_kernel(points = 64))
  )
  formula <- Species ~ Sepal.Length
  wrong <- function(spec, folds) {
    sum(vapply(unique(folds), function(f) {
      model <- fit(spec, formula, data[folds != f, ])
      sum(predict(model, data[folds == f, ]) != data$Species[folds == f])
    }, 1))
  }
  expect_within(
    cv_risk(candidates, formula, data, folds = data$fold)$error,
    vapply(candidates, wrong, 1, data$fold) / 150, 1e-14
  )
  expect_within(
    cv_risk(candidates$rule, formula, data, folds = 150)$error,
    wrong(candidates$rule, 1:150) / 150, 1e-14
  )
})

# The mixture of the same normals.
as_mixture <- function(model) {
  of <- function(points, column) split(points[[column]], points$class)
  parts <- lapply(coef(model)[-1], function(points) {
    likelihood_mixture(
      weights = of(points, "weight"), mean = of(points, "value"), sd = of(points, "bandwidth")
    )
  })
  do.call(bayes_known, c(list(prior = coef(model)$prior), parts))
}

test_that("regions, risks, thresholds and values are those of the mixture of its normals", {
  model <- kernels(Species ~ Sepal.Length, iris)
  mixture <- as_mixture(model)
  cost <- cost_matrix(
    versicolor = c(setosa = 1, versicolor = 0, virginica = 4),
    setosa = c(setosa = 0, versicolor = 2, virginica = 9),
    virginica = c(setosa = 3, versicolor = 1, virginica = 0), ask = .7
  )
  for (by in list(NULL, cost)) {
    expect_identical(decision_regions(model, by), decision_regions(mixture, by))
    risk <- bayes_risk(model, by)
    expect_identical(risk$method, "exact")
    expect_within(risk$table, bayes_risk(mixture, by)$table, 1e-13)
  }
  # The regions decide as predict() does.
  regions <- decision_regions(model, cost)
  at <- data.frame(Sepal.Length = seq(0, 12, length.out = 2000))
  decided <- regions$decision[findInterval(at$Sepal.Length, regions$to) + 1L]
  expect_identical(decided, predict(model, at, type = "decision", cost = cost))
  expect_equal(value_of_information(model), value_of_information(mixture), tolerance = 1e-12)
  unknown <- data.frame(Sepal.Length = NA_real_)
  steps <- function(model) tidy(next_feature(model, unknown, cost))
  expect_equal(steps(model), steps(mixture), tolerance = 1e-12)
  drawn <- draw(model, type = "regions")
  cuts <- decision_regions(model)$to
  cuts <- cuts[cuts > min(drawn$x) & cuts < max(drawn$x)]
  expect_gt(length(cuts), 1L)
  expect_true(all(vapply(cuts, function(cut) any(abs(drawn$x - cut) < 1e-4), NA)))
})

test_that("bounds of the risk are those of the mixture, and bound it", {
  data <- droplevels(iris[51:150, ])
  model <- kernels(Species ~ Sepal.Length, data)
  bounds <- stats::setNames(risk_bounds(model)$value, risk_bounds(model)$bound)
  expect_within(bounds, risk_bounds(as_mixture(model))$value, 1e-12)
  overlap <- stats::integrate(function(x) {
    p <- exp(predict(model, data.frame(Sepal.Length = x), type = "log_likelihood"))
    sqrt(p[, 1] * p[, 2])
  }, 3, 10, rel.tol = 1e-10, subdivisions = 1000L)$value
  expect_within(bounds[["Bhattacharyya"]], overlap / 2, 1e-9)
  expect_lte(bounds[["exact"]], bounds[["Chernoff"]])
  expect_lte(bounds[["lower"]], bounds[["exact"]])
  many <- data.frame(y = rep(c("a", "b"), c(1001, 3)), x = c(1:1001, 1:3))
  known <- !is.na(risk_bounds(kernels(y ~ x, many))$value)
  expect_identical(known, c(TRUE, FALSE, FALSE, TRUE, FALSE))
})

test_that("planes of many normals are contours; lines of too many are refused", {
  skip_on_cran()
  model <- kernels(Species ~ Petal.Length + Petal.Width, iris)
  expect_identical(unique(as.data.frame(decision_regions(model))$kind), "contour")
  expect_identical(bayes_risk(model, tolerance = .01)$method, "monte_carlo")
  drawn <- draw(model, type = "regions")
  expect_setequal(as.character(unique(drawn$decision)), levels(iris$Species))
  many <- data.frame(y = rep(c("a", "b"), c(10001, 3)), x = c(1:10001, 1:3))
  large <- kernels(y ~ x, many, points = Inf)
  expect_error(decision_regions(large), "x.*too many normals.*at most 10000 `points`",
    class = "bayesrisk_error_argument"
  )
  expect_identical(bayes_risk(large, tolerance = .02)$method, "monte_carlo")
})

test_that("draws have the density that they are drawn from", {
  model <- kernels(Species ~ Sepal.Length, iris)
  drawn <- simulate(model, 3000, seed = 3)
  for (class in levels(iris$Species)) {
    value <- iris$Sepal.Length[iris$Species == class]
    h <- stats::bw.nrd0(value)
    cumulative <- function(x) vapply(x, function(at) mean(stats::pnorm(at, value, h)), 1)
    own <- drawn$Sepal.Length[drawn$Species == class]
    expect_gt(stats::ks.test(own, cumulative)$p.value, 1e-4)
  }
})

test_that("data may be shifted and scaled, models saved", {
  tenths <- transform(iris, x = round(10 * Sepal.Length))
  other <- list(transform(tenths, x = x + 2^30), transform(tenths, x = x * 2^200),
                transform(tenths, x = x * 2^-200), transform(tenths, x = -x))
  for (spec in list(likelihood_kernel(), likelihood_kernel(points = 64))) {
    spec <- bayes_naive(numeric = spec)
    p <- predict(fit(spec, Species ~ x, tenths), tenths, type = "prob")
    for (data in other) {
      expect_within(predict(fit(spec, Species ~ x, data), data, type = "prob"), p, 1e-12, scale = 1)
    }
  }
  model <- kernels(Species ~ ., iris)
  file <- withr::local_tempfile()
  saveRDS(model, file)
  expect_identical(readRDS(file), model)
  expect_identical(predict(readRDS(file), iris), predict(model, iris))
})

test_that("what a model says of itself is short", {
  set.seed(2)
  data <- data.frame(y = rep(c("a", "b"), each = 3000), x = c(rnorm(3000), rnorm(3000, 2)))
  model <- kernels(y ~ x, data)
  expect_output(print(model), "kernel densities with bandwidth by rule \"nrd0\"")
  for (said in list(model, summary(model), coef(model), tidy(model))) {
    expect_lt(length(capture.output(print(said))), 40L)
  }
  expect_identical(
    dimnames(summary(model)$blocks$x),
    list(class = c("a", "b"), kernels = c("bandwidth", "points", "from", "to"))
  )
  rows <- tidy(model)
  expect_identical(rows$statistic, rep(c("probability", "bandwidth"), each = 2))
  expect_within(rows$estimate[3:4], tapply(data$x, data$y, stats::bw.nrd0), 1e-14)
  fitted <- logLik(model)
  expect_identical(c(as.double(fitted), attr(fitted, "df"), stats::AIC(fitted)), rep(NA_real_, 3))
  expect_identical(unlist(glance(model)[c("df", "logLik", "AIC", "BIC")], use.names = FALSE),
    rep(NA_real_, 4)
  )
})

test_that("curves are dense enough for their bandwidth, and end", {
  skip_on_cran()
  model <- kernels(y ~ x, far_apart, bandwidth = .02)
  drawn <- draw(model)
  expect_within(max(drawn$density), stats::dnorm(0, sd = .02) / 2, 1e-3)
  expect_within(range(drawn$x), c(-.07, 11.07), 1e-12)
  narrow <- draw(kernels(y ~ x, far_apart, bandwidth = 1e-6))
  expect_lt(nrow(narrow), 1e5)
  expect_within(max(narrow$density), stats::dnorm(0, sd = 1e-6) / 2, 1e-3)
})

test_that("a damaged model is found", {
  skip_on_cran()
  model <- kernels(y ~ x, far_apart, bandwidth = 1)
  damage <- function(where, part, value) {
    model[[where]]$banks[[1]][part] <- list(value)
    model
  }
  for (broken in list(
    damage("parameters", "bandwidth", c(1, 0)), damage("parameters", "bandwidth", 1),
    damage("parameters", "points", list(cbind(1, 0))), damage("parameters", "points", NULL),
    damage("parameters", "points", rep(list(cbind(c(1, NaN), -1)), 2)),
    damage("parameters", "step", 0), damage("parameters", "step", c(.3, 0)),
    damage("parameters", "step", c(2, 0)), damage("parameters", "step", NULL),
    damage("plan", "points", NULL), damage("plan", "points", 3), damage("plan", "features", 1:2)
  )) {
    expect_error(predict(broken, far_apart), "damaged", class = "bayesrisk_error_object")
  }
  for (broken in list(
    damage("statistics", "step", c(.3, 0)), damage("statistics", "step", 0),
    damage("statistics", "scatter", matrix(-1, 2, 1)), damage("statistics", "points", list())
  )) {
    expect_error(merge(broken, model), "damaged", class = "bayesrisk_error_object")
  }
})

test_that("settings that make no sense are refused by name", {
  refused <- function(..., text) {
    expect_error(likelihood_kernel(...), text, class = "bayesrisk_error_argument")
  }
  refused(0, text = "bandwidth.*positive")
  refused(c(a = 1, b = -1), text = "bandwidth")
  refused(c(1, 2), text = "bandwidth.*named")
  refused("bcv", text = "nrd0")
  refused(1e-320, text = "bandwidth.*positive")
  refused(points = 63, text = "points.*64")
  refused(points = 100.5, text = "points.*whole")
  refused(points = -Inf, text = "points")
  expect_identical(likelihood_kernel(NULL), likelihood_kernel("nrd0"))
})

test_that("settings print as a sentence", {
  sentence <- function(...) format(likelihood_kernel(...))
  expect_identical(
    sentence(), "Numeric features by kernel densities with bandwidth by rule \"nrd0\"."
  )
  expect_match(sentence(c(a = .5, b = 2)), "bandwidth a 0.5, b 2.", fixed = TRUE)
  expect_match(sentence(1, points = Inf), "bandwidth 1, all points.", fixed = TRUE)
  expect_match(sentence(points = 100), "at most 100 points")
})

test_that("every argument is fuzz-proof", {
  is_kernel <- function(x) is_likelihood(x) && is.character(format(x))
  for (arg in c("bandwidth", "points")) {
    expect_fuzz_proof(likelihood_kernel, arg, is_valid = is_kernel)
  }
})

test_that("adjust is a factor of the rule's bandwidth", {
  half <- kernels(Species ~ Petal.Width, iris, adjust = 0.5)
  whole <- kernels(Species ~ Petal.Width, iris)
  expect_equal(
    unique(coef(half)$Petal.Width$bandwidth), unique(coef(whole)$Petal.Width$bandwidth) / 2,
    tolerance = 1e-15
  )
  expect_equal(
    unique(coef(half)$Petal.Width$bandwidth),
    unname(vapply(split(iris$Petal.Width, iris$Species), stats::bw.nrd0, 1)) / 2, tolerance = 1e-14
  )
  expect_equal(coef(update(whole, numeric = likelihood_kernel(adjust = 0.5))), coef(half))
  expect_match(format(likelihood_kernel("nrd", adjust = 2)), "rule \"nrd\" times 2", fixed = TRUE)
  expect_bayesrisk_error(likelihood_kernel(adjust = 0), "argument", "adjust")
  expect_fuzz_proof(likelihood_kernel, "adjust", is_valid = is_likelihood)
})

test_that("coef() of a feature that is left out has no kernels", {
  d <- transform(iris[c(1, 5)], k = 3)
  model <- suppressWarnings(fit(bayes_naive(numeric = likelihood_kernel()), Species ~ ., d))
  expect_true(all(is.na(unlist(coef(model)$k[c("value", "weight", "bandwidth")]))))
  expect_identical(nrow(coef(model)$k), 3L)
  expect_true(all(is.na(subset(tidy(model), term == "k")$estimate)))
})

test_that("adjust multiplies a number, too, as in stats::density()", {
  of <- function(...) {
    predict(fit(bayes_naive(numeric = likelihood_kernel(...)), am ~ wt, mtcars), mtcars[1:5, ],
            type = "likelihood")
  }
  expect_identical(of(0.5, adjust = 2), of(1))
  by_class <- of(c("0" = 0.5, "1" = 0.25), adjust = 2)
  expect_identical(by_class, of(c("0" = 1, "1" = 0.5)))
})
