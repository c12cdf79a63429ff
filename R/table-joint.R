#' A table of joint probabilities
#'
#' The probability of each combination of the values of some variables. The table is complete (the
#' probabilities add up to 1) and exclusive (no combination occurs twice). It determines the
#' probability of any event, see [event_probability()], and classifiers, see
#' [fit()][fit.bayesrisk_spec].
#'
#' @param x One of
#'   * an array or table with named `dimnames`, one for each variable, such as the result of
#'     [table()] or [xtabs()]. Variables without a name are called `first`, `second`, `third`, ...,
#'     by their dimension, and values without names are 1, 2, ...;
#'   * a data frame with a row per combination: a column for each variable (factors, text,
#'     logicals or whole numbers), and a column of probabilities or counts, called `probability`,
#'     `Freq` or `n`; if several numeric columns have such names, the last one. Combinations
#'     without a row have probability 0.
#'
#'   If all numbers are whole, they are counts and are divided by their sum. Otherwise they must sum
#'   to 1 within 1e-8.
#' @inheritParams bayesrisk_arguments
#' @details
#' `fit(bayes_full(), class ~ ., data = joint)` makes the exact classifier of the table, and
#' `fit(bayes_naive(), class ~ ., data = joint)` the naive one: each cell is a case with its
#' probability as the weight. [marginSums()] gives the table of some of the variables.
#' @return An array of probabilities, of class `bayesrisk_joint`. There are methods for
#'   [print()], [as.data.frame()] and [summary()]. The data frame has a row per combination, the
#'   last variable changing fastest, and the column `probability`. The summary is a list of
#'   `entropy` (in bits), `marginals` (for each variable the probabilities of its values) and
#'   `pairs`, a data frame with a row for each pair of variables: their mutual `information` in
#'   bits, and whether they are `independent` (every probability is the product of the marginal
#'   probabilities, within 1e-12). Pairwise independent variables may still be jointly dependent.
#' @section Errors: `bayesrisk_error_argument` for a table that is not complete or not
#'   exclusive, or whose numbers are not probabilities.
#' @references
#' Lecture "Naive Bayes Learning (after Mooney)": joint distributions, and what is wrong with
#' them as classifiers: their size.
#' @seealso [event_probability()], [bayes_theorem()]
#' @export
#' @examples
#' joint <- joint_table(mooney_joint)
#' joint
#' summary(joint)
#' event_probability(joint, class == "positive", given = colour == "red" & shape == "circle")
#'
#' joint_table(matrix(c(0.1, 0.2, 0.3, 0.4), 2))
#'
#' # The exact and the naive classifier of the table
#' red_circle <- data.frame(shape = "circle", colour = "red")
#' predict(fit(bayes_full(), class ~ ., joint), red_circle, type = "prob")
#' predict(fit(bayes_naive(), class ~ ., joint), red_circle, type = "prob")
joint_table <- function(x, ...) {
  call <- check_no_dots(...)
  x <- maybe(x)
  if (is_joint_table(x)) return(x)
  mass <- if (is.data.frame(x)) frame_mass(x, call) else array_mass(x, call)
  check_masses(mass, "x", call)
  if (!any(mass > 0)) abort_argument("{.arg x} has no mass.", call)
  if (all(mass == round(mass))) mass <- mass / sum(mass)
  if (!sums_to_one(mass)) {
    abort_argument(c(
      "The probabilities in {.arg x} must sum to 1, not to {format(sum(mass), digits = 10)}.",
      i = "Counts, which are divided by their sum, must be whole numbers."
    ), call)
  }
  structure(mass, class = c("bayesrisk_joint", "bayesrisk_result"))
}

array_mass <- function(x, call) {
  if (!is.numeric(x) || is.null(dim(x))) {
    abort_argument(
      "{.arg x} must be an array, a table or a data frame of probabilities, not
       {describe_value(x)}.", call
    )
  }
  values <- name_dimensions(dimnames(x), dim(x))
  variables <- names(values)
  check_variables(variables, call)
  for (variable in variables) {
    check_labels(values[[variable]], sprintf("The values of %s", variable), call)
  }
  array(as.double(x), dim(x), values)
}

# `values`: dimnames, perhaps with gaps. Missing names of variables and of values are filled in.
name_dimensions <- function(values, sizes) {
  given <- names(values)
  if (is.null(values)) values <- vector("list", length(sizes))
  values <- Map(function(value, n) {
    if (is.null(value)) as.character(seq_len(n)) else value
  }, unname(values), sizes)
  ordinals <- c("first", "second", "third", "fourth", "fifth", "sixth")
  places <- seq_along(sizes)
  names <- ifelse(places > length(ordinals), paste0("variable_", places), ordinals[places])
  if (!is.null(given)) {
    named <- !is.na(given) & nzchar(given)
    names[named] <- given[named]
  }
  stats::setNames(values, names)
}

frame_mass <- function(x, call) {
  container <- frame_container(x)
  mass <- mass_column(container, call)
  variables <- seq_along(container$names)[-mass]
  check_variables(container$names[variables], call)
  cells <- Map(function(column, name) {
    cell <- label_factor(column, name, call)
    if (!anyNA(cell)) return(cell)
    abort_argument("Column {.field {name}} of {.arg x} has missing values.", call)
  }, container$columns[variables], container$names[variables])
  positions <- do.call(cbind, lapply(cells, as.integer))
  twice <- which(duplicated(positions))
  if (length(twice)) {
    abort_argument(c(
      "Each combination must stand once in {.arg x}; row {toString(twice)} repeats one.",
      i = "Sum up repeated rows first, for example by {.fn xtabs}."
    ), call)
  }
  values <- stats::setNames(lapply(cells, levels), container$names[variables])
  result <- array(0, unname(lengths(values)), values)
  result[positions] <- as.double(container$columns[[mass]])
  result
}

mass_column <- function(container, call) {
  numeric <- vapply(container$columns, function(x) is.numeric(x) && !is.object(x), NA)
  mass <- utils::tail(which(numeric & container$names %in% c("probability", "Freq", "n")), 1L)
  if (length(mass) && length(container$names) > 1L && container$rows > 0L) return(mass)
  abort_argument(c(
    "{.arg x} must have a row per combination, a column for each variable and one of numbers.",
    i = "The column of numbers is called {.field probability}, {.field Freq} or {.field n}."
  ), call)
}

check_variables <- function(variables, call) {
  check_labels(variables, "The variables of `x`", call)
  if ("probability" %in% variables) {
    abort_argument(
      "A variable cannot be called {.field probability}: this is the column of numbers.", call
    )
  }
}

#' @export
result_rows.bayesrisk_joint <- function(x, call) array_rows(x, "probability")

#' @export
describe.bayesrisk_joint <- function(x, show) {
  sizes <- sprintf("%s (%d)", encodeString(names(dimnames(x))), dim(x))
  list(
    title_item(paste("joint probabilities of", toString(sizes))),
    table_item(if (length(dim(x)) > 1L) unclass(x) else as.data.frame(x))
  )
}

#' @export
summary.bayesrisk_joint <- function(object, ...) {
  call <- check_no_dots(...)
  unless_damaged(summed_joint(object), call)
}

summed_joint <- function(object) {
  variables <- names(dimnames(object))
  marginals <- lapply(stats::setNames(nm = variables), function(v) c(part_of(object, v)))
  positive <- object[object > 0]
  structure(list(
    entropy = -sum(positive * log2(positive)), marginals = marginals,
    pairs = pair_information(object, variables)
  ), class = c("bayesrisk_summary_joint", "bayesrisk_result"))
}

part_of <- function(joint, variables) {
  unclass(marginSums(joint, match(variables, names(dimnames(joint)))))
}

pair_information <- function(joint, variables) {
  if (length(variables) < 2L) return(NULL)
  pairs <- utils::combn(variables, 2L)
  described <- apply(pairs, 2L, function(pair) {
    both <- part_of(joint, pair)
    apart <- outer(rowSums(both), colSums(both))
    met <- both > 0
    c(sum(both[met] * log2(both[met] / apart[met])), max(abs(both - apart)))
  })
  data.frame(
    first = pairs[1L, ], second = pairs[2L, ], information = pmax(described[1L, ], 0),
    independent = described[2L, ] <= 1e-12
  )
}

#' @export
describe.bayesrisk_summary_joint <- function(x, show) {
  list(
    heading_item("Marginal probabilities"),
    table_item(as.data.frame(x), c("value", "values"), keys = 2L),
    if (!is.null(x$pairs)) heading_item("Mutual information in bits"),
    if (!is.null(x$pairs)) table_item(x$pairs, c("pair", "pairs"), keys = 2L),
    sentences_item(sprintf("Entropy: %s bits.", format(x$entropy, digits = 4L)))
  )
}

#' @export
result_rows.bayesrisk_summary_joint <- function(x, call) {
  values <- lapply(x$marginals, names)
  data.frame(
    variable = rep(names(values), lengths(values)), value = unlist(values, use.names = FALSE),
    probability = unlist(x$marginals, use.names = FALSE)
  )
}

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
