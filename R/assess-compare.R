#' Naive or full? The decisions of several models side by side
#'
#' Wrong probabilities do no harm if the decisions are right. `compare_decisions()` counts the cases
#' in which models decide alike, and the cost of their decisions on data. It also computes the risk
#' of each model under a data-generating model, the `world`, which is one of them, and compares it
#' with the believed risk.
#'
#' @param object,other The models to compare, all with the same classes. Each argument is one of the
#'   following, or a named list of them, `list(naive = ..., full = ...)`. One list alone is enough:
#'   * fitted or known models, or models of groups;
#'   * [posterior probabilities][posterior_probabilities] of any classifier;
#'   * results of [decide()].
#' @param data Cases with their features and, unless `truth` is given, the class: a data frame,
#'   tibble, data.table or matrix. For models, also chunks, parts or a lazy table, as in
#'   [assess_decisions()]; each model reads them. `NULL`: no data, only a world.
#' @param cost The cost of each action under each true class: see [cost_matrix()]. Default: 0-1
#'   cost.
#' @param world The name of the data-generating model, one of the models. The risk of every model is
#'   computed under it, as in [bayes_risk()]. `NULL`: data only.
#' @param truth,trained_prior,seed As in [assess_decisions()] and [bayes_risk()].
#' @param prior The prior of the population that is meant: the models decide under it, and the cases
#'   are weighted to it, as in [assess_decisions()].
#' @param weights,cluster,interval,level As in [assess_decisions()], for the interval of the
#'   difference.
#' @inheritParams bayesrisk_arguments
#' @details
#' On the cases that the models were fitted to, the results are better than on new cases, most of
#' all for the most flexible model. So use other cases, or [cv_risk()], which takes a list of
#' specifications. Only cases that have a truth and that every model decides are counted.
#'
#' The interval of the difference in cost is that of [assess_decisions()], of pairs of decisions: an
#' imagined case has a random pair of actions. It ends at the greatest difference of two costs of a
#' case. `p_value` is that of McNemar's exact test for 0-1 costs without weights, prior and
#' clusters. Otherwise it is twice the smaller share of the draws on one side of 0.
#' @return A data frame of class `bayesrisk_comparison`, a row per model:
#'   * `model`: its name;
#'   * `agree`: the number of cases in which it decides like the first model;
#'   * `errors`: the number of cases that it decides for a wrong class, `NA` if no action is a
#'     class; `cost`: the mean cost per case;
#'   * `difference`: the mean cost per case minus that of the first model; `lower`, `upper`: its
#'     interval; `p_value`: of no difference. `NA` for the first model;
#'   * `risk`: the expected cost per case of its decisions in the `world`; `believed`: the expected
#'     cost if the model itself were true; `gap`: `risk - believed`. A model with a positive gap is
#'     overconfident.
#'
#'   Without data or without a world, its columns are `NA`. Attributes: `cases` (the number of
#'   counted cases, or the sum of their weights), `left_out`, `world`, `level`.
#' @section Errors: `bayesrisk_error_argument` if models have no names or different classes, or if
#'   neither data nor a world is given; other errors as in [assess_decisions()] and [bayes_risk()].
#' @references
#' Lecture "Bayesian Learning (Galili, Shamir, Yakhini)": the naive classifier needs the right
#' decision, not the right probability.
#' @seealso [feature_dependence()], [cv_risk()]
#' @export
#' @examples
#' models <- list(
#'   naive = fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris),
#'   full = fit(bayes_full(), Species ~ Sepal.Length + Sepal.Width, iris)
#' )
#' compare_decisions(models, data = iris)
#'
#' # If the full model were true
#' tennis <- list(
#'   naive = fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis),
#'   full = fit(bayes_full(laplace = 1), play ~ outlook + wind, play_tennis)
#' )
#' compare_decisions(tennis, data = play_tennis, world = "full")
compare_decisions <- function(object, other = NULL, data = NULL, cost = NULL, prior = NULL,
                              world = NULL, truth = NULL, trained_prior = NULL, seed = 1,
                              weights, cluster, interval = c("bayes", "bootstrap", "none"),
                              level = 0.95, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  interval <- read_interval(interval, level, seed, call)
  compared <- check_compared(compared_objects(maybe(object), other), call)
  prior <- name_prior(prior, compared)
  models <- set_priors(compared, prior, call)
  threads <- check_threads(threads, call)
  worlds <- names(models)[vapply(models, is_model, NA)]
  truth <- read_truth(rlang::enquo(truth), data, call)
  if (!is.null(world)) world <- check_choice(world, worlds, "world", call)
  of_cases <- !is.null(data) || !length(worlds) && !is.null(truth)
  if (!of_cases && is.null(world)) abort_no_cases(worlds, call)
  result <- data.frame(
    model = names(models), agree = NA_integer_, errors = NA_integer_, cost = NA_real_,
    difference = NA_real_, lower = NA_real_, upper = NA_real_, p_value = NA_real_,
    risk = NA_real_, believed = NA_real_, gap = NA_real_
  )
  found <- NULL
  if (of_cases) {
    # The class in the data is that of the first model's formula.
    fitted <- Filter(is_model, models)
    by_formula <- is.null(truth) && length(fitted) && !is_source(data)
    if (by_formula) truth <- truth_in_data(fitted[[1L]], data, call)
    rows <- list(weights = rlang::enquo(weights), cluster = rlang::enquo(cluster))
    if (length(fitted)) rows$class_of <- fitted[[1L]]
    believed <- believe_all(models, data, cost, prior, truth, trained_prior, rows, threads, call)
    design <- read_case_design(believed[[1L]], rows, data, call)
    found <- compare_on_data(believed, design, interval, threads, call)
    result[names(found$columns)] <- found$columns
  }
  if (!is.null(world)) {
    found_there <- compare_in_world(models[worlds], world, cost, interval$seed, threads, call)
    result[match(worlds, names(models)), names(found_there)] <- found_there
  }
  structure(
    result, cases = found$cases, left_out = found$left_out, world = world,
    level = interval$level, utility = is_utility(cost),
    class = c("bayesrisk_comparison", "bayesrisk_result", "data.frame")
  )
}

abort_no_cases <- function(worlds, call) {
  check_places(call)
  abort_argument(c(
    "{.arg data} or {.arg world} must be given: the models need cases to decide.",
    i = if (length(worlds)) "{.arg world} names one of {.val {worlds}}."
  ), call)
}

# All models as one list. A single model is named by its argument, `object` or `other`.
compared_objects <- function(object, other) {
  listed <- function(x, name) {
    many <- is.list(x) && !is.object(x) && !holds_posterior(x)
    if (many) x else stats::setNames(list(x), name)
  }
  if (is.null(other)) object else c(listed(object, "object"), listed(other, "other"))
}

check_compared <- function(models, call) {
  if (!is.list(models) || is.object(models) || length(models) == 0L || is.null(names(models))) {
    abort_argument(c(
      "{.arg object} must be a list with a name for each model.",
      i = "For example {.code list(naive = naive, full = full)}."
    ), call)
  }
  check_distinct_names(names(models), "object", call)
  for (name in names(models)) {
    if (holds_posterior(models[[name]]) || is_models(models[[name]])) next
    models[[name]] <- check_model(models[[name]], call, sprintf("object$%s", name))
  }
  fitted <- Filter(is_model, models)
  check_shared_classes(lapply(fitted, function(model) model$schema$classes$levels), call)
  models
}

# `classes`: a named list with the classes of each model.
check_shared_classes <- function(classes, call) {
  for (name in names(classes)) {
    check_same_names(classes[[name]], classes[[1L]], cli::format_inline(
      "Model {.field {name}} must have the classes of the first model, {.val {classes[[1L]]}}."
    ), call)
  }
}

# A prior without names is in the order of the first model's classes.
name_prior <- function(prior, models) {
  fitted <- Filter(is_model, models)
  classes <- if (length(fitted)) fitted[[1L]]$schema$classes$levels
  unnamed <- is.numeric(prior) && is.null(names(prior)) && length(prior) == length(classes)
  if (unnamed) stats::setNames(prior, classes) else prior
}

set_priors <- function(models, prior, call) {
  if (is.null(prior)) return(models)
  fitted <- vapply(models, is_model, NA)
  models[fitted] <- lapply(models[fitted], function(model) {
    model$parameters$prior <- predict_prior(model, prior, call)
    model
  })
  models
}

believe_all <- function(models, data, cost, prior, truth, trained_prior, rows, threads, call) {
  fitted <- Filter(is_model, models)
  classes <- if (length(fitted)) fitted[[1L]]$schema$classes$levels else colnames(cost)
  believed <- warn_once(Map(function(model, name) {
    believe(
      model, data, cost, prior, truth, if (!is_model(model) && !is_models(model)) trained_prior,
      threads, call, classes, compared_place(model, name, call), rows
    )
  }, models, names(models)))
  check_shared_classes(lapply(believed, function(b) b$cost$classes), call)
  believed
}

# The argument that holds a model, or the element of the list of models.
compared_place <- function(model, name, call) {
  alone <- name %in% c("object", "other") && identical(get(name, envir = call), model)
  if (alone) name else paste0("object$", name)
}

compare_in_world <- function(models, world, cost, seed, threads, call) {
  settings <- check_risk_settings(NULL, NULL, seed, threads, call)
  feature_names <- function(model) names(model$schema$features)
  risks <- lapply(names(models), function(name) {
    lacking <- setdiff(feature_names(models[[name]]), feature_names(models[[world]]))
    if (length(lacking)) {
      abort_argument(
        "The {.arg world} {.val {world}} must have the features of all models, and lacks
         {.field {lacking}} of {.val {name}}.", call
      )
    }
    rule <- if (name != world) models[[name]]
    risk_of(models[[world]], cost, NULL, rule, settings, call)
  })
  risk <- vapply(risks, `[[`, 1, "total")
  believed <- vapply(risks, function(r) if (is.null(r$believed)) r$total else r$believed, 1)
  data.frame(risk, believed, gap = risk - believed)
}

# The comparison is paired: a case that one model does not decide is left out for all models.
compare_on_data <- function(believed, design, interval, threads, call) {
  first <- believed[[1L]]
  decided <- lapply(believed, function(b) match(b$cost$actions, first$cost$actions)[b$decision])
  open <- Reduce(`|`, lapply(decided, is.na))
  counted <- lapply(believed, function(b) {
    call_engine(assess_cpp(
      replace(b$decision, open, NA), b$truth, design, b$cost, NULL,
      replace(interval, "by", "none"), threads
    ), call)
  })
  left_out <- read_left_out(counted[[1L]], "compare", call)
  warn_left_out(replace(left_out, "decision", 0), call)
  number <- function(x) if (design$weighted) x * design$unit else as.integer(x)
  truth <- counted[[1L]]$truth
  weight <- if (is.null(design$weight)) as.double(!is.na(truth)) else design$weight * !is.na(truth)
  agree <- vapply(decided, function(d) sum(weight[which(d == decided[[1L]])]), 1)
  wrong <- vapply(counted, function(c) sum(c$wrong), 1)
  pairs <- lapply(decided[-1L], compare_pair, decided[[1L]], truth, first$cost, design, interval,
                  counted[[1L]]$clusters, threads, call)
  pairs <- rbind(data.frame(difference = NA, lower = NA, upper = NA, p_value = NA_real_),
                 do.call(rbind, pairs))
  list(
    cases = sum(counted[[1L]]$count) * design$unit, left_out = left_out,
    columns = data.frame(
      agree = number(agree),
      errors = if (any(first$cost$class_of > 0L)) number(wrong) else NA_integer_,
      cost = vapply(counted, `[[`, 1, "realised"), pairs, row.names = NULL
    )
  )
}

# The difference in cost per case of two decisions, with its interval and p value.
compare_pair <- function(other, first, truth, cost, design, interval, clusters, threads, call) {
  found <- call_engine(compare_cpp(
    first, other, truth, design, cost, interval, drawn_stretch(clusters, interval$level), threads
  ), call)
  alike <- length(cost$by_case$cell) == 0L && all(cost$fixed %in% 0:1)
  if (alike && !design$weighted && is.null(design$cluster)) {
    # McNemar's exact test
    pair <- c(found$better, found$worse)
    found$p_value <- if (any(pair > 0)) stats::binom.test(pair)$p.value else 1
  }
  data.frame(lapply(found[c("difference", "lower", "upper", "p_value")], open_as_na))
}

#' @export
describe.bayesrisk_comparison <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  gains <- shows_gains(x, c(x$cost, x$risk))
  shown <- gain_columns(comparison_columns(x), gains)
  expected <- intersect(c("risk", "believed"), names(shown))
  shown[expected] <- lapply(shown[expected], gain_numbers, gains)
  list(
    title_item(comparison_title(x)),
    table_item(shown, c("model", "models")),
    sentences_item(comparison_notes(x, gains))
  )
}

comparison_title <- function(x) {
  cases <- attr(x, "cases")
  world <- attr(x, "world")
  where <- c(
    if (!is.null(cases)) count_of(cases, "case", "cases"),
    if (!is.null(world)) paste("the data-generating model", encodeString(world))
  )
  sprintf(
    "decisions of %s: %s", count_of(nrow(x), "model", "models"), paste(where, collapse = " and ")
  )
}

comparison_columns <- function(x) {
  shown <- c(
    "model", if (!is.null(attr(x, "cases"))) c(
      "agree", "errors", "cost", if (nrow(x) > 1L) c("difference", "lower", "upper", "p_value")
    ),
    if (!is.null(attr(x, "world"))) c("risk", "believed", "gap")
  )
  plain_frame(x)[shown]
}

comparison_notes <- function(x, gains) {
  left_out <- attr(x, "left_out")
  c(
    if (!is.null(attr(x, "cases"))) {
      sprintf(
        gain_words("agree: cases decided as by %s; cost: per case.", gains),
        encodeString(x$model[[1L]])
      )
    },
    if (!is.null(attr(x, "cases")) && nrow(x) > 1L) {
      sprintf(
        "difference: cost minus that of %s, with its %s %% interval.",
        encodeString(x$model[[1L]]), format(100 * attr(x, "level"))
      )
    },
    if (!is.null(attr(x, "world"))) {
      paste(
        gain_words("risk: cost per case under that model; believed: what a model expects;", gains),
        if (gains) "gap: believed - risk." else "gap: risk - believed."
      )
    },
    if (sum(left_out) > 0) paste0(left_out_sentence(left_out), ".")
  )
}
