#' @export
describe.bayesrisk_comparison <- function(x, show) {
  if (is_part(x) || !is_comparison(x)) return(NextMethod())
  list(
    title_part(comparison_title(x)),
    table_part(comparison_columns(x), c("model", "models"), digits = few_digits()),
    sentences_part(comparison_notes(x))
  )
}

is_comparison <- function(x) {
  columns <- c("model", "agree", "errors", "cost", "risk", "believed", "gap")
  whole <- !is.null(attr(x, "cases")) || !is.null(attr(x, "world"))
  identical(names(x), columns) && nrow(x) > 0L && whole
}

comparison_title <- function(x) {
  cases <- attr(x, "cases")
  world <- attr(x, "world")
  where <- c(
    if (!is.null(cases)) count_of(cases, "case", "cases"),
    if (!is.null(world)) paste("the world of", encodeString(world))
  )
  sprintf(
    "decisions of %s: %s", count_of(nrow(x), "model", "models"), paste(where, collapse = " and ")
  )
}

comparison_columns <- function(x) {
  shown <- c(
    "model", if (!is.null(attr(x, "cases"))) c("agree", "errors", "cost"),
    if (!is.null(attr(x, "world"))) c("risk", "believed", "gap")
  )
  plain_frame(x)[shown]
}

comparison_notes <- function(x) {
  left_out <- attr(x, "left_out")
  c(
    if (!is.null(attr(x, "cases"))) {
      sprintf("agree: cases decided as by %s; cost: per case.", encodeString(x$model[[1L]]))
    },
    if (!is.null(attr(x, "world"))) {
      "risk: cost per case in that world; believed: what the model expects; gap: risk - believed."
    },
    if (sum(left_out) > 0) paste0(left_out_sentence(left_out), ".")
  )
}
