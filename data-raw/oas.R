# Covariances by OAS of scikit-learn, for tests/testthat/test-numbers-oas.R. Run from the
# repository's root, with mlbench and ISLR2 installed and a python3 that has scikit-learn:
# Rscript data-raw/oas.R /usr/bin/python3

source(file.path("tests", "testthat", "helper-oas.R"))

code <- "
import sys
import numpy
from sklearn.covariance import OAS
x = numpy.loadtxt(sys.argv[1], delimiter=',', ndmin=2)
found = OAS(assume_centered=sys.argv[2] == 'centred').fit(x)
s = found.covariance_
for number in (found.shrinkage_, s[0, 0], s[0, 1], s[-1, -1], numpy.sqrt((s ** 2).sum())):
    print(repr(float(number)))
"

ask <- function(x, centred) {
  files <- tempfile(fileext = c(".csv", ".py"))
  writeLines(apply(x, 1L, function(row) paste(sprintf("%.17g", row), collapse = ",")), files[[1L]])
  writeLines(code, files[[2L]])
  found <- system2(
    commandArgs(TRUE)[[1L]], c(files[2:1], if (centred) "centred" else "whole"), stdout = TRUE
  )
  stats::setNames(as.list(found), c("shrinkage", "first", "second", "last", "norm"))
}

rows <- lapply(c("iris", "waves", "crabs", "Sonar", "Khan"), function(name) {
  data <- oas_data(name)
  classes <- lapply(levels(data$y), function(class) {
    data.frame(data = name, class = class, ask(data$x[data$y == class, ], FALSE))
  })
  centred <- data$x - apply(data$x, 2L, ave, data$y)
  do.call(rbind, c(classes, list(data.frame(data = name, class = "all", ask(centred, TRUE)))))
})
utils::write.csv(
  do.call(rbind, rows), file.path("tests", "testthat", "oracle", "oas.csv"), row.names = FALSE,
  quote = FALSE
)
