# Gaussian naive Bayes: fit, class and posterior.

# Overlapping classes, one column mean per class. `frame` holds the same numbers.
gaussian_data <- function(n, p, k, order = "random") {
  set.seed(1)
  code <- sample(rep_len(seq_len(k), n))
  if (order == "sorted") code <- sort(code)
  x <- matrix(stats::rnorm(n * p), n, p, dimnames = list(NULL, paste0("x", seq_len(p))))
  x <- x + code / 2
  y <- factor(sprintf("class%03d", code))
  list(x = x, y = y, code = code, frame = data.frame(y = y, x), some = some_rows(n))
}

gaussian_fits <- list(
  bayesrisk = function(d) fit_xy(bayes_naive(), d$x, d$y),
  `bayesrisk: data frame` = function(d) fit(bayes_naive(), y ~ ., d$frame),
  `bayesrisk: 2 threads` = function(d) fit_xy(bayes_naive(), d$x, d$y, threads = 2L),
  naivebayes = function(d) naivebayes::gaussian_naive_bayes(d$x, d$y),
  Rfast = function(d) Rfast::gaussian.nb(x = d$x, ina = d$code),
  collapse = function(d) {
    list(mean = collapse::fmean(d$x, d$y), variance = collapse::fvar(d$x, d$y))
  }
)

# Left out of quick runs, because these would take much longer.
gaussian_fits_more <- list(
  `base: rowsum() twice` = function(d) list(rowsum(d$x, d$code), rowsum(d$x^2, d$code)),
  data.table = function(d) {
    columns <- colnames(d$x)
    d$table[, c(lapply(.SD, mean), lapply(.SD, stats::var)), by = y, .SDcols = columns]
  },
  fastNaiveBayes = function(d) fastNaiveBayes::fnb.gaussian(d$x, d$y),
  e1071 = function(d) e1071::naiveBayes(d$x, d$y)
)

gaussian_classes <- list(
  bayesrisk = function(d) predict(d$models$bayesrisk, d$x),
  `bayesrisk: data frame` = function(d) predict(d$models$bayesrisk, d$frame),
  `bayesrisk: 2 threads` = function(d) predict(d$models$bayesrisk, d$x, threads = 2L),
  naivebayes = function(d) predict(d$models$naivebayes, d$x, type = "class"),
  Rfast = function(d) {
    with(d$models$Rfast, Rfast::gaussiannb.pred(d$x, mu, sigma, ni))
  }
)

gaussian_posteriors <- list(
  bayesrisk = function(d) predict(d$models$bayesrisk, d$x, type = "prob"),
  `bayesrisk: 2 threads` = function(d) {
    predict(d$models$bayesrisk, d$x, type = "prob", threads = 2L)
  },
  naivebayes = function(d) predict(d$models$naivebayes, d$x, type = "prob")
)

gaussian_predict_fast <- function(type) {
  list(fastNaiveBayes = function(d) predict(d$models$fastNaiveBayes, d$x, type = type))
}

# It calls an R closure for each row and feature, which takes minutes above 1e4 rows.
gaussian_predict_e1071 <- function(type) {
  list(e1071 = function(d) predict(d$models$e1071, d$x, type = type))
}

gaussian_same <- function(d) {
  x <- d$x[d$some, , drop = FALSE]
  models <- d$models
  ours <- predict(models$bayesrisk, x, "prob")
  notes <- NULL
  for (who in setdiff(names(models), c("bayesrisk", "Rfast"))) {
    type <- c(naivebayes = "prob", fastNaiveBayes = "raw", e1071 = "raw")[[who]]
    rows <- if (who == "e1071") seq_len(min(200L, nrow(x))) else seq_len(nrow(x))
    gap <- posterior_gap(
      ours[rows, , drop = FALSE], predict(models[[who]], x[rows, , drop = FALSE], type = type)
    )
    notes <- c(notes, must_agree(who, gap, known_wrong = gaussian_known_wrong(who, ncol(x))))
  }
  if (!is.null(models$Rfast)) {
    theirs <- with(models$Rfast, Rfast::gaussiannb.pred(x, mu, sigma, ni))
    must_agree("Rfast", class_gap(ours, theirs), limit = 0)
  }
  if (available("collapse")) collapse_same(d)
  threads <- identical(
    fit_xy(bayes_naive(), d$x, d$y, threads = 2L)$parameters, models$bayesrisk$parameters
  )
  if (!threads) stop("two threads give another model", call. = FALSE)
  notes
}

gaussian_known_wrong <- function(who, p) {
  if (who == "fastNaiveBayes" && p >= 100) "wrong: exp() of log densities without a shift"
}

collapse_same <- function(d) {
  ours <- coef(d$models$bayesrisk)[colnames(d$x)]
  theirs <- gaussian_fits$collapse(d)
  relative <- function(a, b) max(abs(a - b) / pmax(abs(b), 1e-6))
  means <- vapply(ours, function(feature) feature[, "mean"], theirs$mean[, 1])
  sds <- vapply(ours, function(feature) feature[, "sd"], theirs$mean[, 1])
  must_agree("collapse", max(relative(means, theirs$mean), relative(sds^2, theirs$variance)))
}

# `reach`: "ours" alone, with the usual "peers", or with "all" of them.
gaussian_setting <- function(n, p, k, reach = "peers", order = "random", topic = "gaussian") {
  ours <- function(list) list[reach != "ours" | package_of(names(list)) == "bayesrisk"]
  all <- reach == "all"
  fits <- c(ours(gaussian_fits), if (all) gaussian_fits_more)
  # It takes long where there are many features.
  if (p > 100) fits$e1071 <- NULL
  # Seconds per call are enough to know how slow they are.
  slow <- n * p <= 1e5 && all
  predicted <- function(own, type_fast, type_slow) {
    c(
      ours(own), if (all) gaussian_predict_fast(type_fast),
      if (slow) gaussian_predict_e1071(type_slow)
    )
  }
  scores <- limit_fma(2 * n * p * k)
  list(
    topic = topic, n = n, p = p, k = k, order = order,
    make = function() {
      data <- gaussian_data(n, p, k, order)
      if (all && available("data.table")) data$table <- data.table::as.data.table(data$frame)
      own <- c("bayesrisk", "naivebayes", "Rfast", if (all) c("fastNaiveBayes", "e1071"))
      fitted <- installed_only(fits[intersect(own, names(fits))])
      data$models <- lapply(fitted, function(fit) fit(data))
      data
    },
    same = gaussian_same,
    tasks = list(
      `Gaussian naive fit` = c(fits, limit_read),
      `Gaussian naive class` = c(
        predicted(gaussian_classes, "class", "class"), limit_read, scores
      ),
      `Gaussian naive posterior` = c(
        predicted(gaussian_posteriors, "raw", "raw"), limit_read, scores, limit_touch(n * k)
      )
    )
  )
}

gaussian_settings <- function(mode) {
  reach <- if (mode$name == "full") "all" else "peers"
  more <- if (mode$name == "full") {
    list(
      gaussian_setting(1e6, 10L, 3L, order = "sorted"),
      gaussian_setting(1e6, 32L, 2L, order = "sorted"),
      gaussian_setting(1e6, 32L, 10L, reach = "ours"),
      gaussian_setting(1e7, 8L, 2L, reach = "ours")
    )
  }
  c(
    list(
      gaussian_setting(1e6, 10L, 3L, reach), gaussian_setting(1e6, 32L, 2L, reach),
      gaussian_setting(1e5, 500L, 3L, reach), gaussian_setting(1e4, 10L, 3L, reach)
    ),
    more
  )
}
