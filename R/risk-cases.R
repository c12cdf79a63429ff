# The cases of a break-even or a sweep, from a model or from posterior probabilities. A list of
# * classes, cost: the classes, and the result of read_cost();
# * prior: the current prior; NULL if it is not known;
# * weight: the weight of the rows of each class; NULL if every class has a likelihood;
# * log_joint: a function of a prior that returns the log joint of the cases under this prior (cases
#   x classes), apart from an additive constant for each case; NaN for a case without a posterior;
# * lost: the end of the sentence about cases that are impossible under the current prior;
# * names: the names of the cases, or NULL.

swept_cases <- function(object, newdata, cost, prior, trained_prior, vary, threads, call) {
  if (is_model(object)) {
    check_no_prior(trained_prior, "trained_prior", call)
    return(cases_of_model(object, newdata, cost, prior, threads, call))
  }
  # `newdata` is otherwise read only for costs by case, so a cost in its place would go unnoticed.
  if (!is.null(newdata)) read_container(newdata, "newdata", abort_argument, call)
  read <- read_posterior(object, cost_classes(cost, call), call)
  cost <- read_cost(cost, read$classes, newdata, read$frame$rows, call)
  if (identical(vary, "prior")) {
    return(cases_of_any_prior(read, cost, prior, trained_prior, threads, call))
  }
  cases_of_posterior(read, cost, prior, trained_prior, threads, call)
}

cases_of_model <- function(object, newdata, cost, prior, threads, call) {
  object <- check_model(object, call)
  prior <- predict_prior(object, prior, call)
  read <- read_cases(object, newdata, call)
  classes <- object$schema$classes$levels
  cost <- read_cost(cost, classes, newdata, read$frame$rows, call)
  list(
    classes = classes, cost = cost, prior = prior, weight = object$statistics$classes$weight,
    log_joint = function(prior) score(object, read, "log_joint", prior, NULL, threads, call),
    lost = "impossible under every class (0/0): NA.", names = own_names(read$row_names)
  )
}

# Without new data, the only case has no known features, so its posterior is the prior.
read_cases <- function(object, newdata, call) {
  if (!is.null(newdata)) return(read_newdata(object$schema, newdata, call))
  if (length(bags_of(object$schema$features))) {
    abort_argument(
      "{.arg newdata} must have a case: nothing is known of a bag of terms without its terms.", call
    )
  }
  columns <- unknown_columns(object$schema$features)
  list(frame = bind_frame(unname(columns), 1L), row_names = NULL)
}

# While a cost varies, the prior does not change.
cases_of_posterior <- function(read, cost, prior, trained_prior, threads, call) {
  ratio <- prior_shift(prior, trained_prior, read$classes, call)
  new_posterior_cases(read, cost, NULL, function(prior) ratio, threads, call)
}

# While a prior varies, the given probabilities are multiplied by a ratio: this prior divided by the
# prior that they were computed with.
cases_of_any_prior <- function(read, cost, prior, trained_prior, threads, call) {
  if (is.null(trained_prior)) {
    abort_argument(c(
      "{.arg trained_prior} is missing: the probabilities in {.arg object} contain a prior, and do
       not tell it.",
      i = "Usually it is the share of each class in the training data."
    ), call)
  }
  trained <- resolve_prior(trained_prior, read$classes, NULL, call, "trained_prior")
  current <- if (is.null(prior)) trained else resolve_prior(prior, read$classes, NULL, call)
  new_posterior_cases(
    read, cost, current, function(prior) prior_ratio(prior, trained, read$classes, call), threads,
    call
  )
}

# `ratio`: a function of a prior that returns its ratio to the prior of the probabilities.
new_posterior_cases <- function(read, cost, prior, ratio, threads, call) {
  given <- given_probabilities(read, numeric(), threads, call)
  list(
    classes = read$classes, cost = cost, prior = prior, weight = NULL,
    log_joint = function(prior) {
      shift <- log(ratio(prior))
      if (length(shift)) log(given) + rep(shift, each = nrow(given)) else log(given)
    },
    lost = "in which {.arg prior} leaves no class: NA.", names = own_names(read$row_names)
  )
}

# The columns of a result that identify a case: its position, and its name if the cases have names.
case_columns <- function(row, names) {
  if (is.null(names)) data.frame(row = row) else data.frame(row = row, case = names[row])
}

# The names of the cases. NULL if they only repeat the row numbers.
own_names <- function(names) if (!identical(names, as.character(seq_along(names)))) names
