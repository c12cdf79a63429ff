# Costs as text: sentences, or a table if there would be too many sentences.

max_sentences <- 12L
max_classes <- 12L

#' @export
format.bayesrisk_cost <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  cells <- shown_cells(x, environment())
  text <- cells_text(cells, digits)
  verb <- if (is_utility(x)) "gains" else "costs"
  sentences <- lapply(rownames(cells), function(action) {
    # A cost that names no class always takes this branch.
    if (is.null(colnames(cells)) || (ncol(cells) > 1L && all_same(cells[action, ]))) {
      return(sprintf("deciding %s %s %s whatever is true", action, verb, text[[action, 1L]]))
    }
    sprintf("deciding %s when truth is %s %s %s", action, colnames(cells), verb, text[action, ])
  })
  unlist(sentences)
}

all_same <- function(cells) all(vapply(cells, identical, NA, cells[[1L]]))

#' @export
describe.bayesrisk_cost <- function(x, show) {
  cells <- shown_cells(x, show$call)
  kind <- if (is_utility(x)) "utility" else "cost"
  if (is_case_cost(x)) kind <- paste(kind, "by case")
  classes <- length(colnames(cells))
  title <- c(
    paste(kind, "of", count_of(nrow(cells), "action", "actions")),
    if (classes) count_of(classes, "true class", "true classes")
  )
  few <- length(cells) <= max_sentences
  list(
    title_part(toString(title)),
    if (few || !classes) answers_part(format(x, digits = show$digits), c("action", "actions")),
    if (classes) cost_table(cells, show$digits)
  )
}

# Actions in rows, the first classes in columns.
cost_table <- function(cells, digits) {
  classes <- ncol(cells)
  cut <- if (classes > max_classes) {
    sprintf("the first %d of %s true classes", max_classes, format_count(classes))
  }
  cells <- cells[, seq_len(min(classes, max_classes)), drop = FALSE]
  cells <- if (all(is_one_number(cells))) number_matrix(cells) else cells_text(cells, digits)
  table_part(cells, c("action", "actions"), caption = cut)
}

# The cells as the user wrote them: costs, or gains if the cost is a utility.
shown_cells <- function(x, call) {
  cells <- cost_cells(x, call, "x")
  if (is_utility(x)) map_cells(turn_sign, cells) else cells
}

cells_text <- function(cells, digits = NULL) {
  array(vapply(cells, cell_text, "", digits = digits), dim(cells), dimnames(cells))
}

# A cell as text: a number, a formula as it was written, or the range of the numbers of all cases.
cell_text <- function(cell, digits = NULL) {
  if (rlang::is_quosure(cell)) {
    lines <- rlang::expr_deparse(rlang::quo_squash(cell), width = 500L)
    return(paste0("~", paste(lines, collapse = " ")))
  }
  known <- if (length(cell) == 1L) cell else cell[!is.na(cell)]
  if (!length(known)) return("NA")
  paste(unique(vapply(range(known), format, "", digits = digits)), collapse = " to ")
}
