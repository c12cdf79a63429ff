# The plan assigns features to banks and holds the settings that a bank needs before rows are
# counted. The specification and the schema determine the plan.

build_plan <- function(spec, schema, call) {
  plan_banks(assign_likelihoods(spec, schema, call), schema, call)
}

# Names the settings that were given without names, in class or level order. Without names they
# could not be matched if another part of the data has another order of classes or levels.
name_positional <- function(spec, schema) {
  named <- function(x, labels) {
    positional <- is.numeric(x) && is.null(names(x)) && length(x) == length(labels)
    if (positional) stats::setNames(x, labels) else x
  }
  if (is.numeric(spec$prior)) spec$prior <- named(spec$prior, schema$classes$levels)
  if (length(spec$features) == 0L) return(spec)
  for (name in intersect(names(spec$features), names(schema$features))) {
    levels <- schema$features[[name]]$levels
    # A single number applies to every level and gets no name.
    if (length(levels) > 1L) {
      spec$features[[name]][] <- lapply(unclass(spec$features[[name]]), named, levels)
    }
  }
  spec
}

# The elements that a specification and a schema determine before rows are counted:
# * spec: the specification with names for all of its settings;
# * joint: the positions of the features of each joint block;
# * single, likelihoods: the positions and the likelihoods of the single features;
# * settling: the likelihood that settles each feature, its own or that of its block;
# * settles: the positions of the features that need the data to settle.
assign_likelihoods <- function(spec, schema, call) {
  spec <- name_positional(spec, schema)
  check_feature_likelihoods(spec, schema, call)
  features <- schema$features
  joint <- joint_blocks(spec, schema, call)
  single <- seq_along(features)
  if (length(joint)) single <- setdiff(single, unlist(joint))
  likelihoods <- feature_likelihoods(spec, features_at(features, single))
  settling <- settling_likelihoods(spec, joint, single, likelihoods, features)
  settles <- vapply(settling$all, function(l) !is.null(record_of(l)$settle), NA)
  list(
    spec = spec, joint = joint, single = single, likelihoods = likelihoods, settling = settling,
    settles = which(settles[settling$of])
  )
}

# In the form of feature_likelihoods().
settling_likelihoods <- function(spec, joint, single, likelihoods, features) {
  all <- likelihoods$all
  of <- integer(length(features))
  of[single] <- likelihoods$of
  for (name in names(joint)) {
    members <- joint[[name]]
    kinds <- kinds_of(features[members])
    for (kind in unique(kinds)) {
      all <- c(all, list(block_likelihood(spec, name, kind)))
      of[members[kinds == kind]] <- length(all)
    }
  }
  list(all = all, of = of)
}

# Adds the plan if no feature needs the data to settle.
plan_settled <- function(assigned, schema, call) {
  if (!length(assigned$settles)) assigned$plan <- plan_banks(assigned, schema, call)
  assigned
}

plan_banks <- function(assigned, schema, call) {
  single <- single_banks(assigned$single, assigned$likelihoods, schema, call)
  blocks <- lapply(names(assigned$joint), function(name) {
    joint_bank(name, assigned$joint[[name]], assigned$spec, schema, call)
  })
  list(banks = c(single, blocks))
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

joint_bank <- function(name, features, spec, schema, call) {
  kinds <- feature_kinds(schema)[features]
  if (any(kinds == "bag")) {
    abort_argument(
      "Block {.field {name}}: {.field {names(schema$features)[features][kinds == 'bag']}} is a bag
       of terms, which is a block of its own.", call
    )
  }
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
  check_joint_kind(spec, name, kinds[[1L]], call)
  likelihood <- block_likelihood(spec, name, kinds[[1L]])
  record <- joint_record(likelihood)
  bank <- new_bank(record$name, features, schema, name)
  if (!is.null(bank$em)) bank$em <- spec$missing == "em"
  record$plan(bank, likelihood, schema$features[features], schema$classes$levels, call)
}

# `joint` is for blocks of numbers.
check_joint_kind <- function(spec, name, kind, call) {
  if (is_likelihood(spec$joint) || !name %in% names(spec$joint) || kind == "numeric") return()
  likelihood <- spec$joint[[name]]$name
  abort_argument(
    "Block {.field {name}} is categorical; {indefinite(likelihood)} likelihood does not fit it.",
    call
  )
}

# The likelihood of each feature: its own, or that of its kind. Many features share a likelihood:
# list(all, of), where `of` is the place of the likelihood of each feature in `all`.
feature_likelihoods <- function(spec, features) {
  parts <- unclass(spec)
  kinds <- kinds_of(features)
  bags <- kinds == "bag"
  if (any(bags)) kinds[bags] <- vapply(features[bags], default_kind, "", spec)
  all <- c(list(parts$numeric, parts$categorical, parts$bag), unname(parts$features))
  of <- match(kinds, c("numeric", "categorical", "bag"))
  if (length(parts$features)) {
    chosen <- match(names(features), names(parts$features), nomatch = 0L)
    of[chosen > 0L] <- 3L + chosen[chosen > 0L]
  }
  used <- unique(of)
  list(all = all[used], of = match(of, used))
}

# The kind of likelihood that a feature without a likelihood of its own takes from the
# specification. If this has no likelihood of bags, terms are read as numbers, or as TRUE and FALSE.
default_kind <- function(feature, spec) {
  if (feature$kind != "bag" || !is.null(spec$bag)) return(feature$kind)
  if (feature$type == "presence") "categorical" else "numeric"
}

# One likelihood of a joint block. One for each single feature, or one that they share.
bank_likelihoods <- function(bank, record, spec, features) {
  if (record$joint) return(list(block_likelihood(spec, bank$name, record$kind)))
  likelihoods <- feature_likelihoods(spec, features)
  if (length(likelihoods$all) == 1L) likelihoods$all else likelihoods$all[likelihoods$of]
}

# The settings of an estimate in the engine's format. `features`: the features of the bank;
# `classes`: all classes, in order.
bank_options <- function(bank, spec, features, classes, call) {
  record <- record_of(bank)
  likelihoods <- bank_likelihoods(bank, record, spec, features)
  block <- c(list(name = bank$name), unclass(spec)[gaussian_block_settings])
  record$options(likelihoods, features, classes, block, call)
}

# Likelihoods chosen feature by feature must exist and fit the feature's kind.
check_feature_likelihoods <- function(spec, schema, call) {
  check_bag_likelihoods(spec, schema, call)
  chosen <- names(spec$features)
  if (is.null(chosen)) return(invisible())
  check_known_features(chosen, names(schema$features), "features", call)
  for (name in chosen) {
    kind <- schema$features[[name]]$kind
    if (kind == "bag" && !is.null(record_of(spec$features[[name]])$bag_as)) next
    if (kind != record_of(spec$features[[name]])$kind) {
      likelihood <- spec$features[[name]]$name
      abort_argument(
        "Feature {.field {name}} is {kind_phrase(kind)}; {indefinite(likelihood)} likelihood does
         not fit it.", call
      )
    }
  }
}

kind_phrase <- function(kind) if (kind == "bag") "a bag of terms" else kind

# Bags without a likelihood of their own need one that reads bags.
check_bag_likelihoods <- function(spec, schema, call) {
  bags <- bags_of(schema$features)
  for (name in bags[!bags %in% names(spec$features)]) {
    likelihood <- unclass(spec)[[default_kind(schema$features[[name]], spec)]]
    if (is.null(record_of(likelihood)$bag_as)) {
      abort_argument(c(
        "{.field {name}} is a bag of terms; {indefinite(likelihood$name)} likelihood does not fit
         it.",
        i = "{.fn bayes_text} counts terms; {.code features = list({name} =
             likelihood_multinomial())} does it for this bag alone."
      ), call)
    }
  }
}
