library(testthat)
library(bayesrisk)

test_check("bayesrisk")
