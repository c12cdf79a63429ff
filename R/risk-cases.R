# The cases of break_even(), cost_sweep() and cost_ranges(), from a model or from posterior
# probabilities. A list of
# * classes, cost: the classes, and the result of read_cost();
# * prior: the current prior; NULL if it is not known;
# * weight: the weight of the rows of each class; NULL if every class has a likelihood;
# * log_joint(prior): the log joint of the cases under this prior (cases x classes), apart from an
#   additive constant for each case; NaN for a case without a posterior;
# * decide(prior, cost, output): see decide_rows(). NULL is the prior of the probabilities;
# * weigh(prior): the weights of the cases in a population with this prior; numeric(): all are 1;
# * lost: the end of the sentence about cases that are impossible under the current prior;
# * names: the names of the cases, or NULL.

# `vary`: what varies; NULL: several things.
varied_cases <- function(object, newdata, cost, prior, trained_prior, vary, threads, call) {
  if (is_model(object)) {
    check_no_prior(trained_prior, "trained_prior", call)
    return(cases_of_model(object, newdata, cost, prior, threads, call))
  }
  # `newdata` is otherwise read only for costs by case, so a cost in its place would go unnoticed.
  if (!is.null(newdata)) read_container(newdata, "newdata", abort_argument, call)
  read <- read_posterior(object, cost_classes(cost, call), call)
  cost <- read_cost(cost, read$classes, newdata, read$frame$rows, call)
  cases_of_posterior(read, cost, prior, trained_prior, vary, threads, call)
}

cases_of_model <- function(object, newdata, cost, prior, threads, call) {
  object <- check_model(object, call)
  own <- object$parameters$prior
  prior <- predict_prior(object, prior, call)
  read <- known_rows(object, newdata, call)
  classes <- object$schema$classes$levels
  evidence <- function(prior) {
    suppressWarnings(score(object, read, "log_evidence", prior, NULL, threads, call))
  }
  list(
    classes = classes, cost = read_cost(cost, classes, newdata, read$frame$rows, call),
    prior = prior, weight = object$statistics$classes$weight,
    log_joint = function(prior) score(object, read, "log_joint", prior, NULL, threads, call),
    decide = function(prior, cost, output) {
      decide_rows(object, read, output, prior, cost, threads, call)$value
    },
    weigh = function(prior) {
      if (identical(prior, own)) numeric() else case_ratios(evidence(prior) - evidence(own))
    },
    lost = "impossible under every class (0/0): NA.", names = own_names(read$row_names)
  )
}

# Without new data, the only case has no known features, so its posterior is the prior.
known_rows <- function(object, newdata, call) {
  if (!is.null(newdata)) return(read_newdata(object$schema, newdata, call))
  if (length(bags_of(object$schema$features))) {
    abort_argument(
      "{.arg newdata} must have a case: nothing is known of a bag of terms without its terms.", call
    )
  }
  columns <- feature_columns(object$schema$features)
  list(frame = bind_frame(unname(columns), 1L), row_names = NULL)
}

# Under another prior the probabilities are multiplied by a ratio: this prior divided by the prior
# that they were computed with.
cases_of_posterior <- function(read, cost, prior, trained_prior, vary, threads, call) {
  varies <- identical(vary, "prior")
  if (varies && is.null(trained_prior)) {
    abort_argument(c(
      "{.arg trained_prior} is missing: the probabilities in {.arg object} contain a prior, and do
       not tell it.",
      i = trained_prior_hint
    ), call)
  }
  # Raises the error of one prior without the other.
  if (!varies && !(is.null(vary) && is.null(prior))) {
    prior_shift(prior, trained_prior, read$classes, call)
  }
  trained <- resolve_prior(trained_prior, read$classes, NULL, call, "trained_prior")
  ratio <- function(prior) {
    if (is.null(prior)) numeric() else prior_ratio(prior, trained, read$classes, call)
  }
  given <- NULL
  probabilities <- function() {
    if (is.null(given)) given <<- given_probabilities(read, threads, call)
    given
  }
  list(
    classes = read$classes, cost = cost, weight = NULL,
    prior = if (is.null(prior)) trained else resolve_prior(prior, read$classes, NULL, call),
    log_joint = function(prior) {
      given <- log(probabilities())
      shift <- log(ratio(prior))
      if (length(shift)) given + rep(shift, each = nrow(given)) else given
    },
    weigh = function(prior) {
      if (is.null(prior) || identical(prior, trained)) return(numeric())
      case_ratios(log(probabilities() %*% ratio(prior)))
    },
    decide = function(prior, cost, output) {
      decide_given(read, ratio(prior), cost, output, threads, call)$value
    },
    lost = no_class_left, names = own_names(read$row_names)
  )
}

# The weights of cases from their logarithms, apart from a common factor. A case that is impossible
# has none.
case_ratios <- function(logarithms) {
  known <- replace(as.vector(logarithms), is.na(logarithms), -Inf)
  if (all(known == -Inf)) return(rep(1, length(known)))
  exp(known - max(known))
}

# The columns of a result that identify a case: its position, and its name if the cases have names.
case_columns <- function(row, names) {
  if (is.null(names)) data.frame(row = row) else data.frame(row = row, case = names[row])
}

# The names of the cases. NULL if they only repeat the row numbers.
own_names <- function(names) if (!identical(names, as.character(seq_along(names)))) names
