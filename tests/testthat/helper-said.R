# Prints the package's error with its call, in the same form whatever testthat's version.
said <- function(code) {
  error <- rlang::catch_cnd(code, "bayesrisk_error")
  cat("Error in ", rlang::call_name(conditionCall(error)), "(): ", sep = "")
  cat(conditionMessage(error), sep = "\n")
}

# The columns that a fit questions; the messages are not shown.
questioned <- function(expr) {
  found <- NULL
  withCallingHandlers(expr, bayesrisk_message_columns = function(m) {
    found <<- rbind(found, m$columns)
    rlang::cnd_muffle(m)
  })
  found
}
