# Functions of columns in a formula. A term is list(expression, columns, values): the columns that
# it uses, and the values that it takes from the formula's environment (NULL for none). The model
# keeps the values, because it keeps no environment.

# A name that is no column may be a value from the formula's environment, if the term also uses a
# column. It may also be a constant of R, such as `pi`. All other names count as columns. The caller
# checks that these columns exist.
new_term <- function(expression, container, enclosure, call) {
  names <- all.vars(expression)
  columns <- intersect(names, container$names)
  others <- setdiff(names, columns)
  values <- if (length(columns)) Filter(Negate(is.function), named_values(others, enclosure))
  for (name in names(values)) {
    check_kept_value(values[[name]], name, call)
    values[[name]] <- plain_value(values[[name]])
  }
  others <- setdiff(others, names(values))
  constant <- vapply(others, exists, NA, envir = baseenv(), inherits = FALSE)
  list(
    expression = expression, columns = c(columns, others[!constant]),
    values = if (length(values)) values
  )
}

# The values of names in an environment, without names that have no value.
named_values <- function(names, enclosure) {
  values <- lapply(stats::setNames(nm = names), function(name) {
    # An argument that was not given, or whose promise fails, has no value.
    value <- tryCatch(
      rlang::env_get(enclosure, name, NULL, inherit = TRUE, last = globalenv()),
      error = function(e) NULL
    )
    if (!rlang::is_missing(value)) value
  })
  Filter(Negate(is.null), values)
}

most_kept_values <- 100L

# Numbers, text, dates: values that carry neither an environment nor many data.
is_kept_value <- function(x) {
  !is.null(x) && length(x) <= most_kept_values && is_plain_value(x)
}

check_kept_value <- function(value, name, call) {
  if (is_kept_value(plain_value(value))) return(invisible())
  abort_data(c(
    "The data have no column {.field {name}}, and the formula cannot keep the value of this name:
     {describe_value(value)}.",
    i = "A formula keeps numbers and text, up to {most_kept_values} values of a name.",
    i = "Compute the feature before the fit, as a column of the data."
  ), call)
}

# Evaluates a function of columns in the data.
evaluate_in <- function(term, container, enclosure, label, abort, call) {
  known <- c(container_list(container, term$columns), term$values)
  value <- tryCatch(in_new_session(eval(term$expression, known, enclosure)), error = function(e) {
    reason <- conditionMessage(e)
    abort("{.code {label}} cannot be computed: {reason}", call)
  })
  as_it_was(value)
}

evaluate_term <- function(term, container, enclosure, label, abort, call) {
  value <- evaluate_in(term, container, enclosure, label, abort, call)
  if (is.null(dim(value)) && length(value) != container$rows) {
    abort("{.code {label}} has {length(value)} value{?s} for {container$rows} row{?s}.", call)
  }
  if (is_bag(value)) {
    abort(c(
      "{.code {label}} is a matrix: a bag of terms cannot be computed in a formula.",
      i = "Compute it before the fit, as a column of the data."
    ), call)
  }
  value
}

# Evaluates the class, which may be a function of columns.
evaluate_response <- function(expression, container, enclosure, label, call) {
  if (is.name(expression)) {
    check_column_names(container$names, label, "data", abort_data, call)
    return(container_column(container, match(label, container$names)))
  }
  term <- list(expression = expression, columns = intersect(all.vars(expression), container$names))
  value <- evaluate_in(term, container, enclosure, label, abort_data, call)
  # What is no vector is no class.
  if (is.atomic(value) && length(value) == container$rows) {
    check_alone(value, term, container, enclosure, label, call, remedy = remedy_of_class)
  }
  value
}

# Stops if the value of a row depends on other rows, as in x - mean(x). New rows would get other
# values than the training rows. Some rows are computed alone and compared.
check_alone <- function(value, term, container, enclosure, label, call, abort = abort_data,
                        remedy = remedy_of_feature) {
  if (container$rows < 2L) return(invisible())
  if (length(term$columns) == 0L) {
    abort(c(
      "{.code {label}} uses no column of the data.",
      i = "Make it a column of the data: new rows need its values, too."
    ), call)
  }
  columns <- container_list(container, term$columns)
  other <- dependent_row(value, columns, function(of_row) {
    in_new_session(eval(term$expression, c(of_row, term$values), enclosure))
  })
  if (!is.null(other)) abort_dependent(label, why_dependent(other, value), call, abort, remedy)
}

# The first row whose value differs if it is computed alone, with this value: list(row, alone); or
# NULL. `evaluate`: a function of the columns of a row.
dependent_row <- function(value, columns, evaluate) {
  for (row in telling_rows(value, columns)) {
    of_row <- lapply(columns, function(x) if (length(dim(x)) == 2L) x[row, ] else x[row])
    alone <- tryCatch(suppressWarnings(evaluate(of_row)), error = function(e) NULL)
    if (!is_same_value(alone, value[row])) return(list(row = row, alone = alone))
  }
}

# The rows that a dependence on other rows is likely to change: the ends, the middle, the smallest
# and the largest value, and a row with a missing value, which may be filled in.
telling_rows <- function(value, columns) {
  rank <- if (is.numeric(value)) value else match(value, unique(value))
  missing <- lapply(columns, function(x) if (is.null(dim(x))) match(TRUE, is.na(x)))
  rows <- length(value)
  found <- c(1L, (rows + 1L) %/% 2L, rows, which.min(rank), which.max(rank), unlist(missing))
  unique(found[!is.na(found)])
}

is_same_value <- function(alone, among) {
  if (length(alone) != 1L || is.na(alone) != is.na(among)) return(FALSE)
  if (is.na(among)) return(TRUE)
  if (!is.numeric(among)) return(identical(as.character(alone), as.character(among)))
  is.numeric(alone) && isTRUE(all.equal(as.double(alone), as.double(among)))
}

# `other`: see dependent_row().
why_dependent <- function(other, value) {
  alone <- if (length(other$alone) == 1L) format(other$alone) else "no value"
  among <- format(value[other$row])
  sprintf("row %d has %s; computed alone, it has %s", other$row, among, alone)
}

abort_dependent <- function(label, why, call, abort = abort_data, remedy = remedy_of_feature) {
  abort(c("{.code {label}} depends on other rows: {why}.", remedy), call)
}

remedy_of_feature <- c(
  i = "The prediction of a row must not depend on other rows.",
  i = "Compute such numbers once, for example {.code m <- mean(data$x)}, and use them in the
       formula: {.code I(x - m)}."
)

# A class has no values but those of columns.
remedy_of_class <- c(
  i = "The class of a row must not depend on other rows, or later rows get other classes.",
  i = "Compute the class once, as a column of the data."
)
