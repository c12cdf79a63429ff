test_that("the counts behind 2/9", {
  # Lecture "Chapter ML:IV Statistical Learning: Bayes Classification": EnjoySport.
  model <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  n <- counts(model)
  expect_identical(n$class, c(yes = 9, no = 5))
  expect_identical(n$outlook["yes", ], c(sunny = 2, overcast = 4, rain = 3))
  expect_identical(n$wind["no", ], c(weak = 2, strong = 3))
  expect_identical(names(n)[-1L], names(coef(model))[-1L])
  expect_identical(lapply(n[-1L], dimnames), lapply(coef(model)[-1L], dimnames))
  collected <- bayes_statistics(bayes_naive(), play ~ ., play_tennis)
  expect_identical(counts(collected), n)
})

test_that("counts are weights of the rows in which a feature is known", {
  data <- data.frame(
    y = c("a", "a", "b", "b"), g = c("u", NA, "v", "u"), x = c(1, 2, NA, 4), w = c(1, 2, 0.5, 1.5)
  )
  data <- rbind(data, data)
  n <- counts(bayes_statistics(bayes_naive(), y ~ g + x, data, weights = w))
  expect_identical(n$class, c(a = 6, b = 4))
  expect_identical(c(n$g), c(2, 3, 0, 1))
  expect_identical(n$x, c(a = 6, b = 3))
})

test_that("joint tables count cells, and blocks of numbers their complete rows", {
  data <- transform(iris, g = Sepal.Width > 3, h = Sepal.Length > 6)
  data$Petal.Width[1:3] <- NA
  model <- fit(bayes_full(laplace = 1), Species ~ ., data)
  n <- counts(model)
  expect_identical(n$numeric, c(setosa = 47, versicolor = 50, virginica = 50))
  expected <- table(data[c("g", "h", "Species")])
  expect_identical(as.vector(n$categorical), as.numeric(expected))
  expect_identical(dimnames(n$categorical), dimnames(coef(model)$categorical))
})

test_that("a large joint table has the cells that occur", {
  data <- as.data.frame(lapply(1:6, function(j) factor(c(1, 1, 2, j), levels = 1:8)))
  data <- stats::setNames(data, letters[1:6])
  data$y <- c("a", "a", "b", "b")
  n <- counts(fit(bayes_full(), y ~ ., data))$categorical
  expect_s3_class(n, "data.frame")
  expect_identical(n$count[n$class == "a"], c(2, 0, 0))
  expect_identical(sum(n$count), 4)
})

test_that("histograms count bins; kernels, exact values and rates count cases", {
  data <- iris[c(1, 2, 3, 5)]
  spec <- bayes_naive(
    numeric = likelihood_histogram(width = 1), features = list(
      Sepal.Width = likelihood_kernel(), Petal.Length = likelihood_empirical()
    )
  )
  model <- fit(spec, Species ~ ., data)
  n <- counts(model)
  expect_identical(sum(n$Sepal.Length), 150)
  expect_within(n$Sepal.Length / 50, summary(model)$blocks$Sepal.Length, 1e-15)
  expect_identical(n$Sepal.Width, n$class)
  expect_identical(n$Petal.Length, n$class)
  own <- fit(bayes_naive(numeric = likelihood_histogram()), Species ~ Sepal.Width, data)
  bins <- counts(own)$Sepal.Width
  if (is.data.frame(bins)) expect_named(bins, c("class", "from", "to", "count"))
  insects <- fit(
    bayes_naive(numeric = likelihood_negative_binomial()), spray ~ count, InsectSprays
  )
  expect_identical(counts(insects)$count, counts(insects)$class)
})

test_that("a row for each count", {
  rows <- as.data.frame(counts(fit(bayes_naive(), play ~ outlook, play_tennis)))
  expect_named(rows, c("class", "term", "level", "count"))
  expect_identical(rows$count[rows$term == "outlook" & rows$level %in% "sunny"], c(2, 3))
  expect_identical(rows$count[rows$term == "(class)"], c(9, 5))
  mixed <- fit(bayes_full(), play ~ ., transform(play_tennis[3:5], x = 1:14 + 0.5))
  rows <- tidy(counts(mixed))
  expect_identical(sum(rows$count), 3 * 14)
  expect_true("high:weak" %in% rows$level)
})

test_that("counts print as tables", {
  data <- transform(play_tennis, x = c(1:13, NA), w = c(rep(1, 13), 0.5))
  expect_snapshot(counts(fit(bayes_naive(), play ~ outlook + x, data)))
  joint <- counts(fit(bayes_full(), play ~ humidity + wind, data, weights = w))
  expect_output(print(joint), "with weight 13.5.*humidity wind / class yes +no")
  expect_length(capture.output(print(counts(fit(bayes_naive(), play ~ 1, data)))), 4L)
})

test_that("a model from numbers has no counts", {
  expect_bayesrisk_error(counts(bayes_known(c(a = 0.5, b = 0.5))), "argument", "no counts")
  expect_bayesrisk_error(counts(iris), "argument", "must be a fitted model")
  expect_bayesrisk_error(counts(), "argument", "must be a fitted model")
})

test_that("features may be called class and count", {
  data <- data.frame(
    y = rep(c("a", "b"), 60), class = rep(c("u", "v", "v"), 40), count = rep(c("p", "q"), each = 60)
  )
  other <- stats::setNames(data, c("y", "kind", "size"))
  rows <- function(data, ...) {
    as.data.frame(counts(bayes_statistics(bayes_full(), y ~ ., data, ...)))
  }
  expected <- rows(other)
  found <- rows(data)
  expect_identical(unique(expected$term), c("(class)", "kind:size"))
  expect_identical(unique(found$term), c("(class)", "class:count"))
  expect_identical(found[-2], expected[-2])
  # So many cells that the counts are a data frame
  wide <- rep(sprintf("l%d", 1:400), 50)
  wide <- data.frame(y = rep(c("a", "b"), 1e4), class = wide, count = rev(wide))
  expect_identical(rows(wide)[-2], rows(stats::setNames(wide, c("y", "kind", "size")))[-2])
  expect_bayesrisk_error(
    bayes_statistics(bayes_full(), y ~ ., wide[1:900, ], min_count = 5), "small_cells",
    "feature \"class:count\""
  )
})

test_that("a joint block of one feature has its levels and classes", {
  data <- data.frame(y = rep(c("u", "v"), 30), x = sin(1:60), f = rep(c("a", "b"), c(40, 20)))
  rows <- function(spec, data) {
    found <- as.data.frame(counts(fit(spec, y ~ ., data)))
    found <- found[found$term == names(data)[[3]], ]
    found[order(found$class, found$level), ]
  }
  for (name in c("f", "class")) {
    names(data)[[3]] <- name
    expected <- rows(bayes_naive(), data)
    expect_identical(expected$count, c(20, 10, 20, 10))
    expect_equal(rows(bayes_full(), data), expected, ignore_attr = TRUE)
  }
  names(data)[[3]] <- "f"
  expect_bayesrisk_error(
    bayes_statistics(bayes_full(), y ~ f, data, min_count = 15), "small_cells",
    "feature \"f\", level \"b\": 10"
  )
})
