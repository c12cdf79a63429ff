# The only reader of posterior probabilities of other classifiers. It finds the table in the results
# of other packages, and the columns of the classes. The engine checks the numbers.

#' Probabilities of other classifiers
#'
#' [decide()], [assess_decisions()], [compare_decisions()], [break_even()] and [cost_sweep()] take
#' posterior probabilities of any classifier, in the form in which its package returns them.
#'
#' @details
#' The form is one of these:
#' * a numeric matrix with a column for each class: `predict()` of naivebayes, rpart, nnet (with
#'   `type = "probs"`, for three classes or more), naive Bayes of e1071, randomForest, kernlab and
#'   xgboost 3; [cv_predict()];
#' * an array whose third dimension has length 1: `predict()` of a multinomial glmnet with one `s`;
#' * a data frame with a column for each class: `predict(type = "prob")` of caret;
#' * a data frame with columns `.pred_<class>`: `predict()`, `augment()` and
#'   `collect_predictions()` of tidymodels, `cal_apply()` of probably;
#' * a data frame with columns `prob.<class>`: `as.data.table()` of a prediction of mlr3;
#' * a list with elements `class` and `posterior`: `predict()` of MASS and klaR, and
#'   [predict()][predict.bayesrisk_model] with `type = "both"`;
#' * a prediction object with the element `predictions` (ranger with `probability = TRUE`) or `prob`
#'   (the `PredictionClassif` of mlr3);
#' * a factor with the attribute `probabilities`: `predict(probability = TRUE)` of support vector
#'   machines of e1071.
#'
#' Columns are matched to the classes of the cost by name, in any order. Without a cost that names
#' classes, the columns are the classes. In a data frame, other columns are ignored if the cost or
#' the names `.pred_<class>` or `prob.<class>` tell the classes. Otherwise each numeric column is a
#' class.
#'
#' A vector does not name the classes, so it is an error. The error shows the call with the names of
#' your classes:
#' * with two classes, if `p` is the probability of `yes`: `cbind(no = 1 - p, yes = p)`;
#' * with three classes, if the numbers are case by case, as from older versions of xgboost:
#'   `matrix(p, ncol = 3, byrow = TRUE, dimnames = list(NULL, c("a", "b", "c")))`. The names must
#'   have the order in which the other package numbers the classes.
#'
#' @section Sums: The probabilities of a case must sum to 1. Rows off by at most 1e-8 are used as
#'   they are. Rows off by at most 0.02 are divided by their sum: silently up to 1e-5, the rounding
#'   of 32-bit numbers, and otherwise with one message (`bayesrisk_message_sums`). Rows that are
#'   further off are an error of class `bayesrisk_error_argument`, as is a number below 0. If the
#'   numbers of a row are proportional to its probabilities, `p / rowSums(p)` makes them
#'   probabilities. A row with `NA` has no decision.
#' @section Priors: Probabilities depend on the prior that they were computed with, but do not show
#'   it. The argument `trained_prior` gives this prior. It is needed if a prior changes.
#' @examples
#' # Linear discriminant analysis of MASS
#' if (requireNamespace("MASS", quietly = TRUE)) {
#'   fitted <- MASS::lda(Species ~ ., iris)
#'   posterior <- predict(fitted, iris[c(1, 71, 134), ])
#'   decide(posterior, zero_one_cost(levels(iris$Species), reject = 0.1))
#' }
#' @name posterior_probabilities
NULL

# `x`: as above. `classes`: the classes of the cost; NULL if it names none. `arg`: the caller's name
# for `x`.
read_posterior <- function(x, classes, call, arg = "object") {
  table <- posterior_table(x)
  if (is.data.frame(table)) return(posterior_frame(table, classes, call, arg))
  # glmnet returns an array with a third axis of length 1 for one penalty.
  if (length(dim(table)) == 3L && dim(table)[[3L]] == 1L) {
    table <- array(table, dim(table)[1:2], dimnames(table)[1:2])
  }
  if (!is.numeric(table) || inherits(table, "bayesrisk_cost")) {
    abort_posterior(x, table, call, arg)
  }
  if (length(dim(table)) == 3L) abort_layers(table, call, arg)
  if (length(dim(table)) != 2L || is_one_column(table, classes)) {
    abort_vector(table, classes, call, arg)
  }
  posterior_matrix(table, classes, call, arg)
}

# The table in the result of another package; `x` itself if it is no such result.
posterior_table <- function(x) {
  if (is.data.frame(x)) return(x)
  if (is.factor(x)) return(attr(x, "probabilities"))
  if (inherits(x, "PredictionClassif") && is.environment(x)) return(.subset2(x, "prob"))
  if (!is.list(x)) return(x)
  parts <- unclass(x)
  # A list without a class may be a list of models, which may have any name.
  if (!is.object(x)) return(if (!is.null(parts[["class"]])) parts[["posterior"]])
  if (is.null(parts[["predictions"]])) parts[["posterior"]] else parts[["predictions"]]
}

# Whether `x` holds a table of probabilities, valid or not.
holds_posterior <- function(x) {
  table <- posterior_table(x)
  is.data.frame(table) || is.numeric(table)
}

# With two classes, some packages return the probability of one. A single class has probability 1.
is_one_column <- function(x, classes) {
  ncol(x) == 1L && length(classes) != 1L && !(is.null(classes) && all(x == 1, na.rm = TRUE))
}

posterior_matrix <- function(x, classes, call, arg) {
  if (is.object(x)) x <- matrix(as.vector(x), nrow(x), ncol(x), dimnames = dimnames(x))
  if (is.null(colnames(x)) || !all(nzchar(colnames(x)))) {
    hint <- if (setequal(rownames(x), classes)) posterior_columns_hint(x, classes)
    shown <- names_code(if (length(classes) == ncol(x)) classes else c("no", "yes"))
    abort_argument(c(
      "The columns of {.arg {arg}} must be named by class.",
      i = if (is.null(hint)) "For example {.code {shown}}." else hint
    ), call)
  }
  check_labels(colnames(x), sprintf("The columns of `%s`", arg), call)
  if (is.null(classes)) classes <- colnames(x)
  check_same_names(
    colnames(x), classes, posterior_headline(classes, arg), call,
    posterior_columns_hint(x, classes)
  )
  list(
    frame = matrix_frame(x, match(classes, colnames(x))), classes = classes,
    row_names = rownames(x), arg = arg
  )
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
  hint <- if (!length(known)) posterior_columns_hint(x, classes)
  if (!is.null(hint)) {
    abort_argument(c(posterior_headline(classes, arg), i = hint), call)
  }
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

# The positions of all columns that may be classes, named by class. If there are columns with the
# names of tidymodels or mlr3, only these count. The predicted class `.pred_class` is a factor, so
# it does not count.
probability_columns <- function(container, classes) {
  names <- container$names
  numeric <- vapply(container$columns, is.numeric, NA)
  for (prefix in c(".pred_", "prob.")) {
    named <- startsWith(names, prefix) & numeric
    if (any(named) && (is.null(classes) || !all(classes %in% names))) {
      return(stats::setNames(which(named), substring(names[named], nchar(prefix) + 1L)))
    }
  }
  if (!is.null(classes)) numeric <- names %in% classes
  stats::setNames(which(numeric), names[numeric])
}

check_posterior_column <- function(x, name, rows, call, arg) {
  # cal_apply() of probably makes arrays of one dimension.
  plain <- is.numeric(x) && !is.object(x) && length(dim(x)) < 2L
  if (plain && length(x) == rows) return(invisible())
  got <- describe_value(x)
  abort_argument("Column {.field {name}} of {.arg {arg}} must hold probabilities, not {got}.", call)
}

# Errors of read_posterior(): arguments that are not probabilities.

# `table`: a result of posterior_table().
abort_posterior <- function(x, table, call, arg) {
  check_places(call)
  got <- describe_value(x)
  labels <- is.factor(x) || is.factor(table) || is.character(table)
  abort_argument(c(
    posterior_wanted,
    i = if (inherits(x, "bayesrisk_spec")) "A specification has seen no data: {.fn fit} it first.",
    i = if (labels) {
      "Decided classes do not tell probabilities. {.fn e1071::svm} and {.fn ranger::ranger} need
       {.code probability = TRUE}."
    },
    i = if (inherits(x, "PredictionClassif")) {
      "Probabilities need a learner with {.code predict_type = \"prob\"}."
    },
    i = posterior_element_hint(x),
    i = group_hint(x),
    i = if (labels || !is.atomic(x) && !inherits(x, "bayesrisk_result")) {
      "A model of another package: hand over its probabilities, often
       {.code predict(fit, newdata, type = \"prob\")}."
    },
    i = "The help page {.code ?posterior_probabilities} lists what is read."
  ), call)
}

# A list without a class that holds one table, or a column of probabilities for each class.
posterior_element_hint <- function(x) {
  if (!is.list(x) || is.object(x) || !length(x)) return(NULL)
  tables <- which(vapply(x, function(part) is.data.frame(part) || is.matrix(part), NA))
  if (length(tables)) return(sprintf("Take the table of the list: {.code p[[%d]]}.", tables[[1L]]))
  columns <- all(vapply(x, is.numeric, NA)) && all(lengths(x) > 1L)
  if (columns && !is.null(names(x))) "Make a table of the list: {.code as.data.frame(p)}."
}

posterior_wanted <- paste(
  "{.arg {arg}} must be a model of this package, or posterior probabilities in a matrix or data",
  "frame with a column for each class, not {got}."
)

# The remedy if the columns of a table are not the classes; NULL if there is none.
posterior_columns_hint <- function(x, classes) {
  if (inherits(x, "bayesrisk_cv")) {
    return("{.fn cv_risk} returns costs. {.fn cv_predict} returns probabilities.")
  }
  if (length(classes) && setequal(rownames(x), classes)) {
    return("The classes are in the rows: {.code t(p)}.")
  }
  if (ncol(x) != length(classes) || any(colnames(x) %in% classes)) return(NULL)
  paste0("If the columns are these classes in this order: ", code_text(names_code(classes)), ".")
}

names_code <- function(classes) paste("colnames(p) <-", deparse1(classes))

# glmnet returns a layer for each penalty.
abort_layers <- function(x, call, arg) {
  abort_argument(c(
    "{.arg {arg}} is an array of {dim(x)[[3L]]} tables of probabilities.",
    i = "Choose one, such as {.code p[, , 1]}, or one penalty {.arg s} of a glmnet."
  ), call)
}

# The error shows the probabilities as a table.
abort_vector <- function(x, classes, call, arg) {
  got <- if (length(dim(x)) == 2L) "a matrix of one column" else describe_value(x)
  count <- length(classes)
  one_case <- !is.null(names(x)) &&
    if (is.null(classes)) sums_to_one(x) else setequal(names(x), classes)
  by_row <- count > 2L && length(x) > 0L && length(x) %% count == 0
  pair <- if (count == 2L) classes else c("no", "yes")
  written <- vapply(lapply(pair, as.name), deparse1, "", backtick = TRUE)
  abort_argument(c(posterior_wanted, i = if (one_case) {
    "With one case: {.code rbind(p)}."
  } else if (by_row) {
    "If the numbers are case by case, as from xgboost: {.code matrix(p, ncol = {count},
     byrow = TRUE, dimnames = list(NULL, {deparse1(classes)}))}. The names must be in the order of
     the numbers."
  } else {
    "With two classes, if {.code p} is the probability of {.val {pair[[2L]]}}:
     {.code cbind({written[[1L]]} = 1 - p, {written[[2L]]} = p)}."
  }), call)
}
