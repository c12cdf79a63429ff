# A model keeps the result of temper() as the element `temper` of its parameters: NULL, or a list of
# * power: the exponent of each block; offset: the constant of each class;
# * common: the exponent of the whole model;
# * by, bias, penalty, folds: how they were estimated (`folds`: their number);
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
keep_temper <- function(model, old, call) {
  temper <- old$parameters$temper
  if (is.null(temper)) return(model)
  blocks <- block_names(model)
  classes <- model$schema$classes$levels
  power <- temper$power[blocks]
  offset <- temper$offset[classes]
  temper$power <- stats::setNames(ifelse(is.na(power), temper$common, power), blocks)
  temper$offset <- stats::setNames(ifelse(is.na(offset), 0, offset), classes)
  model$parameters$temper <- temper
  inform_bayesrisk(c(
    "The exponents are from before this change.",
    i = "{.fn temper} estimates them again; {.code update(model, temper = NULL)} takes them off."
  ), "old_exponents")
  model
}

# update(model, temper = NULL). Other values need rows.
without_temper <- function(object, changes, call) {
  if (!is.null(changes$temper)) {
    abort_argument(c(
      "{.arg temper} can only be taken off, by {.code temper = NULL}.",
      i = "{.code temper(model, data)} estimates exponents."
    ), call)
  }
  object$parameters$temper <- NULL
  object$spec["temper"] <- list(NULL)
  object
}

# Regions need the power of a density in closed form. A normal and a histogram have one.
check_powers <- function(model, features, call) {
  open <- open_powers(model, features)
  if (!length(open)) return(invisible())
  abort_argument(c(
    "The density of {.field {open}} to a power has no closed form, so its regions are not
     computed.",
    i = "{.code update(model, temper = NULL)} takes the exponents off."
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
    abort_argument("{.arg temper} and {.arg by} do not go together.", call)
  }
  for (class in intersect(class(data), names(source_names))) {
    abort_temper_source(source_names[[class]], call)
  }
  without_class_report(exponents_from(data, model, request, call))
}

# `data`: rows in memory, or their cases. The only method is in a later stage, `evaluate`.
exponents_from <- function(data, model, request, call) UseMethod("exponents_from")

abort_temper_source <- function(what, call) {
  abort_argument(c(
    "{.arg temper} needs rows in memory, not {what}.",
    i = "Fit without {.arg temper}, and then use {.fn temper} with a sample of the rows."
  ), call)
}
