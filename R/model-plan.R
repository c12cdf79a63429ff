# The plan: which features stand in which bank, and what a bank must know before rows are
# counted. It follows from the specification and the schema alone: what depends on the
# data, levels and bins, is remembered in the schema.

build_plan <- function(spec, schema, call) {
  joint <- joint_blocks(spec, schema, call)
  single <- single_features(schema, joint)
  likelihoods <- feature_likelihoods(spec, schema$features[single])
  blocks <- lapply(names(joint), function(name) joint_bank(name, joint[[name]], schema, call))
  list(banks = c(single_banks(single, likelihoods, schema, call), blocks))
}

# The schema's features with all that their likelihoods need to know of the data. `rows`:
# list(frame, group (NA: not counted), weights); `places`: the features' in the frame.
settle_features <- function(spec, schema, rows, call, places = seq_along(schema$features)) {
  features <- schema$features
  likelihoods <- feature_likelihoods(spec, features)
  range_of <- function(j, quartiles) {
    call_engine(
      feature_range_cpp(rows$frame, places[[j]], rows$group, rows$weights, quartiles), call
    )
  }
  for (j in single_features(schema, joint_blocks(spec, schema, call))) {
    features[[j]] <- settle_feature(
      likelihoods[[j]], features[[j]], function(quartiles = FALSE) range_of(j, quartiles), call
    )
  }
  features
}

single_features <- function(schema, joint) {
  all <- seq_along(schema$features)
  if (length(joint)) setdiff(all, unlist(joint)) else all
}

# The features of each joint block, by position.
joint_blocks <- function(spec, schema, call) {
  if (spec$structure == "full") {
    kinds <- feature_kinds(schema)
    blocks <- list(numeric = which(kinds == "numeric"), categorical = which(kinds == "categorical"))
    return(blocks[lengths(blocks) > 0L])
  }
  if (!length(spec$blocks)) return(list())
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
  if (is.null(chosen)) return(invisible())
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
