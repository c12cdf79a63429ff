# Cases: the rows of the data that are used, in the form that the engine reads. Fits, statistics,
# updates, dependence and cross-validation all read their cases here, so weights, subset and
# na.action mean the same everywhere. collect() turns cases into statistics.

# The only reader of rows in memory. `request`: see fit_request(). It may have `several`, a list of
# formulas with the same class, in place of a formula, or, for a table of features, the values of
# `y`, `weights` and `bag`. Each feature is read once. The result is a list of
# * schema, weights, threads, response, row_names;
# * columns, frame: the encoded features;
# * group: the class of each row, NA for a row that is left out;
# * groups: the number of classes;
# * read: the number of rows in the subset, `subset` (NULL: all rows);
# * features: the names of the features of each formula;
# * folds, cluster: the values of arguments of a cross-validation;
# * with keys: see group_cases().
read_cases <- function(data, request, call) {
  asked <- if (!is.null(request$schema)) {
    schema_rows(data, request, call)
  } else if (is.null(request$bag)) {
    formula_rows(data, request, call)
  } else {
    table_rows(data, request, call)
  }
  count <- asked$container$rows
  policy <- na_policy(request$na_action, call)
  subset <- check_subset(asked$rows$subset, count, call)
  in_subset <- as.double(if (is.null(subset)) count else sum(subset))
  weights <- check_weights(asked$rows$weights, count, call)
  # A row of weight 0 is left out.
  keep <- subset
  if (any(weights == 0)) keep <- if (is.null(subset)) weights > 0 else subset & weights > 0
  response <- if (is.null(asked$schema$response)) "y" else asked$schema$response
  # The class is first: a bag that claims more rows than there are classes is not converted.
  class <- read_class(asked$y, response, count, keep, call)
  features <- asked$read(keep)
  if (count == 0L) abort_empty_data(call)
  if (policy != "na.pass") {
    keep <- apply_na_policy(policy, keep, features, class$codes, count, call)
    features <- asked$read(keep)
    class <- read_class(asked$y, response, count, keep, call)
  }
  lost <- if (any(weights == 0)) weightless_levels(features, class, asked$y, response, subset)
  if (!is.null(keep) && !any(keep)) {
    read <- in_subset
    if (length(asked$keys)) read <- group_reads(asked_keys(asked, call), subset, count, call)
    abort_empty_data(call, read, lost)
  }
  for (name in names(lost)) inform_weightless(name, lost[[name]])
  check_class(class, response, keep, call)
  group <- if (is.null(keep)) class$codes else replace(as.integer(class$codes), !keep, NA_integer_)
  columns <- stats::setNames(features$columns, names(features$features))
  schema <- c(
    asked$schema, list(classes = class[c("levels", "type")], features = features$features)
  )
  cases <- list(
    # Equal schemas share one object, so the next fit recognises what it computed from them.
    schema = known_value("schema", schema, function() schema),
    columns = features$columns, group = group, frame = bind_frame(columns, count),
    weights = weights, threads = check_threads(request$threads, call), response = response,
    groups = length(class$levels), subset = subset, read = in_subset,
    row_names = asked$container$row_names, features = asked$features, folds = asked$folds,
    cluster = asked$cluster
  )
  if (length(asked$keys)) group_cases(cases, asked, call) else cases
}

# The rows of one formula, or of several: list(container, y, read, rows, schema, keys, features).
# * read(keep): encodes the features, with the levels of the rows to keep;
# * rows: list(weights, subset);
# * schema: list(formula, response, unnamed);
# * keys: the terms of the argument `by`, and their `enclosure`.
formula_rows <- function(data, request, call) {
  formulas <- if (is.null(request$several)) list(request$formula) else request$several
  weights <- request$weights
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
  rows <- masked_arguments(
    weights, request$subset, container, call, request$folds, request$cluster
  )
  apart <- c(rows$columns_apart, request$apart, unlist(lapply(request$by, all.vars)))
  terms <- lapply(formulas, read_formula, container, apart, call)
  label <- unique(vapply(terms, `[[`, "", "label"))
  if (length(label) > 1L) {
    abort_argument("{.arg formula}: the formulas have different classes, {.field {label}}.", call)
  }
  response <- terms[[1L]]$response
  check_columns_there(columns_of(response), container, abort_data, "data", call)
  enclosure <- formula_enclosure(formulas[[1L]])
  list(
    container = container, y = evaluate_response(response, container, enclosure, label, call),
    read = function(keep) read_all_terms(terms, formulas, container, keep, call), rows = rows,
    schema = list(formula = terms[[1L]]$formula, response = label, unnamed = FALSE),
    keys = lapply(request$by, new_term, container, enclosure, call), enclosure = enclosure,
    features = lapply(terms, function(t) names(t$terms)), folds = rows$folds,
    cluster = if (!is.null(rows$cluster)) check_cluster(rows$cluster, container$rows, call)
  )
}

# The rows of a table of features. `bag`: an ordinary matrix is a bag of terms.
table_rows <- function(x, request, call) {
  container <- read_container(x, "x", abort_data, call)
  if (request$bag && is_number_matrix(container$matrix)) {
    container <- bag_container(x, "x", abort_data, call)
  }
  names <- container$names
  check_column_names(names, names, "x", abort_data, call)
  if (length(names) == 0L) {
    abort_data(c(
      "{.arg x} has no columns.",
      i = "For the prior alone, use a formula: {.code y ~ 1}."
    ), call)
  }
  list(
    container = container, y = request$y, rows = request["weights"],
    read = function(keep) read_features(container, seq_along(names), names, keep, call),
    schema = list(formula = NULL, response = NULL, unnamed = container$unnamed)
  )
}

# Further rows for the schema of a request. Only the schema's features are read, with the levels of
# the new rows.
schema_rows <- function(data, request, call) {
  schema <- request$schema
  container <- name_lone_bag(
    read_container(data, "moredata", abort_schema, call), schema$features, "moredata", abort_schema,
    call
  )
  match_columns(schema, container, "moredata", call)
  list(
    container = container,
    rows = masked_arguments(request$weights, request$subset, container, call),
    y = more_classes(schema, container, request$y, call),
    read = function(keep) {
      check_more_kinds(
        read_terms(schema_terms(schema), container, globalenv(), keep, call), schema, call
      )
    },
    schema = schema[c("formula", "response", "unnamed")], keys = request$by,
    enclosure = globalenv()
  )
}

# Cases with groups: see group_rows().
group_cases <- function(cases, asked, call) {
  terms <- asked$keys
  keys <- asked_keys(asked, call)
  count <- asked$container$rows
  classes <- length(cases$schema$classes$levels)
  found <- group_rows(keys, cases$group, cases$subset, classes, count, call)
  if (found$missing > 0) {
    abort_data(c(
      "{.arg by}: {.or {.field {names(terms)}}} is missing in {found$missing} row{?s}.",
      i = "Leave these rows out, for example by {.arg subset}."
    ), call)
  }
  check_group_labels(found$keys, call)
  cases$by <- Map(function(term, key) replace(term, "type", key$type), terms, keys)
  cases[c("keys", "group")] <- found[c("keys", "group")]
  cases$groups <- nrow(found$keys) * classes
  cases$read <- found$read
  if (found$used < count) {
    read <- group_reads(keys, cases$subset, count, call)
    cases$idle <- read[setdiff(names(read), group_labels(found$keys))]
  }
  cases
}

asked_keys <- function(asked, call) {
  of_update <- is.null(asked$features)
  read_keys(
    asked$keys, asked$container, asked$enclosure, if (of_update) "moredata" else "data",
    if (of_update) abort_schema else abort_data, call, alone = TRUE
  )
}

# The response of a model with a formula, whose columns are those of the further rows.
response_there <- function(schema, container, y, call) {
  if (!is.null(y)) abort_argument("{.arg y} is a column of {.arg moredata} for this model.", call)
  response <- schema$formula[[2L]]
  check_columns_there(columns_of(response), container, abort_schema, "moredata", call)
  response
}

more_classes <- function(schema, container, y, call) {
  if (is.null(schema$formula)) {
    if (!is.null(y)) return(y)
    abort_argument("{.arg y} is missing: the model was fitted to {.arg x} and {.arg y}.", call)
  }
  response <- response_there(schema, container, y, call)
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
    j <- match(name, names(read$features))
    x <- column_vector(read$columns[[j]])
    blank <- now$type == "logical" && feature$type != "logical" && all(is.na(x))
    if (now$kind == feature$kind && !blank) next
    check_kind(x, now$type, feature, call)
    read$features[[name]] <- feature
    read$columns[[j]] <- if (feature$kind == "numeric") {
      encoded(x)
    } else {
      encoded(as.integer(x), 1L, length(feature$levels))
    }
  }
  read
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

# The rows to use, and their weights: subset, weights and na.action.

check_weights <- function(weights, rows, call) {
  if (is.null(weights)) return(NULL)
  if (inherits(weights, "hardhat_case_weights")) weights <- unclass(weights)
  if (!is.numeric(weights) || is.object(weights) || !is.null(dim(weights))) {
    abort_wanted(weights, "weights", "numbers, one per row", call)
  }
  if (length(weights) != rows) {
    abort_argument("{.arg weights} has {length(weights)} value{?s} for {rows} row{?s}.", call)
  }
  check_weight_sums(sum(!is.finite(weights) | weights < 0), sum(weights), call)
  as.double(weights)
}

# `bad`: how many weights are negative or not finite.
check_weight_sums <- function(bad, total, call) {
  if (bad > 0) {
    abort_argument("{.arg weights} must be finite and not negative: {bad} {?is/are} not.", call)
  }
  if (is.infinite(total)) {
    abort_argument("The sum of {.arg weights} is infinite: divide them by a constant.", call)
  }
}

# The cluster of each row, from 1.
check_cluster <- function(cluster, rows, call) {
  if (length(cluster) != rows || !is.atomic(cluster) || !is.null(dim(cluster))) {
    got <- describe_value(cluster)
    abort_argument(c(
      "{.arg cluster} must be a vector with the cluster of each of the {rows} row{?s}.",
      x = "It is {got}."
    ), call)
  }
  missing <- sum(is.na(cluster))
  if (missing > 0L) abort_argument("{.arg cluster} is missing in {missing} row{?s}.", call)
  match(cluster, unique(cluster))
}

# Estimates that stop at a tolerance need weights well above it.
check_total_weight <- function(weights, call) {
  total <- sum(weights)
  if (is.null(weights) || total >= 1e-6) return(invisible())
  abort_argument(c(
    "{.arg weights} add up to {format(total, digits = 3L)}, which is too little for an estimate.",
    i = "A weight of 1 counts as one case: multiply them by a constant."
  ), call)
}

# TRUE for the rows of the subset; NULL for all of them.
check_subset <- function(subset, rows, call) {
  if (is.null(subset)) return(NULL)
  if (is.logical(subset) && length(subset) == rows) return(!is.na(subset) & subset)
  whole <- is.numeric(subset) && !is.object(subset) && !anyNA(subset) &&
    all(abs(subset) <= rows & subset != 0 & subset == round(subset))
  if (!whole || (any(subset < 0) && any(subset > 0))) {
    abort_argument(
      "{.arg subset} must be TRUE or FALSE for each of the {rows} rows, or row numbers.", call
    )
  }
  if (anyDuplicated(subset)) {
    abort_argument("{.arg subset} names a row twice: use {.arg weights} to count it twice.", call)
  }
  keep <- logical(rows)
  keep[subset] <- TRUE
  keep
}

na_policy <- function(na_action, call) {
  if (is.character(na_action) && length(na_action) == 1L && !is.na(na_action)) {
    named <- switch(na_action,
      na.pass = , na.fail = , na.omit = na_action, na.exclude = "na.omit"
    )
    if (!is.null(named)) return(named)
  }
  if (identical(na_action, stats::na.pass)) return("na.pass")
  if (identical(na_action, stats::na.omit)) return("na.omit")
  if (identical(na_action, stats::na.exclude)) return("na.omit")
  if (identical(na_action, stats::na.fail)) return("na.fail")
  abort_argument("{.arg na.action} must be na.pass, na.omit, na.exclude or na.fail.", call)
}

# The rows of `keep` that remain after `na.action`. Bags have no missing values.
apply_na_policy <- function(policy, keep, read, codes, rows, call) {
  complete <- !is.na(codes)
  for (j in which(kinds_of(read$features) != "bag")) {
    complete <- complete & !is.na(column_vector(read$columns[[j]]))
  }
  considered <- if (is.null(keep)) rep(TRUE, rows) else keep
  lost <- sum(considered & !complete)
  if (policy == "na.fail") check_none_missing(lost, call)
  considered & complete
}

# `lost`: the number of rows with a missing value.
check_none_missing <- function(lost, call) {
  if (!isTRUE(lost > 0)) return(invisible())
  abort_data("There are missing values in {lost} row{?s}, and {.arg na.action} is na.fail.", call)
}

# A data frame from a list of columns, which may be empty.
new_rows <- function(columns, rows) {
  structure(
    columns, names = as.character(names(columns)), row.names = .set_row_names(rows),
    class = "data.frame"
  )
}
