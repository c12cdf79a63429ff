# Random small data sets of all kinds, with models and costs for them, and properties that must
# always hold. Too few rows, classes or spread are common, but every second problem has an answer. A
# seed determines a problem. random_problem(seed) describes the violated properties, so character(0)
# means that all hold. It is NULL if there is no model or no posterior.

one_of <- function(x) x[[sample.int(length(x), 1L)]]

random_numbers <- function(n) {
  x <- switch(sample.int(10L, 1L, prob = c(4, 2, 2, 4, 2, 1, 1, 2, 2, 2)),
    stats::rnorm(n),
    stats::rnorm(n) + 1e8,
    stats::rnorm(n) * 10^stats::runif(1L, -160, 150),
    sample(3L, n, TRUE),
    sample(c(-1, 1, 1) * 2^sample(-40:40, 3L, TRUE), n, TRUE),
    rep(one_of(c(0, 1, -1e300, 1 / 3)), n),
    1 + sample(4, n, TRUE) * .Machine$double.eps,
    stats::rcauchy(n),
    replace(stats::rnorm(n), sample.int(n, 1L), one_of(c(1e300, -1e18, 1e-310, Inf))),
    stats::rpois(n, stats::rexp(1L, 0.1))
  )
  miss(x, n)
}

# Makes some values missing: none, a few, most or all.
miss <- function(x, n) {
  rate <- sample(c(0, 0.1, 0.5, 1), 1L, prob = c(0.6, 0.3, 0.08, 0.02))
  replace(x, stats::runif(n) < rate, if (is.double(x)) one_of(c(NA, NaN)) else NA)
}

random_labels <- function(n) {
  levels <- sample.int(6L, 1L)
  drawn <- sample.int(levels, n, TRUE, stats::rexp(levels)^2 + 1e-3)
  labels <- letters[drawn]
  switch(sample.int(4L, 1L),
    factor(miss(labels, n), sample(letters[seq_len(levels + sample.int(2L, 1L) - 1L)])),
    miss(labels, n),
    miss(drawn %% 2L == 0L, n),
    addNA(factor(miss(labels, n)))
  )
}

random_class <- function(n) {
  classes <- sample.int(4L, 1L, prob = c(1, 4, 4, 2))
  drawn <- sample.int(classes, n, TRUE, stats::rexp(classes) + 0.1)
  switch(sample.int(3L, 1L),
    factor(LETTERS[drawn], sample(LETTERS[seq_len(classes + (stats::runif(1L) < 0.1))])),
    LETTERS[drawn],
    drawn
  )
}

# `kinds`: the kind of each column.
random_columns <- function(n, kinds) {
  columns <- lapply(kinds, function(kind) {
    if (kind == "number") random_numbers(n) else random_labels(n)
  })
  list2DF(stats::setNames(columns, paste0("x", seq_along(kinds))))
}

# A prior by name, in any order. Some classes have probability 0 or almost 0.
random_prior <- function(classes) {
  prior <- stats::rexp(length(classes)) * sample(c(1, 1, 1, 1e-300, 0), length(classes), TRUE)
  if (all(prior == 0)) prior[[1L]] <- 1
  stats::setNames(prior / sum(prior), sample(classes))
}

random_spec <- function(features, classes) {
  laplace <- one_of(c(0, 1, 0.5, 1e-300))
  prior <- switch(sample.int(3L, 1L), NULL, "uniform", random_prior(classes))
  mixture <- likelihood_mixture(one_of(list(1, 2, 1:3)), starts = 3)
  missing <- one_of(c("complete", "em"))
  switch(sample.int(8L, 1L),
    bayes_naive(laplace = laplace, prior = prior),
    bayes_full(
      joint = likelihood_histogram(laplace = one_of(c(0, 1))), laplace = laplace, prior = prior
    ),
    bayes_naive(numeric = random_likelihood(), laplace = laplace, prior = prior),
    bayes_full(missing = missing, laplace = laplace, prior = prior),
    bayes_full(covariance = "pooled", missing = missing, laplace = laplace, prior = prior),
    bayes_full(joint = mixture, laplace = laplace, prior = prior),
    bayes_full(shrinkage = one_of(c(0.01, 0.5, 1)), laplace = laplace, prior = prior),
    bayes_blocks(
      list(of = sample(features, min(length(features), 2L))), laplace = laplace, prior = prior
    )
  )
}

random_weights <- function(n) {
  switch(sample.int(4L, 1L),
    NULL,
    NULL,
    sample(0:3, n, TRUE),
    stats::rexp(n) * 10^stats::runif(1L, -12, 12)
  )
}

extreme_cost <- function(classes) {
  draw <- function(action) {
    value <- sample(c(0, 1, 1, 2, 10, -3, 1e-9, 1e12, Inf), length(classes), TRUE)
    random <- stats::runif(length(value)) < 0.5
    stats::setNames(replace(value, random, stats::rexp(sum(random))), classes)
  }
  actions <- paste0("action", seq_len(sample.int(4L, 1L)))
  do.call(cost_matrix, stats::setNames(lapply(actions, draw), actions))
}

random_case <- function() {
  n <- one_of(c(1L, 2L, 5L, 12L, 30L, 30L, 80L, 80L))
  kinds <- sample(c("number", "label"), sample.int(5L, 1L), TRUE)
  data <- random_columns(n, kinds)
  newdata <- random_columns(7L, kinds)
  # Most new data are rows with the kinds of the fit. Other new data must give an error or missing
  # values.
  if (stats::runif(1L) < 0.8) newdata <- data[sample.int(n, 7L, TRUE), , drop = FALSE]
  class <- random_class(n)
  case <- list(
    data = data, class = class, weights = random_weights(n), newdata = newdata,
    spec = random_spec(names(data), levels(as.factor(class)))
  )
  if (stats::runif(1L) < 0.25) with_bag(case) else case
}

# The case with a bag of terms, as a sparse or an ordinary matrix. New data may lack terms.
with_bag <- function(case) {
  terms <- sample.int(6L, 1L)
  known <- random_bag(nrow(case$data), terms)
  new <- known[sample.int(nrow(known), nrow(case$newdata), TRUE), , drop = FALSE]
  if (stats::runif(1L) < 0.3) new <- random_bag(nrow(new), terms)
  case$data$bag <- known
  case$newdata$bag <- new[, sample.int(terms, sample.int(terms, 1L)), drop = FALSE]
  if (case$spec$structure != "full") case$spec$features$bag <- random_bag_likelihood()
  case
}

random_bag <- function(n, terms) {
  values <- switch(sample.int(4L, 1L, prob = c(5, 2, 1, 1)),
    stats::rpois(n * terms, stats::rexp(1L)), stats::rpois(n * terms, 0.3) * 1e6,
    stats::rnorm(n * terms) * stats::rbinom(n * terms, 1L, 0.4), rep(one_of(c(0, 1)), n * terms)
  )
  x <- matrix(values, n, dimnames = list(NULL, sprintf("t%d", seq_len(terms))))
  if (stats::runif(1L) < 0.5) sparse(x) else x
}

## What must hold ------------------------------------------------------------------------------

# The value of `work`, or the error of the package that ended it. Any other error is a problem.
by_design <- function(work) {
  tryCatch(
    muffle_ours(work),
    bayesrisk_error_object = function(e) stop("a sound model is called damaged"),
    bayesrisk_error = identity,
    warning = function(w) stop("a warning of R: ", conditionMessage(w)),
    message = function(m) stop("a message of R: ", conditionMessage(m))
  )
}

random_problem <- function(seed) {
  withr::local_seed(seed, .rng_kind = "Mersenne-Twister", .rng_sample_kind = "Rejection")
  case <- random_case()
  tryCatch(
    {
      model <- by_design(fit_case(case))
      if (inherits(model, "error")) return(NULL)
      posterior <- by_design(predict(model, case$newdata, type = "both"))
      if (inherits(posterior, "error")) return(NULL)
      as.character(c(
        posterior_problem(posterior), agreement_problem(model, case$newdata, posterior),
        prior_problem(model, case$newdata), decision_problem(model, case$newdata),
        invariance_problem(model, case)
      ))
    },
    error = function(e) paste("not an error of ours:", conditionMessage(e))
  )
}

posterior_problem <- function(result) {
  p <- unname(result$posterior)
  unknown <- is.na(p[, 1L])
  known <- p[!unknown, , drop = FALSE]
  c(
    if (any(is.na(p) != unknown)) "a posterior is known in part",
    if (any(is.nan(p))) "a posterior is NaN",
    if (any(known < 0 | known > 1) || any(abs(rowSums(known) - 1) > 1e-12)) "no probabilities",
    if (any(is.na(result$class) != unknown)) "a class without a posterior, or the reverse"
  )
}

agreement_problem <- function(model, newdata, result) {
  ask <- function(type, rows = seq_len(nrow(newdata)), ...) {
    unname(by_design(predict(model, newdata[rows, , drop = FALSE], type = type, ...)))
  }
  joint <- ask("log_joint")
  known <- which(!is.na(result$class))
  p <- unname(result$posterior)[known, , drop = FALSE]
  chosen <- joint[cbind(known, as.integer(result$class)[known])]
  largest <- do.call(pmax, as.data.frame(joint))[known]
  row <- sample.int(nrow(newdata), 1L)
  lost <- newdata[is.na(result$class), , drop = FALSE]
  c(
    if (nrow(lost) && is.null(rlang::catch_cnd(predict(model, lost), "bayesrisk_warning"))) {
      "no answer, and no warning"
    },
    if (any(chosen < largest - 1e-12 * pmax(1, abs(largest)))) "a class that is not the likeliest",
    if (any(abs(exp(ask("log_prob"))[known, , drop = FALSE] - p) > 1e-12)) {
      "posterior and log posterior differ"
    },
    if (!identical(ask("log_joint", row), joint[row, , drop = FALSE])) "a row alone differs",
    if (!identical(ask("log_joint", threads = 2L), joint)) "two threads differ"
  )
}

# Another prior changes the log joint of a class by the change of the log prior of this class.
prior_problem <- function(model, newdata) {
  classes <- model$schema$classes$levels
  prior <- random_prior(classes)
  other <- by_design(predict(model, newdata, type = "log_joint", prior = prior))
  # A class without rows has no likelihood under any prior.
  if (inherits(other, "error")) return(NULL)
  possible <- model$parameters$prior > 0
  joint <- by_design(predict(model, newdata, type = "log_joint"))[, possible, drop = FALSE]
  moved <- log(prior[classes] / model$parameters$prior)[possible]
  expected <- joint + rep(moved, each = nrow(joint))
  other <- other[, possible, drop = FALSE]
  same <- other == expected | abs(other - expected) <= 1e-12 * pmax(1, abs(joint))
  if (any(is.na(joint) != is.na(other)) || !all(same, na.rm = TRUE)) {
    "another prior is not only another prior"
  }
}

decision_problem <- function(model, newdata) {
  cost <- by_design(extreme_cost(model$schema$classes$levels))
  decided <- by_design(decide(model, newdata, cost))
  if (inherits(decided, "error")) return("no decision by a cost that is one")
  costs <- as.matrix(decided[paste0("cost_", rownames(cost))])
  known <- !is.na(decided$decision)
  least <- apply(costs, 1L, min)
  scale <- max(1, abs(cost[is.finite(cost)]))
  c(
    if (any(is.nan(costs)) || any(is.nan(decided$margin))) "an expected cost is NaN",
    if (any(is.na(costs[known, ])) || !all(is.na(costs[!known, ]))) "costs without a decision",
    if (any(decided$cost[known] > least[known] + 1e-9 * scale, na.rm = TRUE)) "not the least cost"
  )
}
