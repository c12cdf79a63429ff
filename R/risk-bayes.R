#' Bayes risk: what deciding costs in the world of a model
#'
#' The smallest expected cost per case that any rule can reach if the world is as the
#' model says, computed from the model alone: no test data. With `rule`, what another
#' rule costs in this world, and how much of that a better rule would save.
#'
#' @param object The world: a fitted or known model.
#' @param cost What each action costs under each true class, see [cost_matrix()]; the
#'   same for all cases. Without it 0-1 cost: the risk is a probability of error.
#' @param prior Prior probabilities of the world to use instead of the model's, as in
#'   [predict()][predict.bayesrisk_model].
#' @param rule The rule whose cost is asked for; `NULL` for the best one.
#'   * Another model: it decides by its own prior and likelihoods and the same `cost`.
#'     Its features are those of `object`, or some of them; its classes the same.
#'   * `"prior"`: the best rule that sees no feature.
#'   * `"likelihood"`: the rule that takes all classes for equally probable.
#'   * A function: it is given a data frame of the features (categories as factors, or
#'     as they were fitted; a feature such as `log(x)` in a column of this name) and
#'     returns a decision for each row, a factor or text.
#' @param method `NULL` for the most accurate that there is, or how to compute: `"exact"`
#'   (categorical features and at most one numeric one), `"grid"` (the same with a
#'   function as a rule along the numeric feature), `"quadrature"` (up to 256
#'   combinations of categories and two numeric features, each a sum of a few normals;
#'   not for a function), `"monte_carlo"` (any features).
#' @param tolerance `NULL`, or the error to aim at, in the unit of `cost`, where the method
#'   can choose.
#' @param seed A whole number: where random numbers are needed, the same give the same.
#'   R's own generator is not touched.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' Categorical features are enumerated: up to 1e6 combinations of their levels. Along a
#' numeric feature the decision changes at the cuts of [decision_regions()], and the
#' probability between two cuts is in closed form (of a histogram a sum of shares of bins, of
#' exact values one of their shares, of Poisson counts one that ends where nothing is left to
#' add), so nothing is left to chance. A rule that finds a case impossible under every class,
#' such as a histogram outside of its bins, takes the first action.
#'
#' A function is asked for its decision of every combination of levels; along a numeric
#' feature on a grid of some thousand points, dense where the classes are, and its cuts
#' are found by bisection; counts are all on it, up to some thousand, and exact values. Two
#' cuts between neighbours of that grid would be missed:
#' `accuracy` is the largest probability between two neighbours, times the range of the
#' costs.
#'
#' Of two numeric features one is integrated numerically: at each of its values the other
#' is a line as above. The range is split where boundaries turn back or meet, so that the
#' integrand is smooth in between, and each part is halved until the difference of two
#' rules of different order (Gauss and Kronrod) adds up to `tolerance` or less (1e-8 of
#' the largest cost without one). That sum, which is far above the error, is `accuracy`; a
#' warning of class `bayesrisk_warning_accuracy` says if it stays above `tolerance`.
#'
#' Of more features rows are drawn from the world (Monte Carlo), about a million at most:
#' from each class as many, at the points of 16 lattices that are shifted at random, which
#' fill the space more evenly than random points do. A row counts for every class with
#' its posterior probability. The scatter between the lattices gives `accuracy`, a
#' standard error, and no less than the range of the costs by the number of rows: what is
#' rarer is not seen. Rows are doubled until it is `tolerance` or less (1e-5 of the largest
#' cost without one); the same warning says if it stays above a `tolerance` that was given.
#' The sums of the rows of `table` are the prior up to such an error.
#'
#' A rule that decides by what it wrongly believes (a naive model where features depend
#' on each other) has two risks: what it costs in the world, `total`, and what it would
#' cost if its own model were true, `believed`.
#'
#' @return A list of class `bayesrisk_risk`, all in the unit of `cost`, per case:
#'   * `total`: the expected cost of the rule;
#'   * `irreducible`: that of the best rule, the Bayes risk;
#'   * `reducible`: the difference;
#'   * `table`: joint probabilities, true classes in rows, decisions in columns; divided
#'     by the prior they are the probabilities of each decision given the truth;
#'   * `accuracy`: a bound of the error of `total`, for `"monte_carlo"` its standard error;
#'   * `method`;
#'   * `believed` for a rule that is a model;
#'   * `cost`.
#'
#'   `as.data.frame()` (or [generics::tidy()]) has a row for each truth and decision,
#'   [generics::glance()] one row with the numbers, `summary()` the probabilities given
#'   the truth.
#' @section Errors: `bayesrisk_error_argument` names the argument, and what of a rule
#'   does not fit: a feature, a class, a decision that is no action.
#' @references
#' Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)": regions of error, of which one part can be reduced.
#'
#' Hickernell, F. J., Hong, H. S., L'Ecuyer, P. and Lemieux, C. (2000). Extensible lattice
#' sequences for quasi-Monte Carlo quadrature. *SIAM Journal on Scientific Computing*, 22,
#' 1117-1138.
#'
#' Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): the error of the naive rule
#' where features depend on each other.
#' @seealso [decision_regions()], [decision_threshold()]
#' @examples
#' ocr <- bayes_known(
#'   prior = c(a = 0.75, b = 0.25),
#'   pixels = likelihood_gaussian(mean = c(a = 15, b = 25), sd = 4)
#' )
#' bayes_risk(ocr)
#' bayes_risk(ocr, rule = "likelihood")
#' bayes_risk(ocr, rule = function(x) ifelse(x$pixels < 21, "a", "b"))
#'
#' # What is seeing the pixels worth?
#' bayes_risk(ocr, rule = "prior")$reducible
#'
#' cost <- cost_matrix(a = c(a = 0, b = 10), b = c(a = 1, b = 0), ask = 0.5)
#' summary(bayes_risk(ocr, cost))
#'
#' # Two features that depend on each other, and a rule that does not know it
#' full <- bayes_known(
#'   prior = c(A = 0.5, B = 0.5),
#'   xy = likelihood_gaussian(
#'     mean = rbind(A = c(x = 0, y = 0), B = c(0.5, 0.5)),
#'     covariance = list(A = rbind(c(2, 2.2), c(2.2, 2.5)), B = rbind(c(2.5, -2.2), c(-2.2, 2)))
#'   )
#' )
#' naive <- bayes_known(
#'   prior = c(A = 0.5, B = 0.5),
#'   x = likelihood_gaussian(mean = c(A = 0, B = 0.5), sd = c(A = sqrt(2), B = sqrt(2.5))),
#'   y = likelihood_gaussian(mean = c(A = 0, B = 0.5), sd = c(A = sqrt(2.5), B = sqrt(2)))
#' )
#' # It costs five times as much as need be, and believes that it costs still more
#' bayes_risk(full, rule = naive)
#' @order 1
#' @export
bayes_risk <- function(object, cost = NULL, prior = NULL, rule = NULL, method = NULL,
                       tolerance = NULL, seed = 1, ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_model(maybe(object), call)
  if (inherits(rule, "bayesrisk_model")) check_model(rule, call, "rule")
  settings <- check_risk_settings(method, tolerance, seed, threads, call)
  risk_of(object, cost, prior, rule, settings, call)
}

risk_of <- function(object, cost, prior, rule, settings, call) {
  cost <- read_cost(cost, object$schema$classes$levels, call = call)
  world <- new_world(object, predict_prior(object, prior, call))
  aligned <- read_rule(rule, world, cost, call)
  risk <- compute_risk(world, aligned, cost, settings, own = is.null(rule), call)
  if (inherits(rule, "bayesrisk_model")) {
    risk$believed <- believed_risk(rule, cost, settings, call)
  }
  structure(
    c(risk, list(cost = kept_cost(cost))),
    class = c("bayesrisk_risk", "bayesrisk_result")
  )
}

check_risk_settings <- function(method, tolerance, seed, threads, call) {
  if (!is.null(method)) method <- check_choice(method, names(risk_methods()), "method", call)
  if (!is.null(tolerance)) {
    tolerance <- check_number(tolerance, "tolerance", min = 0, call = call)
  }
  list(
    method = method, tolerance = tolerance,
    seed = check_seed(seed, call), threads = check_threads(threads, call)
  )
}

# The risk of a rule in a world. `own`: whether the rule is the best rule of this world.
compute_risk <- function(world, rule, cost, settings, own, call) {
  rules <- list(rule = rule, best = if (!own) own_rule(world, cost))
  rules <- rules[!vapply(rules, is.null, NA)]
  method <- choose_risk_method(world, rule, settings$method, call)
  computed <- risk_methods()[[method]]$compute(world, rules, cost, settings, call)
  names <- list(truth = world$classes, decision = cost$actions)
  tables <- lapply(computed$tables, function(table) structure(table, dimnames = names))
  total <- mean_cost(tables$rule, cost)
  irreducible <- if (own) total else min(total, mean_cost(tables$best, cost))
  list(
    total = total, irreducible = irreducible,
    reducible = if (total == irreducible) 0 else total - irreducible,
    table = tables$rule, accuracy = computed$accuracy, method = method
  )
}

mean_cost <- function(table, cost) sum(cell_costs(table, cost$fixed))

# The risk that a rule's model would have if it were true.
believed_risk <- function(rule, cost, settings, call) {
  world <- new_world(rule, rule$parameters$prior)
  cost <- reorder_cost(cost, world$classes)
  settings["method"] <- list(NULL)
  compute_risk(world, own_rule(world, cost), cost, settings, own = TRUE, call)$total
}

most_cells <- 1e6

# The methods that compute risks, the most accurate first. `fits(world, rule)`: whether a method
# applies. `compute(world, rules, cost, settings, call)` returns a table (truth x decision) of
# joint probabilities for each of `rules`, and the accuracy of the cost of the first rule.
risk_methods <- function() {
  line <- function(world, rule) length(world$numeric) == 1L && is.function(rule)
  list(
    exact = list(
      fits = function(world, rule) {
        length(world$numeric) <= 1L && world$cells <= most_cells && !line(world, rule) &&
          has_lines(world, rule)
      },
      compute = exact_risk
    ),
    grid = list(
      fits = function(world, rule) {
        line(world, rule) && world$cells <= most_rule_rows / 64 && has_lines(world, rule)
      },
      compute = exact_risk
    ),
    quadrature = list(fits = fits_quadrature, compute = quadrature_risk),
    monte_carlo = list(fits = function(world, rule) TRUE, compute = monte_carlo_risk)
  )
}

# Whether no numeric feature is a sum of too many normals, neither in the world nor in the rule.
has_lines <- function(world, rule) {
  places <- unname(world$numeric)
  own <- if (is.list(rule)) stats::na.omit(rule$feature[places])
  !any(c(
    is_long_sum(engine_model(world$object), places),
    if (length(own)) is_long_sum(rule$model, own)
  ))
}

choose_risk_method <- function(world, rule, method, call) {
  fits <- vapply(risk_methods(), function(m) m$fits(world, rule), NA)
  if (is.null(method)) return(names(fits)[fits][[1L]])
  if (fits[[method]]) return(method)
  numbers <- length(world$numeric)
  cells <- format(world$cells, digits = 3L)
  abort_argument(c(
    "{.code method = \"{method}\"} cannot compute this risk.",
    i = "The world has {numbers} numeric feature{?s} and {cells} combination{?s} of categories.",
    i = "{.val {names(fits)[fits]}} can."
  ), call)
}

exact_risk <- function(world, rules, cost, settings, call) {
  seen <- lapply(rules, function(rule) {
    if (is.function(rule)) look_at_rule(rule, world, cost$actions, call) else rule
  })
  tables <- lapply(seen, function(rule) {
    actions <- length(cost$actions)
    call_engine(line_risk_cpp(engine_world(world), rule, actions, settings$threads), call)
  })
  rounding <- 1e-12 * largest_cost(cost)
  missed <- if (is.null(seen$rule$gap)) 0 else seen$rule$gap * diff(range(cost$fixed))
  list(tables = tables, accuracy = max(rounding, missed))
}
