# The blocks of a specification: a list of character vectors, named.

check_blocks <- function(blocks, call) {
  if (!is.list(blocks) || is.object(blocks) || length(blocks) == 0L) {
    abort_argument(c(
      "{.arg blocks} must be a list of character vectors, the features of each block.",
      x = "It is {describe_value(blocks)}.",
      i = "Without blocks, use {.code bayes_naive()}."
    ), call)
  }
  for (i in seq_along(blocks)) check_block(blocks[[i]], i, call)
  members <- unlist(blocks, use.names = FALSE)
  if (anyDuplicated(members)) {
    twice <- unique(members[duplicated(members)])
    abort_argument(
      "{.arg blocks} must hold a feature once, but {.field {twice}} {?is/are} in it twice.", call
    )
  }
  blocks <- lapply(blocks, as.vector)
  names(blocks) <- name_blocks(blocks)
  check_distinct_names(names(blocks), "blocks", call)
  blocks
}

check_block <- function(block, i, call) {
  if (!is.character(block) || is.object(block) || length(block) == 0L) {
    arg <- sprintf("blocks[[%d]]", i)
    abort_wanted(block, arg, "a character vector of one or more features", call)
  }
  if (anyNA(block) || !all(nzchar(block))) {
    abort_argument("{.arg blocks[[{i}]]} must not hold NA or an empty name.", call)
  }
}

name_blocks <- function(blocks) {
  joined <- vapply(blocks, paste, character(1), collapse = "+", USE.NAMES = FALSE)
  given <- names(blocks)
  if (is.null(given)) return(joined)
  unnamed <- is.na(given) | !nzchar(given)
  given[unnamed] <- joined[unnamed]
  given
}
