# Sums of a lazy table for Gaussians. Numbers are centred at the means of the first pass, or at good
# guesses of them, so nothing cancels; the engine corrects for the distance between the centre and
# the mean.

# Single features. Each query asks for a few hundred of them.
sum_gaussian <- function(bank, cases, call) {
  if (cases$summed) {
    of <- function(what) class_matrix(cases$summary, what, bank$features)
    scale <- rep(1, length(bank$features))
    return(call_engine(moments_of_sums_cpp(of("n"), of("c"), of("s"), of("q"), scale), call))
  }
  batches <- in_batches(bank$features, 250L)
  parts <- lapply(batches, function(features) {
    n <- known_weight(sprintf("d%d", features), cases)
    columns <- c(
      n = "COUNT(*)", stats::setNames(n, paste0("n", features)),
      unlist(lapply(features, deviation_columns, cases))
    )
    centre <- class_centres(cases$summary, features, cases)
    found <- by_class(db_centred(cases, features, centre), columns, cases)
    check_same_rows(seq_along(cases$classes$levels), found$n, cases, call)
    found
  })
  of <- function(what) class_matrix(do.call(cbind, parts), what, bank$features)
  scale <- cases$scale[bank$features]
  centre <- class_centres(cases$summary, bank$features, cases)
  call_engine(moments_of_sums_cpp(of("n"), unscaled(centre, scale), of("s"), of("q"), scale), call)
}

# A row for each class, in order.
by_class <- function(query, columns, cases) {
  rows <- db_get(cases$source, db_select(c(g = "g", columns), db_sub(query), group = "g"))
  rows[match(seq_along(cases$classes$levels), rows$g), names(columns), drop = FALSE]
}

# Columns such as n1, n2, ... as a class x feature matrix; 0 where a class has no row.
class_matrix <- function(rows, what, features) {
  columns <- lapply(rows[paste0(what, features)], as.double)
  values <- matrix(unlist(columns), nrow(rows), length(features))
  replace(values, is.na(values), 0)
}

unscaled <- function(centre, scale) sweep(centre, 2L, scale, "/")

# The centres of the features in each class, in scaled units. A feature with one value in a class is
# centred at this value, so that its deviations are exactly 0. Guarded numbers are not centred at 0,
# because PostgreSQL refuses products that underflow.
class_centres <- function(summary, features, cases) {
  centre <- class_matrix(summary, "m", features)
  scale <- cases$scale[features]
  lowest <- sweep(class_matrix(summary, "lo", features), 2L, scale, "*")
  highest <- sweep(class_matrix(summary, "hi", features), 2L, scale, "*")
  if (cases$guarded) {
    size <- pmax(abs(lowest), abs(highest)) * 2^-30
    near <- abs(centre) < size
    centre[near] <- size[near]
  }
  constant <- lowest == highest
  centre[constant] <- lowest[constant]
  centre
}

# Rows of g, the deviations d1, d2, ... from the centres, and v. `complete`: features that no row
# may miss.
db_centred <- function(cases, features, centre, complete = integer()) {
  dialect <- cases$source$dialect
  x <- vapply(features, function(j) scaled_sql(place_names(j), j, cases), "")
  columns <- c(
    g = "g", deviations(x, features, centre, dialect), if (cases$weighted) c(v = "v")
  )
  dialect$fence(db_select(columns, db_sub(dialect$fence(db_rows(cases, features, complete)))))
}
