mean_matrix <- rbind(A = c(x = 0, y = 0, z = 1), B = c(0.5, 0.5, 2))
cov_a <- matrix(c(2, 0.3, 0.1, 0.3, 1, 0.2, 0.1, 0.2, 3), 3)
cov_b <- diag(c(1, 2, 4))
named <- function(covariance) {
  dimnames(covariance) <- list(c("x", "y", "z"), c("x", "y", "z"))
  covariance
}

test_that("a covariance is one matrix, a list by class or an array", {
  pooled <- likelihood_gaussian(mean = mean_matrix, covariance = cov_a)
  expect_identical(pooled$mean, mean_matrix)
  expect_identical(pooled$covariance, named(cov_a))
  by_class <- likelihood_gaussian(mean = mean_matrix, covariance = list(B = cov_b, A = cov_a))
  expect_identical(by_class$covariance, list(A = named(cov_a), B = named(cov_b)))
  slices <- array(c(cov_a, cov_b), c(3, 3, 2))
  expect_identical(likelihood_gaussian(mean = mean_matrix, covariance = slices), by_class)
  dimnames(slices) <- list(NULL, NULL, c("B", "A"))
  swapped <- likelihood_gaussian(mean = mean_matrix, covariance = slices)
  expect_identical(swapped$covariance, list(A = named(cov_b), B = named(cov_a)))
})

test_that("a covariance with names is matched to the features by name", {
  shuffled <- named(cov_a)[c("z", "x", "y"), c("y", "z", "x")]
  known <- likelihood_gaussian(mean = mean_matrix, covariance = shuffled)
  expect_identical(known$covariance, named(cov_a))
  wrong <- named(cov_a)
  rownames(wrong)[[2]] <- "v"
  expect_error(likelihood_gaussian(mean = mean_matrix, covariance = wrong),
    "row and column names.*covariance", class = "bayesrisk_error_argument"
  )
})

test_that("a block of one feature", {
  one <- likelihood_gaussian(
    mean = cbind(x = c(A = 1, B = 2)), covariance = array(c(4, 9), c(1, 1, 2))
  )
  expect_identical(one$covariance$B, matrix(9, 1, 1, dimnames = list("x", "x")))
})

test_that("covariances that do not fit name the class and what is wrong (G10)", {
  bad <- function(covariance, pattern, mean = mean_matrix) {
    expect_error(likelihood_gaussian(mean = mean, covariance = covariance), pattern,
      class = "bayesrisk_error_argument"
    )
  }
  asymmetric <- cov_b
  asymmetric[1, 2] <- 0.5
  bad(list(A = cov_a, B = asymmetric), "covariance.*class \"B\".*symmetric")
  bad(list(A = cov_a, B = diag(2)), "covariance.*class \"B\".*3 x 3")
  bad(list(A = cov_a), "covariance.*Missing.*B")
  bad(list(cov_a, cov_b), "covariance.*Missing.*A")
  for (value in c(Inf, NA, NaN)) bad(replace(cov_a, 5, value), "covariance.*finite")
  bad(array(0, c(3, 3, 3)), "covariance.*one matrix per class")
  bad(4, "covariance.*3 x 3")
  bad(cov_a, "mean.*needs.*sd", mean = c(A = 1, B = 2))
  bad(cov_a, "mean.*row names", mean = unname(mean_matrix))
  bad(cov_a, "mean.*finite", mean = replace(mean_matrix, 2, Inf))
  # rounding of a computed covariance is no asymmetry
  rounded <- cov_a
  rounded[1, 2] <- rounded[1, 2] * (1 + 1e-15)
  known <- likelihood_gaussian(mean = mean_matrix, covariance = rounded)$covariance
  expect_identical(known, t(known))
})

test_that("a known block is read back as it was given, classes in the order of the prior", {
  covariance <- list(A = cov_a, B = cov_b)
  model <- bayes_known(
    c(B = 0.3, A = 0.7), xyz = likelihood_gaussian(mean = mean_matrix, covariance = covariance)
  )
  read <- coef(model)$xyz
  expect_identical(read$mean, array(
    mean_matrix[2:1, ], c(2, 3), list(class = c("B", "A"), feature = c("x", "y", "z"))
  ))
  expect_within(read$covariance$A, cov_a, 1e-15)
  expect_within(read$covariance$B, cov_b, 1e-15)
  shown <- summary(model)$blocks$xyz
  expect_within(shown$sd["A", ], sqrt(diag(cov_a)), 1e-15)
  expect_within(shown$correlation$A, cov2cor(cov_a), 1e-15, scale = 1)
})

test_that("a plot looks where each class has the feature, also under one covariance", {
  pooled <- bayes_known(
    c(A = 0.7, B = 0.3), xyz = likelihood_gaussian(mean = mean_matrix, covariance = cov_a)
  )
  bank <- pooled$plan$banks[[1]]
  moments <- record_of(bank)$moments(bank, bank_of(pooled), 3L)
  expect_within(moments$mean, c(1, 2), 0)
  expect_within(moments$sd, sqrt(c(3, 3)), 1e-15)
})
