# Second implementations of the evidence of blocks, and data with known blocks.

log_gamma_p <- function(a, p) p * (p - 1) / 4 * log(pi) + sum(lgamma(a - (seq_len(p) - 1) / 2))

# The formula of ?search_blocks for the rows of one class; `x`: a matrix.
log_evidence_numbers <- function(x) {
  n <- nrow(x)
  p <- ncol(x)
  scatter <- crossprod(sweep(x, 2, colMeans(x)))
  prior <- diag(diag(scatter) / n, p)
  log_det <- function(m) as.numeric(determinant(m)$modulus)
  -n * p / 2 * log(pi) - p / 2 * log(1 + n) +
    log_gamma_p((n + p + 1) / 2, p) - log_gamma_p((p + 1) / 2, p) +
    (p + 1) / 2 * log_det(prior) - (n + p + 1) / 2 * log_det(scatter + prior)
}

log_evidence_table <- function(counts) {
  cells <- length(counts)
  sum(lgamma(counts + 1 / cells) - lgamma(1 / cells)) - lgamma(1 + sum(counts))
}

# Over the classes `y`.
log_evidence <- function(columns, y) {
  each <- split(seq_along(y), y)
  if (is.numeric(columns[[1]])) {
    x <- as.matrix(columns)
    return(sum(vapply(each, function(i) log_evidence_numbers(x[i, , drop = FALSE]), 1)))
  }
  sum(vapply(each, function(i) log_evidence_table(table(columns[i, , drop = FALSE])), 1))
}

# All partitions of a vector.
partitions <- function(x) {
  if (length(x) == 1L) return(list(list(x)))
  unlist(lapply(partitions(x[-1]), function(part) {
    joined <- lapply(seq_along(part), function(i) replace(part, i, list(c(x[[1]], part[[i]]))))
    c(list(c(list(x[[1]]), part)), joined)
  }), recursive = FALSE)
}

# Normal data in which the features of a block have correlation r, with a sign for each class.
block_data <- function(blocks, n = 400, r = 0.5) {
  y <- factor(rep(c("a", "b"), length.out = n))
  columns <- lapply(blocks, function(block) {
    shared <- stats::rnorm(n) * ifelse(y == "a", 1, 0.5)
    x <- vapply(block, function(name) {
      sqrt(r) * shared + sqrt(1 - r) * stats::rnorm(n) + (y == "a")
    }, numeric(n))
    as.data.frame(x)
  })
  data.frame(y = y, do.call(cbind, unname(columns)))
}

sorted_blocks <- function(spec) {
  blocks <- lapply(unname(spec$blocks), sort)
  blocks[order(vapply(blocks, `[[`, "", 1L))]
}

printed_text <- function(x) gsub(" +", " ", paste(utils::capture.output(print(x)), collapse = " "))
