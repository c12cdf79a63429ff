#' Bayes risk: the expected cost of decisions under a data-generating model
#'
#' The smallest expected cost per case that any rule can reach if the model generates the data. It
#' is computed from the model alone, without test data. With `rule`: the expected cost of another
#' rule under this model, and the part of this cost that the best rule would save.
#'
#' @param object The data-generating model (in short, the world): a fitted or known model.
#' @param cost The cost of each action under each true class, see [cost_matrix()]; the
#'   same for all cases. The default is 0-1 cost: the risk is then the probability of error.
#' @param rule The rule to evaluate; `NULL` for the best rule.
#'   * Another model: it decides by its own prior and likelihoods and the same `cost`.
#'     It has the same classes as `object`, and all or some of its features.
#'   * `"prior"`: the best rule that uses no feature.
#'   * `"likelihood"`: the rule that assumes equal prior probabilities.
#'   * A function of a data frame that has the features as columns, with the types of the fit. A
#'     feature such as `log(x)` is a column of this name. The function returns a decision for each
#'     row, a factor or text.
#' @param method `NULL` for the most accurate method that applies, or one of `"exact"`
#'   (categorical features and at most one numeric feature; or two classes with normal features,
#'   alone or jointly), `"grid"` (for a `rule` that is a
#'   function: categorical features and one numeric feature), `"quadrature"` (up to 256
#'   combinations of categories and two numeric features, each a sum of a few normals;
#'   not for a function), `"monte_carlo"` (any features).
#' @param tolerance `NULL`, or the target error in the unit of `cost`, for methods with an
#'   adjustable accuracy.
#' @param seed A whole number. If random numbers are needed, the same seed gives the same result.
#'   R's own generator does not change.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' Categorical features are enumerated: up to 1e6 combinations of their levels. Along a
#' numeric feature the decision changes at the cuts of [decision_regions()]. The probability
#' between two cuts has a closed form, so no random numbers are needed. For a histogram it is a sum
#' of shares of bins, for exact values a sum of their shares, for Poisson counts a sum that ends
#' when further terms are negligible. Tails of negative binomial counts have an error of 2e-16 times
#' their standard deviation, at most 1e-8 (1e-6 if mean and size are above 1e10), which `accuracy`
#' includes. If a case is impossible under every class of a rule, for example outside of the bins of
#' a histogram, the rule takes the first action.
#'
#' A function is called for every combination of levels. Along a numeric feature it is called on a
#' grid of some thousand points, dense where the classes have high density, and bisection finds its
#' cuts. The grid contains all counts, up to some thousand, and all exact values. Two cuts between
#' the same neighbours of the grid would be missed. So `accuracy` is the largest probability between
#' two neighbours, times the range of the costs.
#'
#' With **two classes and normal features**, any number of them, the rule compares the log ratio of
#' two densities with cuts. In each class of the world this log ratio is a generalised chi-square, a
#' sum of \eqn{w_i z_i^2 + l_i z_i}{w_i z_i^2 + l_i z_i} over independent standard normal
#' \eqn{z_i}. Its distribution is computed by inversion of the characteristic function, as by Imhof
#' and Davies, along a path through a saddle point (Rice), so that a risk of 1e-100 has as many
#' digits as one of 0.1. `accuracy` is the change at the last halving of the step, plus a bound of
#' the rounding errors. A rule that is a model can have other normal features than the world, for
#' example a naive model of dependent features. Categorical features are enumerated.
#'
#' For two numeric features, one feature is integrated numerically. At each of its values the risk
#' along the other feature is computed as above. The range is split where boundaries turn back or
#' meet, so that the integrand is smooth within each part. Parts are halved until the differences of
#' two quadrature formulas (Gauss and Kronrod) add up to `tolerance` or less (default: 1e-8 of the
#' largest cost). `accuracy` is this sum, which is far larger than the true error. If the sum stays
#' above `tolerance`, there is a warning of class `bayesrisk_warning_accuracy`.
#'
#' For other numeric features, rows are drawn (Monte Carlo), about a million at most, at the points
#' of randomly shifted lattices, which fill the space more evenly than random points. Each class has
#' the same number of rows. Where errors are rare, further rows come from densities between two
#' classes (importance sampling), proportional to \eqn{p_i^{1-s} p_j^s}{p_i^(1-s) p_j^s}, with `s`
#' such that they lie where the best rule changes its action. So a Bayes risk of 1e-12 has a
#' standard error of 1 % or less; the risk of another rule may not. A row counts for every class,
#' with the density of the class divided by the mean of all densities that are drawn. The
#' probabilities of a class are divided by their sum, so that the row sums of `table` are the prior.
#' There are densities between classes if all features are categorical, normal (alone or jointly),
#' gamma, Poisson, negative binomial of equal sizes or in common bins, and if all costs are finite.
#' At most 128 densities are used, for the pairs of classes that matter most, and none if tables are
#' large and classes many.
#'
#' `accuracy` is a standard error, estimated from the variation between 16 lattices. An event rarer
#' than one row may never be drawn, so `accuracy` is at least the cost that such events can have.
#' For the best rule this is at most Chernoff's bound of its errors. For other rules it is the range
#' of the costs, times the prior, divided by the number of rows of each density. The number of rows
#' is doubled until `accuracy` is `tolerance` or less. The default is 1e-5 of the largest cost and,
#' if no rule is a function, also 1 % of the smallest risk. If `accuracy` stays above a given
#' `tolerance`, there is a warning of class `bayesrisk_warning_accuracy`.
#'
#' A rule that is a wrong model (such as a naive model of dependent features) has two risks: its
#' expected cost in the world, `total`, and its expected cost if its own model were true,
#' `believed`.
#'
#' @concept data-generating model
#' @concept expected cost
#' @return A list of class `bayesrisk_risk`, all in the unit of `cost`, per case:
#'   * `total`: the expected cost of the rule;
#'   * `irreducible`: the expected cost of the best rule, the Bayes risk;
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
#' @section Tempered models: the densities count without the exponents of [temper()], and a message
#'   (`bayesrisk_message_untempered`) says so.
#' @section Errors: `bayesrisk_error_argument`, which names the argument and, for a rule, the part
#'   that does not fit: a feature, a class, or a decision that is not an action.
#' @references
#' Lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision Theory
#' (Wehner)": regions of error and their reducible part.
#'
#' Imhof, J. P. (1961). Computing the distribution of quadratic forms in normal variables.
#' *Biometrika*, 48, 419-426. Davies, R. B. (1980). The distribution of a linear combination of
#' chi-squared random variables. *Applied Statistics*, 29, 323-333. Rice, S. O. (1980). Distribution
#' of quadratic forms in normal random variables: evaluation by numerical integration. *SIAM Journal
#' on Scientific and Statistical Computing*, 1, 438-448.
#'
#' Hickernell, F. J., Hong, H. S., L'Ecuyer, P. and Lemieux, C. (2000). Extensible lattice
#' sequences for quasi-Monte Carlo quadrature. *SIAM Journal on Scientific Computing*, 22,
#' 1117-1138. Owen, A. and Zhou, Y. (2000). Safe and effective importance sampling. *Journal of the
#' American Statistical Association*, 95, 135-143.
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
#' # Two features that depend on each other, and a rule that ignores this
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
#' # The rule costs five times as much as the best one, and believes that it costs even more
#' bayes_risk(full, rule = naive)
#' @order 1
#' @export
bayes_risk <- function(object, cost = NULL, prior = NULL, rule = NULL, method = NULL,
                       tolerance = NULL, seed = 1, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  rule <- check_rule(rule, call)
  tell_untempered(object)
  settings <- check_risk_settings(method, tolerance, seed, threads, call)
  risk_of(object, cost, prior, rule, settings, call)
}

risk_of <- function(object, cost, prior, rule, settings, call) {
  cost <- read_cost(cost, object$schema$classes$levels, call = call)
  world <- new_world(object, predict_prior(object, prior, call))
  aligned <- if (!is.null(rule)) read_rule(rule, world, cost, call)
  risk <- compute_risk(world, cost, settings, call, aligned)
  if (is_model(rule)) {
    risk$believed <- believed_risk(rule, cost, settings, call)
  }
  structure(c(risk, list(cost = kept_cost(cost))), class = c("bayesrisk_risk", "bayesrisk_result"))
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

# The risk of a rule in a world; of the best rule if `rule` is NULL.
compute_risk <- function(world, cost, settings, call, rule = NULL) {
  best <- own_rule(world, cost)
  rules <- if (is.null(rule)) list(rule = best) else list(rule = rule, best = best)
  method <- choose_risk_method(world, rules$rule, settings$method, call)
  computed <- risk_methods()[[method]]$compute(world, rules, cost, settings, call)
  names <- list(truth = world$classes, decision = cost$actions)
  tables <- lapply(computed$tables, function(table) structure(table, dimnames = names))
  total <- mean_cost(tables$rule, cost)
  irreducible <- if (is.null(rule)) total else min(total, mean_cost(tables$best, cost))
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
  settings["method"] <- list(NULL)
  compute_risk(world, reorder_cost(cost, world$classes), settings, call)$total
}

most_cells <- 1e6

# The methods that compute risks, the most accurate first. `fits(world, rule)`: whether a method
# applies. `compute(world, rules, cost, settings, call)` returns a table (truth x decision) of
# joint probabilities for each of `rules`, and the accuracy of the cost of the first rule.
risk_methods <- function() {
  on_grid <- function(world, rule) length(world$numeric) == 1L && is.function(rule)
  along_line <- function(world, rule) {
    length(world$numeric) <= 1L && world$cells <= most_cells && !on_grid(world, rule) &&
      has_lines(world, rule)
  }
  list(
    exact = list(
      fits = function(world, rule) along_line(world, rule) || fits_ratio(world, rule),
      compute = function(world, rules, ...) {
        compute <- if (length(world$numeric) <= 1L) line_risk else model_risk
        compute(world, rules, ...)
      }
    ),
    grid = list(
      fits = function(world, rule) {
        on_grid(world, rule) && world$cells <= most_rule_rows / 64 && has_lines(world, rule)
      },
      compute = line_risk
    ),
    quadrature = list(
      fits = fits_quadrature, compute = function(...) model_risk(..., quadrature = TRUE)
    ),
    monte_carlo = list(fits = function(world, rule) TRUE, compute = monte_carlo_risk)
  )
}

# Whether the cuts along every numeric feature can be computed. They cannot if the feature is a sum
# of too many normals in the world or in the rule.
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
    i = "{.arg object} has {numbers} numeric feature{?s} and {cells} combination{?s} of
         categories.",
    i = "{.val {names(fits)[fits]}} can."
  ), call)
}

#' @export
format.bayesrisk_risk <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(risk_sentences(x, digits), rlang::current_env())
}

risk_sentences <- function(x, digits) {
  number <- function(v) format(v, digits = digits)
  within <- if (x$method == "monte_carlo") "standard error" else "within"
  total <- c(x$total, x$irreducible, x$believed)
  gains <- are_gains(total, x$cost)
  total <- vapply(gain_numbers(total, gains), number, "")
  cost <- sprintf(
    "%s per case in this model (%s, %s %s)", total[[1L]], x$method, within,
    format(x$accuracy, digits = 2L)
  )
  if (x$total == x$irreducible) {
    return(paste("no rule", if (gains) "gains more than" else "costs less than", cost))
  }
  c(
    paste("the rule", gain_words("costs", gains), cost),
    sprintf(
      if (gains) {
        "the best rule would gain %s, %s more"
      } else {
        "no rule can avoid %s of this; the best rule would save %s"
      },
      total[[2L]], number(x$reducible)
    ),
    if (!is.null(x$believed)) {
      paste("the rule's own model believes that it", gain_words("costs", gains), total[[3L]])
    }
  )
}

#' @export
describe.bayesrisk_risk <- function(x, show) {
  c(
    list(title_item("Bayes risk"), answers_item(format(x, digits = show$digits))),
    if (is_small_table(x$table)) {
      list(heading_item("Joint probabilities of truth and decision"), table_item(x$table))
    } else {
      large_risk_parts(x)
    }
  )
}

# The pairs of truth and decision with the largest costs, and a line for each class.
large_risk_parts <- function(x) {
  pairs <- result_rows(x, NULL)
  pairs <- pairs[pairs$probability > 0 & pairs$share != 0, ]
  classes <- data.frame(
    truth = rownames(x$table), probability = rowSums(x$table), share = rowSums(cost_shares(x))
  )
  list(
    heading_item("Pairs with the largest shares of the cost"),
    table_item(pairs[order(-pairs$share), ], c("pair", "pairs"), keys = 2L),
    heading_item("Probability and share of the cost of each class"),
    table_item(classes[order(-classes$share), ], c("class", "classes"))
  )
}

#' @export
summary.bayesrisk_risk <- function(object, ...) {
  check_no_dots(...)
  structure(list(risk = object), class = c("bayesrisk_summary_risk", "bayesrisk_result"))
}

#' @export
describe.bayesrisk_summary_risk <- function(x, show) {
  shares <- open_as_na(x$risk$table / rowSums(x$risk$table))
  c(
    describe(x$risk, show),
    if (is_small_table(shares)) list(
      heading_item("Probabilities of each decision given the truth"),
      table_item(shares, na = "-"),
      heading_item("What each contributes to the cost"), table_item(cost_shares(x$risk))
    )
  )
}

#' @export
result_rows.bayesrisk_summary_risk <- function(x, call) result_rows(x$risk, call)

# The contribution of each pair of truth and decision to the total cost.
cost_shares <- function(risk) cell_costs(risk$table, unclass(risk$cost))

#' @export
result_rows.bayesrisk_risk <- function(x, call) {
  truths <- rownames(x$table)
  decisions <- colnames(x$table)
  data.frame(
    truth = factor(rep(truths, length(decisions)), truths),
    decision = factor(rep(decisions, each = length(truths)), decisions),
    probability = as.vector(x$table), cost = as.vector(t(unclass(x$cost))),
    share = as.vector(cost_shares(x))
  )
}

#' @export
glance.bayesrisk_risk <- function(x, ...) {
  call <- check_no_dots(...)
  believed <- if (is.null(x$believed)) NA_real_ else x$believed
  unless_damaged(data.frame(
    x[c("total", "irreducible", "reducible")], believed = believed, x[c("accuracy", "method")]
  ), call)
}
