# Means and standard deviations of NIST's reference data sets (helper-nist.R): the digits that
# are right, of the numbers as doubles store them, whichever way they go through the package.

# The data sets have one class.
fit <- function(...) one_class(generics::fit(...))
fit_xy <- function(...) one_class(generics::fit_xy(...))

expect_digits <- function(digits) {
  digits <- one_class(digits)
  wrong <- digits[!(digits$mean >= 14 & digits$sd >= 13), ]
  expect(nrow(wrong) == 0L, paste(c("too few digits:", format_rows(wrong)), collapse = "\n"))
  invisible(digits)
}

format_rows <- function(table) do.call(paste, lapply(table, format))

test_that("N1, N2: every data set, model, route and kernel: 14 digits of a mean, 13 of an sd", {
  skip_on_cran()
  digits <- expect_digits(nist_digits())
  expect_identical(nrow(digits), 17L * 3L * 7L * 2L)
})

test_that("so have two threads, which share the chunks", {
  skip_on_cran()
  expect_digits(nist_digits(routes = nist_routes()[c("chunks", "sorted chunks")], threads = 2L))
})

test_that("the references are those of rational arithmetic, and NIST's where doubles are exact", {
  sets <- nist_sets()
  expect_identical(lengths(lapply(sets, `[[`, "x")), c(
    Lew = 200L, Lottery = 218L, Mavro = 50L, Michelso = 100L, NumAcc1 = 3L, NumAcc2 = 1001L,
    NumAcc3 = 1001L, NumAcc4 = 1001L, SmLs01 = 189L, SmLs02 = 1809L, SmLs03 = 18009L,
    SmLs04 = 189L, SmLs05 = 1809L, SmLs06 = 18009L, SmLs07 = 189L, SmLs08 = 1809L, SmLs09 = 18009L
  ))
  expect_reference <- function(set, class, mean, sd) {
    expect_within(set$mean[[class]], mean, 1e-15)
    expect_within(set$sd[[class]], sd, 1e-15)
  }
  expect_reference(sets$Lew, 1, -177.435, 277.332168044316)
  expect_reference(sets$Lottery, 1, 518.958715596330, 291.699727470969)
  expect_reference(sets$NumAcc2, 1, 1.2000000000000000665, 0.099999999999999977796)
  expect_reference(sets$NumAcc3, 1, 1000000.2000000000116, 0.10000000003492459655)
  expect_reference(sets$NumAcc4, 1, 10000000.200000000185, 0.10000000055879354477)
  expect_reference(sets$SmLs07, 1, 1000000000000.4000244, 0.0999755859375)
  expect_reference(sets$SmLs07, 2, 1000000000000.2999906994, 0.10003662198039917602)
  # Mavro and Michelso are decimal, and their sd another one in its 13th and 14th digit.
  expect_within(c(sets$Mavro$mean, sets$Michelso$mean), c(2.001856, 299.8524), 1e-15)
  expect_within(
    c(sets$Mavro$sd, sets$Michelso$sd), c(0.000429123454003053, 0.0790105478190518), 1e-12
  )
})

test_that("models without a fold of the data, merged, are those that never saw it", {
  for (set in nist_sets()[c("SmLs01", "SmLs04", "SmLs07")]) {
    data <- data.frame(x = set$x, class = set$class)
    folds <- seq_along(set$x) %% 4
    p <- cv_predict(bayes_naive(), class ~ x, data, folds = folds)
    for (fold in 0:3) {
      model <- fit(bayes_naive(), class ~ x, data[folds != fold, ])
      expect_within(
        p[folds == fold, ], predict(model, data[folds == fold, ], type = "prob"), 1e-11
      )
    }
  }
})

test_that("parts of NumAcc4, however unequal, are one fit (N12)", {
  set <- nist_sets()$NumAcc4
  data <- data.frame(x = set$x, class = set$class)
  for (at in c(1, 500, 1000)) {
    parts <- lapply(split(data, seq_along(set$x) <= at), function(part) {
      bayes_statistics(bayes_naive(), class ~ x, part)
    })
    found <- fitted_moments(fit(bayes_naive(), merge(parts[[2]], parts[[1]])))
    expect_gte(log_relative_error(found$mean, set$mean), 14)
    expect_gte(log_relative_error(found$sd, set$sd), 13)
  }
})

test_that("a million rows keep their digits (N15)", {
  x <- rep(c(.1, .3), 5e5)
  found <- fitted_moments(fit_xy(bayes_naive(), data.frame(x), rep("a", 1e6)))
  middle <- .1 + (.3 - .1) / 2
  expect_gte(log_relative_error(found$mean, middle), 14)
  expect_gte(log_relative_error(found$sd, (.3 - .1) / 2 * sqrt(1e6 / (1e6 - 1))), 13)
})
