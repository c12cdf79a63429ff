# Values that users (and their scripts) pass to an argument by mistake.
fuzz_values <- function() {
  list(
    null = NULL, na = NA, na_real = NA_real_, na_integer = NA_integer_,
    na_character = NA_character_, nan = NaN, inf = Inf, minus_inf = -Inf,
    zero = 0, one = 1L, minus_one = -1, half = 0.5, huge = 1e300, tiny = 1e-320,
    true = TRUE, empty_string = "", string = "a", braces = "{x} %s %n",
    character_0 = character(), numeric_0 = numeric(), list_0 = list(),
    numeric_2 = c(0.4, 0.6), numeric_named = c(a = 0.4, b = 0.6),
    numeric_na = c(1, NA), numeric_inf = c(1, Inf), integer_3 = 1:3,
    names_twice = c(a = 0.5, a = 0.5), names_partly = c(a = 0.5, 0.5),
    names_na = stats::setNames(c(0.5, 0.5), c("a", NA)),
    character_2 = c("a", "b"), character_na = c("a", NA), character_named = c(a = "b"),
    list_null = list(NULL), list_number = list(1), list_named = list(a = 1, b = "b"),
    list_nested = list(a = list(1)), list_strings = list("a", "a"),
    factor = factor("a"), date = as.Date("2020-01-01"), complex = 1i, raw = as.raw(1),
    matrix = matrix(c(0.1, 0.9, 0.2, 0.8), 2), matrix_0 = matrix(numeric(), 0, 3),
    matrix_character = matrix("a"), array = array(1 / 3, c(2, 3, 2)), table = table(c("a", "b")),
    data_frame = data.frame(a = 1:2), data_frame_0 = data.frame(),
    fun = function(x) x, formula = y ~ x, symbol = as.name("x"), call = quote(x + y),
    environment = new.env(), classed = structure(1, class = "strange"),
    classed_list = structure(list(a = 1), class = "strange")
  )
}

# Calls `fun` with each fuzz value as `arg`, beside the arguments `fixed`. The result must be a
# value that `is_valid` accepts, or a deliberate error of class `error`.
expect_fuzz_proof <- function(fun, arg, fixed = list(), is_valid,
                              error = "bayesrisk_error_argument") {
  testthat::skip_on_cran()
  # A string is the name of a file that a function may write.
  withr::local_dir(withr::local_tempdir())
  values <- fuzz_values()
  for (i in seq_along(values)) {
    name <- names(values)[[i]]
    arguments <- c(fixed[setdiff(names(fixed), arg)], stats::setNames(values[name], arg))
    outcome <- worded_now_and_then(
      i, tryCatch(do.call(fun, arguments, quote = TRUE), error = identity)
    )
    ok <- if (inherits(outcome, "error")) inherits(outcome, error) else isTRUE(is_valid(outcome))
    why <- function() {
      if (inherits(outcome, "error")) conditionMessage(outcome) else class(outcome)[[1L]]
    }
    said <- if (!ok) sprintf("%s = fuzz value '%s' gave: %s", arg, name, why())
    testthat::expect(ok, said)
  }
}
