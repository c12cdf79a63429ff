# NIST Statistical Reference Datasets, univariate summary statistics
# (https://www.itl.nist.gov/div898/strd/univ/homepage.html) and the one-way analysis of
# variance sets SmLs (Simon and Lesage). Certified: the mean, and the standard deviation
# with divisor n - 1. Where doubles cannot hold the data exactly, the reference is the
# exact value of the stored doubles (rational arithmetic). The measure is NIST's log
# relative error, the number of correct digits, at most 15.

lew <- c(
  -213, -564, -35, -15, 141, 115, -420, -360, 203, -338, -431, 194, -220, -513, 154, -125, -559,
  92, -21, -579, -52, 99, -543, -175, 162, -457, -346, 204, -300, -474, 164, -107, -572, -8, 83,
  -541, -224, 180, -420, -374, 201, -236, -531, 83, 27, -564, -112, 131, -507, -254, 199, -311,
  -495, 143, -46, -579, -90, 136, -472, -338, 202, -287, -477, 169, -124, -568, 17, 48, -568,
  -135, 162, -430, -422, 172, -74, -577, -13, 92, -534, -243, 194, -355, -465, 156, -81, -578,
  -64, 139, -449, -384, 193, -198, -538, 110, -44, -577, -6, 66, -552, -164, 161, -460, -344,
  205, -281, -504, 134, -28, -576, -118, 156, -437, -381, 200, -220, -540, 83, 11, -568, -160,
  172, -414, -408, 188, -125, -572, -32, 139, -492, -321, 205, -262, -504, 142, -83, -574, 0,
  48, -571, -106, 137, -501, -266, 190, -391, -406, 194, -186, -553, 83, -13, -577, -49, 103,
  -515, -280, 201, 300, -506, 131, -45, -578, -80, 138, -462, -361, 201, -211, -554, 32, 74,
  -533, -235, 187, -372, -442, 182, -147, -566, 25, 68, -535, -244, 194, -351, -463, 174, -125,
  -570, 15, 72, -550, -190, 172, -424, -385, 198, -218, -536, 96
)

lottery <- c(
  162, 671, 933, 414, 788, 730, 817, 33, 536, 875, 670, 236, 473, 167, 877, 980, 316, 950, 456,
  92, 517, 557, 956, 954, 104, 178, 794, 278, 147, 773, 437, 435, 502, 610, 582, 780, 689, 562,
  964, 791, 28, 97, 848, 281, 858, 538, 660, 972, 671, 613, 867, 448, 738, 966, 139, 636, 847,
  659, 754, 243, 122, 455, 195, 968, 793, 59, 730, 361, 574, 522, 97, 762, 431, 158, 429, 414,
  22, 629, 788, 999, 187, 215, 810, 782, 47, 34, 108, 986, 25, 644, 829, 630, 315, 567, 919,
  331, 207, 412, 242, 607, 668, 944, 749, 168, 864, 442, 533, 805, 372, 63, 458, 777, 416, 340,
  436, 140, 919, 350, 510, 572, 905, 900, 85, 389, 473, 758, 444, 169, 625, 692, 140, 897, 672,
  288, 312, 860, 724, 226, 884, 508, 976, 741, 476, 417, 831, 15, 318, 432, 241, 114, 799, 955,
  833, 358, 935, 146, 630, 830, 440, 642, 356, 373, 271, 715, 367, 393, 190, 669, 8, 861, 108,
  795, 269, 590, 326, 866, 64, 523, 862, 840, 219, 382, 998, 4, 628, 305, 747, 247, 34, 747,
  729, 645, 856, 974, 24, 568, 24, 694, 608, 480, 410, 729, 947, 293, 53, 930, 223, 203, 677,
  227, 62, 455, 387, 318, 562, 242, 428, 968
)

mavro <- as.numeric(paste0("2.00", c(
  180, 170, 180, 190, 180, 170, 150, 140, 150, 150, 170, 180, 180, 190, 190, 210, 200, 160, 140,
  130, 130, 150, 150, 160, 150, 140, 130, 140, 150, 140, 150, 160, 150, 160, 190, 200, 200, 210,
  220, 230, 240, 250, 270, 260, 260, 260, 270, 260, 250, 240
)))

num_acc <- function(centre, low, high) c(centre, rep(c(low, high), 500))
num_acc2 <- num_acc(1.2, 1.1, 1.3)
num_acc3 <- num_acc(1000000.2, 1000000.1, 1000000.3)
num_acc4 <- num_acc(10000000.2, 10000000.1, 10000000.3)

estimated <- function(spec, x) {
  bank <- bank_of(fit_xy(spec, data.frame(x), rep("a", length(x))))
  sd <- if (is.null(bank$sd)) abs(bank$factor[[1]]) else bank$sd
  list(mean = as.vector(bank$mean), sd = as.vector(sd))
}

expect_digits <- function(x, mean, sd, mean_digits = 14, sd_digits = 13) {
  for (spec in list(bayes_naive(), bayes_full())) {
    found <- estimated(spec, x)
    expect_gte(log_relative_error(found$mean, mean), mean_digits)
    expect_gte(log_relative_error(found$sd, sd), sd_digits)
  }
}

test_that("the real data sets reach their certified values", {
  expect_digits(lew, -177.435, 277.332168044316)
  expect_digits(lottery, 518.958715596330, 291.699727470969)
  expect_digits(mavro, 2.001856, 0.000429123454003053)
  # Michelson's speed of light, which R has in 1000 km/s less 299.
  michelson <- as.numeric(sprintf("%.2f", 299 + morley$Speed / 1000))
  expect_digits(michelson, 299.8524, 0.0790105478190518)
})

test_that("NumAcc1-4 reach the values of the stored doubles (N1)", {
  expect_digits(c(10000001, 10000003, 10000002), 10000002, 1)
  expect_digits(num_acc2, 1.2000000000000000665, 0.099999999999999977796)
  expect_digits(num_acc3, 1000000.2000000000116, 0.10000000003492459655)
  expect_digits(num_acc4, 10000000.200000000185, 0.10000000055879354477)
})

test_that("updates of NumAcc4 in two parts are one fit (N12)", {
  for (at in c(1, 500, 1000)) {
    parts <- split(num_acc4, seq_along(num_acc4) <= at)
    parts <- lapply(parts, function(x) {
      bayes_statistics(bayes_naive(), y ~ x, data.frame(x, y = rep("a", length(x))))
    })
    bank <- bank_of(fit(bayes_naive(), merge(parts[[2]], parts[[1]])))
    expect_gte(log_relative_error(bank$mean, 10000000.200000000185), 14)
    expect_gte(log_relative_error(bank$sd, 0.10000000055879354477), 12)
  }
})

# Nine classes of 2 * pairs + 1 numbers around `base`, as they are printed.
smls <- function(base, pairs) {
  middle <- base + c(.4, .3, .5, .3, .5, .3, .5, .3, .5)
  x <- unlist(lapply(middle, function(m) c(m, rep(c(m - .1, m + .1), pairs))))
  data.frame(x = as.numeric(sprintf("%.1f", x)), y = rep(1:9, each = 2 * pairs + 1))
}

# Mean and standard deviation of what is stored, exactly: deviations of neighbouring
# doubles from a base that both can hold are whole multiples of their spacing.
exact_moments <- function(x, base) {
  d <- (x - base) * 2^52
  mean <- sum(d) / length(d)
  list(mean = base + mean * 2^-52, sd = sqrt(sum((d - mean)^2) / (length(d) - 1)) * 2^-52)
}

test_that("SmLs01-09: nine classes, every mean and standard deviation (N2)", {
  for (base in c(1, 1e6, 1e12)) {
    for (pairs in c(10, 100, 1000)) {
      data <- smls(base, pairs)
      bank <- bank_of(fit(bayes_naive(), y ~ x, data))
      reference <- lapply(split(data$x, data$y), exact_moments, base = base)
      expect_gte(min(log_relative_error(bank$mean, vapply(reference, `[[`, 1, "mean"))), 14)
      expect_gte(min(log_relative_error(bank$sd, vapply(reference, `[[`, 1, "sd"))), 13)
    }
  }
})

test_that("SmLs07: the exact values of groups 1 and 2", {
  bank <- bank_of(fit(bayes_naive(), y ~ x, smls(1e12, 10)))
  expect_identical(bank$sd[1], 0.0999755859375)
  expect_gte(log_relative_error(bank$sd[2], 0.10003662198039917602), 14)
  expect_gte(log_relative_error(bank$mean[2], 1000000000000.2999906994), 14.5)
})

test_that("a million rows keep their digits (N15)", {
  x <- rep(c(.1, .3), 5e5)
  model <- fit_xy(bayes_naive(), data.frame(x), rep("a", 1e6))
  found <- bank_of(model)
  middle <- .1 + (.3 - .1) / 2
  expect_gte(log_relative_error(found$mean, middle), 12)
  expect_gte(log_relative_error(found$sd, (.3 - .1) / 2 * sqrt(1e6 / (1e6 - 1))), 12)
})
