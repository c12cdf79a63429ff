#' The probability of an event, by a table of joint probabilities
#'
#' The sum of the cells in which the event happens. With `given`, the conditional probability: the
#' probability that both events happen, divided by the probability of `given`.
#'
#' @param joint A [joint_table()], or a value of its argument `x`.
#' @param event,given Conditions on the variables of `joint`, such as
#'   `colour == "red" & shape == "circle"`. The variables have one value per cell. A variable whose
#'   values are all numbers is a number, so `first + second == 7` is a condition on two dice; all
#'   others are factors. Other names are looked up in the calling environment. `given` is optional.
#' @inheritParams bayesrisk_arguments
#' @return One number. If the given event has probability 0, the result is `NA`, with a warning of
#'   class `bayesrisk_warning_impossible`.
#' @section Errors: `bayesrisk_error_argument` for a condition that cannot be computed, is not
#'   `TRUE` or `FALSE` in each cell, or compares a variable with a text that is none of its levels.
#' @references
#' Lecture "Naive Bayes Learning (after Mooney)": inference from the joint distribution.
#' @seealso [joint_table()]
#' @export
#' @examples
#' event_probability(Titanic, Survived == "Yes")
#' event_probability(Titanic, Survived == "Yes", given = Class == "1st" & Sex == "Female")
#' event_probability(Titanic, Age == "Child" | Class == "Crew")
#'
#' # Two dice: an unnamed table has the variables first and second, with values 1, 2, ...
#' dice <- joint_table(matrix(1 / 36, 6, 6))
#' event_probability(dice, first + second == 7)
#' event_probability(dice, first == 6, given = first + second >= 10)
event_probability <- function(joint, event, given = NULL, ...) {
  call <- check_no_dots(...)
  joint <- joint_table_argument(maybe(joint), call)
  cells <- as.data.frame(joint)
  event <- event_cells(rlang::enquo(event), cells, "event", call)
  if (is.null(event)) abort_argument("{.arg event} is missing: a condition on the variables.", call)
  given <- event_cells(rlang::enquo(given), cells, "given", call)
  if (is.null(given)) return(sum(cells$probability[event]))
  known <- sum(cells$probability[given])
  if (known == 0) {
    warn_bayesrisk("{.arg given} has probability 0: NA.", "impossible", call)
    return(NA_real_)
  }
  sum(cells$probability[event & given]) / known
}

joint_table_argument <- function(joint, call) {
  if (is_joint_table(joint)) return(joint)
  rlang::try_fetch(joint_table(joint), bayesrisk_error_argument = function(e) {
    abort_argument("{.arg joint} must be a table that {.fn joint_table} accepts.", call, parent = e)
  })
}

# Whether the event happens in each cell; NULL if no event is given.
event_cells <- function(quosure, cells, arg, call) {
  if (rlang::quo_is_missing(quosure)) return(NULL)
  variables <- cells[names(cells) != "probability"]
  check_compared_levels(rlang::quo_get_expr(quosure), variables, arg, call)
  numbers <- lapply(variables, as_numbers)
  stopped <- function(condition) {
    reason <- conditionMessage(condition)
    abort_argument(c(
      "{.arg {arg}} cannot be computed: {reason}",
      i = describe_variables(numbers)
    ), call)
  }
  value <- tryCatch(rlang::eval_tidy(quosure, numbers), error = stopped, warning = stopped)
  if (is.null(value) && arg == "given") return(NULL)
  if (is.logical(value) && !anyNA(value) && length(value) %in% c(1L, nrow(cells))) {
    return(rep_len(value, nrow(cells)))
  }
  abort_wanted(value, arg, "TRUE or FALSE in each cell", call)
}

# A factor as numbers if all its levels are numbers in the form in which R writes them, so that
# comparisons with text still hold: 3 == "3". Otherwise the factor.
as_numbers <- function(x) {
  values <- suppressWarnings(as.numeric(levels(x)))
  if (anyNA(values)) return(x)
  if (identical(as.character(values), levels(x))) return(values[x])
  # 100000, which R writes as 1e+05 unless it is an integer.
  whole <- suppressWarnings(as.integer(values))
  if (identical(as.character(whole), levels(x))) whole[x] else x
}

describe_variables <- function(variables) {
  numeric <- vapply(variables, is.numeric, NA)
  parts <- c(
    sprintf("%s (numbers)", names(variables)[numeric]),
    sprintf("%s (factor)", names(variables)[!numeric])
  )
  paste0("The variables: ", toString(parts), ".")
}

# A misspelt level would make a condition that is always false. The check applies to comparisons
# of a variable with literal text: colour == "red", shape %in% c("circle", "square").
check_compared_levels <- function(expr, variables, arg, call) {
  if (!is.call(expr)) return(invisible())
  if (rlang::is_call(expr, c("==", "!=", "%in%"), n = 2L)) {
    sides <- as.list(expr)[-1L]
    compared <- Filter(function(side) rlang::is_symbol(side, names(variables)), sides)
    text <- unlist(lapply(sides, literal_text))
    for (variable in compared) {
      check_levels_of(rlang::as_string(variable), text, variables, arg, call)
    }
  }
  for (part in as.list(expr)[-1L]) check_compared_levels(part, variables, arg, call)
}

literal_text <- function(expr) {
  if (is.character(expr)) return(expr)
  if (rlang::is_call(expr, "c")) Filter(is.character, as.list(expr)[-1L])
}

check_levels_of <- function(variable, text, variables, arg, call) {
  levels <- levels(variables[[variable]])
  unknown <- setdiff(text, levels)
  if (length(unknown) == 0L) return(invisible())
  abort_unknown(
    "{.arg {arg}} compares {.field {variable}} with {.val {unknown}}, which {?is/are} none of its
     levels.", unknown, levels, "Its levels: {.val {utils::head(levels, 20L)}}.", call
  )
}
