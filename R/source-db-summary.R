# The first pass over a lazy table: the rows and the weight of each class; the number, the mean and
# the range of each number in each class. `cases`: see source-db-cases.R.

# The rows that are used: with a weight, and for na.omit without missing values. Guarded numbers are
# NULL for NaN.
db_used <- function(cases, complete = integer()) {
  rows <- if (cases$guarded) cases$known else cases$query
  required <- place_names(complete)
  if (cases$policy == "na.omit") required <- c("y", place_names(seq_along(cases$labels)))
  where <- c(if (cases$weighted) "v > 0", sprintf("%s IS NOT NULL", unique(required)))
  db_select(names(cases$types), db_sub(rows), where)
}

place_names <- function(features) sprintf("x%d", features)

# A row for each class, also for the missing one: y, n, w, and n<j>, m<j>, lo<j>, hi<j> of the
# features. `m` is the mean of the scaled numbers. With guessed centres the sums of the deviations
# from them take the place of these: see guessed_columns(). Ranges would double the time.
db_summary <- function(cases, features, complete = integer(), guess = NULL) {
  batches <- summary_batches(features, guess$blocks)
  parts <- lapply(batches, function(batch) {
    columns <- c(
      y = "y", n = "COUNT(*)", if (cases$weighted) c(w = "SUM(v)"), byte_columns("y", cases)
    )
    columns <- c(columns, if (is.null(guess)) {
      unlist(lapply(batch, summary_columns, cases))
    } else {
      guessed_columns(batch, cases, guess)
    })
    rows <- if (is.null(guess)) db_used(cases, complete) else db_guessed(cases, batch, guess)
    db_get(cases$source, db_select(columns, db_sub(rows), group = "y"))
  })
  found <- Reduce(function(a, b) {
    cbind(a, b[match(a$y, b$y), setdiff(names(b), names(a)), drop = FALSE])
  }, parts)
  if (!cases$weighted) found$w <- found$n
  if (is.null(guess)) return(found)
  place <- match(found$y, guess$y, nomatch = 1L)
  # A matrix is no value for the columns of no row.
  centre <- as.data.frame(guess$centre[place, , drop = FALSE])
  found[paste0("c", guess$features)] <- centre
  found
}

# The features of each query. All blocks are in the first one.
summary_batches <- function(features, blocks) {
  joint <- unlist(blocks)
  if (!length(joint)) return(if (length(features)) in_batches(features, 250L) else list(integer()))
  single <- setdiff(features, joint)
  first <- utils::head(single, 100L)
  c(list(c(joint, first)), in_batches(setdiff(single, first), 250L))
}

# Single features: their weights n<j>, and the sums s<j> and q<j> of deviations and squares. Blocks:
# see block_columns().
guessed_columns <- function(features, cases, guess) {
  single <- setdiff(features, unlist(guess$blocks))
  n <- known_weight(place_names(single), cases)
  blocks <- which(vapply(guess$blocks, function(block) all(block %in% features), NA))
  c(
    stats::setNames(n, paste0("n", single, recycle0 = TRUE)),
    unlist(lapply(single, deviation_columns, cases)),
    unlist(lapply(blocks, function(b) block_columns(b, guess$blocks[[b]], cases)))
  )
}

# Block b: the rows k<i> that have its i-th feature, the rows k and the weight kw that have all, and
# the sums of product_columns(). h<b> marks the complete rows.
block_columns <- function(b, features, cases) {
  at <- seq_along(features)
  complete <- sprintf(if (cases$weighted) "SUM(v * h%d)" else "SUM(h%d)", b)
  columns <- c(
    stats::setNames(sprintf("COUNT(%s)", place_names(features)), paste0("k", at)),
    k = sprintf("SUM(h%d)", b), kw = complete,
    product_columns(sprintf("d%d", features), at, at, cases)
  )
  stats::setNames(columns, sprintf("b%d_%s", b, names(columns)))
}

# The columns of a block in the summary, with the names that they have in block_columns().
block_sums <- function(summary, b) {
  prefix <- sprintf("b%d_", b)
  sums <- summary[startsWith(names(summary), prefix)]
  stats::setNames(sums, substring(names(sums), nchar(prefix) + 1L))
}

summary_columns <- function(j, cases) {
  x <- place_names(j)
  n <- stats::setNames(known_weight(x, cases), paste0("n", j))
  scaled <- scaled_sql(x, j, cases)
  mean <- if (cases$weighted) {
    sprintf("SUM(v * %s) / NULLIF(%s, 0)", scaled, n)
  } else {
    sprintf("AVG(%s)", scaled)
  }
  columns <- c(m = mean, lo = sprintf("MIN(%s)", x), hi = sprintf("MAX(%s)", x))
  c(n, stats::setNames(columns, paste0(names(columns), j)))
}

# The positions of pairs of deviations.
pairs_of <- function(first, second) {
  pairs <- expand.grid(i = first, j = second)
  pairs[pairs$i <= pairs$j, ]
}

# The sums p<i> of products of the deviations `d`, and the sums s<j> of these.
product_columns <- function(d, first, second, cases) {
  w <- if (cases$weighted) "v * " else ""
  pairs <- pairs_of(first, second)
  product <- sprintf("SUM(%s%s * %s)", w, d[pairs$i], d[pairs$j])
  c(
    stats::setNames(product, sprintf("p%d", seq_along(product))),
    stats::setNames(sprintf("SUM(%s%s)", w, d[second]), sprintf("s%d", second))
  )
}

# The weight of the rows in which a column is known.
known_weight <- function(x, cases) {
  sprintf(if (cases$weighted) "SUM(CASE WHEN %s IS NULL THEN 0 ELSE v END)" else "COUNT(%s)", x)
}

# The rows that are used, with the deviations d1, d2, ... Classes that the first rows lack take the
# centre of another class. The deviations of a row that misses a feature of a block are 0.
db_guessed <- function(cases, features, guess) {
  dialect <- cases$source$dialect
  centre <- guess$centre[, match(features, guess$features), drop = FALSE]
  blocks <- which(vapply(guess$blocks, function(block) all(block %in% features), NA))
  complete <- vapply(guess$blocks[blocks], function(block) {
    sprintf(
      "CASE WHEN %s THEN %s ELSE %s END",
      paste(place_names(block), "IS NOT NULL", collapse = " AND "), dialect$number(1),
      dialect$number(0)
    )
  }, "")
  own <- c(
    g = if (any(differ_by_class(centre))) db_case("y", guess$sql, seq_along(guess$sql), "1"),
    stats::setNames(complete, sprintf("h%d", blocks))
  )
  rows <- db_used(cases)
  if (length(own)) rows <- dialect$fence(db_select(c("bayes_t.*", own), db_sub(rows)))
  d <- deviations(place_names(features), features, centre, dialect)
  for (b in blocks) {
    at <- match(guess$blocks[[b]], features)
    d[at] <- sprintf("h%d * COALESCE(%s, 0e0)", b, d[at])
  }
  dialect$fence(db_select(c("bayes_t.*", d), db_sub(rows)))
}

# The deviations d<j> of numbers from their centres. `x`: the numbers as expressions; `centre`: a
# row for each class, a column for each feature.
deviations <- function(x, features, centre, dialect) {
  by_class <- differ_by_class(centre)
  d <- vapply(seq_along(x), function(i) {
    middle <- dialect$number(centre[, i])
    if (by_class[[i]]) middle <- db_case("g", seq_along(middle), middle, "0")
    sprintf("%s - %s", x[[i]], middle[[1L]])
  }, "")
  stats::setNames(d, sprintf("d%d", features))
}

differ_by_class <- function(centre) {
  apply(centre, 2L, function(of_class) length(unique(of_class)) > 1L)
}

# The sums s<j> and q<j> of the deviations of a feature and of their squares.
deviation_columns <- function(j, cases) {
  d <- sprintf("d%d", j)
  w <- if (cases$weighted) "v * " else ""
  columns <- c(s = sprintf("SUM(%s%s)", w, d), q = sprintf("SUM(%s%s * %s)", w, d, d))
  stats::setNames(columns, paste0(names(columns), j))
}

# A number in the units in which it is summed.
scaled_sql <- function(x, j, cases) {
  scale <- cases$scale[[j]]
  if (scale == 1) x else sprintf("%s * %s", x, cases$source$dialect$number(scale))
}

# Whether numbers need a guard: some are NaN or infinite, sums overflow, or squares could leave the
# range of a double.
need_guard <- function(found, features) {
  if (!length(features)) return(FALSE)
  of <- function(what) unlist(found[paste0(what, features)], use.names = FALSE)
  values <- c(of("m"), of("lo"), of("hi"))
  any(is.nan(values) | is.infinite(values)) ||
    any(is_far(pmax(abs(of("lo")), abs(of("hi")))), na.rm = TRUE)
}

is_far <- function(largest) largest > 0 & (largest > 1e100 | largest < 1e-100)

# NaN becomes NULL, infinite numbers are an error, and numbers whose squares could leave the range
# of a double get a scale, a power of 2.
guard_cases <- function(cases, call) {
  cases$guarded <- TRUE
  if (!length(cases$numeric)) return(cases)
  x <- place_names(cases$numeric)
  rows <- lapply(in_batches(x, 500L), function(x) {
    db_get(cases$source, db_select(
      c(sprintf("MIN(%s) AS lo%s", x, x), sprintf("MAX(%s) AS hi%s", x, x)), db_sub(db_used(cases))
    ))
  })
  found <- abs(do.call(cbind, rows))
  largest <- vapply(x, function(x) max(0, unlist(found[paste0(c("lo", "hi"), x)]), na.rm = TRUE), 1)
  endless <- largest >= cases$source$dialect$endless
  check_db_infinite(cases, cases$numeric[endless], call)
  far <- is_far(largest)
  cases$scale[cases$numeric[far]] <- 2^pmin(1023, -round(log2(largest[far])))
  cases
}

check_db_infinite <- function(cases, features, call) {
  if (!length(features)) return(invisible())
  counts <- vapply(place_names(features), function(x) {
    sprintf("SUM(CASE WHEN ABS(%s) < %s THEN 0 ELSE 1 END)", x, cases$source$dialect$infinity)
  }, "")
  counts <- lapply(seq_along(counts), function(i) {
    known <- db_used(cases, features[[i]])
    db_get(cases$source, db_select(c(n = counts[[i]]), db_sub(known)))$n
  })
  diagnostics <- list(
    problem = rep("infinite", length(features)), class = rep(NA_integer_, length(features)),
    feature = features, count = unlist(counts)
  )
  cases$schema <- list(features = stats::setNames(nm = cases$labels))
  check_data_problems(diagnostics, cases, call)
}

# The levels of the class, in order, with the rows of the summary and the SQL of each level.
db_classes <- function(found, cases, call) {
  missing <- sum(found$n[is.na(found$y)])
  if (missing > 0) {
    # The error of a missing class counts rows.
    check_class(list(codes = rep(NA_integer_, missing)), cases$response, NULL, call)
  }
  check_held_texts(found, "y", cases, call)
  type <- cases$types[["y"]]
  y <- if (type == "logical") as.logical(found$y) else found$y
  read <- read_class(y, cases$response, length(y), NULL, call)
  check_class(read, cases$response, NULL, call)
  order <- match(seq_along(read$levels), read$codes)
  list(
    levels = read$levels, type = read$type, order = order,
    sql = db_values(y[order], if (read$type == "integer") "number" else read$type, cases$source)
  )
}

# `weights`: an expression of the table's columns.
check_db_weights <- function(weights, source, call) {
  column <- paste0(source$prefix, "v")
  rows <- db_select(stats::setNames(weights, column), db_sub(source$query, "bayes_q"))
  w <- db_double(column, source$dialect)
  largest <- source$dialect$number(.Machine$double.xmax)
  small <- source$dialect$number(2^-64)
  found <- db_get(source, db_select(c(
    n = "COUNT(*)",
    bad = sprintf("SUM(CASE WHEN %s >= 0 AND %s <= %s THEN 0 ELSE 1 END)", w, w, largest),
    lo = sprintf("MIN(CASE WHEN %s > 0 THEN %s END)", w, w), hi = sprintf("MAX(%s)", w),
    zero = sprintf("SUM(CASE WHEN %s = 0 THEN 1 ELSE 0 END)", w),
    total = sprintf("SUM(%s * %s)", w, small)
  ), db_sub(rows)))
  if (found$n > 0) check_weight_sums(found$bad, found$total * 2^64, call)
  list(
    zero = found$n > 0 && found$zero > 0,
    far = isTRUE(found$hi > 1e100 || found$lo < 1e-100)
  )
}
