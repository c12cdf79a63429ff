#' @export
format.bayesrisk_model <- function(x, ...) {
  check_model(x, rlang::current_env(), "x")
  model_sentences(x)
}

#' @export
format.bayesrisk_statistics <- function(x, ...) {
  check_statistics(x, rlang::current_env(), "x")
  model_sentences(x)
}

#' @export
describe.bayesrisk_model <- function(x, show) {
  check_model(x, show$call, "x")
  model_parts(x)
}

#' @export
describe.bayesrisk_statistics <- function(x, show) {
  check_statistics(x, show$call, "x")
  model_parts(x)
}

# Models saved before the common class of results existed lead to an error: fit them again.
#' @export
print.bayesrisk_model <- function(x, ...) print.bayesrisk_result(x, ...)

#' @export
print.bayesrisk_statistics <- function(x, ...) print.bayesrisk_result(x, ...)

model_parts <- function(x) {
  list(
    sentences_part(model_sentences(x)),
    table_part(class_columns(class_table(x)), c("class", "classes")),
    table_part(block_table(x), c("block", "blocks"), keys = 2L)
  )
}

model_sentences <- function(x) {
  spec <- spec_sentence(x$spec)
  if (inherits(x, "bayesrisk_model")) {
    return(c(spec, describe_origin(x, "Estimated"), model_remarks(x)))
  }
  c(paste("Statistics for", spec), describe_origin(x, "Collected"))
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
  if (is.null(x$statistics)) return(sprintf("Made from numbers, without data: %s.", size))
  by <- if (is.null(x$schema$formula)) "" else paste(" by", short_formula(x$schema$formula))
  sprintf("%s%s from %s: %s.", verb, by, describe_rows(x), size)
}

describe_rows <- function(x) {
  used <- x$rows$used
  rows <- if (used == x$rows$read) {
    count_of(used, "row", "rows")
  } else {
    sprintf("%s of %s", format_count(used), count_of(x$rows$read, "row", "rows"))
  }
  if (!is_weighted(x)) return(rows)
  paste(rows, "with total weight", format(total_weight(x)))
}

is_weighted <- function(x) {
  any(x$statistics$classes$weight != x$statistics$classes$rows)
}

short_formula <- function(formula) {
  text <- term_label(formula)
  if (nchar(text) > 120L) paste0(strtrim(text, 116L), " ...") else text
}

#' @export
result_rows.bayesrisk_statistics <- function(x, call) {
  check_statistics(x, call, "x")
  class_table(x)[c("class", "weight", "rows")]
}

# The table of the classes. Statistics have no prior; models from numbers have no rows.
class_table <- function(x) {
  classes <- x$schema$classes$levels
  none <- rep(0, length(classes))
  data.frame(
    class = factor(classes, classes),
    prior = if (is.null(x$parameters)) NA_real_ else x$parameters$prior,
    weight = if (is.null(x$statistics)) none else x$statistics$classes$weight,
    rows = if (is.null(x$statistics)) none else x$statistics$classes$rows
  )
}

# Drops the columns without information.
class_columns <- function(table) {
  shown <- c(
    TRUE, !anyNA(table$prior), any(table$weight != table$rows), any(table$rows > 0)
  )
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
