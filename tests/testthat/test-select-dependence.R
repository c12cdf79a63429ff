iris_pairs <- function() feature_dependence(Species ~ ., iris)

pair_row <- function(x, first, second) x[x$first == first & x$second == second, ]

test_that("iris: correlations within the classes, pooled, and the ranking", {
  pairs <- iris_pairs()
  for (i in seq_len(nrow(pairs))) {
    r <- vapply(split(iris, iris$Species), function(part) {
      stats::cor(part[[pairs$first[[i]]]], part[[pairs$second[[i]]]])
    }, 1)
    within <- unlist(pairs[i, paste0("association_", names(r))], use.names = FALSE)
    expect_equal(within, unname(r), tolerance = 1e-13)
    expect_equal(pairs$information[[i]], mean(-log(1 - r^2) / 2), tolerance = 1e-13)
  }
  expect_identical(pairs$second, c(
    "Petal.Length", "Sepal.Width", "Petal.Width", "Petal.Width", "Petal.Length", "Petal.Width"
  ))
  expect_false(is.unsorted(-pairs$information))
  expect_identical(pairs$cases, rep(150, 6))
  pooled <- stats::cor(do.call(rbind, lapply(split(iris[1:4], iris$Species), scale, scale = FALSE)))
  expect_equal(
    pairs$association, pooled[cbind(pairs$first, pairs$second)], tolerance = 1e-13
  )
})

test_that("information is the gain in log likelihood of the block, aic its price", {
  gain <- function(spec, block, formula, data) {
    alone <- fit(bayes_naive(variance = "ml"), formula, data)
    together <- fit(bayes_blocks(block, variance = "ml"), formula, data)
    c(logLik(together) - logLik(alone), AIC(together) - AIC(alone))
  }
  pairs <- iris_pairs()
  for (i in c(1, 6)) {
    block <- list(c(pairs$first[[i]], pairs$second[[i]]))
    expected <- c(150 * pairs$information[[i]], pairs$aic[[i]])
    expect_equal(gain(block = block, formula = Species ~ ., data = iris), expected,
                 tolerance = 1e-10)
  }
  tennis <- feature_dependence(play ~ ., play_tennis)
  for (i in seq_len(nrow(tennis))) {
    block <- list(c(tennis$first[[i]], tennis$second[[i]]))
    expected <- c(14 * tennis$information[[i]], tennis$aic[[i]])
    expect_equal(gain(block = block, formula = play ~ ., data = play_tennis), expected,
                 tolerance = 1e-12)
  }
})

test_that("a number and a category: the share of variance between the levels", {
  cars <- transform(mtcars, cyl = factor(cyl))
  for (formula in c(am ~ cyl + hp, am ~ hp + cyl)) {
    pair <- feature_dependence(formula, cars)
    expect_identical(pair$kind, "mixed")
    share <- vapply(split(cars, cars$am), function(part) {
      summary(stats::lm(hp ~ cyl, part))$r.squared
    }, 1)
    expect_equal(pair$association_0, sqrt(share[["0"]]), tolerance = 1e-12)
    expect_equal(pair$association_1, sqrt(share[["1"]]), tolerance = 1e-12)
    information <- sum(table(cars$am) * -log(1 - share) / 2) / 32
    expect_equal(pair$information, information, tolerance = 1e-12)
    expect_equal(pair$aic, 2 * 2 * 2 - 2 * 32 * information, tolerance = 1e-12)
    pooled <- stats::anova(stats::lm(hp ~ factor(am), cars), stats::lm(hp ~ factor(am) * cyl, cars))
    expect_equal(pair$association, sqrt(1 - pooled$RSS[[2]] / pooled$RSS[[1]]), tolerance = 1e-12)
  }
  # Nothing is lost at an offset.
  far <- transform(cars, hp = hp + 1e9)
  expect_equal(feature_dependence(am ~ hp + cyl, far), pair, tolerance = 1e-12)
})

test_that("evidence: the closed forms, from R's own regressions and tables", {
  slopes <- function(n, s, left) (n - 1 - s) / 2 * log(1 + n) - (n - 1) / 2 * log(1 + n * left)
  cars <- transform(mtcars, cyl = factor(cyl), gear = factor(gear))
  pairs <- feature_dependence(am ~ cyl + hp + wt + gear, cars)
  of_lines <- function(formula, s) {
    sum(vapply(split(cars, cars$am), function(part) {
      slopes(nrow(part), s(part), 1 - summary(stats::lm(formula, part))$r.squared)
    }, 1))
  }
  expect_equal(pair_row(pairs, "hp", "wt")$evidence, of_lines(hp ~ wt, \(part) 1),
               tolerance = 1e-12)
  expect_equal(pair_row(pairs, "wt", "gear")$evidence,
               of_lines(wt ~ gear, \(part) length(unique(part$gear)) - 1), tolerance = 1e-12)
  # The probability of counts whose shares have a Dirichlet distribution.
  shares <- function(n, a) {
    lgamma(sum(a)) - lgamma(sum(a + n)) + sum(lgamma(a + n) - lgamma(a))
  }
  of_tables <- vapply(split(cars, cars$am), function(part) {
    t <- unclass(table(droplevels(part)[c("cyl", "gear")]))
    row <- (rowSums(t) + 1) / (sum(t) + nrow(t))
    column <- (colSums(t) + 1) / (sum(t) + ncol(t))
    shares(t, length(t) * outer(row, column)) - shares(rowSums(t), length(t) * row) -
      shares(colSums(t), length(t) * column)
  }, 1)
  expect_equal(pair_row(pairs, "cyl", "gear")$evidence, sum(of_tables), tolerance = 1e-12)
})

test_that("a Bayes factor of normals has the mean 1 if they are independent", {
  # The density of the correlation r of n = 6 independent pairs is (1 - r^2) / (4 / 3).
  r <- sin(seq(-1, 1, length.out = 41) * pi / 2)
  x <- scale(stats::poly(1:6, 2))
  factors <- vapply(r, function(r) {
    data <- data.frame(y = "a", u = x[, 1], v = r * x[, 1] + sqrt(1 - r^2) * x[, 2])
    if (abs(r) == 1) 0 else exp(feature_dependence(y ~ u + v, data)$evidence)
  }, 1)
  # Simpson's rule over the angle.
  height <- factors * (1 - r^2)^1.5 / (4 / 3)
  simpson <- c(1, rep(c(4, 2), 19), 4, 1)
  expect_equal(sum(height * simpson) * pi / 120, 1, tolerance = 1e-3)
})

test_that("nothing is recommended in noise, at most in one data set of 20", {
  skip_on_cran()
  withr::local_seed(1)
  shares <- list(rep(0.25, 4), rep(1 / 12, 12), c(0.9, rep(0.02, 5)), c(0.95, 0.05))
  level <- function(n, p) factor(sample(length(p), n, TRUE, p), seq_along(p))
  recommended <- function(n, make) {
    features <- replicate(20, make(n), simplify = FALSE)
    data <- data.frame(y = rep_len(1:2, n), stats::setNames(features, paste0("x", 1:20)))
    any(feature_dependence(y ~ ., data)$recommended)
  }
  for (n in c(12, 60, 200)) {
    expect_lte(sum(replicate(40, recommended(n, stats::rnorm))), 2)
    for (p in shares) expect_lte(sum(replicate(15, recommended(n, \(n) level(n, p)))), 1)
  }
})

test_that("dependence is recommended, of one kind and if neither feature determines the other", {
  withr::local_seed(2)
  n <- 200
  x <- stats::rnorm(n)
  g <- sample(c("u", "v"), n, TRUE)
  data <- data.frame(
    y = rep(1:2, n / 2), x = x, near = x + stats::rnorm(n), twice = 2 * x, g = g,
    like = ifelse(stats::runif(n) < 0.8, g, "u"), shift = (g == "u") + stats::rnorm(n) / 2
  )
  pairs <- feature_dependence(y ~ x + near + g + like + shift, data)
  chosen <- pairs[pairs$recommended, c("first", "second")]
  expect_setequal(paste(chosen$first, chosen$second), c("x near", "g like"))
  mixed <- pair_row(pairs, "g", "shift")
  expect_gt(mixed$evidence, log(10 / 0.05))
  expect_false(mixed$recommended)
  expect_false(feature_dependence(y ~ x + twice, data)$recommended)
})

test_that("categories: the mutual information of the joint table", {
  joint <- as.data.frame(joint_table(mooney_cells()))
  pair <- feature_dependence(class ~ shape + colour, joint, weights = probability)
  information <- vapply(split(joint, joint$class), function(part) {
    p <- stats::xtabs(probability ~ shape + colour, part) / sum(part$probability)
    sum(p * log(p / outer(rowSums(p), colSums(p))))
  }, 1)
  expect_equal(pair$information, .25 * information[["positive"]] + .75 * information[["negative"]],
               tolerance = 1e-12)
  expect_equal(pair$association_negative, sqrt(1 - exp(-2 * information[["negative"]])),
               tolerance = 1e-12)
  expect_equal(pair$cases, 1)
  # Equal columns: all that one tells, the other does.
  twice <- data.frame(y = c("a", "b"), g = rep(c("u", "v"), each = 2))
  twice <- rbind(twice, twice)
  twice$h <- twice$g
  expect_equal(feature_dependence(y ~ ., twice)$information, log(2), tolerance = 1e-14)
})

test_that("weights are copies, rows are left out pair by pair, threads change nothing", {
  copied <- iris[rep(seq_len(150), rep(1:3, 50)), ]
  weighted <- feature_dependence(Species ~ ., iris, weights = rep(1:3, 50))
  expect_equal(weighted, feature_dependence(Species ~ ., copied), tolerance = 1e-12)
  holes <- transform(iris, g = rep(c("u", "v", "w"), 50))
  holes$Sepal.Length[1:10] <- NA
  holes$g[6:20] <- NA
  pairs <- feature_dependence(Species ~ ., holes)
  expect_identical(pair_row(pairs, "Sepal.Length", "g")$cases, 130)
  expect_identical(pair_row(pairs, "Sepal.Length", "Petal.Width")$cases, 140)
  expect_identical(pair_row(pairs, "Petal.Length", "Petal.Width")$cases, 150)
  alone <- feature_dependence(Species ~ Sepal.Length + g, holes[21:150, ])
  expect_equal(pair_row(pairs, "Sepal.Length", "g")$information, alone$information,
               tolerance = 1e-12)
  expect_identical(feature_dependence(Species ~ ., holes, threads = 3), pairs)
  complete <- feature_dependence(Species ~ ., holes, na.action = na.omit)
  expect_identical(complete$cases, rep(130, 10))
  part <- feature_dependence(Species ~ ., iris, subset = Species != "setosa")
  expect_identical(unique(part$cases), 100)
  expect_identical(unique(part$association_setosa), NA_real_)
})

test_that("what is constant, determined, or too small to tell", {
  odd <- transform(
    iris, twice = 2 * Sepal.Length, still = ifelse(Species == "setosa", 1, Petal.Width)
  )
  pairs <- feature_dependence(Species ~ ., odd)
  expect_identical(pairs$information[1:2], c(Inf, Inf))
  expect_identical(pairs$aic[1:2], c(-Inf, -Inf))
  expect_identical(attr(pairs, "constant"), data.frame(feature = "still", class = "setosa"))
  still <- pair_row(pairs, "Sepal.Length", "still")
  expect_identical(still$association_setosa, NA_real_)
  rest <- pair_row(pairs, "Sepal.Length", "Petal.Width")
  information <- function(r) -log1p(-r^2) / 2
  expect_equal(
    still$information,
    sum(information(c(rest$association_versicolor, rest$association_virginica))) / 3,
    tolerance = 1e-12
  )
  # Two cases of a class always lie on a line.
  few <- iris[c(1:2, 51:100), ]
  pair <- feature_dependence(Species ~ Sepal.Length + Sepal.Width, few)
  expect_identical(pair$association_setosa, NA_real_)
  expect_equal(pair$information, information(pair$association_versicolor), tolerance = 1e-12)
  each <- data.frame(y = rep(1:2, c(3, 6)), x = c(1, 5, 2, 4, 8, 1, 2, 7, 3),
                     g = c("u", "v", "w", rep(c("u", "v", "w"), 2)))
  pair <- feature_dependence(y ~ ., each)
  expect_identical(pair$association_1, NA_real_)
  expect_false(is.na(pair$association_2))
  one <- data.frame(y = rep(1:2, each = 4), g = "u", x = 1:8)
  pair <- feature_dependence(y ~ ., one)
  expect_identical(pair$information, 0)
  expect_identical(nrow(attr(pair, "constant")), 2L)
})

test_that("many pairs are counted in parts, of any scale", {
  set.seed(1)
  wide <- as.data.frame(matrix(stats::rnorm(70 * 20), 20))
  wide$y <- rep(c("a", "b"), 10)
  pairs <- feature_dependence(y ~ ., wide)
  expect_identical(nrow(pairs), 2415L)
  some <- feature_dependence(y ~ V1 + V70, wide)
  expect_equal(pair_row(pairs, "V1", "V70")$information, some$information, tolerance = 1e-13)
  huge <- transform(wide[c("V1", "V2", "y")], V1 = V1 * 1e150, V2 = V2 * 1e-150)
  plain <- feature_dependence(y ~ V1 + V2, wide)
  expect_equal(feature_dependence(y ~ ., huge), plain, tolerance = 1e-12)
  beyond <- transform(huge, V2 = V2 * 1e300, V3 = y, V4 = V1 * 1e60)
  expect_bayesrisk_error(
    feature_dependence(y ~ ., beyond), "degenerate", "spread of V4"
  )
  expect_bayesrisk_error(
    feature_dependence(y ~ V4 + V3, beyond), "degenerate", "spread of V4"
  )
})

test_that("odd arguments and data are refused by design", {
  expect_bayesrisk_error(feature_dependence(Species ~ Petal.Width, iris), "argument", "two")
  expect_bayesrisk_error(feature_dependence(Species ~ ., iris, weigths = 1), "argument", "weigths")
  infinite <- iris
  infinite$Petal.Width[[3]] <- Inf
  expect_bayesrisk_error(
    feature_dependence(Species ~ ., infinite), "data", "Petal.Width \\(1 row\\)"
  )
  dated <- data.frame(y = 1:2, d = Sys.Date(), x = 1:2)
  expect_bayesrisk_error(feature_dependence(y ~ ., dated), "data", "d.*date|Date")
  given <- list(formula = Species ~ ., data = iris)
  for (arg in c("formula", "data", "threads", "na.action")) {
    expect_fuzz_proof(feature_dependence, arg, given, is.data.frame, "bayesrisk_error")
  }
})

test_that("many levels of noise do not stand before few that depend", {
  withr::local_seed(1)
  g <- sample(c("u", "v"), 300, TRUE)
  data <- data.frame(
    y = rep(c("a", "b"), 150), g = g, h = ifelse(stats::runif(300) < 0.8, g, "u"),
    many = factor(sample(50, 300, TRUE), 1:50), letter = factor(sample(letters, 300, TRUE), letters)
  )
  pairs <- feature_dependence(y ~ ., data)
  expect_identical(c(pairs$first[[1]], pairs$second[[1]]), c("g", "h"))
  noise <- pairs[pairs$first == "many" & pairs$second == "letter", ]
  expect_gt(noise$information, pairs$information[[1]])
  expect_false(is.unsorted(-pairs$evidence))
})

test_that("blocks are collected as a model collects them", {
  cases <- read_cases(iris, fit_request(
    Species ~ ., rlang::quo(), rlang::quo(), stats::na.pass, 1L
  ), NULL)
  counted <- collect_blocks(list(1:2, 3:4), cases, NULL)
  spec <- bayes_blocks(list(names(iris)[1:2], names(iris)[3:4]))
  model <- bayes_statistics(spec, Species ~ ., iris)
  expect_identical(counted$statistics, lapply(model$statistics$banks, identity))
})

test_that("parts of a list keep its order", {
  parts <- list()
  found <- by_parts(as.list(1:4001), function(part) {
    parts[[length(parts) + 1L]] <<- length(part)
    lapply(part, function(x) 2 * x)
  })
  expect_identical(unlist(parts), c(2000L, 2000L, 1L))
  expect_identical(unlist(found), 2 * seq_len(4001))
})

test_that("pairs print with what to do about them", {
  odd <- transform(iris, still = ifelse(Species == "setosa", 1, Petal.Width), `a"b` = Sepal.Length,
                   check.names = FALSE)
  few <- iris[c(1:2, 51:100), ]
  few$Petal.Width[[12]] <- NA
  cars <- transform(mtcars, cyl = factor(cyl))
  expect_snapshot(feature_dependence(Species ~ ., iris))
  expect_shown <- function(formula, data, text) {
    expect_output(print(feature_dependence(formula, data)), text)
  }
  expect_shown(play ~ outlook + wind, play_tennis, "0 of 1.$")
  expect_shown(
    Species ~ `a"b` + still + Petal.Width, odd,
    "independent there: still \\(setosa\\).*still and Petal.Width determines"
  )
  expect_shown(Species ~ . - Petal.Length, few, "cases\n.*NA: too few cases in the class")
  expect_shown(am ~ cyl + hp + wt, cars, "cyl and hp, cyl and wt.*1 of 1 of one kind")
  expect_shown(am ~ cyl + hp, cars, "cyl and hp. No block holds both[.]$")
})

test_that("rows may be chosen and sorted; without its columns it is a table", {
  pairs <- feature_dependence(Species ~ ., iris)
  by_association <- pairs[order(abs(pairs$association)), ]
  expect_output(print(by_association), "c\\(\"Sepal.Length\", \"Petal.Length\"\\)")
  expect_output(print(by_association[1:2, ]), "2 pairs")
  expect_output(print(pairs[c("first", "second")]), "^ *first +second")
  expect_output(print(pairs[0, ]), "0 rows")
  expect_output(print(pairs[c(1, NA), ]), "NA +NA")
  expect_output(print(pairs[names(pairs) != "cases"]), "^ *first +second")
})

test_that("many classes are left to the data frame", {
  pairs <- feature_dependence(carb ~ mpg + wt, mtcars[!mtcars$carb %in% c(6, 8), ])
  expect_output(print(pairs), "pooled +1 +2 +3 +4")
  many <- transform(warpbreaks, y = rep(1:9, 6), z = seq_along(breaks)^1.5)
  pairs <- feature_dependence(y ~ breaks + z, many)
  expect_length(pairs, 18)
  expect_output(print(pairs), "pooled\n")
})
