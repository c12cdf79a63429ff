# What every likelihood has: a name, settings, and the kinds of feature it models.

new_likelihood <- function(name, ...) {
  structure(
    list(name = name, ...),
    class = c(paste0("bayesrisk_likelihood_", name), "bayesrisk_likelihood")
  )
}

# Each likelihood has a method for these two: the kinds of feature that it can
# model ("categorical", "numeric"), and how, as the end of a sentence that begins
# with "features by".
likelihood_kinds <- function(likelihood) UseMethod("likelihood_kinds")
describe_likelihood <- function(likelihood) UseMethod("describe_likelihood")

# Single features of a likelihood stand in one bank, whose type is its name; FALSE: in
# one each.
shares_bank <- function(likelihood) UseMethod("shares_bank")

#' @export
shares_bank.default <- function(likelihood) TRUE

# A feature with what the likelihood must know of the data before rows are counted; `range`:
# a function that looks (see FeatureRange). What the feature has already stays.
settle_feature <- function(likelihood, feature, range, call) UseMethod("settle_feature")

#' @export
settle_feature.default <- function(likelihood, feature, range, call) feature

# For a likelihood whose parameters can be given to bayes_known(), as its argument `name`:
# list(features, parameters), the parameters in the order of `classes`; of a joint block
# also its name and the type of its bank.
known_part <- function(likelihood, name, classes, call) UseMethod("known_part")

#' @export
likelihood_kinds.default <- function(likelihood) character()

is_likelihood <- function(x) {
  is.list(x) && inherits(x, "bayesrisk_likelihood") && length(likelihood_kinds(x)) > 0L
}

# Parameters that were given leave nothing to estimate.
has_given_parameters <- function(likelihood) {
  given <- unclass(likelihood)[c("table", "mean", "sd", "covariance", "rate")]
  !all(vapply(given, is.null, logical(1)))
}

# Whatever follows from other parts is sound when it would be made of them again; `made` may
# have lost its last digits.
is_made_again <- function(made, x) {
  failed <- function(e) FALSE
  tryCatch(identical(made, x) || isTRUE(all.equal(made, x)), error = failed, warning = failed)
}

# Its constructor bears its name.
is_sound_likelihood <- function(x) {
  if (!is_likelihood(x) || !is_string(x$name)) return(FALSE)
  constructor <- get(paste0("likelihood_", x$name), topenv(), mode = "function")
  is_made_again(do.call(constructor, unclass(x)[names(x) != "name"], quote = TRUE), x)
}
