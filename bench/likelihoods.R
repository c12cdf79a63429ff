# Rscript bench/likelihoods.R [--only=REGEX] [--who=REGEX] [--to=FILE] [--installed]
# bench/README.md says what it measures.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
for (file in c("tools/setup.R", "vignettes/stored-runs.R", "bench/public-data.R")) {
  source(file.path(root, file))
}

## Specifications ------------------------------------------------------------------------------

default_spec <- function() bayesrisk::bayes_naive(laplace = 1, temper = "model")

by_spec <- function(make) {
  function(x, y, newdata) {
    data <- data.frame(x, .class = y, check.names = FALSE)
    stats::predict(bayesrisk::fit(make(data), .class ~ ., data), newdata, type = "prob")
  }
}

classifiers <- list(
  default = by_spec(function(data) default_spec()),
  searched = by_spec(function(data) {
    bayesrisk::search_likelihoods(default_spec(), .class ~ ., data)
  })
)

## One data set --------------------------------------------------------------------------------

most_rows <- 1000L
most_numbers <- 40L

result_row <- function(who, log_loss = NA, note = "") data.frame(who, log_loss, note)

# The columns that a first fit to the data as they are questions, with its remarks.
first_fit <- function(data, target) {
  said <- NULL
  note <- tryCatch(
    withCallingHandlers(
      {
        bayesrisk::fit(
          bayesrisk::bayes_naive(laplace = 1), stats::reformulate(".", target), data
        )
        NULL
      },
      bayesrisk_message_columns = function(m) said <<- m$columns,
      message = function(m) tryInvokeRestart("muffleMessage"),
      warning = function(w) tryInvokeRestart("muffleWarning")
    ),
    error = first_line
  )
  remarks <- if (!is.null(said)) paste0(said$feature, ": ", said$remark)
  result_row("first fit", note = paste(c(note, remarks), collapse = "; "))
}

# Five folds, drawn five times if the rows are few: there the folds of the exponents alone may
# change the log loss by a half.
cross_validate <- function(who, x, y) {
  draws <- if (length(y) <= 600L) 5L else 1L
  losses <- tryCatch(
    vapply(seq_len(draws), function(seed) fold_loss(classifiers[[who]], x, y, seed), 0),
    error = first_line
  )
  if (is.character(losses)) result_row(who, note = losses) else result_row(who, mean(losses))
}

fold_loss <- function(classifier, x, y, seed) {
  posterior <- held_out_posterior(classifier, x, y, draw_folds(y, 5L, seed))
  # A row that no class explains has no posterior.
  posterior[is.na(posterior)] <- 0
  log_loss(posterior, y)
}

# A search needs a feature of numbers, and classes that all its folds have.
measure_set <- function(package, set, target, who) {
  data <- load_set(package, set)
  data <- data[!is.na(data[[target]]), ]
  about <- about_set(
    package, set, target, data[setdiff(names(data), target)], as.factor(data[[target]])
  )
  first <- if ("first fit" %in% who) first_fit(data, target)
  set.seed(2)
  if (nrow(data) > most_rows) data <- data[sample.int(nrow(data), most_rows), ]
  y <- as.factor(data[[target]])
  common <- y %in% names(which(table(y) >= 20L))
  y <- droplevels(y[common])
  x <- data[common, setdiff(names(data), target), drop = FALSE]
  x[vapply(x, is.object, NA)] <- lapply(x[vapply(x, is.object, NA)], as.character)
  numbers <- sum(vapply(x, is.numeric, NA))
  searched <- nlevels(y) > 1L && numbers > 0L && numbers <= most_numbers
  rows <- if (searched) lapply(setdiff(who, "first fit"), cross_validate, x = x, y = y)
  rows <- do.call(rbind, c(list(first), rows))
  if (is.null(rows)) return(NULL)
  data.frame(about, numbers, rows, row.names = NULL)
}

## All -----------------------------------------------------------------------------------------

# On how many sets the searched likelihoods have a lower and a higher log loss than the default, and
# the largest increase; how many columns were questioned.
summarise <- function(results) {
  sets <- paste(results$package, results$set)
  of <- function(who) results[results$who == who, ][match(unique(sets), sets[results$who == who]), ]
  default <- of("default")
  more <- of("searched")$log_loss - default$log_loss
  known <- !is.na(more)
  large <- known & default$rows >= 300L
  notes <- results$note[results$who == "first fit"]
  remarks <- strsplit(as.character(notes), "; ", fixed = TRUE)
  list(
    sets = sum(known), lower = sum(more[known] < 0), higher = sum(more[known] > 0),
    mean = mean(more[known]), large_sets = sum(large), worst = max(more[large]),
    questioned = sum(lengths(remarks) > 0L), remarks = sum(lengths(remarks))
  )
}

results <- run_public(
  measure_set, c("first fit", names(classifiers)), character(), "likelihoods.csv"
)
str(summarise(results))
