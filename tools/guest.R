# LC_ALL=C Rscript tools/guest.R TESTS: a tour of the package, then those tests of the folder TESTS
# that CRAN runs and some more, with a read-only library and in the C locale. The exit status is 0
# only if everything works, and all but the tests of CRAN without a warning. It is 77 without MASS.
# Started by .ci/run.

if (!requireNamespace("MASS", quietly = TRUE)) quit(status = 77)
library(bayesrisk)
stopifnot(Sys.getlocale("LC_CTYPE") == "C")
# Root can write everywhere.
if (Sys.info()[["effective_user"]] == "root") {
  message("Run as root: only the locale is tried.")
} else {
  stopifnot(file.access(c(find.package("bayesrisk"), .libPaths()[[1L]]), mode = 2) != 0)
}

# Written as code points, because this file is read in the C locale.
benign <- "gutm\u00fctig"
malignant <- "b\u00f6sartig"

tour <- function() {
  data <- MASS::biopsy[-1]
  data$class <- factor(ifelse(data$class == "benign", benign, malignant))
  data$V1 <- ifelse(data$V1 > 5, "gro\u00df", "klein")
  model <- fit(bayes_naive(laplace = 1), class ~ ., data)
  by_class <- function(...) stats::setNames(c(...), c(malignant, benign))
  cost <- cost_matrix(operate = by_class(0, 5), wait = by_class(50, 0), refer = 1)
  decisions <- decide(model, data, cost)
  # Naive Bayes is too certain of these tumours, and the assessment says so.
  assessment <- suppressWarnings(assess_decisions(model, data, cost), classes = "bayesrisk_warning")
  for (result in list(model, cost, decisions, assessment)) {
    print(result)
    print(summary(result))
  }
  stopifnot(
    identical(levels(predict(model, data)), c(malignant, benign)),
    mean(predict(model, data) == data$class) > 0.95,
    setequal(decisions$decision, c("operate", "wait", "refer"))
  )
  draw(model)
}

draw <- function(model) {
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  print(plot(model))
  print(plot(model, type = "posterior"))
  grDevices::dev.off()
  stopifnot(file.size(file) > 5000)
}

options(warn = 2)
tour()
options(warn = 0)

library(testthat)
run_tests <- function(...) {
  test_dir(
    commandArgs(TRUE)[[1L]], ..., package = "bayesrisk", load_package = "installed",
    reporter = "check"
  )
}
Sys.setenv(NOT_CRAN = "true")
run_tests(filter = "^(cases-process|data-class|decide-posterior)$", stop_on_warning = TRUE)
# CRAN has machines whose locale is not UTF-8. R warns there of letters in the code of tests.
Sys.setenv(NOT_CRAN = "false")
run_tests()
