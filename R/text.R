# Words, numbers and lists of names in sentences.

capitalise <- function(x) paste0(toupper(substr(x, 1L, 1L)), substring(x, 2L))

# "a 1, b 2": numbers follow options(digits); names are escaped, so that none can
# break the line.
format_numbers <- function(x) {
  numbers <- vapply(x, format, character(1), USE.NAMES = FALSE)
  if (!is.null(names(x))) numbers <- paste(encodeString(names(x)), numbers)
  paste(numbers, collapse = ", ")
}

# A whole number in full, whatever options(digits) and options(scipen) are.
format_count <- function(n) format(n, scientific = FALSE, trim = TRUE)

count_of <- function(n, singular, plural) {
  paste(format_count(n), if (n == 1) singular else plural)
}

# cli::pluralize() wants the package glue, which cli only suggests.
pluralize <- function(text, envir = parent.frame()) cli::format_inline(text, .envir = envir)

# "a, b, c", or as many as fit and how many there are.
fit_list <- function(labels, room) {
  whole <- paste(labels, collapse = ", ")
  if (nchar(whole, "width") <= room) return(whole)
  rest <- sprintf("... (%s)", format_count(length(labels)))
  ends <- cumsum(nchar(labels, "width") + 2L)
  shown <- max(1L, sum(ends + nchar(rest) <= room))
  paste(c(labels[seq_len(shown)], rest), collapse = ", ")
}

# The first ten, and how many there are: a message is read by a person.
first_features <- function(names) some_of(encodeString(names, quote = "`"))

some_of <- function(items) {
  rest <- if (length(items) > 10L) sprintf("... (%d)", length(items))
  paste(c(utils::head(items, 10L), rest), collapse = ", ")
}
