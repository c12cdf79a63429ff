# Calls of the engine. Its exceptions become conditions of the package.

# The engine finds a contradictory model state only if the model was damaged after the fit.
# `matrix`: the name of a sparse matrix that is no column.
call_engine <- function(expr, call, matrix = NULL) {
  withCallingHandlers(expr, error = function(e) abort_engine(e, call, matrix))
}

# Returns if the error is not one of the engine.
abort_engine <- function(error, call, matrix) {
  if (inherits(error, "bayesrisk::InvalidState")) abort_state(conditionMessage(error), call, matrix)
  if (inherits(error, c("std::bad_alloc", "std::length_error"))) {
    abort_memory(c(
      "There is not enough memory for this.",
      i = "Ask for fewer rows at a time, or for fewer {.arg threads}."
    ), call)
  }
}

# The cells of a sparse matrix are data; the engine checks them before it reads them. The second
# line of the problem is the name of its column.
abort_state <- function(problem, call, matrix) {
  Encoding(problem) <- "UTF-8"
  problem <- strsplit(problem, "\n", fixed = TRUE)[[1L]]
  if (!startsWith(problem[[1L]], "sparse matrix: ")) abort_damaged("model", problem[[1L]], call)
  found <- sub("sparse matrix: ", "", problem[[1L]], fixed = TRUE)
  name <- c(problem[-1L], matrix, "x")[[1L]]
  abort_data(c(
    "{.field {name}} is a damaged matrix: {found}.",
    i = "{.code methods::validObject(x)} says more."
  ), call)
}

# The problem for which the engine refuses a state; NULL for none.
engine_problem <- function(expr) {
  tryCatch({
    expr
    NULL
  }, `bayesrisk::InvalidState` = conditionMessage)
}
