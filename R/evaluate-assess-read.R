# What is assessed, whatever it comes from: list(decision (codes of actions), actions,
# truth (codes of classes), classes, cost (as the doors take it), kept (as the result keeps
# it), expected (cost of each
# decision, or NULL), posterior (a frame with a column per class, or NULL), logarithms,
# prior (numeric() if it is not known), reasons (whether rows without a decision were
# explained already)).

# `classes` of a table whose cost names none: NULL for its columns. `arg`: how the caller calls
# `object`.
believe <- function(object, data, cost, prior, truth, trained_prior, threads, call,
                    classes = colnames(cost), arg = "object") {
  if (inherits(object, "bayesrisk_model")) {
    check_no_prior(trained_prior, "trained_prior", call)
    return(believe_model(object, data, cost, prior, truth, threads, call))
  }
  if (inherits(object, "bayesrisk_decision")) {
    check_no_prior(trained_prior, "trained_prior", call)
    check_no_prior(prior, "prior", call)
    return(believe_decision(object, data, cost, truth, call))
  }
  if (!is.null(cost)) check_is_cost(cost, call, "cost")
  read <- read_posterior(object, classes, call, arg)
  believe_posterior(read, data, cost, prior, truth, trained_prior, threads, call)
}

believe_model <- function(model, data, cost, prior, truth, threads, call) {
  check_model(model, call)
  if (is.null(data)) {
    abort_argument("{.arg data} is missing: a model holds no data to fall back on.", call)
  }
  classes <- model$schema$classes$levels
  read <- read_newdata(model$schema, data, call, "data")
  rows <- read$frame$rows
  truth <- if (is.null(truth)) truth_in_data(model, data, call) else truth
  truth <- truth_codes(truth, classes, rows, call)
  used <- cost_of_cases(cost, classes, data, rows, call, "data")
  prior <- predict_prior(model, prior, call)
  decided <- decide_rows(model, read, "all", prior, used, threads, call)$value
  posterior <- suppressWarnings(
    score(model, read, "log_prob", prior, NULL, threads, call), classes = "bayesrisk_warning"
  )
  list(
    decision = as.integer(decided$decision), actions = cost_actions(used), truth = truth,
    classes = classes, cost = used, kept = kept_cost(used, cost), expected = decided$cost,
    posterior = matrix_frame(posterior), logarithms = TRUE, prior = prior, reasons = TRUE
  )
}

# The class as the model's formula has it.
truth_in_data <- function(model, data, call) {
  formula <- model$schema$formula
  if (is.null(formula)) {
    abort_argument(c(
      "{.arg truth} is missing: this model has no formula that names the class.",
      i = "Give the true class of each row of {.arg data}."
    ), call)
  }
  container <- read_container(data, "data", abort_schema, call)
  check_columns_there(term_columns(list(formula[[2L]])), container, abort_schema, "data", call)
  evaluate_response(formula[[2L]], container, globalenv(), model$schema$response, call)
}

check_no_prior <- function(prior, arg, call) {
  if (is.null(prior)) return(invisible())
  abort_argument(c(
    "{.arg {arg}} is for posterior probabilities, which do not tell it.",
    i = "A model has its own prior; decisions need none."
  ), call)
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
    guesses <- likely_misspellings(unknown, setdiff(classes, seen))
    abort_argument(c(
      "{.arg truth} holds {.val {unknown}}, which {?is/are} no class{?/es}.",
      i = if (length(guesses)) "Perhaps misspelt: {guesses}.",
      i = "The classes are {.val {classes}}."
    ), call)
  }
  match(levels(truth), classes)[truth]
}

# What the assessment leaves out for want of a cost it says itself.
believe_posterior <- function(read, data, cost, prior, truth, trained_prior, threads, call) {
  rows <- read$frame$rows
  truth <- truth_codes(truth, read$classes, rows, call)
  factor <- if (!is.null(prior)) prior_shift(prior, trained_prior, read$classes, call)
  held <- if (is.null(prior)) trained_prior else prior
  held <- resolve_prior(held, read$classes, NULL, call, "trained_prior")
  used <- cost_of_cases(cost, read$classes, data, rows, call, "data")
  decided <- suppressWarnings(
    decide_given(read, as.double(factor), used, "all", threads, call)$value,
    classes = "bayesrisk_warning_unpriced"
  )
  list(
    decision = as.integer(decided$decision), actions = cost_actions(used), truth = truth,
    classes = read$classes, cost = used, kept = kept_cost(used, cost), expected = decided$cost,
    posterior = shift_posterior(read$frame, factor), logarithms = FALSE,
    prior = as.double(held), reasons = FALSE
  )
}

# The probabilities under another prior; without `factor` as they are.
shift_posterior <- function(frame, factor) {
  if (is.null(factor)) return(frame)
  columns <- Map(`*`, feature_vectors(frame$columns), factor)
  sums <- Reduce(`+`, columns)
  bind_frame(lapply(columns, function(column) encoded(column / sums)), frame$rows)
}

believe_decision <- function(x, data, cost, truth, call) {
  if (!is_decision(x)) {
    abort_argument("{.arg object} is no longer a whole result of {.fn decide}.", call)
  }
  made_with <- decided_by(x)
  priced <- if (is.null(cost)) made_with else cost
  if (is.null(priced)) {
    abort_argument(c(
      "{.arg cost} is missing: these decisions were made by costs that differ by case, or from one
       result to another.",
      i = "Give the same {.arg cost}, and {.arg data} if it has formulas."
    ), call)
  }
  check_is_cost(priced, call, "cost")
  classes <- if (is.null(colnames(priced))) colnames(made_with) else colnames(priced)
  if (is.null(classes)) classes <- levels(label_factor(truth, "truth", call))
  truth <- truth_codes(truth, classes, nrow(x), call)
  cost <- cost_of_cases(priced, classes, data, nrow(x), call, "data")
  unpriced <- setdiff(levels(droplevels(x$decision)), cost_actions(cost))
  if (length(unpriced)) {
    abort_argument("{.arg cost} has no cost for {.val {unpriced}}, which was decided.", call)
  }
  list(
    decision = match(levels(x$decision), cost_actions(cost))[x$decision],
    actions = cost_actions(cost), truth = truth, classes = classes, cost = cost,
    kept = kept_cost(cost, priced),
    expected = if (is_same_cost(cost, made_with)) as.double(x$cost), posterior = NULL,
    reasons = FALSE
  )
}

# By names, whatever their order. Of costs by case nothing is kept to compare with.
is_same_cost <- function(cost, made_with) {
  made_with <- unclass(made_with)
  is.matrix(cost) && is.matrix(made_with) && setequal(rownames(cost), rownames(made_with)) &&
    setequal(colnames(cost), colnames(made_with)) &&
    all(cost == made_with[rownames(cost), colnames(cost)])
}
