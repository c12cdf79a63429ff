# Naive Bayes with kernel densities.

kernel_spec <- function() bayes_naive(numeric = likelihood_kernel())

kernel_fits <- list(
  bayesrisk = function(d) fit_xy(kernel_spec(), d$x, d$y),
  `bayesrisk: 2 threads` = function(d) fit_xy(kernel_spec(), d$x, d$y, threads = 2L),
  `bayesrisk: Gaussian` = function(d) fit_xy(bayes_naive(), d$x, d$y),
  naivebayes = function(d) naivebayes::naive_bayes(d$x, d$y, usekernel = TRUE)
)

kernel_classes <- list(
  bayesrisk = function(d) predict(d$models$bayesrisk, d$x),
  `bayesrisk: 2 threads` = function(d) predict(d$models$bayesrisk, d$x, threads = 2L),
  `bayesrisk: Gaussian` = function(d) predict(d$models$`bayesrisk: Gaussian`, d$x),
  naivebayes = function(d) predict(d$models$naivebayes, d$x, type = "class")
)

# It calls an R function for each row, and reads the density at the nearest of 512 points.
kernel_klar <- list(
  fit = list(klaR = function(d) klaR::NaiveBayes(d$x, d$y, usekernel = TRUE)),
  class = list(klaR = function(d) predict(d$models$klaR, d$x)$class)
)

# The log joints by the definition: sums of normals around all values.
kernel_log_joints <- function(d, rows) {
  h <- vapply(coef(d$models$bayesrisk)[colnames(d$x)], function(points) {
    tapply(points$bandwidth, points$class, `[[`, 1L)
  }, numeric(nlevels(d$y)))
  values <- lapply(split(seq_along(d$y), d$y), function(own) d$x[own, , drop = FALSE])
  joint <- vapply(seq_along(values), function(k) {
    of_class <- vapply(rows, function(row) {
      sum(vapply(seq_len(ncol(d$x)), function(j) {
        log(mean(stats::dnorm(d$x[row, j], values[[k]][, j], h[k, j])))
      }, 0))
    }, 0)
    of_class + log(nrow(values[[k]]) / length(d$y))
  }, numeric(length(rows)))
  joint
}

# Linear binning changes a log density by about (step / h)^2 / 8, below 1e-3 here. The peers bin
# and interpolate between 512 points, so some rows between two classes go to the other class.
kernel_same <- function(d) {
  rows <- some_rows(nrow(d$x), 20)
  ours <- predict(d$models$bayesrisk, d$x[rows, ], type = "log_joint")
  must_agree("dnorm()", max(abs(unname(ours) - kernel_log_joints(d, rows))), limit = 5e-3)
  some <- d$x[d$some, , drop = FALSE]
  class <- predict(d$models$bayesrisk, some)
  theirs <- list(
    naivebayes = function(model) predict(model, some, type = "class"),
    klaR = function(model) predict(model, some)$class
  )
  for (who in intersect(names(theirs), names(d$models))) {
    must_agree(who, mean(class != theirs[[who]](d$models[[who]])), limit = 0.02)
  }
}

kernel_setting <- function(n, p, k) {
  small <- n <= 1e4
  list(
    topic = "kernel", n = n, p = p, k = k,
    make = function() {
      data <- gaussian_data(n, p, k)
      fits <- c(kernel_fits[-2], if (small) kernel_klar$fit)
      data$models <- lapply(installed_only(fits), function(fit) fit(data))
      data
    },
    same = kernel_same,
    tasks = list(
      `Kernel fit` = c(kernel_fits, if (small) kernel_klar$fit, limit_read),
      `Kernel class` = c(kernel_classes, if (small) kernel_klar$class, limit_read)
    )
  )
}

kernel_settings <- function(mode) {
  c(list(kernel_setting(1e4, 7L, 3L)), if (mode$name == "full") list(kernel_setting(1e6, 7L, 3L)))
}
