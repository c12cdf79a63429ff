# The log density of each bank as SQL. score_bank() gives a list:
# * terms: an expression for each class. A missing value or an unknown level adds 0; NULL says that
#   the values are impossible in the class;
# * range: for each member, a condition on its numbers: {x} stands for the column. Other numbers are
#   impossible in every class, and none of the expressions here reads them. NULL for levels;
# * stages: columns that the terms need, each stage computed from the stages before.
# A likelihood has a writer in score_writers(). `ask`: see new_score_ask().

# `names`: the columns of the members, with NULL for a missing value. `features`: their schema
# entries. `source`: see db_source(). `whole`: whether terms that all classes share are needed;
# probabilities need none. `patterns`: see missing_patterns().
new_score_ask <- function(names, features, source, whole, patterns, call) {
  list(
    x = names, features = features, number = source$dialect$number, dialect = source$dialect,
    con = source$con, whole = whole, patterns = patterns, call = call
  )
}

score_bank <- function(bank, parameters, ask) {
  writer <- score_writers()[[bank$type]]
  if (is.null(writer)) abort_no_sql(ask, "has no form in SQL")
  utils::modifyList(list(terms = NULL, range = NULL, stages = NULL), writer(bank, parameters, ask))
}

score_writers <- function() {
  list(
    categorical = score_categorical, gaussian = score_gaussian, gamma = score_gamma,
    poisson = score_poisson, negative_binomial = score_negative_binomial,
    histogram = score_histogram, kernel = score_kernel, empirical = score_empirical,
    mixture = score_mixture, joint_table = score_joint_table,
    joint_histogram = score_joint_histogram,
    multivariate_gaussian = score_multivariate_gaussian,
    multivariate_mixture = score_multivariate_mixture
  )
}

# The positions of the members that are not left out.
kept_members <- function(parameters, ask) {
  setdiff(seq_along(ask$x), which(parameters$left_out == 1L))
}

# `why`: the end of a sentence about the likelihood.
abort_no_sql <- function(ask, why) {
  names <- vapply(ask$features, `[[`, "", "name", USE.NAMES = FALSE)
  abort_argument(c(
    "The likelihood of {.field {names}} {why}.",
    i = "Read the rows by {.fn dplyr::collect}, all at once or in parts, and predict each part."
  ), ask$call)
}

# The largest sizes of expressions: numbers of bins and values, of cells, of normals.
most_steps <- 500L
most_combinations <- 1000L
most_normals <- 256L

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
  model <- list(
    banks = list(bank), parameters = list(parameters), prior = rep(1 / classes, classes),
    features = length(columns)
  )
  labels <- list(class = NULL, numbers = list(dim = c(rows, classes)))
  score_cpp(model, bind_frame(frame, rows), "log_likelihood", labels, 1L)$value
}

# Log probabilities as literals; NULL for what is impossible.
db_logs <- function(x, ask) ifelse(is.finite(x), ask$number(x), "NULL")

# A sum, or a condition of which any part suffices. Hundreds of terms in a row are nested too deeply
# for some engines, so they are written in groups.
db_sum <- function(terms) if (length(terms)) in_groups(terms, " + ") else "0"
db_any <- function(conditions) if (length(conditions)) in_groups(conditions, " OR ") else "1 = 0"

in_groups <- function(terms, operator) {
  while (length(terms) > 50L) {
    terms <- vapply(in_batches(terms, 50L), function(x) {
      paste0("(", paste(x, collapse = operator), ")")
    }, "")
  }
  paste(terms, collapse = operator)
}

# The greatest or least of expressions. `find`: the name of the engine's function, which may have a
# limited number of arguments.
db_extreme <- function(x, find) {
  while (length(x) > 1L) {
    x <- vapply(in_batches(x, 100L), function(part) {
      if (length(part) == 1L) part else sprintf("%s(%s)", find, paste(part, collapse = ", "))
    }, "")
  }
  x
}

# The value of the step that holds a number: values[[i]] from breaks[[i - 1]] on and below
# breaks[[i]]. With many steps the search has two levels.
db_steps <- function(x, breaks, values) {
  n <- length(values)
  same <- values[-1L] == values[-n]
  breaks <- breaks[!same]
  values <- values[c(TRUE, !same)]
  if (length(values) == 1L) return(values)
  if (length(values) > 20L) {
    parts <- in_batches(seq_along(values), ceiling(sqrt(length(values))))
    last <- vapply(parts, max, 1L)
    values <- vapply(parts, function(i) db_steps(x, breaks[i[-length(i)]], values[i]), "")
    breaks <- breaks[last[-length(last)]]
  }
  first <- -length(values)
  paste0(
    "CASE", paste0(" WHEN ", x, " < ", breaks, " THEN ", values[first], collapse = ""),
    " ELSE ", values[[length(values)]], " END"
  )
}

# The expression for numbers that are there; 0 for a missing number.
db_known <- function(x, value) sprintf("CASE WHEN %s IS NULL THEN 0 ELSE %s END", x, value)

# Levels ---------------------------------------------------------------------------------------

# The literals of the levels, in their order. A level NA is a missing value in a database.
level_literals <- function(feature, ask) {
  literals <- db_text(ifelse(is.na(feature$levels), "", feature$levels), ask$con)
  replace(literals, is.na(feature$levels), NA)
}

score_categorical <- function(bank, parameters, ask) {
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_values(bank, parameters, lapply(bank$levels, seq_len), classes)
  literals <- lapply(ask$features, level_literals, ask)
  terms <- vapply(seq_len(classes), function(k) {
    db_sum(vapply(seq_along(scores), function(j) {
      used <- !is.na(literals[[j]])
      db_case(ask$x[[j]], literals[[j]][used], db_logs(scores[[j]][used, k], ask), "0")
    }, ""))
  }, "")
  list(terms = terms)
}

score_joint_table <- function(bank, parameters, ask) {
  literals <- lapply(ask$features, level_literals, ask)
  score_cells(bank, parameters, lapply(bank$levels, seq_len), function(j, codes) {
    used <- !is.na(literals[[j]])
    db_case(ask$x[[j]], literals[[j]][used], codes[used], "0")
  }, ask)
}

# A combination of levels or bins is one number, the sum of the codes of the members; the code 0 is
# a missing member. `values`: a value of each level or bin, for each member. `code_of(j, codes)`:
# the code of member j as an expression.
score_cells <- function(bank, parameters, values, code_of, ask) {
  sizes <- lengths(values) + 1L
  if (prod(as.double(sizes)) > most_combinations) {
    what <- if (is.null(bank$levels)) "bins" else "levels"
    abort_no_sql(ask, paste("has too many combinations of", what, "for SQL"))
  }
  cells <- unname(as.list(expand.grid(lapply(values, function(value) c(value[NA][1L], value)))))
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_rows(bank, parameters, cells, classes)
  strides <- as.integer(cumprod(c(1L, sizes))[seq_along(sizes)])
  code <- vapply(seq_along(sizes), function(j) {
    code_of(j, seq_along(values[[j]]) * strides[[j]])
  }, "")
  key <- paste0(ask$x[[1L]], "_cell")
  terms <- vapply(seq_len(classes), function(k) {
    db_steps(key, seq_len(nrow(scores) - 1L), db_logs(scores[, k], ask))
  }, "")
  list(terms = terms, stages = list(stats::setNames(db_sum(code), key)))
}

# Numbers with a table --------------------------------------------------------------------------

# The edges of each set of bins.
edges_of_bins <- function(bank) {
  counts <- ifelse(bank$bins > 0L, bank$bins + 1L, 0L)
  unname(split(bank$edges, factor(rep(seq_along(bank$bins), counts), seq_along(bank$bins))))
}

# The value of the bin of a number that lies between the first and the last edge.
db_bins <- function(x, edges, values, ask) {
  db_steps(x, ask$number(edges[-c(1L, length(edges))]), values)
}

score_histogram <- function(bank, parameters, ask) {
  if (max(bank$bins) > most_steps) abort_no_sql(ask, "has too many bins for SQL")
  classes <- nrow(parameters$log_probability)
  sets <- rep_len(edges_of_bins(bank), classes)
  terms <- vapply(seq_len(classes), function(k) {
    edges <- sets[[k]]
    bins <- length(edges) - 1L
    if (bins < 1L) return("NULL")
    scores <- scores_of_rows(bank, parameters, list(edges[seq_len(bins)]), classes)[, k]
    sprintf(
      "CASE WHEN %s IS NULL THEN 0 WHEN %s BETWEEN %s AND %s THEN %s END", ask$x, ask$x,
      ask$number(edges[[1L]]), ask$number(edges[[bins + 1L]]),
      db_bins(ask$x, edges, db_logs(scores, ask), ask)
    )
  }, "")
  list(terms = terms, range = all_numbers)
}

# All classes have the same bins, so numbers outside of these are impossible.
score_joint_histogram <- function(bank, parameters, ask) {
  edges <- edges_of_bins(bank)
  left <- lapply(edges, function(x) x[-length(x)])
  cells <- score_cells(bank, parameters, left, function(j, codes) {
    if (!length(codes)) return("0")
    db_known(ask$x[[j]], db_bins(ask$x[[j]], edges[[j]], codes, ask))
  }, ask)
  cells$range <- vapply(edges, function(x) {
    if (!length(x)) return("{x} < {x}")
    sprintf("{x} BETWEEN %s AND %s", ask$number(x[[1L]]), ask$number(x[[length(x)]]))
  }, "")
  cells
}

# Numbers that are not extreme, for the part `range`.
all_numbers <- "ABS({x}) <= 1e300"

score_empirical <- function(bank, parameters, ask) {
  if (max(vapply(parameters$points, nrow, 1L)) > most_steps) {
    abort_no_sql(ask, "has too many values for SQL")
  }
  terms <- vapply(parameters$points, function(points) {
    if (!nrow(points)) return("NULL")
    value <- ask$number(points[, 1L])
    found <- sprintf("CASE WHEN %s = %s THEN %s END", ask$x, value, db_logs(points[, 2L], ask))
    db_known(ask$x, db_steps(ask$x, value[-1L], found))
  }, "")
  list(terms = terms, range = all_numbers)
}
