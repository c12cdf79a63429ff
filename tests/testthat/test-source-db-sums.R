test_that("more features than a query has columns", {
  con <- local_database("sqlite")
  set.seed(8)
  rows <- data.frame(matrix(rnorm(40L * 600L) + 1e6, 40L))
  rows$y <- rep(c("a", "b"), 20L)
  table <- lazy_table(put_table(con, rows), "sql")
  expect_as_in_memory(
    bayes_statistics(bayes_naive(), y ~ ., table), bayes_statistics(bayes_naive(), y ~ ., rows)
  )
})

test_that("sums about any centre give the same moments", {
  x <- c(1, 2, 4, 8) + 1e8
  of <- function(shift, scale) {
    d <- (x - shift) * scale
    moments_of_sums_cpp(
      matrix(4), matrix(shift), matrix(sum(d)), matrix(sum(d^2)), scale
    )
  }
  expected <- list(
    weight = matrix(4), mean = matrix(1e8 + 3.75), mean_low = matrix(0), scatter = matrix(28.75)
  )
  for (shift in c(1e8, 1e8 + 1, 1e8 + 3.75)) {
    for (scale in 2^c(-20, 0, 20)) expect_equal(of(shift, scale), expected, tolerance = 1e-15)
  }
})

test_that("a feature with one value in a class is centred at this value", {
  cases <- list(scale = c(1, 1), guarded = FALSE)
  summary <- data.frame(
    m1 = 0.1 + 1e-17, lo1 = 0.1, hi1 = 0.1, m2 = 5, lo2 = 4, hi2 = 6
  )
  expect_identical(class_centres(summary, 1:2, cases), matrix(c(0.1, 5), 1L))
  cases <- list(scale = c(1, 2^100), guarded = TRUE)
  summary$m2 <- 0
  centre <- class_centres(summary, 1:2, cases)
  expect_identical(centre[[2L]], 6 * 2^70)
})

for (engine in database_engines) {
  test_that(paste("pivots of ill-conditioned blocks keep their digits:", engine), {
    con <- local_database(engine)
    set.seed(11)
    n <- 2000L
    for (condition in 2^c(0, 7, 13, 20)) {
      # The difference of two columns is exact, so the pivots are those of a block that is not
      # ill-conditioned.
      x <- round(rnorm(n) * 2^20) / 2^20
      apart <- round(rnorm(n) / condition * 2^50) / 2^50
      rows <- data.frame(y = sample(c("a", "b"), n, TRUE), x1 = x, x2 = x + apart, x3 = rnorm(n))
      table <- lazy_table(put_table(con, rows), "sql")
      found <- bayes_statistics(bayes_full(), y ~ ., table)$statistics$banks[[1L]]
      for (k in 1:2) {
        own <- cbind(x, apart, rows$x3)[rows$y == c("a", "b")[[k]], ]
        pivots <- abs(diag(qr.R(qr(sweep(own, 2L, colMeans(own))))))
        expect_lt(max(abs(diag(found$triangle[[k]]) / pivots - 1)), 1e-11)
      }
    }
  })

  test_that(paste("blocks with missing numbers, weights, few rows and constants:", engine), {
    con <- local_database(engine)
    set.seed(5)
    rows <- data.frame(
      y = sample(c("a", "b", "c"), 300L, TRUE), x1 = rnorm(300L), x2 = rexp(300L), w = rexp(300L),
      k = 0.1, rare = NA_real_
    )
    rows$y[1:2] <- "rare"
    rows$x1[c(3L, 7L)] <- NA
    rows$k[[3L]] <- 7
    rows$rare[10:14] <- 1:5
    table <- lazy_table(put_table(con, rows), "sql")
    for (formula in list(y ~ x1 + x2, y ~ x1 + k, y ~ x1 + rare)) {
      found <- bayes_statistics(bayes_full(), formula, table, weights = w)
      expected <- bayes_statistics(bayes_full(), formula, rows, weights = w)
      expect_as_in_memory(found, expected)
      expect_identical(
        said_error(fit(bayes_full(), found)), said_error(fit(bayes_full(), expected))
      )
    }
  })
}

test_that("wide blocks are summed in tiles", {
  con <- local_database("sqlite")
  set.seed(6)
  rows <- data.frame(matrix(rnorm(200L * 45L), 200L))
  rows$y <- rep(c("a", "b"), 100L)
  table <- lazy_table(put_table(con, rows), "sql")
  expect_as_in_memory(
    bayes_statistics(bayes_full(), y ~ ., table), bayes_statistics(bayes_full(), y ~ ., rows),
    tolerance = 1e-11
  )
})

# The blocks that the first pass has summed; NULL if it has not.
first_sums <- function(table, spec = bayes_naive()) {
  task <- fit_request(y ~ ., rlang::quo(), rlang::quo(), stats::na.pass, 1L)
  task$summed <- summed_structure(spec)
  read_table(table, task, rlang::current_env())$summed
}

for (engine in database_engines) {
  test_that(paste("one pass gives the moments of two:", engine), {
    con <- local_database(engine)
    set.seed(4)
    rows <- data.frame(y = sample(c("a", "b"), 3000L, TRUE), x = rnorm(3000) + 1e8, z = rexp(3000))
    rows$u <- rows$z^2
    rows$z[5:20] <- NA
    rows$constant <- ifelse(rows$y == "a", 0.1, 0.3)
    table <- lazy_table(put_table(con, rows), "sql")
    heavy <- cbind(rows, w = runif(3000))
    weighted <- lazy_table(put_table(con, heavy), "sql")
    pairs <- list(late = c("u", "x"), early = c("constant", "z"))
    specs <- list(
      bayes_naive(), bayes_full(), bayes_full(covariance = "pooled"), bayes_blocks(pairs[1]),
      bayes_blocks(pairs), bayes_blocks(pairs[1], numeric = likelihood_gamma())
    )
    blocks <- list(list(), list(1:4), list(1:4), list(c(3L, 1L)), list(c(3L, 1L), c(4L, 2L)))
    blocks[[6L]] <- blocks[[4L]]
    for (i in seq_along(specs)) {
      spec <- specs[[i]]
      expect_identical(first_sums(table, spec), blocks[[i]])
      expect_as_in_memory(
        bayes_statistics(spec, y ~ ., table), bayes_statistics(spec, y ~ ., rows)
      )
      expect_as_in_memory(
        bayes_statistics(spec, y ~ ., weighted, weights = w),
        bayes_statistics(spec, y ~ ., heavy, weights = w)
      )
    }
  })
}

test_that("first rows that are unlike the others are no guess", {
  con <- local_database("sqlite")
  unlike <- list(
    class = data.frame(y = rep(c("a", "b"), each = 1000), x = c(rnorm(1000), rnorm(1000) + 50)),
    constant = data.frame(y = rep(c("a", "b"), each = 1000), x = c(rnorm(1000), rep(0.1, 1000))),
    missing = data.frame(y = c("a", "b"), x = c(rep(NA, 1000), rnorm(1000) + 1e9)),
    huge = data.frame(y = c("a", "b"), x = c(rnorm(1000), rnorm(1000) * 1e200))
  )
  for (rows in unlike) {
    table <- lazy_table(put_table(con, rows), "sql")
    for (spec in list(bayes_naive(), bayes_full())) {
      expect_null(first_sums(table, spec))
      expect_as_in_memory(bayes_statistics(spec, y ~ x, table), bayes_statistics(spec, y ~ x, rows))
    }
  }
  # Their squares are 0 as a double.
  tiny <- data.frame(y = c("a", "b"), x = c(rep(0, 1000), rep(c(1e-170, -1e-170), each = 500)))
  expect_null(first_sums(lazy_table(put_table(con, tiny), "sql")))
  near <- data.frame(y = rep(c("a", "b"), each = 1000), x = rnorm(2000))
  expect_identical(first_sums(lazy_table(put_table(con, near), "sql")), list())
})

for (engine in database_engines) {
  test_that(paste("a block whose features depend on each other in its complete rows:", engine), {
    con <- local_database(engine)
    data <- withr::with_seed(4, data.frame(
      k = sample(c("a", "b", "c"), 500, TRUE), x = stats::rnorm(500, 50, 10), y = stats::rexp(500)
    ))
    data$dup <- ifelse(seq_len(500) %% 2 == 0, data$x, NA)
    table <- put_table(con, data)
    expect_error(fit(bayes_full(), k ~ x + y + dup, data), "singular")
    expect_identical(
      said_error(fit(bayes_full(), k ~ x + y + dup, table)),
      said_error(fit(bayes_full(), k ~ x + y + dup, data))
    )
  })
}
