# A model keeps the result of temper() as the element `temper` of its parameters: NULL, or a list of
# * power: the exponent of each block; offset: the constant of each class;
# * common: the exponent of the whole model;
# * by, bias, penalty, folds: how they were estimated (`folds`: their number);
# * estimate: the scores that they belong to, "plugin" or "predictive";
# * loss: the mean log loss of held-out cases, before and after;
# * cases: the number of held-out cases;
# * rows: the number of rows that the model had been fitted to.

temper_sentence <- function(model) {
  temper <- model$parameters$temper
  if (is.null(temper)) return(NULL)
  shown <- function(x) format(x, digits = 3L)
  power <- unique(range(temper$power))
  counts <- if (temper$by == "model") {
    sprintf("the likelihood to the power %s", shown(power[[1L]]))
  } else {
    sprintf("the likelihoods of the blocks to powers of %s", paste(shown(power), collapse = " to "))
  }
  sprintf(
    "Tempered: %s%s (log loss of held-out cases: %s before, %s after).", counts,
    if (temper$bias) ", with a constant for each class" else "",
    shown(temper$loss[[1L]]), shown(temper$loss[[2L]])
  )
}

# The model with the exponents that another one had, block by block and class by class. New blocks
# have the common exponent, new classes no constant.
keep_temper <- function(model, old) {
  if (!is_tempered(old)) return(model)
  tell_old_exponents()
  move_temper(model, old)
}

move_temper <- function(model, old) {
  temper <- old$parameters$temper
  blocks <- block_names(model)
  classes <- model$schema$classes$levels
  power <- temper$power[blocks]
  offset <- temper$offset[classes]
  temper$power <- stats::setNames(ifelse(is.na(power), temper$common, power), blocks)
  temper$offset <- stats::setNames(ifelse(is.na(offset), 0, offset), classes)
  model$parameters$temper <- temper
  model
}

tell_old_exponents <- function() {
  inform_bayesrisk(c(
    "The exponents are from before this change.",
    i = "{.fn temper} estimates them again; {.code update(model, temper = NULL)} takes them off."
  ), "old_exponents")
}

# Scores to the powers of other scores.
tell_other_scores <- function(model, estimate) {
  own <- model$parameters$temper$estimate
  if (!is_tempered(model) || own == estimate) return(invisible())
  inform_bayesrisk(c(
    "The exponents of {.arg object} are those of {own} scores, not of {estimate} ones.",
    i = "{.code estimate = \"{own}\"} uses the scores that they were estimated for."
  ), "other_scores")
}

# The model with its densities as they are.
untempered <- function(model) {
  model$parameters$temper <- NULL
  model
}

untemper_hint <- "{.code update(model, temper = NULL)} takes the exponents off."

# A data-generating model has its densities as they are. `decides`: whether its decisions are those
# of the exponents.
tell_untempered <- function(model, decides = FALSE) {
  if (!is_tempered(model)) return(invisible())
  inform_bayesrisk(c(
    if (decides) {
      "Rows are drawn from the densities as they are; decisions use the exponents of
       {.arg object}."
    } else {
      "The densities count as they are, without the exponents of {.arg object}."
    },
    i = "Powers of densities are no distribution of the features."
  ), "untempered")
}

# The exponent of the block of each feature.
feature_powers <- function(model) {
  power <- rep(1, length(model$schema$features))
  temper <- model$parameters$temper
  if (is.null(temper)) return(power)
  blocks <- Map(function(bank) {
    if (is_joint(bank)) list(bank$features) else as.list(bank$features)
  }, model$plan$banks)
  blocks <- unlist(blocks, recursive = FALSE)
  power[unlist(blocks)] <- rep(unname(temper$power), lengths(blocks))
  power
}

# The model whose densities are those of a tempered one to their powers, divided by their integrals:
# list(model, open), where `open` are the features (positions) that have no such density in closed
# form.
powered_model <- function(model) {
  if (!is_tempered(model)) return(list(model = model, open = integer()))
  power <- feature_powers(model)
  open <- infinite_powers(model, power)
  for (i in seq_along(model$plan$banks)) {
    bank <- model$plan$banks[[i]]
    raised <- record_of(bank)$raised
    of <- bank$features
    if (is.null(raised)) {
      open <- c(open, of)
    } else {
      # At power 0 densities stay.
      used <- ifelse(power[of] == 0 | of %in% open, 1, power[of])
      model$parameters$banks[[i]] <- raised(bank, model$parameters$banks[[i]], used)
    }
  }
  list(model = untempered(model), open = open)
}

# The features (positions) whose density to its power has no finite integral.
infinite_powers <- function(model, power = feature_powers(model)) {
  unlist(Map(function(bank, parameters) {
    bank$features[record_of(bank)$infinite(parameters, power[bank$features])]
  }, model$plan$banks, model$parameters$banks))
}

check_integrals <- function(model, asked, call) {
  infinite <- intersect(infinite_powers(model), asked)
  if (!length(infinite)) return(invisible())
  abort_argument(c(
    "The density of {.field {names(model$schema$features)[infinite]}} to the power of its exponent
     has no finite integral.",
    i = untemper_hint
  ), call)
}

# update(model, temper = NULL). Other values need rows.
without_temper <- function(object, changes, call) {
  check_no_temper(changes, call)
  object <- untempered(object)
  object$spec["temper"] <- list(NULL)
  object
}

check_no_temper <- function(changes, call) {
  if (is.null(changes$temper)) return(invisible())
  abort_argument(c(
    "{.arg temper} can only be taken off, by {.code temper = NULL}.",
    i = "{.code temper(model, data)} estimates exponents."
  ), call)
}

# Regions need the power of a density in closed form. A normal and a histogram have one.
check_powers <- function(model, features, call) {
  open <- open_powers(model, features)
  if (!length(open)) return(invisible())
  abort_argument(c(
    "The density of {.field {open}} to a power has no closed form, so its regions are not
     computed.",
    i = untemper_hint
  ), call)
}

# The features whose density to a power has no closed form.
open_powers <- function(model, features) {
  if (!is_tempered(model)) return(character())
  Filter(function(name) {
    held <- held_feature(model, name)
    record <- record_of(held$bank)
    !record$steps && record$normals(held$parameters, held$j) != 1
  }, features)
}

# The exponent of each block, from 1.
exponent_of_block <- function(banks, by) {
  count <- count_blocks(banks)
  of_kind <- match(vapply(banks, `[[`, "", "type"), unique(vapply(banks, `[[`, "", "type")))
  switch(by,
    model = rep(1L, sum(count)),
    kind = rep(of_kind, count),
    block = seq_len(sum(count))
  )
}

# A model, or models of groups, with exponents if the specification asks for them. They are
# estimated with models of a part of the rows, which sources do not divide.
temper_fitted <- function(model, spec, data, request, call) {
  if (is.null(spec$temper)) return(model)
  if (inherits(model, "bayesrisk_models")) {
    abort_argument(c(
      "{.arg temper} and {.arg by} do not go together.",
      i = "Fit without {.arg temper}, and then use {.code temper(models, data)}."
    ), call)
  }
  for (class in intersect(class(data), names(source_names))) {
    abort_temper_source(source_names[[class]], call)
  }
  without_class_report(exponents_from(data, model, request, call))
}

# `data`: rows in memory, or their cases. The only method is in a later stage, `adapt`.
exponents_from <- function(data, model, request, call) UseMethod("exponents_from")

abort_temper_source <- function(what, call) {
  abort_argument(c(
    "{.arg temper} needs rows in memory, not {what}.",
    i = "Fit without {.arg temper}, and then use {.fn temper}, which reads the rows into memory."
  ), call)
}
