# More features than rows: the work for each feature counts, not that for each row.

wide_data <- function(n, p) {
  set.seed(1)
  y <- factor(rep_len(c("a", "b"), n))
  x <- matrix(stats::rnorm(n * p), n, p, dimnames = list(NULL, paste0("g", seq_len(p))))
  data <- list(x = x, y = y, code = as.integer(y), frame = data.frame(y = y, x))
  data$model <- fit_xy(bayes_naive(), x, y)
  data
}

# The means of some features in each class, the rows of the table, and the two ways to read.
wide_same <- function(d) {
  some <- some_rows(ncol(d$x), 100)
  theirs <- rowsum(d$x[, some], d$code) / as.vector(table(d$code))
  ours <- vapply(coef(d$model)[1L + some], function(feature) feature[, "mean"], c(a = 0, b = 0))
  must_agree("rowsum()", max(abs(unname(ours) - unname(theirs))))
  table <- tidy(d$model)
  if (nrow(table) != 2 + 4 * ncol(d$x)) stop("tidy() has lost rows", call. = FALSE)
  must_agree("data frame", posterior_gap(
    predict(d$model, d$x, "prob"), predict(d$model, d$frame, "prob")
  ))
}

wide_settings <- function(mode) {
  p <- if (mode$name == "full") 50000L else 5000L
  ours <- function(run) c(list(bayesrisk = run), limit_read)
  list(list(
    topic = "wide", n = 200, p = p, k = 2L, make = function() wide_data(200, p), same = wide_same,
    tasks = list(
      `wide: fit, matrix` = ours(function(d) fit_xy(bayes_naive(), d$x, d$y)),
      `wide: fit, formula` = ours(function(d) fit(bayes_naive(), y ~ ., d$frame)),
      `wide: class` = ours(function(d) predict(d$model, d$x)),
      `wide: tidy` = ours(function(d) tidy(d$model)),
      `wide: cv_risk, 10 folds` = ours(function(d) cv_risk(bayes_naive(), y ~ ., d$frame))
    )
  ))
}
