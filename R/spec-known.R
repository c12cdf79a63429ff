#' A model from numbers, without data
#'
#' Makes the model that [fit()][fit.bayesrisk_spec] would make, from
#' probabilities and parameters that are known (from a textbook, an expert, or
#' an earlier study) instead of estimated. It predicts, decides and plots like
#' any other.
#'
#' @param prior Prior probabilities, named by class, which also gives the order
#'   of the classes. They must sum to 1 within 1e-8.
#' @param ... What is known of the features given the class, one argument each:
#'   * `feature = ` a class x level matrix of probabilities, each row summing to
#'     1 (or [likelihood_categorical()] with `table =`);
#'   * `block = ` a class x level x level ... array with named dimnames: a joint
#'     table, whose features are the names of its dimnames;
#'   * `feature = likelihood_gaussian(mean = , sd = )`: a normal feature, `mean`
#'     named by class, `sd` one number or named by class;
#'   * `feature = likelihood_mixture(weights = , mean = , sd = )`: a finite
#'     mixture of normals;
#'   * `block = likelihood_gaussian(mean = , covariance = )`: jointly normal
#'     features, `mean` a class x feature matrix, `covariance` one matrix, a list
#'     named by class, or a p x p x K array.
#' @return An object of class `bayesrisk_model`. It has no statistics:
#'   [nobs()] is 0, [logLik()] is an error, and [update()] can change its prior
#'   only.
#' @section Errors: `bayesrisk_error_argument`, which names the argument and the
#'   class, for probabilities that do not sum to 1, classes that differ from
#'   those of `prior`, or a covariance that is not positive definite.
#' @source The tables are those of the lecture "Naive Bayes Learning (after
#'   Mooney)"; the Gaussians follow "Applied Machine Learning Fundamentals, Unit
#'   III: Bayesian Decision Theory (Wehner)".
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' predict(ocr, data.frame(pixels = c(15, 20, 25)), type = "prob")
#'
#' bags <- bayes_known(
#'   prior = c(positive = 0.5, negative = 0.5),
#'   size = rbind(positive = c(small = 0.4, medium = 0.1, large = 0.5),
#'                negative = c(0.4, 0.2, 0.4)),
#'   shape = rbind(positive = c(square = 0.05, triangle = 0.05, circle = 0.9),
#'                 negative = c(0.4, 0.3, 0.3))
#' )
#' predict(bags, data.frame(size = "medium", shape = "circle"), type = "prob")
#' @export
bayes_known <- function(prior, ...) {
  call <- rlang::current_env()
  prior <- check_known_prior(maybe(prior), call)
  parts <- rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none")
  if (length(parts)) {
    named <- names(parts)
    if (is.null(named) || !all(nzchar(named))) {
      abort_argument("Each part of {.fn bayes_known} must be named by its feature or block.", call)
    }
    check_distinct_names(named, "...", call)
  }
  likelihoods <- Map(as_known_likelihood, parts, names(parts), MoreArgs = list(call = call))
  known <- Map(
    known_part, likelihoods, names(parts), MoreArgs = list(classes = names(prior), call = call)
  )
  features <- do.call(c, lapply(unname(known), `[[`, "features"))
  features <- stats::setNames(as.list(features), vapply(features, `[[`, "", "name"))
  check_distinct_names(names(features), "...", call)
  schema <- list(
    formula = NULL, response = NULL, unnamed = FALSE,
    classes = list(levels = names(prior), type = "factor"), features = features
  )
  banks <- known_banks(known, schema)
  new_model(
    list(
      spec = new_spec("known", features = likelihoods, prior = prior), schema = schema,
      plan = list(banks = lapply(banks, `[[`, "plan")), statistics = NULL, rows = NULL
    ),
    list(prior = unname(prior), banks = lapply(banks, `[[`, "parameters"))
  )
}

check_known_prior <- function(prior, call) {
  prior <- check_prior_argument(prior, "prior", call)
  if (!is.numeric(prior) || is.null(names(prior))) {
    abort_argument("{.arg prior} must be named by class: it declares the classes.", call)
  }
  prior / sum(prior)
}

as_known_likelihood <- function(part, name, call) {
  if (is.numeric(part) && length(dim(part)) >= 2L) part <- likelihood_categorical(table = part)
  if (!is_likelihood(part)) {
    got <- describe_value(part)
    abort_argument(c(
      "{.arg {name}} must be a class x level table or a likelihood, not {got}.",
      i = "For a number: {.code {name} = likelihood_gaussian(mean = , sd = )}."
    ), call)
  }
  if (!has_given_parameters(part)) {
    abort_argument(c(
      "{.arg {name}} has no parameters.",
      i = "Give {.arg table}, or {.arg mean} with {.arg sd} or {.arg covariance}."
    ), call)
  }
  part
}

# What one argument brings: the type of its bank, its features, its parameters.
known_part <- function(likelihood, name, classes, call) {
  if (inherits(likelihood, "bayesrisk_likelihood_mixture")) {
    return(known_mixture(likelihood, name, classes, call))
  }
  if (!is.null(likelihood$covariance)) return(known_block(likelihood, name, classes, call))
  if (!is.null(likelihood$mean)) {
    at <- match_names(names(likelihood$mean), classes, name, call = call)
    return(list(
      type = "gaussian", name = NULL, features = list(new_feature(name, "double", NULL)),
      parameters = list(mean = unname(likelihood$mean[at]), sd = unname(likelihood$sd[at]))
    ))
  }
  table <- likelihood$table
  at <- match_names(rownames(table), classes, name, call = call)
  if (length(dim(table)) > 2L) return(known_joint_table(table, at, name, call))
  probability <- unname(table[at, , drop = FALSE])
  list(
    type = "categorical", name = NULL,
    features = list(new_feature(name, "factor", enc2utf8(colnames(table)))),
    parameters = list(log_probability = log(probability / rowSums(probability)))
  )
}

known_mixture <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$weights), classes, name, call = call)
  flat <- function(field) unlist(likelihood[[field]][at], use.names = FALSE)
  sums <- vapply(likelihood$weights, sum, 1)
  weights <- Map(`/`, likelihood$weights, sums)[at]
  list(
    type = "mixture", name = NULL, features = list(new_feature(name, "double", NULL)),
    parameters = list(
      components = unname(lengths(weights)), log_weight = log(unlist(weights, use.names = FALSE)),
      mean = flat("mean"), sd = flat("sd")
    )
  )
}

known_block <- function(likelihood, name, classes, call) {
  at <- match_names(rownames(likelihood$mean), classes, name, call = call)
  mean <- unname(likelihood$mean[at, , drop = FALSE])
  covariance <- likelihood$covariance
  factor <- if (is.list(covariance)) {
    Map(function(s, class) covariance_factor(s, name, class, call), covariance[at], classes)
  } else {
    list(covariance_factor(covariance, name, NULL, call))
  }
  list(
    type = "multivariate_gaussian", name = name,
    features = lapply(colnames(likelihood$mean), new_feature, type = "double", levels = NULL),
    parameters = list(mean = mean, mean_low = mean * 0, factor = unname(factor))
  )
}

# The upper triangle U with U'U the covariance.
covariance_factor <- function(covariance, name, class, call) {
  of <- if (is.null(class)) "" else sprintf(" for class %s", encodeString(class, quote = "\""))
  tryCatch(unname(chol(covariance)), error = function(e) {
    abort_argument("{.arg {name}}: the covariance{of} is not positive definite.", call)
  })
}

known_joint_table <- function(table, at, name, call) {
  dims <- dimnames(table)[-1L]
  if (is.null(names(dims)) || !all(nzchar(names(dims)))) {
    abort_argument("{.arg {name}} must have named dimnames: they name its features.", call)
  }
  flat <- matrix(table, nrow(table))[at, , drop = FALSE]
  seen <- which(colSums(flat) > 0)
  cells <- unname(arrayInd(seen, dim(table)[-1L]))
  list(
    type = "joint_table", name = name,
    features = Map(function(label, levels) new_feature(label, "factor", enc2utf8(levels)),
                   names(dims), dims),
    parameters = list(
      cells = cells, log_probability = log(flat[, seen, drop = FALSE] / rowSums(flat)),
      log_unseen = rep(-Inf, nrow(flat))
    )
  )
}

# Single features of a kind share a bank, as in a fitted model.
known_banks <- function(known, schema) {
  place <- function(part) {
    match(vapply(part$features, `[[`, "", "name"), names(schema$features))
  }
  types <- vapply(known, `[[`, "", "type")
  of_type <- function(type) lapply(known[types == type], `[[`, "parameters")
  positions <- function(type) unname(unlist(lapply(known[types == type], place)))
  bind <- function(states, field) do.call(cbind, unname(lapply(states, `[[`, field)))
  gaussian <- if (any(types == "gaussian")) {
    states <- of_type("gaussian")
    mean <- bind(states, "mean")
    list(
      plan = new_bank("gaussian", positions("gaussian"), schema),
      parameters = list(mean = mean, mean_low = mean * 0, sd = bind(states, "sd"))
    )
  }
  categorical <- if (any(types == "categorical")) {
    list(
      plan = new_bank("categorical", positions("categorical"), schema),
      parameters = list(log_probability = bind(of_type("categorical"), "log_probability"))
    )
  }
  mixture <- if (any(types == "mixture")) {
    states <- of_type("mixture")
    flat <- function(field) unlist(lapply(states, `[[`, field), use.names = FALSE)
    list(
      plan = new_bank("mixture", positions("mixture"), schema),
      parameters = list(
        components = bind(states, "components"), log_weight = flat("log_weight"),
        mean = flat("mean"), sd = flat("sd")
      )
    )
  }
  single <- c("gaussian", "categorical", "mixture")
  joint <- lapply(unname(known[!types %in% single]), function(part) {
    list(plan = new_bank(part$type, place(part), schema, part$name), parameters = part$parameters)
  })
  banks <- list(gaussian, categorical, mixture)
  c(banks[!vapply(banks, is.null, NA)], joint)
}
