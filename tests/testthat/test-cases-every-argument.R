# Every argument of every exported function, and of every method of the package's classes: whatever
# it is given by mistake, the answer is a value or an error of the package. BAYESRISK_LONG_TESTS
# tries all values of each argument, otherwise a few of them, always the same ones.

# All arguments but that which chooses the method.
fuzzed_arguments <- function(name, fun) {
  arguments <- setdiff(names(formals(fun)), "...")
  generic <- identical(environmentName(environment(fun)), "generics")
  if (generic || grepl("bayesrisk_", name)) arguments[-1L] else arguments
}

# A description of a wrong outcome, or NULL; nothing is shown.
fuzz_problem <- function(fun, arguments) {
  utils::capture.output(problem <- damage_problem(
    function(arguments) do.call(fun, arguments, quote = TRUE), arguments
  ))
  problem
}

test_that("A2: every exported function has a valid call, and every class an object", {
  expect_setequal(names(valid_calls()), getNamespaceExports("bayesrisk"))
  objects <- valid_objects()
  classes <- unique(ours(getNamespaceInfo("bayesrisk", "S3methods")[, 2L]))
  without <- setdiff(classes, unlist(lapply(objects, class)))
  expect_true(all(grepl("^bayesrisk_(bank|likelihood)_", without)), toString(without))
})

test_that("A2: whatever an argument is given by mistake, a value or an error of the package", {
  skip_on_cran()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  withr::local_seed(1)
  values <- fuzz_values()
  tried <- if (long_tests()) length(values) else 4L
  calls <- all_valid_calls()
  # A string is the name of a file that a function may write.
  withr::local_dir(withr::local_tempdir())
  i <- 0L
  for (name in names(calls)) {
    fun <- calls[[name]][[1L]]
    fixed <- calls[[name]][[2L]]
    for (arg in fuzzed_arguments(name, fun)) {
      for (value in sample(names(values), tried)) {
        arguments <- c(fixed[setdiff(names(fixed), arg)], stats::setNames(values[value], arg))
        i <- i + 1L
        problem <- worded_now_and_then(i, fuzz_problem(fun, arguments))
        expect(is.null(problem), sprintf("%s(%s = %s): %s", name, arg, value, problem))
      }
    }
  }
})
