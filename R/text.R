# Words, numbers and lists of names in sentences.

capitalise <- function(x) paste0(toupper(substr(x, 1L, 1L)), substring(x, 2L))

# Text such as "a 1, b 2". Numbers follow options(digits). Names are escaped, so that no name
# contains a line break.
format_numbers <- function(x) {
  numbers <- vapply(x, format, character(1), USE.NAMES = FALSE)
  if (!is.null(names(x))) numbers <- paste(encodeString(names(x)), numbers)
  paste(numbers, collapse = ", ")
}

# The number of digits of estimates and reports, 4 by default. Numbers that the user gave are
# printed with more digits.
few_digits <- function() max(3L, getOption("digits") - 3L)

# A whole number with all digits, independent of options(digits) and options(scipen).
format_count <- function(n) format(n, scientific = FALSE, trim = TRUE)

count_of <- function(n, singular, plural) {
  paste(format_count(n), if (n == 1) singular else plural)
}

# cli::pluralize() needs the package glue, which cli only suggests.
pluralize <- function(text, envir = parent.frame()) cli::format_inline(text, .envir = envir)

# Text such as "a, b, c". If the list is too long: the labels that fit, and the total number.
fit_list <- function(labels, room) {
  whole <- paste(labels, collapse = ", ")
  if (nchar(whole, "width") <= room) return(whole)
  rest <- sprintf("... (%s)", format_count(length(labels)))
  ends <- cumsum(nchar(labels, "width") + 2L)
  shown <- max(1L, sum(ends + nchar(rest) <= room))
  paste(c(labels[seq_len(shown)], rest), collapse = ", ")
}

# The first ten names and the total number, so that a message stays readable.
first_features <- function(names) some_of(encodeString(names, quote = "`"))

some_of <- function(items, most = 10L) {
  rest <- if (length(items) > most) sprintf("... (%d)", length(items))
  paste(c(utils::head(items, most), rest), collapse = ", ")
}
