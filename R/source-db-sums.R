# Sums of a lazy table for Gaussians. Numbers are centred at the means of the first pass, or at good
# guesses of them, so nothing cancels; the engine corrects for the distance between the centre and
# the mean.

# Single features. Each query asks for a few hundred of them.
sum_gaussian <- function(bank, cases, call) {
  if (!is.null(cases$summed)) {
    of <- function(what) class_matrix(cases$summary, what, bank$features)
    scale <- rep(1, length(bank$features))
    return(call_engine(moments_of_sums_cpp(of("n"), of("c"), of("s"), of("q"), scale), call))
  }
  batches <- in_batches(bank$features, 250L)
  parts <- lapply(batches, function(features) {
    n <- known_weight(sprintf("d%d", features), cases)
    columns <- c(
      n = "COUNT(*)", stats::setNames(n, paste0("n", features)),
      unlist(lapply(features, deviation_columns, cases))
    )
    centre <- class_centres(cases$summary, features, cases)
    found <- by_class(db_centred(cases, features, centre), columns, cases)
    check_same_rows(seq_along(cases$classes$levels), found$n, cases, call)
    found
  })
  of <- function(what) class_matrix(do.call(cbind, parts), what, bank$features)
  scale <- cases$scale[bank$features]
  centre <- class_centres(cases$summary, bank$features, cases)
  call_engine(moments_of_sums_cpp(of("n"), unscaled(centre, scale), of("s"), of("q"), scale), call)
}

# A row for each class, in order.
by_class <- function(query, columns, cases) {
  rows <- db_get(cases$source, db_select(c(g = "g", columns), db_sub(query), group = "g"))
  rows[match(seq_along(cases$classes$levels), rows$g), names(columns), drop = FALSE]
}

# Columns such as n1, n2, ... as a class x feature matrix; 0 where a class has no row.
class_matrix <- function(rows, what, features) {
  columns <- lapply(rows[paste0(what, features)], as.double)
  values <- matrix(unlist(columns), nrow(rows), length(features))
  replace(values, is.na(values), 0)
}

unscaled <- function(centre, scale) sweep(centre, 2L, scale, "/")

# The centres of the features in each class, in scaled units. A feature with one value in a class is
# centred at this value, so that its deviations are exactly 0. Guarded numbers are not centred at 0,
# because PostgreSQL refuses products that underflow.
class_centres <- function(summary, features, cases) {
  centre <- class_matrix(summary, "m", features)
  scale <- cases$scale[features]
  lowest <- sweep(class_matrix(summary, "lo", features), 2L, scale, "*")
  highest <- sweep(class_matrix(summary, "hi", features), 2L, scale, "*")
  if (cases$guarded) {
    size <- pmax(abs(lowest), abs(highest)) * 2^-30
    near <- abs(centre) < size
    centre[near] <- size[near]
  }
  constant <- lowest == highest
  centre[constant] <- lowest[constant]
  centre
}

# Rows of g, the deviations d1, d2, ... from the centres, and v. `complete`: features that no row
# may miss.
db_centred <- function(cases, features, centre, complete = integer()) {
  dialect <- cases$source$dialect
  x <- vapply(features, function(j) scaled_sql(place_names(j), j, cases), "")
  columns <- c(
    g = "g", deviations(x, features, centre, dialect), if (cases$weighted) c(v = "v")
  )
  dialect$fence(db_select(columns, db_sub(dialect$fence(db_rows(cases, features, complete)))))
}

# Products of a lazy table for Gaussian blocks, over the rows that miss no feature of the block. If
# the products of a class have lost digits, they are summed again in coordinates of a good
# condition.

sum_block <- function(bank, cases, call) {
  features <- bank$features
  summed <- Position(function(block) setequal(block, features), cases$summed)
  guessed <- if (!is.na(summed)) {
    guessed_products(cases, features, block_sums(cases$summary, summed))
  }
  found <- if (is.null(guessed)) centred_products(cases, features, call) else guessed
  scale <- cases$scale[features]
  made <- scatter_of(found, scale, call)
  # Features that are equal in the complete rows have equal means there, so their deviations are
  # equal. From guesses that differ, rounding makes a spread.
  if (length(made$poor) && !is.null(guessed) && found$missing[[2L]] > 0) {
    found <- centred_products(cases, features, call)
    made <- scatter_of(found, scale, call)
  }
  centre <- found$centre
  if (length(made$poor)) {
    d <- sprintf("d%d", features)
    u <- sprintf("u%d", features)
    query <- db_centred(cases, features, centre, features)
    again <- sum_products(whitened_query(query, d, u, made, cases), u, cases)
    for (i in seq_along(made$poor)) {
      k <- made$poor[[i]]
      made$scatter$triangle[[k]] <- call_engine(whitened_triangle_cpp(
        again$weight[[k]], again$sum[k, ], again$product[[k]], made$back[[i]], scale
      ), call)
    }
  }
  c(replace(made$scatter, c("missing", "skipped"), found$missing), list(incomplete = list()))
}

scatter_of <- function(found, scale, call) {
  sums <- found$sums
  call_engine(scatter_of_products_cpp(
    sums$rows, sums$weight, unscaled(found$centre, scale), sums$sum, sums$product, scale
  ), call)
}

# list(missing, centre, sums): see missing_rows(), class_centres(), sum_products(). Here the centres
# are those of the complete rows.
centred_products <- function(cases, features, call) {
  missing <- missing_rows(cases, features)
  summary <- cases$summary
  if (missing[[2L]] > 0) {
    found <- db_summary(cases, features, features)
    summary <- found[match(cases$summary$y, found$y), ]
    summary$n[is.na(summary$n)] <- 0
  }
  centre <- class_centres(summary, features, cases)
  query <- db_centred(cases, features, centre, features)
  sums <- sum_products(query, sprintf("d%d", features), cases)
  check_same_rows(seq_along(sums$rows), sums$rows, replace(cases, "summary", list(summary)), call)
  list(missing = missing, centre = centre, sums = sums)
}

# The same from the sums of the first pass, see block_sums().
guessed_products <- function(cases, features, sums) {
  at <- seq_along(features)
  lost <- function(known) sum(cases$summary$n) - sum(known)
  list(
    missing = list(
      vapply(paste0("k", at), function(k) lost(sums[[k]]), 1, USE.NAMES = FALSE), lost(sums$k)
    ),
    centre = class_matrix(cases$summary, "c", features),
    sums = add_tile(no_products(nrow(sums), length(at)), sums, at, at, sums$k, sums$kw)
  )
}

# The same rows with the coordinates `u` of each poor class instead of the deviations `d`.
whitened_query <- function(query, d, u, made, cases) {
  dialect <- cases$source$dialect
  values <- vapply(seq_along(d), function(j) {
    parts <- vapply(made$to, function(to) {
      used <- which(to[, j] != 0)
      paste(d[used], dialect$number(to[used, j]), sep = " * ", collapse = " + ")
    }, "")
    db_case("g", made$poor, parts)
  }, "")
  columns <- c(g = "g", stats::setNames(values, u), if (cases$weighted) c(v = "v"))
  rows <- db_select(columns, db_sub(query), sprintf("g IN (%s)", toString(made$poor)))
  dialect$fence(rows)
}

# Rows, weight, sums and products of each class, in tiles of columns.
sum_products <- function(query, d, cases) {
  out <- no_products(length(cases$classes$levels), length(d))
  tiles <- in_batches(seq_along(d), widest_tile)
  for (a in seq_along(tiles)) {
    for (b in seq_len(a)) {
      found <- by_class(query, c(
        n = "COUNT(*)", w = if (cases$weighted) "SUM(v)" else "COUNT(*)",
        product_columns(d, tiles[[b]], tiles[[a]], cases)
      ), cases)
      found[is.na(found)] <- 0
      out <- add_tile(out, found, tiles[[b]], tiles[[a]], found$n, found$w)
    }
  }
  out
}

widest_tile <- 36L

no_products <- function(groups, p) {
  list(sum = matrix(0, groups, p), product = rep(list(matrix(0, p, p)), groups))
}

# `found`: a row for each class, with the columns of product_columns().
add_tile <- function(out, found, first, second, rows, weight) {
  pairs <- pairs_of(first, second)
  p <- sprintf("p%d", seq_len(nrow(pairs)))
  out$rows <- as.double(rows)
  out$weight <- as.double(weight)
  out$sum[, second] <- as.matrix(found[sprintf("s%d", second)])
  for (k in seq_along(out$product)) {
    values <- as.double(unlist(found[k, p]))
    out$product[[k]][cbind(pairs$i, pairs$j)] <- values
    out$product[[k]][cbind(pairs$j, pairs$i)] <- values
  }
  out
}

# Guessed centres. Sums of deviations lose nothing if they are taken from numbers near the means,
# such as the means of the first rows. Then one pass over the table is enough.

guess_rows <- 1000L

# list(blocks, y, sql, features, centre): the blocks of summed_blocks(), the classes of the first
# rows, their SQL, and the centres of the features, a row for each class. NULL if these rows do not
# help. Classes that are near each other share a centre, which needs no case by class. The triangle
# of a block has fewer digits than its products, so its centres are nearer.
guess_centres <- function(cases, blocks) {
  if (!length(cases$numeric) || sum(choose(lengths(blocks) + 1, 2)) > most_products) return(NULL)
  found <- summary_of_rows(cases$first(), cases$numeric)
  if (!length(found$y) || need_guard(found, cases$numeric)) return(NULL)
  near <- ifelse(cases$numeric %in% unlist(blocks), 0.25, 2)
  list(
    blocks = blocks, y = found$y, sql = db_values(found$y, cases$types[["y"]], cases$source),
    features = cases$numeric, centre = shared_centres(found, cases, near)
  )
}

# Products that one query sums.
most_products <- choose(widest_tile + 1, 2)

# The means and the ranges in each class, named as in db_summary().
summary_of_rows <- function(rows, features) {
  y <- unique(rows$y[!is.na(rows$y)])
  out <- list(y = y)
  for (j in features) {
    of_class <- split(as.double(rows[[place_names(j)]]), factor(match(rows$y, y), seq_along(y)))
    found <- vapply(of_class, function(x) {
      x <- x[!is.na(x) | is.nan(x)]
      if (length(x)) c(mean(x), min(x), max(x)) else rep(NA_real_, 3L)
    }, numeric(3L))
    out[paste0(c("m", "lo", "hi"), j)] <- lapply(1:3, function(i) unname(found[i, ]))
  }
  list2DF(out)
}

# `near`: the distance of each feature from the common centre, in ranges.
shared_centres <- function(found, cases, near) {
  centre <- class_centres(found, cases$numeric, cases)
  of <- function(what) class_matrix(found, what, cases$numeric)
  middle <- matrix(colMeans(centre), nrow(centre), ncol(centre), byrow = TRUE)
  range <- of("hi") - of("lo")
  shared <- colSums(!(range > 0 & abs(centre - middle) <= sweep(range, 2L, near, "*"))) == 0
  centre[, shared] <- middle[, shared]
  centre
}

# The summary with the sums about guessed centres, in one pass; NULL if they are not as exact as
# sums about the means. `blocks`: see summed_blocks(); NULL if no sums are wanted.
guessed_summary <- function(cases, features, blocks) {
  guess <- if (!is.null(blocks)) guess_centres(cases, blocks)
  if (is.null(guess)) return(NULL)
  found <- db_summary(cases, features, guess = guess)
  of <- function(what, at) as.matrix(found[paste0(what, at, recycle0 = TRUE)])
  single <- setdiff(features, unlist(blocks))
  well <- guessed_well(of("n", single), of("s", single), of("q", single), of("c", single), 64)
  for (b in seq_along(blocks)) {
    sums <- block_sums(found, b)
    at <- seq_along(blocks[[b]])
    square <- as.matrix(sums[paste0("p", cumsum(at))])
    well <- well && guessed_well(
      sums$kw, as.matrix(sums[paste0("s", at)]), square, of("c", blocks[[b]]), 4
    )
  }
  if (well) found
}

# No class is further from its centre than some deviations, `most` their square, and no square
# leaves the range of a double. A constant feature may have no deviation from its guess. If the
# guess is near 0, the squares of deviations may have underflowed instead, so the guess does not
# count as good.
guessed_well <- function(n, sum, square, centre, most) {
  away <- (sum / n)^2
  variance <- square / n - away
  near <- away <= most * variance & variance > 1e-200 & variance < 1e200
  constant <- sum == 0 & square == 0 & abs(centre) > 1e-100
  all((n == 0 | near | constant) %in% TRUE)
}
