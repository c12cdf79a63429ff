test_that("drawn folds are of one size and hold every class in proportion", {
  codes <- rep(c(1L, 2L, 3L, NA), c(101, 52, 7, 5))[c(165:1)]
  drawn <- withr::with_seed(4, read_folds(5, TRUE, codes, 160, NULL))
  expect_identical(is.na(drawn$of), is.na(codes))
  expect_true(all(table(drawn$of) == 32))
  by_class <- table(codes, drawn$of)
  expect_true(all(apply(by_class, 1, function(n) diff(range(n))) <= 1))
  plain <- withr::with_seed(4, read_folds(5, FALSE, codes, 160, NULL))
  expect_true(all(table(plain$of) == 32))
})

test_that("folds follow set.seed(), and nothing else of R's generator", {
  draw_once <- function(seed) {
    withr::with_seed(seed, read_folds(10, TRUE, rep(1:2, 50), 100, NULL)$of)
  }
  expect_identical(draw_once(1), draw_once(1))
  expect_false(identical(draw_once(1), draw_once(2)))
  before <- withr::with_seed(1, {
    read_folds(100, TRUE, rep(1:2, 50), 100, NULL)
    read_folds(rep(1:2, 50), TRUE, rep(1:2, 50), 100, NULL)
    stats::runif(1)
  })
  expect_identical(before, withr::with_seed(1, stats::runif(1)))
})

test_that("every assignment is as likely as any other", {
  # Two classes of 4 and 2 in 2 folds: 6 * 2 assignments.
  codes <- c(1L, 1L, 2L, 1L, 2L, 1L)
  drawn <- withr::with_seed(9, replicate(6000, {
    paste(read_folds(2, TRUE, codes, 6, NULL)$of, collapse = "")
  }))
  expect_identical(length(unique(drawn)), 12L)
  expect_gt(stats::chisq.test(table(drawn))$p.value, 1e-4)
})

test_that("as many folds as rows leave out one by one, whatever the seed", {
  loo <- read_folds(4, TRUE, c(2L, NA, 1L, 1L, 2L), 4, NULL)
  expect_identical(loo$of, c(1L, NA, 2L, 3L, 4L))
})

test_that("given folds are matched by value", {
  read <- function(folds) read_folds(folds, TRUE, rep(1L, 4), 4, NULL)
  expect_identical(read(c("b", "a", "b", "c"))$of, c(2L, 1L, 2L, 3L))
  expect_identical(read(c(10, 9, 9, 10))$labels, c("9", "10"))
  expect_identical(read(c(TRUE, FALSE, FALSE, TRUE))$of, c(2L, 1L, 1L, 2L))
  unused <- read(factor(c("x", "y", "y", "x"), c("z", "y", "x")))
  expect_identical(unused$of, c(2L, 1L, 1L, 2L))
  expect_identical(unused$labels, c("y", "x"))
  left_out <- read_folds(c(1, NA, 2, 2), TRUE, c(1L, NA, 1L, 1L), 3, NULL)
  expect_identical(left_out$of, c(1L, NA, 2L, 2L))
})

test_that("folds that cannot be are said", {
  run <- function(folds, data = iris, ...) {
    cv_risk(bayes_naive(), Species ~ ., data, folds = folds, ...)
  }
  expect_refusals(
    "folds & 1" = run(1),
    "folds & 151" = run(151),
    "folds & 2.5" = run(2.5),
    "folds & 150 & 3" = run(1:3),
    "folds" = run(rep(1, 150)),
    "folds & 1 row" = run(c(NA, rep(1:2, length.out = 149))),
    "stratify & NA" = run(10, stratify = NA),
    "folds & 10002" =
      cv_risk(bayes_naive(), y ~ x, data.frame(y = rep(1:2, 5001), x = 1:10002), folds = 10002),
    "folds & 10002" = cv_risk(
      bayes_naive(), y ~ x, data.frame(y = rep(1:2, 5001), x = 1:10002), folds = 1:10002
    )
  )
  expect_refusals(
    .kind = "data",
    "Folds & 1" = run(10, iris[1, ])
  )
})
