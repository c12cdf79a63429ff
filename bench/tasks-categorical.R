# Categorical naive Bayes: data frames of factors.

# The class moves a third of the codes. `missing`: the share of NA.
categorical_data <- function(n, p, levels, k, missing = 0) {
  set.seed(1)
  code <- sample(rep_len(seq_len(k), n))
  names <- sprintf("level%04d", seq_len(levels))
  column <- function(j) {
    moved <- sample.int(levels, n, TRUE) + ifelse(stats::runif(n) < 1 / 3, code, 0L)
    value <- moved %% levels + 1L
    if (missing > 0) value[stats::runif(n) < missing] <- NA
    structure(as.integer(value), levels = names, class = "factor")
  }
  x <- stats::setNames(lapply(seq_len(p), column), paste0("x", seq_len(p)))
  x <- as.data.frame(x)
  y <- factor(sprintf("class%03d", code))
  list(x = x, y = y, frame = data.frame(y = y, x), some = some_rows(n))
}

categorical_fits <- list(
  bayesrisk = function(d) fit(bayes_naive(), y ~ ., d$frame),
  `bayesrisk: 2 threads` = function(d) fit(bayes_naive(), y ~ ., d$frame, threads = 2L),
  naivebayes = function(d) naivebayes::naive_bayes(d$x, d$y),
  bnclassify = function(d) bnclassify::lp(bnclassify::nb("y", d$frame), d$frame, smooth = 0),
  e1071 = function(d) e1071::naiveBayes(d$x, d$y)
)

categorical_classes <- list(
  bayesrisk = function(d) predict(d$models$bayesrisk, d$frame),
  `bayesrisk: 2 threads` = function(d) predict(d$models$bayesrisk, d$frame, threads = 2L),
  naivebayes = function(d) predict(d$models$naivebayes, d$x, type = "class"),
  bnclassify = function(d) predict(d$models$bnclassify, d$frame)
)

categorical_same <- function(d) {
  x <- d$x[d$some, ]
  models <- d$models
  ours <- predict(models$bayesrisk, x, "prob")
  if (!is.null(models$naivebayes)) {
    must_agree("naivebayes", posterior_gap(ours, predict(models$naivebayes, x, type = "prob")))
  }
  if (!is.null(models$bnclassify)) {
    must_agree("bnclassify", posterior_gap(ours, predict(models$bnclassify, x, prob = TRUE)))
  }
  if (!is.null(models$e1071)) {
    few <- seq_len(min(200L, nrow(x)))
    theirs <- predict(models$e1071, x[few, ], type = "raw")
    must_agree("e1071", posterior_gap(ours[few, ], theirs))
  }
  NULL
}

categorical_setting <- function(n, p, levels, k, missing = 0, reach = "peers",
                                topic = "categorical") {
  # The peers warn about missing values, and bnclassify then uses a slower algorithm.
  alone <- reach == "ours" || missing > 0
  chosen <- function(list) list[!alone | package_of(names(list)) == "bayesrisk"]
  small <- if (n <= 1e4 && !alone) {
    list(e1071 = function(d) predict(d$models$e1071, d$x, type = "class"))
  }
  setting <- list(
    topic = topic, n = n, p = p, k = k, levels = levels,
    make = function() {
      data <- categorical_data(n, p, levels, k, missing)
      data$models <- lapply(
        installed_only(chosen(categorical_fits)[-2]), function(fit) fit(data)
      )
      data
    },
    same = categorical_same,
    tasks = list(
      `Categorical fit` = c(chosen(categorical_fits), limit_read_codes),
      `Categorical class` = c(chosen(categorical_classes), small, limit_read_codes)
    )
  )
  if (missing > 0) setting$order <- sprintf("random, %g %% missing", 100 * missing)
  setting
}

categorical_settings <- function(mode) {
  more <- if (mode$name == "full") {
    list(
      categorical_setting(1e6, 10L, 2L, 2L), categorical_setting(1e6, 10L, 300L, 3L),
      categorical_setting(1e5, 100L, 5L, 3L), categorical_setting(1e6, 10L, 8L, 3L, missing = 0.05),
      categorical_setting(1e4, 10L, 8L, 3L), text_column_setting(1e6, 1e5)
    )
  }
  c(list(categorical_setting(1e6, 10L, 8L, 3L), categorical_setting(1e6, 10L, 50L, 10L)), more)
}

# A column of text instead of a factor.
text_column_data <- function(n, levels) {
  set.seed(1)
  words <- sprintf("word%06d", sample.int(10L * levels, levels))
  x <- sample(words, n, TRUE)
  y <- factor(sample(c("a", "b", "c"), n, TRUE))
  data <- list(x = x, y = y, frame = data.frame(y = y, x = x), some = some_rows(n))
  data$factor <- data.frame(y = y, x = factor(x, sort(unique(x), method = "radix")))
  data$model <- fit(bayes_naive(laplace = 1), y ~ x, data$frame)
  data
}

text_column_same <- function(d) {
  of_factor <- fit(bayes_naive(laplace = 1), y ~ x, d$factor)
  must_agree("factor", posterior_gap(
    predict(d$model, d$frame[d$some, ], "prob"), predict(of_factor, d$factor[d$some, ], "prob")
  ), limit = 0)
  counts <- table(d$x, d$y)[d$x[d$some], ] + 1
  share <- counts / (rep(table(d$y), each = nrow(counts)) + length(unique(d$x)))
  joint <- share * rep(table(d$y), each = nrow(share))
  must_agree("table()", max(abs(
    unname(predict(d$model, d$frame[d$some, ], "prob")) - unname(unclass(joint / rowSums(joint)))
  )))
}

text_column_setting <- function(n, levels) {
  list(
    topic = "categorical", n = n, p = 1L, k = 3L, levels = levels, order = "text",
    make = function() text_column_data(n, levels), same = text_column_same,
    tasks = list(
      `Text column fit` = list(
        bayesrisk = function(d) fit(bayes_naive(laplace = 1), y ~ x, d$frame),
        `bayesrisk: factor` = function(d) fit(bayes_naive(laplace = 1), y ~ x, d$factor),
        `yardstick: unique() and match()` = function(d) match(d$x, unique(d$x))
      ),
      `Text column class` = list(
        bayesrisk = function(d) predict(d$model, d$frame),
        `yardstick: match()` = function(d) match(d$x, d$model$schema$features$x$levels)
      )
    )
  )
}
