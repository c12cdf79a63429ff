# Decisions other than those of least expected cost: limits of the number of cases with an action, a
# budget, and rules.

# `decided`: the fresh result of the engine; its columns are changed without a copy. `limits`: with
# capacity, budget and rule. `newdata`: the cases, or NULL.
limit_decisions <- function(decided, limits, cost, newdata, call) {
  if (is.null(limits$rule)) return(keep_limits(decided, limits$capacity, limits$budget, cost, call))
  limit <- limit_of(limits)
  if (!is.null(limit)) abort_argument("{.arg rule} and {.arg {limit}} do not go together.", call)
  follow_rule(decided, limits$rule, cost, newdata, call)
}

# The largest number of cases with each action; NULL: no limit.
check_capacity <- function(capacity, actions, call) {
  if (is.null(capacity)) return(NULL)
  capacity <- check_by_action(capacity, "capacity", actions, call)
  if (any(capacity != round(capacity))) {
    abort_argument("{.arg capacity} must be whole numbers, not {.val {capacity}}.", call)
  }
  most <- stats::setNames(rep(Inf, length(actions)), actions)
  replace(most, names(capacity), capacity)
}

# list(price (of each action), total), or NULL.
check_budget <- function(budget, actions, call) {
  if (is.null(budget)) return(NULL)
  if (!is.list(budget) || !setequal(names(budget), c("price", "total"))) {
    abort_wanted(budget, "budget", "a list of {.field price} and {.field total}", call, c(
      i = "For example {.code budget = list(price = c({actions[[1]]} = 2), total = 100)}."
    ))
  }
  price <- check_by_action(budget$price, "budget$price", actions, call)
  total <- check_number(budget$total, "budget$total", min = 0, call = call)
  list(price = replace(stats::setNames(numeric(length(actions)), actions), names(price), price),
       total = total)
}

# Numbers, 0 or more, named by action.
check_by_action <- function(x, arg, actions, call) {
  if (!is.numeric(x) || !length(x) || is.null(names(x))) {
    abort_wanted(x, arg, "numbers named by an action", call, c(
      i = "For example {.code c({actions[[length(actions)]]} = 100)}."
    ))
  }
  names <- names(x)
  x <- check_numbers(x, arg, min = 0, call = call)
  unknown <- setdiff(names, actions)
  if (length(unknown)) {
    abort_unknown(
      "{.arg {arg}} names {.val {unknown}}, which {?is/are} no action{?s} of {.arg cost}.",
      unknown, actions, "The actions are {.val {actions}}.", call
    )
  }
  stats::setNames(as.double(x), names)
}

keep_limits <- function(decided, capacity, budget, cost, call) {
  capacity <- check_capacity(capacity, cost$actions, call)
  budget <- check_budget(budget, cost$actions, call)
  if (is.null(capacity) && is.null(budget)) return(decided)
  wanted <- tabulate(decided$value$decision, length(cost$actions))
  most <- if (is.null(capacity)) rep(Inf, length(cost$actions)) else capacity
  total <- if (is.null(budget)) Inf else budget$total
  found <- call_engine(
    limit_actions_cpp(decided$value, most, as.double(budget$price), total), call
  )
  check_limits_hold(found$problem, sum(wanted), budget, call)
  if (!is.null(capacity)) {
    at <- which(is.finite(most))
    decided$capacity <- list(
      action = at, most = unname(most[at]), wanted = wanted[at], cost = found$cost,
      # With a budget, an action with room for one more case may have no money for it.
      `next` = if (is.null(budget)) found[["next"]][at] else rep(NA_real_, length(at))
    )
  }
  if (!is.null(budget)) {
    decided$budget <- c(budget, found[c("spent", "cost", "gap", "shadow_price")])
  }
  decided
}

check_limits_hold <- function(problem, cases, budget, call) {
  if (problem == 0L) return(invisible())
  cases <- count_of(cases, "case", "cases")
  if (problem == 1L) {
    abort_argument(c(
      "{.arg capacity} leaves no action of finite cost for some of {cases}.",
      i = "An action that {.arg capacity} does not name has no limit."
    ), call)
  }
  abort_argument(
    "{.arg budget}: {cases} cannot be decided for a total price of {budget$total}.", call
  )
}

# The argument of a request that limits its decisions, or NULL.
limit_of <- function(request) {
  if (!is.null(request$capacity)) "capacity" else if (!is.null(request$budget)) "budget"
}

# Whether all cases could have each of the actions; NULL without limits.
within_limits <- function(x, actions) {
  capacity <- attr(x, "capacity")
  budget <- attr(x, "budget")
  if (is.null(capacity) && is.null(budget)) return(NULL)
  cases <- sum(!is.na(x$decision))
  many <- levels(x$decision)[capacity$action[capacity$most < cases]]
  dear <- names(budget$price)[cases * budget$price > budget$total * (1 + 1e-12)]
  !actions %in% c(many, dear)
}

limit_notes <- function(x, digits) {
  number <- function(v) format(v, digits = digits)
  rule <- attr(x, "rule")
  capacity <- attr(x, "capacity")
  budget <- attr(x, "budget")
  c(
    if (!is.null(rule)) sprintf("Decided by a rule: %s.", rule_text(rule, number)),
    capacity_notes(capacity, levels(x$decision), number), budget_note(budget, number),
    limit_cost(capacity, budget, number)
  )
}

capacity_notes <- function(limit, actions, number) {
  vapply(seq_along(limit$action), function(i) {
    saving <- limit[["next"]][[i]]
    action <- encodeString(actions[[limit$action[[i]]]])
    most <- count_of(limit$most[[i]], "case", "cases")
    more <- if (isTRUE(saving > 0)) sprintf(": one more case would save %s", number(saving))
    wanted <- format_count(limit$wanted[[i]])
    paste0(sprintf("At most %s for %s (%s without limits)", most, action, wanted), more, ".")
  }, "")
}

budget_note <- function(budget, number) {
  if (is.null(budget)) return(NULL)
  spent <- sprintf("Of a budget of %s, %s is spent", number(budget$total), number(budget$spent))
  if (budget$shadow_price == 0) return(paste0(spent, "."))
  sprintf("%s; its shadow price is %s per unit.", spent, number(budget$shadow_price))
}

# The cost of all limits together, as a sentence.
limit_cost <- function(capacity, budget, number) {
  cost <- c(capacity$cost, budget$cost)
  if (!length(cost) || cost[[1L]] <= 0) return(NULL)
  one <- sum(length(capacity$action), !is.null(budget)) == 1L
  gap <- if (is.null(budget)) {
    ""
  } else if (budget$gap <= 1e-12 * budget$cost) {
    ", the least possible"
  } else {
    sprintf(", at most %s above the least", number(budget$gap))
  }
  limits <- if (one) "The limit costs" else "The limits cost"
  sprintf("%s %s in all%s.", limits, number(cost[[1L]]), gap)
}
