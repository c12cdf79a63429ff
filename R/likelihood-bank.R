# Banks. Single features of one likelihood share a bank, a joint block is a bank of its
# own. A bank is a plain list(type, name, features, ...) in the plan; what its type can
# do are methods for the class bayesrisk_bank_<type>, in the R file of the likelihood.

new_bank <- function(type, features, schema, name = NULL) {
  bank <- list(type = type, name = name, features = features)
  if (identical(bank_kind(bank), "categorical")) {
    bank$levels <- vapply(schema$features[features], function(f) length(f$levels), 1L)
    names(bank$levels) <- NULL
  }
  bank
}

# The banks of single features, given by position with a likelihood each: numeric ones
# first, otherwise in the order of the features.
single_banks <- function(features, likelihoods, schema, call = NULL) {
  key <- vapply(likelihoods, `[[`, "", "name")
  first <- !duplicated(key)
  alone <- key %in% key[first][!vapply(likelihoods[first], shares_bank, NA)]
  key[alone] <- paste(key[alone], features[alone])
  numeric <- feature_kinds(schema)[features] == "numeric"
  sorted <- c(which(numeric), which(!numeric))
  members <- split(sorted, match(key[sorted], unique(key[sorted])))
  lapply(unname(members), function(i) {
    likelihood <- likelihoods[[i[[1L]]]]
    plan_bank(new_bank(likelihood$name, features[i], schema), likelihood, schema, call)
  })
}

is_joint <- function(bank) !is.null(bank$name)

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

of_type <- function(bank) `class<-`(list(), paste0("bayesrisk_bank_", bank$type))

# The kind of its features: "numeric" or "categorical"; NULL for no type of ours.
bank_kind <- function(bank) UseMethod("bank_kind", of_type(bank))

#' @export
bank_kind.default <- function(bank) NULL

# Whether its statistics are those of one feature after the other, so that banks of other
# features of this type can be collected as one.
bank_unites <- function(bank) UseMethod("bank_unites", of_type(bank))

#' @export
bank_unites.default <- function(bank) FALSE

# What a bank of single features must know before rows are counted, from the schema.
plan_bank <- function(bank, likelihood, schema, call) UseMethod("plan_bank", of_type(bank))

#' @export
plan_bank.default <- function(bank, likelihood, schema, call) bank

# The settings of an estimate, as the engine reads them. `features`: those of the bank;
# `classes`: all of them, in order.
bank_options <- function(bank, spec, features, classes, call) {
  UseMethod("bank_options", of_type(bank))
}

# Known parameters of single features (see known_part()) as those of their bank.
bind_known <- function(bank, parts) UseMethod("bind_known", of_type(bank))

bind_columns <- function(parts, field) do.call(cbind, unname(lapply(parts, `[[`, field)))

# What the user can do about problems: a list of `problem` and `class` (NA: all).
bank_remedies <- function(bank, problems) UseMethod("bank_remedies", of_type(bank))

remedy_weight <- function(problems) {
  if (any(problems$problem == "too_light")) {
    "{.code variance = \"ml\"} divides by the weight and not by the weight - 1."
  }
}

remedy_overflow <- function(problems) {
  if (any(problems$problem == "overflow")) "Divide the feature by a power of ten before the fit."
}

remedy_empty <- function(problems) {
  if (any(problems$problem == "empty")) "Drop the feature or the class."
}

# The weight of the cases that each feature was estimated from (of a joint block: one).
bank_cases <- function(bank, statistics) UseMethod("bank_cases", of_type(bank))

# What coef() has of each block of the bank: a list.
bank_coefficients <- function(bank, parameters, features, classes) {
  UseMethod("bank_coefficients", of_type(bank))
}

# What the engine leaves open, for a class without rows.
open_as_na <- function(x) replace(x, is.nan(x), NA_real_)

# What the summary has of a block, from what coef() has; the attribute `title` of a data
# frame is printed above it.
summarise_block <- function(bank, coefficients) UseMethod("summarise_block", of_type(bank))

#' @export
summarise_block.default <- function(bank, coefficients) coefficients

# The rows of tidy() for a block called `name`, from what coef() has: a list of columns.
tidy_block <- function(bank, coefficients, name, classes) {
  UseMethod("tidy_block", of_type(bank))
}

# Centres and widths of the bank's numeric feature j, where a plot looks: the mean and
# standard deviation of each class, or of each of its components.
bank_moments <- function(bank, parameters, j) UseMethod("bank_moments", of_type(bank))

# Where a plot looks at the bank's numeric feature j, between the ends of `range`;
# `moments`: those of bank_moments() that are known. Denser where a class is narrow.
bank_grid <- function(bank, parameters, j, moments, range) UseMethod("bank_grid", of_type(bank))

#' @export
bank_grid.default <- function(bank, parameters, j, moments, range) {
  per_class <- max(5L, 1000L %/% length(moments$mean))
  steps <- seq(-3.5, 3.5, length.out = min(65L, per_class))
  near_means <- as.vector(outer(steps, moments$sd) + rep(moments$mean, each = length(steps)))
  near_means <- near_means[near_means > range[[1L]] & near_means < range[[2L]]]
  sort(unique(c(seq(range[[1L]], range[[2L]], length.out = 513L), near_means)))
}

# Whether its features are counts, met at whole numbers alone.
bank_whole <- function(bank) UseMethod("bank_whole", of_type(bank))

#' @export
bank_whole.default <- function(bank) FALSE

# Whether a feature has single values, with nothing between them.
bank_isolated <- function(bank) UseMethod("bank_isolated", of_type(bank))

#' @export
bank_isolated.default <- function(bank) FALSE

# Of how many normals the bank's feature j is a sum, in the class that has most of them; Inf
# where it is no such sum.
bank_normals <- function(bank, parameters, j) UseMethod("bank_normals", of_type(bank))

#' @export
bank_normals.default <- function(bank, parameters, j) Inf

# The likelihood of each feature: its own, or that of its kind.
feature_likelihoods <- function(spec, features) {
  kinds <- vapply(features, `[[`, "", "kind", USE.NAMES = FALSE)
  likelihoods <- unclass(spec)[kinds]
  chosen <- match(names(features), names(spec$features), nomatch = 0L)
  likelihoods[chosen > 0L] <- spec$features[chosen]
  unname(likelihoods)
}

# Rows of a class x term matrix, term by term; the other columns are one per term.
tidy_rows <- function(estimate, classes, term, level, statistic) {
  terms <- length(estimate) / classes
  each <- function(values) rep(rep_len(values, terms), each = classes)
  list(
    class = rep(seq_len(classes), terms), term = each(term), level = each(level),
    statistic = each(statistic), estimate = as.vector(estimate)
  )
}
