# Models, tables of posteriors and decisions are assessed in one form, a list of
# * decision: codes of actions;
# * truth: codes of classes;
# * cost: the result of read_cost();
# * expected: the expected cost of each decision, or NULL;
# * posterior: a frame with a column per class, or NULL;
# * logarithms: whether the posterior holds logarithms;
# * prior: numeric() if unknown;
# * reasons: whether a warning has explained the rows without a decision.

# `classes`: the classes of a table of posteriors; NULL: all its columns. `arg`: the caller's name
# for `object`.
believe <- function(object, data, cost, prior, truth, trained_prior, threads, call,
                    classes = colnames(cost), arg = "object") {
  if (is_model(object)) {
    check_no_prior(trained_prior, "trained_prior", call)
    return(believe_model(object, data, cost, prior, truth, threads, call))
  }
  if (inherits(object, "bayesrisk_decision")) {
    check_no_prior(trained_prior, "trained_prior", call)
    check_no_prior(prior, "prior", call)
    return(believe_decision(object, data, cost, truth, call))
  }
  if (!is.null(cost)) check_is_cost(cost, call)
  read <- read_posterior(object, classes, call, arg)
  believe_posterior(read, data, cost, prior, truth, trained_prior, threads, call)
}

believe_model <- function(model, data, cost, prior, truth, threads, call) {
  if (is.null(data)) abort_no_rows("data", call)
  classes <- model$schema$classes$levels
  read <- read_newdata(model$schema, data, call, "data")
  rows <- read$frame$rows
  truth <- if (is.null(truth)) truth_in_data(model, data, call) else truth
  truth <- truth_codes(truth, classes, rows, call)
  cost <- read_cost(cost, classes, data, rows, call, "data")
  prior <- predict_prior(model, prior, call)
  found <- decide_rows(model, read, "all", prior, cost, threads, call, "log_prob")
  list(
    decision = as.integer(found$value$decision), truth = truth, cost = cost,
    expected = found$value$cost, posterior = matrix_frame(found$posterior), logarithms = TRUE,
    prior = prior, reasons = TRUE
  )
}

# The class column of `data`, from the model's formula.
truth_in_data <- function(model, data, call) {
  formula <- model$schema$formula
  if (is.null(formula)) {
    abort_argument(c(
      "{.arg truth} is missing: this model has no formula that names the class.",
      i = "Give the true class of each row of {.arg data}."
    ), call)
  }
  container <- read_container(data, "data", abort_schema, call)
  check_columns_there(columns_of(formula[[2L]]), container, abort_schema, "data", call)
  evaluate_response(formula[[2L]], container, globalenv(), model$schema$response, call)
}

truth_codes <- function(truth, classes, rows, call) {
  if (is.null(truth)) abort_argument("{.arg truth} is missing: the true class of each case.", call)
  truth <- label_factor(truth, "truth", call)
  if (length(truth) != rows) {
    abort_argument("{.arg truth} has {length(truth)} value{?s} for {rows} case{?s}.", call)
  }
  seen <- levels(droplevels(truth))
  unknown <- setdiff(seen, classes)
  if (length(unknown)) {
    abort_unknown(
      "{.arg truth} holds {.val {unknown}}, which {?is/are} no class{?/es}.",
      unknown, setdiff(classes, seen), "The classes are {.val {classes}}.", call
    )
  }
  match(levels(truth), classes)[truth]
}

# The warning of unpriced cases is suppressed: the assessment itself warns of cases without a cost.
believe_posterior <- function(read, data, cost, prior, truth, trained_prior, threads, call) {
  rows <- read$frame$rows
  truth <- truth_codes(truth, read$classes, rows, call)
  factor <- if (!is.null(prior)) prior_shift(prior, trained_prior, read$classes, call)
  held <- if (is.null(prior)) trained_prior else prior
  held <- resolve_prior(held, read$classes, NULL, call, "trained_prior")
  cost <- read_cost(cost, read$classes, data, rows, call, "data")
  found <- suppressWarnings(
    decide_given(read, as.double(factor), cost, "all", threads, call, beliefs = TRUE),
    classes = "bayesrisk_warning_unpriced"
  )
  list(
    decision = as.integer(found$value$decision), truth = truth, cost = cost,
    expected = found$value$cost, posterior = matrix_frame(found$posterior), logarithms = FALSE,
    prior = as.double(held), reasons = FALSE
  )
}

believe_decision <- function(x, data, cost, truth, call) {
  check_unchanged(is.factor(x$decision) && is.numeric(x$cost), "result of decide()", call)
  made_with <- decided_by(x)
  priced <- if (is.null(cost)) made_with else cost
  if (is.null(priced)) {
    abort_argument(c(
      "{.arg cost} is missing: these decisions were made by costs that differ by case, or from one
       result to another.",
      i = "Give the same {.arg cost}, and {.arg data} if it has formulas."
    ), call)
  }
  classes <- cost_classes(priced, call)
  if (is.null(classes)) classes <- colnames(made_with)
  if (is.null(classes)) classes <- levels(label_factor(truth, "truth", call))
  truth <- truth_codes(truth, classes, nrow(x), call)
  cost <- read_cost(priced, classes, data, nrow(x), call, "data")
  unpriced <- setdiff(levels(droplevels(x$decision)), cost$actions)
  if (length(unpriced)) {
    abort_argument("{.arg cost} has no cost for {.val {unpriced}}, which was decided.", call)
  }
  list(
    decision = match(levels(x$decision), cost$actions)[x$decision],
    truth = truth, cost = cost,
    expected = if (is_same_cost(cost, made_with)) as.double(x$cost), posterior = NULL,
    reasons = FALSE
  )
}

# Whether two costs are equal, matched by name in any order. Decisions do not keep costs by case,
# so a cost by case is never equal.
is_same_cost <- function(cost, made_with) {
  made_with <- unclass(made_with)
  !is_case_cost(cost$origin) && is.matrix(made_with) &&
    setequal(cost$actions, rownames(made_with)) && setequal(cost$classes, colnames(made_with)) &&
    all(cost$fixed == made_with[cost$actions, cost$classes])
}
