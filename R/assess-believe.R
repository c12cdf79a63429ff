# Collects what an assessment needs of each case: its decision, its posterior and its true class.

# Models, tables of posteriors and decisions are assessed in one form, a list of
# * decision: codes of actions;
# * truth: codes of classes; rank: the place of each class in their order, or integer();
# * cost: the result of read_cost();
# * expected: the expected cost of each decision, or NULL;
# * posterior: a frame with a column per class, or NULL;
# * logarithms: whether the posterior holds logarithms;
# * prior: numeric() if unknown;
# * population: the prior of the population that the cases stand for; numeric(): their own;
# * reasons: whether a warning has explained the rows without a decision;
# * possible: for each action whether all cases could have it; NULL: they could.

# `classes`: the classes of a table of posteriors; NULL: all its columns. `arg`: the caller's name
# for `object`. `rows`: see believe_source().
believe <- function(object, data, cost, prior, truth, trained_prior, threads, call,
                    classes = colnames(cost), arg = "object", rows = NULL) {
  decided <- inherits(object, "bayesrisk_decision")
  fitted <- is_models(object) || is_model(object)
  if (fitted || decided) check_no_prior(trained_prior, "trained_prior", call)
  if (fitted && is_source(data)) {
    return(believe_source(object, data, cost, prior, truth, rows, threads, call))
  }
  if (is_models(object)) {
    posterior <- posterior_of_groups(object, data, prior, threads, call)
    if (is.null(truth)) truth <- truth_in_data(object, data, call)
    believed <- believe(posterior, data, cost, prior, truth, prior, threads, call, classes, arg)
    believed$rank <- class_ranks(truth, believed$cost$classes, class_order(object))
    return(believed)
  }
  if (is_model(object)) return(believe_model(object, data, cost, prior, truth, threads, call))
  if (decided) {
    check_no_prior(prior, "prior", call)
    return(believe_decision(object, data, cost, truth, call))
  }
  if (!is.null(cost)) check_is_cost(cost, call)
  read <- read_posterior(object, classes, call, arg)
  # The prior of the population that cv_predict() was asked for.
  own <- if (is.matrix(object)) attr(object, "prior")
  if (is.null(trained_prior)) trained_prior <- own
  believe_posterior(read, data, cost, prior, truth, trained_prior, own, threads, call)
}

believe_model <- function(model, data, cost, prior, truth, threads, call) {
  if (is.null(data)) abort_no_rows("data", call)
  classes <- model$schema$classes$levels
  read <- read_newdata(model$schema, data, call, "data")
  rows <- read$frame$rows
  truth <- if (is.null(truth)) truth_in_data(model, data, call) else truth
  rank <- class_ranks(truth, classes, class_order(model))
  truth <- truth_codes(truth, classes, rows, call)
  cost <- read_cost(cost, classes, data, rows, call, "data")
  population <- if (is.null(prior)) numeric() else predict_prior(model, prior, call)
  prior <- predict_prior(model, prior, call)
  found <- decide_rows(model, read, "all", prior, cost, threads, call, "log_prob")
  list(
    decision = as.integer(found$value$decision), truth = truth, rank = rank, cost = cost,
    expected = found$value$cost, posterior = matrix_frame(found$posterior), logarithms = TRUE,
    prior = prior, population = population, reasons = TRUE
  )
}

# The class column of `data`, from the model's formula.
truth_in_data <- function(model, data, call) {
  formula <- schema_of(model)$formula
  if (is.null(formula)) {
    abort_argument(c(
      "{.arg truth} is missing: this model has no formula that names the class.",
      i = "Give the true class of each row of {.arg data}."
    ), call)
  }
  container <- read_container(data, "data", abort_schema, call)
  check_columns_there(columns_of(formula[[2L]]), container, abort_schema, "data", call)
  evaluate_response(formula[[2L]], container, globalenv(), schema_of(model)$response, call)
}

# The value of the argument `truth`, which may use the columns of `data`.
read_truth <- function(quosure, data, call) {
  if (!is_given(quosure)) return(NULL)
  container <- if (!is.null(data) && !is_source(data)) {
    read_container(data, "data", abort_schema, call)
  }
  name <- if (rlang::quo_is_symbol(quosure)) rlang::as_name(quosure)
  known <- is.null(name) || name %in% container$names ||
    exists(name, rlang::quo_get_env(quosure))
  if (!known) abort_lost_truth(name, data, container$names, call)
  columns <- if (!is.null(container)) named_columns(quosure, container, call, "data")
  truth <- masked_value(quosure, columns, "truth", call)
  if (is_string(truth) && truth %in% container$names && container$rows != 1L) {
    abort_argument(c(
      "{.arg truth} is the name of a column.",
      i = "Write {.code truth = {truth}}, without quotation marks."
    ), call)
  }
  # The column `class` is missing, and R has a function of this name.
  if (is.function(truth) && !is.null(name)) abort_lost_truth(name, data, container$names, call)
  truth
}

abort_lost_truth <- function(name, data, columns, call) {
  if (is.null(data)) check_places(call)
  hint <- if (is_source(data)) {
    "Leave it out: for chunks, parts and lazy tables it is the class that the formula of the model
     names."
  } else if (is.null(data)) {
    "A column needs the name of its table, such as {.code truth = data${name}}."
  } else {
    "Columns of {.arg data}: {.field {utils::head(columns, 20L)}}."
  }
  where <- if (!is.null(columns)) "no column of `data` and "
  abort_unknown(
    "{.arg truth} is {.code {name}}, which is {where}no variable.", name, columns, hint, call
  )
}

truth_codes <- function(truth, classes, rows, call) {
  if (is.null(truth)) abort_no_truth(call)
  if (is.object(truth) && !is.factor(truth) || length(truth) != rows) check_places(call)
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

# The ordered classes of a model, or of models of groups; NULL if they have no order.
class_order <- function(model) {
  classes <- schema_of(model)$classes
  if (identical(classes$type, "ordered")) classes$levels
}

# The place of each class in the order of an ordered truth, or of a model: see class_order().
class_ranks <- function(truth, classes, order = NULL) {
  rank <- match(classes, if (is.ordered(truth)) levels(truth) else order)
  if (anyNA(rank)) integer() else rank
}

# The warning of unpriced cases is suppressed: the assessment itself warns of cases without a cost.
believe_posterior <- function(read, data, cost, prior, truth, trained_prior, own, threads, call) {
  rows <- read$frame$rows
  rank <- class_ranks(truth, read$classes)
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
    decision = as.integer(found$value$decision), truth = truth, rank = rank, cost = cost,
    expected = found$value$cost, posterior = matrix_frame(found$posterior), logarithms = FALSE,
    prior = as.double(held), reasons = FALSE,
    population = if (is.null(prior) && is.null(own)) numeric() else as.double(held)
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
  rank <- class_ranks(truth, classes)
  truth <- truth_codes(truth, classes, nrow(x), call)
  cost <- read_cost(priced, classes, data, nrow(x), call, "data")
  unpriced <- setdiff(levels(droplevels(x$decision)), cost$actions)
  if (length(unpriced)) {
    abort_argument("{.arg cost} has no cost for {.val {unpriced}}, which was decided.", call)
  }
  list(
    decision = match(levels(x$decision), cost$actions)[x$decision],
    truth = truth, rank = rank, cost = cost,
    expected = if (is_same_cost(cost, made_with)) as.double(x$cost), posterior = NULL,
    population = numeric(), reasons = FALSE, possible = within_limits(x, cost$actions)
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

# Cases of chunks, parts and lazy tables: each piece is decided, and what assessments need of its
# rows is kept, in place of the rows.

# The result of believe() for all rows of a source, with their `weights` and `cluster`. `rows`:
# list(weights, cluster), quosures, and class_of, the model whose formula names the class.
believe_source <- function(model, data, cost, prior, truth, rows, threads, call) {
  class_of <- if (is.null(rows$class_of)) model else rows$class_of
  if (!is.null(truth) || is.null(schema_of(class_of)$formula)) {
    abort_argument(c(
      "{.arg truth} must be a column of {.arg data} that the formula of a fitted model names: a
       vector cannot be divided among the pieces of a source.",
      i = "Or read the posteriors of {.code predict(type = \"prob\")} into memory, and assess them."
    ), call)
  }
  pieces <- beliefs_from(data, list(
    kind = "evidence", of_rows = beliefs_from, merge = join_pieces, arg = "data",
    model = model, cost = cost, prior = prior, weights = rows$weights, cluster = rows$cluster,
    by = rows$by, class_of = class_of, threads = threads
  ), call)
  if (!length(pieces)) abort_argument("There is no case to assess: {.arg data} has no rows.", call)
  unite_beliefs(pieces, call)
}

# A list of pieces. `request`: see ask_source().
beliefs_from <- function(data, request, call) {
  if (is_source(data)) return(ask_source(data, request, call))
  truth <- truth_in_data(request$class_of, data, call)
  believed <- believe(
    request$model, data, request$cost, request$prior, truth, NULL, request$threads, call
  )
  believed$posterior <- believed$posterior$columns[[1L]]$data
  rows <- length(believed$truth)
  believed["weights"] <- list(read_row_weights(request$weights, data, rows, call, "data"))
  believed["cluster"] <- list(cluster_labels(request$cluster, data, rows, call, "data"))
  if (!is.null(request$by)) {
    believed$keys <- segment_keys(request$by, data, rows, call, alone = TRUE)
  }
  list(believed)
}

unite_beliefs <- function(pieces, call) {
  whole <- pieces[[1L]]
  each <- function(name) unlist(lapply(pieces, `[[`, name))
  of_rows <- c("decision", "truth", "expected", "weights", "cluster")
  whole[of_rows] <- lapply(of_rows, each)
  whole$posterior <- matrix_frame(do.call(rbind, lapply(pieces, `[[`, "posterior")))
  whole$cost <- unite_costs(pieces)
  whole$keys <- unite_piece_keys(lapply(pieces, `[[`, "keys"))
  if (!is.null(whole$cluster)) {
    whole$cluster <- check_cluster(whole$cluster, length(whole$truth), call)
  }
  whole
}

# A formula may give one number for a piece, for example for its only row.
unite_costs <- function(pieces) {
  whole <- pieces[[1L]]$cost
  if (!is_case_cost(whole$origin)) return(whole)
  rows <- vapply(pieces, function(piece) length(piece$truth), 1L)
  cells <- lapply(pieces, function(piece) all_cells(piece$cost))
  united <- lapply(seq_along(cells[[1L]]), function(i) {
    values <- lapply(cells, `[[`, i)
    if (all(lengths(values) == 1L) && length(unique(values)) == 1L) return(values[[1L]])
    unlist(Map(rep_len, values, rows))
  })
  varying <- which(lengths(united) != 1L)
  whole$by_case <- list(cell = varying, value = united[varying])
  united[varying] <- 0
  whole$fixed[] <- unlist(united)
  whole
}
