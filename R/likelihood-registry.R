# The list of all likelihoods, and queries that apply to each of them.

# Records are created on first use.
made_records <- new.env(parent = emptyenv())

likelihood_records <- function() {
  if (is.null(made_records$all)) {
    all <- list(
      categorical_record(), gaussian_record(), gamma_record(), poisson_record(),
      negative_binomial_record(), histogram_record(), kernel_record(), empirical_record(),
      mixture_record(), joint_table_record(), multivariate_gaussian_record(),
      multivariate_mixture_record(), joint_histogram_record(), multinomial_record(),
      bernoulli_record(), poisson_bag_record(), gaussian_bag_record()
    )
    made_records$all <- stats::setNames(all, vapply(all, `[[`, "", "name"))
  }
  made_records$all
}

# The record of a likelihood or a bank; NULL for any other object.
record_of <- function(x) {
  name <- .subset2(x, if (inherits(x, "bayesrisk_likelihood")) "name" else "type")
  if (is.character(name) && length(name) == 1L) likelihood_records()[[name]]
}

# The record of the joint blocks of a likelihood; NULL if it has none.
joint_record <- function(likelihood) {
  name <- record_of(likelihood)$joint_as
  if (!is.null(name)) likelihood_records()[[name]]
}

# The names of the functions that make likelihoods of joint blocks of numbers.
joint_functions <- function() {
  has <- Filter(function(record) {
    record$kind == "numeric" && !is.null(record$joint_as)
  }, likelihood_records())
  paste0("likelihood_", names(has))
}

# Names of the functions that make likelihoods: for features of a kind, or only the likelihoods
# that accept known parameters.
likelihood_functions <- function(kinds = c("categorical", "numeric", "bag"), given = FALSE) {
  wanted <- Filter(function(record) {
    record$constructed && record$kind %in% kinds && (!given || length(record$given) > 0L)
  }, likelihood_records())
  paste0("likelihood_", names(wanted))
}

is_likelihood <- function(x) {
  if (!is.list(x) || !inherits(x, "bayesrisk_likelihood")) return(FALSE)
  record <- record_of(x)
  !is.null(record) && record$constructed &&
    inherits(x, paste0("bayesrisk_likelihood_", record$name))
}

# Whether the parameters of a likelihood are given, so that there is nothing to estimate.
has_given_parameters <- function(likelihood) {
  given <- unlist(record_of(likelihood)$given)
  !all(vapply(unclass(likelihood)[given], is.null, NA))
}

# Checks that a likelihood can be estimated and is for features of `kind` (NULL: any kind).
check_likelihood <- function(x, kind, arg, call) {
  if (!is_likelihood(x)) {
    those <- if (is.null(kind)) likelihood_functions() else likelihood_functions(kind)
    abort_wanted(x, arg, "a likelihood", call, c(i = "Likelihoods are made by {.fn {those}}."))
  }
  check_unchanged(is_sound_likelihood(x), "likelihood", call)
  if (!is.null(kind) && kind != record_of(x)$kind) {
    abort_argument(
      "{.arg {arg}} must be a likelihood of {kind} features, not {.val {x$name}}.", call
    )
  }
  if (has_given_parameters(x)) {
    abort_argument(c(
      "{.arg {arg}} must be a likelihood to estimate, but its parameters are given.",
      i = "A model with known parameters is made by {.code bayes_known()}."
    ), call)
  }
  x
}

# A likelihood is sound if its settings pass their checks and remain unchanged.
is_sound_likelihood <- function(x) {
  if (is_marked(x, "likelihood")) return(TRUE)
  if (!is_likelihood(x)) return(FALSE)
  settings <- c(unclass(x)[names(x) != "name"], list(call = NULL))
  same <- tryCatch(
    identical(new_likelihood(x$name, do.call(record_of(x)$check, settings, quote = TRUE)), x),
    error = function(e) FALSE
  )
  if (same) mark_sound(x, "likelihood")
  same
}

describe_likelihood <- function(likelihood) record_of(likelihood)$describe(likelihood)

#' @export
format.bayesrisk_likelihood <- function(x, ...) {
  check_unchanged(is_sound_likelihood(x), "likelihood", rlang::current_env())
  sprintf("%s features by %s.", capitalise(record_of(x)$kind), describe_likelihood(x))
}

#' @export
describe.bayesrisk_likelihood <- function(x, show) list(sentences_item(format(x)))

#' @export
result_rows.bayesrisk_likelihood <- function(x, call) {
  data.frame(part = "likelihood", setting = describe_likelihood(x))
}

# The log density of a bank as text: see likelihood-density.R.
log_density_text <- function(bank, parameters, to) {
  writer <- record_of(bank)$log_density
  if (is.null(writer)) abort_no_text(to, "has no formula")
  writer(bank, parameters, to)
}
