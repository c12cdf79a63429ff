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

# Whether the sums about the guessed centres are as exact as those about the means: no class is
# further from its centre than some deviations, and constants are their own centres.
guessed_well <- function(summary, features) {
  of <- function(what) unlist(summary[paste0(what, features)], use.names = FALSE)
  n <- of("n")
  away <- (of("s") / n)^2
  near <- away <= 64 * (of("q") / n - away)
  constant <- of("lo") == of("hi")
  all(n == 0 | ifelse(constant, of("lo") == of("c"), near), na.rm = TRUE)
}
