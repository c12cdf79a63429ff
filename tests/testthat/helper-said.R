# Prints the package's error with its call, in the same form whatever testthat's version.
said <- function(code) {
  error <- rlang::catch_cnd(code, "bayesrisk_error")
  cat("Error in ", rlang::call_name(conditionCall(error)), "(): ", sep = "")
  cat(conditionMessage(error), sep = "\n")
}
