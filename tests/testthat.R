library(testthat)
library(bayesrisk)

# CRAN limits the time of a check. There the tests of figures, of frameworks and of data that are no
# data frame are left out.
on_cran <- !identical(Sys.getenv("NOT_CRAN"), "true")
test_check(
  "bayesrisk", filter = if (on_cran) "^(bridge|convert|explore|plot|source)", invert = on_cran
)
