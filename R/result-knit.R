# Descriptions in knitr documents: markdown for HTML, LaTeX and Word.

# lintr knows only the generics of imported packages.
# nolint start: object_name_linter.
#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_result <- function(x, ...) {
  # nolint end
  show <- show_settings(NULL, NULL, rlang::current_env())
  text <- unless_damaged({
    items <- Filter(Negate(is.null), describe(x, show))
    vapply(items, knit_item, "", show = show)
  }, show$call)
  knitr::asis_output(paste0("\n\n", paste(text, collapse = "\n\n"), "\n\n"))
}

knit_item <- function(item, show) {
  switch(item$kind,
    title = sprintf("**%s**", escape_markdown(capitalise(item$text))),
    heading = sprintf("**%s**", escape_markdown(item$text)),
    sentences = paste(escape_markdown(item$text), collapse = "\n\n"),
    answers = knit_answers(item, show),
    code = knit_code(deparse1(item$code)),
    table = knit_table(item, show)
  )
}

# Several answers become the items of a list.
knit_answers <- function(item, show) {
  shown <- cut_answers(item, show)
  text <- c(escape_markdown(paste0(capitalise(shown$text), ".")), shown$more)
  if (length(text) == 1L) text else paste("-", text, collapse = "\n")
}

# More backticks around the code than in it.
knit_code <- function(code) {
  inside <- regmatches(code, gregexpr("`+", code))[[1L]]
  fence <- strrep("`", max(0L, nchar(inside)) + 1L)
  if (length(inside)) paste(fence, code, fence) else paste0(fence, code, fence)
}

knit_table <- function(item, show) {
  shown <- cut_table(item, show, c(item$digits, show$digits)[[1L]])
  caption <- if (!is.null(item$caption)) c(escape_markdown(item$caption), "")
  more <- if (!is.null(shown$more)) c("", shown$more)
  cells <- lapply(shown$cells, escape_markdown)
  columns <- escape_markdown(names(item$columns))
  columns[!nzchar(columns)] <- " "
  table <- knitr::kable(
    list2DF(unname(cells)), "pipe", col.names = columns, row.names = FALSE,
    align = ifelse(item$right, "r", "l")
  )
  paste(c(caption, table, more), collapse = "\n")
}

# Names of classes and features are plain text, whatever markup they hold. A backslash makes a mark
# literal. Other marks become entities: a backslash and a bracket begin a formula, and `\@ref` is a
# reference of bookdown.
escape_markdown <- function(x) {
  x <- trimws(gsub("[[:cntrl:]]+", " ", enc2utf8(x)))
  found <- gregexpr(markup, x, perl = TRUE)
  regmatches(x, found) <- lapply(regmatches(x, found), function(marks) {
    codes <- vapply(marks, utf8ToInt, 1L, USE.NAMES = FALSE)
    ifelse(grepl("[`*_{}<>#~^$'\"]", marks), paste0("\\", marks), sprintf("&#%d;", codes))
  })
  x
}

# Marks anywhere; dashes and dots that would be united; the colon of an address; the mark or number
# of a list at the start.
markup <- paste(
  "[\\\\`*_{}<>#~^$'\"&@|\\[\\]]", "-(?=-)|(?<=-)-", "[.](?=[.])|(?<=[.])[.]", ":(?=\\S)",
  "^:|^[-+](?= |$)", "^[(]?(?:[0-9]+|[a-zA-Z]|[ivxlcdmIVXLCDM]+)\\K[.)](?= |$)",
  sep = "|"
)
