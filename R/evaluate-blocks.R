# Statistics of joint blocks that need no model: feature_dependence() and search_blocks() read them
# in the same way.

# The largest number of blocks whose statistics are counted at once.
blocks_at_once <- 2000L

# list(banks, statistics) of blocks. `blocks`: a list of the positions of the features of each
# block, which are of one kind.
collect_blocks <- function(blocks, cases, call) {
  spec <- new_spec("full")
  banks <- lapply(unname(blocks), function(block) {
    joint_bank("block", block, spec, cases$schema, call)
  })
  list(banks = banks, statistics = count_cases(banks, cases, call)$banks)
}

# Applies `f` to parts of a list of blocks, and joins the results.
by_parts <- function(blocks, f) {
  unlist(lapply(in_batches(blocks, blocks_at_once), f), recursive = FALSE)
}

# Finds data that no likelihood reads: each feature is counted alone, so each problem is reported
# once.
check_single_features <- function(cases, call) {
  banks <- build_plan(bayes_naive(), cases$schema, call)$banks
  check_spread(count_cases(banks, cases, call)$banks, banks, cases$schema, call)
}

check_spread <- function(statistics, banks, schema, call) {
  wide <- Map(function(found, bank) {
    if (!is.null(found$scatter)) bank$features[colSums(!is.finite(found$scatter)) > 0]
  }, statistics, banks)
  wide <- names(schema$features)[sort(unlist(wide))]
  if (length(wide)) {
    abort_degenerate(c(
      "The spread of {.field {wide}} is beyond the largest double.",
      i = "Divide by a power of ten."
    ), call)
  }
}
