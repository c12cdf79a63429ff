# Log densities as text. The part `log_density` of a record writes that of a bank in a language: SQL
# (bank_language()) or R (r_language()). It gives a list:
# * terms: an expression for each class. A missing value or an unknown level adds 0;
# * range: for each member, a condition on to$raw. Other numbers are impossible in every class, and
#   none of the expressions here needs their value. NULL for levels;
# * covered: the rows for which there are terms, as a condition; NULL for all rows;
# * stages: columns that the terms need, each stage computed from the stages before.
#
# A language `to` is a list. Sums, products, < and numbers such as 0.5e0 are the same in all.
#
#   x, raw      the members as columns, without and with the numbers outside their range
#   features    the schema entries of the members
#   patterns    which members of a joint block may be missing, see pattern_code()
#   whole       whether terms that all classes share are needed; probabilities need none
#   stages      whether stages are columns; otherwise each use of one repeats its expression
#   impossible  the term of a class in which the values are impossible
#   never, missing  the argument `other` for impossible values; for values that nothing reads
#   is, and, is_na, among, between, level  conditions. level(j): for each level of member j, or NA
#   case, when  the value of the first condition that holds, or `other`. `when` has one condition,
#               and takes vectors element by element
#   sum, add    of any number of terms; of the terms of several members
#   number, abs, exp, floor, greatest, ln, polynomial, square, zero_if_missing  functions
#   name, remedy, call  for the error if there is no text

# `why`: the end of a sentence about the likelihood.
abort_no_text <- function(to, why) {
  names <- vapply(to$features, `[[`, "", "name", USE.NAMES = FALSE)
  abort_argument(c(
    paste("The likelihood of {.field {names}}", why, "for {to$name}."), i = to$remedy
  ), to$call)
}

# The largest sizes of expressions: numbers of bins and values, of cells, of normals.
most_steps <- 500L
most_combinations <- 1000L
most_normals <- 256L

# A sum of any number of terms.
sum_text <- function(terms) if (length(terms)) in_groups(terms, " + ") else "0"

# Hundreds of terms in a row are nested too deeply for some engines.
in_groups <- function(terms, operator, size = 50L) {
  while (length(terms) > size) {
    terms <- vapply(in_batches(terms, size), function(x) {
      paste0("(", paste(x, collapse = operator), ")")
    }, "")
  }
  paste(terms, collapse = operator)
}

# The value of the step that holds a number: values[[i]] from breaks[[i - 1]] on and below
# breaks[[i]]. With many steps the search has two levels.
steps_text <- function(x, breaks, values, to) {
  n <- length(values)
  same <- values[-1L] == values[-n]
  breaks <- breaks[!same]
  values <- values[c(TRUE, !same)]
  if (length(values) == 1L) return(values)
  if (length(values) > 20L) {
    parts <- in_batches(seq_along(values), ceiling(sqrt(length(values))))
    last <- vapply(parts, max, 1L)
    values <- vapply(parts, function(i) steps_text(x, breaks[i[-length(i)]], values[i], to), "")
    breaks <- breaks[last[-length(last)]]
  }
  to$case(paste(x, "<", breaks), values[-length(values)], values[[length(values)]])
}

# The value of member j's level, of values in the order of the levels.
level_text <- function(j, values, other, to) {
  conditions <- to$level(j)
  used <- !is.na(conditions)
  to$case(conditions[used], values[used], other)
}

# Log probabilities as literals.
logs_text <- function(x, to) ifelse(is.finite(x), to$number(x), to$impossible)

# The positions of the members that are not left out.
kept_members <- function(parameters, to) {
  setdiff(seq_along(to$x), which(parameters$left_out == 1L))
}

# The log probabilities of levels or numbers, as the engine scores them: a value x class matrix for
# each member of the bank.
scores_of_values <- function(bank, parameters, values, classes) {
  sizes <- lengths(values)
  member <- rep(seq_along(values), sizes)
  columns <- lapply(seq_along(values), function(j) {
    value <- rep(values[[j]][NA_integer_], length(member))
    replace(value, member == j, values[[j]])
  })
  scores <- scores_of_rows(bank, parameters, columns, classes)
  lapply(split(seq_along(member), factor(member, seq_along(values))), function(rows) {
    scores[rows, , drop = FALSE]
  })
}

# The log likelihoods of rows, a row x class matrix. `columns`: of the members, as codes of levels
# or numbers.
scores_of_rows <- function(bank, parameters, columns, classes) {
  rows <- length(columns[[1L]])
  levels <- if (is.null(bank$levels)) rep(0L, length(columns)) else bank$levels
  frame <- Map(function(x, levels) {
    if (levels == 0L) encoded(as.double(x)) else encoded(as.integer(x), 1L, levels)
  }, columns, levels)
  bank$features <- seq_along(columns)
  # A class with a prior of 0 may have no parameters, and log likelihoods do not use the prior.
  model <- list(
    banks = list(bank), parameters = list(parameters), prior = numeric(classes),
    features = length(columns), temper = NULL, hyperparameters = NULL
  )
  labels <- list(class = NULL, numbers = list(dim = c(rows, classes)))
  score_cpp(model, bind_frame(frame, rows), "log_likelihood", labels, 1L)$value
}
