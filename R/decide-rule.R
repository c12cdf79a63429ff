# Rules that decide instead of the least expected cost: a threshold of a class, from
# tune_threshold(), and a threshold of the expected cost above which cases are referred, from
# guarantee().

is_guarantee <- function(x) inherits(x, "bayesrisk_guarantee")

check_decision_rule <- function(rule, classes, call) {
  if (is.null(rule)) return(NULL)
  if (!inherits(rule, "bayesrisk_rule") && !is_guarantee(rule)) {
    abort_wanted(rule, "rule", "a result of {.fn tune_threshold} or {.fn guarantee}", call)
  }
  check_unchanged(is.list(rule) && is.character(rule$classes), "rule", call)
  check_unchanged(if (is_guarantee(rule)) is_sound_guarantee(rule) else is_sound_threshold(rule),
                  "rule", call)
  headline <- cli::format_inline("{.arg rule} must have the classes of {.arg object}.")
  check_same_names(rule$classes, classes, headline, call)
  rule
}

is_sound_threshold <- function(rule) {
  is_string(rule$class) && rule$class %in% rule$classes && is.double(rule$threshold) &&
    length(rule$threshold) == 1L && !is.na(rule$threshold)
}

is_sound_guarantee <- function(rule) {
  groups <- rule$groups
  is_string(rule$refer) && inherits(rule$cost, "bayesrisk_cost") && is.data.frame(groups) &&
    is.double(groups$threshold) && !anyNA(groups$threshold) &&
    nrow(groups) == max(1L, nrow(rule$keys)) && identical(names(rule$by), names(rule$keys))
}

# A promise is about the beliefs of the sample.
check_rule_beliefs <- function(rule, prior, call, estimate = "plugin") {
  if (!is_guarantee(rule)) return(invisible())
  changed <- c(prior = !is.null(prior), estimate = identical(estimate, "predictive"))
  if (!any(changed)) return(invisible())
  abort_argument(c(
    "{.arg {names(changed)[changed]}} and a {.fn guarantee} do not go together: its promise is about
     other probabilities."
  ), call)
}

# The cost that a rule decides by: a promise is about one cost.
cost_of_rule <- function(rule, cost, call) {
  if (!is_guarantee(rule)) return(cost)
  if (is.null(cost)) return(rule$cost)
  cost <- with_referral(cost, rule$refer, rule$classes, call)
  own <- cost_cells(rule$cost, call)
  cells <- cost_cells(cost, call)
  same <- setequal(rownames(cells), rownames(own)) && setequal(colnames(cells), colnames(own)) &&
    all(unlist(Map(is_same_cell, cells[rownames(own), colnames(own)], own)))
  if (same) return(cost)
  abort_argument(c(
    "{.arg cost} is another one than the cost of {.arg rule}.",
    i = "Leave {.arg cost} out. Another cost needs another {.fn guarantee}."
  ), call)
}

# Formulas are compared as they are written; an array has the costs of other cases.
is_same_cell <- function(cell, own) {
  if (rlang::is_quosure(cell) && rlang::is_quosure(own)) {
    return(identical(rlang::quo_squash(cell), rlang::quo_squash(own)))
  }
  if (max(length(cell), length(own)) > 1L && is.numeric(cell) && is.numeric(own)) return(TRUE)
  isTRUE(all.equal(cell, own, tolerance = 1e-12))
}

# A cost, 0-1 by default, with the action `refer`. If it lacks this action, a referral costs 0.
with_referral <- function(cost, refer, classes, call) {
  if (is.null(cost)) cost <- zero_one_cost(classes)
  cells <- spread_over(cost_cells(cost, call), classes)
  if (refer %in% rownames(cells)) return(cost)
  free <- matrix(if (is.list(cells)) list(0) else 0, 1L, ncol(cells))
  rownames(free) <- refer
  new_cost(rbind(cells, free), call, is_utility(cost), attr(cost, "rows"))
}

# `decided`: the fresh result of the engine; its columns are changed without a copy. With the
# posterior.
follow_rule <- function(decided, rule, cost, newdata, call) {
  if (is_guarantee(rule)) {
    follow_guarantee(decided, rule, cost, newdata, call)
  } else {
    call_engine(follow_threshold_cpp(
      decided$value, decided$posterior, match(rule$class, cost$classes), rule$threshold,
      class_actions(cost, call)
    ), call)
  }
  decided$rule <- rule
  decided
}

follow_guarantee <- function(decided, rule, cost, newdata, call) {
  preferred <- preferences(decided, rule$refer, cost, call)
  rows <- length(preferred$cost)
  container <- rule_container(rule, newdata, rows, "newdata", abort_schema, call)
  score <- rule_score(rule$order, preferred, container, "newdata", abort_schema, call)
  # A group that the sample lacks has no promise, so its cases are referred.
  group <- rule_group(rule, container, rows, call)
  threshold <- c(rule$groups$threshold, -Inf)[group]
  other <- sum(group > nrow(rule$groups))
  if (other > 0L) {
    warn_bayesrisk(
      "{count_of(other, 'case', 'cases')} of no group of {.arg rule}: {.val {rule$refer}}.",
      "groups", call
    )
  }
  call_engine(
    follow_guarantee_cpp(
      decided$value, preferred$action, score, threshold, match(rule$refer, cost$actions)
    ), call
  )
}

# What each case would get if it were not referred: list(action (codes), cost).
preferences <- function(decided, refer, cost, call) {
  call_engine(preferences_cpp(decided$value, match(refer, cost$actions)), call)
}

# The cases, if a rule has a score or groups; else NULL.
rule_container <- function(rule, data, rows, arg, abort, call) {
  if (is.null(rule$order) && is.null(rule$by)) return(NULL)
  if (is.null(data)) {
    what <- if (is.null(rule$order)) "by" else "order"
    abort_argument(
      "{.arg {arg}} is needed: {.arg {what}} of the rule is computed from its columns.", call
    )
  }
  container_of_cases(data, rows, arg, abort, call)
}

# The score of each case: the expected cost of what it would get, or a term of its columns.
rule_score <- function(order, preferred, container, arg, abort, call) {
  if (is.null(order)) return(preferred$cost)
  check_columns_there(order$columns, container, abort, arg, call)
  label <- term_label(order$expression)
  score <- evaluate_term(order, container, globalenv(), label, abort, call)
  if (!is.numeric(score) || is.object(score)) {
    abort("{.arg order}: {.code {label}} must be numbers, not {describe_value(score)}.", call)
  }
  check_alone(score, order, container, globalenv(), label, call, abort)
  as.double(score)
}

# The group of each case; one more than there are groups for another one.
rule_group <- function(rule, container, rows, call) {
  if (is.null(rule$by)) return(rep(1L, rows))
  keyed <- structure(list(), by = rule$by, keys = rule$keys)
  group <- groups_of_rows(keyed, container, FALSE, call)
  replace(group, group == 0L, nrow(rule$keys) + 1L)
}

# The action that decides for each class.
class_actions <- function(cost, call) {
  action <- match(seq_along(cost$classes), cost$class_of)
  missing <- cost$classes[is.na(action)]
  if (length(missing)) {
    abort_argument(c(
      "{.arg cost} has no action for {.val {missing}}.",
      i = "A rule decides for a class, so each class is an action, too."
    ), call)
  }
  action
}

# A rule in a few words.
rule_text <- function(rule, number) {
  if (is_guarantee(rule)) return(guarantee_text(rule, number))
  class <- encodeString(rule$class)
  if (rule$threshold == Inf) return(sprintf("never %s", class))
  sprintf("%s if its probability is at least %s", class, number(rule$threshold))
}

guarantee_text <- function(rule, number) {
  refer <- encodeString(rule$refer)
  threshold <- rule$groups$threshold
  if (all(threshold == -Inf)) return(sprintf("always %s", refer))
  score <- if (is.null(rule$order)) "its expected cost" else term_label(rule$order$expression)
  above <- if (is.null(rule$by)) number(threshold) else "the threshold of its group"
  sprintf("%s if %s is above %s", refer, score, above)
}
