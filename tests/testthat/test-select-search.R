search_path <- function(...) as.data.frame(search_blocks(bayes_naive(), ...))

test_that("the search finds known blocks of numbers and of categories", {
  blocks <- list(c("a", "b", "c"), c("d", "e", "f"), c("g", "h"), "i")
  for (seed in 1:5) {
    withr::local_seed(seed)
    data <- block_data(blocks)
    found <- search_blocks(bayes_naive(), y ~ ., data)
    expect_equal(sorted_blocks(found), blocks[1:3], info = seed)
    data <- block_data(blocks, 1500, 0.8)
    data[-1] <- lapply(data[-1], function(x) ifelse(x > 0.5, "high", "low"))
    expect_equal(
      sorted_blocks(search_blocks(bayes_naive(), y ~ ., data)), blocks[1:3], info = seed
    )
  }
})

test_that("where naive is right, nothing is merged, and what was merged is split", {
  skip_on_cran()
  merged <- vapply(1:20, function(seed) {
    withr::local_seed(seed)
    data <- data.frame(y = rep(c("a", "b"), 1000), matrix(stats::rnorm(1e4), 2000))
    data$g <- sample(c("u", "v"), 2000, TRUE)
    data$h <- sample(c("p", "q", "r"), 2000, TRUE)
    full <- search_blocks(bayes_full(), y ~ ., data)
    naive <- search_blocks(bayes_naive(), y ~ ., data)
    expect_equal(sorted_blocks(full), sorted_blocks(naive))
    length(naive$blocks)
  }, 1L)
  # 11 pairs in each of 20 data sets. The gain of a pair of numbers is about half a chi-squared of 2
  # degrees of freedom minus log(1000) - 0.45, so 0.35 pairs are merged on average.
  expect_lte(sum(merged), 2L)
})

test_that("a search from one large block does not end before one from single features", {
  withr::local_seed(8)
  blocks <- lapply(0:3, function(b) letters[3 * b + 1:3])
  data <- block_data(blocks, 500)
  found <- search_blocks(bayes_full(), y ~ ., data)
  expect_equal(sorted_blocks(found), blocks)
  expect_identical(as.data.frame(found), search_path(y ~ ., data))
})

test_that("greedy is the best of all partitions of these data", {
  skip_on_cran()
  best <- function(data, labels, y) {
    score <- vapply(partitions(labels), function(part) {
      sum(vapply(part, function(block) log_evidence(data[block], data[[y]]), 1))
    }, 1)
    max(score)
  }
  end <- function(found) {
    path <- as.data.frame(found)
    if (nrow(path)) path$score[[nrow(path)]] else attr(found, "search")$start
  }
  expect_equal(end(search_blocks(bayes_naive(), Species ~ ., iris)),
               best(iris, names(iris)[1:4], "Species"), tolerance = 1e-12)
  for (seed in 1:6) {
    withr::local_seed(seed)
    data <- block_data(list(c("p", "q"), c("r", "s", "t")), 100, r = 0.3 + seed / 20)
    expected <- best(data, names(data)[-1], "y")
    expect_equal(end(search_blocks(bayes_naive(), y ~ ., data)), expected, tolerance = 1e-12)
    expect_equal(end(search_blocks(bayes_full(), y ~ ., data)), expected, tolerance = 1e-12)
  }
  titanic <- as.data.frame(Titanic)[rep(1:32, as.data.frame(Titanic)$Freq), -5]
  expect_equal(end(search_blocks(bayes_naive(), Survived ~ ., titanic)),
               best(titanic, names(titanic)[1:3], "Survived"), tolerance = 1e-12)
})

test_that("rows, levels, names of classes, units and origins change nothing", {
  withr::local_seed(7)
  data <- block_data(list(c("p", "q", "r"), c("s", "t")), 150, r = 0.3)
  data$g <- factor(ifelse(data$p > 0, "u", sample(c("u", "v", "w"), 150, TRUE)))
  data$h <- factor(ifelse(data$g == "u", "k", sample(c("k", "l"), 150, TRUE)))
  path <- search_path(y ~ ., data)
  expect_gte(nrow(path), 3L)
  same <- function(changed, tolerance = 1e-9) {
    other <- search_path(y ~ ., changed)
    expect_identical(other[c("change", "first", "second")], path[c("change", "first", "second")])
    expect_equal(other$gain, path$gain, tolerance = tolerance)
  }
  same(data[sample(150), ])
  same(transform(data, g = factor(c(u = "z", v = "y", w = "x")[as.character(g)]), h = rev(
    levels(h))[h], y = ifelse(y == "a", "second", "first")))
  same(transform(data, p = 1000 * p, q = q - 5, s = -s / 1e5, t = 1e6 + t))
  same(transform(data, p = p + 1e9, r = 1e-200 * r), 1e-6)
  expect_identical(search_path(y ~ ., data, threads = 2), path)
})

test_that("the result is a specification of its object's settings", {
  spec <- bayes_naive(
    laplace = 1, variance = "ml", prior = "uniform", degenerate = "stop", temper = "kind",
    features = list(Petal.Width = likelihood_kernel())
  )
  found <- search_blocks(spec, Species ~ ., iris)
  expect_s3_class(found, c("bayesrisk_search", "bayesrisk_spec"), exact = FALSE)
  kept <- setdiff(names(spec), c("structure", "blocks"))
  expect_identical(unclass(found)[kept], unclass(spec)[kept])
  expect_identical(sorted_blocks(found), list(c("Petal.Length", "Sepal.Length", "Sepal.Width")))
  # A fitted model and its statistics do not keep the search.
  found <- search_blocks(bayes_naive(), Species ~ ., iris)
  plain <- bayes_blocks(list(names(iris)[1:4]))
  expect_identical(fit(found, Species ~ ., iris), fit(plain, Species ~ ., iris))
  expect_identical(fit_xy(found, iris[1:4], iris$Species), fit_xy(plain, iris[1:4], iris$Species))
  expect_identical(
    bayes_statistics(found, Species ~ ., iris), bayes_statistics(plain, Species ~ ., iris)
  )
  folds <- rep(1:3, 50)
  expect_identical(
    cv_risk(found, Species ~ ., iris, folds = folds),
    cv_risk(plain, Species ~ ., iris, folds = folds)
  )
  expect_identical(summary(found), summary(plain))
})

test_that("subset and weights choose rows, functions of columns are features", {
  path <- search_path(Species ~ log(Sepal.Length) + Petal.Length + Sepal.Width, iris,
                      subset = Species != "setosa")
  expect_identical(
    path, search_path(Species ~ log(Sepal.Length) + Petal.Length + Sepal.Width,
                      droplevels(iris[51:150, ]))
  )
  expect_match(path$first[[1]], "log(Sepal.Length)", fixed = TRUE)
})

test_that("odd data are searched or refused by design", {
  skip_on_cran()
  one <- data.frame(y = "a", p = c(1, 4, 2, 8), q = c(1, 4, 2, 9))
  expect_s3_class(search_blocks(bayes_naive(), y ~ ., one), "bayesrisk_search")
  tennis <- search_blocks(bayes_naive(), play ~ ., play_tennis, kinds = "numeric")
  expect_identical(length(tennis$blocks), 0L)
  expect_match(printed_text(tennis), "no feature can change its block")
  expect_identical(length(search_blocks(bayes_naive(), Species ~ ., iris, max_size = 1)$blocks), 0L)
  alone <- search_blocks(bayes_naive(), Species ~ Sepal.Width, iris)
  expect_identical(nrow(as.data.frame(alone)), 0L)
  expect_identical(search_blocks(bayes_naive(), Species ~ 1, iris)$blocks, list())
  pairs <- search_blocks(bayes_naive(), Species ~ ., iris, max_size = 2)
  expect_true(all(lengths(pairs$blocks) == 2L))
  refused <- function(..., class = "bayesrisk_error_argument") {
    expect_error(search_blocks(...), class = class)
  }
  refused(iris, Species ~ ., iris)
  refused(bayes_naive(), Species ~ ., iris, max_size = 0)
  refused(bayes_naive(), Species ~ ., iris, max_size = 2.5)
  refused(bayes_full(), Species ~ ., iris, max_size = 3)
  refused(bayes_naive(), Species ~ ., iris, kinds = "mixed")
  refused(bayes_naive(), Species ~ ., iris, criterion = "aic")
  refused(bayes_naive(), Species ~ ., iris, zero_one_cost(levels(iris$Species)))
  refused(bayes_naive(), Species ~ ., iris, folds = 5)
  endless <- transform(iris, Sepal.Width = Inf)
  refused(bayes_naive(), Species ~ ., endless, class = "bayesrisk_error_data")
  known <- bayes_known(c(a = 0.5, b = 0.5), n = likelihood_poisson(c(a = 1, b = 2)))
  refused(known$spec, y ~ n, data.frame(y = c("a", "b"), n = 1:2))
})

test_that("a search prints its specification, its path and what it left", {
  by_bic <- search_blocks(bayes_naive(), Species ~ ., iris, criterion = "bic", max_size = 2)
  expect_output(print(by_bic), "search by BIC .*-BIC / 2: -221.4 at the start")
  titanic <- as.data.frame(Titanic)
  expect_snapshot(search_blocks(bayes_naive(), Survived ~ ., titanic, weights = Freq))
  withr::local_seed(1)
  noise <- data.frame(y = rep(c("a", "b"), 20), p = stats::rnorm(40), q = stats::rnorm(40))
  noise$p[[1]] <- NA
  expect_output(print(search_blocks(bayes_naive(), y ~ ., noise)), "No merge .*missing: 1 row")
})

test_that("a search whose path was damaged is an error", {
  found <- search_blocks(bayes_naive(), Species ~ ., iris)
  attr(found, "search")$path <- NULL
  expect_error(print(found), class = "bayesrisk_error_object")
  expect_error(as.data.frame(found), class = "bayesrisk_error_object")
})
