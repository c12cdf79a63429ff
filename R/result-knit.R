# Descriptions in knitr documents: markdown for HTML, LaTeX and Word.

# lintr knows only the generics of imported packages.
# nolint start: object_name_linter.
#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_result <- function(x, ...) {
  # nolint end
  show <- show_settings(NULL, NULL, rlang::current_env())
  parts <- Filter(Negate(is.null), describe(x, show))
  text <- vapply(parts, knit_part, "", show = show)
  knitr::asis_output(paste0("\n\n", paste(text, collapse = "\n\n"), "\n\n"))
}

knit_part <- function(part, show) {
  switch(part$kind,
    title = sprintf("**%s**", escape_markdown(capitalise(part$text))),
    heading = sprintf("**%s**", escape_markdown(part$text)),
    sentences = paste(escape_markdown(part$text), collapse = "\n\n"),
    answers = knit_answers(part, show),
    code = paste0("`", deparse1(part$code), "`"),
    table = knit_table(part, show)
  )
}

# Several answers become the items of a list.
knit_answers <- function(part, show) {
  shown <- cut_answers(part, show)
  text <- escape_markdown(c(paste0(capitalise(shown$text), "."), shown$more))
  if (length(text) == 1L) text else paste("-", text, collapse = "\n")
}

knit_table <- function(part, show) {
  shown <- cut_table(part, show, c(part$digits, show$digits)[[1L]])
  caption <- if (!is.null(part$caption)) c(escape_markdown(part$caption), "")
  more <- if (!is.null(shown$more)) c("", shown$more)
  cells <- lapply(shown$cells, escape_markdown)
  columns <- escape_markdown(names(part$columns))
  columns[!nzchar(columns)] <- " "
  table <- knitr::kable(
    list2DF(unname(cells)), col.names = columns, row.names = FALSE,
    align = ifelse(part$right, "r", "l")
  )
  paste(c(caption, table, more), collapse = "\n")
}

# Escapes markup and new lines in the names of classes and features, because names are plain text.
# kable() escapes "|". Brackets become entities: in R Markdown a backslash and a bracket begin a
# formula.
escape_markdown <- function(x) {
  x <- gsub("([\\\\`*_{}<>#~^$])", "\\\\\\1", gsub("[\r\n]+", " ", x), perl = TRUE)
  gsub("]", "&#93;", gsub("[", "&#91;", x, fixed = TRUE), fixed = TRUE)
}
