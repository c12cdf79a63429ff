# The models of an explorer, of which a slider chooses one, and the rule that each is compared with.

# A list of models; of several, each has a name.
explored_models <- function(object, call) {
  if (!is.list(object) || is.object(object)) return(list(check_model(object, call)))
  models <- check_compared(object, call)
  for (name in names(models)) check_model(models[[name]], call, sprintf("object$%s", name))
  form <- explored_form(models[[1L]])
  for (name in names(models)) {
    own <- explored_form(models[[name]])
    check_same_names(names(own), names(form), cli::format_inline(
      "Model {.field {name}} must have the features of the first model, {.field {names(form)}}."
    ), call)
    if (!identical(own[names(form)], form)) abort_other_form(name, own, form, call)
  }
  models
}

explored_form <- function(model) {
  lapply(model$schema$features, function(feature) list(feature$kind, feature$levels))
}

abort_other_form <- function(name, own, form, call) {
  differ <- names(form)[!mapply(identical, own[names(form)], form)]
  abort_argument(
    "Model {.field {name}} must know {.field {differ}} as the first model does: with the same kind
     and the same levels.", call
  )
}

# A decision problem for each model. `order`: the places of the page's classes in the model's;
# `copies`: the number of models whose tables are on the page.
explored_problems <- function(models, cost, prior, rule, call) {
  classes <- models[[1L]]$schema$classes$levels
  if (length(models) > 1L) prior <- name_prior(prior, models)
  read <- read_cost(cost, classes, call = call)
  lapply(models, function(model) {
    own <- model$schema$classes$levels
    list(
      model = without_bags(model), prior = predict_prior(model, prior, call), costs = cost,
      cost = reorder_cost(read, own), order = match(classes, own), many = length(models) > 1L,
      copies = length(models) * (1L + !is.null(rule)), call = call
    )
  })
}

# Whether an argument is a plain list with an element for each model.
is_for_each <- function(x, problems) length(problems) > 1L && is.list(x) && !is.object(x)

of_each_model <- function(x, problems, arg) {
  if (!is_for_each(x, problems)) return(list(x))
  headline <- cli::format_inline("{.arg {arg}} must have the names of the models in {.arg object}.")
  check_same_names(names(x), names(problems), headline, problems[[1L]]$call)
  unname(x[names(problems)])
}

# The decision problem of a rule on a map.
plane_rule <- function(problem, rule, features) {
  call <- problem$call
  if (!is_model(rule) && !identical(rule, "likelihood")) {
    abort_argument(c(
      "On a map of two features, {.arg rule} must be a model or {.val likelihood}.",
      i = "Other rules are shown for a model of one numeric feature."
    ), call)
  }
  if (!is_model(rule)) return(rule_problem(problem, rule))
  # Only checks the rule's classes and features.
  world <- new_world(problem$model, problem$prior, call = call)
  read_rule(check_model(rule, call, "rule"), world, problem$cost, call)
  known <- names(rule$schema$features)
  lacking <- setdiff(features, known)
  if (length(lacking)) {
    abort_argument("{.arg rule} lacks {.field {lacking}}, which {?is/are} on the map.", call)
  }
  own <- rule_problem(problem, rule)
  own$order <- match(
    problem$model$schema$classes$levels[problem$order], rule$schema$classes$levels
  )
  own$model <- without_bags(rule)
  given <- problem$given$row[intersect(names(problem$given$row), known)]
  own$given <- given_values(own, if (length(given)) given, features)
  own
}

# The expected costs of the best rule and of `rule`, and the one that the rule believes. They are of
# all features, so of a page that shows all, and of the densities as they are.
explored_risk <- function(problem, rule, features) {
  all <- setequal(features, names(problem$model$schema$features))
  if (!all || length(problem$given$values) || is_tempered(problem$model)) return(NULL)
  settings <- check_risk_settings(NULL, NULL, 1, default_threads(), problem$call)
  classes <- problem$model$schema$classes$levels
  prior <- stats::setNames(problem$prior, classes)
  risk <- risk_of(problem$model, problem$costs, prior, rule, settings, problem$call)
  list(best = risk$irreducible, rule = if (!is.null(rule)) risk$total, believed = risk$believed)
}
