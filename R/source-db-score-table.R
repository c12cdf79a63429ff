# Levels, and numbers with a table, as SQL: see score_bank().

# CASE for a member by its levels, in their order. A level NA is a missing value in a database.
level_case <- function(j, values, ask) {
  levels <- ask$features[[j]]$levels
  used <- !is.na(levels)
  exact <- ask$dialect$exact
  db_case(exact(ask$x[[j]]), exact(db_text(levels[used], ask)), values[used], "0")
}

score_categorical <- function(bank, parameters, ask) {
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_values(bank, parameters, lapply(bank$levels, seq_len), classes)
  terms <- vapply(seq_len(classes), function(k) {
    db_sum(vapply(seq_along(scores), function(j) {
      level_case(j, db_logs(scores[[j]][, k], ask), ask)
    }, ""))
  }, "")
  list(terms = terms)
}

score_joint_table <- function(bank, parameters, ask) {
  score_cells(bank, parameters, lapply(bank$levels, seq_len), level_case, ask)
}

# A combination of levels or bins is one number, the sum of the codes of the members; the code 0 is
# a missing member. `values`: a value of each level or bin, for each member. `code_of(j, codes,
# ask)`: the code of member j as an expression.
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
    code_of(j, seq_along(values[[j]]) * strides[[j]], ask)
  }, "")
  key <- paste0(ask$x[[1L]], "_cell")
  terms <- vapply(seq_len(classes), function(k) {
    db_steps(key, seq_len(nrow(scores) - 1L), db_logs(scores[, k], ask))
  }, "")
  list(terms = terms, stages = list(stats::setNames(db_sum(code), key)))
}

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
  cells <- score_cells(bank, parameters, left, function(j, codes, ask) {
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
