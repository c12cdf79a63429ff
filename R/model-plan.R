# The plan: which features stand in which bank, and what a bank must know before rows are
# counted. It follows from the specification and the schema alone: what depends on the
# data, levels and bins, is remembered in the schema.

build_plan <- function(spec, schema, call) {
  joint <- joint_blocks(spec, schema, call)
  single <- setdiff(seq_along(schema$features), unlist(joint))
  likelihoods <- lapply(schema$features[single], feature_likelihood, spec = spec)
  blocks <- lapply(names(joint), function(name) joint_bank(name, joint[[name]], schema, call))
  list(banks = c(single_banks(single, likelihoods, schema, call), blocks))
}

# The schema's features with all that their likelihoods need to know of the data. `rows`:
# list(frame, group (NA: not counted), weights); `places`: the features' in the frame.
settle_features <- function(spec, schema, rows, call, places = seq_along(schema$features)) {
  joint <- unlist(joint_blocks(spec, schema, call))
  for (j in setdiff(seq_along(schema$features), joint)) {
    feature <- schema$features[[j]]
    range <- function(quartiles = FALSE) {
      call_engine(
        feature_range_cpp(rows$frame, places[[j]], rows$group, rows$weights, quartiles), call
      )
    }
    schema$features[[j]] <- settle_feature(feature_likelihood(spec, feature), feature, range, call)
  }
  schema$features
}

feature_kinds <- function(schema) {
  vapply(schema$features, function(f) f$kind, "", USE.NAMES = FALSE)
}

# The features of each joint block, by position.
joint_blocks <- function(spec, schema, call) {
  if (spec$structure == "full") {
    kinds <- feature_kinds(schema)
    blocks <- split(seq_along(kinds), factor(kinds, c("numeric", "categorical")))
    return(blocks[lengths(blocks) > 0L])
  }
  check_known_features(unlist(spec$blocks), names(schema$features), "blocks", call)
  single <- setdiff(names(schema$features), unlist(spec$blocks))
  twice <- intersect(names(spec$blocks), single)
  if (length(twice)) {
    abort_argument(
      "{.arg blocks}: {.field {twice}} is the name of a block and of a feature outside it.", call
    )
  }
  lapply(spec$blocks, function(names) match(names, names(schema$features)))
}

joint_bank <- function(name, features, schema, call) {
  kinds <- feature_kinds(schema)[features]
  if (length(unique(kinds)) > 1L) {
    numeric <- names(schema$features)[features][kinds == "numeric"]
    categorical <- names(schema$features)[features][kinds == "categorical"]
    abort_argument(c(
      paste(
        "Block {.field {name}} mixes kinds:",
        "{.field {numeric}} numeric, {.field {categorical}} categorical."
      ),
      i = "A block is numeric (a multivariate Gaussian) or categorical (a joint table)."
    ), call)
  }
  if (kinds[[1L]] == "numeric") return(new_bank("multivariate_gaussian", features, schema, name))
  bank <- new_bank("joint_table", features, schema, name)
  cells <- prod(as.double(bank$levels))
  if (length(features) > 62L || cells > 2^62) {
    size <- format(cells, digits = 3L)
    abort_degenerate(c(
      paste(
        "The joint table of block {.field {name}} is too large:",
        "{length(features)} features, {size} cells."
      ),
      i = paste(
        "At most 62 features and 2^62 cells.",
        "Split it with {.fn bayes_blocks}, or use {.fn bayes_naive}."
      )
    ), call)
  }
  bank
}

# Likelihoods chosen feature by feature must exist and fit the feature's kind.
check_feature_likelihoods <- function(spec, schema, call) {
  chosen <- names(spec$features)
  check_known_features(chosen, names(schema$features), "features", call)
  for (name in chosen) {
    kind <- schema$features[[name]]$kind
    if (!kind %in% likelihood_kinds(spec$features[[name]])) {
      likelihood <- spec$features[[name]]$name
      abort_argument(
        "Feature {.field {name}} is {kind}; a {likelihood} likelihood does not fit.", call
      )
    }
  }
}

feature_likelihood <- function(spec, feature) {
  chosen <- spec$features[[feature$name]]
  if (!is.null(chosen)) return(chosen)
  if (feature$kind == "numeric") spec$numeric else spec$categorical
}
