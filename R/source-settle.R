# Bins that depend on all rows are settled before the pieces of a source are counted.

# What is asked of cases for bins: list(features, ranges). `features`: schema entries, of which only
# name and kind count. `ranges`: named by numeric feature.
find_ranges <- function(cases, request, call) {
  features <- cases$schema$features
  numeric <- which(feature_kinds(cases$schema) == "numeric")
  ranges <- lapply(numeric, function(j) case_range(cases, j, FALSE, call))
  list(features = features, ranges = stats::setNames(ranges, names(features)[numeric]))
}

merge_ranges <- function(a, b, call) {
  a$features <- add_known(a$features, b$features)
  both <- intersect(names(a$ranges), names(b$ranges))
  a$ranges[both] <- Map(unite_ranges, a$ranges[both], b$ranges[both])
  a$ranges <- add_known(a$ranges, b$ranges)
  a
}

unite_ranges <- function(a, b) {
  if (a$weight == 0) return(b)
  if (b$weight == 0) return(a)
  list(
    weight = a$weight + b$weight, lowest = min(a$lowest, b$lowest),
    highest = max(a$highest, b$highest), lower_quartile = NaN, upper_quartile = NaN
  )
}

# The request with the bins of the features whose likelihoods need all rows. A model that is
# updated has its bins.
settle_request <- function(data, request, call) {
  spec <- request$spec
  joint <- if (is_likelihood(spec$joint)) list(spec$joint) else spec$joint
  likelihoods <- c(if (spec$structure != "full") spec["numeric"], spec$features, joint)
  together <- vapply(likelihoods, needs_all_rows, NA)
  settled <- !is.null(request$schema) || !is.null(request$bins)
  if (settled || !any(together)) return(request)
  request$bins <- list()
  piece <- collect_piece(
    data, replace(request, c("of_cases", "merge"), list(find_ranges, merge_ranges)), call
  )
  seen <- piece$value
  if (is.null(seen)) return(request)
  request["known"] <- list(piece$known)
  schema <- list(features = seen$features)
  likelihoods <- assign_likelihoods(spec, schema, call)$settling
  needing <- vapply(likelihoods$all, needs_all_rows, NA)[likelihoods$of]
  features <- schema$features[needing]
  likelihoods <- likelihoods$all[likelihoods$of[needing]]
  values <- NULL
  range <- function(name, quartiles) {
    if (!quartiles) return(seen$ranges[[name]])
    if (is.null(values)) values <<- collect_values(data, names(features), request, call)
    value_range(values, name, call)
  }
  settled <- Map(function(likelihood, feature) {
    of_feature <- function(quartiles = FALSE) range(feature$name, quartiles)
    record_of(likelihood)$settle(likelihood, feature, of_feature, call)$bins
  }, likelihoods, features)
  request$bins <- stats::setNames(settled, names(features))
  request
}

asks_ranges <- function(request) identical(request$of_cases, find_ranges)

needs_all_rows <- function(likelihood) record_of(likelihood)$of_all_rows(likelihood)

# Quartiles need all values of the features. The statistics of an empirical likelihood are the
# different values and their weights, and they merge.
collect_values <- function(data, names, request, call) {
  exact <- stats::setNames(rep(list(likelihood_empirical()), length(names)), names)
  request[c("spec", "open")] <- list(bayes_naive(features = exact), NULL)
  collected <- collect_from(data, request, call)
  if (is_grouped(collected)) all_groups(collected, call) else collected
}

value_range <- function(values, name, call) {
  place <- match(name, names(values$schema$features))
  bank <- match(TRUE, vapply(values$plan$banks, function(b) identical(b$features, place), NA))
  points <- do.call(rbind, values$statistics$banks[[bank]]$points)
  frame <- bind_frame(list(encoded(points[, 1L])), nrow(points))
  cases <- list(frame = frame, group = rep(1L, nrow(points)), weights = points[, 2L])
  case_range(cases, 1L, TRUE, call)
}
