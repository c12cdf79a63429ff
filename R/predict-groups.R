# Predictions by the models of groups: each row by the model of its key.

#' @rdname bayesrisk_models
#' @export
predict.bayesrisk_models <- function(object, newdata, type = NULL, cost = NULL, prior = NULL,
                                     estimate = c("plugin", "predictive"), default = NULL, ...,
                                     threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_groups(object, call, "object")
  if (missing(newdata)) abort_no_rows("newdata", call)
  type <- predict_type(type, cost, call)
  by_group(object, newdata, default, call, function(model, rows) {
    request <- answer_request(score_from, model, estimate, type, cost, prior, threads, call)
    score_from(rows, request, call)
  })
}

# Applies `use` to the model and the rows of each group, and puts the results into the order of the
# rows of `newdata`.
by_group <- function(models, newdata, default, call, use) {
  if (!is.null(default)) default <- check_default(default, models, call)
  if (inherits(newdata, "tbl_lazy")) {
    abort_schema(c(
      "Models of groups do not predict lazy tables.",
      i = "Read the rows by {.fn dplyr::collect}, or in blocks by {.fn query_chunks}."
    ), call)
  }
  container <- read_container(newdata, "newdata", abort_schema, call)
  rows <- rows_by_key(models, container, is.null(default), call)
  if (container$rows == 0L) return(use(group_model(models, 1L), newdata))
  parts <- Map(function(group, at) {
    model <- if (group > 0L) group_model(models, group) else default
    use(model, newdata[at, , drop = FALSE])
  }, rows$group, rows$at)
  in_order(parts, order(unlist(rows$at)), container$row_names)
}

# Predictions of the default stand among those of the groups, so the classes must be the same.
check_default <- function(default, models, call) {
  default <- check_model(default, call, "default")
  classes <- attr(models, "schema")$classes$levels
  own <- default$schema$classes$levels
  if (identical(own, classes)) return(default)
  abort_argument(c(
    "{.arg default} must have the classes of the groups, in the same order.",
    x = "The groups: {.val {classes}}.", x = "{.arg default}: {.val {own}}."
  ), call)
}

# list(group, at): the groups of the rows, 0 for those without a model, and the rows of each.
rows_by_key <- function(models, container, strict, call) {
  keys <- read_keys(attr(models, "by"), container, globalenv(), "newdata", abort_schema, call)
  missing <- Reduce(`|`, lapply(keys, function(key) is.na(unclass(key$codes))))
  group <- match_keys(keys, attr(models, "keys"))
  group[missing] <- 0L
  unknown <- which(group == 0L)
  if (strict && length(unknown)) {
    labels <- group_labels(lapply(keys, function(key) {
      key$levels[as.vector(unclass(key$codes))[unknown]]
    }))
    found <- unique(ifelse(missing[unknown], "NA", encodeString(labels, quote = "\"")))
    abort_schema(c(
      "There is no model for {.field {names(keys)}} {some_of(found, 5L)}, in
       {count_of(length(unknown), 'row', 'rows')}.",
      i = "Give a model for them: {.code default = merge(models)}."
    ), call)
  }
  at <- split(seq_along(group), group)
  list(group = as.integer(names(at)), at = unname(at))
}

# Results of groups of rows, one below the other and then in order.
in_order <- function(parts, order, row_names) {
  first <- parts[[1L]]
  if (is.list(first) && !is.object(first)) {
    fields <- stats::setNames(nm = names(first))
    return(lapply(fields, function(field) in_order(lapply(parts, `[[`, field), order, row_names)))
  }
  if (is.data.frame(first)) {
    united <- do.call(rbind, parts)[order, , drop = FALSE]
    if (is.null(row_names)) row.names(united) <- NULL
    return(united)
  }
  if (is.matrix(first)) return(do.call(rbind, parts)[order, , drop = FALSE])
  if (!is.factor(first)) return(unlist(parts)[order])
  codes <- unlist(lapply(parts, function(part) as.vector(unclass(part))))[order]
  attributes(codes) <- attributes(first)[c("levels", "class")]
  codes
}
