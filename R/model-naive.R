#' The naive view of a model
#'
#' A model of the same classes in which every feature stands alone: a joint block is replaced by the
#' marginal distributions of its features. The comparison with the full model shows what the
#' dependence of the features is worth.
#'
#' @param object A fitted or known model.
#' @inheritParams bayesrisk_arguments
#' @details
#' * A Gaussian block of numeric features becomes single Gaussians with its means and the diagonal
#'   of its covariance, so also with its pooling, shrinkage or borrowing. A block of mixtures
#'   becomes the mixtures of its features, with the same weights.
#' * A joint table becomes the table of each of its features: the sums over the other features. With
#'   `laplace`, the smoothing is that of the cells of the joint table.
#' * A joint histogram becomes the histogram of each of its features, in the same way.
#' * Single features and the prior stay as they are. A model without joint blocks is returned
#'   unchanged.
#' * The exponents of [temper()] are those of the joint blocks, so the view has none. A message says
#'   so.
#'
#' For complete data without smoothing, `naive(fit(bayes_full(), ...))` predicts like
#' `fit(bayes_naive(), ...)`. Otherwise they differ: a joint block leaves out rows in which one of
#' its features is missing, and smooths its cells.
#'
#' The naive view of a fitted model keeps the counts and moments of its features, so
#' [counts()], [nobs()], [merge()] and [update()] work. [update()] estimates again from them, as
#' [bayes_naive()] does. [logLik()] is `NA`.
#' @return An object of class `bayesrisk_model`: of structure naive if `object` was fitted, known if
#'   it was made by [bayes_known()].
#' @section Errors: `bayesrisk_error_argument` if `object` is no model.
#' @source Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): naive and full Bayes side by side.
#' @seealso [bayes_full()], [bayes_naive()], [feature_dependence()]
#' @export
#' @examples
#' full <- fit(bayes_full(), Species ~ ., iris)
#' compare_decisions(list(full = full, naive = naive(full)), data = iris)
#'
#' # Two features that tell the classes only together: the naive view tells nothing
#' xor <- array(c(0.4, 0.1, 0.1, 0.4, 0.1, 0.4, 0.4, 0.1), c(2, 2, 2), list(
#'   class = c("same", "differ"), first = c("0", "1"), second = c("0", "1")
#' ))
#' known <- bayes_known(c(same = 0.5, differ = 0.5), pair = xor)
#' predict(known, data.frame(first = "1", second = "1"), type = "prob")
#' predict(naive(known), data.frame(first = "1", second = "1"), type = "prob")
naive <- function(object, ...) {
  call <- check_no_dots(...)
  object <- maybe(object)
  object <- check_model(object, call)
  if (!any(vapply(object$plan$banks, is_joint, NA))) return(object)
  tell_untempered(object)
  if (object$spec$structure == "known") naive_known(object, call) else naive_fitted(object, call)
}

naive_known <- function(object, call) {
  classes <- object$schema$classes$levels
  likelihoods <- Map(marginal_likelihoods, object$spec$features, names(object$spec$features))
  known_model(
    stats::setNames(object$parameters$prior, classes),
    do.call(c, unname(likelihoods)), call
  )
}

# The likelihoods of the features of a known block, or of a single feature, named by feature.
marginal_likelihoods <- function(likelihood, name) {
  if (length(dim(likelihood$table)) > 2L) {
    features <- names(dimnames(likelihood$table))[-1L]
    tables <- lapply(seq_along(features), function(j) apply(likelihood$table, c(1L, j + 1L), sum))
    return(stats::setNames(lapply(tables, function(x) likelihood_categorical(table = x)), features))
  }
  if (is.null(likelihood$covariance)) return(stats::setNames(list(likelihood), name))
  if (!is.null(likelihood$weights)) return(marginal_mixtures(likelihood))
  mean <- likelihood$mean
  covariance <- likelihood$covariance
  if (!is.list(covariance)) covariance <- rep(list(covariance), nrow(mean))
  lapply(stats::setNames(seq_len(ncol(mean)), colnames(mean)), function(j) {
    sd <- sqrt(vapply(covariance, function(s) s[[j, j]], 1))
    likelihood_gaussian(mean = mean[, j], sd = stats::setNames(sd, rownames(mean)))
  })
}

marginal_mixtures <- function(likelihood) {
  features <- colnames(likelihood$mean[[1L]])
  lapply(stats::setNames(seq_along(features), features), function(j) {
    likelihood_mixture(
      weights = likelihood$weights, mean = lapply(likelihood$mean, function(mean) mean[, j]),
      sd = lapply(likelihood$covariance, function(covariance) sqrt(covariance[j, j, ]))
    )
  })
}

naive_fitted <- function(object, call) {
  check_no_em(object, "no naive view: its statistics are of rows, not of single features", call)
  spec <- naive_spec(object)
  plan <- build_plan(spec, object$schema, call)
  banks <- lapply(plan$banks, naive_bank, object)
  parameters <- list(
    prior = object$parameters$prior, banks = lapply(banks, `[[`, "parameters"),
    log_likelihood = NA_real_, parameter_count = NA_real_,
    notes = naive_notes(object$parameters$notes, object$plan$banks, plan$banks),
    marginals_of = vapply(Filter(is_joint, object$plan$banks), `[[`, "", "name")
  )
  object$statistics$banks <- lapply(banks, `[[`, "statistics")
  object$spec <- spec
  object$plan <- plan
  new_model(object, parameters)
}

# The features of a joint block of numbers have the likelihood of the block, whatever single
# features have.
naive_spec <- function(object) {
  spec <- object$spec
  blocks <- Filter(function(bank) {
    is_joint(bank) && record_of(bank)$kind == "numeric"
  }, object$plan$banks)
  own <- unlist(lapply(blocks, function(bank) {
    likelihood <- block_likelihood(spec, bank$name, "numeric")
    joint <- names(object$schema$features)[bank$features]
    if (!identical(likelihood, spec$numeric)) {
      stats::setNames(rep(list(likelihood), length(joint)), joint)
    }
  }), recursive = FALSE)
  new_spec(
    "naive", categorical = spec$categorical, numeric = spec$numeric,
    features = c(spec$features, own), prior = spec$prior, degenerate = spec$degenerate
  )
}

# list(parameters, statistics) of a bank of single features, from the banks of the model.
naive_bank <- function(bank, object) {
  old <- object$plan$banks
  holds <- vapply(old, function(b) any(bank$features %in% b$features), NA)
  states <- Map(
    function(parameters, statistics) list(parameters = parameters, statistics = statistics),
    object$parameters$banks, object$statistics$banks
  )
  if (!any(vapply(old[holds], is_joint, NA))) return(states[[which(holds)]])
  parts <- unlist(Map(single_states, old[holds], states[holds]), recursive = FALSE)
  places <- unlist(lapply(old[holds], `[[`, "features"))
  parts <- parts[match(bank$features, places)]
  bound <- list(
    parameters = bind_parameters(lapply(parts, `[[`, "parameters")),
    statistics = bind_parameters(lapply(parts, `[[`, "statistics"))
  )
  if (!any(bound$parameters$left_out)) bound$parameters$left_out <- integer()
  bound$parameters <- bound$parameters[names(parts[[1L]]$parameters)]
  bound
}

# The state of each feature of a bank, in the form of a bank of this feature alone.
single_states <- function(bank, state) {
  lapply(seq_along(bank$features), function(j) record_of(bank)$single(bank, state, j))
}

# The notes about borrowing under the new plan: those of a block hold for each of its features.
naive_notes <- function(notes, old, new) {
  rows <- lapply(seq_along(notes$problem), function(i) {
    feature <- notes$feature[[i]]
    if (is.na(feature)) feature <- old[[notes$bank[[i]]]]$features
    bank <- vapply(feature, function(j) {
      which(vapply(new, function(b) j %in% b$features, NA))
    }, 1L)
    data.frame(
      problem = notes$problem[[i]], class = notes$class[[i]], feature = feature, bank = bank
    )
  })
  if (!length(rows)) return(notes)
  terms <- if (!is.null(notes$terms)) rep(notes$terms, vapply(rows, nrow, 1L))
  c(as.list(do.call(rbind, rows)), list(terms = terms)[!is.null(terms)])
}
