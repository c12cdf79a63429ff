# Rscript tools/demo.R                        the three data sets of the demonstration
# Rscript tools/demo.R data.csv class_column  the same for a CSV file of yours
#
# Installs what is missing and the package, fits Bayes classifiers, prints posteriors, confusion
# tables and expected costs, and writes plots to the folder demo-plots of the working directory.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))

## What every part of the demonstration uses ---------------------------------------------------

give_up <- function(...) {
  message(...)
  quit(status = 1)
}

heading <- function(...) cat("\n", strrep("=", 80), "\n", ..., "\n", sep = "")

show <- function(title, value, ...) {
  cat("\n", title, "\n", sep = "")
  print(value, ...)
}

# Every third row is set aside, so that each run shows the same numbers.
split_rows <- function(data) {
  test <- seq_len(nrow(data)) %% 3 == 0
  list(train = data[!test, , drop = FALSE], test = data[test, , drop = FALSE])
}

show_errors <- function(title, model, data, class_column) {
  truth <- data[[class_column]]
  table <- confusion_table(truth, predict(model, data))
  show(paste0(title, ":"), table)
  errors <- expected_cost(table, zero_one_cost(levels(factor(truth)))) * nrow(data)
  cat(round(errors), "errors in", nrow(data), "rows\n")
}

plot_folder <- "demo-plots"

# Draws into a file; `figure` is made once the file is open, because it is fitted to its size.
draw <- function(name, figure) {
  dir.create(plot_folder, showWarnings = FALSE)
  file <- file.path(plot_folder, paste0(name, if (capabilities("png")) ".png" else ".pdf"))
  if (capabilities("png")) {
    grDevices::png(file, width = 1600, height = 1200, res = 200)
  } else {
    grDevices::pdf(file, width = 8, height = 6)
  }
  on.exit(grDevices::dev.off())
  print(figure)
  cat("plot:", file, "\n")
}

## Fourteen days of tennis ---------------------------------------------------------------------

show_tennis <- function() {
  heading("PlayTennis: 14 days, four categorical features (Quinlan 1986)")
  day <- data.frame(
    outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong"
  )
  model <- fit(bayes_naive(), play ~ ., data = play_tennis)
  print(model)
  show("A new day:", day, row.names = FALSE)
  show("Scores, P(day | class) P(class):", exp(predict(model, day, type = "log_joint")))
  show("Posterior:", predict(model, day, type = "prob"))
  smoothed <- fit(bayes_naive(laplace = 1), play ~ ., data = play_tennis)
  show("Posterior, laplace = 1:", predict(smoothed, day, type = "prob"))
  estimate <- bayes_naive(categorical = likelihood_categorical(m = 1))
  estimate <- fit(estimate, play ~ ., data = play_tennis)
  show("Posterior, m-estimate with m = 1:", predict(estimate, day, type = "prob"))
  show_errors("All 14 days", model, play_tennis, "play")
}

## Iris ----------------------------------------------------------------------------------------

show_iris <- function() {
  heading("iris: 150 flowers, four lengths and widths")
  petal <- c("Petal.Length", "Petal.Width")
  specifications <- list(
    "Naive Bayes" = bayes_naive(),
    "Full covariance" = bayes_full(),
    "The petal features as one block" = bayes_blocks(blocks = list(petal = petal))
  )
  for (name in names(specifications)) {
    model <- fit(specifications[[name]], Species ~ ., data = iris)
    show_errors(name, model, iris, "Species")
    show("Posterior of flowers 71, 84 and 134:", predict(model, iris[c(71, 84, 134), ], "prob"))
  }
  by_petal <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width, data = iris)
  by_length <- fit(bayes_naive(), Species ~ Petal.Length, data = iris)
  cat("\n")
  draw("iris-density", plot(fit(bayes_naive(), Species ~ ., data = iris), type = "density"))
  draw("iris-posterior", plot(by_length, type = "posterior"))
  draw("iris-regions", plot(by_petal, type = "regions", data = iris))
}

## Tumours, where errors have a price ----------------------------------------------------------

# Missing a malignant tumour costs 50, operating on a benign one 5, asking a specialist 1.
biopsy_cost <- function() {
  cost_matrix(
    operate = c(malignant = 0, benign = 5),
    wait = c(malignant = 50, benign = 0),
    refer = 1
  )
}

show_biopsy <- function() {
  heading("MASS::biopsy: 699 tumours, nine grades from 1 to 10, 16 of them missing")
  parts <- split_rows(subset(MASS::biopsy, select = -ID))
  cost <- biopsy_cost()
  show("Costs:", cost)
  specifications <- list(
    "Naive Bayes" = bayes_naive(),
    "Full covariance" = bayes_full(),
    "Size and shape of the cells as one block" = bayes_blocks(blocks = list(cell = c("V2", "V3")))
  )
  for (name in names(specifications)) {
    heading(name)
    show_decisions(fit(specifications[[name]], class ~ ., data = parts$train), parts$test, cost)
  }
  by_size <- fit(bayes_naive(), class ~ V2, data = parts$train)
  by_two <- fit(bayes_full(), class ~ V1 + V2, data = parts$train)
  cat("\n")
  draw("biopsy-posterior", plot(by_size, type = "posterior"))
  draw("biopsy-cost", plot(by_size, type = "cost", cost = cost))
  draw("biopsy-regions", plot(by_two, type = "regions", data = parts$test, cost = cost))
}

show_decisions <- function(model, test, cost) {
  cases <- test[c(1:3, utils::head(which(is.na(test$V6)), 3)), ]
  show("Cases of the test set (V6 is missing in the last ones):", cases)
  show("Their posterior:", predict(model, cases, type = "prob"))
  show("Their expected cost by decision:", predict(model, cases, type = "cost", cost = cost))
  show_errors("The most probable class, test set", model, test, "class")
  decisions <- confusion_table(test$class, predict(model, test, cost = cost))
  show("The decision of least expected cost, test set:", decisions)
  cat("Cost per case:", format(expected_cost(decisions, cost)), "\n")
}

## A file of the user's ------------------------------------------------------------------------

show_csv <- function(data, class_column) {
  parts <- split_rows(data)
  formula <- make_formula(class_column, ".")
  heading("Naive Bayes, laplace = 1")
  model <- fit_naive(formula, parts$train)
  show_csv_model(model, parts$test, class_column)
  heading("Full covariance and joint tables, laplace = 1")
  full <- tryCatch(
    fit(bayes_full(laplace = 1), formula, data = parts$train),
    bayesrisk_error = function(e) cat("Not possible here.", conditionMessage(e), "\n")
  )
  if (inherits(full, "bayesrisk_model")) show_csv_model(full, parts$test, class_column)
  cat("\n")
  draw_csv(model, parts, class_column)
}

read_csv <- function(file, class_column) {
  if (!file.exists(file)) give_up("There is no file ", file, ".")
  data <- tryCatch(
    utils::read.csv(file, stringsAsFactors = TRUE, check.names = FALSE),
    error = function(e) give_up(file, " is not read as CSV: ", conditionMessage(e))
  )
  if (!class_column %in% names(data)) {
    give_up(
      file, " has no column ", class_column, ". Its columns are: ", toString(names(data)), "."
    )
  }
  unlabelled <- is.na(data[[class_column]])
  if (any(unlabelled)) cat(sum(unlabelled), "rows without a class are left out.\n")
  data <- data[!unlabelled, , drop = FALSE]
  data[[class_column]] <- factor(data[[class_column]])
  check_classes(data[[class_column]], class_column)
  data
}

check_classes <- function(classes, class_column) {
  found <- nlevels(classes)
  if (found < 2) {
    give_up("The column ", class_column, " has ", found, " class(es); at least two are needed.")
  }
  if (found > length(classes) / 2) {
    give_up(
      "The column ", class_column, " has ", found, " different values in ", length(classes),
      " rows: that is not a class."
    )
  }
}

# If a numeric feature does not vary in some class, its variance gets a lower bound, and the
# demonstration says so and goes on.
fit_naive <- function(formula, train) {
  tryCatch(
    fit(bayes_naive(laplace = 1), formula, data = train),
    bayesrisk_error_degenerate = function(e) {
      bound <- 1e-6 * max(vapply(Filter(is.numeric, train), stats::var, 0, na.rm = TRUE))
      numeric <- likelihood_gaussian("ml", min_variance = bound)
      cat(conditionMessage(e), "\n\nGoing on with this instead:\n")
      print(numeric)
      fit(bayes_naive(laplace = 1, numeric = numeric), formula, data = train)
    }
  )
}

# Names are kept unchanged: columns of a CSV file may have any name.
make_formula <- function(response, features) {
  sum <- Reduce(function(left, right) call("+", left, right), lapply(features, as.name))
  stats::as.formula(call("~", as.name(response), sum))
}

show_csv_model <- function(model, test, class_column) {
  print(summary(model))
  show("Posterior of the first rows set aside:", predict(model, utils::head(test), type = "prob"))
  show_errors("The rows set aside", model, test, class_column)
  table <- confusion_table(test[[class_column]], predict(model, test))
  cost <- expected_cost(table, zero_one_cost(levels(test[[class_column]])))
  cat("Expected 0-1 cost:", format(cost), "\n")
}

# The density of every feature; posterior and regions by the first numeric ones.
draw_csv <- function(model, parts, class_column) {
  draw("data-density", plot(model, type = "density"))
  features <- setdiff(names(Filter(is.numeric, parts$train)), class_column)
  by <- function(features) fit_naive(make_formula(class_column, features), parts$train)
  if (length(features) >= 1) draw("data-posterior", plot(by(features[1]), type = "posterior"))
  if (length(features) >= 2) {
    draw("data-regions", plot(by(features[1:2]), type = "regions", data = parts$test))
  }
}

## The run -------------------------------------------------------------------------------------

arguments <- commandArgs(trailingOnly = TRUE)
if (!length(arguments) %in% c(0, 2)) {
  give_up("Usage: Rscript tools/demo.R  or  Rscript tools/demo.R data.csv class_column")
}
options(warn = 1)
# Runs before the installation, so that a mistyped name is reported at once.
if (length(arguments) == 2) data <- read_csv(arguments[1], arguments[2])
prepare(root, "demo")
library(bayesrisk)
if (length(arguments) == 2) {
  show_csv(data, arguments[2])
} else {
  show_tennis()
  show_iris()
  show_biopsy()
}
heading("The plots are in ", normalizePath(plot_folder))
