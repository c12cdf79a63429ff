#' @export
describe.bayesrisk_search <- function(x, show) {
  search <- attr(x, "search")
  path <- search$path
  path$score <- NULL
  list(
    sentences_item(format(x)),
    heading_item(search_title(search)),
    table_item(path, c("step", "steps")),
    sentences_item(search_notes(search))
  )
}

#' @export
result_rows.bayesrisk_search <- function(x, call) {
  path <- attr(x, "search")$path
  check_unchanged(is_sound_spec(x) && is.data.frame(path), "specification", call)
  path
}

search_title <- function(search) {
  by <- switch(search$criterion,
    evidence = "log evidence", bic = "BIC", cost = "out-of-fold cost"
  )
  counted <- sprintf("%s %s", format_count(search$searched), names(search$searched))
  if (!length(counted)) return("search: no feature can change its block")
  sprintf("search by %s (features: %s)", by, paste(counted, collapse = ", "))
}

search_notes <- function(search) {
  left <- vapply(search$rows, function(rows) rows[["left"]], 1)
  left <- left[left > 0]
  reasons <- split(names(search$closed), search$closed)
  path <- search$path
  c(
    if (!nrow(path)) "No merge and no split gains: the blocks stay as they are.",
    if (nrow(path)) search_total(search),
    if (length(left)) {
      sprintf("Left out, because a %s feature is missing: %s.", names(left),
              vapply(left, count_of, "", "row", "rows"))
    },
    if (length(search$closed)) {
      kept <- sprintf("%s (%s)", vapply(reasons, first_features, ""), names(reasons))
      sprintf("Kept as before: %s.", paste(kept, collapse = "; "))
    },
    if (length(search$refused)) {
      sprintf("Not merged, because the covariance would be singular: %s.", some_of(search$refused))
    },
    if (search$reads > 0L) {
      sprintf("Tables of three or more features took %s.",
              count_of(search$reads, "further read of the data", "further reads of the data"))
    }
  )
}

search_total <- function(search) {
  last <- search$path$score[[nrow(search$path)]]
  what <- switch(search$criterion,
    evidence = "Log evidence", bic = "-BIC / 2", cost = "Out-of-fold cost"
  )
  sprintf("%s: %s at the start, %s at the end.", what, format(search$start, digits = few_digits()),
          format(last, digits = few_digits()))
}
