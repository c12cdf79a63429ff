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
