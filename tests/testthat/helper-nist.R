# NIST Statistical Reference Datasets, univariate summary statistics
# (https://www.itl.nist.gov/div898/strd/univ/homepage.html) and the one-way analysis of variance
# sets SmLs (Simon and Lesage). This file has the data sets and counts the correct digits of their
# means and standard deviations, for each way from data to a model. It does not need testthat.
#
# NIST certifies the mean and the standard deviation (divisor n - 1) of the decimal numbers. Doubles
# cannot hold all of these numbers. So the reference is computed from the stored doubles in rational
# arithmetic. If the doubles are exact, it is NIST's own reference.

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

# The number of correct digits, as NIST counts them.
log_relative_error <- function(value, certified) {
  error <- abs(value - certified) / abs(certified)
  ifelse(error == 0, 15, pmin(15, -log10(error)))
}

# A data set: numbers, their classes, and for each class its size and its exact moments.
nist_set <- function(x, class, mean, sd) {
  list(x = x, class = class, size = tabulate(class), mean = mean, sd = sd)
}

single_set <- function(x, mean, sd) nist_set(x, rep(1L, length(x)), mean, sd)

# Each class has one number `middle` and `pairs` pairs of numbers, `low` and `high`, one step from
# it. Differences of doubles that are so close are exact.
paired_set <- function(middle, low, high, pairs) {
  x <- unlist(Map(function(m, l, h) c(m, rep(c(l, h), pairs)), middle, low, high))
  n <- 2 * pairs + 1
  below <- low - middle
  above <- high - middle
  shift <- pairs * (below + above) / n
  scatter <- pairs * ((below - shift)^2 + (above - shift)^2) + shift^2
  nist_set(x, rep(seq_along(middle), each = n), middle + shift, sqrt(scatter / (n - 1)))
}

# The doubles that store decimal numbers.
with_one_decimal <- function(x) as.numeric(sprintf("%.1f", x))

smls <- function(base, pairs) {
  middle <- base + c(.4, .3, .5, .3, .5, .3, .5, .3, .5)
  x <- lapply(c(0, -.1, .1), function(step) with_one_decimal(middle + step))
  paired_set(x[[1]], x[[2]], x[[3]], pairs)
}

nist_sets <- function() {
  # Michelson's speed of light. R has it in km/s, minus 299,000.
  michelso <- as.numeric(sprintf("%.2f", 299 + datasets::morley$Speed / 1000))
  bases <- rep(c(1, 1e6, 1e12), each = 3)
  smls_sets <- Map(smls, bases, rep(c(10, 100, 1000), 3))
  names(smls_sets) <- sprintf("SmLs%02d", 1:9)
  c(list(
    Lew = single_set(lew, -177.435, 277.33216804431613576),
    Lottery = single_set(lottery, 518.95871559633027523, 291.69972747096908424),
    Mavro = single_set(mavro, 2.0018559999999999732, 0.00042912345400308540929),
    Michelso = single_set(michelso, 299.85240000000000009, 0.079010547819050667151),
    NumAcc1 = single_set(c(10000001, 10000003, 10000002), 10000002, 1),
    NumAcc2 = paired_set(1.2, 1.1, 1.3, 500),
    NumAcc3 = paired_set(1000000.2, 1000000.1, 1000000.3, 500),
    NumAcc4 = paired_set(10000000.2, 10000000.1, 10000000.3, 500)
  ), smls_sets)
}

## Routes --------------------------------------------------------------------------------------

# Models whose first columns are the numbers of a set. There are 13 columns, because kernels read
# eight and four columns at a time. A block has one such column and another feature.
nist_models <- function() {
  beside <- function(x) data.frame(x, beside = seq_along(x) %% 3)
  list(
    naive = list(
      spec = bayes_naive(), features = function(x) as.data.frame(matrix(x, length(x), 13L))
    ),
    full = list(spec = bayes_full(), features = beside),
    pooled = list(spec = bayes_full(covariance = "pooled"), features = beside)
  )
}

# Ways from data to a model.
fit_plainly <- function(spec, data) fit(spec, class ~ ., data)

fit_with_weights_of_one <- function(spec, data) fit(spec, class ~ ., data, weights = class / class)

# Every other row has no numbers.
fit_with_missing_rows <- function(spec, data) {
  data <- data[rep(seq_len(nrow(data)), each = 2L), ]
  data[c(TRUE, FALSE), names(data) != "class"] <- NA
  fit(spec, class ~ ., data)
}

# Three parts: one row, about a quarter of the rows, and the rest. The rest comes first.
fit_merged_parts <- function(spec, data) {
  part <- findInterval(seq_len(nrow(data)), c(2, nrow(data) / 4 + 2))
  collected <- lapply(split(data, part), function(x) bayes_statistics(spec, class ~ ., x))
  fit(spec, Reduce(merge, rev(collected)))
}

fit_and_update <- function(spec, data) {
  first <- seq_len(nrow(data) / 2)
  update(fit(spec, class ~ ., data[first, ]), data[-first, ])
}

# Rows are read in chunks of 65,536. So many copies of `n` rows fill two chunks.
copies_for_chunks <- function(n) ceiling(70000 / n)

# `order`: a function of the number of rows that gives the rows of the data.
nist_route <- function(fit, order = seq_len) list(fit = fit, order = order)

nist_routes <- function() {
  list(
    "one pass" = nist_route(fit_plainly),
    "weights of one" = nist_route(fit_with_weights_of_one),
    "missing rows" = nist_route(fit_with_missing_rows),
    "merged parts" = nist_route(fit_merged_parts),
    "update by as many rows" = nist_route(fit_and_update, function(n) rep(seq_len(n), 2L)),
    "chunks" = nist_route(fit_plainly, function(n) rep(seq_len(n), copies_for_chunks(n))),
    # Chunks of equal numbers.
    "sorted chunks" = nist_route(
      fit_plainly, function(n) rep(seq_len(n), each = copies_for_chunks(n))
    )
  )
}

# Moments of data that hold a set `copies` times.
expected_moments <- function(set, copies, pooled) {
  scatter <- set$sd^2 * (set$size - 1) * copies
  degrees <- set$size * copies - 1
  variance <- if (pooled) sum(scatter) / sum(degrees) else scatter / degrees
  list(mean = set$mean, sd = sqrt(variance))
}

# Classes x features, without the features that do not hold the numbers of the set.
fitted_moments <- function(model) {
  bank <- model$parameters$banks[[1L]]
  if (!is.null(bank$sd)) return(bank[c("mean", "sd")])
  list(mean = bank$mean[, 1L], sd = vapply(bank$factor, function(r) abs(r[1L, 1L]), 1))
}

# The fewest digits of a mean, and of a standard deviation.
digits_along <- function(set, model, route) {
  rows <- route$order(length(set$x))
  data <- cbind(model$features(set$x[rows]), class = set$class[rows])
  found <- fitted_moments(route$fit(model$spec, data))
  expected <- expected_moments(
    set, length(rows) / length(set$x), identical(model$spec$covariance, "pooled")
  )
  vapply(c("mean", "sd"), function(of) min(log_relative_error(found[[of]], expected[[of]])), 1)
}

# Runs `work` with the kernels for every processor, or with those for this processor.
with_kernel <- function(kernel, work) {
  variable <- "BAYESRISK_BASELINE"
  before <- Sys.getenv(variable, NA)
  on.exit(if (is.na(before)) Sys.unsetenv(variable) else Sys.setenv(BAYESRISK_BASELINE = before))
  if (kernel == "baseline") Sys.setenv(BAYESRISK_BASELINE = "1") else Sys.unsetenv(variable)
  work
}

# A row for each data set, model and way, with the digits of its means and standard deviations.
nist_digits <- function(sets = nist_sets(), models = nist_models(), routes = nist_routes(),
                        kernels = c("baseline", "best"), threads = 1L) {
  before <- options(bayesrisk.threads = threads)
  on.exit(options(before))
  table <- expand.grid(
    set = names(sets), model = names(models), route = names(routes), kernel = kernels,
    stringsAsFactors = FALSE
  )
  digits <- Map(function(set, model, route, kernel) {
    with_kernel(kernel, digits_along(sets[[set]], models[[model]], routes[[route]]))
  }, table$set, table$model, table$route, table$kernel)
  cbind(table, threads = threads, do.call(rbind, digits), row.names = NULL)
}
