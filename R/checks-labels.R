# Names of actions and classes. Costs, decisions and truths are always matched by name, so each
# name must be present and unique. An error explains names that do not match.

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

# `headline` is a finished sentence (see cli::format_inline()), not a template. `hint` explains
# the names; it is shown when no unknown name looks like a misspelling.
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

# Text such as "helthy" for "healthy". A label is no misspelling if every letter would change. At
# most ten thousand pairs are compared: if more names are unknown, misspellings are not the cause.
likely_misspellings <- function(unknown, candidates) {
  nearest <- nearest_labels(unknown, candidates)
  close <- !is.na(nearest)
  sprintf("\"%s\" for \"%s\"", unknown[seq_along(nearest)][close], nearest[close])
}

# The candidate that each label is a misspelling of; NA for none.
nearest_labels <- function(unknown, candidates) {
  if (!length(unknown) || !length(candidates)) return(character())
  candidates <- utils::head(candidates, 1e4)
  unknown <- utils::head(unknown, 1e4 %/% length(candidates))
  distance <- utils::adist(unknown, candidates, ignore.case = TRUE)
  nearest <- apply(distance, 1L, which.min)
  edits <- distance[cbind(seq_along(unknown), nearest)]
  size <- nchar(unknown)
  close <- edits < size & edits <= pmax(1, size %/% 3)
  ifelse(close, candidates[nearest], NA)
}

# Stops because of unknown names. `headline` and `hint`: templates with the caller's variables;
# `candidates`: the names that the unknown ones may misspell.
abort_unknown <- function(headline, unknown, candidates, hint, call, abort = abort_argument,
                          envir = parent.frame()) {
  guesses <- likely_misspellings(unknown, candidates)
  abort(c(
    headline, i = if (length(guesses)) "Perhaps misspelt: {guesses}.", i = hint
  ), call, envir = rlang::env(envir, guesses = guesses))
}

check_known_features <- function(given, known, arg, call) {
  unknown <- setdiff(given, known)
  if (!length(unknown)) return(invisible())
  abort_unknown(
    "{.arg {arg}} names {.field {unknown}}, which {?is/are} no feature{?s} of the model.",
    unknown, setdiff(known, given), "Features: {.field {utils::head(known, 20L)}}.", call
  )
}

# Text that is marked as bytes has no characters, so it can be neither compared nor printed.
check_text <- function(levels, name, abort, call) {
  if (!is.character(levels) || !any(Encoding(levels) == "bytes")) return(levels)
  abort(c(
    "{.field {name}} holds text that is marked as bytes.",
    i = "Declare its encoding, for example by {.code Encoding(x) <- \"latin1\"}."
  ), call)
}
