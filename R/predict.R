#' Predict classes, posteriors, scores, expected costs and decisions
#'
#' @param object A fitted or known model.
#' @param newdata The cases: a data frame, tibble, data.table or matrix with the features. Features
#'   and levels are matched by name. Extra columns are ignored. The result has the rows in the same
#'   order. A model holds no data, so there is no default. For [chunks][data_chunks()] the result is
#'   chunks, for [parts][data_parts()] a list, for a [lazy table][bayesrisk_sources] of a database
#'   a lazy table with further columns.
#' @param type The kind of result, one number or row per case:
#'   * `"class"`: the most probable class, a factor with all training levels
#'     (default without `cost`);
#'   * `"prob"` (also `"raw"`, `"posterior"`): posterior probabilities, cases x
#'     classes;
#'   * `"log_prob"`: their logarithms, exact far out in the tails;
#'   * `"joint"` (also `"score"`, the word of the lectures): prior times likelihood, the numerator
#'     of Bayes' theorem, cases x classes. It falls below the smallest positive number and becomes 0
#'     with some hundred features, or far out in the tails: use `"log_joint"` there;
#'   * `"log_joint"`: log prior + log likelihood, the logarithm of `"joint"`;
#'   * `"likelihood"`: density or probability of the features given each class, cases x classes;
#'     with many features it may become 0 or infinite: use `"log_likelihood"` there;
#'   * `"log_likelihood"`: its logarithm;
#'   * `"log_evidence"`: log density of the features under the model, a vector;
#'   * `"cost"`: expected cost of each action, cases x actions;
#'   * `"decision"`: the action of least expected cost, a factor of actions
#'     (default with `cost`);
#'   * `"discriminant"`: the coordinates of [discriminants()], of a model whose classes share one
#'     covariance, cases x coordinates;
#'   * `"both"`: a list of `class` and `posterior`, as in MASS.
#' @param cost The cost of each action under each true class: see
#'   [cost_matrix()]. Without it, `"cost"` and `"decision"` use 0-1 cost. Costs by
#'   case (formulas) are computed from the columns of `newdata`.
#' @param estimate `"plugin"`: the densities of the estimated parameters. `"predictive"`: the
#'   densities of new cases given the training data, see the section "Predictive distributions".
#' @inheritParams bayesrisk_arguments
#'
#' @details All computations use the log scale and exponentiate last, without a lower limit for
#'   small densities, so decisions are correct far out in the tails.
#'
#'   A missing value is marginalised exactly: a single feature is left out, a
#'   Gaussian block uses the covariance of its observed features, a joint table
#'   is summed over the missing features. A row without any known value gets the prior. A level that
#'   the model does not know counts as missing, with one warning
#'   (`bayesrisk_warning_unknown_level`) that counts the rows and lists the new and the known
#'   levels.
#'
#'   An infinite number, or a combination that is impossible under every class,
#'   gives a row of `NA` and one warning (`bayesrisk_warning_infinite`,
#'   `bayesrisk_warning_impossible`). For the first impossible row, the warning names the features
#'   and values that exclude the classes, and a remedy. An impossible combination still has scores:
#'   its joint is 0, and its log joint, log likelihood and log evidence are `-Inf`.
#'
#'   Ties: log joints within 1e-12 max(1, |l|) of the largest, or expected costs
#'   within 1e-12 of the largest expected absolute cost, count as equal. Ties go to the
#'   first class or action in the declared order.
#' @return A factor, or a matrix with classes or actions as column names and the
#'   row names of `newdata`, as described under `type`.
#' @section Errors: `bayesrisk_error_schema` where `newdata` does not fit the
#'   model (a column is missing or of another kind; the error names it),
#'   `bayesrisk_error_argument` for a bad argument, `bayesrisk_error_object` for
#'   a model that was damaged.
#' @references Geisser, S. (1964). Posterior odds for multivariate normal classifications. *Journal
#'   of the Royal Statistical Society B* 26, 69-76: predictive distributions.
#'
#'   The lecture "Bayesian Learning (Galili, Shamir, Yakhini)" for the
#'   prior-only, likelihood and posterior rules and for cost; "Applied Machine
#'   Learning Fundamentals, Unit III: Bayesian Decision Theory (Wehner)" for the
#'   minimum-risk rule.
#' @examples
#' model <- fit(bayes_naive(), Species ~ ., iris)
#' predict(model, iris[c(1, 71, 134), ])
#' predict(model, iris[c(1, 71, 134), ], type = "prob")
#' joint <- predict(model, iris[c(1, 71, 134), ], type = "joint")
#' joint / rowSums(joint)
#' predict(model, data.frame(Sepal.Length = 5, Sepal.Width = NA, Petal.Length = 1.5,
#'                           Petal.Width = 0.2), type = "prob")
#'
#' cost <- cost_matrix(
#'   keep = c(setosa = 0, versicolor = 1, virginica = 10),
#'   discard = c(setosa = 2, versicolor = 2, virginica = 0)
#' )
#' predict(model, iris[c(1, 71, 134), ], cost = cost)
#'
#' # the posterior from few flowers
#' few <- fit(bayes_naive(), Species ~ ., iris[c(1:4, 51:54, 101:104), ])
#' predict(few, iris[71, ], type = "prob")
#' predict(few, iris[71, ], type = "prob", estimate = "predictive")
#' @export
predict.bayesrisk_model <- function(object, newdata, type = NULL, cost = NULL, prior = NULL,
                                    estimate = c("plugin", "predictive"), ...,
                                    threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(object, call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  type <- predict_type(type, cost, call)
  request <- answer_request(score_from, object, estimate, type, cost, prior, threads, call)
  score_from(newdata, request, call)
}

# The request of predict() or decide(): see ask_source(). `of_rows`: score_from or decide_from.
# `type`: one of predict_types, or "all" for decide(); `limits`: list(capacity, budget, rule).
answer_request <- function(of_rows, model, estimate, type, cost, prior, threads, call,
                           limits = NULL) {
  model <- as_estimated(model, estimate, call)
  c(list(
    kind = "answers", of_rows = of_rows, model = model, type = type, cost = cost,
    threads = check_threads(threads, call), prior = predict_prior(model, prior, call)
  ), limits)
}

# The predictions for new data.
score_from <- function(newdata, request, call) {
  if (is_source(newdata)) return(ask_source(newdata, request, call))
  model <- request$model
  read <- read_newdata(model$schema, newdata, call)
  cost <- if (needs_cost(request$type)) {
    read_cost(request$cost, model$schema$classes$levels, newdata, read$frame$rows, call)
  }
  score(model, read, request$type, request$prior, cost, request$threads, call)
}

#' @export
predict.bayesrisk_spec <- function(object, ...) {
  abort_unfitted(rlang::current_env())
}

predict_types <- c(
  "class", "prob", "log_prob", "joint", "log_joint", "likelihood", "log_likelihood",
  "log_evidence", "cost", "decision", "discriminant", "both"
)

needs_cost <- function(type) type == "cost" || type == "decision"

# Other names of a type that are accepted.
type_synonyms <- c(
  raw = "prob", posterior = "prob", score = "joint", discriminants = "discriminant"
)

# The names of the types in other packages, which are errors.
foreign_types <- c(
  response = "prob", probability = "prob", probabilities = "prob", probs = "prob",
  link = "log_joint", label = "class"
)

predict_type <- function(type, cost, call) {
  if (is.null(type)) return(if (is.null(cost)) "class" else "decision")
  if (is_string(type) && type %in% names(type_synonyms)) type <- type_synonyms[[type]]
  if (is_string(type) && type %in% names(foreign_types)) {
    meant <- foreign_types[[type]]
    others <- setdiff(predict_types, meant)
    abort_argument(c(
      "{.arg type} must not be {.val {type}}: write {.code type = \"{meant}\"}.",
      i = "Or one of {.or {.val {others}}}."
    ), call)
  }
  type <- check_choice(type, predict_types, "type", call)
  if (!is.null(cost) && !needs_cost(type)) {
    check_places(call)
    abort_argument(c(
      "{.code type = \"{type}\"} does not use {.arg cost}.",
      i = "Ask for {.val decision} or {.val cost}, or leave {.arg cost} out."
    ), call)
  }
  type
}

predict_prior <- function(object, prior, call) {
  if (is.null(prior)) return(object$parameters$prior)
  resolve_prior(prior, object$schema$classes$levels, object$statistics$classes$weight, call)
}

# The attributes of the results of score_cpp().
score_labels <- function(object, read, type) {
  classes <- object$schema$classes
  list(class = class_attributes(classes), numbers = if (type == "log_evidence") {
    list(names = read$row_names)
  } else if (type != "class") {
    list(
      dim = c(read$frame$rows, length(classes$levels)),
      dimnames = list(read$row_names, classes$levels)
    )
  })
}

# Scores rows that were read, shapes and names the result, and warns.
score <- function(object, read, type, prior, cost, threads, call) {
  if (needs_cost(type)) {
    return(decide_rows(object, read, type, prior, cost, threads, call)$value)
  }
  if (type == "discriminant") return(score_coordinates(object, read, prior, threads, call))
  raised <- type %in% c("joint", "likelihood")
  output <- if (raised) paste0("log_", type) else type
  scored <- call_engine(score_cpp(
    engine_model(object, prior), read$frame, output, score_labels(object, read, type), threads
  ), call)
  report_rows(scored$report, object, prior, read$frame, call)
  if (raised) exp(scored$value) else scored$value
}

# The discriminant coordinates of rows that were read.
score_coordinates <- function(object, read, prior, threads, call) {
  found <- find_discriminants(object, prior, 0, "object", call)
  scored <- call_engine(
    discriminant_scores_cpp(engine_model(object, prior), read$frame, threads), call
  )
  report_rows(scored$report, object, prior, read$frame, call)
  dimnames(scored$value) <- list(read$row_names, colnames(found$scaling))
  scored$value
}

# Decisions for rows that were read: list(value, posterior, report of the engine). `cost`: a result
# of read_cost(); `output`: "cost", "decision" or "all"; `beliefs`: the type of the posterior that
# comes with the decisions, "prob", "log_prob" or "both".
decide_rows <- function(object, read, output, prior, cost, threads, call, beliefs = "none") {
  labels <- if (beliefs == "none") list() else score_labels(object, read, beliefs)
  decided <- call_engine(decide_model_cpp(
    engine_model(object, prior), read$frame, cost, output, read$row_names, beliefs, labels, threads
  ), call)
  report_rows(decided$report, object, prior, read$frame, call)
  decided
}

# The columns of a matrix of predictions, with a prefix before their names.
matrix_columns <- function(x, prefix) {
  stats::setNames(split_columns(x), paste0(prefix, colnames(x)))
}

## The likelihoods of the classes in unlabelled rows, for estimate_prior(): a list of pieces, each
# the result of prior_rows_cpp() for rows that were read together, their `cluster` (NULL: rows are
# independent) and `cost`, their result of read_cost() (NULL without a cost).

# `request`: see ask_source(). Its other elements are
# * model, cost, threads;
# * arg: the caller's name for the data;
# * weights, cluster: quosures, as of fit_request();
# * even: the uniform prior over the classes that have a likelihood; `start`: where to search;
# * features: the positions of the features to be read alone; `centre`: the model with the
#   hyperparameters for `draws` of the parameters, or NULL; `most`: in how many rows;
# * before: the pieces before this one.
evidence_from <- function(newdata, request, call) {
  if (is_source(newdata)) return(ask_source(newdata, request, call))
  model <- request$model
  read <- read_newdata(model$schema, newdata, call)
  rows <- read$frame$rows
  weights <- read_row_weights(request$weights, newdata, rows, call)
  cost <- if (!is.null(request$cost)) {
    read_cost(request$cost, model$schema$classes$levels, newdata, rows, call)
  }
  seen <- vapply(c("sample", "drawn"), function(name) {
    sum(vapply(request$before, function(piece) piece[[name]]$rows, 1))
  }, 1)
  most <- request$most - seen
  draws <- if (most[[2L]] > 0) request$draws else 0L
  centre <- if (draws > 0L) engine_model(request$centre, request$even)
  piece <- call_engine(prior_rows_cpp(
    engine_model(model, request$even), centre, read$frame, weights, request$features,
    draws, most, request$threads
  ), call)
  report_rows(piece$report, model, request$even, read$frame, call, "left out.")
  cluster <- cluster_labels(request$cluster, newdata, rows, call)
  list(c(piece, list(cluster = cluster, cost = cost)))
}

read_row_weights <- function(quosure, newdata, rows, call, arg = "newdata") {
  weights <- row_values(quosure, newdata, "weights", call, arg)
  if (!is.null(weights)) check_weights(weights, rows, call)
}

# The clusters of rows, of which other pieces may have more.
cluster_labels <- function(quosure, newdata, rows, call, arg = "newdata") {
  labels <- row_values(quosure, newdata, "cluster", call, arg)
  if (!is.null(labels)) check_cluster(labels, rows, call)
  if (is.factor(labels)) as.character(labels) else labels
}

# An argument with a value for each row, which may use the columns of the data. `arg`: their name.
row_values <- function(quosure, newdata, what, call, arg) {
  if (!is_given(quosure)) return(NULL)
  columns <- if (!is.null(newdata)) {
    container_list(read_container(newdata, arg, abort_schema, call))
  }
  masked_value(quosure, columns, what, call)
}

# Predictions by the models of groups: each row by the model of its key.

#' @rdname bayesrisk_models
#' @export
predict.bayesrisk_models <- function(object, newdata, type = NULL, cost = NULL, prior = NULL,
                                     estimate = c("plugin", "predictive"), default = NULL, ...,
                                     threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_groups(object, call, "object")
  if (missing(newdata)) abort_no_rows("newdata", call)
  type <- predict_type(type, cost, call)
  if (type == "discriminant") {
    abort_argument(c(
      "Each group has discriminant coordinates of its own.", i = group_hint(object)
    ), call)
  }
  by_group(object, newdata, default, call, function(model, rows) {
    request <- answer_request(score_from, model, estimate, type, cost, prior, threads, call)
    score_from(rows, request, call)
  })
}

# Applies `use` to the model and the rows of each group, and puts the results into the order of the
# rows of `newdata`.
by_group <- function(models, newdata, default, call, use) {
  if (identical(default, "pooled")) default <- merged_model(models, call)
  if (!is.null(default)) default <- check_default(default, models, call)
  if (inherits(newdata, "tbl_lazy")) {
    abort_schema(c(
      "Models of groups do not predict lazy tables.",
      i = "Read the rows by {.fn dplyr::collect}, or in blocks by {.fn query_chunks}."
    ), call)
  }
  container <- read_container(newdata, "newdata", abort_schema, call)
  group <- groups_of_rows(models, container, is.null(default), call)
  if (container$rows == 0L) return(use(group_model(models, 1L), newdata))
  at <- split(seq_along(group), group)
  parts <- Map(function(group, at) {
    model <- if (group > 0L) group_model(models, group) else default
    withCallingHandlers(use(model, rows_at(newdata, at)), bayesrisk_error_argument = function(e) {
      # A prior may suit other groups.
      lacks <- group > 0L && !is.null(e$empty)
      if (lacks) abort_again(e, "In group {.val {names(models)[[group]]}}:", call)
    })
  }, as.integer(names(at)), at)
  in_order(unname(parts), order(unlist(at)), container$row_names)
}

# Predictions of the default stand among those of the groups, so the classes must be the same.
check_default <- function(default, models, call) {
  if (is.character(default)) {
    abort_argument(
      "{.arg default} must be a model, or {.val pooled}, not {describe_value(default)}.", call
    )
  }
  default <- check_model(default, call, "default")
  classes <- attr(models, "schema")$classes$levels
  own <- default$schema$classes$levels
  if (identical(own, classes)) return(default)
  abort_argument(c(
    "{.arg default} must have the classes of the groups, in the same order.",
    x = "The groups: {.val {classes}}.", x = "{.arg default}: {.val {own}}."
  ), call)
}

# The group of each row, 0 for one without a model. `arg`: the caller's name for the rows.
groups_of_rows <- function(models, container, strict, call, arg = "newdata") {
  keys <- read_keys(
    attr(models, "by"), container, globalenv(), arg, abort_schema, call, alone = TRUE
  )
  missing <- Reduce(`|`, lapply(keys, function(key) is.na(unclass(key$codes))))
  group <- match_keys(keys, attr(models, "keys"))
  group[missing] <- 0L
  unknown <- which(group == 0L)
  if (strict && length(unknown)) {
    labels <- group_labels(lapply(keys, function(key) {
      key$levels[as.vector(unclass(key$codes))[unknown]]
    }))
    found <- unique(ifelse(missing[unknown], "NA", encodeString(labels, quote = "\"")))
    abort_schema(c(
      "There is no model for {.field {names(keys)}} {some_of(found, 5L)}, in
       {count_of(length(unknown), 'row', 'rows')}.",
      i = "{.code default = \"pooled\"} predicts them by the model of all groups."
    ), call)
  }
  group
}

# Results of groups of rows, one below the other and then in order.
in_order <- function(parts, order, row_names) {
  first <- parts[[1L]]
  if (is.list(first) && !is.object(first)) {
    fields <- stats::setNames(nm = names(first))
    return(lapply(fields, function(field) in_order(lapply(parts, `[[`, field), order, row_names)))
  }
  if (is.data.frame(first)) {
    united <- do.call(rbind, parts)[order, , drop = FALSE]
    if (is.null(row_names)) row.names(united) <- NULL
    return(united)
  }
  if (length(dim(first)) == 3L) return(bind_cases(parts, order, row_names))
  if (is.matrix(first)) return(do.call(rbind, parts)[order, , drop = FALSE])
  if (!is.factor(first)) return(unlist(parts)[order])
  codes <- unlist(lapply(parts, function(part) as.vector(unclass(part))))[order]
  attributes(codes) <- attributes(first)[c("levels", "class")]
  codes
}

# Arrays cases x ... of the same other dimensions, one below the other and then in order.
bind_cases <- function(parts, order, row_names) {
  first <- parts[[1L]]
  flat <- do.call(rbind, lapply(parts, function(part) matrix(part, dim(part)[[1L]])))
  labels <- dimnames(first)
  labels[1L] <- list(row_names)
  array(flat[order, , drop = FALSE], c(nrow(flat), dim(first)[-1L]), labels)
}
