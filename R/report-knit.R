# In a report of knitr the objects are tables: knit_print() methods, for HTML, LaTeX and Word
# alike. Each object says what it consists of, sentences (text), code (calls) and tables (data
# frames and matrices), in report_parts().

report_parts <- function(x) UseMethod("report_parts")

knit_parts <- function(x, ...) {
  parts <- report_parts(x)
  text <- vapply(Filter(length, parts), report_part, "")
  knitr::asis_output(paste0("\n\n", paste(text, collapse = "\n\n"), "\n\n"))
}

report_part <- function(part) {
  cells <- is.matrix(part)
  if (cells) part <- axis_columns(part)
  if (is.call(part)) return(paste0("`", deparse1(part), "`"))
  if (is.character(part)) return(paste(escape_markdown(part), collapse = "\n\n"))
  shown <- utils::head(part, max_table_rows)
  names(shown) <- escape_markdown(names(shown))
  # Cells of a matrix are numbers, as text too.
  right <- vapply(shown, is.numeric, NA) | (cells & seq_along(shown) > 1L)
  shown[] <- lapply(shown, report_column)
  more <- nrow(part) - nrow(shown)
  table <- knitr::kable(shown, row.names = FALSE, align = ifelse(right, "r", "l"))
  after <- if (more > 0L) c("", sprintf("... and %s", count_of(more, "more row", "more rows")))
  paste(c(table, after), collapse = "\n")
}

# Numbers have as many digits as where objects are printed.
report_column <- function(x) {
  if (is.numeric(x)) return(format(x, digits = max(3L, getOption("digits") - 3L)))
  escape_markdown(as.character(x))
}

# Names of classes and features are text: what is markup in them is not meant so, nor is a new
# line. (Of "|" kable() takes care.)
escape_markdown <- function(x) {
  gsub("([\\\\`*_{}\\[\\]<>#~^$])", "\\\\\\1", gsub("[\r\n]+", " ", x), perl = TRUE)
}

# A matrix with its rows in the first column, named by their axis.
axis_columns <- function(x) {
  axis <- names(dimnames(x))[[1L]]
  rows <- stats::setNames(list(rownames(x)), if (is.null(axis) || !nzchar(axis)) " " else axis)
  columns <- lapply(seq_len(ncol(x)), function(j) unname(x[, j]))
  data.frame(c(rows, stats::setNames(columns, colnames(x))), check.names = FALSE)
}

#' @export
report_parts.bayesrisk_model <- function(x) {
  check_model(x, rlang::caller_env(), "x")
  list(
    format(x), as.data.frame(class_columns(class_table(x), is_weighted(x))),
    if (length(x$plan$banks)) block_table(x)
  )
}

block_table <- function(x) {
  features <- names(x$schema$features)
  of_block <- vapply(x$plan$banks, function(b) fit_list(features[b$features], 60L), "")
  data.frame(block_columns(x), features = of_block)
}

#' @export
report_parts.bayesrisk_summary <- function(x) {
  weighted <- any(x$classes$weight != x$classes$rows)
  shown <- utils::head(names(x$blocks), max_printed_blocks)
  blocks <- lapply(shown, function(name) c(list(name), block_parts(x$blocks[[name]])))
  left <- length(x$blocks) - length(shown)
  c(
    list(x$model, as.data.frame(class_columns(x$classes, weighted))),
    unlist(blocks, recursive = FALSE),
    list(
      if (left > 0L) sprintf("... and %s", count_of(left, "more block", "more blocks")),
      if (!is.na(x$fit$logLik)) Filter(Negate(is.na), x$fit[c("logLik", "df", "AIC", "BIC")])
    )
  )
}

# A table, or the tables of a joint block of numbers.
block_parts <- function(block) {
  if (is.data.frame(block)) return(list(attr(block, "title"), block))
  if (is.matrix(block)) return(list(block))
  correlation <- block$correlation
  if (is.matrix(correlation)) correlation <- list(`all classes` = correlation)
  correlation <- Filter(Negate(anyNA), correlation)
  named <- Map(
    function(matrix, class) list(paste0("correlation, ", class), matrix), correlation,
    names(correlation)
  )
  c(list("mean", block$mean, "sd", block$sd), unlist(unname(named), recursive = FALSE))
}

#' @export
report_parts.bayesrisk_cost <- function(x) {
  cells <- shown_cells(x, rlang::caller_env())
  what <- if (is_utility(x)) "Gain" else "Cost"
  if (is.null(colnames(cells))) colnames(cells) <- "whatever is true"
  numbers <- all(vapply(cells, is.double, NA) & lengths(cells) == 1L)
  table <- if (numbers) array(unlist(cells), dim(cells), dimnames(cells)) else cells_text(cells)
  list(paste(what, "of each decision, by the true class:"), table)
}

#' @export
report_parts.bayesrisk_decision <- function(x) {
  if (!is_decision(x)) return(list(plain_frame(x)))
  rows <- rownames(x)
  named <- is.character(attr(x, "row.names"))
  table <- plain_frame(x)
  if (named) table <- data.frame(row = rows, table, check.names = FALSE)
  list(sub("^<decisions: (.*)>$", "Decisions: \\1.", decision_header(x)), table)
}

#' @export
report_parts.bayesrisk_confusion <- function(x) {
  counts <- counts_by_truth(x, rlang::caller_env())
  shares <- counts / rowSums(counts)
  cells <- array(
    sprintf("%s (%s)", vapply(counts, format_count, ""), ifelse(
      is.nan(shares), "-", paste0(round(100 * shares), " %")
    )),
    dim(counts), dimnames(counts)
  )
  left_out <- attr(x, "left_out")
  list(
    sprintf("%s, truth in rows, decision in columns:", count_of(sum(counts), "case", "cases")),
    cells, if (sum(left_out) > 0) paste0(left_out_sentence(left_out), ".")
  )
}

#' @export
report_parts.bayesrisk_regions <- function(x) {
  header <- count_of(nrow(x), "decision region", "decision regions")
  list(sprintf("%s of %s:", header, attr(x, "feature")), as.data.frame(x))
}

#' @export
report_parts.bayesrisk_risk <- function(x) {
  list(as_sentences(format(x)), "Joint probabilities of truth and decision:", unclass(x$table))
}

#' @export
report_parts.bayesrisk_cv <- function(x) {
  table <- as.data.frame(x)
  if (is_whole_cv(x)) list(table, cv_notes(x)) else list(table)
}

#' @export
report_parts.bayesrisk_assessment <- function(x) {
  check_assessment(x, rlang::caller_env())
  numbers <- glance.bayesrisk_assessment(x)
  shown <- c("cost", "lower", "upper", "believed", "best", "regret", "error", "log_loss", "brier")
  numbers <- unlist(numbers[shown])
  c(
    list(
      sprintf("Assessment of %s:", count_of(x$n, "case", "cases")),
      data.frame(`per case` = names(numbers), value = numbers, check.names = FALSE)[
        !is.na(numbers),
      ]
    ),
    report_parts(x$confusion),
    list(if (is_overconfident(x$certain)) paste0(certain_sentence(x$certain), "."))
  )
}

#' @export
report_parts.bayesrisk_joint <- function(x) {
  list("Joint probabilities:", as.data.frame(x))
}

# lintr knows only the generics of packages that are imported.
# nolint start: object_name_linter.
#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_model <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_summary <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_cost <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_decision <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_confusion <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_regions <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_risk <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_cv <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_assessment <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_comparison <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_dependence <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_joint <- knit_parts
# nolint end
