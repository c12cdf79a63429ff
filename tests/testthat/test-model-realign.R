# Parts whose classes, levels or columns differ, against one fit of all rows.

parts_of <- function(data, first, spec, formula, prepare = function(x) x) {
  list(
    first = bayes_statistics(spec, formula, prepare(data[first, ])),
    second = bayes_statistics(spec, formula, prepare(data[-first, ]))
  )
}

expect_united <- function(data, first, spec, formula, prepare = function(x) x) {
  parts <- parts_of(data, first, spec, formula, prepare)
  whole <- fit(spec, formula, data)
  expect_same_predictions(fit(spec, merge(parts$first, parts$second)), whole, data)
  expect_same_predictions(fit(spec, merge(parts$second, parts$first)), whole, data)
}

test_that("levels in another order, or only in one part, are united by name", {
  data <- play_tennis
  reversed <- function(x) {
    x$outlook <- factor(x$outlook, rev(unique(as.character(x$outlook))))
    x
  }
  expect_united(data, c(1, 2, 6, 8, 9), bayes_naive(laplace = 1), play ~ ., reversed)
  expect_united(data, c(1, 2, 6, 8, 9), bayes_full(laplace = 1), play ~ ., reversed)
})

test_that("characters, logicals and numbers as classes are united and stay sorted", {
  data <- data.frame(
    y = c(10, 9, 10, 9, 2, 2, 33, 33), f = c("b", "a", "b", "c", "a", "d", "d", "a"),
    x = c(1, 2, 4, 8, 3, 5, 9, 7)
  )
  expect_united(data, 1:4, bayes_naive(laplace = 1), y ~ .)
  parts <- parts_of(data, 1:4, bayes_naive(laplace = 1), y ~ .)
  swapped <- fit(bayes_naive(laplace = 1), merge(parts$second, parts$first))
  expect_identical(swapped, fit(bayes_naive(laplace = 1), merge(parts$first, parts$second)))
  expect_identical(swapped$schema$classes$levels, c("2", "9", "10", "33"))
  expect_identical(swapped$schema$features$f$levels, c("a", "b", "c", "d"))
  data$y <- data$y > 9
  expect_united(data, 1:4, bayes_naive(laplace = 1), y ~ .)
})

test_that("classes of different types are united without a warning", {
  part <- function(y) {
    bayes_statistics(bayes_naive(), y ~ x, data.frame(y = rep(y, each = 2), x = c(1, 2, 3, 5)))
  }
  expect_warning(merged <- merge(merge(part(1:2), part(c("u", "v"))), part(c(0, 2))), NA)
  expect_setequal(merged$schema$classes$levels, c("0", "1", "2", "u", "v"))
})

test_that("factor levels keep the first part's order, then the new", {
  parts <- parts_of(iris, 51:150, bayes_naive(), Species ~ ., droplevels)
  merged <- merge(parts$first, parts$second)
  expect_identical(merged$schema$classes$levels, c("versicolor", "virginica", "setosa"))
  expect_united(iris, 51:150, bayes_full(), Species ~ ., droplevels)
})

test_that("columns in another order, or of character, are the same features", {
  first <- bayes_statistics(bayes_full(laplace = 1), play ~ ., play_tennis[1:7, ])
  other <- play_tennis[8:14, c(5, 3, 1, 4, 2)]
  other[] <- lapply(other, as.character)
  second <- bayes_statistics(bayes_full(laplace = 1), play ~ ., other)
  merged <- fit(bayes_full(laplace = 1), merge(first, second))
  expect_same_predictions(merged, fit(bayes_full(laplace = 1), play ~ ., play_tennis), play_tennis)
})

test_that("a joint block keeps its order of features when columns move", {
  block <- bayes_blocks(list(petal = c("Petal.Width", "Petal.Length")))
  first <- bayes_statistics(block, Species ~ ., iris[seq(1, 149, 2), ])
  second <- bayes_statistics(block, Species ~ ., iris[seq(2, 150, 2), c(4, 1, 5, 3, 2)])
  expect_same_predictions(fit(block, merge(first, second)), fit(block, Species ~ ., iris), iris)
})

test_that("parts with other features, or another kind, do not merge", {
  first <- bayes_statistics(bayes_naive(), Species ~ ., iris)
  expect_error(merge(first, bayes_statistics(bayes_naive(), Species ~ . - Petal.Width, iris)),
               "Petal.Width", class = "bayesrisk_error_argument")
  text <- transform(iris, Petal.Width = as.character(Petal.Width))
  expect_error(merge(first, bayes_statistics(bayes_naive(), Species ~ ., text)),
               "Petal.Width.*numeric.*categorical", class = "bayesrisk_error_argument")
})

test_that("a bag of TRUE and FALSE and one of numbers merge if their likelihoods are the same", {
  mail <- mails()
  there <- methods::as(mail$words, "lMatrix")
  of <- function(spec, words) suppressWarnings(fit(spec, list(words = words), mail$y))
  numbers <- of(bayes_text("bernoulli"), mail$words)
  presence <- of(bayes_text("bernoulli"), there)
  for (both in list(
    merge(numbers, presence), merge(presence, numbers),
    update(presence, list(words = mail$words), y = mail$y)
  )) {
    expect_identical(counts(both)$words, 2 * counts(numbers)$words)
    expect_identical(dim(predict(both, list(words = mail$words), type = "prob")), c(60L, 3L))
  }
  refused <- "different likelihoods of words: \"(gaussian_bag|bernoulli)\""
  naive <- of(bayes_naive(), there)
  expect_bayesrisk_error(merge(naive, of(bayes_naive(), mail$words)), "argument", refused)
  expect_bayesrisk_error(merge(of(bayes_naive(), mail$words), naive), "argument", refused)
  expect_bayesrisk_error(
    update(naive, list(words = mail$words), y = mail$y), "argument", refused
  )
})
