#' Summarise a fitted model
#'
#' A readable overview of a model: the classes, the number of cases behind each feature, the
#' parameters of each feature or block, and the fit.
#'
#' @param object A fitted or known model.
#' @param ... Not used: an argument of `summary()` that ends up here is an error.
#' @return A list of class `bayesrisk_summary_model`:
#'   * `model`: sentences that describe the estimate and its data;
#'   * `classes`: a data frame of `class`, `prior`, `weight` (sum of the case
#'     weights) and `rows`;
#'   * `features`: a data frame of `feature`, `kind`, `block`, `available`, `missing` and `note`.
#'     `available` is the weight of the cases that the feature was estimated from. For a feature of
#'     a joint block these are the cases in which all features of the block are known (with
#'     `missing = "em"`: in which any is known). `missing` is
#'     the weight of the cases in which the feature is missing; for a feature of a joint block it is
#'     the number of these cases, without weights. `note` states whether the feature borrows from
#'     other classes or is left out, see "Degenerate data" of [bayes_naive()]; otherwise it is `NA`;
#'   * `blocks`: for each feature or block, by name, its parameters as in
#'     [coef()][coef.bayesrisk_model], with two exceptions: a block of numeric features has `mean`,
#'     `sd` (both class x feature) and `correlation` (a block of mixtures also `weights`, and all of
#'     them by component in place of class), and a joint table or joint histogram has a
#'     data frame of the 5 most probable cells of each class;
#'   * `fit`: the log likelihood with its degrees of freedom, AIC and BIC, as in
#'     [glance()][glance.bayesrisk_model].
#'
#'   It prints as tables, with 4 significant digits. Long lists show their first entries and the
#'   number of omitted entries.
#' @section Errors: `bayesrisk_error_object` for a damaged model.
#' @seealso [coef()][coef.bayesrisk_model] for the numbers alone.
#' @examples
#' summary(fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis))
#'
#' petal <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
#' summary(fit(petal, Species ~ ., iris))
#' @export
summary.bayesrisk_model <- function(object, ...) {
  check_no_dots(...)
  object <- check_model(object, rlang::current_env())
  blocks <- model_coefficients(object)[-1L]
  blocks[] <- Map(function(bank, coefficients) {
    record_of(bank)$summary(bank, coefficients)
  }, block_banks(object), blocks)
  structure(
    list(
      model = model_sentences(object), classes = class_table(object),
      features = feature_table(object),
      blocks = blocks, fit = fit_table(object)
    ),
    class = c("bayesrisk_summary_model", "bayesrisk_result")
  )
}

# For each feature, the number of cases that it was estimated from, and of those that miss it.
feature_table <- function(model) {
  schema <- model$schema
  block <- rep(NA_character_, length(schema$features))
  available <- missing <- rep(0, length(schema$features))
  for (b in seq_along(model$plan$banks)) {
    bank <- model$plan$banks[[b]]
    block[bank$features] <- block_label(bank)
    if (is.null(model$statistics)) next
    statistics <- model$statistics$banks[[b]]
    cases <- unname(record_of(bank)$cases(bank, statistics))
    available[bank$features] <- cases
    missing[bank$features] <-
      if (is_joint(bank)) statistics$missing else total_weight(model) - cases
  }
  data.frame(
    feature = as.character(names(schema$features)), kind = feature_kinds(schema), block = block,
    available = available, missing = missing, note = feature_notes(model)
  )
}

#' @export
describe.bayesrisk_summary_model <- function(x, show) {
  incomplete <- x$features[x$features$missing > 0, c("feature", "missing", "available")]
  noted <- x$features[!is.na(x$features$note), c("feature", "note")]
  shown <- utils::head(names(x$blocks), if (is.null(show$n)) 10L else show$n)
  blocks <- lapply(shown, function(name) c(list(heading_item(name)), block_parts(x$blocks[[name]])))
  left <- length(x$blocks) - length(shown)
  c(
    list(
      sentences_item(x$model), table_item(class_columns(x$classes), c("class", "classes")),
      if (nrow(incomplete)) heading_item("Missing values"),
      table_item(incomplete, c("feature", "features")),
      if (nrow(noted)) heading_item("Borrowed or left out"),
      table_item(noted, c("feature", "features"))
    ),
    unlist(blocks, recursive = FALSE),
    list(
      if (left > 0L) {
        sentences_item(paste0(more_of(left, c("block", "blocks")), ": coef() shows all of them."))
      },
      fit_part(x$fit, show$given_digits)
    )
  )
}

#' @export
result_rows.bayesrisk_summary_model <- function(x, call) x$features

# The parameters of a feature, or the tables of a joint block of numbers.
block_parts <- function(block) {
  if (is.data.frame(block)) return(list(table_item(block, caption = attr(block, "title"))))
  if (is.matrix(block)) return(list(matrix_part(block)))
  correlation <- block$correlation
  if (is.matrix(correlation)) correlation <- list(`all classes` = correlation)
  # A class without rows has NA; without features that are not left out there is nothing.
  correlation <- Filter(function(r) length(r) && !anyNA(r), correlation)
  captions <- sprintf("correlation, %s", names(correlation))
  c(
    if (!is.null(block$weights)) list(matrix_part(block$weights, "weight")),
    list(matrix_part(block$mean, "mean"), matrix_part(block$sd, "sd")),
    Map(matrix_part, unname(correlation), captions)
  )
}

# The upper left part of a matrix.
matrix_part <- function(x, caption = NULL) {
  columns <- ncol(x)
  if (columns > max_printed_columns) {
    x <- x[, seq_len(max_printed_columns), drop = FALSE]
    cut <- sprintf("the first %d of %s columns", max_printed_columns, format_count(columns))
    caption <- paste(c(caption, cut), collapse = ", ")
  }
  table_item(x, caption = caption)
}

fit_part <- function(fit, digits) {
  if (is.na(fit$logLik)) return(NULL)
  number <- function(x) format(x, digits = digits)
  rest <- if (!is.na(fit$df)) {
    sprintf(" (df = %s), AIC %s, BIC %s", format_count(fit$df), number(fit$AIC), number(fit$BIC))
  }
  sentences_item(paste0("Log likelihood ", number(fit$logLik), rest, "."))
}
