# Checks that a file holds only data and a formula. The terms of the formula are evaluated whenever
# rows are read, so they may call only the functions of a list: other code would be run by the file.

# These functions compute values from their arguments and do nothing else: none evaluates text,
# calls a function that it is given, or reads and changes anything outside. So `[` is here, and
# sapply(), get() and `$` are not.
functions_in_files <- c(
  "I", "(", "+", "-", "*", "/", "^", "%%", "%/%",
  "==", "!=", "<", "<=", ">", ">=", "!", "&", "|", "xor", "%in%", "match", "ifelse",
  "is.na", "is.nan", "is.finite", "is.infinite",
  "abs", "sign", "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p",
  "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
  "floor", "ceiling", "trunc", "round", "signif", "pmin", "pmax",
  "gamma", "lgamma", "beta", "lbeta", "factorial", "choose", "lchoose",
  "plogis", "qlogis", "pnorm", "qnorm", "dnorm",
  "c", ":", "seq", "[", "cbind", "rowSums", "rowMeans",
  "cut", "findInterval", "factor", "ordered", "as.factor", "interaction",
  "as.numeric", "as.double", "as.integer", "as.logical", "as.character",
  "as.Date", "as.POSIXct", "as.difftime", "difftime", "format", "weekdays", "months", "quarters",
  "julian", "nchar", "substr", "substring", "tolower", "toupper", "trimws", "startsWith",
  "endsWith", "grepl", "sub", "gsub", "chartr", "paste", "paste0", "sprintf", "strtoi"
)

constants_in_files <- c("pi", "T", "F", "letters", "LETTERS", "month.abb", "month.name")

# A kept value of such a name would change what a term means without a change of its text.
named_in_files <- c(functions_in_files, constants_in_files)

# Beyond these sizes R's own functions could overflow the stack.
deepest_term <- 250L
most_terms <- 20000L

# The parts of a formula and of its features that need the user's consent: those that call other
# functions, or use values that are neither columns nor kept.
foreign_code <- function(schema, call) {
  formula <- schema$formula
  expressions <- lapply(unname(schema$features), `[[`, "expression")
  # The class is evaluated as a whole, the right side term by term.
  terms <- c(if (is.call(formula)) c(list(formula[[2L]]), summands(formula[[3L]])), expressions)
  if (any(vapply(terms, is_deeper, NA, deepest_term))) {
    abort_object(
      "The formula is nested more than {deepest_term} levels deep, or has more than {most_terms}
       terms.", call
    )
  }
  other <- vapply(schema$features, uses_other_values, NA)
  unique(c(Filter(Negate(is_known_code), terms), expressions[other]))
}

# The operands of a sum. R's own functions would go down a sum of many terms by recursion.
summands <- function(side) {
  terms <- list()
  while (is_sum(side) && length(terms) < most_terms) {
    terms[[length(terms) + 1L]] <- side[[length(side)]]
    side <- if (length(side) == 3L) side[[2L]]
  }
  c(terms, list(side))
}

is_deeper <- function(x, levels) {
  is.call(x) && (levels == 0L || any(vapply(as.list(x), is_deeper, NA, levels - 1L)))
}

is_known_code <- function(x) {
  if (is.name(x)) return(TRUE)
  if (!is.call(x)) return(is.null(x) || is_plain_value(x))
  is.name(x[[1L]]) && as.character(x[[1L]]) %in% functions_in_files && is.null(attributes(x)) &&
    all(vapply(as.list(x)[-1L], is_known_code, NA))
}

uses_other_values <- function(feature) {
  known <- c(feature$columns, names(feature$values), constants_in_files)
  is.call(feature$expression) && (
    !all(all.vars(feature$expression) %in% known) || any(names(feature$values) %in% named_in_files)
  )
}

# An expression in full, in ASCII: no character hides a part of it or looks like another one.
text_of_code <- function(x) {
  text <- deparse1(x, control = c("keepNA", "keepInteger", "digits17"))
  iconv(enc2utf8(text), "UTF-8", "ASCII", "Unicode")
}

# Data ---------------------------------------------------------------------------------------------

data_types <- c("double", "integer", "logical", "character", "list")
data_attributes <- c("names", "dim", "dimnames", "class", "levels", "units", "tzone")

# Classes of vectors whose methods are R's own.
data_classes <- list(
  c("ordered", "factor"), "factor", "Date", c("POSIXct", "POSIXt"), "difftime"
)

is_plain_value <- function(x) {
  kept <- attributes(x)
  is.atomic(x) && (is.null(kept$class) || list(kept$class) %in% data_classes) && !isS4(x) &&
    are_plain(kept)
}

# The value without what other packages have added to it: an IDate is a Date.
plain_value <- function(x) {
  if (!is.atomic(x) || is.null(attributes(x))) return(x)
  kept <- attributes(x)[names(attributes(x)) %in% data_attributes]
  plain <- Filter(function(class) all(class %in% kept$class), data_classes)
  if (length(plain)) kept$class <- plain[[1L]]
  attributes(x) <- kept
  x
}

are_plain <- function(attributes) {
  all(names(attributes) %in% data_attributes) && all(vapply(attributes, holds_only_data, NA))
}

held_classes <- "^bayesrisk_(model|statistics|spec|result|likelihood|likelihood_[a-z_]+)$"

# The parts of a schema that are calls.
code_fields <- c("formula", "expression")

# Whether an object consists of plain values, and of lists of them without a class or with one of
# the package. A formula or an expression is allowed where it belongs. Nothing is evaluated here,
# not even a promise, which an RDS file may hold.
holds_only_data <- function(x) {
  if (is.atomic(x) && is.null(attributes(x))) return(TRUE)
  if (typeof(x) != "list") return(is.null(x) || is_plain_value(x))
  parts <- unclass(x)
  types <- vapply(parts, typeof, "")
  code <- types == "language" & seq_along(parts) %in% which(names(parts) %in% code_fields)
  kept <- attributes(x)
  all(grepl(held_classes, as.character(kept$class))) &&
    (identical(names(kept), "names") || are_plain(kept)) &&
    (!any(code) || all(vapply(parts[code], holds_only_calls, NA))) &&
    all(vapply(parts[!(code | types == "NULL")], holds_only_data, NA))
}

# Looks at all calls of a level at a time, because a sum of many terms is nested deeply. Methods of
# a class could evaluate a call, so only a whole formula has one.
holds_only_calls <- function(x) {
  if (identical(attributes(x), list(class = "formula"))) attributes(x) <- NULL
  level <- list(x)
  while (length(level)) {
    types <- vapply(level, typeof, "")
    if (any(vapply(level, is.object, NA) & !types %in% data_types)) return(FALSE)
    calls <- types %in% c("language", "pairlist")
    if (!all(calls | types %in% c("symbol", "NULL", "complex", data_types))) return(FALSE)
    level <- unlist(lapply(level[calls], as.list), recursive = FALSE)
  }
  TRUE
}
