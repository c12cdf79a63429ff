# Guessed centres. Sums of deviations lose nothing if they are taken from numbers near the means,
# such as the means of the first rows. Then one pass over the table is enough for single Gaussians.

guess_rows <- 1000L

# list(y, sql, features, centre): the classes of the first rows, their SQL, and the centres of the
# features, a row for each class. NULL if these rows do not help. Classes that are near each other
# share a centre, which needs no case by class.
guess_centres <- function(cases) {
  if (!length(cases$numeric)) return(NULL)
  found <- db_summary(replace(cases, "query", list(cases$first)), cases$numeric)
  found <- found[!is.na(found$y), , drop = FALSE]
  if (!nrow(found) || need_guard(found, cases$numeric)) return(NULL)
  list(
    y = found$y, sql = db_values(found$y, cases$types[["y"]], cases$source),
    features = cases$numeric, centre = shared_centres(found, cases)
  )
}

shared_centres <- function(found, cases) {
  centre <- class_centres(found, cases$numeric, cases)
  of <- function(what) class_matrix(found, what, cases$numeric)
  middle <- matrix(colMeans(centre), nrow(centre), ncol(centre), byrow = TRUE)
  range <- of("hi") - of("lo")
  near <- colSums(!(range > 0 & abs(centre - middle) <= 2 * range)) == 0
  centre[, near] <- middle[, near]
  centre
}

# The summary with the sums about guessed centres, in one pass; NULL if they are not as exact as
# sums about the means.
guessed_summary <- function(cases, features) {
  guess <- guess_centres(cases)
  if (is.null(guess)) return(NULL)
  found <- db_summary(cases, features, guess = guess)
  if (guessed_well(found, features)) found
}

# No class is further from its centre than some deviations, and no square leaves the range of a
# double. A constant feature may have no deviation from its guess. If the guess is near 0, the
# squares of deviations may have underflowed instead, so the guess does not count as good.
guessed_well <- function(summary, features) {
  of <- function(what) unlist(summary[paste0(what, features)], use.names = FALSE)
  n <- of("n")
  away <- (of("s") / n)^2
  variance <- of("q") / n - away
  near <- away <= 64 * variance & variance > 1e-200 & variance < 1e200
  constant <- of("s") == 0 & of("q") == 0 & abs(of("c")) > 1e-100
  all((n == 0 | near | constant) %in% TRUE)
}
