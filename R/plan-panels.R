# Panels: features that are measured at once. Some are asked for, and joint blocks of numbers are
# always measured at once.

# The panels as positions of their open features, without those that have none.
read_panels <- function(panels, known, open, call) {
  if (!length(panels)) return(list())
  if (!is.list(panels) || is.null(names(panels)) || !all(vapply(panels, is.character, NA))) {
    abort_wanted(panels, "panels", "a named list of names of features", call)
  }
  check_distinct_names(names(panels), "panels", call)
  clash <- intersect(names(panels), known)
  if (length(clash)) {
    abort_argument("{.arg panels} has the name of a feature, {.field {clash}}.", call)
  }
  for (features in panels) check_known_features(features, known, "panels", call)
  found <- lapply(panels, function(features) intersect(match(features, known), open))
  found[lengths(found) > 0L]
}

# The numbers of a joint block depend on each other, so they are measured at once: the tested
# features of each such block, if there are several. Named by block.
joint_numbers <- function(object, open) {
  kinds <- feature_kinds(object$schema)
  joint <- Filter(function(bank) {
    is_joint(bank) && !all(kinds[bank$features] == "categorical")
  }, object$plan$banks)
  own <- lapply(joint, function(bank) intersect(bank$features, open))
  names(own) <- vapply(joint, `[[`, "", "name")
  own[lengths(own) > 1L]
}

# Joint blocks of numbers that are in no panel are panels themselves.
with_block_panels <- function(object, panels, open, call) {
  names <- names(object$schema$features)
  blocks <- joint_numbers(object, open)
  for (i in seq_along(blocks)) {
    own <- blocks[[i]]
    check_normal_block(object, own, call)
    has <- vapply(panels, function(panel) sum(own %in% panel), 1L)
    torn <- names(panels)[has > 0L & has < length(own)]
    if (length(torn)) {
      abort_argument(c(
        "The {cli::qty(length(torn))}panel{?s} {.field {torn}} {?has/have} only some of
         {.field {names[own]}}, which are in one joint block.",
        i = "Numbers of a joint block are measured at once; {.arg features} can leave some out."
      ), call)
    }
    if (any(has > 0L)) next
    name <- names(blocks)[[i]]
    name <- utils::tail(make.unique(c(names, names(panels), name)), 1L)
    panels[[name]] <- own
  }
  panels
}

check_normal_block <- function(object, own, call) {
  banks <- Filter(function(bank) all(own %in% bank$features), object$plan$banks)
  if (!isTRUE(record_of(banks[[1L]])$steps)) return(invisible())
  names <- names(object$schema$features)[own]
  abort_argument(c(
    "{.field {names}} are in a joint histogram, which no plan can test.",
    i = "{.arg features} can leave all but one of them out."
  ), call)
}

check_single_prices <- function(object, priced, panels, open, call) {
  names <- names(object$schema$features)
  single <- intersect(priced, names[unlist(joint_numbers(object, open))])
  if (!length(single)) return(invisible())
  panels <- names(Filter(function(panel) any(names[panel] %in% single), panels))
  abort_argument(c(
    "{.arg price} names {.field {single}}, but numbers of a joint block are measured at once.",
    i = "Give the {cli::qty(length(panels))}price{?s} of the panel{?s} {.field {panels}}."
  ), call)
}
