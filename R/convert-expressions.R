#' A model as expressions of its columns
#'
#' Method for the generic of the package tidypredict: the log joints and the class as expressions
#' that dplyr computes and dbplyr translates into SQL, for pipelines that tidypredict serves.
#' [predict()][predict.bayesrisk_model] of a lazy table and [as_sql()] write shorter SQL, with
#' probabilities and decisions.
#'
#' @param model A fitted or known model without bags of terms.
#' @details
#' A missing value and an unknown level add nothing, as in `predict()`. A class that is impossible
#' has a log joint below -1e299 in place of `-Inf`. In a Gaussian block of more than 4 features a
#' missing value makes the log joints missing. Numbers far out make a row impossible, as in
#' [as_sql()]. All numbers have the digits of a double, also in SQL.
#'
#' In each class a gamma distribution or a count takes some 5,000 characters, a negative binomial
#' distribution 15,000, a mixture or a kernel estimate 300 for each pair of its normals.
#' @return A list of expressions, to be spliced into `mutate()`: `.log_joint_<class>` for each
#'   class, and `.pred_class`, which uses these columns.
#' @section Errors: `bayesrisk_error_argument` for a likelihood whose expression would be too large,
#'   such as many kernels.
#' @seealso [as_sql()], [write_model_json()]
#' @examplesIf requireNamespace("tidypredict", quietly = TRUE)
#' model <- fit(bayes_naive(), Species ~ Petal.Length, iris)
#' expressions <- tidypredict::tidypredict_fit(model)
#' expressions$.log_joint_setosa
#' head(dplyr::mutate(iris, !!!expressions), 2)
#' @exportS3Method tidypredict::tidypredict_fit
tidypredict_fit.bayesrisk_model <- function(model) {
  call <- rlang::current_env()
  model <- check_model(model, call, "model")
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
  banks <- model$plan$banks
  blocks <- vapply(banks, function(bank) {
    if (record_of(bank)$shares_bank) length(bank$features) else 1L
  }, 1L)
  powers <- if (!is.null(temper)) split(temper$power, rep(seq_along(banks), blocks))
  banks <- lapply(seq_along(banks), function(b) {
    at <- banks[[b]]$features
    to <- r_language(unname(model$schema$features[at]), powers[[b]], call)
    bank_terms(banks[[b]], model$parameters$banks[[b]], columns[at], powers[[b]], to)
  })
  inside <- unlist(lapply(banks, `[[`, "range"))
  vapply(seq_along(prior), function(k) {
    if (prior[[k]] == 0) return(impossible_text)
    terms <- vapply(banks, function(bank) bank$terms[[k]], "")
    sum <- flat_sum(c(number_text(log(prior[[k]]) + offset[[k]]), terms))
    if (is.null(inside)) return(sum)
    when_text(in_groups(sprintf("!(%s)", inside), " | ", 4L), impossible_text, sum)
  }, "")
}

# The terms of a bank for each class, and its range. `power`: of each block; NULL without powers.
bank_terms <- function(bank, parameters, columns, power, to) {
  density <- log_density_text(bank, parameters, to)
  known <- stats::setNames(columns, to$x)
  fill <- function(texts) {
    texts <- fill_text(texts, known)
    if (all(nchar(texts) <= most_characters * length(columns))) return(texts)
    abort_no_text(to, "has too long a formula")
  }
  for (stage in density$stages) known[names(stage)] <- sprintf("(%s)", fill(stage))
  terms <- fill(density$terms)
  list(
    terms = if (length(power) == 1L) powered(terms, power) else terms,
    range = if (!is.null(density$range)) fill(density$range)
  )
}

# The largest expression of a feature in a class.
most_characters <- 1e5

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
