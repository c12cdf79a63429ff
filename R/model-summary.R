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
#'     the number of these cases, without weights. It is `NA` in a group that was pooled. `note`
#'     states whether the feature borrows from other classes or is left out, see "Degenerate data"
#'     of [bayes_naive()]; otherwise it is `NA`;
#'   * `blocks`: for each feature or block, by name, its parameters as in
#'     [coef()][coef.bayesrisk_model], with two exceptions: a block of numeric features has `mean`,
#'     `sd` (both class x feature) and `correlation` (a block of mixtures also `weights`, and all of
#'     them by component in place of class), and a joint table or joint histogram has a
#'     data frame of the 5 most probable cells of each class;
#'   * `fit`: the log likelihood with its degrees of freedom, AIC and BIC, as in
#'     [glance()][glance.bayesrisk_model].
#'
#'   It prints as tables, with 4 significant digits. Long lists show their first entries and the
#'   number of omitted entries. Of a feature with many levels the 10 that differ most between the
#'   classes are shown: those whose probabilities have the largest sum of distances from their mean
#'   over the classes. `print(n = 500)` shows up to 500.
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
    # A feature of a pooled group adds other numbers of cases than the classes.
    alone <- if (is.null(model$parameters$pool)) total_weight(model) - cases else NA_real_
    missing[bank$features] <- if (is_joint(bank)) statistics$missing else alone
  }
  data.frame(
    feature = as.character(names(schema$features)), kind = feature_kinds(schema), block = block,
    available = available, missing = missing, note = feature_notes(model)
  )
}

#' @export
describe.bayesrisk_summary_model <- function(x, show) {
  incomplete <- x$features[which(x$features$missing > 0), c("feature", "missing", "available")]
  noted <- x$features[!is.na(x$features$note), c("feature", "note")]
  shown <- utils::head(names(x$blocks), if (is.null(show$n)) 10L else show$n)
  blocks <- lapply(shown, function(name) {
    c(list(heading_item(name)), block_parts(x$blocks[[name]], show))
  })
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
block_parts <- function(block, show) {
  if (is.data.frame(block)) return(list(table_item(block, caption = attr(block, "title"))))
  if (is.matrix(block)) return(list(levels_part(block, show)))
  correlation <- block$correlation
  if (is.matrix(correlation)) correlation <- list(`all classes` = correlation)
  # A class without rows has NA; without features that are not left out there is nothing.
  correlation <- Filter(function(r) length(r) && !anyNA(r), correlation)
  captions <- sprintf("correlation, %s", names(correlation))
  c(
    if (!is.null(block$weights)) list(matrix_part(block$weights, show, "weight")),
    list(matrix_part(block$mean, show, "mean"), matrix_part(block$sd, show, "sd")),
    Map(matrix_part, unname(correlation), list(show), captions)
  )
}

# The number of columns of a matrix that a summary shows.
most_columns <- function(show) max(max_printed_columns, show$n)

# The upper left part of a matrix.
matrix_part <- function(x, show, caption = NULL) {
  columns <- ncol(x)
  most <- most_columns(show)
  if (columns > most) {
    x <- x[, seq_len(most), drop = FALSE]
    cut <- sprintf("the first %s of %s columns", format_count(most), format_count(columns))
    caption <- paste(c(caption, cut), collapse = ", ")
  }
  table_item(x, caption = caption)
}

# The levels or bins of a feature that differ most between the classes.
levels_part <- function(x, show) {
  levels <- ncol(x)
  most <- most_columns(show)
  if (levels <= most) return(table_item(x))
  table_item(telling_columns(x, most), caption = sprintf(
    "the %s columns that differ most between the classes; %s more: print(n = %s) shows all",
    format_count(most), format_count(levels - most), format_count(levels)
  ))
}

fit_part <- function(fit, digits) {
  if (is.na(fit$logLik)) return(NULL)
  number <- function(x) format(x, digits = digits)
  rest <- if (!is.na(fit$df)) {
    sprintf(" (df = %s), AIC %s, BIC %s", format_count(fit$df), number(fit$AIC), number(fit$BIC))
  }
  sentences_item(paste0("Log likelihood ", number(fit$logLik), rest, "."))
}

#' @export
format.bayesrisk_model <- function(x, ...) {
  check_fitted(x, rlang::current_env())
  model_sentences(x)
}

#' @export
format.bayesrisk_statistics <- format.bayesrisk_model

#' @export
describe.bayesrisk_model <- function(x, show) {
  check_fitted(x, show$call)
  list(
    sentences_item(model_sentences(x)),
    table_item(class_columns(class_table(x)), c("class", "classes")),
    table_item(block_table(x), c("block", "blocks"), keys = 2L)
  )
}

#' @export
describe.bayesrisk_statistics <- describe.bayesrisk_model # nolint: object_name_linter.

check_fitted <- function(x, call) {
  check <- if (is_model(x)) check_model else check_statistics
  check(x, call, "x")
}

# Models saved before the common class of results existed lead to an error: fit them again.
#' @export
print.bayesrisk_model <- function(x, ...) print.bayesrisk_result(x, ...)

#' @export
print.bayesrisk_statistics <- print.bayesrisk_model

model_sentences <- function(x) {
  spec <- spec_sentence(x$spec)
  if (is_model(x)) {
    notes <- note_sentences(x$parameters$notes, x$schema, x$plan)
    origin <- c(describe_origin(x, "Estimated"), incomplete_blocks(x))
    return(c(
      spec, marginals_sentence(x$parameters$marginals_of), temper_sentence(x), origin,
      cases_sentences(x$parameters$pool$cases, "The group"), notes, model_remarks(x)
    ))
  }
  c(paste("Statistics for", spec), describe_origin(x, "Collected"), incomplete_blocks(x))
}

# A sentence about blocks that naive() split.
marginals_sentence <- function(blocks) {
  if (!is.character(blocks)) return(NULL)
  sprintf(
    "Naive view: the features of the joint block%s %s by their marginal distributions.",
    if (length(blocks) == 1L) "" else "s", some_of(encodeString(blocks), 5L)
  )
}

# A sentence for each joint block that left rows out.
incomplete_blocks <- function(x) {
  unlist(Map(function(bank, state) {
    if (!is_joint(bank)) return(NULL)
    c(
      if (state$skipped > 0) {
        sprintf(
          "Block %s used %s of %s: the others miss %s of its features.", encodeString(bank$name),
          format_count(x$rows$used - state$skipped), count_of(x$rows$used, "row", "rows"),
          if (isTRUE(bank$em)) "all" else "one"
        )
      },
      if (isTRUE(bank$em)) em_sentence(bank, state)
    )
  }, x$plan$banks, x$statistics$banks))
}

# The share of the weight of a block that lies in incomplete rows.
em_sentence <- function(bank, state) {
  incomplete <- sum(block_weight(state)) - sum(state$weight)
  if (incomplete == 0) return(NULL)
  sprintf(
    "Block %s was estimated by expectation-maximisation: %s%% of its rows miss a feature.",
    encodeString(bank$name), format(100 * incomplete / sum(block_weight(state)), digits = 2L)
  )
}

# Remarks of the likelihood records on the parameters, such as classes with a simpler distribution.
model_remarks <- function(model) {
  remarks <- Map(function(bank, parameters) {
    features <- unname(model$schema$features[bank$features])
    record_of(bank)$remark(parameters, features, model$schema$classes$levels)
  }, model$plan$banks, model$parameters$banks)
  unlist(remarks)
}

# The origin of a model or statistics as a sentence: "Estimated by y ~ . from 14 rows: ...".
describe_origin <- function(x, verb) {
  size <- sprintf(
    "%s, %s", count_of(length(x$schema$classes$levels), "class", "classes"),
    count_of(length(x$schema$features), "feature", "features")
  )
  if (is.null(x$rows)) return(sprintf("Made from numbers, without data: %s.", size))
  formula <- if (!is.null(x$schema$formula)) term_label(x$schema$formula)
  if (any(nchar(formula) > 120L)) formula <- paste0(strtrim(formula, 116L), " ...")
  by <- if (is.null(formula)) "" else paste(" by", formula)
  sprintf("%s%s from %s: %s.", verb, by, describe_rows(x), size)
}

describe_rows <- function(x) {
  used <- x$rows$used
  rows <- if (used == x$rows$read) {
    count_of(used, "row", "rows")
  } else {
    sprintf("%s of %s", format_count(used), count_of(x$rows$read, "row", "rows"))
  }
  weighted <- any(x$statistics$classes$weight != x$statistics$classes$rows)
  if (weighted) paste(rows, "with total weight", format(total_weight(x))) else rows
}

#' @export
result_rows.bayesrisk_statistics <- function(x, call) {
  x <- check_statistics(x, call, "x")
  class_table(x)[c("class", "weight", "rows")]
}

# The table of the classes. Statistics have no prior; models from numbers have no rows.
class_table <- function(x) {
  classes <- x$schema$classes$levels
  none <- rep(0, length(classes))
  data.frame(
    class = factor(classes, classes),
    prior = if (is.null(x$parameters)) none * NA else x$parameters$prior,
    weight = if (is.null(x$statistics)) none else x$statistics$classes$weight,
    rows = if (is.null(x$statistics)) none else x$statistics$classes$rows
  )
}

# Drops the columns without information.
class_columns <- function(table) {
  shown <- c(TRUE, !anyNA(table$prior), any(table$weight != table$rows), any(table$rows > 0))
  table[shown]
}

# Features by block and kind. Single features share a line.
block_table <- function(x) {
  banks <- x$plan$banks
  columns <- data.frame(
    block = vapply(banks, block_label, ""),
    kind = vapply(banks, function(b) x$schema$features[[b$features[[1L]]]]$kind, "")
  )
  widths <- vapply(columns, function(column) max(nchar(encodeString(column), "width"), 5L), 1L)
  room <- getOption("width") - 4L - sum(widths + 1L)
  labels <- names(x$schema$features)
  columns$features <- vapply(banks, function(b) fit_list(labels[b$features], room), "")
  columns
}

block_label <- function(bank) if (is.null(bank$name)) "(single)" else bank$name
