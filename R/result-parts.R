# The parts of which describe() makes a description. A description is a list of them; NULL stands
# for a part that is not needed.

# What the object is, above everything else.
title_part <- function(text) list(kind = "title", text = text)

heading_part <- function(text) list(kind = "heading", text = text)

# Whole sentences, which are paragraphs.
sentences_part <- function(text) if (length(text)) list(kind = "sentences", text = text)

# Answers, a line each, without capital and full stop. `rows`: what they are, one and several;
# `total`: how many there are, if `text` holds the first ones only.
answers_part <- function(text, rows = c("line", "lines"), total = length(text)) {
  if (total > 0L) list(kind = "answers", text = text, rows = rows, total = total)
}

code_part <- function(code) if (!is.null(code)) list(kind = "code", code = code)

# `x`: a data frame or an array; `rows`: what its rows are, one and several; `digits`: of its
# numbers, if the user does not say; `keys`: so many columns say what a row is; `na`: the text of
# NA; `total`: how many rows there are, if `x` holds the first ones only.
table_part <- function(x, rows = c("row", "rows"), caption = NULL, digits = NULL, keys = 1L,
                       na = "NA", total = NULL) {
  cells <- !is.data.frame(x)
  if (cells) {
    keys <- max(1L, length(dim(x)) - 1L)
    x <- array_columns(x)
  }
  columns <- as.list(x)
  if (!length(columns)) return(NULL)
  if (is.null(total)) total <- length(columns[[1L]])
  if (total == 0L) return(NULL)
  # The cells of an array are numbers, as text too.
  right <- vapply(columns, is.numeric, NA) | (cells & seq_along(columns) > keys)
  list(
    kind = "table", columns = columns, right = right, rows = rows, caption = caption,
    digits = digits, keys = keys, na = na, total = total
  )
}

# The last dimension side by side, the others in columns before it. Above them stand the names of
# their dimensions, the last one's in "row / column".
array_columns <- function(x) {
  labels <- dimnames(x)
  if (is.null(labels)) labels <- vector("list", length(dim(x)))
  labels <- Map(function(label, n) if (is.null(label)) as.character(seq_len(n)) else label,
                labels, dim(x))
  axes <- names(labels)
  if (is.null(axes)) axes <- rep("", length(labels))
  last <- length(labels)
  keys <- rev(expand.grid(rev(labels[-last]), KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE))
  names(keys) <- axes[-last]
  if (nzchar(axes[[last]])) names(keys)[[last - 1L]] <- paste(axes[[last - 1L]], "/", axes[[last]])
  order <- c(rev(seq_len(last - 1L)), last)
  cells <- matrix(aperm(unclass(x), order), ncol = dim(x)[[last]])
  c(as.list(keys), stats::setNames(split_columns(cells), labels[[last]]))
}

split_columns <- function(x) lapply(seq_len(ncol(x)), function(j) unname(x[, j]))

# Fewer digits than of exact numbers: of estimates, and in reports.
few_digits <- function() max(3L, getOption("digits") - 3L)

# Longer tables are cut: more rows than this are not read.
most_rows <- function(show, default = 20L) if (is.null(show$n)) default else show$n

most_answers <- function(show) if (is.null(show$n)) 12L else show$n

# The rows that are shown, as columns of text, and how many more there are.
cut_table <- function(part, show, digits) {
  shown <- seq_len(min(length(part$columns[[1L]]), most_rows(show)))
  cells <- lapply(part$columns, function(values) {
    values <- values[shown]
    if (is.numeric(values)) return(format_column(values, digits, part$na))
    values <- as.character(values)
    replace(values, is.na(values), part$na)
  })
  list(cells = cells, more = more_of(part$total - length(shown), part$rows))
}

format_column <- function(values, digits, na) {
  finite <- values[is.finite(values)]
  whole <- all(finite == round(finite)) && all(abs(finite) < 1e15)
  text <- if (whole) format(values, scientific = FALSE) else format(values, digits = digits)
  missing <- is.na(values) & !is.nan(values)
  replace(trimws(text), missing, na)
}

# "... and 4 more classes"; NULL where nothing is left out.
more_of <- function(n, rows) {
  if (n > 0L) paste("... and", count_of(n, paste("more", rows[[1L]]), paste("more", rows[[2L]])))
}

cut_answers <- function(part, show) {
  shown <- utils::head(part$text, most_answers(show))
  list(text = shown, more = more_of(part$total - length(shown), part$rows))
}

# The parts of an object (see result-parts.R), in the order in which they are shown. `show`:
# list(digits, n, call): what the user asked for, NULL for the default; the user's call.
describe <- function(x, show) UseMethod("describe")
