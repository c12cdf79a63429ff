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
    settle <- record_of(likelihoods[[j]])$settle
    features[[j]] <- settle(
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
      i = "A block has features of one kind."
    ), call)
  }
  record <- joint_record(kinds[[1L]])
  bank <- new_bank(record$name, features, schema, name)
  record$plan(bank, NULL, schema$features[features], schema$classes$levels, call)
}

# The likelihood of each feature: its own, or that of its kind.
feature_likelihoods <- function(spec, features) {
  kinds <- vapply(features, `[[`, "", "kind", USE.NAMES = FALSE)
  likelihoods <- unclass(spec)[kinds]
  chosen <- match(names(features), names(spec$features), nomatch = 0L)
  likelihoods[chosen > 0L] <- spec$features[chosen]
  unname(likelihoods)
}

# The settings of an estimate, as the engine reads them. `features`: those of the bank;
# `classes`: all of them, in order.
bank_options <- function(bank, spec, features, classes, call) {
  record <- record_of(bank)
  likelihoods <- if (record$joint) spec[record$kind] else feature_likelihoods(spec, features)
  block <- list(name = bank$name, covariance = spec$covariance, shrinkage = spec$shrinkage)
  record$options(unclass(likelihoods), features, classes, block, call)
}

# Likelihoods chosen feature by feature must exist and fit the feature's kind.
check_feature_likelihoods <- function(spec, schema, call) {
  chosen <- names(spec$features)
  if (is.null(chosen)) return(invisible())
  check_known_features(chosen, names(schema$features), "features", call)
  for (name in chosen) {
    kind <- schema$features[[name]]$kind
    if (kind != record_of(spec$features[[name]])$kind) {
      likelihood <- spec$features[[name]]$name
      abort_argument(
        "Feature {.field {name}} is {kind}; a {likelihood} likelihood does not fit.", call
      )
    }
  }
}
