# Words, numbers and lists of names in sentences.

# The name of a function at the beginning of a sentence keeps its lower case.
capitalise <- function(x) {
  word <- !grepl("^[[:alnum:]._]+[(]", x)
  x[word] <- paste0(upper_case(substr(x[word], 1L, 1L)), substring(x[word], 2L))
  x
}

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

# Options that change how R and data.table write numbers as text, as they are in a new session.
new_session <- list(
  scipen = 0, OutDec = ".", digits = 7, datatable.fwrite.sep = NULL, datatable.logical01 = NULL,
  datatable.logicalYN = NULL
)

# Numbers in files, queries, labels and formulas do not depend on the options of the user.
in_new_session <- function(expr) {
  old <- options(new_session)
  on.exit(options(old))
  expr
}

# In a Turkish locale the letters i and I do not belong together.
lower_case <- function(x) tolower(chartr("I", "i", x))
upper_case <- function(x) toupper(chartr("i", "I", x))

# A share as text, such as "12.3 %".
percent_text <- function(share) paste0(format(100 * share, digits = 3L), " %")

# A whole number with all digits, independent of options(digits) and options(scipen).
format_count <- function(n) format(n, scientific = FALSE, trim = TRUE)

count_of <- function(n, singular, plural) {
  paste(format_count(n), if (n == 1) singular else plural)
}

# A word with its article.
indefinite <- function(word) paste(if (grepl("^[aeiou]", word)) "an" else "a", word)

# Code in a suggested call, or `otherwise` if it is too long.
short_code <- function(code, otherwise) if (nchar(code) > 60L) otherwise else code

# Text that a cli template shows as it is.
escape_braces <- function(x) gsub("}", "}}", gsub("{", "{{", x, fixed = TRUE), fixed = TRUE)

# Finished lines of a message, each with this bullet, or with several bullets in turns.
bullet_lines <- function(lines, bullet) {
  stats::setNames(escape_braces(lines), rep_len(bullet, length(lines)))
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

# The first names and the total number, so that a message stays readable.
first_features <- function(names, most = 10L) some_of(encodeString(names, quote = "`"), most)

some_of <- function(items, most = 10L) {
  rest <- if (length(items) > most) sprintf("... (%d)", length(items))
  paste(c(utils::head(items, most), rest), collapse = ", ")
}

# Text that is too wide, cut in its middle. `fits`: a function that says which texts fit.
cut_middle <- function(text, fits) {
  wide <- which(!fits(text))
  text[wide] <- vapply(text[wide], function(label) {
    size <- nchar(label)
    cut_to <- function(kept) {
      end <- substring(label, size - kept %/% 2L + 1L)
      paste0(substring(label, 1L, (kept + 1L) %/% 2L), "...", end)
    }
    kept <- Find(function(kept) fits(cut_to(kept)), max(size - 1L, 0L):0, nomatch = 0L)
    cut_to(kept)
  }, "", USE.NAMES = FALSE)
  text
}

# Labels cut in their middle. If labels would become equal, a part that they share is cut instead:
# their common end, their common beginning, or both.
cut_apart <- function(labels, fits) {
  if (all(fits(labels))) return(labels)
  different <- unique(labels)
  cut <- cut_middle(different, fits)
  for (same in split(seq_along(cut), match(cut, cut))) {
    if (length(same) > 1L) cut[same] <- cut_shared(different[same], fits)
  }
  cut[match(labels, different)]
}

cut_shared <- function(labels, fits) {
  # Words and numbers stay whole.
  begin <- nchar(sub("[[:alnum:]]*$", "", shared_start(labels)))
  rest <- substring(labels, begin + 1L)
  end <- nchar(sub("[[:alnum:]]*$", "", shared_start(reverse_text(rest))))
  middle <- substring(rest, 1L, nchar(rest) - end)
  first <- paste0(substring(labels, 1L, begin), middle, "...")
  both <- paste0("...", middle, "...")
  for (tried in list(first, paste0("...", rest), both)) if (all(fits(tried))) return(tried)
  cut_middle(labels, fits)
}

reverse_text <- function(x) {
  vapply(strsplit(x, ""), function(letters) paste(rev(letters), collapse = ""), "")
}

# The common beginning of all labels.
shared_start <- function(labels) {
  first <- labels[[1L]]
  size <- Find(function(n) all(startsWith(labels, substring(first, 1L, n))), nchar(first):0)
  substring(first, 1L, size)
}

interval_name <- function(level) paste(format(100 * level), "% intervals")

# Code for a message of cli, its braces doubled.
code_text <- function(code) sprintf("{.code %s}", gsub("([{}])", "\\1\\1", code))
