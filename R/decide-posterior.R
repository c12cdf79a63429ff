# Reads posterior probabilities of other classifiers: finds the columns of the classes, and checks
# that the numbers can be probabilities.

# `classes`: the classes of the cost. NULL if the cost names none: then the columns are the classes.
# `arg`: the caller's name for `x`.
read_posterior <- function(x, classes, call, arg = "object") {
  if (is.data.frame(x)) return(posterior_frame(x, classes, call, arg))
  if (length(dim(x)) == 3L && dim(x)[[3L]] == 1L) x <- drop_third(x)
  if (!is.numeric(x) || length(dim(x)) != 2L) abort_posterior(x, call, arg)
  if (is.object(x)) x <- matrix(as.vector(x), nrow(x), ncol(x), dimnames = dimnames(x))
  if (is.null(colnames(x))) {
    abort_argument(c(
      "The columns of {.arg {arg}} must be named by class.",
      i = "For example {.code colnames({arg}) <- c(\"no\", \"yes\")}."
    ), call)
  }
  check_labels(colnames(x), sprintf("The columns of `%s`", arg), call)
  if (is.null(classes)) classes <- colnames(x)
  check_same_names(colnames(x), classes, posterior_headline(classes, arg), call)
  list(
    frame = matrix_frame(x, match(classes, colnames(x))), classes = classes,
    row_names = rownames(x), arg = arg
  )
}

# glmnet returns an array with a third axis of length 1 for one penalty.
drop_third <- function(x) {
  array(x, dim(x)[1:2], dimnames(x)[1:2])
}

posterior_headline <- function(classes, arg) {
  cli::format_inline(
    "The columns of {.arg {arg}} must be the classes, {.val {classes}}."
  )
}

posterior_frame <- function(x, classes, call, arg) {
  container <- frame_container(x)
  named <- probability_columns(container, classes)
  if (is.null(classes)) classes <- names(named)
  if (!length(classes)) {
    abort_argument("{.arg {arg}} has no column of probabilities (numbers) named by class.", call)
  }
  known <- intersect(names(named), classes)
  check_same_names(known, classes, posterior_headline(classes, arg), call)
  check_labels(names(named), sprintf("The columns of `%s`", arg), call)
  columns <- lapply(classes, function(class) {
    column <- container$columns[[named[[class]]]]
    check_posterior_column(column, container$names[[named[[class]]]], container$rows, call, arg)
    encoded(column)
  })
  list(
    frame = bind_frame(columns, container$rows), classes = classes,
    row_names = container$row_names, arg = arg
  )
}

# The positions of all columns that may be classes, named by class. If there are columns with
# tidymodels' names, only these count. `.pred_class`, a factor, is the predicted class, so it does
# not count.
probability_columns <- function(container, classes) {
  names <- container$names
  numeric <- vapply(container$columns, is.numeric, NA)
  tidy <- startsWith(names, ".pred_") & numeric
  if (any(tidy) && (is.null(classes) || !all(classes %in% names))) {
    return(stats::setNames(which(tidy), substring(names[tidy], nchar(".pred_") + 1L)))
  }
  if (!is.null(classes)) numeric <- names %in% classes
  stats::setNames(which(numeric), names[numeric])
}

check_posterior_column <- function(x, name, rows, call, arg) {
  if (is.numeric(x) && !is.object(x) && is.null(dim(x)) && length(x) == rows) return(invisible())
  got <- describe_value(x)
  abort_argument("Column {.field {name}} of {.arg {arg}} must hold probabilities, not {got}.", call)
}

abort_posterior <- function(x, call, arg) {
  vector <- is.numeric(x) && length(dim(x)) < 2L
  got <- describe_value(x)
  abort_argument(c(
    "{.arg {arg}} must be a model of this package, or posterior probabilities in a matrix or data
     frame with a column for each class, not {got}.",
    i = if (vector && is.null(names(x))) {
      "Of two classes: {.code cbind(no = 1 - p, yes = p)}, if {.code p} is that of {.val yes}."
    },
    i = if (vector && !is.null(names(x))) "Of one case: {.code rbind(p)}.",
    i = if (!vector && !is.atomic(x)) {
      "A model of another package: hand over its probabilities, often
       {.code predict(fit, newdata, type = \"prob\")}."
    }
  ), call)
}

# Raises the problems that the engine found: negative numbers, or rows that do not sum to 1.
check_probabilities <- function(report, call, arg) {
  wrong <- function(rows, what, hint = NULL) {
    if (rows$count == 0) return(invisible())
    more <- rows$count - length(rows$first)
    named <- if (more > 0) {
      sprintf("rows %s and %s more", toString(rows$first), format_count(more))
    } else {
      pluralize("row{cli::qty(length(rows$first))}{?s} {rows$first}")
    }
    abort_argument(c("{.arg {arg}} must hold probabilities: {named} {what}.", i = hint), call)
  }
  wrong(report$negative, "with a number below 0")
  wrong(
    report$sum, "with a sum other than 1",
    "Each row holds the probabilities of all classes; 1e-8 is allowed for rounding."
  )
}

# For each class, the ratio of the new prior to the old one, up to a common factor. Empty if the
# prior does not change.
prior_shift <- function(prior, trained_prior, classes, call) {
  if (is.null(prior) && is.null(trained_prior)) return(numeric())
  if (is.null(trained_prior)) {
    abort_argument(c(
      "{.arg prior} needs {.arg trained_prior}: the probabilities in {.arg object} contain a prior
       already.",
      i = "As a rule that is the share of each class in the training data."
    ), call)
  }
  if (is.null(prior)) {
    abort_argument("{.arg trained_prior} has no effect without {.arg prior}.", call)
  }
  new <- resolve_prior(prior, classes, NULL, call)
  old <- resolve_prior(trained_prior, classes, NULL, call, "trained_prior")
  unknown <- classes[old == 0 & new > 0]
  if (length(unknown)) {
    abort_argument(c(
      "{.arg trained_prior} is 0 for {.val {unknown}}, and {.arg prior} is not.",
      i = "Nothing is known of a class that training left out."
    ), call)
  }
  # Only the proportions matter. The scaling keeps the ratios from overflowing at tiny priors.
  ifelse(new == 0, 0, new * (min(old[new > 0]) / old))
}
