test_that("numeric features: the density at the estimates, marginal of a block too", {
  for (spec in list(bayes_naive(), bayes_full())) {
    drawn <- draw(fit(spec, Species ~ ., iris))
    expect_named(drawn, c("feature", "x", "level", "class", "density"))
    for (feature in names(iris)[1:4]) {
      for (class in levels(iris$Species)) {
        rows <- drawn[drawn$feature == feature & drawn$class == class, ]
        values <- iris[iris$Species == class, feature]
        expect_equal(rows$density, dnorm(rows$x, mean(values), sd(values)), tolerance = 1e-12)
      }
    }
  }
  expect_true(all(is.na(drawn$level)))
})

test_that("pooled covariance: one standard deviation for all classes", {
  drawn <- draw(fit(bayes_full(covariance = "pooled"), Species ~ ., iris), features = "Sepal.Width")
  values <- split(iris$Sepal.Width, iris$Species)
  sd <- sqrt(mean(vapply(values, var, 1)))
  rows <- drawn[drawn$class == "virginica", ]
  expect_equal(rows$density, dnorm(rows$x, mean(values$virginica), sd), tolerance = 1e-12)
})

test_that("categorical features: the probability of each level given the class", {
  drawn <- draw(fit(bayes_naive(), play ~ ., play_tennis))
  wind <- drawn[drawn$feature == "wind", ]
  expect_identical(wind$level, c("weak", "strong", "weak", "strong"))
  expect_identical(as.character(wind$class), c("yes", "yes", "no", "no"))
  expect_equal(wind$density, c(6 / 9, 3 / 9, 2 / 5, 3 / 5), tolerance = 1e-14)
  expect_true(all(is.na(drawn$x)))
})

test_that("the marginal of a joint table is the table summed over the other features", {
  model <- fit(bayes_full(), play ~ outlook + wind, play_tennis)
  drawn <- draw(model, features = "outlook")
  counts <- table(play_tennis$outlook, play_tennis$play)
  expect_equal(drawn$density, as.vector(prop.table(counts, 2)), tolerance = 1e-14)
})

test_that("kinds may be mixed, and a class without rows has no density", {
  data <- data.frame(
    y = factor(c("p", "p", "q", "q"), levels = c("p", "q", "r")), x = c(1, 2, 4, 9),
    a = factor(c("u", "v", "u", "v"), levels = c("u", "v", "w"))
  )
  suppressMessages(model <- fit(bayes_naive(), y ~ ., data))
  drawn <- draw(model)
  expect_identical(unique(drawn$feature), c("x", "a"))
  expect_true(all(is.na(drawn$density[drawn$class == "r"])))
  expect_identical(drawn$density[drawn$level %in% "w" & drawn$class != "r"], c(0, 0))
  # The class keeps its place beside the bars.
  bars <- layer_of(plot(model, features = "a"), "GeomCol")
  expect_equal(sort(unique(round(bars$x %% 1, 9))), c(0, 0.266666667, 0.733333333))
})

test_that("posteriors of the classes sum to 1 at each point and are those of predict()", {
  model <- fit(bayes_full(), Species ~ ., iris)
  drawn <- draw(model, "posterior", features = c("Petal.Width", "Sepal.Length"))
  expect_named(drawn, c("feature", "x", "level", "class", "posterior"))
  expect_identical(unique(drawn$feature), c("Petal.Width", "Sepal.Length"))
  rows <- drawn[drawn$feature == "Petal.Width", ]
  by_class <- matrix(rows$posterior, ncol = 3)
  expect_equal(rowSums(by_class), rep(1, nrow(by_class)), tolerance = 1e-12)
  x <- rows$x[seq_len(nrow(by_class))]
  newdata <- data.frame(Sepal.Length = NA, Sepal.Width = NA, Petal.Length = NA, Petal.Width = x)
  expect_identical(by_class, unname(predict(model, newdata, "prob")))
})

test_that("levels: Bayes' theorem from the counts; the prior can be replaced", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  drawn <- draw(model, "posterior", features = "outlook")
  counts <- table(play_tennis$outlook, play_tennis$play)
  expect_equal(drawn$posterior, as.vector(prop.table(counts, 1)), tolerance = 1e-14)
  uniform <- draw(model, "posterior", features = "wind", prior = "uniform")
  strong <- uniform$posterior[uniform$level == "strong"]
  expect_equal(strong, c(3 / 9, 3 / 5) / (3 / 9 + 3 / 5), tolerance = 1e-14)
})

test_that("a level impossible under every class has no posterior, without a warning", {
  data <- data.frame(
    y = factor(c("p", "p", "q")), a = factor(c("u", "v", "u"), levels = c("u", "v", "w"))
  )
  model <- fit(bayes_naive(), y ~ ., data)
  expect_no_warning(drawn <- draw(model, "posterior"))
  expect_identical(is.na(drawn$posterior), drawn$level == "w")
  axis <- ggplot2::ggplot_build(plot(model, "posterior"))$layout$panel_params[[1L]]$x
  expect_identical(axis$get_labels(), c("u", "v", "w"))
})

test_that("one class only: a posterior of 1", {
  data <- data.frame(y = "a", x = c(1, 2, 4))
  drawn <- draw(one_class(fit(bayes_naive(), y ~ x, data)), "posterior")
  expect_true(all(drawn$posterior == 1))
})

test_that("a feature that the model left out has no density", {
  d <- transform(iris, constant = 3)
  model <- suppressWarnings(fit(bayes_naive(), Species ~ Petal.Width + constant, d))
  drawn <- draw(model, data = d)
  expect_true(all(is.na(drawn$density[drawn$feature == "constant"])))
  expect_false(anyNA(drawn$density[drawn$feature == "Petal.Width"]))
  expect_identical(left_out_features(model), "constant")
  expect_identical(layer_of(plot(model), "GeomText")$label, "left out")
})

test_that("posteriors of a level are stacked in the order of the classes", {
  tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  figure <- plot(tennis, "posterior", features = "wind")
  bars <- layer_of(figure, "GeomCol")
  drawn <- figure$data
  expect_equal(bars$ymax[bars$group == 1L], drawn$posterior[drawn$class == "yes"])
  expect_equal(bars$ymax[bars$group == 2L], c(1, 1))
  expect_identical(figure$labels$x, "wind")
})

test_that("a histogram has the density of each class in common bins", {
  drawn <- draw(iris_naive(), data = iris)
  observed <- attr(drawn, "observed")
  expect_named(observed, c("feature", "class", "from", "to", "level", "density"))
  widths <- subset(observed, feature == "Petal.Width" & class == "virginica")
  expect_equal(sum(widths$density * (widths$to - widths$from)), 1, tolerance = 1e-12)
  by_hand <- vapply(seq_len(nrow(widths)), function(i) {
    x <- iris$Petal.Width[iris$Species == "virginica"]
    mean(x > widths$from[[i]] + 1e-9 & x <= widths$to[[i]] + 1e-9)
  }, 1)
  expect_equal(widths$density * (widths$to - widths$from), by_hand, tolerance = 1e-12)
  plain <- draw(iris_naive())
  expect_equal(drawn$density, plain$density)
  expect_null(attr(plain, "observed"))
})

test_that("levels and single values have their shares", {
  model <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  observed <- attr(draw(model, data = play_tennis), "observed")
  counts <- prop.table(table(play_tennis$outlook, play_tennis$play), 2)
  outlook <- subset(observed, feature == "outlook" & class == "yes")
  expect_equal(outlook$density, as.vector(counts[outlook$level, "yes"]))
  data <- data.frame(y = rep(c("a", "b"), each = 4), x = c(1, 1, 2, 5, 2, 2, 2, 7))
  model <- fit(bayes_naive(numeric = likelihood_empirical()), y ~ x, data)
  single <- attr(draw(model, data = data), "observed")
  expect_identical(single$from, c(1, 2, 5, 2, 7))
  expect_identical(single$density, c(0.5, 0.25, 0.25, 0.75, 0.25))
})

test_that("bins of counts hold whole counts", {
  breaks <- histogram_breaks(c(0, 3), factor(c("a", "a")), TRUE)
  expect_identical(breaks, c(-0.5, 0.5, 1.5, 2.5, 3.5))
  wide <- histogram_breaks(c(2, 602), factor(c("a", "a")), TRUE)
  expect_true(all(wide %% 1 == 0.5) && max(wide) > 602 && length(wide) < 64)
  model <- bayes_known(c(a = 0.5, b = 0.5), n = likelihood_poisson(rate = c(a = 3, b = 8)))
  expect_no_error(draw(model, data = data.frame(n = c(0, 4, 4), class = c("a", "a", "b"))))
})

test_that("cases of unknown class, without values or all equal are drawn", {
  unknown <- attr(draw(iris_naive(), data = iris[1:4]), "observed")
  expect_true(nrow(unknown) > 4L && all(is.na(unknown$class)))
  partly <- transform(iris, Species = replace(Species, 1:9, NA))
  some <- attr(draw(iris_naive(), data = partly), "observed")
  expect_setequal(as.character(some$class), c(levels(iris$Species), NA))
  odd <- transform(iris, Petal.Width = NA_real_, Sepal.Width = Inf, Sepal.Length = 5)
  observed <- attr(draw(iris_naive(), data = odd), "observed")
  expect_setequal(observed$feature, c("Sepal.Length", "Petal.Length"))
  expect_no_error(draw(iris_naive(), data = iris[0, ]))
  tennis <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
  expect_no_error(draw(tennis, data = play_tennis[1:4]))
  mixture <- fit(bayes_naive(), y ~ ., mixed())
  expect_no_error(draw(mixture, data = mixed()))
})

test_that("bars of the data set the top of a panel, up to five times that of the curves", {
  expect_identical(observed_top(1, c(0.5, 0.2)), 1)
  expect_identical(observed_top(1, c(0.5, 3.2)), 3.2)
  expect_identical(observed_top(1, c(0.5, 9)), 5)
  expect_identical(observed_top(2, NULL), 2)
})

test_that("whole numbers have bins of equally many numbers", {
  x <- rep(0:12, 13:1)
  breaks <- histogram_breaks(x, factor(rep("a", length(x))), FALSE)
  expect_true(all(diff(breaks) == round(diff(breaks))))
  expect_true(all(abs(breaks %% 1 - 0.5) < 1e-12))
  expect_lte(breaks[[1L]], 0)
  expect_gte(max(breaks), 12)
  wide <- histogram_breaks(x * 100, factor(rep("a", length(x))), FALSE)
  expect_lte(length(wide), 61L)
})

test_that("the data stand behind the densities, and high bars end at the frame", {
  model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
  figure <- plot(model, data = iris)
  bins <- layer_of(figure, "GeomRect")
  expect_equal(bins$ymax, attr(figure$data, "observed")$density)
  spike <- data.frame(class = "A", x = c(rep(15, 300), 15.01))
  figure <- plot(two_classes(), data = spike)
  high <- layer_of(figure, "GeomRect")
  expect_true(any(high$ymax == Inf))
  expect_identical(nrow(layer_of(figure, "GeomSegment")), sum(high$ymax == Inf))
})

test_that("bins count as those of hist()", {
  x <- withr::with_seed(1, round(stats::rnorm(200), 1))
  breaks <- seq(min(x), max(x) + 0.3, by = 0.3)
  expect_identical(histogram_counts(x, breaks), graphics::hist(x, breaks, plot = FALSE)$counts)
})

test_that("of hundreds of levels those are drawn that differ most between the classes", {
  levels <- sprintf("street %03d", 1:499)
  p <- rep(1 / 499, 499)
  apart <- c(7, 400, 20:47)
  q <- replace(p, apart, p[apart] / 2)
  q <- q / sum(q)
  model <- bayes_known(
    c(a = 0.5, b = 0.5),
    street = cbind(a = stats::setNames(p, levels), b = q),
    x = likelihood_gaussian(mean = c(a = 0, b = 1), sd = 1)
  )
  expect_message(
    figure <- plot(model), "street has more than 30 levels", class = "bayesrisk_message_levels"
  )
  drawn <- figure$data
  shown <- levels[sort(apart)]
  expect_identical(drawn$level[!is.na(drawn$level)], rep(shown, 2))
  expect_equal(drawn$density[!is.na(drawn$level)], c(p[sort(apart)], q[sort(apart)]))
  expect_identical(figure$labels$caption, "street: 30 of 499 levels, those that differ most.")
  posterior <- suppressMessages(plot(model, "posterior", features = "street"))$data
  expect_identical(unique(posterior$level), shown)
  expect_equal(posterior$posterior, c(p / (p + q), q / (p + q))[c(sort(apart), 499 + sort(apart))])
  data <- data.frame(street = rep(levels, 2), x = 0, class = rep(c("a", "b"), each = 499))
  seen <- attr(suppressMessages(plot(model, data = data))$data, "observed")
  expect_identical(unique(seen$level[!is.na(seen$level)]), shown)
  expect_equal(seen$density[!is.na(seen$level)], rep(1 / 499, 60))
})
