# Rscript bench/cross-validation.R: ten folds of cv_risk() against one fit and one prediction,
# and against fitting ten times; three candidates together; leave-one-out. Prints a line per
# task: seconds (median), and how many times a fit and a prediction of all rows that is.
# Stores nothing.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
prepare(root, "bench")
library(bayesrisk)
source(file.path(root, "bench", "race.R"))

# Three overlapping classes, one column mean per class.
make_data <- function(n, p) {
  set.seed(1)
  code <- sample.int(3L, n, TRUE)
  x <- matrix(stats::rnorm(n * p), n, p, dimnames = list(NULL, paste0("x", seq_len(p))))
  data.frame(y = factor(letters[code]), x + code / 2)
}

# In units of one fit and one prediction of all rows.
report_units <- function(title, seconds) {
  cat("\n", title, "\n", sep = "")
  unit <- seconds[["fit"]] + seconds[["predict"]]
  for (name in names(seconds)) {
    cat(sprintf("  %-28s %9.4f s  %6.2f\n", name, seconds[[name]], seconds[[name]] / unit))
  }
}

refit <- function(spec, data, folds) {
  for (f in unique(folds)) {
    predict(fit(spec, y ~ ., data[folds != f, ]), data[folds == f, ])
  }
}

# `specify`: a function that makes specifications.
race_folds <- function(specify, name, n, p) {
  spec <- specify()
  data <- make_data(n, p)
  model <- fit(spec, y ~ ., data)
  folds <- rep_len(1:10, n)
  candidates <- list(
    plain = spec, ml = specify(variance = "ml"), even = specify(prior = "uniform")
  )
  report_units(sprintf("%s, %g x %d, 3 classes", name, n, p), race(list(
    fit = function() fit(spec, y ~ ., data),
    predict = function() predict(model, data),
    `cv_risk(), 10 folds` = function() cv_risk(spec, y ~ ., data),
    `10 new fits` = function() refit(spec, data, folds),
    `3 candidates together` = function() cv_risk(candidates, y ~ ., data)
  ), rounds = 5))
}

race_folds(bayes_naive, "Gaussian naive", 1e6, 10L)
race_folds(bayes_full, "Full covariance", 1e6, 10L)

data <- make_data(1e4, 10L)
for (spec in list(bayes_naive(), bayes_full())) {
  model <- fit(spec, y ~ ., data)
  report_units(paste("Leave one out,", spec$structure, "1e4 x 10"), race(list(
    fit = function() fit(spec, y ~ ., data),
    predict = function() predict(model, data),
    `cv_risk(), 1e4 folds` = function() cv_risk(spec, y ~ ., data, folds = 1e4)
  ), rounds = 3))
}
