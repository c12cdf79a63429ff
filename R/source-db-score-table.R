# Levels, and numbers with a table, as SQL: see score_bank().

# CASE for a member by its levels, in their order. A level NA is a missing value in a database.
level_case <- function(j, values, sql) {
  levels <- sql$features[[j]]$levels
  used <- !is.na(levels)
  exact <- sql$dialect$exact
  db_case(exact(sql$x[[j]]), exact(db_text(levels[used], sql)), values[used], "0")
}

score_categorical <- function(bank, parameters, sql) {
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_values(bank, parameters, lapply(bank$levels, seq_len), classes)
  terms <- vapply(seq_len(classes), function(k) {
    db_sum(vapply(seq_along(scores), function(j) {
      level_case(j, db_logs(scores[[j]][, k], sql), sql)
    }, ""))
  }, "")
  list(terms = terms)
}

score_joint_table <- function(bank, parameters, sql) {
  score_cells(bank, parameters, lapply(bank$levels, seq_len), level_case, sql)
}

# A combination of levels or bins is one number, the sum of the codes of the members; the code 0 is
# a missing member. `values`: a value of each level or bin, for each member. `code_of(j, codes,
# sql)`: the code of member j as an expression.
score_cells <- function(bank, parameters, values, code_of, sql) {
  sizes <- lengths(values) + 1L
  if (prod(as.double(sizes)) > most_combinations) {
    what <- if (is.null(bank$levels)) "bins" else "levels"
    abort_no_sql(sql, paste("has too many combinations of", what, "for SQL"))
  }
  cells <- unname(as.list(expand.grid(lapply(values, function(value) c(value[NA][1L], value)))))
  classes <- nrow(parameters$log_probability)
  scores <- scores_of_rows(bank, parameters, cells, classes)
  strides <- as.integer(cumprod(c(1L, sizes))[seq_along(sizes)])
  code <- vapply(seq_along(sizes), function(j) {
    code_of(j, seq_along(values[[j]]) * strides[[j]], sql)
  }, "")
  key <- paste0(sql$x[[1L]], "_cell")
  terms <- vapply(seq_len(classes), function(k) {
    db_steps(key, seq_len(nrow(scores) - 1L), db_logs(scores[, k], sql))
  }, "")
  list(terms = terms, stages = list(stats::setNames(db_sum(code), key)))
}

# The edges of each set of bins.
edges_of_bins <- function(bank) {
  counts <- ifelse(bank$bins > 0L, bank$bins + 1L, 0L)
  unname(split(bank$edges, factor(rep(seq_along(bank$bins), counts), seq_along(bank$bins))))
}

# The value of the bin of a number that lies between the first and the last edge.
db_bins <- function(x, edges, values, sql) {
  db_steps(x, sql$number(edges[-c(1L, length(edges))]), values)
}

score_histogram <- function(bank, parameters, sql) {
  if (max(bank$bins) > most_steps) abort_no_sql(sql, "has too many bins for SQL")
  classes <- nrow(parameters$log_probability)
  sets <- rep_len(edges_of_bins(bank), classes)
  terms <- vapply(seq_len(classes), function(k) {
    edges <- sets[[k]]
    bins <- length(edges) - 1L
    if (bins < 1L) return("NULL")
    scores <- scores_of_rows(bank, parameters, list(edges[seq_len(bins)]), classes)[, k]
    sprintf(
      "CASE WHEN %s IS NULL THEN 0 WHEN %s BETWEEN %s AND %s THEN %s END", sql$x, sql$x,
      sql$number(edges[[1L]]), sql$number(edges[[bins + 1L]]),
      db_bins(sql$x, edges, db_logs(scores, sql), sql)
    )
  }, "")
  list(terms = terms, range = all_numbers)
}

# All classes have the same bins, so numbers outside of these are impossible.
score_joint_histogram <- function(bank, parameters, sql) {
  edges <- edges_of_bins(bank)
  left <- lapply(edges, function(x) x[-length(x)])
  cells <- score_cells(bank, parameters, left, function(j, codes, sql) {
    if (!length(codes)) return("0")
    db_known(sql$x[[j]], db_bins(sql$x[[j]], edges[[j]], codes, sql))
  }, sql)
  cells$range <- vapply(edges, function(x) {
    if (!length(x)) return("{x} < {x}")
    sprintf("{x} BETWEEN %s AND %s", sql$number(x[[1L]]), sql$number(x[[length(x)]]))
  }, "")
  cells
}

# Numbers that are not extreme, for the part `range`.
all_numbers <- "ABS({x}) <= 1e300"

score_empirical <- function(bank, parameters, sql) {
  if (max(vapply(parameters$points, nrow, 1L)) > most_steps) {
    abort_no_sql(sql, "has too many values for SQL")
  }
  terms <- vapply(parameters$points, function(points) {
    if (!nrow(points)) return("NULL")
    value <- sql$number(points[, 1L])
    found <- sprintf("CASE WHEN %s = %s THEN %s END", sql$x, value, db_logs(points[, 2L], sql))
    db_known(sql$x, db_steps(sql$x, value[-1L], found))
  }, "")
  list(terms = terms, range = all_numbers)
}
