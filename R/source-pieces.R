# Data in pieces: chunks that are read one after the other, and parts that may be read on several
# machines. What a piece adds to the answer to a request is a list of
#
#   value       what request$of_rows() answers; NULL if no row is used
#   read        the number of rows that were read, if no row is used; otherwise 0. With groups that
#               of each group without a used row, named by group
#   lost        the levels whose rows all have weight 0, by feature: see weightless_levels()
#   unknown     the names of the columns that hold NA alone, and so have no kind
#   known       for the other columns a vector of length 0, of the column's type and levels

# `data`: a table in memory, or a source. Chunks and parts give what all their rows add.
collect_piece <- function(data, request, call) {
  request$open <- inherits(data, c("bayesrisk_chunks", "bayesrisk_parts"))
  if (request$open) return(ask_source(data, request, call))
  if (is_plain_matrix(data)) data <- as.data.frame(data)
  kinds <- if (is.data.frame(data)) column_kinds(data)
  if (is.data.frame(data)) data <- take_kinds(data, request$known)
  if (is.data.frame(data)) check_own_rows(data, request, call)
  lost <- list()
  collected <- withCallingHandlers(
    tryCatch(
      read_piece(request$of_rows(data, request, call)),
      bayesrisk_error_no_rows = function(e) {
        lost <<- e$lost
        list(value = NULL, read = e$read)
      }
    ),
    bayesrisk_message_weightless_level = function(m) {
      lost[[m$feature]] <<- m$levels
      rlang::cnd_muffle(m)
    }
  )
  c(collected, list(lost = lost, unknown = kinds$unknown, known = kinds$known))
}

read_piece <- function(value) {
  read <- if (is_grouped(value)) attr(value, "idle")
  list(value = value, read = if (is.null(read)) 0 else read)
}

# R stores a column that is NA everywhere as logical.
column_kinds <- function(data) {
  data <- unclass(data)
  open <- vapply(data, function(x) is.logical(x) && !is.object(x) && all(is.na(x)), NA)
  list(unknown = names(data)[open], known = lapply(data[!open], function(x) x[0L]))
}

# Columns of NA alone take the types that they have in other pieces.
take_kinds <- function(data, known) {
  for (name in intersect(column_kinds(data)$unknown, names(known))) {
    data[[name]] <- known[[name]][rep(NA_integer_, nrow(data))]
  }
  data
}

# Pieces that do not fit are wrong data, but statistics that do not fit are a wrong argument.
merge_pieces <- function(a, b, request, call) {
  lost <- add_known(a$lost, b$lost)
  both <- intersect(names(a$lost), names(b$lost))
  lost[both] <- Map(union, a$lost[both], b$lost[both])
  known <- add_known(a$known, b$known)
  value <- if (is.null(a$value)) b$value else a$value
  merge <- if (is.null(request$merge)) merge_collected else request$merge
  if (!is.null(a$value) && !is.null(b$value)) value <- tryCatch(
    merge(a$value, b$value, call),
    bayesrisk_error_argument = function(e) {
      reason <- cli::ansi_strip(conditionMessage(e))
      abort_data("It does not fit the data before it: {reason}", call)
    }
  )
  list(
    value = value, read = add_reads(a$read, b$read), lost = lost,
    unknown = setdiff(union(a$unknown, b$unknown), names(known)), known = known
  )
}

add_reads <- function(a, b) {
  if (is.null(names(a)) && is.null(names(b))) return(a + b)
  both <- unlist(Filter(function(read) !is.null(names(read)), list(a, b)))
  vapply(split(unname(both), names(both)), sum, 1)
}

# Adds to a list the elements of another one whose names are new.
add_known <- function(a, b) c(a, b[setdiff(names(b), names(a))])

# Selects the columns that the formula of a request may use.
wanted_columns <- function(columns, request) {
  used <- if (rlang::is_formula(request$formula)) all.vars(request$formula)
  if ("." %in% used) columns else intersect(columns, used)
}

# The answer of a source of which `piece` holds everything.
finish_piece <- function(piece, request, call) {
  if (isTRUE(request$open)) return(piece)
  statistics <- piece$value
  if (request$kind != "statistics") return(statistics)
  if (is.null(statistics)) abort_empty_data(call, piece$read, piece$lost)
  schema <- schema_of(statistics)
  levels <- lapply(schema$features, `[[`, "levels")
  levels[[schema$response]] <- schema$classes$levels
  for (name in intersect(names(piece$lost), names(levels))) {
    inform_weightless(name, setdiff(piece$lost[[name]], levels[[name]]))
  }
  if (!is_grouped(statistics)) {
    statistics$rows$read <- statistics$rows$read + piece$read
    return(statistics)
  }
  parts <- unclass(statistics)
  for (group in intersect(names(piece$read), names(parts))) {
    parts[[group]]$rows$read <- parts[[group]]$rows$read + piece$read[[group]]
  }
  structure(parts, class = class(statistics))
}

# Arguments that are computed piece by piece, so they must be functions of columns.
arguments_of_rows <- c("weights", "subset", "cluster")

check_piece_request <- function(request, call) {
  for (arg in arguments_of_rows) {
    if (!is_given(request[[arg]])) next
    expression <- rlang::quo_get_expr(request[[arg]])
    if (!length(all.vars(expression))) abort_outside(arg, expression, call)
  }
  if (!is.null(request$y)) {
    abort_argument(c(
      "{.arg y} cannot be divided among the pieces of {.arg moredata}.",
      i = "Add one piece after the other."
    ), call)
  }
}

# The request with the values that its expressions need, but without the rest of their environments.
# So it can be sent to another process. Functions are looked up in the global environment there.
portable_request <- function(request) {
  for (arg in arguments_of_rows) {
    if (is_given(request[[arg]])) {
      expression <- rlang::quo_get_expr(request[[arg]])
      kept <- kept_environment(expression, rlang::quo_get_env(request[[arg]]))
      request[[arg]] <- rlang::new_quosure(expression, kept)
    }
  }
  if (rlang::is_formula(request$formula)) {
    environment <- kept_environment(request$formula, rlang::f_env(request$formula))
    rlang::f_env(request$formula) <- environment
  }
  request
}

# Long vectors are data, which are not sent.
most_sent_values <- 1e5

kept_environment <- function(expression, environment) {
  values <- if (!is.null(environment)) named_values(all.vars(expression), environment)
  sent <- Filter(function(x) is.atomic(x) && length(x) <= most_sent_values, values)
  list2env(as.list(sent), parent = globalenv())
}

abort_outside <- function(arg, expression, call) {
  code <- short_code(deparse1(expression), "...")
  abort_argument(c(
    "{.arg {arg}} must be computed from columns: the data come in pieces, among which a vector from
     outside cannot be divided.",
    x = "{.code {code}} uses no column.",
    i = "Make it a column of the data."
  ), call)
}

# Checks that these arguments of a table in memory use its columns, and that the value of a row does
# not depend on other rows, which may be in another piece.
check_own_rows <- function(data, request, call) {
  for (arg in arguments_of_rows) {
    quosure <- request[[arg]]
    if (!is_given(quosure)) next
    expression <- rlang::quo_get_expr(quosure)
    columns <- unclass(data)[intersect(all.vars(expression), names(data))]
    if (!length(columns)) abort_outside(arg, expression, call)
    value <- masked_value(quosure, columns, arg, call)
    if (arg == "subset" && !is.logical(value)) {
      abort_argument(
        "{.arg subset} must be TRUE or FALSE for each row of a piece, not {describe_value(value)}.",
        call
      )
    }
    if (is_by_row(value, quosure, columns, nrow(data))) next
    code <- short_code(deparse1(expression), "...")
    abort_argument(c(
      "{.arg {arg}} must give one value for each row, which does not depend on other rows:
       {.code {code}} does not.",
      i = "The data come in pieces. Make it a column of the data."
    ), call)
  }
}

is_by_row <- function(value, quosure, columns, rows) {
  if (!is.atomic(value) || length(value) != rows) return(FALSE)
  rows < 2L ||
    is.null(dependent_row(value, columns, function(of_row) rlang::eval_tidy(quosure, of_row)))
}

# Bins that depend on all rows are settled before the pieces of a source are counted.

# What is asked of cases for bins: list(features, ranges). `features`: schema entries, of which only
# name and kind count. `ranges`: named by numeric feature.
find_ranges <- function(cases, request, call) {
  features <- cases$schema$features
  numeric <- which(feature_kinds(cases$schema) == "numeric")
  ranges <- lapply(numeric, function(j) case_range(cases, j, FALSE, call))
  list(features = features, ranges = stats::setNames(ranges, names(features)[numeric]))
}

merge_ranges <- function(a, b, call) {
  a$features <- add_known(a$features, b$features)
  both <- intersect(names(a$ranges), names(b$ranges))
  a$ranges[both] <- Map(unite_ranges, a$ranges[both], b$ranges[both])
  a$ranges <- add_known(a$ranges, b$ranges)
  a
}

unite_ranges <- function(a, b) {
  if (a$weight == 0) return(b)
  if (b$weight == 0) return(a)
  list(
    weight = a$weight + b$weight, lowest = min(a$lowest, b$lowest),
    highest = max(a$highest, b$highest), lower_quartile = NaN, upper_quartile = NaN
  )
}

# The request with the bins of the features whose likelihoods need all rows. A model that is
# updated has its bins.
settle_request <- function(data, request, call) {
  spec <- request$spec
  joint <- if (is_likelihood(spec$joint)) list(spec$joint) else spec$joint
  likelihoods <- c(if (spec$structure != "full") spec["numeric"], spec$features, joint)
  together <- vapply(likelihoods, needs_all_rows, NA)
  settled <- !is.null(request$schema) || !is.null(request$bins)
  if (settled || !any(together)) return(request)
  request$bins <- list()
  piece <- collect_piece(
    data, replace(request, c("of_cases", "merge"), list(find_ranges, merge_ranges)), call
  )
  seen <- piece$value
  if (is.null(seen)) return(request)
  request["known"] <- list(piece$known)
  schema <- list(features = seen$features)
  likelihoods <- assign_likelihoods(spec, schema, call)$settling
  needing <- vapply(likelihoods$all, needs_all_rows, NA)[likelihoods$of]
  features <- schema$features[needing]
  likelihoods <- likelihoods$all[likelihoods$of[needing]]
  values <- NULL
  range <- function(name, quartiles) {
    if (!quartiles) return(seen$ranges[[name]])
    if (is.null(values)) values <<- collect_values(data, names(features), request, call)
    value_range(values, name, call)
  }
  settled <- Map(function(likelihood, feature) {
    of_feature <- function(quartiles = FALSE) range(feature$name, quartiles)
    record_of(likelihood)$settle(likelihood, feature, of_feature, call)$bins
  }, likelihoods, features)
  request$bins <- stats::setNames(settled, names(features))
  request
}

asks_ranges <- function(request) identical(request$of_cases, find_ranges)

needs_all_rows <- function(likelihood) record_of(likelihood)$of_all_rows(likelihood)

# Quartiles need all values of the features. The statistics of an empirical likelihood are the
# different values and their weights, and they merge.
collect_values <- function(data, names, request, call) {
  exact <- stats::setNames(rep(list(likelihood_empirical()), length(names)), names)
  request[c("spec", "open")] <- list(bayes_naive(features = exact), NULL)
  collected <- collect_from(data, request, call)
  if (is_grouped(collected)) all_groups(collected, call) else collected
}

value_range <- function(values, name, call) {
  place <- match(name, names(values$schema$features))
  bank <- match(TRUE, vapply(values$plan$banks, function(b) identical(b$features, place), NA))
  points <- do.call(rbind, values$statistics$banks[[bank]]$points)
  frame <- bind_frame(list(encoded(points[, 1L])), nrow(points))
  cases <- list(frame = frame, group = rep(1L, nrow(points)), weights = points[, 2L])
  case_range(cases, 1L, TRUE, call)
}
