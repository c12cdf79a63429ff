# Known parameters are recovered: for each likelihood data are drawn by R's own generators, and the
# estimates must differ from the true parameters as far as their standard errors allow. These come
# from the observed information of a second implementation of the density, at the true parameters.

# Probabilities of all values but the last, as parameters; and a mixture of two normals.
log_share <- function(x, p) log(c(p, 1 - sum(p))[x])
draw_share <- function(n, p) sample(length(p) + 1L, n, TRUE, c(p, 1 - sum(p)))
humps <- function(x, p) {
  log(p[[1]] * stats::dnorm(x, p[[2]], p[[4]]) + (1 - p[[1]]) * stats::dnorm(x, p[[3]], p[[5]]))
}

# The parameters of the classes a and b, named as tidy() names them; how n values are drawn; their
# log density; and how x becomes the column of the data.
recovery_cases <- function() {
  list(
    gaussian = list(
      likelihood_gaussian(), a = c(mean = 1, sd = 2), b = c(mean = -3, sd = 0.5),
      draw = function(n, p) stats::rnorm(n, p[[1]], p[[2]]),
      density = function(x, p) stats::dnorm(x, p[[1]], p[[2]], log = TRUE)
    ),
    gamma = list(
      likelihood_gamma(), a = c(shape = 2, rate = 0.5), b = c(shape = 0.7, rate = 3),
      draw = function(n, p) stats::rgamma(n, p[[1]], p[[2]]),
      density = function(x, p) stats::dgamma(x, p[[1]], p[[2]], log = TRUE)
    ),
    poisson = list(
      likelihood_poisson(), a = c(rate = 0.3), b = c(rate = 20),
      draw = function(n, p) stats::rpois(n, p[[1]]),
      density = function(x, p) stats::dpois(x, p[[1]], log = TRUE)
    ),
    negative_binomial = list(
      likelihood_negative_binomial(), a = c(size = 2, mean = 3), b = c(size = 0.8, mean = 9),
      draw = function(n, p) stats::rnbinom(n, size = p[[1]], mu = p[[2]]),
      density = function(x, p) stats::dnbinom(x, size = p[[1]], mu = p[[2]], log = TRUE)
    ),
    mixture = list(
      likelihood_mixture(2),
      a = c(`weight 1` = 0.6, `mean 1` = 0, `mean 2` = 4, `sd 1` = 1, `sd 2` = 0.7),
      b = c(`weight 1` = 0.7, `mean 1` = 1, `mean 2` = 9, `sd 1` = 2, `sd 2` = 1),
      draw = function(n, p) {
        first <- stats::runif(n) < p[[1]]
        stats::rnorm(n, ifelse(first, p[[2]], p[[3]]), ifelse(first, p[[4]], p[[5]]))
      },
      density = humps
    ),
    categorical = list(
      likelihood_categorical(), a = c(`probability 1` = 0.2, `probability 2` = 0.5),
      b = c(`probability 1` = 0.7, `probability 2` = 0.1), draw = draw_share, density = log_share,
      column = function(x) factor(x, 1:3)
    ),
    histogram = list(
      likelihood_histogram(breaks = c(0, 1, 2, 3), laplace = 0),
      a = c(`probability [0, 1)` = 0.2, `probability [1, 2)` = 0.5),
      b = c(`probability [0, 1)` = 0.7, `probability [1, 2)` = 0.1),
      draw = draw_share, density = log_share, column = function(x) x - 0.5
    ),
    empirical = list(
      likelihood_empirical(), a = c(`probability 1` = 0.2, `probability 2` = 0.5),
      b = c(`probability 1` = 0.7, `probability 2` = 0.1), draw = draw_share, density = log_share
    )
  )
}

# The estimates minus the true parameters, in standard errors.
recovery_errors <- function(case, seed, n = 2000L) {
  x <- withr::with_seed(seed, lapply(case[c("a", "b")], function(p) case$draw(n, p)))
  column <- if (is.null(case$column)) identity else case$column
  data <- data.frame(x = column(unlist(x)), class = rep(c("a", "b"), each = n))
  model <- fit(bayes_naive(features = list(x = case[[1L]])), class ~ x, data)
  rows <- tidy(model)
  rows$name <- trimws(paste(rows$statistic, ifelse(is.na(rows$level), "", rows$level)))
  unlist(lapply(c("a", "b"), function(class) {
    truth <- case[[class]]
    own <- rows[rows$class == class & rows$term == "x", ]
    information <- stats::optimHess(truth, function(p) -sum(case$density(x[[class]], p)))
    (own$estimate[match(names(truth), own$name)] - truth) / sqrt(diag(solve(information)))
  }))
}

seeds <- 1:5

test_that("each likelihood of single features recovers its parameters", {
  skip_on_cran()
  for (name in names(recovery_cases())) {
    case <- recovery_cases()[[name]]
    errors <- unlist(lapply(seeds, recovery_errors, case = case))
    expect_false(anyNA(errors), label = name)
    expect_lt(max(abs(errors)), 4, label = paste("the largest error of", name))
    # The mean of m squares of standard normals is 1, with standard error sqrt(2 / m).
    expect_lt(abs(mean(errors^2) - 1), 4 * sqrt(2 / length(errors)), label = name)
  }
})

test_that("a kernel density comes near to the density", {
  at <- c(-1, 0, 1.5)
  for (seed in seeds) {
    x <- withr::with_seed(seed, stats::rnorm(2000))
    data <- data.frame(x = c(x, x + 9), class = rep(c("a", "b"), each = 2000L))
    model <- fit(bayes_naive(numeric = likelihood_kernel()), class ~ x, data)
    found <- exp(predict(model, data.frame(x = at), type = "log_likelihood")[, "a"])
    rows <- tidy(model)
    h <- rows$estimate[rows$statistic == "bandwidth" & rows$class == "a"]
    # Its mean is the density of a normal of variance 1 + h^2; its variance is at most
    # f / (2 n h sqrt(pi)).
    mean <- stats::dnorm(at, 0, sqrt(1 + h^2))
    error <- sqrt(stats::dnorm(at) / (2000 * h * 2 * sqrt(pi)))
    expect_lt(max(abs(found - mean) / error), 4)
  }
})

test_that("bags recover the probabilities of their terms", {
  share <- list(a = c(r = 0.2, s = 0.3, t = 0.5), b = c(r = 0.6, s = 0.3, t = 0.1))
  n <- 1000L
  for (seed in seeds) {
    withr::local_seed(seed)
    counts <- do.call(rbind, lapply(share, function(p) t(stats::rmultinom(n, 10L, p))))
    present <- do.call(rbind, lapply(share, function(p) {
      matrix(stats::rbinom(3L * n, 1L, rep(p, each = n)), n, dimnames = list(NULL, names(p)))
    }))
    class <- rep(c("a", "b"), each = n)
    cases <- list(multinomial = list(counts, 10L * n), bernoulli = list(present, n))
    for (name in names(cases)) {
      model <- fit(bayes_text(name), cases[[name]][[1L]], class)
      found <- coef(model)$terms
      truth <- do.call(rbind, share)
      error <- sqrt(truth * (1 - truth) / cases[[name]][[2L]])
      expect_lt(max(abs(found - truth) / error), 4, label = name)
    }
  }
})

test_that("joint blocks recover means, covariances and cells", {
  mean <- c(x = 1, y = -2)
  sigma <- matrix(c(2, 0.9, 0.9, 1), 2L, dimnames = list(names(mean), names(mean)))
  cells <- matrix(c(0.1, 0.2, 0.3, 0.4), 2L)
  n <- 2000L
  for (seed in seeds) {
    withr::local_seed(seed)
    drawn <- lapply(1:2, function(class) {
      z <- matrix(stats::rnorm(2L * n), n) %*% chol(sigma)
      cell <- sample(4L, n, TRUE, cells)
      data.frame(x = z[, 1L] + class, y = z[, 2L] - 2, u = (cell - 1L) %% 2L > 0, v = cell > 2L)
    })
    data <- cbind(do.call(rbind, drawn), class = rep(c("a", "b"), each = n))
    found <- coef(fit(bayes_full(), class ~ x + y, data))$numeric
    expect_lt(max(abs(found$mean["a", ] - mean) / sqrt(diag(sigma) / n)), 4)
    error <- sqrt((tcrossprod(diag(sigma)) + sigma^2) / n)
    expect_lt(max(abs(found$covariance$a - sigma) / error), 4)
    table <- fit(bayes_full(), class ~ u + v, data)
    all_cells <- expand.grid(u = c(FALSE, TRUE), v = c(FALSE, TRUE))
    found <- exp(predict(table, all_cells, type = "log_likelihood"))
    expect_lt(max(abs(found - c(cells)) / sqrt(c(cells) * (1 - c(cells)) / n)), 4)
  }
})

test_that("every likelihood is among those that are recovered", {
  elsewhere <- c("kernel", "multinomial", "bernoulli")
  expect_setequal(c(names(recovery_cases()), elsewhere), names(single_records()))
})
