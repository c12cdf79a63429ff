# Expected costs before and after a feature is seen, from a posterior and densities to a power: by
# sums over values or by integrate(), each divided by its own integral.
after_of <- function(weight, density, power, cost, values = NULL, breaks = NULL) {
  parts <- function(f) {
    if (!is.null(values)) return(sum(f(values)))
    sum(vapply(seq_len(length(breaks) - 1L), function(i) {
      stats::integrate(f, breaks[[i]], breaks[[i + 1L]], rel.tol = 1e-9, subdivisions = 1000L)$value
    }, 1))
  }
  raised <- lapply(density, function(d) function(x) d(x)^power)
  total <- vapply(raised, parts, 1)
  parts(function(x) {
    joint <- vapply(seq_along(weight), function(k) {
      weight[[k]] * raised[[k]](x) / total[[k]]
    }, numeric(length(x)))
    expected <- matrix(joint, length(x)) %*% t(cost)
    apply(expected, 1L, min)
  })
}

belief_cost <- rbind(a = c(0, 5), b = c(2, 0), ask = c(0.7, 0.7))

belief_cost_matrix <- function() {
  cost_matrix(a = c(a = 0, b = 5), b = c(a = 2, b = 0), ask = 0.7)
}

belief_data <- function() {
  set.seed(4)
  y <- rep(c("a", "b"), c(30, 25))
  z <- rnorm(55)
  data.frame(
    y = y, x = (y == "b") + z + rnorm(55) / 3, w = (y == "b") + z + rnorm(55) / 3,
    v = rexp(55) + 0.2 * (y == "b") + exp(z) / 3,
    n = rpois(55, ifelse(y == "b", 6, 3) * exp(z / 3)),
    g = sample(c("u", "v", "w"), 55, TRUE), h = sample(c("s", "t"), 55, TRUE)
  )
}

test_that("the belief of next_feature() is that which decide() prices", {
  data <- belief_data()
  cost <- belief_cost_matrix()
  for (by in c("model", "block")) {
    model <- temper(fit(bayes_naive(laplace = 1), y ~ ., data), data, by = by, bias = by == "block")
    cases <- data[1:6, ]
    cases[cbind(1:6, c(2, 3, 4, 6, 7, 2))] <- NA
    cases$x[4] <- NA
    cases[c("x", "w", "v", "n")] <- lapply(cases[c("x", "w", "v", "n")], as.numeric)
    steps <- as.data.frame(next_feature(model, cases, cost))
    expect_equal(steps$cost_now, decide(model, cases, cost)$cost[steps$row], tolerance = 1e-12)
    expect_true(all(steps$cost_after <= steps$cost_now))
  }
})

test_that("a normal, a table and a block of normals count to their powers", {
  data <- belief_data()
  cost <- belief_cost_matrix()
  model <- temper(fit(bayes_naive(laplace = 1), y ~ x + w + g, data), data)
  power <- coef(model)$temper$power[["x"]]
  cases <- data.frame(x = c(NA, 0.4), w = 0.3, g = c("u", NA))
  steps <- as.data.frame(next_feature(model, cases, cost))
  p <- predict(model, cases, type = "prob")
  m <- coef(model)
  density <- lapply(c("a", "b"), function(k) {
    function(x) stats::dnorm(x, m$x[k, "mean"], m$x[k, "sd"])
  })
  expect_equal(
    steps$cost_after[[1]],
    after_of(p[1, ], density, power, belief_cost, breaks = seq(-20, 20, 0.5)), tolerance = 1e-7
  )
  levels <- lapply(c("a", "b"), function(k) function(x) unname(m$g[k, x]))
  expect_equal(
    steps$cost_after[[2]],
    after_of(p[2, ], levels, power, belief_cost, values = c("u", "v", "w")), tolerance = 1e-12
  )
  full <- temper(fit(bayes_full(), y ~ x + w, data), data)
  case <- data.frame(x = NA_real_, w = 0.3)
  seen <- next_feature(full, case, cost)
  power <- coef(full)$temper$power[[1]]
  moments <- lapply(split(data[c("x", "w")], data$y), function(d) {
    s <- stats::cov(d)
    slope <- s[1, 2] / s[2, 2]
    c(mean(d$x) + slope * (0.3 - mean(d$w)), sqrt(s[1, 1] - slope * s[1, 2]))
  })
  density <- lapply(moments, function(of) function(x) stats::dnorm(x, of[[1]], of[[2]]))
  expect_equal(
    seen$cost_after,
    after_of(predict(full, case, type = "prob")[1, ], density, power, belief_cost,
             breaks = seq(-10, 10, 0.25)),
    tolerance = 1e-7
  )
})

test_that("gammas, counts, bins, kernels and mixtures count to their powers", {
  skip_on_cran()
  data <- belief_data()
  cost <- belief_cost_matrix()
  shapes <- list(
    v = list(likelihood_gamma(), breaks = c(1e-9, seq(0.05, 40, 0.25))),
    x = list(likelihood_kernel(), breaks = seq(-12, 12, 0.1)),
    x = list(likelihood_mixture(2), breaks = seq(-25, 25, 0.1)),
    x = list(likelihood_histogram(breaks = seq(-4, 5, 1)), breaks = seq(-4, 5, 1)),
    n = list(likelihood_poisson(), values = 0:200),
    n = list(likelihood_negative_binomial(), values = 0:3000)
  )
  for (i in seq_along(shapes)) {
    name <- names(shapes)[[i]]
    spec <- bayes_naive(features = stats::setNames(shapes[[i]][1], name))
    model <- suppressWarnings(fit(spec, stats::reformulate(c(name, "w"), "y"), data))
    tempered <- suppressWarnings(temper(model, data, by = "block"))
    power <- coef(tempered)$temper$power[[name]]
    if (power < 0.05) {
      power <- 0.6
      tempered$parameters$temper$power[[name]] <- power
    }
    case <- stats::setNames(data.frame(NA_real_, 0.3), c(name, "w"))
    found <- next_feature(tempered, case, cost)$cost_after
    density <- lapply(c("a", "b"), function(k) {
      function(x) {
        rows <- stats::setNames(data.frame(as.numeric(x), NA_real_), c(name, "w"))
        exp(predict(model, rows, type = "log_likelihood")[, k])
      }
    })
    p <- predict(tempered, case, type = "prob")[1, ]
    expect_equal(
      found, after_of(p, density, power, belief_cost, shapes[[i]]$values,
                      shapes[[i]]$breaks),
      tolerance = 1e-5, info = class(shapes[[i]][[1]])[[1]]
    )
  }
})
