# The schema: the model's record of its data (formula, classes, features). A schema of an object
# that a user supplies is checked here.

# The first problem of a schema, as text. NULL if there is none.
schema_problem <- function(schema) {
  if (!is.list(schema) || !is.list(schema$classes)) return("its schema is gone")
  classes <- schema$classes
  features <- schema$features
  # Statistics without a row have neither classes nor features.
  empty <- length(classes$levels) == 0L
  types <- c("factor", "ordered", "character", "logical", "integer")
  sound <- is_label_set(classes$levels) && is_string(classes$type) && classes$type %in% types &&
    !(empty && length(features) > 0L)
  if (!sound) return("its classes are gone")
  if (!is_sound_formula(schema$formula, schema$response) || !is_flag(schema$unnamed)) {
    return("its formula does not fit its response")
  }
  sound <- is.list(features) && all(vapply(features, is_sound_feature, NA)) &&
    are_names_of(names(features), features)
  if (!sound) return("its features have lost a name, kind or level")
  if (!empty && !are_terms_of(features, schema)) "its features are not the terms of its formula"
}

are_names_of <- function(names, features) {
  own <- vapply(features, `[[`, "", "name", USE.NAMES = FALSE)
  is_label_set(own) && (identical(names, own) || is.null(names) && !length(own))
}

# Whether `x` is a set of unique names or levels without NA.
is_label_set <- function(x) is_level_set(x) && !anyNA(x)

is_level_set <- function(x) {
  is.character(x) && !is.object(x) && is.null(dim(x)) && !anyDuplicated(x)
}

# A formula that is kept has no environment.
is_sound_formula <- function(formula, response) {
  if (is.null(formula)) return(is.null(response) || is_string(response))
  rlang::is_formula(formula, lhs = TRUE) && is_string(response) &&
    identical(attributes(formula), list(class = "formula")) &&
    (is.name(formula[[2L]]) || is.call(formula[[2L]])) &&
    identical(term_label(formula[[2L]]), response)
}

# Whether the expressions of features are what the formula says.
are_terms_of <- function(features, schema) {
  plain <- vapply(features, function(f) is.null(f$expression), NA)
  if (is.null(schema$formula)) return(all(plain))
  signed <- tryCatch(signed_terms(schema$formula[[3L]], NULL), error = function(e) NULL)
  if (is.null(signed)) return(FALSE)
  terms <- resolve_terms(signed, names(features)[plain])
  terms <- terms[names(terms) != schema$response]
  expressions <- lapply(features[!plain], `[[`, "expression")
  setequal(names(terms), names(features)) && identical(terms[names(expressions)], expressions) &&
    all(vapply(terms[names(features)[plain]], is_column, NA))
}

is_sound_feature <- function(feature) {
  if (!is.list(feature) || !is_string(feature$name) || !is_string(feature$type)) return(FALSE)
  levels <- feature$levels
  sound <- switch(feature$type,
    double = , integer = identical(feature$kind, "numeric") && is.null(levels),
    factor = , ordered = identical(feature$kind, "categorical") && is_level_set(levels),
    bag = , presence = identical(feature$kind, "bag") && is_label_set(levels),
    character = , logical = identical(feature$kind, "categorical") && is_label_set(levels),
    FALSE
  )
  sound && is_sound_term(feature$expression, feature$columns, feature$values)
}

# A feature that is a function has an expression, the columns that it uses and the values that it
# keeps, if any. All other names are those of R. A plain column has none of these.
is_sound_term <- function(expression, columns, values) {
  if (is.null(expression)) return(is.null(columns) && is.null(values))
  kept <- is.null(values) || is.list(values) && !is.object(values) && length(values) > 0L &&
    is_label_set(names(values)) && all(vapply(values, is_kept_value, NA))
  used <- c(columns, names(values))
  kept && is.call(expression) && is.character(columns) && is_label_set(used) &&
    all(used %in% all.vars(expression)) && all(data_names(expression) %in% used)
}

# The formula with the values that its terms keep.
whole_formula <- function(schema) {
  values <- unlist(lapply(unname(schema$features), `[[`, "values"), recursive = FALSE)
  enclosure <- if (length(values)) list2env(values, parent = globalenv()) else globalenv()
  structure(schema$formula, .Environment = enclosure)
}
