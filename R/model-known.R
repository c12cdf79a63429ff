#' A model from numbers, without data
#'
#' Makes a model like those of [fit()][fit.bayesrisk_spec] from known probabilities and parameters,
#' for example of a textbook, an expert, or an earlier study. Nothing is estimated. The model
#' predicts, decides and plots like any other model.
#'
#' @param prior Prior probabilities, named by class. Their order is the order of the classes. They
#'   must sum to 1 within 1e-8.
#' @param ... The known distribution of each feature or block given the class, one argument each:
#'   * `feature = ` a matrix of the probabilities of the levels in each class, which sum to 1 in a
#'     class: class x level, or level x class as slides print them (or [likelihood_categorical()]
#'     with `table =`, class x level);
#'   * `block = ` an array of the probabilities of each combination of levels in each class, with
#'     named dimnames: a joint table, whose features are the names of its dimnames;
#'   * `feature = likelihood_gaussian(mean = , sd = )`: a normal feature, `mean`
#'     named by class, `sd` one number or named by class;
#'   * `feature = likelihood_mixture(weights = , mean = , sd = )`: a finite
#'     mixture of normals;
#'   * `feature = ` another likelihood that takes known parameters, such as
#'     [likelihood_poisson()], [likelihood_negative_binomial()] or [likelihood_gamma()];
#'   * `feature = likelihood_histogram(breaks = , table = )` or
#'     `likelihood_empirical(value = , weights = )`: shares of bins or of exact values;
#'   * `block = likelihood_gaussian(mean = , covariance = )`: jointly normal
#'     features, `mean` a class x feature matrix, `covariance` one matrix, a list
#'     named by class, or a p x p x K array;
#'   * `block = likelihood_mixture(weights = , mean = , covariance = )`: mixtures of these;
#'   * `bag = likelihood_multinomial(table = )` or [likelihood_bernoulli()]: probabilities of terms;
#'   * an element of [coef()][coef.bayesrisk_model], so that `do.call(bayes_known, coef(model))` is
#'     the model again. The terms of a bag and the bins of a joint histogram need more than the
#'     element; [write_model_json()] keeps every model;
#'   * `n = ` the number of cases of each class, a vector named by class: see "Counts".
#' @details
#' The classes of a table or array are the dimension whose names are the classes of `prior`. If
#' several dimensions have these names, the levels are called like the classes. Then the classes are
#' the dimension called `class`, or the one beside the dimension called like the feature, as in
#' [coef()][coef.bayesrisk_model]; otherwise the only one in which each class sums to 1; otherwise
#' the first one, with a message of class `bayesrisk_message_axes`.
#' @section Counts:
#' With `n` the parameters are taken for estimates without smoothing, from `n` cases of each class
#' that miss nothing. The statistics behind them are computed, and the model is a fitted one:
#' [update()], [merge()], [logLik()] and [confint()] work. Probabilities of levels, cells, bins and
#' exact values give counts. Means with standard deviations or covariances give sums of squares:
#' unbiased ones, unless [likelihood_gaussian()] has `variance = "ml"`. One covariance for all
#' classes is taken as pooled. Parameters of other likelihoods do not determine statistics: an
#' error. The prior counts as estimated if it is the share of the classes in `n`, otherwise as
#' given.
#' @return An object of class `bayesrisk_model`. Without `n` it has no statistics:
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
#'
#' # The same table with the classes in columns
#' bayes_known(
#'   prior = c(positive = 0.5, negative = 0.5),
#'   size = cbind(positive = c(small = 0.4, medium = 0.1, large = 0.5),
#'                negative = c(0.4, 0.2, 0.4))
#' )
#' @export
bayes_known <- function(prior, ...) {
  call <- rlang::current_env()
  parts <- rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none")
  named <- names(parts)
  if (length(parts) && (is.null(named) || !all(nzchar(named)))) {
    abort_argument(c(
      "Each part of {.fn bayes_known} must be named by its feature or block.",
      i = "With a feature whose name abbreviates {.arg prior}, such as {.field p}, write
           {.code prior =}."
    ), call)
  }
  # Parts are never plain vectors, so a feature may be called n, too.
  counts <- which(named == "n" & vapply(parts, is_class_vector, NA))
  counts <- counts[seq_along(counts) == 1L]
  n <- if (length(counts)) parts[[counts]]
  known_from_parts(maybe(prior), parts[setdiff(seq_along(parts), counts)], n, call)
}

is_class_vector <- function(x) is.numeric(x) && length(dim(x)) < 2L

# `parts`: as in bayes_known(), named; `n`: NULL for none.
known_from_parts <- function(prior, parts, n, call) {
  prior <- check_known_prior(prior, call)
  if (!is.null(n)) n <- check_class_counts(n, names(prior), call)
  check_distinct_names(names(parts), "...", call)
  likelihoods <- Map(
    as_known_likelihood, parts, names(parts), MoreArgs = list(classes = names(prior), call = call)
  )
  model <- known_model(prior, likelihoods, call)
  if (is.null(n)) mark_sound(model, "model") else counted_model(model, n, call)
}

# `prior`: named by class; `likelihoods`: with given parameters, named by feature or block.
known_model <- function(prior, likelihoods, call) {
  known <- Map(function(likelihood, name) {
    record_of(likelihood)$known(likelihood, name, names(prior), call)
  }, likelihoods, names(likelihoods))
  likelihoods <- lapply(likelihoods, `attr<-`, "factor", NULL)
  features <- do.call(c, lapply(unname(known), `[[`, "features"))
  features <- stats::setNames(as.list(features), vapply(features, `[[`, "", "name"))
  check_distinct_names(names(features), "...", call)
  schema <- list(
    formula = NULL, response = NULL, unnamed = FALSE,
    classes = list(levels = names(prior), type = "factor"), features = features
  )
  banks <- known_banks(unname(known), likelihoods, schema)
  new_model(
    list(
      spec = new_spec("known", features = likelihoods, prior = prior), schema = schema,
      plan = list(banks = banks$plan), statistics = NULL, rows = NULL
    ),
    list(prior = unname(prior), banks = banks$parameters)
  )
}

check_known_prior <- function(prior, call) {
  prior <- check_prior_argument(prior, "prior", call)
  if (!is.numeric(prior) || is.null(names(prior))) {
    abort_argument("{.arg prior} must be named by class: it declares the classes.", call)
  }
  prior / sum(prior)
}

as_known_likelihood <- function(part, name, classes, call) {
  part <- known_coefficients(part, name, call)
  if (is.numeric(part) && length(dim(part)) >= 2L) {
    part <- known_table(classes_first(part, name, classes), name, call)
  }
  if (!is_likelihood(part)) {
    abort_argument(c(
      "{.arg {name}} must be a table of classes and levels or a likelihood,
       not {describe_value(part)}.",
      i = "For a number: {.code {name} = likelihood_gaussian(mean = , sd = )}."
    ), call)
  }
  if (!has_given_parameters(part)) {
    abort_argument(c(
      "{.arg {name}} has no parameters.",
      i = remedy_given(part)
    ), call)
  }
  part
}

# The hint of an error: the parameters that a likelihood accepts, or the likelihoods that accept
# parameters.
remedy_given <- function(likelihood) {
  record <- record_of(likelihood)
  sets <- vapply(record$given, function(set) {
    paste(sprintf("{.arg %s}", set), collapse = " and ")
  }, "")
  if (length(sets)) return(paste0("Give ", paste(sets, collapse = ", or "), "."))
  those <- sprintf("{.fn %s}", likelihood_functions(record$kind, given = TRUE))
  paste0("Parameters can be given to ", paste(those, collapse = ", "), ".")
}

known_table <- function(table, name, call) {
  rlang::try_fetch(likelihood_categorical(table = table), bayesrisk_error_argument = function(e) {
    abort_argument(
      "{.arg {name}} is not a table of probabilities given the class.", call, parent = e
    )
  })
}

# The table with its classes in the first dimension. They are found by their names.
classes_first <- function(table, name, classes) {
  holds <- which(vapply(dimnames(table), setequal, NA, y = classes))
  if (length(holds) > 1L) holds <- class_axis(table, holds, name)
  if (length(holds) == 0L || holds == 1L) return(table)
  aperm(table, c(holds, setdiff(seq_along(dim(table)), holds)))
}

# The dimension of the classes among `holds`, which all have their names.
class_axis <- function(table, holds, name) {
  axes <- names(dimnames(table))[holds]
  called <- holds[axes %in% "class"]
  if (!length(called) && any(axes %in% name)) called <- holds[!axes %in% name]
  if (length(called) == 1L) return(called)
  sums <- holds[vapply(holds, function(d) isTRUE(all(apply(table, d, sums_to_one))), NA)]
  if (length(sums) == 1L) return(sums)
  first <- holds[[1L]]
  place <- if (length(dim(table)) > 2L) sprintf("dimension %d", first) else "the rows"
  inform_bayesrisk(c(
    "{.arg {name}}: the levels are called like the classes. The classes are taken to be {place}.",
    i = "Name the dimensions: {.code dimnames(x) <- list(class = , {name} = )}."
  ), "axes")
  first
}

# The features have the same order in the schema and in the parts.
known_banks <- function(parts, likelihoods, schema) {
  part <- rep(seq_along(parts), vapply(parts, function(p) length(p$features), 1L))
  joint <- which(!vapply(parts, function(p) is.null(p$name), NA))
  single <- which(!part %in% joint)
  banks <- single_banks(single, list(all = likelihoods, of = part[single]), schema)
  bound <- lapply(banks, function(bank) {
    bind_parameters(lapply(parts[part[bank$features]], `[[`, "parameters"))
  })
  blocks <- lapply(joint, function(i) {
    new_bank(parts[[i]]$type, which(part == i), schema, parts[[i]]$name)
  })
  list(plan = c(banks, blocks), parameters = c(bound, lapply(parts[joint], `[[`, "parameters")))
}

# Elements of coef() as known likelihoods. Other values are returned as they are.

known_coefficients <- function(part, name, call) {
  if (is_likelihood(part)) return(part)
  if (is.data.frame(part)) return(likelihood_of_frame(part, name, call))
  if (is.matrix(part) && identical(names(dimnames(part))[2L], "statistic")) {
    return(likelihood_of_numbers(part, name, call))
  }
  if (is.list(part) && !is.object(part)) return(likelihood_of_list(part, name, call))
  if (!is.null(attr(part, "statistic")) || is_binned(part)) abort_not_known(name, call)
  part
}

# The labels of bins are those of bin_labels().
is_binned <- function(part) {
  labels <- unlist(dimnames(part)[-length(dim(part))])
  length(dim(part)) > 2L && length(labels) > 0L &&
    all(grepl("^\\[[^ ,]+, [^ ,]+[])]$", labels))
}

abort_not_known <- function(name, call) {
  abort_argument(c(
    "The coefficients of {.arg {name}} do not determine a distribution.",
    i = "A bag of terms: {.code likelihood_multinomial(table = )} or
         {.code likelihood_bernoulli(table = )}.",
    i = "{.fn write_model_json} keeps every model."
  ), call)
}

# A class x statistic matrix: the likelihood of numbers that has these parameters.
likelihood_of_numbers <- function(part, name, call) {
  fits <- Filter(function(record) {
    record$kind == "numeric" && any(vapply(record$given, setequal, NA, y = colnames(part)))
  }, likelihood_records())
  if (length(fits) != 1L) abort_not_known(name, call)
  given <- lapply(stats::setNames(nm = colnames(part)), function(statistic) part[, statistic])
  make_known(names(fits), given, name, call)
}

# A data frame with a row for each component, bin, point or value of each class.
likelihood_of_frame <- function(part, name, call) {
  columns <- names(part)
  has <- function(...) all(c("class", ...) %in% columns)
  class <- as.character(unlist(part["class"[has()]], use.names = FALSE))
  of <- function(column) split(part[[column]], factor(class, unique(class)))
  if (has("weight", "mean", "sd")) {
    given <- list(weights = of("weight"), mean = of("mean"), sd = of("sd"))
    return(make_known("mixture", given, name, call))
  }
  if (has("value", "weight", "bandwidth")) {
    given <- list(weights = of("weight"), mean = of("value"), sd = of("bandwidth"))
    return(make_known("mixture", given, name, call))
  }
  if (has("from", "to", "probability")) {
    breaks <- Map(function(from, to) c(from, to[length(to)]), of("from"), of("to"))
    if (length(unique(unname(breaks))) == 1L) breaks <- breaks[[1L]]
    given <- list(breaks = breaks, table = of("probability"))
    return(make_known("histogram", given, name, call))
  }
  if (!has("value", "probability")) abort_not_known(name, call)
  make_known("empirical", list(value = of("value"), weights = of("probability")), name, call)
}

# A joint block.
likelihood_of_list <- function(part, name, call) {
  if (all(c("power", "offset") %in% names(part))) {
    abort_argument(c(
      "{.arg {name}}: exponents of {.fn temper} are no distribution.",
      i = "{.fn write_model_json} keeps them; {.code update(model, temper = NULL)} removes them."
    ), call)
  }
  joint <- list(gaussian = c("mean", "covariance"), mixture = c("weights", "mean", "covariance"))
  fits <- names(joint)[vapply(joint, setequal, NA, y = names(part))]
  if (!length(fits)) abort_not_known(name, call)
  make_known(fits, part, name, call)
}

# A likelihood of given parameters. `likelihood`: its name.
make_known <- function(likelihood, given, name, call) {
  check <- likelihood_records()[[likelihood]]$check
  settings <- formals(get(paste0("likelihood_", likelihood)))
  settings <- lapply(settings[setdiff(names(settings), "...")], eval, baseenv())
  settings[names(given)] <- given
  rlang::try_fetch(
    new_likelihood(likelihood, do.call(check, c(settings, list(call = call)), quote = TRUE)),
    bayesrisk_error_argument = function(e) {
      abort_argument("{.arg {name}} has no parameters of a distribution.", call, parent = e)
    }
  )
}
