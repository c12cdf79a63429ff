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
      spec, marginals_sentence(x$parameters$marginals_of), temper_sentence(x), origin, notes,
      model_remarks(x)
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
