# Cases to draw among the regions of decisions or behind densities.

# A data frame of the features drawn (numbers, or factors of the model's levels) and the class (a
# factor of the model's classes, `NA` for an unknown class). NULL without data.
read_cases_drawn <- function(problem, data, features) {
  if (is.null(data)) return(NULL)
  call <- problem$call
  schema <- problem$model$schema
  container <- read_container(data, "data", abort_argument, call)
  # Columns without names get the same names as the unnamed columns at the fit.
  if (isTRUE(schema$unnamed)) container$unnamed <- FALSE
  drawn <- list(features = schema$features[features], unnamed = FALSE)
  places <- match_columns(drawn, container, "data", call)
  values <- Map(function(feature, column) {
    if (feature$kind == "categorical") return(as_class_factor(column_codes(column), feature))
    as.double(column_vector(column))
  }, drawn$features, read_new_columns(drawn, container, places, call))
  list2DF(c(values, list(class = read_drawn_class(schema, container, call))))
}

# Evenly chosen rows if there are too many cases to draw.
thin_cases <- function(cases, most = 5000L) {
  rows <- NROW(cases)
  if (rows <= most) return(cases)
  inform_bayesrisk("{most} of {rows} cases drawn, evenly chosen.", "rows")
  cases[round(seq(1, rows, length.out = most)), ]
}

read_drawn_class <- function(schema, container, call) {
  name <- class_column(schema)
  response <- if (is.null(schema$formula)) as.name(name) else schema$formula[[2L]]
  known <- all(columns_of(response) %in% container$names)
  if (!known) return(as_class_factor(rep(NA_integer_, container$rows), schema$classes))
  y <- evaluate_response(response, container, globalenv(), name, call)
  class <- read_class(y, name, container$rows, NULL, call)
  codes <- match(class$levels, schema$classes$levels)[as.integer(class$codes)]
  as_class_factor(codes, schema$classes)
}

# A row of symbols for each class, so that cases of different classes never cover each other. Cases
# of unknown class come last. If there are too many classes, the last row is shared.
case_rows <- function(cases, keys, style, top) {
  if (is.null(cases)) return(NULL)
  rows <- min(nrow(keys) + anyNA(cases$class), 8L)
  row <- ifelse(is.na(cases$class), nrow(keys) + 1L, as.integer(cases$class))
  cases <- data.frame(x = cases[[1L]], class = cases$class)
  cases$y <- -(0.15 + 0.035 * (pmin(row, rows) - 1)) * top
  point_marks(cases, keys, style, 1.2)
}
