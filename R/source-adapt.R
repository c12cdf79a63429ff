# Sources give the evidence on their prior, and the exponents of temper(). The pieces of
# evidence_from() stay apart; the engine adds them.

#' @export
evidence_from.bayesrisk_chunks <- function(newdata, model, request, call) { # nolint: object_name_linter.
  check_piece_request(request, call)
  pieces <- list()
  each_chunk(newdata, function(chunk, number) {
    more <- in_chunk(number, piece_evidence(chunk, model, request, call), call)
    request$sample <<- request$sample - min(request$sample, more[[1L]]$sample$rows)
    pieces <<- c(pieces, more)
    TRUE
  }, call)
  pieces
}

#' @export
evidence_from.bayesrisk_parts <- function(newdata, model, request, call) { # nolint: object_name_linter.
  check_piece_request(request, call)
  request <- portable_request(request)
  request$sample <- request$sample / length(newdata$parts)
  unlist(unname(map_parts(newdata, part_answers(piece_evidence, model, request), call)), FALSE)
}

# SQL has no function that maximises, so the rows are read in blocks.
#' @export
evidence_from.tbl_sql <- function(newdata, model, request, call) { # nolint: object_name_linter.
  report_query(with_table(newdata, function(newdata) {
    source <- db_source(newdata)
    match_columns(model$schema, list(names = source$names, unnamed = FALSE), "newdata", call)
    columns <- evidence_columns(source, model, request)
    rows <- reading_plan(newdata, source, FALSE)$rows
    evidence_from(table_chunks(source, columns, rows, abort_schema, call), model, request, call)
  }, call), call)
}

# A cost may name any column that the driver reads.
evidence_columns <- function(source, model, request) {
  own <- c(
    schema_columns(model$schema), quosure_columns(request$weights), quosure_columns(request$subset)
  )
  if (is.null(request$cost)) return(unique(own))
  union(own, setdiff(source$names, names(source$forms)[source$forms == ""]))
}

piece_evidence <- function(newdata, model, request, call) {
  if (is.data.frame(newdata)) check_own_rows(newdata, request, call)
  evidence_from(newdata, model, request, call)
}

# Exponents are estimated with models of a part of the rows, which these sources do not divide.

#' @export
exponents_from.bayesrisk_chunks <- function(data, model, request, call) { # nolint: object_name_linter.
  abort_temper_source("chunks", call)
}

#' @export
exponents_from.bayesrisk_parts <- function(data, model, request, call) { # nolint: object_name_linter.
  abort_temper_source("parts", call)
}

#' @export
exponents_from.tbl_sql <- function(data, model, request, call) { # nolint: object_name_linter.
  abort_temper_source("a lazy table", call)
}
