# Sparse counts of words, and the estimates of bags by their published formulas on dense matrices.

# Classes, weights and other features beside a bag of counts. No count is stored twice.
mails <- function(n = 60L, terms = 12L, seed = 1) {
  withr::local_seed(seed)
  x <- matrix(stats::rpois(n * terms, 0.5), n, dimnames = list(NULL, sprintf("w%02d", 1:terms)))
  data <- data.frame(
    y = factor(rep_len(c("ham", "spam", "list"), n), c("spam", "ham", "list")),
    size = stats::rnorm(n), from = rep_len(c("u", "v", "v", "w", "u"), n),
    weight = sample(c(0.5, 1, 2), n, TRUE)
  )
  data$words <- sparse(x + (col(x) == as.integer(data$y)))
  data
}

# The classes of Matrix are known only while it is loaded.
sparse <- function(x) {
  loadNamespace("Matrix")
  methods::as(methods::as(x, "dMatrix"), "CsparseMatrix")
}

dense <- function(x) as.matrix(x)

# The weighted sums of the rows of each class.
class_sums <- function(x, y, weight = rep(1, length(y))) rowsum(x * weight, y)[levels(y), ]

# scikit-learn's MultinomialNB: smoothed_fc and feature_log_prob_.
multinomial_log <- function(x, y, laplace = 1, weight = rep(1, length(y))) {
  smoothed <- class_sums(x, y, weight) + laplace
  log(smoothed) - log(rowSums(smoothed))
}

# scikit-learn's ComplementNB: feature_log_prob_, without and with `norm`.
complement_log <- function(x, y, laplace = 1, norm = FALSE) {
  count <- class_sums(x, y)
  complement <- rep(colSums(count), each = nrow(count)) + laplace - count
  logged <- log(complement / rowSums(complement))
  if (norm) logged / rowSums(logged) else -logged
}

# scikit-learn's BernoulliNB: the log of (n_kj + a) / (n_k + 2 a), and the scores of all terms.
bernoulli_log <- function(x, y, laplace = 1, weight = rep(1, length(y))) {
  present <- class_sums(1 * (x != 0), y, weight) + laplace
  log(present / (as.vector(rowsum(weight, y)[levels(y), ]) + 2 * laplace))
}

bernoulli_score <- function(x, log_present) {
  absent <- log1p(-exp(log_present))
  (x != 0) %*% t(log_present - absent) + rep(rowSums(absent), each = nrow(x))
}

scores <- function(model, newdata, type = "log_likelihood", ...) {
  predict(model, newdata, type = type, ...)
}

# A DocumentTermMatrix of tm, which keeps triplets as slam does.
term_document <- function(x) {
  cells <- which(x != 0, arr.ind = TRUE)
  structure(
    list(i = cells[, 1L], j = cells[, 2L], v = x[cells], nrow = nrow(x), ncol = ncol(x),
         dimnames = list(Docs = rownames(x), Terms = colnames(x))),
    class = c("DocumentTermMatrix", "simple_triplet_matrix")
  )
}
