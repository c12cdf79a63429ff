# Sources give the evidence on their prior, and the exponents of temper(). The pieces of
# evidence_from() stay apart; the engine adds them.

#' @export
evidence_from.bayesrisk_chunks <- function(newdata, model, ask, call) { # nolint: object_name_linter.
  check_piece_task(ask, call)
  pieces <- list()
  each_chunk(newdata, function(chunk, number) {
    more <- in_chunk(number, piece_evidence(chunk, model, ask, call), call)
    ask$sample <<- ask$sample - min(ask$sample, more[[1L]]$sample$rows)
    pieces <<- c(pieces, more)
    TRUE
  }, call)
  pieces
}

#' @export
evidence_from.bayesrisk_parts <- function(newdata, model, ask, call) { # nolint: object_name_linter.
  check_piece_task(ask, call)
  ask <- portable_task(ask)
  ask$sample <- ask$sample / length(newdata$parts)
  unlist(unname(map_parts(newdata, part_answers(piece_evidence, model, ask), call)), FALSE)
}

# SQL has no function that maximises, so the rows are read in blocks.
#' @export
evidence_from.tbl_sql <- function(newdata, model, ask, call) { # nolint: object_name_linter.
  report_query(with_table(newdata, function(newdata) {
    source <- db_source(newdata)
    match_columns(model$schema, list(names = source$names, unnamed = FALSE), "newdata", call)
    columns <- evidence_columns(source, model, ask)
    rows <- reading_plan(newdata, source, FALSE)$rows
    evidence_from(table_chunks(source, columns, rows, abort_schema, call), model, ask, call)
  }, call), call)
}

# A cost may name any column that the driver reads.
evidence_columns <- function(source, model, ask) {
  own <- c(schema_columns(model$schema), quosure_columns(ask$weights), quosure_columns(ask$subset))
  if (is.null(ask$cost)) return(unique(own))
  union(own, setdiff(source$names, names(source$forms)[source$forms == ""]))
}

piece_evidence <- function(newdata, model, ask, call) {
  if (is.data.frame(newdata)) check_own_rows(newdata, ask, call)
  evidence_from(newdata, model, ask, call)
}

# Exponents are estimated with models of a part of the rows, which these sources do not divide.

#' @export
exponents_from.bayesrisk_chunks <- function(data, model, task, call) { # nolint: object_name_linter.
  abort_temper_source("chunks", call)
}

#' @export
exponents_from.bayesrisk_parts <- function(data, model, task, call) { # nolint: object_name_linter.
  abort_temper_source("parts", call)
}

#' @export
exponents_from.tbl_sql <- function(data, model, task, call) { # nolint: object_name_linter.
  abort_temper_source("a lazy table", call)
}
