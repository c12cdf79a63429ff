#' @export
format.bayesrisk_model <- function(x, ...) {
  check_model(x, rlang::current_env(), "x")
  c(format(x$spec), describe_origin(x, "Estimated"))
}

#' @export
print.bayesrisk_model <- function(x, ...) {
  check_model(x, rlang::current_env(), "x")
  for (sentence in format(x)) print_sentence(sentence)
  print_classes(x)
  print_blocks(x)
  invisible(x)
}

#' @export
format.bayesrisk_statistics <- function(x, ...) {
  check_statistics(x, rlang::current_env(), "x")
  c(paste("Statistics for", format(x$spec)), describe_origin(x, "Collected"))
}

#' @export
print.bayesrisk_statistics <- function(x, ...) {
  check_statistics(x, rlang::current_env(), "x")
  for (sentence in format(x)) print_sentence(sentence)
  print_classes(x)
  print_blocks(x)
  invisible(x)
}

# What a model or statistics come from: "Estimated by y ~ . from 14 rows: ...".
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

print_classes <- function(x) {
  cat("\n")
  print_class_table(class_table(x), is_weighted(x))
}

print_class_table <- function(table, weighted) {
  columns <- class_columns(table, weighted)
  columns$class <- encodeString(columns$class)
  print_aligned(columns, "classes")
}

# What is known of each class; statistics have no prior yet, numbers no rows.
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

class_columns <- function(table, weighted) {
  c(
    list(class = as.character(table$class)),
    if (!anyNA(table$prior)) list(prior = table$prior),
    if (weighted) list(weight = table$weight),
    if (any(table$rows > 0)) list(rows = table$rows)
  )
}

# Features by block and kind; those that stand alone share a line.
print_blocks <- function(x) {
  banks <- x$plan$banks
  if (length(banks) == 0L) return(invisible())
  labels <- encodeString(names(x$schema$features))
  columns <- lapply(block_columns(x), encodeString)
  room <- getOption("width") - 4L - sum(vapply(columns, function(column) {
    max(nchar(column, "width"), 5L) + 1L
  }, 1))
  columns$features <- vapply(banks, function(b) fit_list(labels[b$features], room), "")
  cat("\n")
  print_aligned(columns, "blocks")
}

# The name and the kind of each block.
block_columns <- function(x) {
  banks <- x$plan$banks
  list(
    block = vapply(banks, block_label, ""),
    kind = vapply(banks, function(b) x$schema$features[[b$features[[1L]]]]$kind, "")
  )
}

block_label <- function(bank) if (is.null(bank$name)) "(single)" else bank$name
