#' @export
tidy.bayesrisk_models <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  rows_of_groups(x, tidy)
}

#' @export
glance.bayesrisk_models <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_groups(x, call)
  rows_of_groups(x, glance)
}

# The rows of each model, with its key before them.
rows_of_groups <- function(models, rows_of) {
  tables <- lapply(seq_along(unclass(models)), function(i) rows_of(group_model(models, i)))
  each <- vapply(tables, nrow, 1L)
  keys <- attr(models, "keys")[rep(seq_along(each), each), , drop = FALSE]
  data.frame(keys, do.call(rbind, tables), check.names = FALSE, row.names = NULL)
}
