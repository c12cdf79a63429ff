# Checks of a specification that comes from outside.

# Returns the specification without the search that found it. Equal specifications share one object,
# so a fit soon recognises what follows from it.
check_spec <- function(object, call) {
  known_value("specification", object, function() {
    object <- up_to_date(object, "specification", call)
    if (is_sound_spec(object)) return(plain_spec(object))
    abort_argument(c(
      "{.arg object} must be a specification, not {describe_value(object)}.",
      i = "Make one with {.fn bayes_naive}, {.fn bayes_full} or {.fn bayes_blocks}."
    ), call)
  })
}

# A specification that is printed.
check_whole_spec <- function(x, call) {
  x <- up_to_date(x, "specification", call)
  check_unchanged(is_sound_spec(x), "specification", call)
  x
}

plain_spec <- function(spec) {
  attr(spec, "search") <- NULL
  class(spec) <- c("bayesrisk_spec", "bayesrisk_result")
  spec
}

is_sound_spec <- function(spec) {
  is.null(problem_unless_known("specification", spec, function() {
    if (!has_sound_parts(spec)) "it has lost a part"
  }))
}

has_sound_parts <- function(spec) {
  if (!inherits(spec, "bayesrisk_spec") || !is.list(spec)) return(FALSE)
  parts <- unclass(spec)
  structures <- c("naive", "full", "blocks", "known")
  identical(names(parts), c(names(formals(new_spec)), "version")) &&
    is_string(parts$structure) && parts$structure %in% structures &&
    are_sound_blocks(parts$blocks) &&
    are_sound_likelihoods(parts) && is_sound_joint(parts) &&
    is_sound_covariance(parts$covariance, parts$shrinkage, parts$identity, parts$borrow) &&
    is_string(parts$missing) && parts$missing %in% c("complete", "em") &&
    (is.null(parts$temper) || is_string(parts$temper) && parts$temper %in% temper_parts) &&
    is_string(parts$degenerate) && parts$degenerate %in% c("pool", "stop") &&
    is_sound_prior(parts$prior)
}

are_sound_blocks <- function(blocks) {
  if (!is.list(blocks)) return(FALSE)
  if (length(blocks) == 0L) return(TRUE)
  is_label_set(names(blocks)) && all(lengths(blocks) > 0L) &&
    all(vapply(blocks, is_label_set, NA)) && !anyDuplicated(unlist(blocks))
}

# The likelihoods of a known model have given parameters; all other likelihoods have none.
are_sound_likelihoods <- function(spec) {
  features <- spec$features
  if (!is.list(features) || length(features) > 0L && !is_label_set(names(features))) return(FALSE)
  known <- spec$structure == "known"
  chosen <- vapply(features, function(likelihood) {
    is_sound_likelihood(likelihood) && has_given_parameters(likelihood) == known
  }, NA)
  all(chosen) && is_likelihood_of(spec$categorical, "categorical") &&
    is_likelihood_of(spec$numeric, "numeric") &&
    (is.null(spec$bag) || is_likelihood_of(spec$bag, c("bag", "numeric")))
}

# `kind`: one of these.
is_likelihood_of <- function(likelihood, kind) {
  is_sound_likelihood(likelihood) && record_of(likelihood)$kind %in% kind &&
    !has_given_parameters(likelihood)
}

is_sound_covariance <- function(covariance, shrinkage, identity, borrow) {
  are_numbers <- vapply(list(shrinkage, identity, borrow), function(x) {
    is_plain(x, is.double) && length(x) == 1L && is.finite(x) && x >= 0
  }, NA)
  if (!all(are_numbers) || !is_string(covariance) || identity > 1) return(FALSE)
  if (covariance == "pooled") return(shrinkage == 0 && borrow == 0)
  covariance == "class" && shrinkage <= 1
}

is_sound_prior <- function(prior) {
  if (is.null(prior) || identical(prior, "uniform")) return(TRUE)
  is_plain(prior, is.double) && all(prior >= 0) && sums_to_one(prior) &&
    (is.null(names(prior)) || is_label_set(names(prior)))
}
