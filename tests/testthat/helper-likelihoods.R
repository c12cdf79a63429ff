# Examples of each likelihood. helper-valid.R damages them, and helper-random.R draws with them. A
# likelihood needs a line here in three cases only: its constructor needs an argument, other
# settings than the defaults need tests, or its known parameters are not two positive numbers named
# by class.

single_records <- function() {
  records <- utils::getFromNamespace("likelihood_records", "bayesrisk")()
  Filter(function(record) record$constructed, records)
}

# The arguments of a call of each constructor, by its name.
likelihood_calls <- function() {
  needed <- list(
    histogram = list(width = 1)
  )
  names <- names(single_records())
  calls <- lapply(names, function(name) if (name %in% names(needed)) needed[[name]] else list())
  stats::setNames(calls, paste0("likelihood_", names))
}

# Known distributions in the classes a and b, by the name of the likelihood.
known_examples <- function() {
  given <- list(
    categorical = list(table = rbind(a = c(u = 0.1, v = 0.9), b = c(0.5, 0.5))),
    gaussian = list(mean = c(a = 1, b = 2), sd = 1),
    mixture = list(weights = list(a = c(0.5, 0.5), b = 1), mean = list(a = c(0, 3), b = 1),
                   sd = list(a = c(1, 2), b = 1)),
    negative_binomial = list(size = c(a = Inf, b = 2), mean = c(a = 1, b = 3)),
    histogram = list(breaks = c(0, 1, 3), table = rbind(a = c(0.5, 0.5), b = c(0, 1))),
    multinomial = list(table = rbind(a = c(t = 0.5, u = 0.5), b = c(0.2, 0.8))),
    bernoulli = list(table = rbind(a = c(t = 0.5, u = 1), b = c(0.2, 0)))
  )
  records <- Filter(function(record) length(record$given) > 0L, single_records())
  lapply(records, function(record) {
    settings <- given[[record$name]]
    if (is.null(settings)) {
      names <- record$given[[1L]]
      settings <- stats::setNames(rep(list(c(a = 1, b = 2)), length(names)), names)
    }
    do.call(paste0("likelihood_", record$name), settings)
  })
}

# A likelihood of numbers that can be estimated.
random_likelihood <- function() {
  varied <- list(
    gaussian = function() {
      one_of(list(likelihood_gaussian(min_variance = one_of(c(0, 1e-9, 1))),
                  likelihood_gaussian(variance = "ml")))
    },
    histogram = function() likelihood_histogram(laplace = one_of(c(0, 1))),
    kernel = function() likelihood_kernel(points = 64),
    mixture = function() likelihood_mixture(one_of(list(1, 2, 1:3)), starts = 2, points = 64)
  )
  numeric <- Filter(function(record) record$kind == "numeric", single_records())
  name <- one_of(names(numeric))
  if (name %in% names(varied)) varied[[name]]() else get(paste0("likelihood_", name))()
}

# The mixture of test-likelihood-mixture.R, which names its source.
two_humps <- function() {
  likelihood_mixture(
    weights = list(C1 = c(.7, .3), C2 = 1),
    mean = list(C1 = c(3, 5.8), C2 = 5.8), sd = list(C1 = c(.9, .8), C2 = .95)
  )
}

# A likelihood of bags: of its own, or that of single features.
random_bag_likelihood <- function() {
  laplace <- one_of(c(0, 1, 0.5, 1e-300))
  one_of(list(
    likelihood_multinomial(laplace), likelihood_bernoulli(laplace),
    likelihood_multinomial(1, complement = TRUE, normalise = one_of(c(FALSE, TRUE))),
    likelihood_poisson(pseudo_count = laplace, pseudo_exposure = laplace), likelihood_gaussian()
  ))
}
