# Rscript bench/probabilities.R [--only=REGEX] [--who=REGEX] [--to=FILE] [--installed] [--store]
# bench/README.md says what it measures.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
for (file in c("tools/setup.R", "vignettes/stored-runs.R", "bench/public-data.R")) {
  source(file.path(root, file))
}

## Classifiers ---------------------------------------------------------------------------------

naive <- function(...) by_spec(function(x, y) bayesrisk::bayes_naive(laplace = 1, ...))
full <- function(...) by_spec(function(x, y) bayesrisk::bayes_full(laplace = 1, ...))

# `make`: the specification for these rows. The returned function gives a posterior, rows x classes.
by_spec <- function(make) {
  function(x, y, newdata) {
    data <- data.frame(x, .class = y, check.names = FALSE)
    model <- bayesrisk::fit(make(x, y), .class ~ ., data)
    stats::predict(model, newdata, type = "prob")
  }
}

classifiers <- list(
  naive = naive(),
  `naive, one exponent` = naive(temper = "model"),
  `naive, by kind` = naive(temper = "kind"),
  `naive, by block` = naive(temper = "block"),
  full = full(),
  `full, one exponent` = full(temper = "model"),
  `searched blocks` = by_spec(function(x, y) {
    searched(bayesrisk::bayes_naive(laplace = 1), x, y)
  }),
  `searched, one exponent` = by_spec(function(x, y) {
    searched(bayesrisk::bayes_naive(laplace = 1, temper = "model"), x, y)
  }),
  `likelihoods, one exponent` = by_spec(function(x, y) {
    spec <- bayesrisk::bayes_naive(laplace = 1, temper = "model")
    if (!any(vapply(x, is.numeric, NA))) return(spec)
    bayesrisk::search_likelihoods(spec, .class ~ ., data.frame(x, .class = y, check.names = FALSE))
  }),
  `logistic regression` = function(x, y, newdata) {
    data <- data.frame(x, .class = y, check.names = FALSE)
    model <- nnet::multinom(.class ~ ., data, trace = FALSE, maxit = 1000, MaxNWts = 1e5)
    found <- stats::predict(model, newdata, type = "probs")
    if (nlevels(y) > 2) return(found)
    matrix(c(1 - found, found), ncol = 2, dimnames = list(NULL, levels(y)))
  }
)

searched <- function(spec, x, y) {
  bayesrisk::search_blocks(spec, .class ~ ., data.frame(x, .class = y, check.names = FALSE))
}

## One data set --------------------------------------------------------------------------------

most_rows <- 10000L
most_features <- 200L

# Rows without missing values, because logistic regression needs them; and the levels of all rows,
# because it knows no other levels.
read_set <- function(package, set, target) {
  data <- load_set(package, set)
  data <- data[stats::complete.cases(data), ]
  set.seed(2)
  if (nrow(data) > most_rows) data <- data[sample.int(nrow(data), most_rows), ]
  x <- data[setdiff(names(data), target)]
  text <- !vapply(x, is.numeric, NA)
  x[text] <- lapply(x[text], function(column) droplevels(as.factor(as.character(column))))
  list(x = x, y = droplevels(as.factor(data[[target]])))
}

# Small data say little about the errors of probabilities, and logistic regression of very many
# features takes hours.
is_suitable <- function(data) {
  length(data$y) >= 200L && min(table(data$y)) >= 30L && ncol(data$x) <= most_features
}

# To miss the rarest class costs ten times another error.
costs_of <- function(y) {
  costs <- 1 - diag(nlevels(y))
  rarest <- which.min(table(y))
  costs[rarest, -rarest] <- 10
  dimnames(costs) <- list(levels(y), levels(y))
  bayesrisk::as_cost_matrix(costs, rows = "truth")
}

result_row <- function(who, log_loss = NA, calibration = NA, cost = NA, note = "") {
  data.frame(who, log_loss, calibration, cost, note)
}

cross_validate <- function(who, x, y, fold) {
  posterior <- tryCatch(held_out_posterior(classifiers[[who]], x, y, fold), error = first_line)
  if (is.character(posterior)) return(result_row(who, note = posterior))
  assessed <- suppressWarnings(
    bayesrisk::assess_decisions(posterior, cost = costs_of(y), truth = y)
  )
  result_row(who, log_loss(posterior, y), calibration_error(assessed), assessed$cost)
}

# The mean distance between predicted and observed shares, over the bins of all classes.
calibration_error <- function(assessed) {
  bins <- assessed$calibration
  stats::weighted.mean(abs(bins$predicted - bins$observed), bins$cases, na.rm = TRUE)
}

measure_set <- function(package, set, target, who) {
  data <- read_set(package, set, target)
  if (!is_suitable(data)) return(NULL)
  fold <- draw_folds(data$y)
  rows <- lapply(who, cross_validate, x = data$x, y = data$y, fold = fold)
  data.frame(
    about_set(package, set, target, data$x, data$y), do.call(rbind, rows), row.names = NULL
  )
}

## All -----------------------------------------------------------------------------------------

results <- run_public(measure_set, names(classifiers), "nnet", "probabilities.csv")
print(probability_scores(results))
