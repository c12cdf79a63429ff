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
    i = posterior_element_hint(x, arg, call),
    i = group_hint(x),
    i = if (labels || !is.atomic(x) && !inherits(x, "bayesrisk_result")) {
      "A model of another package: hand over its probabilities, often
       {.code predict(fit, newdata, type = \"prob\")}."
    },
    i = "The help page {.code ?posterior_probabilities} lists what is read."
  ), call)
}

# A list without a class that holds one table, or a column of probabilities for each class.
posterior_element_hint <- function(x, arg, call) {
  if (!is.list(x) || is.object(x) || !length(x)) return(NULL)
  tables <- which(vapply(x, function(part) is.data.frame(part) || is.matrix(part), NA))
  p <- written_name(arg, call)
  form <- if (length(tables)) {
    name <- names(x)[tables[[1L]]]
    at <- as.double(tables[[1L]])
    if (isTRUE(nzchar(name))) call("$", p, as.name(name)) else bquote(.(p)[[.(at)]])
  } else if (!is.null(names(x)) && all(vapply(x, is.numeric, NA)) && all(lengths(x) > 1L)) {
    bquote(as.data.frame(.(p)))
  }
  if (is.null(form)) return(NULL)
  paste0("Write ", code_text(deparse_form(form)), ".")
}

posterior_wanted <- paste(
  "{.arg {arg}} must be a model of this package, or posterior probabilities in a matrix or data",
  "frame with a column for each class, not {got}."
)

# The remedy if the columns of a table are not the classes; NULL if there is none.
posterior_columns_hint <- function(x, classes, arg, call) {
  if (inherits(x, "bayesrisk_cv")) {
    return("{.fn cv_risk} returns costs. {.fn cv_predict} returns probabilities.")
  }
  p <- written_name(arg, call)
  if (length(classes) && setequal(rownames(x), classes)) {
    shown <- deparse_form(bquote(t(.(p))))
    return(paste0("The classes are in the rows: ", code_text(shown), "."))
  }
  if (ncol(x) != length(classes) || any(colnames(x) %in% classes)) return(NULL)
  shown <- deparse_form(bquote(colnames(.(p)) <- .(classes)))
  paste0("If the columns are these classes in this order: ", code_text(shown), ".")
}

# glmnet returns a layer for each penalty.
abort_layers <- function(x, call, arg) {
  layers <- dim(x)[[3L]]
  shown <- deparse_form(bquote(.(written_name(arg, call))[, , 1]))
  abort_argument(c(
    "{.arg {arg}} is an array of {layers} tables of probabilities.",
    i = "Choose one, such as {.code {shown}}, or one penalty {.arg s} of a glmnet."
  ), call)
}

# The error shows the probabilities as a table.
abort_vector <- function(x, classes, call, arg) {
  got <- if (length(dim(x)) == 2L) "a matrix of one column" else describe_value(x)
  p <- written_name(arg, call)
  pair <- if (length(classes) == 2L) classes else c("no", "yes")
  one_case <- !is.null(names(x)) &&
    if (is.null(classes)) sums_to_one(x) else setequal(names(x), classes)
  by_row <- !one_case && length(classes) > 2L && length(x) > 0L && length(x) %% length(classes) == 0
  form <- if (one_case) {
    bquote(rbind(.(p)))
  } else if (by_row) {
    bquote(matrix(
      .(p), ncol = .(as.double(length(classes))), byrow = TRUE, dimnames = list(NULL, .(classes))
    ))
  } else {
    as.call(c(quote(cbind), stats::setNames(list(bquote(1 - .(p)), p), pair)))
  }
  shown <- deparse_form(form)
  abort_argument(c(
    posterior_wanted,
    i = if (one_case) "With one case: {.code {shown}}.",
    i = if (by_row) {
      "If the numbers are case by case, as from xgboost: {.code {shown}}.
       The names must be in the order of the numbers."
    },
    i = if (!one_case && !by_row) {
      "With two classes, if {.code {p}} is the probability of {.val {pair[[2L]]}}: {.code {shown}}."
    }
  ), call)
}

# The user's name for an argument; `p` if the argument was not a name. `arg` may be an element:
# "object$naive".
written_name <- function(arg, call) {
  arguments <- written_call(call)$arguments
  given <- arguments[[arg]]
  if (startsWith(arg, "object$")) {
    element <- substring(arg, 8L)
    models <- arguments$object
    if (is.name(models)) return(call("$", models, as.name(element)))
    if (rlang::is_call(models, "list")) given <- models[[element]]
  }
  if (is.name(given)) given else as.name(if (arg %in% c("truth", "decision")) arg else "p")
}

deparse_form <- function(form) paste(deparse(form, width.cutoff = 500L), collapse = " ")
