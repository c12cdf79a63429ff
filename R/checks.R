# Small checks of arguments. Each returns its argument, unchanged or converted to a plain value.
# Each error names the argument.

describe_value <- function(x) {
  if (is.null(x)) return("NULL")
  if (is.atomic(x) && length(x) == 1L && is.null(attributes(x))) {
    return(if (is.character(x) && !is.na(x)) encodeString(x, quote = "\"") else format(x))
  }
  if (is.atomic(x) && is.null(attributes(x))) {
    article <- if (typeof(x) == "integer") "an" else "a"
    return(sprintf("%s %s vector of length %d", article, typeof(x), length(x)))
  }
  if (is.function(x)) return("a function")
  sprintf("an object of class %s and length %d", paste(class(x), collapse = "/"), length(x))
}

# Stops because an argument is not what it must be. `wanted`, `hints`: templates with the caller's
# variables.
abort_wanted <- function(x, arg, wanted, call, hints = NULL, abort = abort_argument,
                         envir = parent.frame()) {
  got <- describe_value(x)
  abort(
    c(paste0("{.arg {arg}} must be ", wanted, ", not {got}."), hints), call,
    envir = rlang::env(envir, arg = arg, got = got)
  )
}

check_number <- function(x, arg, min = -Inf, max = Inf, call = rlang::caller_env()) {
  is_number <- is.numeric(x) && !is.object(x) && length(x) == 1L && is.finite(x)
  if (is_number && x >= min && x <= max) return(as.double(x))
  abort_wanted(x, arg, paste0("one finite number", bounds_text(min, max)), call)
}

# The end of a message about numbers: their bounds.
bounds_text <- function(min, max) {
  if (is.finite(max)) return(sprintf(" from %s to %s", min, format(max, digits = 16L)))
  if (is.finite(min)) sprintf(", %s or more", min) else ""
}

check_whole_number <- function(x, arg, min = 0, max = .Machine$integer.max,
                               call = rlang::caller_env()) {
  x <- check_number(x, arg, min, max, call)
  if (x == round(x)) return(as.integer(x))
  abort_argument("{.arg {arg}} must be a whole number, not {x}.", call)
}

# The number of significant digits in print.
check_digits <- function(digits, call = rlang::caller_env(), default = few_digits()) {
  if (is.null(digits)) default else check_whole_number(digits, "digits", 1, 22, call)
}

is_string <- function(x) is.character(x) && !is.object(x) && length(x) == 1L && !is.na(x)

# `row_names`: as in as.data.frame(); NULL for none.
name_rows <- function(rows, row_names, call = rlang::caller_env()) {
  if (is.null(row_names)) return(rows)
  sound <- is.atomic(row_names) && length(row_names) == nrow(rows) && !anyNA(row_names) &&
    !anyDuplicated(row_names)
  if (!sound) {
    abort_wanted(row_names, "row.names", "{nrow(rows)} different names", call)
  }
  rownames(rows) <- row_names
  rows
}

check_string <- function(x, arg, call = rlang::caller_env()) {
  if (is_string(x)) return(x)
  abort_wanted(x, arg, "one string", call)
}

is_flag <- function(x) is.logical(x) && !is.object(x) && length(x) == 1L && !is.na(x)

is_model <- function(x) inherits(x, "bayesrisk_model")

check_flag <- function(x, arg, call = rlang::caller_env()) {
  if (is_flag(x)) return(as.vector(x))
  abort_wanted(x, arg, "TRUE or FALSE", call)
}

# Some of the choices, each once.
check_some <- function(x, choices, arg, call) {
  if (is_plain(x, is.character) && all(x %in% choices) && !anyDuplicated(x)) return(as.vector(x))
  abort_wanted(x, arg, "one or more of {.or {.val {choices}}}", call)
}

# `call`: the frame of the function that the user called. It is returned, and the error suggests the
# arguments of this function.
check_no_dots <- function(..., call = parent.frame()) {
  if (...length() == 0L) return(invisible(call))
  named <- ...names()
  named <- named[!is.na(named) & nzchar(named)]
  if (!length(named)) abort_argument("There is an argument without a name that is not used.", call)
  arguments <- setdiff(names(formals(sys.function(frame_number(call)))), "...")
  guesses <- likely_arguments(named, arguments)
  abort_argument(c(
    "Unused argument{?s}: {.arg {named}}.",
    i = if (length(guesses)) "Perhaps misspelt: {.arg {guesses}}.",
    i = if (!length(guesses)) "The arguments are {.arg {arguments}}."
  ), call)
}

# The number of a frame in the call stack; NULL if no function runs in it.
frame_number <- function(frame) {
  running <- which(vapply(sys.frames(), identical, NA, frame))
  if (length(running)) running[[length(running)]]
}

# For each name, the arguments that start with it or have the same letters in another order. If
# there are none, the argument that the name misspells.
likely_arguments <- function(given, arguments) {
  sorted <- function(x) vapply(strsplit(x, ""), function(letters) toString(sort(letters)), "")
  guesses <- lapply(given, function(name) {
    likely <- arguments[startsWith(arguments, name) | sorted(arguments) == sorted(name)]
    if (length(likely)) likely else nearest_labels(name, arguments)
  })
  unique(stats::na.omit(unlist(guesses)))
}

# The option is documented in bayesrisk-package.R.
default_threads <- function() getOption("bayesrisk.threads", 1L)

check_threads <- function(threads, call = rlang::caller_env()) {
  if (identical(threads, 1L)) return(threads)
  threads <- check_whole_number(threads, "threads", min = 1, max = 1024, call = call)
  limit <- Sys.getenv("OMP_THREAD_LIMIT")
  if (!nzchar(limit)) return(threads)
  limit <- suppressWarnings(as.integer(limit))
  if (!is.na(limit) && limit >= 1L) min(threads, limit) else threads
}

# The seed of the engine's own generator, not of R's.
check_seed <- function(seed, call = rlang::caller_env()) {
  check_whole_number(seed, "seed", call = call)
}

# A probability that is neither 0 nor 1, such as that of an interval.
check_level <- function(level, call = rlang::caller_env(), arg = "level", such = 0.95) {
  level <- check_number(level, arg, 0, 1, call)
  if (level > 0 && level < 1) return(level)
  abort_argument("{.arg {arg}} must be between 0 and 1, such as {such}, not {level}.", call)
}

check_file <- function(file, arg, call) {
  file <- check_string(file, arg, call)
  if (!file.exists(file) || dir.exists(file)) {
    abort_argument("{.arg {arg}}: there is no file {.file {file}}.", call)
  }
  normalizePath(file)
}

# `user`: the function that needs the package.
check_package <- function(package, user, call) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort_argument(c(
    "{.fn {user}} needs the package {.pkg {package}}, which is not installed.",
    i = "Install it: {.code install.packages(\"{package}\")}."
  ), call)
}

# A missing argument becomes NULL, so that it can be passed on.
maybe <- function(x) if (missing(x)) NULL else x

# A vector or list in parts of `size` elements; the last part may have fewer.
in_batches <- function(x, size) unname(split(x, (seq_along(x) - 1L) %/% size))

is_plain <- function(x, kind) {
  kind(x) && !is.object(x) && is.null(dim(x)) && length(x) > 0L && !anyNA(x)
}

# For each kind, the last two objects that a constructor made or a check found sound. An identical
# object needs no check. R copies a part before it changes it, and compares parts by address first.
last_sound <- new.env(parent = emptyenv())

# Returns the object.
mark_sound <- function(object, kind) {
  assign(kind, list(now = object, before = last_sound[[kind]]$now), last_sound)
  object
}

is_marked <- function(object, kind) {
  last <- last_sound[[kind]]
  !is.null(object) && (identical(last$now, object) || identical(last$before, object))
}

# compute(). For each kind, the value of the last `key` is remembered. Errors are not. 0 and -0 are
# different keys.
known_value <- function(kind, key, compute) {
  last <- last_values[[kind]]
  if (!is.null(last) && identical(last$key, key, num.eq = FALSE)) return(last$value)
  value <- compute()
  assign(kind, list(key = key, value = value), last_values)
  value
}

last_values <- new.env(parent = emptyenv())

# Code that takes one model of models of groups.
group_taken <- function(name, models) {
  label <- encodeString(c(names(models), "...")[[1L]], quote = "\"")
  sprintf("%s[[%s]]", name, label)
}

# The remedy if one model is needed and models of groups are given; NULL for other objects.
group_hint <- function(x) {
  if (!inherits(x, "bayesrisk_models")) return(NULL)
  paste0("Take the model of a group: ", code_text(group_taken("models", x)), ".")
}

# How to make a model of one that as_bayes_model() takes.
conversion_hint <- function(x) {
  methods <- sprintf("as_bayes_model.%s", class(x))
  if (is.object(x) && any(methods %in% ls(topenv()))) "{.fn as_bayes_model} makes one of it."
}

# Checks of numeric vectors whose entries belong to classes, levels or features.

# `x` as plain finite doubles, `min` or more. Names are kept and must be unique. A one-way table,
# for example prop.table(table(y)), is accepted too.
check_numbers <- function(x, arg, min = -Inf, max = Inf, call = rlang::caller_env()) {
  plain <- is.numeric(x) && (!is.object(x) || inherits(x, "table")) && length(dim(x)) < 2L
  if (!plain || length(x) == 0L) {
    abort_wanted(x, arg, "a numeric vector", call)
  }
  bad <- !is.finite(x) | x < min | x > max
  if (any(bad)) {
    bounds <- bounds_text(min, max)
    bad <- format(as.double(x)[bad], trim = TRUE)
    abort_argument("{.arg {arg}} must hold finite numbers{bounds}, not {bad}.", call)
  }
  check_distinct_names(names(x), arg, call)
  stats::setNames(as.double(x), names(x))
}

# The tolerance allows for probabilities that were rounded.
sums_to_one <- function(x) abs(sum(x) - 1) <= 1e-8

# `empty`: whether a name may be empty text, as levels may.
check_distinct_names <- function(names, arg, call = rlang::caller_env(), empty = FALSE) {
  if (is.null(names)) return(invisible())
  if (anyNA(names) || !empty && !all(nzchar(names))) {
    abort_argument("{.arg {arg}} must be named throughout: a name is missing.", call)
  }
  if (anyDuplicated(names)) {
    twice <- unique(names[duplicated(names)])
    abort_argument(
      "{.arg {arg}} has the {cli::qty(twice)} name{?s} {.val {twice}} more than once.", call
    )
  }
  invisible()
}

# The positions of `expected` in `names`. Both must hold the same names: those of the classes, or
# of the levels of `feature`.
match_names <- function(names, expected, arg, feature = NULL, call = rlang::caller_env()) {
  what <- if (is.null(feature)) "the classes" else "the levels of {.field {feature}}"
  # Lazy evaluation: the headline is written only if names differ, because writing takes longer than
  # comparing.
  check_same_names(
    names, expected, cli::format_inline("The names of {.arg {arg}} must be ", what, "."), call
  )
  match(expected, names)
}

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
