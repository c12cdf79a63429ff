# A data frame in pieces of `size` rows. As in a file, a column of NA alone has no type.
in_pieces <- function(data, size) {
  lapply(unname(split(data, (seq_len(nrow(data)) - 1L) %/% size)), function(piece) {
    piece[vapply(piece, function(x) !is.factor(x) && all(is.na(x)), NA)] <- NA
    piece
  })
}

# Chunks of `size` rows. `again`: whether they can be read twice.
chunked <- function(data, size, again = TRUE) {
  pieces <- in_pieces(data, size)
  i <- 0L
  reset <- function() i <<- 0L
  data_chunks(function() {
    # After the end the state is that of the beginning.
    i <<- if (i == length(pieces)) 0L else i + 1L
    if (i > 0L) pieces[[i]]
  }, if (again) reset)
}

# Classes, levels, kinds and a range that only later rows show; missing values of all kinds.
late_data <- function(n = 2011L) {
  withr::local_seed(5)
  at <- seq_len(n) / n
  data <- data.frame(
    y = sample(c("b", "a"), n, TRUE), x = stats::rnorm(n, 1e6), z = stats::rexp(n),
    k = stats::rpois(n, 3), f = sample(c("p", "q, r", "s\nt", NA), n, TRUE),
    l = stats::runif(n) > 0.5, g = factor(sample(c("u", "v"), n, TRUE), c("w", "v", "u")),
    w = stats::runif(n), late = ifelse(at < 0.6, NA, sample(c("yes", "no"), n, TRUE))
  )
  data$y[at > 0.75][1:9] <- "c"
  data$f[at > 0.5][1:5] <- "only late"
  data$x[at < 0.3] <- NA
  data$z[[n]] <- 50
  data
}

# Specifications that read all kinds of banks: list(spec, formula).
source_specs <- function() {
  list(
    naive = list(bayes_naive(laplace = 1), y ~ x + z + f + l + g + late),
    full = list(bayes_full(laplace = 1), y ~ x + z + k + f + late),
    em = list(bayes_full(missing = "em"), y ~ x + z + w),
    blocks = list(
      bayes_blocks(list(c("z", "x"), c("f", "l")), features = list(k = likelihood_poisson())),
      y ~ x + z + k + f + l
    ),
    values = list(
      bayes_naive(features = list(
        z = likelihood_kernel(), k = likelihood_empirical(), w = likelihood_mixture(1:2)
      )), y ~ z + k + w
    ),
    counts = list(
      bayes_naive(numeric = likelihood_negative_binomial(), features = list(
        z = likelihood_gamma()
      )), y ~ k + z
    ),
    functions = list(bayes_naive(), y ~ log(z) + I(x^2) + cut(k, c(-1, 2, 100))),
    bins = list(
      bayes_naive(numeric = likelihood_histogram(breaks = "FD", laplace = 1), features = list(
        z = likelihood_histogram(width = 0.5), k = likelihood_histogram(),
        w = likelihood_histogram(width = 0.2, origin = 0)
      )), y ~ x + z + k + w
    )
  )
}

# All numbers of a result, in order.
all_numbers <- function(x) {
  if (is.list(x)) return(unlist(lapply(x, all_numbers), use.names = FALSE))
  if (is.numeric(x)) as.double(x)
}

# Statistics of a source against those of the data in memory: everything but moments is identical.
expect_same_statistics <- function(found, wanted, label) {
  same <- c("spec", "schema", "plan", "rows")
  for (part in same) {
    testthat::expect_equal(found[[part]], wanted[[part]], tolerance = 0, label = paste(label, part))
  }
  testthat::expect_identical(
    found$statistics$classes$rows, wanted$statistics$classes$rows, label = label
  )
  models <- lapply(list(found, wanted), function(x) suppressWarnings(fit(x$spec, x)))
  testthat::expect_equal(
    all_numbers(coef(models[[1L]])), all_numbers(coef(models[[2L]])), tolerance = 1e-11,
    label = label
  )
}

# Chunks of every size stop with the same error.
expect_csv_error <- function(file, message) {
  for (size in c(1, 100, 1e6)) {
    expect_error(as.data.frame(csv_chunks(file, size)), message, class = "bayesrisk_error_data")
  }
}
