# Cases: the rows of the data that are used, in the form that the engine reads. Fits, statistics,
# updates, dependence and cross-validation all read their cases here, so weights, subset and
# na.action mean the same everywhere. collect() turns cases into statistics.

# The cases of one formula, or of several formulas with the same class. Each feature is read once.
# `weights` and `subset` are quosures. The result is the list of select_cases() with a further
# element, `features`: the names of the features of each formula.
formula_cases <- function(formulas, data, weights, subset, na_action, threads, call, by = NULL) {
  if (is.null(data)) abort_argument("{.arg data} is missing.", call)
  if (is_joint_table(data)) {
    if (!rlang::quo_is_missing(weights)) {
      abort_argument(
        "The probabilities of a {.fn joint_table} are its weights: leave {.arg weights} out.", call
      )
    }
    data <- as.data.frame(data)
    weights <- rlang::new_quosure(quote(probability), baseenv())
  }
  container <- read_container(data, "data", abort_data, call)
  masked <- masked_arguments(weights, subset, container, call)
  apart <- c(masked$weights_columns, by_columns(by))
  terms <- lapply(formulas, read_formula, container, apart, call)
  response <- shared_response(terms, call)
  label <- term_label(response)
  check_columns_there(columns_of(response), container, abort_data, "data", call)
  y <- evaluate_response(response, container, formula_enclosure(formulas[[1L]]), label, call)
  read <- function(keep) read_all_terms(terms, formulas, container, keep, call)
  cases <- select_cases(
    read, y, container, masked, na_action, threads,
    list(formula = bare_formula(formulas[[1L]]), response = label, unnamed = FALSE), call
  )
  cases$features <- lapply(terms, function(t) names(t$terms))
  if (length(by) == 0L) return(cases)
  enclosure <- formula_enclosure(formulas[[1L]])
  group_cases(cases, key_terms(by, container, enclosure, call), container, enclosure, call)
}

# Cases with groups: see group_rows(). `terms`: the keys; without keys the cases are unchanged.
group_cases <- function(cases, terms, container, enclosure, call, arg = "data") {
  if (length(terms) == 0L) return(cases)
  abort <- if (arg == "data") abort_data else abort_schema
  keys <- read_keys(terms, container, enclosure, arg, abort, call)
  classes <- length(cases$schema$classes$levels)
  found <- group_rows(keys, cases$group, cases$subset, classes, container$rows, call)
  if (found$missing > 0) {
    abort_data(c(
      "{.arg by}: {.field {names(terms)}} {?is/are} missing in {found$missing} row{?s}.",
      i = "Leave these rows out, for example by {.arg subset}."
    ), call)
  }
  check_group_labels(found$keys, call)
  cases$by <- Map(function(term, key) replace(term, "type", key$type), terms, keys)
  cases[c("keys", "group")] <- found[c("keys", "group")]
  cases$groups <- nrow(found$keys) * classes
  cases$read <- found$read
  cases
}

# The cases of a table of features `x`, with the class of each row in `y`. `bag`: an ordinary matrix
# is a bag of terms.
table_cases <- function(x, y, weights, na_action, threads, call, bag = FALSE) {
  container <- read_container(x, "x", abort_data, call)
  if (bag && is_number_matrix(container$matrix)) {
    container <- bag_container(x, "x", abort_data, call)
  }
  check_column_names(container$names, container$names, "x", abort_data, call)
  if (length(container$names) == 0L) {
    abort_data(c(
      "{.arg x} has no columns.",
      i = "For the prior alone, use a formula: {.code y ~ 1}."
    ), call)
  }
  positions <- seq_along(container$names)
  read <- function(keep) read_features(container, positions, container$names, keep, call)
  select_cases(
    read, y, container, list(weights = weights), na_action, threads,
    list(formula = NULL, response = NULL, unnamed = container$unnamed), call
  )
}

# Further cases for the schema of a request. Only the schema's features are read, with the levels of
# the new rows.
schema_cases <- function(request, data, call) {
  schema <- request$schema
  container <- name_lone_bag(
    read_container(data, "moredata", abort_schema, call), schema$features, "moredata", abort_schema,
    call
  )
  match_columns(schema, container, "moredata", call)
  masked <- masked_arguments(request$weights, request$subset, container, call)
  y <- more_classes(schema, container, request$y, call)
  read <- function(keep) {
    check_more_kinds(
      read_terms(schema_terms(schema), container, globalenv(), keep, call), schema, call
    )
  }
  cases <- select_cases(
    read, y, container, masked, request$na_action, request$threads,
    schema[c("formula", "response", "unnamed")], call
  )
  group_cases(cases, request$by, container, globalenv(), call, "moredata")
}

more_classes <- function(schema, container, y, call) {
  if (is.null(schema$formula)) {
    if (!is.null(y)) return(y)
    abort_argument("{.arg y} is missing: the model was fitted to {.arg x} and {.arg y}.", call)
  }
  if (!is.null(y)) abort_argument("{.arg y} is a column of {.arg moredata} for this model.", call)
  response <- schema$formula[[2L]]
  check_columns_there(columns_of(response), container, abort_schema, "moredata", call)
  evaluate_response(response, container, globalenv(), schema$response, call)
}

# The argument `terms` of read_terms(): the column of a plain feature, or the schema entry of a
# function, which has the elements of a term.
schema_terms <- function(schema, of_function = identity) {
  lapply(schema$features, function(f) if (is.null(f$expression)) f$name else of_function(f))
}

# The columns that the features of a schema are read from.
schema_columns <- function(schema) unique(unlist(schema_terms(schema, function(f) f$columns)))

# The terms of a formula: the column of a plain feature, or the expression of a function.
feature_terms <- function(schema) unname(schema_terms(schema, function(f) f$expression))

# Bins come from the schema. A column of only NA takes its kind from the schema.
check_more_kinds <- function(read, schema, call) {
  for (name in names(schema$features)) {
    feature <- schema$features[[name]]
    read$features[[name]]$bins <- feature$bins
    now <- read$features[[name]]
    if (now$kind == "bag") check_terms_unite(feature, now, abort_schema, call)
    if (now$kind == feature$kind) next
    j <- match(name, names(read$features))
    column <- read$columns[[j]]
    x <- column_vector(column)
    check_kind(x, now$type, feature, call)
    read$features[[name]] <- feature
    read$columns[[j]] <- if (feature$kind == "numeric") encoded(x) else column
  }
  read
}

# `read`: a function that encodes the features, with the levels of the rows to keep. `rows`:
# list(weights, subset). `interface`: list(formula, response, unnamed). The result is a list of
# * schema, weights, threads, response, row_names;
# * columns, frame: the encoded features;
# * group: the class of each row, NA for a row that is left out;
# * groups: the number of classes;
# * read: the number of rows in the subset, `subset` (NULL: all rows).
select_cases <- function(read, y, container, rows, na_action, threads, interface, call) {
  count <- container$rows
  threads <- check_threads(threads, call)
  policy <- na_policy(na_action, call)
  subset <- check_subset(rows$subset, count, call)
  in_subset <- as.double(if (is.null(subset)) count else sum(subset))
  weights <- check_weights(rows$weights, count, call)
  keep <- drop_weightless(subset, weights)
  response <- if (is.null(interface$response)) "y" else interface$response
  # The class is first: a bag that claims more rows than there are classes is not converted.
  class <- read_class(y, response, count, keep, call)
  features <- read(keep)
  if (count == 0L) abort_empty_data(call)
  if (policy != "na.pass") {
    bags <- vapply(features$features, function(feature) feature$kind == "bag", NA)
    columns <- lapply(features$columns[!bags], column_vector)
    keep <- apply_na_policy(policy, keep, columns, class$codes, count, call)
    features <- read(keep)
    class <- read_class(y, response, count, keep, call)
  }
  lost <- if (any(weights == 0)) weightless_levels(features, class, y, response, subset)
  if (!is.null(keep) && !any(keep)) abort_empty_data(call, in_subset, lost)
  for (name in names(lost)) inform_weightless(name, lost[[name]])
  check_class(class, response, keep, call)
  group <- if (is.null(keep)) class$codes else replace(as.integer(class$codes), !keep, NA_integer_)
  columns <- features$columns
  names(columns) <- names(features$features)
  schema <- c(interface, list(classes = class[c("levels", "type")], features = features$features))
  list(
    # Equal schemas share one object, so the next fit recognises what it computed from them.
    schema = known_value("schema", schema, function() schema),
    columns = features$columns, group = group, frame = bind_frame(columns, count),
    weights = weights, threads = threads, response = response,
    groups = length(class$levels), subset = subset, read = in_subset,
    row_names = container$row_names
  )
}

# A text column has the levels of the used rows. The other levels, whose rows all have weight 0, by
# feature.
weightless_levels <- function(features, class, y, response, subset) {
  texts <- lapply(features$columns, `[[`, "text")
  levels <- lapply(features$features, `[[`, "levels")
  names(texts) <- names(levels)
  if (is.character(y)) {
    texts[[response]] <- y
    levels[[response]] <- class$levels
  }
  texts <- texts[!vapply(texts, is.null, NA)]
  Map(function(x, known) setdiff(character_levels(x, subset), known), texts, levels[names(texts)])
}

inform_weightless <- function(name, lost) {
  if (!length(lost)) return(invisible())
  inform_bayesrisk(c(
    "{.field {name}} loses {cli::qty(lost)} level{?s} {.val {lost}}: the rows have weight 0.",
    i = "A factor keeps all its levels."
  ), "weightless_level", feature = name, levels = lost)
}

# Evaluates `weights` and `subset`, which may use the columns of the data.
masked_arguments <- function(weights, subset, container, call) {
  if (rlang::quo_is_missing(weights) && rlang::quo_is_missing(subset)) return(list())
  columns <- container_list(container)
  used <- if (rlang::quo_is_missing(weights)) NULL else all.vars(rlang::quo_get_expr(weights))
  list(
    weights = masked_value(weights, columns, "weights", call),
    subset = masked_value(subset, columns, "subset", call),
    weights_columns = intersect(used, container$names)
  )
}

masked_value <- function(quosure, columns, arg, call) {
  if (rlang::quo_is_missing(quosure) || rlang::quo_is_null(quosure)) return(NULL)
  tryCatch(rlang::eval_tidy(quosure, columns), error = function(e) {
    reason <- conditionMessage(e)
    abort_argument("{.arg {arg}} cannot be computed: {reason}", call)
  })
}
