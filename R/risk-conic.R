# Boundaries between two actions in the plane of two numeric features: conics on which two
# weighted normals are equal.

# The limit of the number of normals in total in a plane, because computing takes time.
most_plane_normals <- 1e5

# `row`: the known values of the other features, a frame of one row. `log_joint`: the weights of
# the classes given this row.
find_boundaries <- function(object, prior, cost, features, row, log_joint, call) {
  model <- engine_model(object, prior)
  places <- match(features, names(object$schema$features))
  found <- if (prod(count_normals(model, places)) <= most_plane_normals) {
    call_engine(boundaries_cpp(model, row, places, log_joint, cost$fixed), call)
  } else {
    unknown_boundaries(length(cost$actions))
  }
  new_boundaries(found, cost$actions, features)
}

# One row for every pair of actions, without equations.
unknown_boundaries <- function(actions) {
  pairs <- which(upper.tri(diag(actions)), arr.ind = TRUE)
  pairs <- pairs[order(pairs[, 1L]), , drop = FALSE]
  list(
    first = pairs[, 1L], second = pairs[, 2L], kind = rep("contour", nrow(pairs)),
    coefficients = matrix(NA_real_, nrow(pairs), 6L), lines = matrix(0, 0L, 4L), origin = c(0, 0)
  )
}

new_boundaries <- function(found, actions, features) {
  action <- function(code) structure(as.integer(code), levels = actions, class = "factor")
  colnames(found$coefficients) <- c("x2", "xy", "y2", "x", "y", "constant")
  pair <- found$lines[, 1L]
  lines <- data.frame(
    first = action(found$first[pair]), second = action(found$second[pair]),
    x = found$lines[, 2L], y = found$lines[, 3L], constant = found$lines[, 4L]
  )
  structure(
    data.frame(
      first = action(found$first), second = action(found$second), kind = found$kind,
      found$coefficients
    ),
    features = features, origin = stats::setNames(found$origin, features), lines = lines,
    class = c("bayesrisk_boundaries", "bayesrisk_result", "data.frame")
  )
}

# A subset of rows keeps the lines of its own pairs of actions.
#' @export
keep_rows.bayesrisk_boundaries <- function(x, part) {
  pair <- function(of) paste(as.integer(of$first), as.integer(of$second))
  lines <- attr(x, "lines")
  attr(part, "lines") <- lines[pair(lines) %in% pair(part), ]
  part
}

#' @export
format.bayesrisk_boundaries <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(boundaries_sentences(x, digits), rlang::current_env())
}

boundaries_sentences <- function(x, digits) {
  vapply(seq_len(nrow(x)), function(i) {
    pair <- sprintf("%s or %s: %s", x$first[[i]], x$second[[i]], x$kind[[i]])
    what <- switch(x$kind[[i]],
      none = ", one of them costs less everywhere",
      everywhere = ", they cost the same",
      contour = ", no equation (not two normals)",
      boundary_sentence(x, i, digits)
    )
    paste0(pair, what)
  }, "")
}

boundary_sentence <- function(x, i, digits) {
  lines <- attr(x, "lines")
  own <- which(lines$first == x$first[[i]] & lines$second == x$second[[i]])
  straight <- vapply(own, function(l) line_equation(lines[l, ], digits), "")
  conic <- unlist(x[i, c("x2", "xy", "y2", "x", "y", "constant")])
  inside <- sprintf("%s where %s < 0", x$first[[i]], polynomial(conic, digits))
  paste0(if (length(straight)) paste0(" ", paste(straight, collapse = " and ")), ", ", inside)
}

line_equation <- function(line, digits) {
  if (line$y == 0) return(paste("x =", format(-line$constant / line$x, digits = digits)))
  paste("y =", polynomial(c(x = -line$x, constant = -line$constant) / line$y, digits))
}

# Text such as 3.125 x^2 - 55 xy + 2. Coefficients of 0 are left out.
polynomial <- function(coefficients, digits) {
  power <- c(x2 = " x^2", xy = " xy", y2 = " y^2", x = " x", y = " y", constant = "")
  coefficients <- coefficients[which(coefficients != 0)]
  if (!length(coefficients)) return("0")
  size <- vapply(abs(coefficients), format, "", digits = digits)
  size[size == "1" & names(coefficients) != "constant"] <- ""
  terms <- trimws(paste0(size, power[names(coefficients)]))
  signs <- ifelse(coefficients < 0, "-", "+")
  text <- paste(paste(signs, terms), collapse = " ")
  sub("^- ", "-", sub("^[+] ", "", text))
}

#' @export
describe.bayesrisk_boundaries <- function(x, show) {
  count <- count_of(nrow(x), "boundary between actions", "boundaries between actions")
  list(
    title_item(paste(c(count, boundary_axes(x, digits = show$given_digits)), collapse = ", ")),
    answers_item(format(x, digits = show$digits), c("boundary", "boundaries")),
    heading_item("Coefficients"),
    table_item(plain_frame(x), c("boundary", "boundaries"), keys = 2L)
  )
}

# The meaning of x and y in the equations, unless the features have these names.
boundary_axes <- function(x, ...) {
  features <- attr(x, "features")
  origin <- attr(x, "origin")
  from <- ifelse(origin == 0, "", sprintf(" - %s", vapply(origin, format, "", ...)))
  sprintf("%s = %s%s", c("x", "y"), features, from)[features != c("x", "y") | origin != 0]
}
