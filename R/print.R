# What the print methods share: headings, aligned columns, matrices.

# Longer tables are cut: more rows than this are not read.
max_table_rows <- 20L

# Headings stand out where the terminal has styles; elsewhere they are the same text. `blank`: after
# a line that is.
print_heading <- function(text, blank = FALSE) {
  cat(if (blank) "\n", cli::style_bold(text), "\n", sep = "")
}

# Columns side by side: text to the left, numbers to the right. `what` says what
# the rows are that are left out.
print_aligned <- function(columns, what) {
  rows <- length(columns[[1L]])
  shown <- seq_len(min(rows, max_table_rows))
  cells <- Map(function(values, name) {
    text <- is.character(values)
    values <- if (text) values[shown] else format_column(values[shown])
    format(c(name, values), justify = if (text) "left" else "right")
  }, columns, names(columns))
  lines <- trimws(do.call(paste, c(unname(cells), sep = " ")), "right")
  writeLines(paste0("  ", c(cli::style_bold(lines[[1L]]), lines[-1L])))
  if (rows > length(shown)) {
    cat(sprintf("  ... and %s more %s\n", format_count(rows - length(shown)), what))
  }
}

format_column <- function(values) {
  whole <- all(is.na(values) | values == round(values))
  if (whole) format(values, scientific = FALSE) else format(values)
}

max_printed_columns <- 10L

# The upper left part of a matrix, as print() shows it.
print_matrix <- function(x) {
  rows <- seq_len(min(nrow(x), max_table_rows))
  columns <- seq_len(min(ncol(x), max_printed_columns))
  print(x[rows, columns, drop = FALSE])
  if (length(columns) < ncol(x) || length(rows) < nrow(x)) {
    cat(sprintf("... %s x %s in all\n", format_count(nrow(x)), format_count(ncol(x))))
  }
}
