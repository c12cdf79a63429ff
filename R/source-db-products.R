# Products of a lazy table for Gaussian blocks, over the rows that miss no feature of the block. If
# the products of a class have lost digits, they are summed again in coordinates of a good
# condition.

sum_block <- function(bank, cases, call) {
  features <- bank$features
  missing <- missing_rows(cases, features)
  summary <- cases$summary
  if (missing[[2L]] > 0) {
    found <- db_summary(cases, features, features)
    summary <- found[match(cases$summary$y, found$y), ]
    summary$n[is.na(summary$n)] <- 0
  }
  centre <- class_centres(summary, features, cases)
  scale <- cases$scale[features]
  d <- sprintf("d%d", features)
  query <- db_centred(cases, features, centre, features)
  sums <- sum_products(query, d, cases)
  check_same_rows(seq_along(sums$rows), sums$rows, replace(cases, "summary", list(summary)), call)
  made <- call_engine(scatter_of_products_cpp(
    sums$rows, sums$weight, unscaled(centre, scale), sums$sum, sums$product, scale
  ), call)
  if (length(made$poor)) {
    u <- sprintf("u%d", features)
    again <- sum_products(whitened_query(query, d, u, made, cases), u, cases)
    for (i in seq_along(made$poor)) {
      k <- made$poor[[i]]
      made$scatter$triangle[[k]] <- call_engine(whitened_triangle_cpp(
        again$weight[[k]], again$sum[k, ], again$product[[k]], made$back[[i]], scale
      ), call)
    }
  }
  c(replace(made$scatter, c("missing", "skipped"), missing), list(incomplete = list()))
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
  p <- length(d)
  groups <- length(cases$classes$levels)
  out <- list(
    rows = numeric(groups), weight = numeric(groups), sum = matrix(0, groups, p),
    product = rep(list(matrix(0, p, p)), groups)
  )
  tiles <- in_batches(seq_len(p), 36L)
  for (a in seq_along(tiles)) {
    for (b in seq_len(a)) out <- add_tile(out, query, d, tiles[[b]], tiles[[a]], cases)
  }
  out
}

add_tile <- function(out, query, d, first, second, cases) {
  w <- if (cases$weighted) "v * " else ""
  pairs <- expand.grid(i = first, j = second)
  pairs <- pairs[pairs$i <= pairs$j, ]
  p <- sprintf("p%d", seq_len(nrow(pairs)))
  s <- sprintf("s%d", second)
  found <- by_class(query, c(
    n = "COUNT(*)", w = if (cases$weighted) "SUM(v)" else "COUNT(*)",
    stats::setNames(sprintf("SUM(%s%s * %s)", w, d[pairs$i], d[pairs$j]), p),
    stats::setNames(sprintf("SUM(%s%s)", w, d[second]), s)
  ), cases)
  found[is.na(found)] <- 0
  out$rows <- as.double(found$n)
  out$weight <- as.double(found$w)
  out$sum[, second] <- as.matrix(found[s])
  for (k in seq_along(out$product)) {
    values <- as.double(unlist(found[k, p]))
    out$product[[k]][cbind(pairs$i, pairs$j)] <- values
    out$product[[k]][cbind(pairs$j, pairs$i)] <- values
  }
  out
}
