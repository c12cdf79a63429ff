# Models of scikit-learn, as inst/python/bayesrisk_json.py writes them.

#' @rdname as_bayes_model
#' @export
as_bayes_model.character <- function(x, features = NULL, # nolint: object_name_linter.
                                     n = NULL, ...) {
  call <- check_no_dots(...)
  file <- check_file(x, "x", call)
  check_package("jsonlite", "as_bayes_model", call)
  read <- read_whole(parse_file(file), "file", call)
  if (!identical(read[["format"]], "scikit-learn")) {
    abort_object(c(
      "The file holds no model of scikit-learn.",
      i = "Models of this package are read by {.fn read_model_json}."
    ), call)
  }
  check_format_version(read, 1, "Write it again with the script of this version.", call)
  reader <- if (is_string(read$type)) sklearn_readers()[[read$type]]
  if (is.null(reader)) {
    abort_argument(c(
      "{.arg x}: {describe_value(read$type)} of scikit-learn has no counterpart here.",
      i = "There are {.val {names(sklearn_readers())}}."
    ), call)
  }
  if (!is.null(features)) check_features_named(features, call)
  convert_model(read, n, function(read) reader(sklearn_model(read, features, call), call), call)
}

# How each type becomes list(prior, parts).
sklearn_readers <- function() {
  list(
    GaussianNB = read_gaussian_nb, QuadraticDiscriminantAnalysis = read_sklearn_qda,
    CategoricalNB = read_categorical_nb, BernoulliNB = read_bernoulli_nb,
    MultinomialNB = function(x, call) read_terms_nb(x, FALSE), ComplementNB = function(x, call) {
      read_terms_nb(x, TRUE)
    }
  )
}

# Names and functions that all readers need.
sklearn_model <- function(read, features, call) {
  classes <- in_new_session(as.character(unlist(read$classes_)))
  given <- if (is.null(features)) unlist(read$feature_names_in_) else features
  # A class x feature matrix.
  rows <- function(x, columns = NULL) {
    x <- sklearn_matrix(x)
    stopifnot(nrow(x) == length(classes))
    if (is.null(columns)) columns <- sklearn_names(given, ncol(x), call)
    matrix(x, nrow(x), dimnames = list(classes, columns))
  }
  list(
    field = read, classes = classes, rows = rows,
    names = function(count) sklearn_names(given, count, call),
    prior = function(x) by_class_name(x, classes)
  )
}

sklearn_names <- function(given, count, call) {
  if (is.null(given)) return(paste0("x", seq_len(count) - 1L))
  if (length(given) == count) return(given)
  abort_argument("The model has {count} feature{?s}, and there are {length(given)} names.", call)
}

sklearn_matrix <- function(x) do.call(rbind, lapply(x, sklearn_numbers))

# Infinite numbers are text.
sklearn_numbers <- function(x) {
  vapply(x, function(value) {
    if (is.character(value)) value <- unname(c(Infinity = Inf, "-Infinity" = -Inf)[[value]])
    as.double(value)
  }, 1)
}

read_gaussian_nb <- function(x, call) {
  mean <- x$rows(x$field$theta_)
  sd <- sqrt(x$rows(x$field$var_))
  parts <- lapply(stats::setNames(nm = colnames(mean)), function(feature) {
    gaussian_part(mean[, feature], sd[, feature], x$classes, "ml")
  })
  list(prior = x$prior(sklearn_numbers(x$field$class_prior_)), parts = parts)
}

# The covariance of a class has these principal axes and variances along them.
read_sklearn_qda <- function(x, call) {
  covariance <- Map(function(rotation, scaling) {
    tcrossprod(sklearn_matrix(rotation) %*% diag(sqrt(sklearn_numbers(scaling)), length(scaling)))
  }, x$field$rotations_, x$field$scalings_)
  names(covariance) <- x$classes
  list(
    prior = x$prior(sklearn_numbers(x$field$priors_)),
    parts = block_part(x$rows(x$field$means_), covariance)
  )
}

read_categorical_nb <- function(x, call) {
  tables <- lapply(x$field$feature_log_prob_, function(table) {
    exp(x$rows(table, seq_along(table[[1L]]) - 1L))
  })
  names(tables) <- x$names(length(tables))
  list(prior = log_prior(x), parts = tables)
}

log_prior <- function(x) x$prior(exp(sklearn_numbers(x$field$class_log_prior_)))

read_bernoulli_nb <- function(x, call) {
  threshold <- x$field$binarize
  if (!is.null(threshold) && !identical(as.double(threshold), 0)) {
    abort_argument(c(
      "{.arg x} counts numbers above {threshold} as present, here any number but 0 is.",
      i = "Set the others to 0 in the new data, and {.code model.binarize = 0} in Python."
    ), call)
  }
  table <- exp(x$rows(x$field$feature_log_prob_))
  list(prior = log_prior(x), parts = list(terms = likelihood_bernoulli(table = table)))
}

# The score of the complement has no prior.
read_terms_nb <- function(x, complement) {
  table <- x$rows(x$field$feature_log_prob_)
  prior <- if (complement) x$prior(rep(1, length(x$classes))) else log_prior(x)
  if (!complement) table <- exp(table)
  list(prior = prior, parts = list(
    terms = likelihood_multinomial(complement = complement, table = table, weights_ok = TRUE)
  ))
}
