# The writers of log densities as SQL: what they are asked, and what they share. See score_bank().

# `names`: the columns of the members, with NULL for a missing value. `features`: their schema
# entries. `source`: see db_source(). `whole`: whether terms that all classes share are needed;
# probabilities need none. `patterns`: see block_patterns().
new_score_sql <- function(names, features, source, whole, patterns, call) {
  list(
    x = names, features = features, number = source$dialect$number, dialect = source$dialect,
    con = source$con, whole = whole, patterns = patterns, call = call
  )
}

# `why`: the end of a sentence about the likelihood.
abort_no_sql <- function(sql, why) {
  names <- vapply(sql$features, `[[`, "", "name", USE.NAMES = FALSE)
  abort_argument(c(
    "The likelihood of {.field {names}} {why}.",
    i = without_sql
  ), sql$call)
}

# The remedy if a prediction has no form in SQL.
without_sql <-
  "Predict the rows in blocks, by {.fn query_chunks}, or in memory, by {.fn dplyr::collect}."

# The largest sizes of expressions: numbers of bins and values, of cells, of normals.
most_steps <- 500L
most_combinations <- 1000L
most_normals <- 256L

# The positions of the members that are not left out.
kept_members <- function(parameters, sql) {
  setdiff(seq_along(sql$x), which(parameters$left_out == 1L))
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

# Log probabilities as literals; NULL for what is impossible.
db_logs <- function(x, sql) ifelse(is.finite(x), sql$number(x), "NULL")
