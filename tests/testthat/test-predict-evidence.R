test_that("evidence is relative to the most likely class, without rows that say nothing", {
  case <- shifted(6L)
  case$rows[2, ] <- NA
  ask <- list(
    even = c(1, 1, 1) / 3, weights = rlang::quo(w), subset = rlang::quo(), cost = NULL,
    threads = 1L, features = 1:2, sample = 100
  )
  rows <- cbind(case$rows, w = c(1, 2, 0, 4, 5, 6))
  piece <- evidence_from(rows, case$model, ask, rlang::current_env())[[1L]]
  l <- log_likelihood_rows(case$model, case$rows)
  top <- apply(l, 1L, max)
  l <- l - top
  l[3, ] <- 0
  expect_equal(matrix(piece$likelihood, 6L), unname(exp(l)))
  expect_identical(piece$evidence, c(1, 0, 0, 4, 5, 6))
  expect_identical(piece$weight, c(1, 2, 0, 4, 5, 6))
  expect_equal(piece$log_scale, sum(top * piece$evidence))
  expect_identical(c(piece$used, piece$uninformed), c(4, 1))
  expect_identical(piece$sample$rows, 6)
  alone <- array(piece$sample$alone, c(6L, 3L, 2L))
  l <- log_likelihood_rows(case$model, replace(case$rows, "g", NA))
  expect_equal(alone[, , 1L], unname(exp(l - apply(l, 1L, max))))
})

test_that("a sample takes evenly spaced runs", {
  case <- shifted(1000L)
  ask <- list(
    even = c(1, 1, 1) / 3, weights = rlang::quo(), subset = rlang::quo(), cost = NULL,
    threads = 1L, features = 1:2, sample = 200
  )
  sample <- evidence_from(case$rows, case$model, ask, rlang::current_env())[[1L]]$sample
  expect_identical(sample$rows, 192)
  l <- log_likelihood_rows(case$model, case$rows[c(1:64, 334:397, 667:730), ])
  expect_equal(matrix(sample$together, 192L), unname(exp(l - apply(l, 1L, max))))
})
