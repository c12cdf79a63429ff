# Changes of the data that must not change the answer: identical() where the arithmetic is the same,
# 1e-12 where only its order differs.

mixed <- function(n = 150, seed = 1) {
  set.seed(seed)
  y <- factor(sample(c("a", "b", "c"), n, TRUE, c(.5, .3, .2)), c("c", "a", "b"))
  data <- data.frame(
    y, u = rnorm(n) + (y == "a"), v = rexp(n) * as.integer(y), w = sample(9L, n, TRUE),
    f = factor(sample(letters[1:4], n, TRUE), letters[5:1]), g = sample(c(TRUE, FALSE), n, TRUE)
  )
  data$u[sample(n, n %/% 20)] <- NA
  data$f[sample(n, n %/% 25)] <- NA
  data$v[sample(n, n %/% 30)] <- NaN
  data
}

specs <- function() {
  list(
    naive = bayes_naive(laplace = 1), full = bayes_full(laplace = .5, shrinkage = .1),
    blocks = bayes_blocks(list(wide = c("v", "w"), fg = c("g", "f")), laplace = 1),
    binned = bayes_naive(laplace = 1, features = list(
      u = likelihood_kernel(points = 512), v = likelihood_histogram(breaks = 4^(-9:9), laplace = 1),
      w = likelihood_poisson()
    )),
    exact = bayes_naive(laplace = 1, features = list(w = likelihood_empirical()))
  )
}

for_each_spec <- function(check) for (spec in specs()) check(spec)

types <- c(
  "class", "prob", "log_prob", "log_joint", "log_likelihood", "log_evidence", "cost", "decision"
)

test_that("the order of rows does not matter (T7)", {
  data <- mixed()
  order <- sample(nrow(data))
  for_each_spec(function(spec) {
    model <- fit(spec, y ~ ., data)
    expect_same_predictions(model, fit(spec, y ~ ., data[order, ]), data)
    p <- predict(model, data, type = "log_joint")
    moved <- predict(model, data[order, ], type = "log_joint")
    expect_identical(unname(moved), unname(p[order, ]))
  })
  tennis <- fit(bayes_full(), play ~ ., play_tennis)
  expect_identical(fit(bayes_full(), play ~ ., play_tennis[14:1, ])$parameters, tennis$parameters)
})

test_that("the order of columns does not matter", {
  data <- mixed()
  for_each_spec(function(spec) {
    model <- fit(spec, y ~ ., data)
    expect_same_predictions(model, fit(spec, y ~ ., data[c(5, 2, 1, 6, 4, 3)]), data)
    expect_identical(predict(model, data[6:1], type = "prob"), predict(model, data, type = "prob"))
  })
})

test_that("the order of levels permutes columns, and no more (T7)", {
  data <- mixed()
  other <- transform(
    data, f = factor(f, c("b", "e", "a", "d", "c")), y = factor(y, c("b", "c", "a"))
  )
  for_each_spec(function(spec) {
    model <- fit(spec, y ~ ., data)
    permuted <- fit(spec, y ~ ., other)
    joint <- predict(permuted, data, type = "log_joint")
    expect_identical(colnames(joint), c("b", "c", "a"))
    expect_within(joint[, c("c", "a", "b")], predict(model, other, type = "log_joint"), 1e-12)
  })
})

test_that("new names for classes and levels change names only", {
  data <- mixed()
  renamed <- data
  levels(renamed$y) <- c("%s%n", "{x}", "\u00e4 + \u00df")
  levels(renamed$f) <- paste("level", levels(renamed$f), "NA")
  for_each_spec(function(spec) {
    model <- fit(spec, y ~ ., data)
    other <- fit(spec, y ~ ., renamed)
    expect_identical(other$parameters, model$parameters)
    p <- predict(other, renamed, type = "prob")
    expect_identical(colnames(p), levels(renamed$y))
    expect_identical(unname(p), unname(predict(model, data, type = "prob")))
  })
})

test_that("one row at a time or all at once: identical", {
  skip_on_cran()
  data <- mixed(77)
  for_each_spec(function(spec) {
    model <- fit(spec, y ~ ., data)
    for (type in types) {
      all <- predict(model, data, type = type)
      alone <- lapply(seq_len(nrow(data)), function(i) predict(model, data[i, ], type = type))
      alone <- if (is.matrix(all)) do.call(rbind, alone) else unlist(alone)
      expect_identical(unname(alone), unname(all))
    }
  })
})

test_that("counts and levels of any number: identical, however few rows are asked for", {
  set.seed(5)
  n <- 400
  y <- factor(sample(c("a", "b", "c"), n, TRUE))
  counts <- lapply(2^(0:9), function(rate) stats::rpois(n, rate + as.integer(y)))
  levels <- lapply(c(2, 2, 3, 3, 8, 40, 200), function(l) factor(sample(l, n, TRUE), seq_len(l)))
  x <- stats::setNames(as.data.frame(c(counts, levels)), paste0("x", 1:17))
  model <- fit(bayes_naive(numeric = likelihood_poisson(), laplace = 1), y ~ ., cbind(y, x))
  known <- bayes_known(c(a = .4, b = .6), x1 = likelihood_mixture(
    weights = list(a = c(.7, .3), b = 1), mean = list(a = c(3, 6), b = 6), sd = 1
  ))
  for (of in list(model, known)) {
    all <- predict(of, x, type = "log_joint")
    for (rows in list(7, 3:12, 1:60, 90:345, 1:257)) {
      few <- predict(of, x[rows, ], type = "log_joint")
      expect_identical(unname(few), unname(all[rows, , drop = FALSE]))
    }
  }
})

test_that("any number of threads: identical, beyond a chunk of 65536 rows too (R3)", {
  skip_on_cran()
  for (n in c(1000, 140001)) {
    data <- mixed(n)
    for_each_spec(function(spec) {
      one <- fit(spec, y ~ ., data, threads = 1)
      for (threads in 2:3) expect_identical(fit(spec, y ~ ., data, threads = threads), one)
      for (type in c("class", "log_joint", "prob")) {
        expect_identical(
          predict(one, data, type = type, threads = 2), predict(one, data, type = type, threads = 1)
        )
      }
    })
  }
})

test_that("around a chunk of 65536 rows the moments are those of plain R", {
  data <- mixed(65537, seed = 5)
  for (n in 65535:65537) {
    rows <- data[seq_len(n), ]
    bank <- bank_of(fit(bayes_naive(laplace = 1), y ~ u + v, rows))
    of_class <- function(f) vapply(rows[c("u", "v")], tapply, numeric(3), rows$y, f, na.rm = TRUE)
    expect_within(bank$mean, of_class(mean), 1e-12, scale = of_class(sd))
    expect_within(bank$sd, of_class(sd), 1e-12)
    counts <- bank_of(fit(bayes_naive(), y ~ f, rows))$log_probability
    expect_within(exp(counts), prop.table(table(rows$y, rows$f), 1), 1e-14)
  }
})

test_that("predictions cross the borders of tiles, tasks and chunks", {
  data <- mixed(65600, seed = 6)
  for_each_spec(function(spec) {
    model <- fit(spec, y ~ ., data[1:500, ])
    all <- predict(model, data, type = "log_joint")
    for (at in list(16380:16390, 65530:65540, 65600)) {
      some <- predict(model, data[at, ], type = "log_joint")
      expect_identical(unname(some), unname(all[at, , drop = FALSE]))
    }
  })
})

test_that("parts merge in any order, whatever their sizes", {
  data <- mixed(66000, seed = 7)
  part <- split(data, findInterval(seq_len(nrow(data)), c(1, 200, 65000)))
  for_each_spec(function(spec) {
    whole <- fit(spec, y ~ ., data)
    s <- lapply(part, function(rows) bayes_statistics(spec, y ~ ., rows))
    expect_same_predictions(fit(spec, merge(s[[3]], merge(s[[1]], s[[2]]))), whole, data[1:99, ])
    expect_same_predictions(fit(spec, merge(merge(s[[2]], s[[3]]), s[[1]])), whole, data[1:99, ])
  })
})

test_that("a weight is a number of copies; a weight of 0 is a row that is not there", {
  data <- mixed()
  weights <- rep(c(1, 3, 0, 2, 1), 30)
  for_each_spec(function(spec) {
    weighted <- fit(spec, y ~ ., data, weights = weights)
    copies <- data[rep(seq_len(nrow(data)), weights), ]
    expect_same_predictions(weighted, fit(spec, y ~ ., copies), data)
    ones <- fit(spec, y ~ ., data, weights = rep(1, 150))
    expect_identical(ones$parameters, fit(spec, y ~ ., data)$parameters)
    kept <- fit(spec, y ~ ., data, weights = as.numeric(weights > 0))
    expect_identical(kept$parameters, fit(spec, y ~ ., data[weights > 0, ])$parameters)
  })
})

test_that("integers shifted by 2^30 keep twelve digits of the posterior (N6)", {
  tenths <- iris
  tenths[1:4] <- round(iris[1:4] * 10)
  shifted <- tenths
  shifted[1:4] <- tenths[1:4] + 2^30
  for (spec in list(bayes_naive(), bayes_full(), bayes_full(covariance = "pooled"))) {
    p <- predict(fit(spec, Species ~ ., tenths), tenths, type = "prob")
    q <- predict(fit(spec, Species ~ ., shifted), shifted, type = "prob")
    expect_within(q, p, 1e-12, scale = 1)
  }
})

test_that("a feature times 2^200 or 2^-200 changes no posterior (N7)", {
  for (power in c(200, -200)) {
    scaled <- transform(iris, Petal.Width = Petal.Width * 2^power)
    for (spec in list(bayes_naive(), bayes_full())) {
      p <- predict(fit(spec, Species ~ ., iris), iris, type = "prob")
      q <- predict(fit(spec, Species ~ ., scaled), scaled, type = "prob")
      expect_within(q, p, 1e-12, scale = 1)
    }
  }
})

test_that("a model is as large for 1e6 rows as for 1e2, and holds no environment (R4)", {
  size <- function(n) {
    f <- rep(letters[1:4], n / 4)
    data <- data.frame(y = rep(c("a", "b"), n / 2), x = sin(seq_len(n)), f)
    vapply(specs()[1:2], function(spec) {
      length(serialize(fit(spec, y ~ ., data), NULL))
    }, 1L)
  }
  expect_identical(size(1e2), size(1e6))
})

test_that("a saved model predicts the same in a new process (R4)", {
  skip_on_cran()
  data <- mixed()
  files <- file.path(withr::local_tempdir(), c("model.rds", "data.rds", "out.rds"))
  model <- fit(specs()$blocks, y ~ ., data)
  saveRDS(model, files[[1]])
  saveRDS(data, files[[2]])
  code <- sprintf(
    "library(bayesrisk); saveRDS(predict(readRDS('%s'), readRDS('%s'), type = 'prob'), '%s')",
    files[[1]], files[[2]], files[[3]]
  )
  withr::local_envvar(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", "-e", shQuote(code)))
  expect_identical(readRDS(files[[3]]), predict(model, data, type = "prob"))
})
