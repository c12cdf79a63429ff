# Predictions of several values of Laplace from one fit of parsnip.

#' @rawNamespace S3method(parsnip::multi_predict, "_bayesrisk_model")
multi_predict._bayesrisk_model <- function( # nolint: object_name_linter.
    object, new_data, type = NULL, Laplace = NULL, ...) { # nolint: object_name_linter.
  check_no_dots(...)
  # NA: as it was fitted.
  values <- if (is.null(Laplace)) NA_real_ else Laplace
  each <- lapply(values, function(laplace) {
    if (!is.na(laplace)) object$fit <- update(object$fit, laplace = laplace)
    columns <- predict(object, new_data, type = if (is.null(type)) "class" else type)
    c(list(Laplace = rep(laplace, nrow(new_data))), columns)
  })
  # tibbles have no other parts; making one for each row would take longer than the predictions.
  tibble <- function(columns, rows) {
    structure(columns, class = c("tbl_df", "tbl", "data.frame"), row.names = .set_row_names(rows))
  }
  stacked <- lapply(stats::setNames(nm = names(each[[1L]])), function(column) {
    values <- unlist(lapply(each, `[[`, column), use.names = FALSE)
    unname(split(values, rep(seq_len(nrow(new_data)), length(each))))
  })
  by_row <- .mapply(function(...) tibble(list(...), length(each)), stacked, NULL)
  tibble(list(.pred = by_row), nrow(new_data))
}

# Of all rows of a grid that differ in Laplace alone, tune fits one.
#' @exportS3Method generics::min_grid
min_grid.naive_Bayes <- function(x, grid, ...) { # nolint: object_name_linter.
  if (identical(x$engine, "bayesrisk")) tune::fit_max_value(x, grid) else NextMethod()
}
