# Features: the schema entry of each feature (name, kind, levels), and its encoded column.

# Reads the columns at `positions` of a container as features. `keep`: the rows to use, NULL for
# all.
read_features <- function(container, positions, labels, keep, call) {
  if (is_number_matrix(container$matrix)) {
    type <- typeof(container$matrix)
    features <- new_features(labels, type, column_levels(container$matrix, type))
    return(list(features = features, columns = encode_matrix(container$matrix, positions)))
  }
  values <- vector("list", length(positions))
  if (is.null(container$matrix)) values <- container$columns[positions]
  types <- number_types(values, container$rows)
  features <- new_features(labels, types)
  columns <- vector("list", length(positions))
  numbers <- !is.na(types)
  columns[numbers] <- encode_vectors(values[numbers])
  for (i in which(!numbers)) {
    column <- container_column(container, positions[[i]])
    read <- read_values(column, container$rows, labels[[i]], keep, call)
    features[[i]] <- read$feature
    columns[[i]] <- read$column
  }
  list(features = features, columns = columns)
}

# The schema entry and the encoded column of the values `x`. `term`: for a function of columns.
read_values <- function(x, rows, label, keep, call, term = NULL) {
  type <- check_column(x, label, rows, abort_data, call)
  if (type == "character") return(read_text(x, label, keep, call, term))
  levels <- check_text(column_levels(x, type), label, abort_data, call)
  feature <- new_feature(label, type, levels, term)
  if (is_bag_type(type)) {
    if (is.null(bag_names(x)[[2L]])) feature$unnamed <- TRUE
    x <- bag_cells(x, label, abort_data, call)
  }
  list(feature = feature, column = encode_column(x, type, levels))
}

# Looks at all rows once.
read_text <- function(x, label, keep, call, term) {
  found <- distinct_text_cpp(x)
  levels <- check_text(levels_of_text(found, keep), label, abort_data, call)
  list(
    feature = new_feature(label, "character", levels, term),
    column = encode_character(x, levels, found)
  )
}

check_column <- function(x, label, rows, abort, call) {
  type <- column_type(x)
  if (is_bag_type(type)) {
    check_bag(x, label, rows, abort, call)
  } else if (is.na(type) || length(x) != rows) {
    abort_column(x, label, rows, abort, call)
  }
  type
}

new_feature <- function(name, type, levels, term = NULL) {
  list(
    name = name, kind = type_kind(type), type = type, levels = levels,
    expression = term$expression, columns = term$columns, values = term$values
  )
}

# The schema entries of columns of numbers or truth values; NULL for a column without a type.
# `levels`: those of each column.
# Columns with the same names and types share their entries.
new_features <- function(names, types, levels = NULL) {
  known_value("features", list(names, types, levels), function() {
    features <- vector("list", length(names))
    types <- rep_len(types, length(names))
    for (type in unique(types[!is.na(types)])) {
      feature <- new_feature(NA_character_, type, levels)
      for (i in which(types == type)) {
        feature[[1L]] <- names[[i]]
        features[[i]] <- feature
      }
    }
    names(features) <- names
    features
  })
}

# Whether the engine can read the columns of a matrix without a copy. Character columns are copied.
is_number_matrix <- function(x) !is.null(x) && !is.character(x)

# Reads a feature that is a function of columns.
read_term <- function(term, container, enclosure, label, keep, call) {
  x <- evaluate_term(term, container, enclosure, label, abort_data, call)
  read <- read_values(x, container$rows, label, keep, call, term)
  check_alone(x, term, container, enclosure, label, call)
  read
}

# The features of a formula: plain columns, which are not copied, and functions of columns. `terms`:
# for each feature its column's name, or a term of data-term.R.
read_terms <- function(terms, container, enclosure, keep, call) {
  plain <- !vapply(terms, is.list, NA)
  labels <- names(terms)
  wanted <- labels
  if (!all(plain)) {
    wanted <- terms
    wanted[!plain] <- lapply(terms[!plain], `[[`, "columns")
    wanted <- unique(unlist(wanted))
  }
  positions <- check_columns_there(wanted, container, abort_data, "data", call)
  check_column_names(container$names, wanted, "data", abort_data, call)
  if (all(plain)) return(read_features(container, positions, labels, keep, call))
  positions <- match(labels[plain], container$names)
  read <- read_features(container, positions, labels[plain], keep, call)
  features <- columns <- vector("list", length(terms))
  features[plain] <- read$features
  columns[plain] <- read$columns
  for (j in which(!plain)) {
    term <- read_term(terms[[j]], container, enclosure, labels[[j]], keep, call)
    features[[j]] <- term$feature
    columns[[j]] <- term$column
  }
  list(features = stats::setNames(features, labels), columns = columns)
}

# The features of all formulas. Features of the same label are read once.
read_all_terms <- function(terms, formulas, container, keep, call) {
  all <- list(features = list(), columns = list())
  for (i in seq_along(terms)) {
    new <- terms[[i]]$terms
    new <- new[is.na(match(names(new), names(all$features)))]
    enclosure <- formula_enclosure(formulas[[i]])
    named <- vapply(new, is.character, NA)
    new[!named] <- lapply(new[!named], function(term) {
      if (is.name(term)) as.character(term) else new_term(term, container, enclosure, call)
    })
    read <- read_terms(new, container, enclosure, keep, call)
    all$features <- c(all$features, read$features)
    all$columns <- c(all$columns, read$columns)
  }
  names(all$features) <- as.character(names(all$features))
  all
}

feature_kinds <- function(schema) kinds_of(schema$features)

kinds_of <- function(features) {
  known_value("kinds", features, function() {
    vapply(features, .subset2, "", "kind", USE.NAMES = FALSE)
  })
}

bags_of <- function(features) {
  names(features)[kinds_of(features) == "bag"]
}

# For functions that need a density along each feature, or draw cases.
check_no_bag <- function(model, call) {
  bags <- bags_of(model$schema$features)
  if (length(bags) == 0L) return(invisible())
  types <- vapply(model$plan$banks, `[[`, "", "type")
  why <- if ("multinomial" %in% types) {
    "nothing is known of the length of a case"
  } else {
    "such a model has single features, not terms"
  }
  abort_argument(c(
    "{.field {bags}} {?is a bag/are bags} of terms and {?has/have} no data-generating model:
     {why}.",
    i = if (!"multinomial" %in% types) "A data frame with a column for each term has one.",
    i = "{.fn predict} and {.fn decide} work for given cases, {.fn cv_risk} for their cost."
  ), call)
}

# The features at some positions. All of them are the list itself, without a copy.
features_at <- function(features, positions) {
  if (identical(positions, seq_along(features))) features else features[positions]
}

# Names of the features of a kind.
features_of_kind <- function(schema, kind) names(schema$features)[feature_kinds(schema) == kind]

# The number of levels of each feature, 0 for a numeric one.
count_levels <- function(features) lengths(lapply(features, .subset2, "levels"))

# A sentence that lists the model's features. Braces are escaped for use in a cli template.
list_features <- function(model, only = NULL) {
  schema <- model$schema
  names <- if (is.null(only)) names(schema$features) else features_of_kind(schema, only)
  kind <- if (is.null(only)) "features" else paste(only, "features")
  said <- if (length(names) == 0L) {
    sprintf("The model has no %s.", kind)
  } else {
    cli::format_inline("The model's {kind}: {.field {utils::head(names, 20L)}}.")
  }
  escape_braces(said)
}

check_features_named <- function(features, call) {
  if (!is_plain(features, is.character)) {
    abort_wanted(features, "features", "names of features", call)
  }
}

check_drawn_features <- function(model, features, call) {
  if (is.null(features)) return(NULL)
  check_features_named(features, call)
  check_known_features(features, names(model$schema$features), "features", call)
  if (anyDuplicated(features)) {
    twice <- unique(features[duplicated(features)])
    abort_argument("{.arg features} names {.val {twice}} more than once.", call)
  }
  features
}

# Turns codes of levels into a column of the type that the feature was fitted with.
as_levels <- function(codes, feature) {
  switch(feature$type,
    logical = codes == 2,
    character = feature$levels[codes],
    as_class_factor(as.integer(codes), feature)
  )
}

# Turns simulated columns into the types that their features were fitted with.
drawn_columns <- function(columns, features) {
  Map(function(feature, column) {
    if (feature$kind == "numeric") column else as_levels(column, feature)
  }, features, columns)
}

# Columns of a numeric matrix in the engine's form.
matrix_frame <- function(x, columns = seq_len(ncol(x))) {
  bind_frame(encode_matrix(x, columns), nrow(x))
}

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
