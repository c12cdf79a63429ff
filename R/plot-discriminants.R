# Plots of discriminant coordinates: those of the regions of a model whose features they are.

# As regions_data(), of one coordinate or two. Attributes: `titles` of the axes and `means`, a row
# for each class.
discriminants_data <- function(problem, coordinates, given) {
  call <- problem$call
  tell_untempered(problem$model)
  found <- find_discriminants(problem$model, problem$prior, 0, "x", call)
  cases <- projected_cases(problem, given$data)
  problem$model <- coordinate_model(found, problem)
  coordinates <- check_drawn_features(problem$model, coordinates, call)
  if (is.null(coordinates)) coordinates <- utils::head(colnames(found$scaling), 2L)
  if (length(coordinates) > 2L) {
    abort_argument("{.arg features} must name one or two coordinates to draw.", call)
  }
  cases <- cases[c(coordinates, "class")]
  drawn <- if (length(coordinates) == 1L) {
    interval_data(problem, coordinates, cases, NULL)
  } else {
    plane_data(problem, coordinates, cases)
  }
  structure(
    drawn, means = mean_marks(found, coordinates, problem),
    titles = coordinate_titles(found, coordinates)
  )
}

# The coordinates as single features with a standard deviation of 1. A class that no case had has no
# mean, and a prior of 0.
coordinate_model <- function(found, problem) {
  classes <- problem$model$schema$classes
  likelihoods <- lapply(stats::setNames(nm = colnames(found$scaling)), function(coordinate) {
    mean <- found$mean[, coordinate]
    likelihood_gaussian(mean = replace(mean, is.na(mean), 0), sd = 1)
  })
  model <- known_model(
    stats::setNames(problem$prior, classes$levels), likelihoods, problem$call
  )
  model$schema$classes <- classes
  model
}

# The coordinates of cases and their class, as those of read_cases_drawn(). Cases without
# coordinates are not drawn.
projected_cases <- function(problem, data) {
  if (is.null(data)) return(NULL)
  call <- problem$call
  schema <- problem$model$schema
  read <- read_newdata(schema, data, call, "data")
  scores <- score(problem$model, read, "discriminant", problem$prior, NULL, 1L, call)
  class <- read_drawn_class(schema, read_container(data, "data", abort_argument, call), call)
  cases <- data.frame(scores, class = class, row.names = NULL)
  known <- stats::complete.cases(scores)
  if (!all(known)) {
    inform_bayesrisk(
      "{count_of(sum(!known), 'case', 'cases')} not drawn: a feature is missing.", "rows"
    )
  }
  cases[known, ]
}

mean_marks <- function(found, coordinates, problem) {
  classes <- problem$model$schema$classes
  marks <- data.frame(
    x = found$mean[, coordinates[[1L]]], y = found$mean[, utils::tail(coordinates, 1L)],
    class = as_class_factor(seq_along(classes$levels), classes)
  )
  marks[problem$prior > 0, ]
}

coordinate_titles <- function(found, coordinates) {
  share <- 100 * trace_shares(found)[match(coordinates, colnames(found$scaling))]
  sprintf("%s (%s %% of the trace)", coordinates, vapply(share, format, "", digits = 3L))
}

discriminants_figure <- function(drawn, style) {
  titles <- attr(drawn, "titles")
  figure <- region_figure(drawn, style)
  if (length(titles) == 1L) return(figure + titled(titles, "prior x density"))
  keys <- label_style(style$classes, style)
  means <- attr(drawn, "means")
  figure + class_circles(means) + point_marks(means, keys, style, 4.5) +
    titled(titles[[1L]], titles[[2L]])
}

# A circle around each mean, which holds 90 % of the class. Circles of many classes would cover each
# other.
class_circles <- function(means) {
  if (nrow(means) > length(palette_order)) return(NULL)
  angle <- seq(0, 2 * pi, length.out = 101L)
  radius <- sqrt(stats::qchisq(0.9, 2))
  circles <- means[rep(seq_len(nrow(means)), each = length(angle)), ]
  circles$x <- circles$x + radius * cos(angle)
  circles$y <- circles$y + radius * sin(angle)
  lines_by(circles, "x", "y", "class", ggplot2::geom_path)
}
