# Shared by the likelihoods of counts: Poisson and negative binomial.

grid_of_counts <- function(bank, parameters, j, moments, range) {
  low <- max(0, floor(range[[1L]]))
  high <- max(low + 1, ceiling(range[[2L]]))
  unique(round(seq(low, high, length.out = min(513, high - low + 1))))
}

impossible_count <-
  "{.code likelihood_poisson(pseudo_count = 0.5, pseudo_exposure = 1)} keeps every rate above 0;
   counts are whole numbers, 0 or more."

unreadable_counts <- function() {
  list(
    problem = "no_count", found = "Counts must be whole numbers, 0 or more; some are not in",
    remedy = "For numbers that are not counts use {.fn likelihood_gaussian}."
  )
}
