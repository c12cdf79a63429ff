# Banks. Single features with the same likelihood share a bank; each joint block has its own
# bank. A bank is a plain list(type, name, features, ...) in the plan. record_of() returns the
# record of its type.

new_bank <- function(type, features, schema, name = NULL) {
  bank <- list(type = type, name = name, features = features)
  record <- likelihood_records()[[type]]
  bank <- c(bank, record$bank)
  if (record$kind != "numeric") {
    bank$levels <- unname(count_levels(schema$features[features]))
  }
  bank
}

# The banks of single features. `features` are positions, `likelihoods` a result of
# feature_likelihoods(). Banks of numeric features come first, then banks are in the order of their
# first features.
single_banks <- function(features, likelihoods, schema, call = NULL) {
  kinds <- feature_kinds(schema)[features]
  # One place for each likelihood with each kind.
  place <- 2L * likelihoods$of - (kinds == "bag")
  used <- unique(place)
  types <- vapply(used, function(u) {
    bank_type(likelihoods$all[[(u + 1L) %/% 2L]], if (u %% 2L == 1L) "bag" else "other")
  }, "")
  records <- likelihood_records()[types]
  of <- match(place, used)
  # A number for each bank.
  key <- match(types, types)[of]
  alone <- which(!vapply(records, .subset2, NA, "shares_bank")[of])
  key[alone] <- length(types) + alone
  lapply(bank_members(key, kinds == "numeric"), function(i) {
    u <- of[[i[[1L]]]]
    bank <- new_bank(types[[u]], features[i], schema)
    records[[u]]$plan(
      bank, likelihoods$all[[likelihoods$of[[i[[1L]]]]]],
      features_at(schema$features, bank$features), schema$classes$levels, call
    )
  })
}

# The places of the same key, those of numeric features first. Most models have one bank.
bank_members <- function(key, numeric) {
  sorted <- if (all(numeric)) seq_along(key) else c(which(numeric), which(!numeric))
  keys <- unique(key[sorted])
  if (length(keys) == 1L) return(list(sorted))
  unname(split(sorted, factor_of(match(key[sorted], keys), length(keys))))
}

# Numbers from 1 to `count` as a factor. factor() would make text of them first.
factor_of <- function(x, count) {
  structure(x, levels = as.character(seq_len(count)), class = "factor")
}

# The type of the banks of single features of a kind.
bank_type <- function(likelihood, kind) {
  if (kind == "bag") record_of(likelihood)$bag_as else likelihood$name
}

is_joint <- function(bank) record_of(bank)$joint

# The blocks that the user sees, in the order of the banks: the name and the bank of each block.
block_names <- function(model) {
  unlist(lapply(model$plan$banks, function(bank) {
    if (is_joint(bank)) bank$name else names(model$schema$features)[bank$features]
  }))
}

# Stops if a block was estimated with `missing = "em"`. `lacks`: the end of the sentence.
check_no_em <- function(object, lacks, call) {
  em <- vapply(object$plan$banks, function(bank) isTRUE(bank$em), NA)
  if (!any(em)) return(invisible())
  block <- object$plan$banks[[which(em)[[1L]]]]$name
  abort_argument(c(
    "Block {.field {block}} was estimated with {.code missing = \"em\"} and has {lacks}.",
    i = "Fit again with {.code missing = \"complete\"}, or {.fn bayes_naive}."
  ), call)
}

# How many blocks each bank holds: one, or one per single feature.
count_blocks <- function(banks) {
  vapply(banks, function(bank) if (is_joint(bank)) 1L else length(bank$features), 1L)
}

block_banks <- function(model) {
  banks <- model$plan$banks
  rep(banks, count_blocks(banks))
}

# Joins the parameters of single features into the parameters of their bank: matrices are bound
# by column (one or more columns for each feature), vectors are concatenated.
bind_parameters <- function(parts) {
  fields <- stats::setNames(nm = names(parts[[1L]]))
  lapply(fields, function(field) {
    values <- lapply(parts, `[[`, field)
    do.call(if (is.matrix(values[[1L]])) cbind else c, unname(values))
  })
}
