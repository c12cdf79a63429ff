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
