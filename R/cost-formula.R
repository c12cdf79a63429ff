# The formula of a cell becomes a quosure. Its environment holds the values that the formula names,
# as a model keeps them, and nothing else, so a cost takes no data along.

read_cell_formula <- function(value, place, action, call) {
  if (!is.null(rlang::f_lhs(value))) {
    written <- rlang::as_label(value)
    abort_argument(c(
      "Entry {.val {place}} of action {.val {action}} has two sides, {.code {written}}.",
      i = "The formula of a cost has one side: {.code ~ amount}."
    ), call)
  }
  expression <- rlang::zap_srcref(rlang::f_rhs(value))
  rlang::new_quosure(expression, cell_environment(expression, formula_enclosure(value)))
}

# Functions are looked up from the global environment, or from the package that makes the cost, as
# are the other values of this package.
cell_environment <- function(expression, enclosure) {
  top <- topenv(enclosure, NULL)
  values <- named_values(looked_up(expression), enclosure)
  own <- vapply(names(values), function(name) {
    found <- is.function(values[[name]]) || !identical(top, globalenv())
    !found || !identical(values[[name]], get0(name, top))
  }, NA)
  list2env(lapply(values[own], kept_or_described), parent = top)
}

# The names whose values a formula needs: neither arguments of its own functions nor parts.
looked_up <- function(x) {
  if (is.name(x)) return(setdiff(as.character(x), c("", ".data", ".env")))
  if (!is.call(x)) return(character())
  if (rlang::is_call(x, c("$", "@"))) {
    # `.env$fee` is the value fee, `.data$fee` a column.
    part <- if (identical(x[[2L]], quote(.env))) as.character(x[[3L]])
    return(unique(c(as.character(x[[1L]]), looked_up(x[[2L]]), part)))
  }
  if (rlang::is_call(x, "function")) return(setdiff(looked_up(x[[3L]]), names(x[[2L]])))
  unique(unlist(lapply(as.list(x), looked_up)))
}

# A column may have the name of a value that is not kept, so this is an error only where the cost is
# used.
kept_or_described <- function(value) {
  if (is_kept_value(plain_value(value))) return(plain_value(value))
  structure(list(describe_value(value)), class = "unkept_value")
}

check_kept_cell <- function(cell, where, columns, call) {
  unkept <- unkept_values(cell)
  unkept <- unkept[!names(unkept) %in% columns]
  if (!length(unkept)) return(invisible())
  name <- names(unkept)[[1L]]
  abort_schema(c(
    "The cost {.code {cell_text(cell)}} of {where} needs {.code {name}}, which is no column, and the
     cost does not keep its value: {unkept[[1L]]}.",
    i = "A formula keeps numbers and text, up to {most_kept_values} values of a name. Functions must
         be in the global environment.",
    i = "Compute the cost of each case as a column of the data."
  ), call)
}

# A sum of formulas has an environment for each of them.
unkept_values <- function(x) {
  if (!is.call(x)) return(NULL)
  own <- if (rlang::is_quosure(x)) {
    names <- looked_up(rlang::quo_get_expr(x))
    values <- mget(names, rlang::quo_get_env(x), ifnotfound = list(NULL))
    lapply(Filter(function(value) inherits(value, "unkept_value"), values), `[[`, 1L)
  }
  c(own, unlist(lapply(as.list(x), unkept_values), recursive = FALSE))
}
