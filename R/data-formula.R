# Finds the features of a formula. This file has its own parser because model.frame() would copy
# the data, and terms() is slow for thousands of columns.

# list(response, label, terms, formula): the class and its label, a list of calls, named by their
# labels, and the formula as a model keeps it.
read_formula <- function(formula, container, columns_of_weights, call) {
  if (!rlang::is_formula(formula, lhs = TRUE)) {
    abort_argument("{.arg formula} must name the class on its left side, as in {.code y ~ .}", call)
  }
  formula <- bare_formula(formula)
  response <- formula[[2L]]
  label <- term_label(response)
  if (rlang::is_call(response, "cbind") && length(response) > 2L) {
    abort_argument(c(
      "{.arg formula} must name one class on its left side, not {.code {label}}.",
      i = "{.fn interaction} makes one class of two."
    ), call)
  }
  signed <- signed_terms(formula[[3L]], call)
  if (!all(signed$plus)) {
    dropped <- Filter(is.name, signed$terms[!signed$plus])
    check_columns_there(unlist(lapply(dropped, columns_of)), container, abort_data, "data", call)
  }
  dot <- container$names[!container$names %in% c(all.vars(response), columns_of_weights)]
  if ("." %in% all.vars(formula[[3L]])) {
    check_column_names(container$names, dot, "data", abort_data, call)
  }
  terms <- resolve_terms(signed, dot)
  terms <- terms[names(terms) != label]
  list(response = response, label = label, terms = terms, formula = formula)
}

# The formula as a model keeps it: without its environment, and without the text of the file in
# which it was written, which R attaches to braces.
bare_formula <- function(formula) {
  # rlang 1.0.6 overflows the stack at hundreds of terms.
  if (any(c("{", "function") %in% all.names(formula))) formula <- rlang::zap_srcref(formula)
  attr(formula, ".Environment") <- NULL # nolint: object_name_linter.
  formula
}

# Columns from the dot are strings, not names: R stores a name in the locale's encoding.
is_column <- function(term) is.name(term) || is.character(term)

term_label <- function(term) {
  if (is_column(term)) return(as.character(term))
  paste(in_new_session(deparse(term, width.cutoff = 500L)), collapse = " ")
}

# The right side as a flat list of `terms`. `plus` is TRUE for an added term and FALSE for a removed
# one. The left operands are read in a loop: a sum of thousands of terms is nested too deeply for
# recursion.
signed_terms <- function(side, call, plus = TRUE) {
  if (!is_sum(side)) return(signed_operand(side, call, plus))
  parts <- list()
  while (is_sum(side)) {
    added <- identical(side[[1L]], quote(`+`))
    right <- signed_operand(side[[length(side)]], call, plus = plus == added)
    parts[[length(parts) + 1L]] <- right
    side <- if (length(side) == 3L) side[[2L]]
  }
  if (!is.null(side)) parts[[length(parts) + 1L]] <- signed_operand(side, call, plus)
  parts <- rev(parts)
  list(
    terms = do.call(c, lapply(parts, `[[`, "terms")),
    plus = as.logical(unlist(lapply(parts, `[[`, "plus")))
  )
}

is_sum <- function(side) {
  is.call(side) && length(side) %in% 2:3 && rlang::is_call(side, c("+", "-"), ns = "")
}

# One operand of a sum: a column, the dot, a function of columns, or 1, which adds no term.
signed_operand <- function(side, call, plus) {
  if (is.name(side)) return(list(terms = list(side), plus = plus))
  if (is.numeric(side) && length(side) == 1L && side == 1) {
    return(list(terms = list(), plus = logical()))
  }
  if (!is.call(side)) abort_term(side, call)
  head <- if (is.name(side[[1L]])) as.character(side[[1L]]) else ""
  if (head == "(" && length(side) == 2L) return(signed_terms(side[[2L]], call, plus))
  if (is_sum(side)) return(signed_terms(side, call, plus))
  no_terms <- c("(", "+", "-", ":", "*", "^", "%in%", "/", "offset", "|", "~")
  if (head %in% no_terms) abort_term(side, call)
  list(terms = list(side), plus = plus)
}

# The terms that remain after all additions and removals in order, named by label. `dot`: names of
# columns.
resolve_terms <- function(signed, dot) {
  terms <- lapply(signed$terms, function(term) {
    if (identical(term, quote(.))) return(stats::setNames(as.list(dot), dot))
    stats::setNames(list(term), term_label(term))
  })
  plus <- rep(signed$plus, lengths(terms))
  terms <- as.list(unlist(terms, recursive = FALSE))
  labels <- as.character(names(terms))
  # A formula without features has names, too.
  names(terms) <- labels
  if (all(plus) && !anyDuplicated(labels)) return(terms)
  present <- labels[plus & !duplicated(labels, fromLast = TRUE)]
  terms <- terms[plus & labels %in% present]
  terms[!duplicated(names(terms))]
}

abort_term <- function(term, call) {
  label <- if (is.character(term)) deparse1(term) else term_label(term)
  abort_argument(c(
    "The formula has the term {.code {label}}, which is no feature.",
    i = "Use {.code +} and {.code -} between columns or functions of them.",
    i = "For features that depend on each other: {.fn bayes_blocks}."
  ), call)
}

# Names in an expression that must be columns of the data. Constants of R, such as `pi`, need not.
data_names <- function(expression) {
  names <- all.vars(expression)
  names[!vapply(names, exists, NA, envir = baseenv(), inherits = FALSE)]
}

columns_of <- function(term) if (is_column(term)) as.character(term) else data_names(term)

# Returns the positions of the columns.
check_columns_there <- function(wanted, container, abort, arg, call) {
  positions <- match(wanted, container$names)
  if (!anyNA(positions)) return(invisible(positions))
  missing <- wanted[is.na(positions)]
  others <- setdiff(container$names, wanted)
  # At the fit, assume a misspelling in the formula; later, in the columns of the data.
  sides <- if (arg == "data") list(missing, others) else list(others, missing)
  abort_unknown(
    "{.arg {arg}} has no column {.field {missing}}.", sides[[1L]], sides[[2L]],
    "Its columns: {.field {utils::head(container$names, 20L)}}.", call, abort
  )
}

formula_enclosure <- function(formula) {
  enclosure <- environment(formula)
  if (is.null(enclosure)) globalenv() else enclosure
}
