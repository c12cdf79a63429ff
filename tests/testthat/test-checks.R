is_model <- function(x) inherits(x, "bayesrisk_model")
is_matrix <- function(x) is.matrix(x) && is.double(x) && !anyNA(x)

test_that("values are described in a few words", {
  expect_identical(describe_value(NULL), "NULL")
  expect_identical(describe_value("a"), "\"a\"")
  expect_identical(describe_value(NA_character_), "NA")
  expect_identical(describe_value(1:3), "an integer vector of length 3")
  expect_identical(describe_value(c(0.5, 2)), "a double vector of length 2")
  expect_match(describe_value(iris), "class data.frame and length 5")
})

test_that("one number is taken as it is, everything else is named", {
  expect_identical(check_number(2L, "x"), 2)
  expect_bayesrisk_error(check_number(c(1, 2), "width"), "argument", "width.*one finite number")
  expect_bayesrisk_error(check_number(-1, "width", min = 0), "argument", "width.*0 or more.*-1")
  expect_bayesrisk_error(check_number(2, "share", 0, 1), "argument", "share.*from 0 to 1")
  expect_bayesrisk_error(check_whole_number(1.5, "folds"), "argument", "folds.*whole number")
  expect_bayesrisk_error(check_string(NA_character_, "name"), "argument", "name.*one string")
})

test_that("a choice is one of those offered, or the default vector", {
  expect_identical(check_choice(c("a", "b"), c("a", "b"), "which"), "a")
  expect_identical(check_choice("b", c("a", "b"), "which"), "b")
  expect_bayesrisk_error(check_choice("c", c("a", "b"), "which"), "argument", "which.*\"a\".*\"b\"")
})

test_that("an argument that nothing reads is an error that names it", {
  model <- fit(bayes_naive(), y ~ x, tails())
  x <- tails()["x"]
  wrong <- list(
    quote(fit(bayes_naive(), y ~ x, tails(), lapace = 1)),
    quote(fit_xy(bayes_naive(), x, tails()$y, lapace = 1)),
    quote(predict(model, x, lapace = 1)),
    quote(merge(model, model, lapace = 1)),
    quote(contributions(model, x, lapace = 1)),
    quote(bayes_statistics(bayes_naive(), y ~ x, tails(), lapace = 1)),
    quote(update(model, lapace = 1))
  )
  for (call in wrong) expect_bayesrisk_error(eval(call), "argument", "lapace")
})

test_that("threads are a whole number of at least 1, wherever they are given (R3)", {
  skip_on_cran()
  model <- fit(bayes_naive(), y ~ x, tails())
  for (threads in list(0, -1, NA, 1e9, 1.5, "2", NULL, 1:2)) {
    expect_bayesrisk_error(predict(model, tails(), threads = threads), "argument", "threads")
    expect_bayesrisk_error(fit(bayes_naive(), y ~ x, tails(), threads = threads), "argument",
                           "threads")
    expect_bayesrisk_error(update(model, tails(), threads = threads), "argument", "threads")
    expect_bayesrisk_error(update(model, laplace = 1, threads = threads), "argument", "threads")
  }
})

test_that("OMP_THREAD_LIMIT is honoured", {
  withr::local_envvar(OMP_THREAD_LIMIT = "2")
  expect_identical(check_threads(8), 2L)
  expect_identical(check_threads(1), 1L)
  withr::local_envvar(OMP_THREAD_LIMIT = "many")
  expect_identical(check_threads(8), 8L)
})

test_that("every argument of fit() is fuzz proof (A2)", {
  skip_on_cran()
  fixed <- list(object = bayes_naive(degenerate = "stop"), formula = y ~ x, data = mixed())
  for (arg in c("weights", "na.action", "threads")) {
    one_class(expect_fuzz_proof(fit, arg, fixed, is_model))
  }
  for (arg in c("formula", "data", "subset")) {
    one_class(expect_fuzz_proof(fit, arg, fixed, is_model, error = "bayesrisk_error"))
  }
})

test_that("every argument of fit_xy() is fuzz proof (A2)", {
  skip_on_cran()
  fixed <- list(object = bayes_naive(), x = mixed()["x"], y = mixed()$y)
  for (arg in c("weights", "threads")) expect_fuzz_proof(fit_xy, arg, fixed, is_model)
  for (arg in c("x", "y")) {
    expect_fuzz_proof(fit_xy, arg, fixed, is_model, error = "bayesrisk_error_data")
  }
})

test_that("every argument of bayes_statistics() is fuzz proof (A2)", {
  skip_on_cran()
  fixed <- list(object = bayes_naive(), formula = y ~ x, data = mixed())
  is_statistics <- function(x) inherits(x, "bayesrisk_statistics")
  for (arg in c("object", "formula", "weights", "na.action", "threads")) {
    expect_fuzz_proof(bayes_statistics, arg, fixed, is_statistics)
  }
  for (arg in c("data", "subset")) {
    expect_fuzz_proof(bayes_statistics, arg, fixed, is_statistics, error = "bayesrisk_error")
  }
})

test_that("every argument of predict() and contributions() is fuzz proof (A2)", {
  skip_on_cran()
  model <- fit(bayes_naive(), y ~ x, mixed())
  fixed <- list(object = model, newdata = mixed())
  is_answer <- function(x) is.factor(x) || is_matrix(x) || is.array(x) && !anyNA(x)
  for (arg in c("type", "prior", "cost", "threads")) {
    expect_fuzz_proof(predict, arg, fixed, is_answer)
  }
  for (arg in c("object", "prior")) expect_fuzz_proof(contributions, arg, fixed, is_answer)
  for (fun in list(predict, contributions)) {
    expect_fuzz_proof(fun, "newdata", fixed, is_answer, error = "bayesrisk_error_schema")
  }
  expect_bayesrisk_error(predict(model), "argument", "newdata.*missing")
  expect_bayesrisk_error(contributions(model), "argument", "newdata.*missing")
})

test_that("every argument of update() is fuzz proof (A2)", {
  skip_on_cran()
  model <- fit(bayes_naive(), y ~ x + g, mixed())
  settings <- c("weights", "y", "laplace", "prior", "variance", "shrinkage", "covariance",
                "numeric", "categorical", "features", "blocks", "structure")
  for (arg in settings) expect_fuzz_proof(update, arg, list(object = model), is_model)
  expect_fuzz_proof(update, "moredata", list(object = model), is_model, error = "bayesrisk_error")
  more <- list(object = model, moredata = mixed())
  for (arg in c("weights", "y", "threads")) expect_fuzz_proof(update, arg, more, is_model)
})

test_that("every argument of merge() and bayes_known() is fuzz proof (A2)", {
  skip_on_cran()
  model <- fit(bayes_naive(), y ~ x, mixed())
  expect_fuzz_proof(merge, "y", list(x = model), is_model)
  statistics <- bayes_statistics(bayes_naive(), y ~ x, mixed())
  expect_fuzz_proof(merge, "y", list(x = statistics), is_model)
  normal <- likelihood_gaussian(mean = c(a = 1, b = 2), sd = 1)
  expect_fuzz_proof(bayes_known, "prior", list(x = normal), is_model)
  expect_fuzz_proof(bayes_known, "x", list(prior = c(a = 0.4, b = 0.6)), is_model)
  known <- bayes_known(c(a = 0.4, b = 0.6), x = normal)
  for (arg in c("prior", "moredata", "laplace")) {
    expect_fuzz_proof(update, arg, list(object = known), is_model)
  }
})

test_that("a specification is not a model, and says so", {
  expect_bayesrisk_error(predict(bayes_naive(), tails()), "argument", "fit")
  expect_bayesrisk_error(contributions(bayes_naive(), tails()), "argument", "fitted model")
})

test_that("a flag is TRUE or FALSE, nothing that could be taken for it", {
  expect_true(check_flag(TRUE, "sorted"))
  expect_false(check_flag(c(a = FALSE), "sorted"))
  expect_bayesrisk_error(check_flag(NA, "sorted"), "argument", "sorted.*TRUE or FALSE.*NA")
  expect_bayesrisk_error(check_flag(1, "sorted"), "argument", "sorted")
})

test_that("a seed is a whole number from 0", {
  expect_identical(check_seed(7), 7L)
  expect_identical(check_seed(0L), 0L)
  for (bad in list(-1, 0.5, NA, "1", 2^31)) {
    expect_bayesrisk_error(check_seed(bad), "argument", "seed")
  }
})

test_that("an argument without a name that is not used is an error", {
  model <- fit(bayes_naive(), y ~ x, mixed())
  for (fun in list(coef, summary, tidy)) {
    expect_bayesrisk_error(fun(model, 3), "argument", "without a name")
  }
})

test_that("the objects that were marked last are known, a changed one is not", {
  first <- mark_sound(list(part = 1), "test")
  expect_true(is_marked(list(part = 1), "test"))
  expect_false(is_marked(replace(first, "part", 2), "test"))
  second <- mark_sound(list(part = 2), "test")
  expect_true(is_marked(first, "test") && is_marked(second, "test"))
  mark_sound(list(part = 3), "test")
  expect_false(is_marked(first, "test"))
  expect_false(is_marked(NULL, "nothing of this kind"))
})

test_that("some of the choices are taken as they are, everything else is named", {
  expect_identical(check_some(c("b", "a"), c("a", "b"), "which"), c("b", "a"))
  for (x in list("c", c("a", "a"), character(), NA_character_, 1, NULL)) {
    expect_bayesrisk_error(check_some(x, c("a", "b"), "which"), "argument", "which.*\"a\".*\"b\"")
  }
})

test_that("a value is known for an equal key, an error is not", {
  made <- 0
  count <- function(x) {
    known_value("test", list(x), function() {
      made <<- made + 1
      if (length(x) > 3L) stop("too long")
      length(x)
    })
  }
  expect_identical(count(1:2), 2L)
  expect_identical(count(c(1L, 2L)), 2L)
  expect_identical(made, 1)
  expect_identical(count(1:3), 3L)
  expect_error(count(1:4), "too long")
  expect_error(count(1:4), "too long")
  expect_identical(made, 4)
  expect_identical(count(1:3), 3L)
  expect_identical(made, 4)
  inverse <- function(x) known_value("test", x, function() 1 / x)
  expect_identical(c(inverse(0), inverse(-0)), c(Inf, -Inf))
})

test_that("check_numbers() keeps values and names, and makes them plain doubles", {
  expect_identical(check_numbers(c(b = 2L, a = 0L), "x", min = 0), c(b = 2, a = 0))
  expect_identical(check_numbers(c(-1, 2), "x"), c(-1, 2))
  shares <- prop.table(table(c("u", "v", "v", "v")))
  expect_identical(check_numbers(shares, "x"), c(u = 0.25, v = 0.75))
})

test_that("check_numbers() names the argument", {
  for (bad in list(NULL, "a", TRUE, numeric(), matrix(1:4, 2), factor(1), c(1, NA), c(1, Inf))) {
    expect_error(check_numbers(bad, "some_arg"), "some_arg", class = "bayesrisk_error_argument")
  }
  expect_error(check_numbers(c(1, -2), "x", min = 0), "0 or more, not -2",
    class = "bayesrisk_error_argument"
  )
})

test_that("names must tell the entries apart", {
  expect_invisible(check_distinct_names(c("a", "b"), "x"))
  expect_invisible(check_distinct_names(NULL, "x"))
  expect_error(check_distinct_names(c("a", ""), "x"), "`x`.*name is missing",
    class = "bayesrisk_error_argument"
  )
  expect_error(check_distinct_names(c("a", NA), "x"), class = "bayesrisk_error_argument")
  expect_error(check_distinct_names(c("a{b}", "a{b}"), "x"), "a{b}", fixed = TRUE,
    class = "bayesrisk_error_argument"
  )
})

test_that("match_names() gives positions, or lists what is missing and unknown", {
  expect_identical(match_names(c("b", "c", "a"), c("a", "b", "c"), "x"), c(3L, 1L, 2L))
  expect_error(match_names(c("b", "z"), c("a", "b"), "x"), "classes.*Missing.*a.*Unknown.*z",
    class = "bayesrisk_error_argument"
  )
  expect_error(match_names("z", c("a", "b"), "p", "size"), "levels of size",
    class = "bayesrisk_error_argument"
  )
})

test_that("sums_to_one() allows 1e-8", {
  expect_true(sums_to_one(c(0.08, 0.14, 0.03, 0.16, 0.11, 0.16, 0.07, 0.14, 0.11, 0)))
  expect_true(sums_to_one(c(0.5, 0.5 + 9e-9)))
  expect_false(sums_to_one(c(0.5, 0.5 + 2e-8)))
})

test_that("a label that differs a little is recognised as a misspelling, another one is not", {
  expect_identical(likely_misspellings("helthy", c("ill", "healthy")), "\"helthy\" for \"healthy\"")
  expect_identical(likely_misspellings("Ill", "ill"), "\"Ill\" for \"ill\"")
  expect_identical(
    likely_misspellings(c("x", "fraud"), c("y", "frauds")), "\"fraud\" for \"frauds\""
  )
  expect_length(likely_misspellings("sick", "healthy"), 0)
  expect_length(likely_misspellings(character(), "healthy"), 0)
  expect_length(likely_misspellings("sick", character()), 0)
})

test_that("of thousands of names only some are compared", {
  names <- sprintf("gene%d", 1:3000)
  same <- sprintf("\"%s\" for \"%s\"", names, names)
  expect_identical(likely_misspellings(names, names), same[1:3])
})

test_that("labels are levels in the order of their kind, never of the locale", {
  call <- environment()
  expect_identical(levels(label_factor(c(10, 9, NA), "x", call)), c("9", "10"))
  expect_identical(levels(label_factor(100000, "x", call)), "100000")
  expect_identical(levels(label_factor(c(TRUE, FALSE), "x", call)), c("FALSE", "TRUE"))
  expect_identical(levels(label_factor(c("b", "a", "B"), "x", call)), c("B", "a", "b"))
  expect_identical(levels(label_factor(factor("b", c("c", "b", "a")), "x", call)), c("c", "b", "a"))
  expect_identical(levels(label_factor(addNA(factor(c("b", NA))), "x", call)), "b")
})

test_that("what is no label is refused by name", {
  call <- environment()
  damaged <- structure(c(1L, 99L), levels = c("a", "b"), class = "factor")
  for (bad in list(damaged, 1.5, Inf, Sys.Date(), list("a"), NULL, matrix("a"), 1i)) {
    expect_error(label_factor(bad, "truth", call), "truth", class = "bayesrisk_error_argument")
  }
})
