library(testthat)
library(bayesrisk)

# CRAN limits the time of a check. There the tests of figures, of frameworks and of data that are no
# data frame are left out. So are hostile cases, damaged and old objects, and rules that all
# functions follow: the tests of each function have its own errors. Slow tests are skipped one by
# one, with skip_on_cran(). The tests that stay have the numbers of each function and likelihood.
on_cran <- !identical(Sys.getenv("NOT_CRAN"), "true")
elsewhere <- c(
  "bridge", "cases", "checks-", "convert", "explore", "model-object", "plot", "saved", "source",
  "surface"
)
test_check(
  "bayesrisk", filter = if (on_cran) sprintf("^(%s)", paste(elsewhere, collapse = "|")),
  invert = on_cran
)
