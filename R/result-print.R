# Descriptions in the console. Headings are styled if the terminal supports styles; their text is
# the same everywhere.

# Without `n`, a description has about 40 lines, 44 at most. Tables and lists are shortened. If that
# is not enough, tables are left out, the last one first.
most_lines <- 44L

console_lines <- function(x, show) unless_damaged(described_lines(x, show), show$call)

described_lines <- function(x, show) {
  items <- Filter(Negate(is.null), describe(x, show))
  if (!is.null(show$n)) return(unlist(item_lines(items, show)))
  for (rows in c(20L, 10L, 6L)) {
    show$rows <- rows
    lines <- item_lines(items, show)
    if (sum(lengths(lines)) <= most_lines) return(unlist(lines))
  }
  left_out <- 0L
  while (sum(lengths(lines)) >= most_lines && any(item_kinds(items) == "table")) {
    last <- max(which(item_kinds(items) == "table"))
    heading <- if (last > 1L && item_kinds(items)[[last - 1L]] == "heading") last - 1L
    items <- items[-c(heading, last)]
    left_out <- left_out + 1L
    lines <- item_lines(items, show)
  }
  rest <- more_of(left_out, c("table", "tables"))
  c(unlist(lines), if (left_out > 0L) paste0(rest, ": print(n = 20) shows all."))
}

item_kinds <- function(items) vapply(items, `[[`, "", "kind")

# The lines of each item, with an empty line before one that is set apart.
item_lines <- function(items, show) {
  before <- c("", item_kinds(items))[seq_along(items)]
  Map(function(item, before) {
    text <- switch(item$kind,
      title = cli::style_bold(wrap_lines(paste0("<", item$text, ">"), indent = 0L)),
      heading = cli::style_bold(wrap_lines(paste0(item$text, ":"), indent = 0L)),
      sentences = console_sentences(item$text, show),
      answers = console_answers(item, show),
      tree = console_tree(item, show),
      lines = item$text,
      code = console_code(item$code),
      table = console_table(item, show)
    )
    c(if (is_apart(before, item$kind)) "", as.character(text))
  }, items, before)
}

# Whether an empty line separates two kinds of item.
is_apart <- function(before, kind) {
  if (!nzchar(before)) return(FALSE)
  if (kind == "heading") return(TRUE)
  !before %in% c("title", "heading") && !(before == "sentences" && kind %in% c("sentences", "code"))
}

# Wraps long lines, with a continuation that is indented `further`. A word that is wider than a line
# is cut.
wrap_lines <- function(lines, indent, further = 2L) {
  width <- getOption("width")
  start <- strrep(" ", indent)
  fits <- nchar(lines, "width") + indent < width
  lines[!fits] <- vapply(strsplit(lines[!fits], " ", fixed = TRUE), function(words) {
    words <- cut_middle(words, function(word) nchar(word, "width") < width - indent - further)
    paste(words, collapse = " ")
  }, "")
  wrapped <- lapply(lines, function(line) {
    strwrap(line, width = width, indent = indent, exdent = indent + further)
  })
  wrapped[fits] <- as.list(paste0(start, lines[fits]))
  unlist(wrapped)
}

# Code on one line, or broken after arguments.
console_code <- function(code) {
  line <- deparse1(code)
  if (nchar(line) + 2L >= getOption("width")) line <- deparse(code, 20L)
  cli::col_blue(paste0("  ", line))
}

# A sentence that lists many names is cut after some lines.
console_sentences <- function(text, show) {
  most <- if (is.null(show$n)) max(10L, show$rows) else Inf
  unlist(lapply(text, function(sentence) {
    lines <- wrap_lines(sentence, indent = 0L)
    if (length(lines) > most) c(utils::head(lines, most - 1L), "  ...") else lines
  }))
}

console_answers <- function(item, show) {
  shown <- cut_answers(item, show)
  wrap_lines(c(shown$text, shown$more), indent = 2L)
}

# Lines that are too deep to leave room for their text are not indented, but name their depth.
console_tree <- function(item, show) {
  shown <- item$lines(most_rows(show))
  deepest <- max(2L, (getOption("width") - 40L) %/% 2L)
  deep <- shown$depth > deepest
  text <- ifelse(deep, sprintf("[depth %d] %s", shown$depth, shown$text), shown$text)
  indent <- ifelse(deep, 2L, 2L + 2L * shown$depth)
  more <- more_of(item$total - nrow(shown), c("line", "lines"))
  c(
    unlist(Map(wrap_lines, text, indent, 4L), use.names = FALSE),
    if (!is.null(more)) wrap_lines(paste0(more, ": ", item$hint), indent = 2L)
  )
}

# Columns side by side: text to the left, numbers to the right.
console_table <- function(item, show) {
  shown <- cut_table(item, show, c(item$digits, show$digits)[[1L]])
  caption <- if (!is.null(item$caption)) encodeString(item$caption)
  rows <- length(shown$cells[[1L]])
  if (!rows) return(c(caption, if (!is.null(shown$more)) paste0("  ", shown$more)))
  columns <- text_columns(shown$cells, item)
  blocks <- column_blocks(nchar(vapply(columns, `[[`, "", 1L), "width"), item$keys)
  size <- list(rows = rows, blocks = length(blocks))
  if (!item$whole) size <- table_size(rows, length(blocks), show)
  left <- sum(lengths(blocks[-seq_len(size$blocks)]) - item$keys)
  lines <- lapply(blocks[seq_len(size$blocks)], function(block) {
    rows <- trimws(do.call(paste, unname(columns[block])), "right")
    paste0("  ", c(cli::style_bold(rows[[1L]]), rows[seq_len(size$rows) + 1L]))
  })
  more <- more_of(c(item$total - size$rows, left), list(item$rows, c("column", "columns")))
  c(caption, unlist(lines), if (!is.null(more)) paste0("  ", more))
}

# Each column as text: its name and its cells, equally wide. If the columns do not fit side by
# side, keys are cut.
text_columns <- function(cells, item) {
  room <- getOption("width") - 3L
  keys <- seq_len(min(item$keys, length(cells)))
  text <- Map(function(cells, name) encodeString(c(name, cells)), cells, names(item$columns))
  text[keys] <- lapply(text[keys], trim_text, key_room(text, keys, room))
  taken <- sum(vapply(text[keys], function(x) max(nchar(x, "width")) + 1L, 1))
  others <- setdiff(seq_along(text), keys)
  text[others] <- lapply(text[others], trim_text, room - taken)
  Map(function(x, right) format(x, justify = if (right) "right" else "left"), text, item$right)
}

# The width of a key: its own if all columns fit, or the width at which all columns fit, or one
# that leaves room for another column.
key_room <- function(text, keys, room) {
  widths <- vapply(text, function(x) max(nchar(x, "width")), 1L) + 1L
  if (sum(widths) <= room + 2L) return(room)
  others <- sum(widths[-keys])
  beside <- (room + 2L - others) %/% length(keys) - 1L
  if (beside >= 16L) beside else room %/% (1L + length(keys))
}

# The numbers of rows and of blocks of columns to show. If not all fit, the number of rows is
# reduced first, down to 8.
table_size <- function(rows, blocks, show) {
  if (!is.null(show$n)) return(list(rows = rows, blocks = blocks))
  room <- show$rows + 4L
  if (blocks * (rows + 1L) <= room) return(list(rows = rows, blocks = blocks))
  blocks <- min(blocks, max(1L, room %/% (min(rows, 8L) + 1L)))
  list(rows = min(rows, max(1L, room %/% blocks - 1L)), blocks = blocks)
}

# Cells of a column, cut to the same width. Different cells stay different where that is possible.
trim_text <- function(text, room) {
  cut_apart(text, function(text) nchar(text, "width") <= room)
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
  in_html <- knitr::is_html_output(excludes = c("markdown", "gfm", "epub", "epub2"))
  if (in_html) text <- c("<div class=\"bayesrisk\">", text, "</div>")
  meta <- if (in_html && requireNamespace("htmltools", quietly = TRUE)) list(header_style())
  knitr::asis_output(paste0("\n\n", paste(text, collapse = "\n\n"), "\n\n"), meta)
}

# Headers of numbers stand above them. Pandoc writes the side of a column as an attribute, and the
# styles of HTML documents move all headers to the left.
header_style <- function() {
  rules <- sprintf(".bayesrisk th[align=%1$s] { text-align: %1$s; }", c("left", "right"))
  htmltools::htmlDependency(
    "bayesrisk-tables", package_version_string, src = c(href = ""),
    head = sprintf("<style>%s</style>", paste(rules, collapse = " "))
  )
}

knit_item <- function(item, show) {
  switch(item$kind,
    title = sprintf("**%s**", escape_markdown(capitalise(item$text))),
    heading = sprintf("**%s**", escape_markdown(item$text)),
    sentences = paste(escape_markdown(item$text), collapse = "\n\n"),
    answers = knit_answers(item, show),
    tree = knit_tree(item, show),
    lines = paste(vapply(item$text, knit_code, ""), collapse = "\n\n"),
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

# A block of code keeps the indentation in each format, which nested lists do not if they are deep.
knit_tree <- function(item, show) {
  lines <- enc2utf8(console_tree(item, show))
  fence <- strrep("`", max(2L, backticks(lines)) + 1L)
  paste(c(fence, lines, fence), collapse = "\n")
}

# The length of the longest row of backticks.
backticks <- function(text) max(0L, nchar(unlist(regmatches(text, gregexpr("`+", text)))))

# More backticks around the code than in it.
knit_code <- function(code) {
  inside <- backticks(code)
  fence <- strrep("`", inside + 1L)
  if (inside) paste(fence, code, fence) else paste0(fence, code, fence)
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
  entities_unless_utf8(x)
}

# Marks anywhere; dashes and dots that would be united; the colon of an address; the mark or number
# of a list at the start.
markup <- paste(
  "[\\\\`*_{}<>#~^$'\"&@|\\[\\]]", "-(?=-)|(?<=-)-", "[.](?=[.])|(?<=[.])[.]", ":(?=\\S)",
  "^:|^[-+](?= |$)", "^[(]?(?:[0-9]+|[a-zA-Z]|[ivxlcdmIVXLCDM]+)\\K[.)](?= |$)",
  sep = "|"
)

# format() and cat() may lose letters in a session that is not UTF-8. They do not lose entities.
entities_unless_utf8 <- function(x) {
  if (l10n_info()$`UTF-8`) return(x)
  vapply(x, function(text) {
    codes <- utf8ToInt(text)
    characters <- intToUtf8(codes, multiple = TRUE)
    paste(ifelse(codes < 128L, characters, sprintf("&#%d;", codes)), collapse = "")
  }, "", USE.NAMES = FALSE)
}
