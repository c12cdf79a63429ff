# Descriptions in the console. Headings are styled if the terminal supports styles; their text is
# the same everywhere.

console_lines <- function(x, show) {
  parts <- Filter(Negate(is.null), describe(x, show))
  lines <- list()
  before <- ""
  for (part in parts) {
    text <- switch(part$kind,
      title = cli::style_bold(wrap_lines(paste0("<", part$text, ">"), indent = 0L)),
      heading = cli::style_bold(wrap_lines(paste0(part$text, ":"), indent = 0L)),
      sentences = wrap_lines(part$text, indent = 0L),
      answers = console_answers(part, show),
      code = paste0("  ", cli::col_blue(deparse1(part$code))),
      table = console_table(part, show)
    )
    lines <- c(lines, list(if (is_apart(before, part$kind)) "", text))
    before <- part$kind
  }
  as.character(unlist(lines))
}

# Whether an empty line separates two kinds of part.
is_apart <- function(before, kind) {
  if (!nzchar(before)) return(FALSE)
  if (kind == "heading") return(TRUE)
  !before %in% c("title", "heading") && !(before == "sentences" && kind %in% c("sentences", "code"))
}

# Wraps long lines, with an indented continuation.
wrap_lines <- function(lines, indent) {
  width <- getOption("width")
  start <- strrep(" ", indent)
  fits <- nchar(lines, "width") + indent < width
  wrapped <- lapply(lines, function(line) {
    strwrap(line, width = width, indent = indent, exdent = indent + 2L)
  })
  wrapped[fits] <- as.list(paste0(start, lines[fits]))
  unlist(wrapped)
}

console_answers <- function(part, show) {
  shown <- cut_answers(part, show)
  wrap_lines(c(shown$text, shown$more), indent = 2L)
}

# Columns side by side: text to the left, numbers to the right.
console_table <- function(part, show) {
  digits <- c(show$digits, part$digits, getOption("digits"))[[1L]]
  shown <- cut_table(part, show, digits)
  caption <- if (!is.null(part$caption)) encodeString(part$caption)
  more <- if (!is.null(shown$more)) paste0("  ", shown$more)
  if (!length(shown$cells[[1L]])) return(c(caption, more))
  columns <- Map(function(cells, name, right) {
    format(encodeString(c(name, cells)), justify = if (right) "right" else "left")
  }, shown$cells, names(part$columns), part$right)
  blocks <- column_blocks(nchar(vapply(columns, `[[`, "", 1L), "width"), part$keys)
  lines <- lapply(blocks, function(block) {
    rows <- trimws(do.call(paste, unname(columns[block])), "right")
    paste0("  ", c(cli::style_bold(rows[[1L]]), rows[-1L]))
  })
  c(caption, unlist(lines), more)
}

# Splits columns into blocks that fit into the width; returns positions. Each block begins with
# the key columns.
column_blocks <- function(widths, keys) {
  room <- getOption("width") - 2L
  keys <- seq_len(min(keys, length(widths)))
  blocks <- list()
  block <- keys
  for (j in setdiff(seq_along(widths), keys)) {
    if (length(block) > length(keys) && sum(widths[c(block, j)] + 1L) - 1L > room) {
      blocks <- c(blocks, list(block))
      block <- keys
    }
    block <- c(block, j)
  }
  c(blocks, list(block))
}
