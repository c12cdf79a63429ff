levels <- c("small", "medium", "large")
resolve <- function(likelihood) pseudo_counts(likelihood, levels, "size", NULL)

test_that("settings are kept as given", {
  plain <- likelihood_categorical()
  expect_identical(
    unclass(plain)[c("name", "laplace", "m", "p", "table")],
    list(name = "categorical", laplace = 0, m = NULL, p = NULL, table = NULL)
  )
  shares <- c(small = 0.5, medium = 0.2, large = 0.3)
  expect_identical(likelihood_categorical(m = 2L, p = shares)[c("m", "p")], list(m = 2, p = shares))
  expect_identical(likelihood_categorical(laplace = c(1L, 2L))$laplace, c(1, 2))
})

test_that("pseudo-counts of laplace: one for all, by name, in level order", {
  expect_identical(resolve(likelihood_categorical()), c(0, 0, 0))
  expect_identical(resolve(likelihood_categorical(laplace = 0.5)), c(0.5, 0.5, 0.5))
  by_name <- c(large = 3, small = 1, medium = 2)
  expect_identical(resolve(likelihood_categorical(laplace = by_name)), c(1, 2, 3))
  expect_identical(resolve(likelihood_categorical(laplace = c(1, 2, 3))), c(1, 2, 3))
  one_level <- pseudo_counts(likelihood_categorical(c(only = 4)), "only", "f", NULL)
  expect_identical(one_level, 4)
})

test_that("pseudo-counts of the m-estimate reproduce the lecture's table", {
  # "Naive Bayes Learning (after Mooney)": counts 4, 0, 6 of 10, m = 1, p = 1/3
  a <- resolve(likelihood_categorical(m = 1))
  expect_equal((c(4, 0, 6) + a) / (10 + sum(a)), c(13, 1, 19) / 33, tolerance = 1e-15)
  expect_identical(resolve(likelihood_categorical(m = 1, p = 1 / 3)), a)
  laplace <- resolve(likelihood_categorical(laplace = 1))
  expect_equal(resolve(likelihood_categorical(m = 3)), laplace, tolerance = 1e-15)
  shares <- c(large = 0.3, small = 0.5, medium = 0.2)
  by_shares <- resolve(likelihood_categorical(m = 2, p = shares))
  expect_equal(by_shares, c(1, 0.4, 0.6), tolerance = 1e-15)
  expect_identical(resolve(likelihood_categorical(m = 0)), c(0, 0, 0))
})

test_that("smoothing that does not fit the levels names argument, feature and level", {
  expect_error(resolve(likelihood_categorical(m = 1, p = 0.5)),
    "p.*size.*does not sum to 1.*3 levels", class = "bayesrisk_error_argument"
  )
  expect_error(resolve(likelihood_categorical(laplace = c(1, 2))),
    "laplace.*2 numbers.*size.*3 levels", class = "bayesrisk_error_argument"
  )
  expect_error(resolve(likelihood_categorical(laplace = c(small = 1, medium = 1, huge = 2))),
    "laplace.*size.*Missing.*large.*Unknown.*huge", class = "bayesrisk_error_argument"
  )
  expect_error(resolve(likelihood_categorical(m = 1, p = c(small = 0.5, large = 0.5))),
    "p.*size.*Missing.*medium", class = "bayesrisk_error_argument"
  )
})

test_that("arguments that exclude or need each other", {
  expect_error(likelihood_categorical(laplace = 1, m = 1), "laplace.*m",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_categorical(p = 0.5), "`p` needs `m`", class = "bayesrisk_error_argument")
  table <- rbind(yes = c(a = 0.1, b = 0.9), no = c(0.7, 0.3))
  expect_error(likelihood_categorical(laplace = 1, table = table), "table.*laplace",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_categorical(m = 1, table = table), "table.*m",
    class = "bayesrisk_error_argument"
  )
  # a laplace of 0 says nothing against m
  expect_identical(likelihood_categorical(laplace = 0, m = 1)$m, 1)
})

test_that("p is a probability, named by level where levels differ", {
  expect_error(likelihood_categorical(m = 1, p = c(0.4, 0.6)), "p.*named by level",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_categorical(m = 1, p = c(a = 0.4, b = 0.4)), "p.*sum to 1",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_categorical(m = 1, p = 1.5), "p.*probability",
    class = "bayesrisk_error_argument"
  )
  rounded <- c(a = 1 + 5e-9)
  expect_identical(likelihood_categorical(m = 1, p = rounded)$p, rounded)
})

test_that("a known table keeps its dimnames and must be conditional on the class", {
  table <- rbind(positive = c(small = .4, medium = .1, large = .5), negative = c(.4, .2, .4))
  expect_identical(likelihood_categorical(table = table)$table, table)
  counts <- table(truth = c("a", "a", "b"), colour = c("red", "blue", "red"))
  shares <- prop.table(counts, 1)
  known <- likelihood_categorical(table = shares)$table
  expect_false(is.object(known))
  expect_identical(dimnames(known), dimnames(shares))
  joint <- array(c(.1, .4, .2, .3, .3, .2, .4, .1), c(2, 2, 2),
    list(class = c("p", "n"), f = c("u", "v"), g = c("s", "t"))
  )
  expect_identical(likelihood_categorical(table = joint)$table, joint)
  # transposed, the columns would have to sum to 1
  expect_error(likelihood_categorical(table = t(table)), "table.*sum to 1.*small",
    class = "bayesrisk_error_argument"
  )
  expect_error(likelihood_categorical(table = unname(table)), "table.*dimnames",
    class = "bayesrisk_error_argument"
  )
  negative <- table
  negative["positive", ] <- c(-0.1, 0.6, 0.5)
  expect_error(likelihood_categorical(table = negative), "table.*0 or more",
    class = "bayesrisk_error_argument"
  )
})

test_that("describes its smoothing", {
  expect_identical(describe_likelihood(likelihood_categorical()), "relative frequency")
  expect_identical(
    describe_likelihood(likelihood_categorical(m = 1)),
    "the m-estimate with m = 1 and p = 1/levels"
  )
  expect_match(describe_likelihood(likelihood_categorical(c(a = 1, b = 2))), "Laplace a 1, b 2")
  table <- rbind(yes = c(a = 0.1, b = 0.9, c = 0), no = c(0.7, 0.3, 0))
  expect_identical(describe_likelihood(likelihood_categorical(table = table)),
    "a given table (2 x 3)"
  )
})

test_that("every argument is fuzz-proof", {
  valid <- function(x) is_likelihood(x) && is.character(format(x))
  for (arg in c("laplace", "m", "p", "table")) {
    expect_fuzz_proof(likelihood_categorical, arg, is_valid = valid)
  }
  expect_fuzz_proof(likelihood_categorical, "p", list(m = 1), valid)
  expect_fuzz_proof(likelihood_categorical, "m", list(laplace = 1), valid)
})

test_that("errors show the user's call", {
  error <- expect_error(likelihood_categorical(laplace = -1), class = "bayesrisk_error_argument")
  expect_identical(conditionCall(error), quote(likelihood_categorical(laplace = -1)))
})

test_that("smoothing whose sum no double holds is refused", {
  spec <- bayes_naive(laplace = 1e308)
  expect_bayesrisk_error(fit(spec, y ~ g, mixed()), "argument", "levels of g overflows")
})

test_that("a table with the classes in columns shows t()", {
  turned <- cbind(a = c(u = 0.1, v = 0.9), b = c(0.5, 0.5))
  expect_bayesrisk_error(likelihood_categorical(table = turned), "argument", "give `t\\(table\\)`")
})

test_that("three kinds of unseen level: in a class, declared, not declared", {
  days <- transform(play_tennis, outlook = factor(outlook, c("sunny", "overcast", "rain", "fog")))
  unseen <- data.frame(outlook = c("overcast", "fog", "hail"))
  raw <- fit(bayes_naive(), play ~ outlook, days)
  warned <- testthat::capture_warnings(found <- predict(raw, unseen, type = "prob"))
  expect_identical(found[1L, ], c(yes = 1, no = 0))
  expect_true(all(is.na(found[2L, ])))
  expect_within(found[3L, ], c(9, 5) / 14, 1e-15)
  expect_match(warned[[1L]], "\"hail\"; the model knows")
  expect_match(warned[[2L]], "impossible under every class")
  smooth <- fit(bayes_naive(laplace = 1), play ~ outlook, days)
  expect_warning(
    found <- predict(smooth, unseen, type = "joint"), class = "bayesrisk_warning_unknown_level"
  )
  # (n + 1) / (n_k + 4) levels
  expect_within(found[1L, ], c(9, 5) / 14 * c(5 / 13, 1 / 9), 1e-15)
  expect_within(found[2L, ], c(9, 5) / 14 * c(1 / 13, 1 / 9), 1e-15)
  expect_within(found[3L, ], c(9, 5) / 14, 1e-15)
})
