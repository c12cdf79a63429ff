#' A model as expressions of its columns
#'
#' Method for the generic of the package tidypredict: the log joints and the class as expressions
#' that dplyr computes and dbplyr translates into SQL, for pipelines that tidypredict serves.
#' [predict()][predict.bayesrisk_model] of a lazy table and [as_sql()] write SQL for every
#' likelihood, with probabilities and decisions.
#'
#' @param model A fitted or known model. Its features are categorical, Gaussian (also in blocks),
#'   gamma, Poisson or histograms, or tables of several categorical features.
#' @details
#' A missing value and an unknown level add nothing, as in `predict()`. A class that is impossible
#' has a log joint below -1e299 in place of `-Inf`. Poisson features leave out log(x!), which all
#' classes share. In a block of more than 4 numeric features a missing value makes the log joints
#' missing. Numbers are written by dbplyr, with the digits that it keeps.
#' @return A list of expressions, to be spliced into `mutate()`: `.log_joint_<class>` for each
#'   class, and `.pred_class`, which uses these columns.
#' @section Errors: `bayesrisk_error_argument` for other likelihoods, with the reason.
#' @seealso [as_sql()], [write_model_json()]
#' @examplesIf requireNamespace("tidypredict", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
#' expressions <- tidypredict::tidypredict_fit(model)
#' expressions$.log_joint_setosa
#' head(dplyr::mutate(iris, !!!expressions), 2)
#' @exportS3Method tidypredict::tidypredict_fit
tidypredict_fit.bayesrisk_model <- function(model) {
  call <- rlang::current_env()
  model <- check_scored_model(model, call, "model")
  classes <- model$schema$classes$levels
  columns <- unlist(lapply(unname(model$schema$features), column_text, call))
  joints <- joint_texts(model, columns, call)
  names(joints) <- paste0(".log_joint_", classes)
  texts <- c(joints, .pred_class = class_text(names(joints), classes))
  lapply(texts, rlang::parse_expr)
}

name_text <- function(x) deparse1(as.name(x), backtick = TRUE)

# A feature as an expression of columns.
column_text <- function(feature, call) {
  if (is.null(feature$expression)) return(name_text(feature$name))
  if (is.null(feature$values)) return(sprintf("(%s)", deparse1(feature$expression)))
  abort_argument(c(
    "{.field {feature$name}} keeps values of its formula, which an expression of columns has not.",
    i = "Compute it as a column before the fit."
  ), call)
}

# The log joint of each class.
joint_texts <- function(model, columns, call) {
  prior <- model$parameters$prior
  temper <- engine_temper(model$parameters$temper)
  offset <- if (length(temper$offset)) temper$offset else prior * 0
  # For each block the terms of all classes.
  blocks <- unlist(Map(function(bank, parameters) {
    features <- unname(model$schema$features[bank$features])
    bank_texts(bank, parameters, columns[bank$features], features, length(prior), call)
  }, model$plan$banks, model$parameters$banks), recursive = FALSE)
  if (!is.null(temper)) {
    blocks <- Map(function(terms, power) {
      sprintf("%s * (%s)", number_text(power), terms)
    }, blocks, temper$power)
  }
  vapply(seq_along(prior), function(k) {
    if (prior[[k]] == 0) return(impossible_text)
    terms <- vapply(blocks, `[[`, "", k)
    db_sum(c(number_text(log(prior[[k]]) + offset[[k]]), terms))
  }, "")
}

# The first class whose log joint ties with the largest one, as in predict().
class_text <- function(joints, classes) {
  joints <- vapply(joints, name_text, "")
  top <- sprintf("pmax(%s, na.rm = TRUE)", paste(joints, collapse = ", "))
  band <- sprintf("1e-12 * ifelse(abs(%s) > 1, abs(%s), 1)", top, top)
  when_text(
    c(paste("is.na(", joints[[1L]], ")"), paste(top, "<", impossible_limit),
      sprintf("%s >= %s - %s", joints, top, band)),
    c("NA_character_", "NA_character_", string_text(classes)), "NA_character_"
  )
}

bank_texts <- function(bank, parameters, x, features, classes, call) {
  writer <- text_writers()[[bank$type]]
  if (is.null(writer)) abort_no_text(bank, features, "has no expression", call)
  writer(bank, parameters, x, features, classes, call)
}
