# Banks. Single features of one likelihood share a bank, a joint block is a bank of its
# own. A bank is a plain list(type, name, features, ...) in the plan; record_of() says what
# its type can do.

new_bank <- function(type, features, schema, name = NULL) {
  bank <- list(type = type, name = name, features = features)
  if (record_of(bank)$kind == "categorical") {
    bank$levels <- vapply(schema$features[features], function(f) length(f$levels), 1L)
    names(bank$levels) <- NULL
  }
  bank
}

# The banks of single features, given by position with a likelihood each: numeric ones
# first, otherwise in the order of the features.
single_banks <- function(features, likelihoods, schema, call = NULL) {
  key <- vapply(likelihoods, `[[`, "", "name")
  alone <- !vapply(likelihood_records()[key], `[[`, NA, "shares_bank")
  key[alone] <- paste(key[alone], features[alone])
  numeric <- feature_kinds(schema)[features] == "numeric"
  sorted <- c(which(numeric), which(!numeric))
  members <- split(sorted, match(key[sorted], unique(key[sorted])))
  lapply(unname(members), function(i) {
    likelihood <- likelihoods[[i[[1L]]]]
    bank <- new_bank(likelihood$name, features[i], schema)
    record_of(bank)$plan(
      bank, likelihood, schema$features[bank$features], schema$classes$levels, call
    )
  })
}

is_joint <- function(bank) record_of(bank)$joint

# Blocks as the user counts them, in the order of the banks: their names, and the
# bank that each stands in.
block_names <- function(model) {
  unlist(lapply(model$plan$banks, function(bank) {
    if (is_joint(bank)) bank$name else names(model$schema$features)[bank$features]
  }))
}

block_banks <- function(model) {
  banks <- model$plan$banks
  rep(banks, vapply(banks, function(b) if (is_joint(b)) 1L else length(b$features), 1L))
}

# Parameters of single features, one after the other as those of their bank: matrices have a
# column or more for each feature, vectors are joined.
bind_parameters <- function(parts) {
  fields <- stats::setNames(nm = names(parts[[1L]]))
  lapply(fields, function(field) {
    values <- lapply(parts, `[[`, field)
    do.call(if (is.matrix(values[[1L]])) cbind else c, unname(values))
  })
}
