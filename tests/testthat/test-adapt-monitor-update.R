# Rows of a stream: the evidence against an enumeration, size and power in short streams.

two_normals <- function(prior = c(a = 0.5, b = 0.5)) {
  bayes_known(prior = prior, x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1))
}

# Rows of classes 1 and 2 whose features are `apart` sd apart.
drawn <- function(n, share = 0.5, features = 1L, apart = 2) {
  y <- stats::runif(n) < share
  data.frame(y = factor(y), matrix(stats::rnorm(n * features), n) + apart * y)
}

# The Bayes factor of a change before one of the rows, by all rows of change. `before`, `after`: the
# densities of the rows at each point of the two distributions, whose probabilities are `null` and
# `fresh`.
enumerated <- function(before, null, after, fresh) {
  later <- function(n) ifelse(n > 0, 0.5 * log(10) / log(9 + n), 1)
  n <- nrow(before)
  mean_of <- function(density, probability, rows) {
    sum(probability * apply(density[rows, , drop = FALSE], 2L, prod))
  }
  whole <- mean_of(before, null, seq_len(n))
  changed <- vapply(seq_len(n), function(t) {
    (later(t - 1) - later(t)) * mean_of(before, null, seq_len(t - 1L)) * mean_of(after, fresh, t:n)
  }, 1)
  (sum(changed) + later(n) * whole) / whole
}

test_that("evidence is the Bayes factor over all rows of change", {
  watch <- monitor(fit(bayes_naive(), y ~ X, withr::with_seed(1, {
    stats::setNames(drawn(50), c("y", "X"))
  })))
  shares <- watch$state$shares
  new <- withr::with_seed(2, drawn(12, 0.2))
  p <- predict(watch$object, data.frame(X = new[[2L]]), type = "prob")[, 1L]
  share <- watch$trained[[1L]]
  for (with_class in c(FALSE, TRUE)) {
    i <- 1L + with_class
    value <- if (with_class) as.double(new$y == "FALSE") else p
    density <- function(ratio) {
      moved <- share * ratio / (1 - share + share * ratio)
      outer(value / share, moved) + outer((1 - value) / (1 - share), 1 - moved)
    }
    rows <- data.frame(X = new[[2L]])
    if (with_class) rows$y <- new$y
    found <- update(watch, rows)
    expect_equal(
      exp(found$state$shares$last[[i]]),
      enumerated(
        density(shares$before[, i]), shares$null[, i], density(shares$ratio[, i]), shares$fresh[, i]
      ),
      tolerance = 1e-10
    )
  }
})

test_that("rows may come in any chunks", {
  model <- fit(bayes_naive(), Species ~ ., iris[seq(1, 150, 2), ])
  new <- iris[c(2:60, 110:120), ]
  whole <- update(monitor(model), new)
  pieces <- Reduce(update, split(new, c(1, 1, 1, rep(2:9, length.out = nrow(new) - 3))),
                   monitor(model))
  in_order <- Reduce(update, split(new, rep(1:7, each = 10)), monitor(model))
  expect_identical(in_order$evidence, whole$evidence)
  expect_identical(in_order$row, whole$row)
  expect_identical(in_order$prior, whole$prior)
  expect_identical(pieces$rows, whole$rows)
  one <- Reduce(function(w, i) update(w, new[i, ]), seq_len(9), monitor(model))
  expect_identical(one$state, update(monitor(model), new[1:9, ])$state)
  read <- 0
  chunks <- data_chunks(function() {
    read <<- read + 1
    if (read < 8) new[read * 10 - 9:0, ]
  })
  expect_identical(update(monitor(model), chunks)$evidence, whole$evidence)
  expect_identical(update(monitor(model), new, threads = 2)$state, whole$state)
})

test_that("shares, intervals and costs are those of estimate_prior()", {
  model <- two_normals()
  cost <- cost_matrix(a = c(a = 0, b = 5), b = c(a = 1, b = 0))
  new <- simulate(two_normals(c(a = 0.6, b = 0.4)), 80, seed = 1)["x"]
  found <- update(monitor(model, cost), new)
  wanted <- estimate_prior(model, new, cost)
  for (part in c("prior", "lower", "upper", "cost_kept", "cost_new")) {
    expect_equal(found[[part]], wanted[[part]], tolerance = 1e-6, info = part)
  }
  expect_equal(found$size, found$cost_kept - found$cost_new)
  expect_gt(found$size, 0)
})

test_that("without a change few streams have an alarm", {
  skip_on_cran()
  # At most 5 % of all; 3 of 20 or more have a probability of 7.5 % at 5 %.
  alarm <- vapply(1:20, function(i) {
    withr::with_seed(i, {
      watch <- monitor(fit(bayes_naive(), y ~ ., drawn(200)), seed = i)
      update(watch, drawn(3000)[-1L])$alarm
    })
  }, NA)
  expect_lte(sum(alarm), 2)
})

test_that("another share is found, with its size and what it costs", {
  skip_on_cran()
  cost <- cost_matrix("FALSE" = c("FALSE" = 0, "TRUE" = 3), "TRUE" = c("FALSE" = 1, "TRUE" = 0))
  found <- lapply(1:20, function(i) {
    withr::with_seed(i, {
      watch <- monitor(fit(bayes_naive(), y ~ ., drawn(200)), cost, seed = i)
      update(watch, drawn(300, 0.2)[-1L])
    })
  })
  alarm <- vapply(found, `[[`, NA, "alarm")
  expect_gte(sum(alarm), 18)
  prior <- vapply(found, function(w) w$prior[["TRUE"]], 1)
  expect_equal(stats::median(prior), 0.2, tolerance = 0.3)
  covered <- vapply(found, function(w) w$lower[["TRUE"]] < 0.2 && w$upper[["TRUE"]] > 0.2, NA)
  expect_gte(sum(covered), 17)
  expect_true(all(vapply(found, `[[`, 1, "size") >= 0))
  expect_true(all(vapply(found[alarm], function(w) identical(w$cause, "shares"), NA)))
})

test_that("in a long stream the distribution before the change stays that of the rows", {
  # The posterior of a share by rows with a class is a beta distribution.
  model <- fit(bayes_naive(), y ~ ., withr::with_seed(1, drawn(60)))
  new <- withr::with_seed(2, drawn(5000))
  shares <- update(monitor(model), new)$state$shares
  cases <- model$statistics$classes$weight + tabulate(new$y, 2L)
  odds <- log(shares$before[, 2L] * model$parameters$prior[[1L]] / model$parameters$prior[[2L]])
  mean <- sum(odds * shares$null[, 2L])
  expect_equal(mean, digamma(cases[[1L]] + 0.5) - digamma(cases[[2L]] + 0.5), tolerance = 0.02)
  expect_equal(
    sum((odds - mean)^2 * shares$null[, 2L]), sum(trigamma(cases + 0.5)), tolerance = 0.02
  )
})

test_that("a change after many rows is found, with its row and the shares since then", {
  withr::local_seed(1)
  watch <- monitor(fit(bayes_naive(), y ~ ., drawn(200)))
  watch <- update(watch, drawn(2000)[-1L])
  expect_false(watch$alarm)
  watch <- update(watch, drawn(400, 0.15)[-1L])
  expect_true(watch$alarm)
  expect_gt(watch$row, 2000)
  expect_equal(watch$since, 2000, tolerance = 0.03)
  expect_equal(watch$prior[["TRUE"]], 0.15, tolerance = 0.5)
  # An alarm stays.
  expect_identical(update(watch, drawn(3000)[-1L])$row, watch$row)
})

test_that("a feature that breaks is named, and no other", {
  withr::local_seed(1)
  model <- fit(bayes_naive(), y ~ ., drawn(200, features = 4L, apart = 1.5))
  start <- monitor(model)
  broken <- function(change, with_class) {
    new <- drawn(600, features = 4L, apart = 1.5)
    new$X3 <- change(new$X3)
    update(start, if (with_class) new else new[-1L])
  }
  changes <- list(
    function(x) x + 1, function(x) x - 2, function(x) 3 * x, function(x) 0 * x, function(x) 1000 * x
  )
  for (change in changes) {
    for (with_class in c(FALSE, TRUE)) {
      found <- broken(change, with_class)
      expect_identical(setdiff(found$cause, "shares"), "X3", info = deparse(change))
    }
  }
  expect_false(broken(identity, FALSE)$alarm)
})

test_that("decisions take the shares of a monitor as their prior", {
  watch <- valid_monitor()
  model <- valid_models()$naive
  expect_identical(
    predict(model, valid_data(), type = "prob", prior = watch),
    predict(model, valid_data(), type = "prob", prior = watch$prior)
  )
})

test_that("another share is no change of a feature", {
  withr::local_seed(2)
  start <- monitor(fit(bayes_naive(), y ~ ., drawn(200, features = 3L, apart = 1)))
  for (share in c(0.05, 0.95)) {
    found <- update(start, drawn(1000, share, 3L, 1)[-1L])
    expect_identical(found$cause, "shares")
  }
})

test_that("levels that become frequent are named", {
  withr::local_seed(3)
  rows <- function(n) {
    y <- sample(c("a", "b", "c"), n, TRUE)
    data.frame(y, g = ifelse(stats::runif(n) < 0.6, y, "d"),
               h = factor(sample(c("no", "yes"), n, TRUE)), x = stats::rnorm(n) + (y == "a"))
  }
  start <- monitor(fit(bayes_naive(laplace = 1), y ~ ., rows(300)))
  stuck <- rows(500)
  stuck$h[] <- "yes"
  found <- update(start, stuck[-1L])
  expect_identical(found$cause, "h")
  change <- found$evidence$change[found$evidence$watched == "h"]
  expect_match(change, "more often \"yes\"", fixed = TRUE)
  new <- rows(500)
  new$g[] <- "d"
  expect_true("g" %in% update(start, new)$cause)
})

test_that("rows of all kinds are counted", {
  model <- suppressMessages(fit(bayes_naive(laplace = 1), y ~ x + g, valid_data()))
  start <- monitor(model)
  expect_identical(update(start, valid_data()[0L, ]), start)
  none <- update(start, data.frame(x = NA, g = NA))
  expect_identical(none$rows[c("read", "missing")], c(read = 1, missing = 1))
  expect_identical(none$prior, start$prior)
  expect_warning(
    found <- update(start, data.frame(x = c(Inf, 1), g = NA)), class = "bayesrisk_warning_infinite"
  )
  expect_identical(found$rows[["infinite"]], 1)
  expect_warning(
    update(start, data.frame(x = 1, g = "never seen")), class = "bayesrisk_warning_unknown_level"
  )
  some <- transform(valid_data(), y = replace(as.character(y), 1:5, NA))
  expect_identical(update(start, some)$rows[["labelled"]], nrow(some) - 5)
  expect_warning(
    new <- update(start, data.frame(x = 1:2, g = NA, y = c("a", "zebra"))), "zebra",
    class = "bayesrisk_warning_unknown_level"
  )
  expect_identical(new$rows[["labelled"]], 1)
})

test_that("classes are those of truth, of the formula, or none", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  start <- monitor(model)
  with_class <- update(start, iris[1:20, ])
  renamed <- stats::setNames(iris[1:20, ], c(names(iris)[1:4], "flower"))
  expect_identical(update(start, renamed, truth = flower)$state, with_class$state)
  expect_identical(update(start, iris[1:20, -5], iris$Species[1:20])$state, with_class$state)
  expect_identical(update(start, renamed)$rows[["labelled"]], 0)
  expect_bayesrisk_error(update(start, renamed, truth = 1:3), "argument", "20 rows")
  expect_bayesrisk_error(update(start), "argument", "newdata")
  expect_bayesrisk_error(update(start, data_parts(list(iris))), "argument", "order")
  chunks <- chunked(iris, 50L)
  expect_bayesrisk_error(update(start, chunks, truth = iris$Species), "argument", "truth")
})

test_that("what a monitor keeps does not grow", {
  model <- two_normals()
  rows <- simulate(model, 3000, seed = 1)["x"]
  watch <- update(monitor(model), rows[1:1500, , drop = FALSE])
  expect_identical(length(watch$window$row), 1000L)
  expect_identical(range(watch$window$row), c(501, 1500))
  for (i in 1501:2400) watch <- update(watch, rows[i, , drop = FALSE])
  expect_lte(nrow(watch$history), 400L)
  expect_identical(max(watch$history$row), 2400)
  expect_identical(dim(watch$window$likelihood), c(1000L, 2L))
})

test_that("models of all kinds are watched", {
  withr::local_seed(4)
  data <- valid_data()[rep(1:24, 4), ]
  data$x <- data$x + stats::rnorm(96, sd = 0.1)
  data$k <- stats::rpois(96, 3)
  specs <- list(
    bayes_naive(laplace = 1, numeric = likelihood_kernel()),
    bayes_naive(laplace = 1, numeric = likelihood_histogram(laplace = 1)),
    bayes_naive(laplace = 1, numeric = likelihood_mixture(components = 2)),
    bayes_full(laplace = 1), bayes_naive(laplace = 1, features = list(k = likelihood_poisson()))
  )
  for (spec in specs) {
    model <- suppressWarnings(fit(spec, y ~ x + k + g, data))
    found <- update(monitor(model), simulate(model, 200, seed = 1)[-1L])
    expect_false(found$alarm)
    expect_identical(found$rows[["read"]], 200)
  }
  one <- suppressWarnings(fit(bayes_naive(), Species ~ ., droplevels(iris[1:50, ])))
  alone <- monitor(one)
  expect_identical(unique(alone$evidence$kind), "feature")
  expect_true(update(alone, iris[51:100, -5])$alarm)
})

test_that("a class that is hardly ever seen spoils nothing", {
  rare <- bayes_known(
    prior = c(a = 0.6, b = 0.4 - 1e-7, c = 1e-7),
    x = likelihood_gaussian(mean = c(a = 0, b = 2, c = 9), sd = 1)
  )
  new <- simulate(rare, 500, seed = 1)
  start <- monitor(rare)
  expect_false(update(start, new)$alarm)
  expect_false(update(start, new["x"])$alarm)
  broken <- update(start, transform(new["x"], x = x - 3))
  expect_identical(broken$cause[[1L]], "x")
  expect_true(all(is.finite(broken$evidence$evidence)))
  often <- update(start, data.frame(x = stats::qnorm(1:50 / 51, 9)), truth = rep("c", 50))
  expect_identical(often$cause, "shares")
})

test_that("a damaged monitor is an error of the package", {
  watch <- valid_monitor()
  names <- data.frame(y = gl(2, 10), x = rep(c("u", "v", "v", "w", "u"), 4))
  of_names <- monitor(fit(bayes_naive(laplace = 1), y ~ x, names))
  of_names$object <- fit(bayes_naive(), y ~ x, transform(names, x = as.numeric(1:20)))
  expect_error(update(of_names, data.frame(x = 3)), class = "bayesrisk_error_object")
  for (part in c("state", "evidence", "object", "rows")) {
    expect_error(update(replace(watch, part, list(NULL)), valid_data()), class = "bayesrisk_error")
  }
  watch$state$shares$null <- watch$state$shares$null[-1L, ]
  expect_error(update(watch, valid_data()), class = "bayesrisk_error")
})
