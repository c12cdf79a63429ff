# Naive Bayes of klaR, e1071 and naivebayes, and klaR's regularised discriminant analysis.

# klaR and e1071: a class x 2 table of means and standard deviations, or a class x level table.
feature_part <- function(x, is_number) {
  if (is_number) gaussian_part(x[, 1L], x[, 2L], rownames(x)) else level_part(x)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.naiveBayes <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  convert_model(x, n, function(x) {
    numeric <- x$isnumeric[names(x$tables)]
    list(
      prior = by_class_name(x$apriori, names(x$apriori)),
      parts = Map(function(table, is_number) feature_part(table, is_number), x$tables, numeric)
    )
  }, call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.NaiveBayes <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  check_fit(x, call)
  if (isTRUE(x$usekernel)) abort_kernel("NaiveBayes", "the nearest point", call)
  convert_model(x, n, function(x) {
    numeric <- vapply(x$x[x$varnames], is.numeric, NA)
    list(
      prior = by_class_name(x$apriori, x$levels),
      parts = Map(feature_part, x$tables[x$varnames], numeric)
    )
  }, call)
}

abort_kernel <- function(name, how, call) {
  abort_argument(c(
    "{.arg x} has kernel densities: {.fn {name}} keeps a grid of each and reads {how}, which is no
     density of this package.",
    i = "Fit {.code bayes_naive(numeric = likelihood_kernel())} to the data."
  ), call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.naive_bayes <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  check_fit(x, call)
  if ("KDE" %in% attr(x$tables, "cond_dist")) {
    abort_kernel("naive_bayes", "between its points", call)
  }
  convert_model(x, n, function(x) {
    kinds <- attr(x$tables, "cond_dist")
    parts <- Map(function(table, kind) {
      table <- unclass(table)
      switch(kind,
        Gaussian = gaussian_part(table[1L, ], table[2L, ], colnames(table)),
        Poisson = likelihood_poisson(by_class_name(table[1L, ], colnames(table))),
        Bernoulli = , Categorical = level_part(t(table)),
        abort_argument("{.arg x} has a distribution of an unknown kind: {kind}.", call)
      )
    }, unclass(x$tables)[names(kinds)], kinds)
    list(prior = by_class_name(x$prior, x$levels), parts = parts)
  }, call)
}

#' @rdname as_bayes_model
#' @export
as_bayes_model.rda <- function(x, n = NULL, ...) { # nolint: object_name_linter.
  call <- check_no_dots(...)
  check_fit(x, call)
  if (is.null(x$regularization)) return(as_bayes_model.default(x))
  check_plain_terms(x, "rda", call)
  convert_model(x, n, function(x) {
    classes <- in_new_session(as.character(x$classes))
    gamma <- x$regularization[["gamma"]]
    lambda <- x$regularization[["lambda"]]
    # klaR keeps the covariances without the regularisation.
    covariance <- lapply(stats::setNames(seq_along(classes), classes), function(k) {
      s <- (1 - lambda) * slice_of(x$covariances, k) + lambda * x$covpooled
      (1 - gamma) * s + gamma * mean(diag(s)) * diag(nrow(s))
    })
    mean <- t(x$means)
    rownames(mean) <- classes
    list(prior = by_class_name(x$prior, classes), parts = block_part(mean, covariance))
  }, call)
}
