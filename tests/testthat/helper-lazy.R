# Predictions for lazy tables, compared with those for the same rows in memory.

# Rows of three classes with all kinds of features. `f`: the class `b` never has the level `w`.
lazy_training <- function(n = 600) {
  withr::local_seed(19)
  m <- sample(3, n, TRUE, c(0.5, 0.3, 0.2))
  f <- c("u", "v", "w")[1 + stats::rbinom(n, 2, m / 4)]
  data.frame(
    y = c("a", "b", "été's")[m], x = stats::rnorm(n, m), offset = stats::rnorm(n, 1e8 + m),
    skewed = stats::rgamma(n, m + 1, 2), f = ifelse(m == 2 & f == "w", "v", f),
    g = c("it's", "b\\s", "A", "a", "a ")[1 + (m + stats::rbinom(n, 3, 0.5)) %% 5],
    count = stats::rpois(n, 3 * m), wide = stats::rnbinom(n, size = m, mu = 20 * m),
    value = sample(c(0, 0.1, 2.5, 1e6), n, TRUE), id = seq_len(n)
  )
}

# New rows with everything that is difficult: missing values, unknown levels, numbers far out,
# impossible ones, no value at all.
lazy_newdata <- function() {
  new <- lazy_training()[1:300, -1]
  new$x[1:20] <- NA
  new$offset[10:30] <- NA
  new$f[25:40] <- NA
  new$g[35:50] <- NA
  new[51:53, setdiff(names(new), "id")] <- NA
  new$f[54:60] <- "unseen"
  new$g[58:62] <- "A "
  new$x[71:80] <- c(40, -40, 1e4, -1e6, 1e100, 1e149, -1e160, 1e8, 37, 12)
  new$offset[81:84] <- c(1e4, -1e6, 1e100, 1e8 + 30)
  new$skewed[91:98] <- c(0, -1, 1e-300, 1e4, 1e100, 30, 1e-9, 3)
  new$count[101:108] <- c(0, 15, 16, 17, 50, 170, 1000, 1e6)
  new$wide[101:108] <- c(15, 16, 17, 100, 400, 1000, 1e5, 1e6)
  new$value[111:112] <- c(0.2, 2.5)
  new
}

# Collects a lazy table in the order of the column `id`, and keeps its new columns.
collect_new <- function(table, data) {
  found <- as.data.frame(dplyr::collect(table))
  expect_identical(names(found)[seq_along(data)], names(data))
  found <- found[order(found$id), setdiff(names(found), names(data)), drop = FALSE]
  found[] <- lapply(found, function(x) if (inherits(x, "integer64")) as.double(x) else x)
  rownames(found) <- NULL
  found
}

# Expects numbers within 1e-12, relative to the second where its size is above 1e-300. Numbers that
# are not finite must be equal, except that some engines have no infinite ones. `size`: of the log
# joints of the rows; the rounding of log joints beyond 1000 shows in probabilities.
expect_close <- function(found, expected, size = 0) {
  found <- unname(as.matrix(found))
  expected <- unname(as.matrix(expected))
  storage.mode(found) <- "double"
  endless <- which(abs(found) > 1.79e308)
  found[endless] <- sign(found[endless]) * Inf
  expect_identical(is.na(found), is.na(expected))
  differs <- !is.na(expected) & found != expected & abs(expected) > 1e-300
  off <- abs(found / expected - 1) / pmax(1, size / 1000)
  expect_lt(max(0, off[differs]), 1e-12)
}

quietly <- function(x) suppressWarnings(x, classes = "bayesrisk_warning")

joint_sizes <- function(model, data, ...) {
  joint <- abs(quietly(predict(model, data, type = "log_joint", ...)))
  joint[!is.finite(joint)] <- 0
  apply(joint, 1L, max)
}

# Expects the predictions of a type for a lazy table to be those of the rows in memory.
expect_lazy_scores <- function(model, table, data, types, ...) {
  size <- joint_sizes(model, data, ...)
  levels <- model$schema$classes$levels
  for (type in types) {
    found <- collect_new(predict(model, table, type = type, ...), data)
    expected <- quietly(predict(model, data, type = type, ...))
    if (is.list(expected)) {
      expect_identical(found$.pred_class, as.character(expected$class))
      expect_identical(as.logical(found$.impossible), is.na(expected$class))
      expect_close(found[paste0(".pred_", levels)], expected$posterior, size)
    } else {
      expect_close(found[seq_len(NCOL(expected))], expected, if (type != "log_joint") size else 0)
    }
  }
}

expect_lazy_decisions <- function(model, table, data, cost, ...) {
  expect_decisions(collect_new(decide(model, table, cost, ...), data), model, data, cost, ...)
}

expect_decisions <- function(found, model, data, cost, ...) {
  expected <- as.data.frame(quietly(decide(model, data, cost, ...)))
  size <- joint_sizes(model, data, ...)
  for (column in c("decision", "runner_up")) {
    # A column of nothing but missing values has no type in some engines.
    expect_identical(as.character(found[[paste0(".", column)]]), as.character(expected[[column]]))
  }
  expect_identical(as.logical(found$.tie), expected$tie)
  costs <- grep("^cost", names(expected), value = TRUE)
  expect_close(found[paste0(".", costs)], expected[costs], size)
  # A small margin is a difference of larger numbers.
  scale <- pmax(1, abs(expected$cost))
  expect_close(found$.margin + scale, expected$margin + scale, size)
}

# A model of each likelihood, and of joint blocks.
lazy_models <- function() {
  data <- lazy_training()
  single <- function(feature, likelihood, ..., rows = data) {
    spec <- bayes_naive(laplace = 1, features = stats::setNames(list(likelihood), feature))
    suppressWarnings(fit(spec, stats::reformulate(c(feature, ...), "y"), rows))
  }
  list(
    gaussian = fit(bayes_naive(), y ~ x + offset, data),
    categorical = suppressWarnings(fit(bayes_naive(), y ~ x + f + g, data)),
    gamma = single("skewed", likelihood_gamma(), "x"),
    poisson = single("count", likelihood_poisson(), "x"),
    negative_binomial = single("wide", likelihood_negative_binomial(), "f"),
    histogram = single("skewed", likelihood_histogram(width = 0.5, laplace = 1), "f"),
    sparse_histogram = single("skewed", likelihood_histogram(breaks = "Sturges"), "x"),
    empirical = single("value", likelihood_empirical(), "f"),
    mixture = single("x", likelihood_mixture(2), "g"),
    # So few rows that all values are kept: the engine scores a grid by series, SQL by sums.
    kernel = single("offset", likelihood_kernel(), "f", rows = data[1:100, ]),
    joint_table = suppressWarnings(fit(bayes_full(), y ~ f + g, data)),
    multivariate_gaussian = fit(bayes_full(), y ~ x + offset + skewed, data),
    multivariate_mixture = fit(
      bayes_full(joint = likelihood_mixture(1:2, starts = 2)), y ~ x + offset, data
    ),
    joint_histogram = suppressWarnings(fit(
      bayes_full(joint = likelihood_histogram(width = 1.5, laplace = 0.5)), y ~ x + skewed, data
    )),
    sparse_joint_histogram = fit(
      bayes_full(joint = likelihood_histogram(breaks = "Sturges")), y ~ x + skewed, data
    ),
    pooled = fit(bayes_full(covariance = "pooled", laplace = 1), y ~ x + skewed + f, data),
    functions = fit(bayes_naive(), y ~ log(abs(x) + 1) + I(count / 2), data),
    prior = fit(bayes_naive(), y ~ 1, data)
  )
}

lazy_costs <- function() {
  fee <- 3
  # The costs are unwise, to be difficult.
  suppressWarnings(list(
    zero_one = NULL,
    refer = cost_matrix(
      A = c(a = 0, b = 5, `été's` = 9), B = c(a = 2, b = 0, `été's` = 3),
      C = c(a = 4, b = 1, `été's` = 0), refer = 1.2
    ),
    never = cost_matrix(
      A = c(a = 0, b = 5, `été's` = Inf), B = c(a = -2, b = 0, `été's` = 3), `it's` = 40
    ),
    by_case = cost_matrix(
      pay = list(a = 0, b = ~ count * fee, `été's` = ~ 10 + id),
      wait = list(a = 1, b = 2, `été's` = ~x), refer = 4
    ),
    single = cost_matrix(only = 1)
  ))
}

normal_model <- function() {
  bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 3), sd = 1))
}
