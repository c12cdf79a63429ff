test_that("memory that the engine does not get is an error of the package", {
  no_memory <- function() {
    stop(structure(class = c("std::bad_alloc", "error", "condition"),
                   list(message = "std::bad_alloc", call = NULL)))
  }
  expect_bayesrisk_error(call_engine(no_memory(), rlang::current_env()), "memory", "threads")
})

test_that("a state that contradicts itself is a damaged model", {
  invalid <- function() {
    stop(structure(class = c("bayesrisk::InvalidState", "error", "condition"),
                   list(message = "counts: negative", call = NULL)))
  }
  expect_bayesrisk_error(call_engine(invalid(), rlang::current_env()), "object", "counts: negative")
  expect_equal(engine_problem(invalid()), "counts: negative")
  expect_null(engine_problem(1))
})

test_that("other errors go through", {
  expect_error(call_engine(stop("other"), rlang::current_env()), "other")
})
