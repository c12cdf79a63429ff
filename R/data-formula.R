# Formulas: which columns are features. A walker of its own, because
# model.frame() would copy the data and terms() is slow at thousands of columns.

# list(response = call, terms = list of calls, named by their labels)
read_formula <- function(formula, names, weights_columns, call) {
  if (!rlang::is_formula(formula, lhs = TRUE)) {
    abort_argument("{.arg formula} must name the class on its left side, as in {.code y ~ .}", call)
  }
  response <- formula[[2L]]
  dot <- setdiff(names, c(all.vars(response), weights_columns))
  terms <- walk_terms(formula[[3L]], lapply(dot, as.name), list(), call)
  labels <- vapply(terms, term_label, "")
  terms <- terms[!duplicated(labels)]
  labels <- unique(labels)
  in_terms <- labels == term_label(response)
  list(response = response, terms = stats::setNames(terms, labels)[!in_terms])
}

term_label <- function(term) {
  if (is.name(term)) return(as.character(term))
  paste(deparse(term, width.cutoff = 500L), collapse = " ")
}

# `terms` so far, plus or minus what `side` adds.
walk_terms <- function(side, dot, terms, call) {
  if (is.numeric(side) && length(side) == 1L && side == 1) return(terms)
  if (is.name(side)) return(c(terms, if (identical(side, quote(.))) dot else list(side)))
  if (!is.call(side)) abort_term(side, call)
  head <- if (is.name(side[[1L]])) as.character(side[[1L]]) else ""
  if (head == "(") return(walk_terms(side[[2L]], dot, terms, call))
  if (head == "+" && length(side) == 2L) return(walk_terms(side[[2L]], dot, terms, call))
  if (head == "+") {
    return(walk_terms(side[[3L]], dot, walk_terms(side[[2L]], dot, terms, call), call))
  }
  if (head == "-") {
    gone <- vapply(walk_terms(side[[length(side)]], dot, list(), call), term_label, "")
    left <- if (length(side) == 2L) terms else walk_terms(side[[2L]], dot, terms, call)
    return(left[!vapply(left, term_label, "") %in% gone])
  }
  if (head %in% c(":", "*", "^", "%in%", "/", "offset", "|", "~")) abort_term(side, call)
  c(terms, list(side))
}

abort_term <- function(term, call) {
  label <- term_label(term)
  abort_argument(c(
    "The formula has the term {.code {label}}, which is no feature.",
    i = "Use {.code +} and {.code -} between columns or functions of them.",
    i = "For features that depend on each other: {.fn bayes_blocks}."
  ), call)
}

# Names in an expression that the data must have: constants of R are not asked for.
data_names <- function(expression) {
  names <- all.vars(expression)
  names[!vapply(names, exists, NA, envir = baseenv(), inherits = FALSE)]
}

term_columns <- function(expressions) {
  unique(unlist(lapply(expressions, function(e) {
    if (is.name(e)) as.character(e) else data_names(e)
  })))
}

check_columns_there <- function(wanted, container, abort, arg, call) {
  missing <- setdiff(wanted, container$names)
  if (length(missing)) {
    guesses <- likely_misspellings(setdiff(container$names, wanted), missing)
    abort(c(
      "{.arg {arg}} has no column {.field {missing}}.",
      i = if (length(guesses)) "Perhaps misspelt: {guesses}.",
      i = "Its columns: {.field {utils::head(container$names, 20L)}}."
    ), call)
  }
}

# A function of columns, evaluated in the data.
evaluate_in <- function(expression, container, enclosure, label, abort, call) {
  columns <- container_list(container, intersect(all.vars(expression), container$names))
  value <- tryCatch(eval(expression, columns, enclosure), error = function(e) {
    reason <- conditionMessage(e)
    abort("{.code {label}} cannot be computed: {reason}", call)
  })
  if (inherits(value, "AsIs")) class(value) <- setdiff(class(value), "AsIs")
  value
}

evaluate_term <- function(expression, container, enclosure, label, abort, call) {
  value <- evaluate_in(expression, container, enclosure, label, abort, call)
  if (length(value) != container$rows) {
    abort("{.code {label}} has {length(value)} value{?s} for {container$rows} row{?s}.", call)
  }
  value
}
