test_that("the functions that a file may hold are R's own", {
  found <- vapply(functions_in_files, function(name) {
    environmentName(environment(get(name, asNamespace("stats")))) %in% c("base", "stats", "") &&
      (exists(name, baseenv(), inherits = FALSE) || name %in% getNamespaceExports("stats"))
  }, NA)
  expect_identical(names(found)[!found], character())
  expect_identical(anyDuplicated(functions_in_files), 0L)
  # None of them calls a function that it is given.
  functions <- Filter(is.function, lapply(lapply(functions_in_files, get), args))
  given <- lapply(functions, function(fun) names(formals(fun)))
  expect_false(any(c("FUN", "f", "fun", "expr", "envir") %in% unlist(given)))
})

test_that("code is known if it calls these functions alone", {
  known <- expression(
    x, log(x), I(x * 2), cut(x, c(0, 1, Inf)), ifelse(is.na(x), 0, x), x %in% c("a", "b"), m[, 1],
    -x^2, !a, pmin(x, 10), as.numeric(as.Date(d) - as.Date("2024-02-29"))
  )
  for (code in as.list(known)) expect_true(is_known_code(code), deparse1(code))
  foreign <- expression(
    system("ls"), log(system("ls")), base::log(x), (function() 1)(), x <- 1, get("x"), e$x,
    do.call("log", 1), sapply(x, log), eval(x), `my log`(x), Recall(x), log(x)(x), quote(x)
  )
  foreign <- c(as.list(foreign), list(
    as.call(list("log", quote(x))), as.call(list(log, quote(x))), call("log", mean),
    call("log", globalenv()), call("log", list(1)), structure(quote(log(x)), class = "other"),
    call("log", structure(1, class = "other"))
  ))
  for (code in foreign) expect_false(is_known_code(code), deparse1(code))
})

test_that("a formula that is nested too deeply is an error", {
  skip_on_cran()
  # The parser has limits of its own, so these calls are built.
  nested <- function(levels) Reduce(function(x, i) call("log", x), seq_len(levels), quote(x))
  code <- function(term, side = term) {
    formula <- rlang::new_formula(quote(y), side, NULL)
    feature <- list(expression = term, columns = "x")
    foreign_code(list(formula = formula, features = list(feature)), NULL)
  }
  expect_identical(code(nested(250)), list())
  expect_bayesrisk_error(code(nested(1e5)), "object", "nested more than 250 levels")
  expect_bayesrisk_error(code(quote(log(x)), nested(1e5)), "object", "nested more than 250 levels")
  sum_of <- function(terms) Reduce(function(x, i) call("+", x, quote(x)), seq_len(terms), quote(x))
  expect_identical(code(quote(log(x)), sum_of(5000)), list())
  expect_bayesrisk_error(code(quote(log(x)), sum_of(1e5)), "object", "more than 20000")
})

test_that("code uses columns, kept values and constants of R", {
  code <- function(...) {
    feature <- list(expression = quote(I(x * k * pi)), ...)
    foreign_code(list(formula = y ~ I(x * k * pi), features = list(feature)), NULL)
  }
  expect_identical(code(columns = "x", values = list(k = 2)), list())
  expect_identical(code(columns = c("x", "k")), list())
  expect_identical(code(columns = "x"), list(quote(I(x * k * pi))))
})

test_that("the text of code hides nothing", {
  code <- call("+", "a\u202eb", call("log", "\033[1m", "caf\u00e9"))
  expect_identical(text_of_code(code), "\"a<U+202E>b\" + log(\"\\033[1m\", \"caf<U+00E9>\")")
  expect_false(text_of_code(0.3) == text_of_code(0.1 + 0.2))
})

test_that("data are plain vectors and lists, which are not evaluated", {
  held <- list(
    1, NULL, c(a = 1L), "x", matrix(1:4, 2, dimnames = list(NULL, c("a", "b"))), factor("a"),
    factor("a", ordered = TRUE), Sys.Date(), Sys.time(), as.difftime(1, units = "mins"),
    list(list(1), formula = quote(log(x)), expression = quote(x + y)), bayes_naive()
  )
  for (x in held) expect_true(holds_only_data(x), deparse1(x))
  foreign <- list(
    quote(x), mean, globalenv(), y ~ x, structure(1, class = "other"),
    structure(list(), class = "lm"), structure(1, note = 1), pairlist(1),
    structure(1L, levels = "a", class = c("other", "factor")),
    list(1, list(mean)), list(formula = call("log", globalenv())),
    list(expression = call("log", mean))
  )
  for (x in foreign) expect_false(holds_only_data(x), deparse1(x))
})

test_that("a value is kept without what other packages have added", {
  day <- structure(19000L, class = c("IDate", "Date"), label = "a day")
  expect_identical(plain_value(day), structure(19000L, class = "Date"))
  for (x in list(1, c(a = 1), factor("a"), Sys.time(), factor("a", ordered = TRUE))) {
    expect_identical(plain_value(x), x)
  }
  expect_true(is_plain_value(plain_value(day)))
  expect_false(is_plain_value(plain_value(structure(1, class = "integer64"))))
})

test_that("a kept value does not redefine a constant or a function", {
  feature <- list(expression = quote(I(x > pi)), columns = "x", values = list(pi = -99))
  code <- foreign_code(list(formula = y ~ I(x > pi), features = list(feature)), NULL)
  expect_identical(code, list(quote(I(x > pi))))
})
