# Cases to draw among the regions of decisions.

# A data frame of the features drawn and the class (a factor of the model's classes, `NA` for an
# unknown class). NULL without data.
read_cases_drawn <- function(problem, data, features) {
  if (is.null(data)) return(NULL)
  call <- problem$call
  schema <- problem$model$schema
  container <- read_container(data, "data", abort_argument, call)
  # Columns without names get the same names as the unnamed columns at the fit.
  if (isTRUE(schema$unnamed)) container$unnamed <- FALSE
  drawn <- list(features = schema$features[features], unnamed = FALSE)
  positions <- match_columns(drawn, container, "data", call)
  values <- Map(
    function(feature, position) read_drawn_column(feature, container, position, call),
    drawn$features, positions
  )
  list2DF(c(values, list(class = read_drawn_class(schema, container, call))))
}

read_drawn_column <- function(feature, container, position, call) {
  x <- if (is.na(position)) {
    evaluate_term(feature$expression, container, globalenv(), feature$name, abort_schema, call)
  } else {
    container_column(container, position)
  }
  type <- check_column(x, feature$name, container$rows, abort_schema, call)
  check_kind(x, type, feature, call)
  as.double(x)
}

read_drawn_class <- function(schema, container, call) {
  name <- class_column(schema)
  response <- if (is.null(schema$formula)) as.name(name) else schema$formula[[2L]]
  known <- all(term_columns(list(response)) %in% container$names)
  if (!known) return(as_class_factor(rep(NA_integer_, container$rows), schema$classes))
  y <- evaluate_response(response, container, globalenv(), name, call)
  class <- read_class(y, name, container$rows, NULL, call)
  codes <- match(class$levels, schema$classes$levels)[as.integer(class$codes)]
  as_class_factor(codes, schema$classes)
}
