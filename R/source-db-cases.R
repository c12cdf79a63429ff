# Cases of a lazy table: a query, its classes and its schema. Elements, besides those of
# read_cases():
#
#   source, query, known, types, factors   see db_source() and db_query()
#   labels                         of the features
#   numeric                        the positions of numeric features
#   weighted, policy               whether there are weights; na.pass or na.omit
#   classes, summary               levels and their SQL; a row of db_summary() for each class
#   first                          a function that gives the first rows
#   summed                         see summed_blocks(); NULL if the summary has no such sums
#   guarded, scale                 see guard_cases()
#   strategy, chunk                "auto", "sql" or "stream"; the rows of a block that is read
#   cache                          rows that were counted before

# All queries of a fit read one state of the tables, if the engine can do so. A query that stops
# because a sum overflows is tried again with guarded numbers. If this fails, too, the first error
# has the reason.
collect_table <- function(data, request, call) {
  attempt <- function(request) {
    with_table(data, function(data) {
      if (!is.null(request$by)) return(collect_by_key(data, request, call))
      request$of_cases(read_table(data, request, call), request, call)
    }, call, snapshot = TRUE)
  }
  request$summed <- summed_structure(request$spec)
  report_query(tryCatch(attempt(request), bayesrisk_query = function(e) {
    request$guarded <- TRUE
    tryCatch(attempt(request), bayesrisk_query = function(again) stop(e))
  }), call)
}

read_table <- function(data, request, call) {
  threads <- check_threads(request$threads, call)
  policy <- na_policy(request$na_action, call)
  source <- db_source(data)
  asked <- db_formula(source, request, call)
  query <- db_query(source, asked, request, call)
  labels <- names(asked$terms)
  kinds <- vapply(query$types[place_names(seq_along(labels))], type_kind, "")
  cases <- structure(list(
    source = source, query = query$query, known = query$known, first = query$first,
    types = query$types, factors = query$factors, labels = labels,
    numeric = unname(which(kinds == "numeric")), weighted = !is.null(query$weights),
    policy = policy, response = term_label(asked$response), threads = threads, guarded = FALSE,
    scale = rep(1, length(labels)), cache = new.env(parent = emptyenv())
  ), class = "db_cases")
  weights <- if (cases$weighted) check_db_weights(query$weights, source, call)
  cases[c("strategy", "chunk")] <- reading_plan(data, source, isTRUE(weights$far))
  if (policy == "na.fail") check_db_complete(cases, call)
  cases <- first_pass(cases, isTRUE(request$guarded), request$summed, call)
  cases$read <- rows_read(cases)
  if (is.null(cases$classes)) abort_empty_data(call, cases$read)
  cases$schema <- db_schema(cases, asked, request$schema, call)
  if (isTRUE(weights$zero)) inform_lost_texts(cases)
  cases
}

# The Gaussians that the first pass can sum: the names of the members of each joint block, and all
# other numbers as single features. TRUE: all numbers are one block. NULL: no sums.
summed_structure <- function(spec) {
  if (spec$structure == "naive") return(if (identical(spec$numeric$name, "gaussian")) list())
  if (spec$missing != "complete" || is_likelihood(spec$joint)) return(NULL)
  switch(spec$structure,
    full = if (is.null(spec$joint)) TRUE,
    blocks = spec$blocks[setdiff(names(spec$blocks), names(spec$joint))]
  )
}

# The blocks of numbers by place. `summed`: see summed_structure().
summed_blocks <- function(summed, cases) {
  if (isTRUE(summed)) return(list(cases$numeric))
  places <- lapply(unname(summed), match, cases$labels)
  Filter(function(block) all(block %in% cases$numeric), places)
}

# Adds classes and summary; without rows there are no classes. `summed`: the sums that are wanted,
# see summed_structure().
first_pass <- function(cases, guarded, summed, call) {
  streams <- cases$strategy == "stream"
  wanted <- if (streams) integer() else cases$numeric
  if (guarded) cases <- guard_cases(cases, call)
  # Rows with NaN are left out; the engine finds the infinite numbers.
  if (streams) cases$guarded <- cases$policy == "na.omit"
  blocks <- if (!is.null(summed)) summed_blocks(summed, cases)
  found <- if (!streams && !guarded) guessed_summary(cases, wanted, blocks)
  cases$summed <- if (!is.null(found)) blocks
  if (is.null(found)) found <- db_summary(cases, wanted)
  if (!sum(found$n)) return(cases)
  cases$classes <- db_classes(found, cases, call)
  if (!cases$guarded && is.null(cases$summed) && need_guard(found, wanted)) {
    cases <- guard_cases(cases, call)
    found <- db_summary(cases, wanted)
    # Rows with NaN may have been the only ones of a class, or of the table.
    if (!sum(found$n)) return(replace(cases, "classes", list(NULL)))
    cases$classes <- db_classes(found, cases, call)
  }
  cases$summary <- found[cases$classes$order, , drop = FALSE]
  cases
}

# The number of rows in the subset.
rows_read <- function(cases) {
  plain <- !is.null(cases$summary) && !cases$weighted && cases$policy != "na.omit"
  if (plain) return(sum(cases$summary$n))
  db_get(cases$source, db_select(c(n = "COUNT(*)"), db_sub(cases$query)))$n
}

check_db_complete <- function(cases, call) {
  used <- db_used(cases)
  columns <- c("y", place_names(seq_along(cases$labels)))
  x <- cases$source$dialect$known(place_names(cases$numeric))
  columns[cases$numeric + 1L] <- x
  complete <- paste(columns, "IS NOT NULL", collapse = " AND ")
  lost <- db_get(cases$source, db_select(
    c(n = sprintf("SUM(CASE WHEN %s THEN 0 ELSE 1 END)", complete)), db_sub(used)
  ))$n
  check_none_missing(lost, call)
}

# `known`: the schema of the model that is updated.
db_schema <- function(cases, asked, known, call) {
  features <- lapply(seq_along(cases$labels), function(j) {
    type <- cases$types[[place_names(j)]]
    factor <- cases$factors[[j]]
    levels <- if (is.null(factor)) switch(type,
      character = character_levels(db_distinct(cases, j, call)[[place_names(j)]]),
      logical = c("FALSE", "TRUE")
    )
    term <- asked$terms[[j]]
    new_feature(
      cases$labels[[j]], c(factor$type, type)[[1L]], c(factor$levels, levels),
      if (is.list(term)) term
    )
  })
  names(features) <- cases$labels
  for (name in names(known$features)) {
    check_kind(TRUE, features[[name]]$type, known$features[[name]], call)
    features[[name]]$bins <- known$features[[name]]$bins
  }
  list(
    formula = asked$formula, response = cases$response, unnamed = FALSE,
    classes = cases$classes[c("levels", "type")], features = features
  )
}

# A message names the levels whose rows all have weight 0.
inform_lost_texts <- function(cases) {
  schema <- cases$schema
  text <- names(cases$types)[cases$types == "character"]
  rows <- lapply(stats::setNames(nm = text), function(x) {
    db_get(cases$source, paste("SELECT DISTINCT", x, "FROM", db_sub(cases$query)))[[1L]]
  })
  levels <- lapply(schema$features, `[[`, "levels")
  names(levels) <- place_names(seq_along(levels))
  labels <- c(stats::setNames(schema$response, "y"), stats::setNames(cases$labels, names(levels)))
  levels$y <- schema$classes$levels
  for (x in text) {
    inform_weightless(labels[[x]], setdiff(character_levels(rows[[x]]), levels[[x]]))
  }
}
