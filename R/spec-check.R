# Checks of a specification that comes from outside.

# Returns the specification without the search that found it.
check_spec <- function(object, call) {
  if (is_marked(object, "specification")) return(plain_spec(object))
  object <- up_to_date(object, "specification", call)
  if (is_sound_spec(object)) return(plain_spec(object))
  check_places(call)
  abort_wanted(object, "object", "a specification", call, c(
    i = "Make one with {.fn bayes_naive}, {.fn bayes_full} or {.fn bayes_blocks}.",
    i = rows_of_groups_hint(object, call)
  ))
}

# The remedy for models of groups in place of a specification; NULL for other objects.
rows_of_groups_hint <- function(object, call) {
  terms <- attr(object, "by")
  if (!inherits(object, "bayesrisk_models") || !is.list(terms)) return(NULL)
  keys <- vapply(terms, function(term) code_in_formula(term$expression), "")
  name <- rlang::call_name(rlang::frame_call(call))
  code <- sprintf(
    "lapply(split(data, ~ %s), function(rows) %s(spec, formula, rows))",
    paste(keys, collapse = " + "), if (is.null(name)) "f" else name
  )
  paste0("For each group: ", code_text(code), ".")
}

# An operator means something else in a formula.
code_in_formula <- function(expression) {
  code <- deparse1(expression, backtick = TRUE)
  name <- if (is.call(expression)) rlang::call_name(expression)
  if (is.null(name) || make.names(name) == name) code else sprintf("I(%s)", code)
}

# A specification that is printed.
check_whole_spec <- function(x, call) {
  x <- up_to_date(x, "specification", call)
  check_unchanged(is_sound_spec(x), "specification", call)
  x
}

plain_spec <- function(spec) {
  if (!inherits(spec, "bayesrisk_search")) return(spec)
  attr(spec, "search") <- NULL
  class(spec) <- c("bayesrisk_spec", "bayesrisk_result")
  spec
}

# Whether the constructor makes the same specification of the same settings.
is_sound_spec <- function(spec) {
  if (is_marked(spec, "specification")) return(TRUE)
  if (!inherits(spec, "bayesrisk_spec") || !is.list(spec)) return(FALSE)
  plain <- plain_spec(spec)
  same <- tryCatch(identical(remade_spec(unclass(plain)), plain), error = function(e) FALSE)
  if (same) mark_sound(spec, "specification")
  same
}

# Settings that a structure does not use are the usual ones.
remade_spec <- function(settings) {
  if (!is_string(settings$structure)) return(NULL)
  settings$version <- NULL
  if (settings$structure == "known") return(remade_known(settings))
  unused <- switch(settings$structure,
    naive = c("blocks", "joint", gaussian_block_settings), full = "blocks", blocks = character(),
    stop("unknown structure")
  )
  settings <- settings[setdiff(names(settings), unused)]
  do.call(checked_spec, c(settings, list(call = NULL)), quote = TRUE)
}

remade_known <- function(settings) {
  given <- vapply(settings$features, function(likelihood) {
    is_sound_likelihood(likelihood) && has_given_parameters(likelihood)
  }, NA)
  prior <- check_prior_argument(settings$prior, "prior", NULL)
  if (all(given)) new_spec("known", features = settings$features, prior = prior)
}

abort_unfitted <- function(call) {
  abort_argument(
    "{.arg object} is a specification, which has seen no data: {.fn fit} it first.", call
  )
}
