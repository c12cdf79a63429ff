# The items of a description. describe() returns a list of items; NULL stands for an unneeded one.

# The title: the kind of the object, at the top.
title_item <- function(text) list(kind = "title", text = text)

heading_item <- function(text) list(kind = "heading", text = text)

# Whole sentences, shown as paragraphs.
sentences_item <- function(text) if (length(text)) list(kind = "sentences", text = text)

# Answers, one line each, without capital and full stop. `rows`: the noun for an answer, singular
# and plural; `total`: the number of answers, if `text` holds the first ones only.
answers_item <- function(text, rows = c("line", "lines"), total = length(text)) {
  if (total > 0L) list(kind = "answers", text = text, rows = rows, total = total)
}

# Lines indented by their depth. `lines`: a function of the largest number of lines that gives a
# data frame of `depth`, from 0 on, and `text`; `total`: the number of all lines; `hint`: how to see
# the lines that are left out.
tree_item <- function(lines, total, hint) {
  list(kind = "tree", lines = lines, total = total, hint = hint)
}

# Lines to paste, which are never broken: a break within a text of code would change it.
lines_item <- function(text) list(kind = "lines", text = text)

code_item <- function(code) if (!is.null(code)) list(kind = "code", code = code)

# `x`: a data frame or an array; `rows`: the noun for a row, singular and plural; `digits`: the
# default number of digits; `keys`: the number of leading columns that identify a row; `na`: the
# text of NA; `total`: the number of rows, if `x` holds the first ones only; `whole`: whether the
# table is never shortened.
table_item <- function(x, rows = c("row", "rows"), caption = NULL, digits = NULL, keys = 1L,
                       na = "NA", total = NULL, whole = FALSE) {
  cells <- !is.data.frame(x)
  if (cells) {
    keys <- max(1L, length(dim(x)) - 1L)
    x <- array_columns(x)
  }
  columns <- as.list(x)
  if (!length(columns)) return(NULL)
  if (is.null(total)) total <- length(columns[[1L]])
  if (total == 0L) return(NULL)
  # The cells of an array are numbers, even if stored as text.
  right <- vapply(columns, is.numeric, NA) | (cells & seq_along(columns) > keys)
  list(
    kind = "table", columns = columns, right = right, rows = rows, caption = caption,
    digits = digits, keys = keys, na = na, total = total, whole = whole
  )
}

# The levels of the last dimension become columns side by side. Columns before them hold the other
# dimensions. The headers are the dimension names; the last name appears as "row / column".
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

# Whether a table of truths and decisions fits as a matrix. If not, its most important cells are
# listed.
is_small_table <- function(x) {
  labels <- c(rownames(x), paste(names(dimnames(x)), collapse = " / "))
  room <- max(1, getOption("width") - 2L - max(nchar(labels, "width")))
  blocks <- ceiling(sum(pmax(nchar(colnames(x), "width"), 5L) + 1L) / room)
  blocks * (nrow(x) + 1L) <= 14L
}

split_columns <- function(x) lapply(seq_len(ncol(x)), function(j) unname(x[, j]))

# The maximum number of rows of a table. Longer tables are cut, because nobody reads them.
most_rows <- function(show, default = 20L) if (is.null(show$n)) min(default, show$rows) else show$n

most_answers <- function(show) most_rows(show, 12L)

# The shown rows as columns of text, and the number of omitted rows.
cut_table <- function(item, show, digits) {
  rows <- length(item$columns[[1L]])
  shown <- seq_len(if (item$whole) rows else min(rows, most_rows(show)))
  cells <- lapply(item$columns, function(values) {
    values <- values[shown]
    if (is.numeric(values)) return(format_column(values, digits, item$na))
    values <- as.character(values)
    replace(values, is.na(values), item$na)
  })
  list(cells = cells, more = more_of(item$total - length(shown), item$rows))
}

format_column <- function(values, digits, na) {
  finite <- values[is.finite(values)]
  whole <- all(finite == round(finite)) && all(abs(finite) < 1e15)
  text <- if (whole) format(values, scientific = FALSE) else format(values, digits = digits)
  missing <- is.na(values) & !is.nan(values)
  replace(trimws(text), missing, na)
}

# Numbers as texts with at least `digits` digits, and as many more as tell different numbers apart.
distinct_texts <- function(values, digits) {
  different <- unique(values)
  texts <- function(digits) {
    vapply(different, function(value) {
      plain <- value == 0 || abs(value) >= 1e-5 && abs(value) < 1e15
      format(value, digits = digits, scientific = !plain)
    }, "")
  }
  enough <- Find(function(digits) !anyDuplicated(texts(digits)), digits:17, nomatch = 17L)
  texts(enough)[match(values, different)]
}

# Text such as "... and 4 more classes and 2 more columns"; NULL if nothing is omitted. `rows`: the
# singular and the plural of each noun.
more_of <- function(n, rows) {
  if (!is.list(rows)) rows <- list(rows)
  said <- Map(function(n, nouns) {
    count_of(n, paste("more", nouns[[1L]]), paste("more", nouns[[2L]]))
  }, n, rows)
  if (any(n > 0L)) paste("... and", paste(said[n > 0L], collapse = " and "))
}

cut_answers <- function(item, show) {
  shown <- utils::head(item$text, most_answers(show))
  list(text = shown, more = more_of(item$total - length(shown), item$rows))
}

# The settings of a description: the significant digits of estimates, the significant digits of
# numbers that the user gave, such as costs, the user's `n` (NULL for the default), the number of
# rows of a table without `n`, and the user's call.
show_settings <- function(digits, n, call) {
  list(
    digits = check_digits(digits, call), n = n, rows = 20L, call = call,
    given_digits = check_digits(digits, call, getOption("digits"))
  )
}

# The items of an object, in display order. `show`: see show_settings().
describe <- function(x, show) UseMethod("describe")
