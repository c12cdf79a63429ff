# Rscript bench/fit-predict.R: fit and class prediction against the peers, in one R process.
# Prints a line per task and peer: seconds (median), how many times longer than ours the peer
# takes, and for ours the share of the read ceiling that was reached. Stores nothing.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
prepare(root, "bench")
library(bayesrisk)
source(file.path(root, "bench", "race.R"))
Rcpp::sourceCpp(file.path(root, "bench", "ceiling.cpp"))

available <- function(package) requireNamespace(package, quietly = TRUE)

# Three overlapping classes, one column mean per class.
make_data <- function(n, p, sorted, classes = 3L) {
  set.seed(1)
  code <- sample(rep_len(seq_len(classes), n))
  if (sorted) code <- sort(code)
  x <- matrix(stats::rnorm(n * p), n, p, dimnames = list(NULL, paste0("x", seq_len(p))))
  list(x = x + code / 2, y = factor(letters[code]))
}

# Posteriors are compared and not classes: MASS draws between classes whose posteriors differ by
# less than a share of 1e-5.
must_agree <- function(peer, ours, theirs) {
  gap <- max(abs(ours - as.matrix(theirs)[, colnames(ours)]))
  if (is.na(gap) || gap > 1e-9) stop(peer, ": the posteriors differ by ", gap, call. = FALSE)
}

race_gaussian <- function(n, p, sorted) {
  data <- make_data(n, p, sorted)
  x <- data$x
  y <- data$y
  ours <- fit_xy(bayes_naive(), x, y)
  peer <- naivebayes::gaussian_naive_bayes(x, y)
  must_agree("naivebayes", predict(ours, x, "prob"), predict(peer, x, type = "prob"))
  fitting <- list(
    bayesrisk = function() fit_xy(bayes_naive(), x, y),
    naivebayes = function() naivebayes::gaussian_naive_bayes(x, y)
  )
  predicting <- list(
    bayesrisk = function() predict(ours, x),
    naivebayes = function() predict(peer, x, type = "class")
  )
  # e1071 predicts with an R closure for each row and feature: minutes above this size.
  if (available("e1071") && n <= 1e4) {
    other <- e1071::naiveBayes(x, y)
    must_agree("e1071", predict(ours, x, "prob"), predict(other, x, type = "raw"))
    fitting$e1071 <- function() e1071::naiveBayes(x, y)
    predicting$e1071 <- function() predict(other, x)
  }
  fitting$read <- predicting$read <- function() read_sum(x)
  size <- sprintf("%g x %d, 3 classes, y %s", n, p, if (sorted) "sorted" else "random")
  report(paste("Gaussian naive fit,", size), race(fitting))
  report(paste("Gaussian naive class,", size), race(predicting))
}

race_full <- function(n, p) {
  data <- make_data(n, p, sorted = FALSE)
  x <- data$x
  y <- data$y
  ours <- fit_xy(bayes_full(), x, y)
  peer <- MASS::qda(x, y)
  must_agree("MASS::qda", predict(ours, x, "prob"), predict(peer, x)$posterior)
  read <- function() read_sum(x)
  size <- sprintf("%g x %d, 3 classes", n, p)
  report(paste("Full covariance fit,", size), race(list(
    bayesrisk = function() fit_xy(bayes_full(), x, y), `MASS::qda` = function() MASS::qda(x, y),
    read = read
  )))
  report(paste("Full covariance class,", size), race(list(
    bayesrisk = function() predict(ours, x), `MASS::qda` = function() predict(peer, x)$class,
    read = read
  )))
}

# What a call costs when there is next to nothing to compute, in microseconds.
time_iris <- function() {
  x <- as.matrix(iris[1:4])
  model <- fit(bayes_naive(), Species ~ ., data = iris)
  peer <- naivebayes::gaussian_naive_bayes(x, iris$Species)
  must_agree("naivebayes", predict(model, iris, "prob"), predict(peer, x, type = "prob"))
  calls <- alist(
    `bayesrisk fit, formula` = fit(bayes_naive(), Species ~ ., data = iris),
    `bayesrisk fit, matrix` = fit_xy(bayes_naive(), x, iris$Species),
    `bayesrisk predict, one row` = predict(model, iris[71, ]),
    `naivebayes fit, matrix` = naivebayes::gaussian_naive_bayes(x, iris$Species),
    `naivebayes predict, one row` = predict(peer, x[71, , drop = FALSE], type = "class")
  )
  if (available("e1071")) {
    other <- e1071::naiveBayes(x, iris$Species)
    calls <- c(calls, alist(
      `e1071 fit, matrix` = e1071::naiveBayes(x, iris$Species),
      `e1071 predict, one row` = predict(other, iris[71, ])
    ))
  }
  marks <- bench::mark(exprs = calls, check = FALSE, env = environment(), min_time = 0.5)
  cat("\niris, microseconds per call (median)\n")
  cat(sprintf("  %-28s %8.0f\n", names(calls), 1e6 * as.numeric(marks$median)), sep = "")
}

for (n in c(1e4, 1e6)) {
  for (sorted in c(FALSE, TRUE)) race_gaussian(n, p = 10L, sorted)
}
if (available("MASS")) race_full(1e5, p = 10L)
time_iris()
