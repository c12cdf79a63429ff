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
