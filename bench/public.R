# Rscript bench/public.R [--only=REGEX] [--who=REGEX] [--to=FILE] [--installed] [--store]
# bench/README.md says what it measures.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
for (file in c("tools/setup.R", "vignettes/stored-runs.R", "bench/public-data.R")) {
  source(file.path(root, file))
}

## Classifiers ---------------------------------------------------------------------------------

# Each is called with its defaults, and returns a posterior, rows x classes.
classifiers <- list(
  bayesrisk = function(x, y, newdata) by_bayesrisk(bayesrisk::bayes_naive(), x, y, newdata),
  `bayesrisk, laplace = 1` = function(x, y, newdata) {
    by_bayesrisk(bayesrisk::bayes_naive(laplace = 1), x, y, newdata)
  },
  naivebayes = function(x, y, newdata) {
    stats::predict(naivebayes::naive_bayes(x, y), newdata, type = "prob")
  },
  e1071 = function(x, y, newdata) {
    stats::predict(e1071::naiveBayes(x, y), newdata, type = "raw")
  },
  klaR = function(x, y, newdata) stats::predict(klaR::NaiveBayes(x, y), newdata)$posterior,
  `MASS::lda` = function(x, y, newdata) by_formula(MASS::lda, x, y, newdata),
  `MASS::qda` = function(x, y, newdata) by_formula(MASS::qda, x, y, newdata)
)

by_bayesrisk <- function(spec, x, y, newdata) {
  stats::predict(bayesrisk::fit_xy(spec, x, y), newdata, type = "prob")
}

# The functions of MASS convert factors to numbers only if they read a formula.
by_formula <- function(fit, x, y, newdata) {
  model <- fit(.class ~ ., data.frame(x, .class = y, check.names = FALSE), na.action = "na.omit")
  stats::predict(model, newdata)$posterior
}

## One data set --------------------------------------------------------------------------------

# The first call of a user, who gives the data as they are.
first_call <- function(data, target) {
  said <- character()
  note <- tryCatch(
    withCallingHandlers(
      {
        model <- bayesrisk::fit(bayesrisk::bayes_naive(), stats::reformulate(".", target), data)
        answers <- stats::predict(model, data, type = "prob")
        stopifnot(nrow(answers) == nrow(data))
        NULL
      },
      warning = function(w) {
        said <<- c(said, setdiff(class(w), c("bayesrisk_warning", "rlang_warning"))[1])
        tryInvokeRestart("muffleWarning")
      },
      message = function(m) tryInvokeRestart("muffleMessage")
    ),
    error = first_line
  )
  result_row("first call", is.null(note), note = c(note, toString(unique(said)))[1])
}

result_row <- function(who, works, ..., accuracy = NA, log_loss = NA, unanswered = NA, note = "") {
  data.frame(who, works, accuracy, log_loss, unanswered, note)
}

# A row without an answer counts as wrong.
cross_validate <- function(who, x, y, fold) {
  posterior <- tryCatch(held_out_posterior(classifiers[[who]], x, y, fold), error = first_line)
  if (is.character(posterior)) return(result_row(who, FALSE, note = posterior))
  unknown <- rowSums(is.na(posterior)) > 0
  posterior[unknown, ] <- 0
  right <- max.col(posterior, "first") == as.integer(y) & !unknown
  result_row(
    who, TRUE, accuracy = mean(right), log_loss = log_loss(posterior, y),
    unanswered = mean(unknown)
  )
}

measure_set <- function(package, set, target, who) {
  data <- load_set(package, set)
  known <- !is.na(data[[target]])
  y <- droplevels(as.factor(data[[target]][known]))
  x <- data[known, setdiff(names(data), target), drop = FALSE]
  fold <- draw_folds(y)
  rows <- lapply(who, function(one) {
    if (one == "first call") first_call(data, target) else cross_validate(one, x, y, fold)
  })
  data.frame(about_set(package, set, target, data, y), do.call(rbind, rows), row.names = NULL)
}

## All -----------------------------------------------------------------------------------------

results <- run_public(
  measure_set, c("first call", names(classifiers)), c("naivebayes", "e1071", "klaR", "MASS"),
  "articles/public.csv"
)
print(public_refusals(results))
print(public_scores(public_complete(results)))
