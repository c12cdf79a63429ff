# Names of actions and classes: costs, decisions and truths are matched by name
# everywhere, so names must be there, differ, and be explained when they do not fit.

# `what` begins the message, for example "The classes of action wait".
check_labels <- function(labels, what, call, hint = NULL) {
  if (!length(labels) || anyNA(labels) || !all(nzchar(labels))) {
    abort_argument(c("{what} must all have a name.", i = if (!is.null(hint)) "{hint}"), call)
  }
  twice <- unique(labels[duplicated(labels)])
  if (length(twice)) {
    abort_argument("{what} must have different names: {.val {twice}} {?is/are} repeated.", call)
  }
  labels
}

# `headline` is a finished sentence (see cli::format_inline()), not a template; `hint` says what
# the names are, where the wrong ones are no misspellings.
check_same_names <- function(given, expected, headline, call, hint = NULL) {
  missing <- setdiff(expected, given)
  unknown <- setdiff(given, expected)
  if (!length(missing) && !length(unknown)) return(invisible())
  guesses <- likely_misspellings(unknown, missing)
  abort_argument(
    c(
      "{headline}",
      x = if (length(missing)) "Missing: {.val {missing}}.",
      x = if (length(unknown)) "Unknown: {.val {unknown}}.",
      i = if (length(guesses)) "Perhaps misspelt: {guesses}.",
      i = if (length(unknown) && !length(guesses)) hint
    ),
    call
  )
}

# Sentences like "helthy" for "healthy"; a label of which nothing would remain is no misspelling.
# Ten thousand pairs are enough to compare: of that many names, others are wrong than one or two.
likely_misspellings <- function(unknown, candidates) {
  if (!length(unknown) || !length(candidates)) return(character())
  candidates <- utils::head(candidates, 1e4)
  unknown <- utils::head(unknown, 1e4 %/% length(candidates))
  distance <- utils::adist(unknown, candidates, ignore.case = TRUE)
  nearest <- apply(distance, 1L, which.min)
  edits <- distance[cbind(seq_along(unknown), nearest)]
  size <- nchar(unknown)
  close <- edits < size & edits <= pmax(1, size %/% 3)
  sprintf("\"%s\" for \"%s\"", unknown, candidates[nearest])[close]
}

# Truths or decisions as a factor without missing levels: a factor keeps its levels,
# whole numbers are sorted as numbers, FALSE goes before TRUE, text is in C order.
label_factor <- function(x, arg, call) {
  if (is.factor(x)) return(check_factor(x, arg, call))
  if (is.character(x)) check_text(x, arg, abort_argument, call)
  whole <- is.numeric(x) && all(is.na(x) | (x == round(x) & abs(x) <= 2^53))
  if (!(is.character(x) || is.logical(x) || whole) || is.object(x) || !is.null(dim(x))) {
    got <- describe_value(x)
    abort_argument(
      "{.arg {arg}} must be a factor, text, logical or whole numbers, not {got}.", call
    )
  }
  read <- class_codes(x, sort(unique(x), method = "radix"), typeof(x))
  structure(read$codes, levels = read$levels, class = "factor")
}

check_factor <- function(x, arg, call) {
  levels <- levels(x)
  codes <- unclass(x)
  sound <- is.integer(codes) && is.character(levels) && !anyDuplicated(levels) &&
    all(is.na(codes) | (codes >= 1L & codes <= length(levels)))
  if (!sound) abort_argument("{.arg {arg}} is a damaged factor.", call)
  factor(levels[codes], levels[!is.na(levels)])
}
