# Points: the values of a feature that a model holds, class by class. The empirical, the kernel and
# the mixture likelihood share this code.

# The maximum number of points of a class.
check_points <- function(points, call) {
  if (identical(points, Inf)) return(points)
  as.double(check_whole_number(points, "points", min = 64, call = call))
}

# A data frame with a row for each point of each class. A class without rows has one row of
# NA. print() shows the first rows only. `share`: the name of the column of shares.
points_frame <- function(points, classes, share) {
  rows <- pmax(1L, vapply(points, nrow, 1L))
  column <- function(j) {
    unlist(lapply(points, function(p) if (nrow(p)) p[, j] else NA_real_), use.names = FALSE)
  }
  found <- data.frame(
    class = structure(rep(seq_along(classes), rows), levels = classes, class = "factor"),
    value = column(1L)
  )
  found[[share]] <- exp(column(2L))
  structure(found, class = c("bayesrisk_points", "bayesrisk_result", "data.frame"))
}

#' @export
describe.bayesrisk_points <- function(x, show) {
  list(table_item(plain_frame(x), c("point", "points")))
}

# The number and the range of the points of each class.
summarise_points <- function(coefficients) {
  by_class <- split(coefficients$value, coefficients$class)
  cbind(
    points = vapply(by_class, function(value) sum(!is.na(value)), 1L),
    from = vapply(by_class, min, 1), to = vapply(by_class, max, 1)
  )
}

# The outermost points of each class, in the format of a plot, with a width for each class.
outer_points <- function(points, width) {
  ends <- lapply(points, function(p) if (nrow(p)) range(p[, 1L]) else c(NA_real_, NA_real_))
  list(mean = unlist(ends), sd = rep(width, each = 2L))
}

# The points are values of the data.
range_of_points <- function(moments) range(moments$mean)

# The values within a range. If there are more than `most`, an evenly spaced selection.
values_within <- function(points, range, most) {
  values <- sort(unique(unlist(lapply(points, function(p) p[, 1L]))))
  values <- values[values >= range[[1L]] & values <= range[[2L]]]
  if (length(values) <= most) return(values)
  values[round(seq(1, length(values), length.out = most))]
}

weight_of_points <- function(statistics) sum(points_by_class(statistics))
