# Calls of the engine. Its exceptions become conditions of the package.

# The engine finds a contradictory model state only if the model was damaged after the fit.
call_engine <- function(expr, call) {
  no_memory <- function(e) {
    abort_memory(c(
      "There is not enough memory for this.",
      i = "Ask for fewer rows at a time, or for fewer {.arg threads}."
    ), call)
  }
  withCallingHandlers(
    expr,
    `bayesrisk::InvalidState` = function(e) abort_state(conditionMessage(e), call),
    `std::bad_alloc` = no_memory, `std::length_error` = no_memory
  )
}

# The cells of a sparse matrix are data; the engine checks them before it reads them.
abort_state <- function(problem, call) {
  if (!startsWith(problem, "sparse matrix: ")) abort_damaged("model", problem, call)
  problem <- sub("sparse matrix: ", "", problem, fixed = TRUE)
  abort_data(c(
    "A sparse matrix is damaged: {problem}.",
    i = "{.code methods::validObject(x)} says more."
  ), call)
}

engine_problem <- function(expr) {
  tryCatch({
    expr
    NULL
  }, `bayesrisk::InvalidState` = conditionMessage)
}
