# Cases of a source that are counted several times. The first pass finds the classes, levels and
# kinds of all rows. Each later one counts what it is asked for, piece by piece, with these classes
# and levels; so the counts of pieces add up.

# Calls use(cases) with the cases of rows in memory, or of a source. `read(data)`: reads rows.
# `request`: that of a fit.
with_cases <- function(data, request, read, use, call) {
  if (!is_source(data)) return(use(read(data)))
  data <- as_chunks(data, call)
  work <- function(data) use(source_cases(data, request, call))
  if (!inherits(data, "tbl_sql")) return(work(data))
  report_query(with_table(data, work, call, snapshot = TRUE), call)
}

# An object with the elements of read_cases() that do not depend on single rows, and
# * counted: the states of the banks of bayes_naive();
# * source, request: what a pass reads; `split`: a category whose levels divide the classes;
#   `complete`: features (positions) that must be known.
source_cases <- function(data, request, call) {
  if (inherits(data, "bayesrisk_chunks")) {
    check_chunks(data, call)
    if (!data$again) {
      abort_data(c(
        "The rows must be read several times: first for the levels of all rows.",
        i = again_remedy(data)
      ), call)
    }
    data <- same_each_pass(data)
  }
  # The passes find the parts as the first one found them.
  if (inherits(data, "bayesrisk_parts")) data$seen <- new.env(parent = emptyenv())
  request$spec <- bayes_naive()
  first <- collect_from(data, request, call)
  request <- replace(request, c("kind", "formula"), list("counts", first$schema$formula))
  request$schema <- first$schema
  request$merge <- merge_counts
  request$of_cases <- count_piece
  structure(list(
    schema = first$schema, groups = length(first$schema$classes$levels),
    columns = vector("list", length(first$schema$features)), response = first$schema$response,
    class_rows = first$statistics$classes$rows, counted = first$statistics$banks,
    source = data, request = request
  ), class = "source_cases")
}

# The counts of a pass: list(banks, groups, features, statistics, complete, rows).
read_counts <- function(cases, banks, call) {
  request <- cases$request
  request$banks <- banks
  counts <- collect_piece(cases$source, request, call)$value
  expected <- sum(cases$class_rows)
  if (counts$rows != expected) abort_other_rows(expected, counts$rows, call)
  counts
}

#' @export
count_banks.source_cases <- function(cases, banks, call) { # nolint: object_name_linter.
  read_counts(cases, banks, call)$statistics
}

count_piece <- function(cases, request, call) {
  cases <- recode_cases(cases, request$schema)
  rows <- sum(!is.na(cases$group))
  complete <- NULL
  if (!is.null(request$complete)) {
    complete <- complete_cases(cases, request$complete, call)
    cases <- complete$cases
  }
  if (!is.null(request$split)) cases <- split_cases(cases, request$split)
  list(
    banks = request$banks, groups = cases$groups, features = length(cases$columns), rows = rows,
    statistics = if (length(request$banks)) count_cases(request$banks, cases, call),
    complete = complete[c("used", "missing", "left")]
  )
}

merge_counts <- function(a, b, call) {
  if (length(a$banks)) {
    a$statistics <- call_engine(
      merge_statistics_cpp(a$banks, a$groups, a$features, a$statistics, b$statistics), call
    )
  }
  if (!is.null(a$complete)) a$complete <- Map(`+`, a$complete, b$complete)
  a$rows <- a$rows + b$rows
  a
}

# Cases with the classes and levels of a schema, which has all of theirs.
recode_cases <- function(cases, schema) {
  for (j in which(kinds_of(schema$features) == "categorical")) {
    own <- cases$schema$features[[j]]$levels
    levels <- schema$features[[j]]$levels
    codes <- match(own, levels)[column_codes(cases$columns[[j]])]
    cases$columns[[j]] <- encoded(codes, 1L, length(levels))
  }
  classes <- schema$classes$levels
  cases$group <- match(cases$schema$classes$levels, classes)[as.integer(cases$group)]
  cases$groups <- length(classes)
  cases$schema <- schema
  cases$frame <- bind_frame(
    stats::setNames(cases$columns, names(schema$features)), cases$frame$rows
  )
  cases
}

# Cases whose groups are the classes in each level of a category (a position).
split_cases <- function(cases, category) UseMethod("split_cases")

#' @export
split_cases.default <- function(cases, category) { # nolint: object_name_linter.
  codes <- column_codes(cases$columns[[category]])
  cases$group <- as.integer(cases$group) + cases$groups * (codes - 1L)
  cases$groups <- cases$groups * length(cases$schema$features[[category]]$levels)
  cases
}

#' @export
split_cases.source_cases <- function(cases, category) { # nolint: object_name_linter.
  cases$request$split <- category
  cases
}

# The cases in which some features (positions) are known: list(cases, used, missing, left), with the
# numbers of rows that count, that miss each feature, and that are left out.
complete_cases <- function(cases, places, call) UseMethod("complete_cases")

#' @export
complete_cases.default <- function(cases, places, call) { # nolint: object_name_linter.
  found <- call_engine(
    complete_rows_cpp(bind_frame(cases$columns[places], cases$frame$rows), cases$group), call
  )
  cases$group <- found$group
  c(list(cases = cases), found[c("used", "missing", "left")])
}

#' @export
complete_cases.source_cases <- function(cases, places, call) { # nolint: object_name_linter.
  cases$request$complete <- places
  c(list(cases = cases), read_counts(cases, NULL, call)$complete)
}
