# Small, asymmetric data whose answers are known in closed form.

# Class A at 0 and class B at 10, both with sd 1.
tails <- function() {
  data.frame(y = rep(c("A", "B"), each = 3), x = c(-1, 0, 1, 9, 10, 11))
}

# Shares a 4/6, b 2/6; given v: a 2/3; u is never of b, w never of a.
tokens <- function() {
  data.frame(
    y = factor(c("a", "a", "a", "a", "b", "b"), levels = c("b", "a")),
    g = factor(c("u", "u", "v", "v", "v", "w"), levels = c("w", "v", "u"))
  )
}

# One number, one category; both classes vary in both.
mixed <- function() {
  data.frame(
    y = factor(rep(c("a", "b"), c(5, 3))),
    x = c(1, 2, 4, 3, 2.5, 7, 9, 5),
    g = c("u", "v", "u", "u", "v", "v", "u", "v"),
    z = c(3, 1, 2, 5, 4, 4, 1, 6)
  )
}

posterior <- function(model, newdata, ...) predict(model, newdata, type = "prob", ...)

expect_bayesrisk_error <- function(code, kind, text) {
  testthat::expect_error(code, text, class = paste0("bayesrisk_error_", kind))
}

# Calls that the package refuses, each named by what its error must name: the argument, the column,
# the level, joined by " & ". The error has the class of its `.kind` and the call of the function.
expect_refusals <- function(..., .kind = "argument") {
  calls <- rlang::enquos(...)
  for (i in seq_along(calls)) {
    error <- rlang::catch_cnd(rlang::eval_tidy(calls[[i]]), "bayesrisk_error")
    testthat::expect_s3_class(error, paste0("bayesrisk_error_", .kind))
    said <- if (is.null(error)) "" else conditionMessage(error)
    for (name in strsplit(names(calls)[[i]], " & ", fixed = TRUE)[[1L]]) {
      whole <- sprintf("(?<![\\w.])\\Q%s\\E(?!\\w)", name)
      testthat::expect(grepl(whole, said, perl = TRUE), sprintf("%s is not named: %s", name, said))
    }
    called <- rlang::call_name(rlang::quo_get_expr(calls[[i]]))
    if (!isTRUE(called %in% getNamespaceExports("bayesrisk"))) next
    testthat::expect_identical(rlang::call_name(conditionCall(error)), called)
  }
}

# A cost with an action that is never worth taking, and no warning of it.
unwise_cost <- function(...) {
  suppressWarnings(cost_matrix(...), classes = "bayesrisk_warning_never_best")
}

# A cost that names no class, without any warning.
flat_cost <- function(..., made_by = cost_matrix) {
  suppressWarnings(made_by(...), classes = "bayesrisk_warning")
}

# A model of one class, without the warning that it predicts no other.
one_class <- function(expr) suppressWarnings(expr, classes = "bayesrisk_warning_one_class")
