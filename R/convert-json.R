#' Models as JSON
#'
#' `write_model_json()` writes a model to a text file, `read_model_json()` reads it: in another
#' version of R, years later, or after a review of its numbers. The model that is read scores bit
#' for bit like the one that was written.
#'
#' @section The format:
#' The file is an object with the elements `format` (`"bayesrisk model"`), `format_version` (1) and
#' `model`, an object with the elements `spec`, `schema`, `plan`, `statistics`, `rows` and
#' `version`, which [write_statistics()] describes, and `parameters`, with the elements
#' * `prior`: the probabilities of the classes, in the order of `schema$classes$levels`;
#' * `banks`: the parameters of each element of `plan$banks`, in this order. Matrices have a row for
#'   each class and a column for each feature (level, bin, term) of the bank, for example `mean`,
#'   `mean_low` (add both) and `sd` of Gaussian features, `log_probability` of tables, `rate` of
#'   Poisson features. A block of Gaussians has `factor`, the upper Cholesky factors of its
#'   covariances;
#' * `temper`: the exponents of [temper()], if there are any;
#' * `log_likelihood`, `parameter_count`, `notes`: of the estimate.
#'
#' Vectors are written as [write_statistics()] says. Every name is known and stands once: anything
#' else is an error.
#'
#' @section Security:
#' Whoever writes a file decides what the model says, and so what is decided with it. A file cannot
#' run code: it holds data and the terms of its formula, and these may call only functions that
#' compute values, such as arithmetic, comparison, [log()], [cut()], [ifelse()], [pmin()],
#' [paste()] or [as.Date()]. Other code, for example functions of packages or of your own, is an
#' error that shows it. Read it. With `trust = TRUE` the file is read, and a message shows this code
#' again; it runs when rows are read or scored. A formula from a file can still take much time and
#' memory.
#'
#' This holds for [read_model_json()] and [read_statistics()]. An RDS file is first read by
#' [readRDS()], as all models that [saveRDS()], pins or vetiver keep: such a file can hold any R
#' object, and reading it can run code. So take RDS files only from those you trust.
#'
#' @section Old files:
#' Files of version 0.2.0 and later are read by every later 0.x and 1.x: JSON files, and RDS files
#' as long as R reads them. This holds for models, also of groups, statistics, specifications,
#' costs, assessments and calibrations. An object of an older version is brought up to date where
#' it is used; an object of a newer version is a `bayesrisk_error_object` that names both versions.
#'
#' @section Other formats:
#' PMML has no joint blocks and replaces small probabilities by a threshold; ONNX has no operator
#' for Bayes classifiers. For databases [as_sql()] writes the model as a query, and
#' [tidypredict_fit()][tidypredict_fit.bayesrisk_model] as expressions.
#'
#' @param object A fitted or known model of any kind. Models of groups are written one by one.
#' @param file The path of a file. An existing file is replaced when the new one is complete.
#' @param statistics Whether to keep the statistics. Without them the file is smaller and says less
#'   about the training data; the model that is read predicts and decides, but [update()], [merge()]
#'   and [logLik()] are errors.
#' @param trust Whether the formula may call any function: see "Security".
#' @inheritParams bayesrisk_arguments
#' @return `write_model_json()` returns `object`, invisibly. `read_model_json()` returns the model;
#'   it is identical to the one that was written.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a file that cannot be written
#'   whole, or if jsonlite is not installed; `bayesrisk_error_object` if the file is damaged, holds
#'   no model, holds code that is not trusted, or was written by a newer version. The model must
#'   pass all checks of a damaged object.
#' @seealso [as_bayes_model()] for models of other packages, [write_statistics()]
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' model <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' file <- tempfile(fileext = ".json")
#' write_model_json(model, file)
#' identical(read_model_json(file), model)
#' @export
write_model_json <- function(object, file, statistics = TRUE, ...) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  file <- check_string(maybe(file), "file", call)
  check_package("jsonlite", "write_model_json", call)
  written <- object
  if (!check_flag(statistics, "statistics", call)) {
    written["statistics"] <- list(NULL)
    written["rows"] <- list(NULL)
  }
  write_json(written, "model", file, call)
  invisible(object)
}

#' @rdname write_model_json
#' @export
read_model_json <- function(file, trust = FALSE, ...) {
  call <- check_no_dots(...)
  file <- check_file(maybe(file), "file", call)
  check_package("jsonlite", "read_model_json", call)
  model <- read_whole(read_json(file, "model", call), "file", call)
  check_read(structure(model, class = c("bayesrisk_model", "bayesrisk_result")), trust, call)
}
