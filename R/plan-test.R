#' An optimal plan of tests
#'
#' Which test to do first, which one next for each answer, when to stop, and what to decide then, so
#' that prices and the cost of the decision together are least (sequential testing). In contrast to
#' [next_feature()], which looks one step ahead, the plan looks to the end: two tests may pay where
#' neither does alone.
#'
#' @inheritParams next_feature
#' @inheritParams bayesrisk_arguments
#' @param object A fitted or known model of at most 1,024 classes. Its features in blocks of
#'   their own, and those of joint tables, are the tests. Joint blocks of numbers are panels, see
#'   `panels`.
#' @param price The price of each test, in the unit of `cost`: one number for all, or numbers named
#'   by test. A test is a feature or a panel.
#' @param given What is known of the case: a named list, or a data frame with one row. If `cost`
#'   uses other columns, they are here, too; the plan is for this cost, also in `predict()` and
#'   [assess_plan()]. `NULL`: nothing is known.
#' @param features The names of the features that can be tested. Default: all that `given` does not
#'   have.
#' @param panels Features that are measured together at one price: a named list of names of
#'   features, `list(blood = c("glu", "insulin"))`. Where `price` names tests, features with a price
#'   of their own are single tests, too; those without are measured only in their panel. The numbers
#'   of a joint block are always measured together: a block that is in no panel is a panel with the
#'   name of the block.
#' @param visit A price that each step has in addition to its tests.
#' @param max_tests The most steps; a panel is one.
#' @param tolerance How far `value` may be above `lower`, relative to the cost of deciding now. (If
#'   this cost is infinite, relative to `value`.)
#' @param time Seconds after which no further bounds are computed. What was begun, the tree and the
#'   other strategies are still finished.
#' @param max_depth,min_probability The tree has at most `max_depth` steps in a row, and no step at
#'   a node of a smaller probability. What this costs is `loss`. It is cut from a plan for more
#'   steps; `max_tests` makes the best plan with few.
#'
#' @details
#' Let \eqn{b} be the belief, the probabilities of the classes given all answers so far, and \eqn{S}
#' the tests that are left. The expected cost to come is
#' \deqn{V_S(b) = \min\left(\min_a \sum_k b_k C(a, k),\;
#'   \min_{t \in S} p_t + E\, V_{S - t}(b')\right),}{%
#'   V_S(b) = min(min_a sum_k b_k C(a, k), min_t price_t + E V_(S - t)(b')),}
#' where \eqn{b'} is the belief after the answer of \eqn{t}.
#'
#' With tests of few answers, each belief that can be reached is computed: `value` is the least cost
#' (`exact`). Otherwise two bounds are refined until they differ by `tolerance`. \eqn{V_S} is
#' concave, so lines between its values at a grid of beliefs bound it from below; the values
#' themselves are bounded by replacing a number by finitely many answers that say more about the
#' class than the number does. The upper bound is the cost of a rule that can be followed: the cost
#' in each class of what it does is known, and it cuts numbers into intervals. If there are too many
#' tests for this, the lower bound is that of a plan that may repeat some of them, and the upper one
#' that of a plan that does only the others; the bounds then say how much is open.
#'
#' All that a panel of jointly normal numbers says about two classes is the ratio of their
#' densities, whose law is known. In the tree its answers are intervals of the probability of a
#' class, given the answers above: of a number the interval, not the value. With more classes, or
#' mixtures of normals, the panel is known by 16,384 random values of each class. Then `value` and
#' `lower` are estimates; `error` is the standard error of the cost of the tree. A mistake that is
#' rarer than these values may be in none of them. The tree does not say which values belong to an
#' answer of such a panel; `predict()` does.
#'
#' The tree shows this rule for cases of which only what `given` has is known. A rule for numbers
#' has a different cut for each earlier number; the tree unites what hardly differs and has at most
#' about 1,000 nodes. `loss` is what the tree costs more than `value`; its own cost is
#' `tree$cost[1]`. The cuts of the tree are exact: there the next step or the decision changes.
#' [predict()][predict.bayesrisk_test_plan] follows the rule itself. Under another prior `p` the
#' tree costs `sum(p * class_costs)`.
#'
#' In a [tempered][temper] model the density of a feature is to the power of its block, divided by
#' its integral, as in [next_feature()]. `predict()` begins with the posterior that [decide()]
#' prices for what is known of a case.
#'
#' @return An object of class `bayesrisk_test_plan`, a list:
#'   * `value`: the expected cost of the plan, prices included: that of the rule, or of its tree if
#'     this is less; `upper`: the same; `lower`: a lower bound of the cost of any plan (with `error`
#'     an estimate);
#'   * `error`: the standard error of the cost of the tree, `NA` if nothing is known by random
#'     values only;
#'   * `exact`: whether `lower` is the least cost, up to rounding;
#'   * `loss`: what the tree costs more than `value`;
#'   * `now`, `all`, `myopic`: the expected costs of deciding without tests, of doing all tests at
#'     once (one visit, and the cheapest prices that cover every feature), and of repeating
#'     [next_feature()]. `all` is a [bayes_risk()], for some models an estimate; it is `NA` where a
#'     joint block has known and unknown features, and with more than 12 panels; `myopic` is `NA`
#'     with panels or if `time` was up, and with numbers it is interpolated;
#'   * `class_costs`: the expected cost of the tree in each class;
#'   * `tree`: a data frame with a row for each node: `node`, `parent` (`NA` at the root), `answer`
#'     (a level, or an interval of a number), `test`, `action` (one of both is `NA`), `probability`
#'     (given the parent), `cost` (still to come at this node), and in more detail `feature` (what
#'     is read), `price` (visit included), `from` and `to` (the interval contains `from`, but not
#'     `to`), `class` (after a panel of numbers, the class whose probability the interval is of),
#'     `whole` (whether it is of counts);
#'   * `levels`: for each node the levels of its answer, a list;
#'   * `tests`, `visit`, `given`, `prior` (the belief at the root).
#' @section Errors: `bayesrisk_error_argument` for a price of an unknown test, a negative price, or
#'   a feature that cannot be tested: a bag of terms, a joint histogram, a tempered density without
#'   a closed form; and for a panel with only some numbers of a joint block.
#' @concept test strategy
#' @concept sequential testing
#' @concept cost-sensitive feature acquisition
#' @references
#' V. Bayer-Zubek and T. G. Dietterich (2005), Integrating learning from examples into the search
#' for diagnostic policies, *Journal of Artificial Intelligence Research* 24, 263-303.
#'
#' D. Blackwell (1951), Comparison of experiments, *Proceedings of the Second Berkeley Symposium*,
#' 93-102.
#' @seealso [predict()][predict.bayesrisk_test_plan], [assess_plan()],
#'   [plot()][plot.bayesrisk_test_plan]; [next_feature()] for one step, [value_of_information()].
#' @examples
#' # Neither test pays alone. Both pay if the second one is done only after a positive first one.
#' model <- bayes_known(
#'   prior = c(ill = 0.1, well = 0.9),
#'   first = rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8)),
#'   second = rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
#' )
#' cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
#' plan <- test_plan(model, cost, price = 0.1)
#' plan
#' plan$tree
#' @export
test_plan <- function(object, cost, price = 0, prior = NULL, given = NULL, features = NULL,
                      panels = NULL, visit = 0, max_tests = Inf, tolerance = 1e-3, time = Inf,
                      max_depth = Inf, min_probability = 0, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  tell_other_scores(object, "plugin")
  check_plan_classes(object, call)
  prior <- predict_prior(object, prior, call)
  if (is.list(given) && all(lengths(given) == 1L)) given <- list2DF(as.list(given))
  cost <- maybe(cost)
  case <- given
  given <- without_cost_columns(given, cost, names(object$schema$features), call)
  read <- read_given_case(object, given, call)
  cost <- read_cost(cost, object$schema$classes$levels, case, 1L, call, "given")
  cost <- cost_of_case(cost, 1L)
  if (anyNA(cost$fixed)) {
    abort_argument("{.arg cost} is not known (NA) for the case that is {.arg given}.", call)
  }
  setup <- list(
    object = object, prior = prior, given = known_values(object, given, read),
    cost = cost,
    visit = check_number(visit, "visit", min = 0, call = call),
    max_tests = check_limit(max_tests, "max_tests", call)
  )
  open <- open_features(object, features, read, call)
  setup$tests <- read_tests(object, open, panels, price, call)
  if (!all(is.finite(setup$tests$price + setup$visit))) {
    abort_argument("{.arg price} and {.arg visit} together must be finite.", call)
  }
  settings <- list(
    tolerance = check_number(tolerance, "tolerance", min = 0, call = call),
    seconds = if (identical(time, Inf)) Inf else check_number(time, "time", min = 0, call = call),
    most_steps = setup$max_tests,
    most_depth = check_limit(max_depth, "max_depth", call),
    least_probability = check_number(min_probability, "min_probability", 0, 1, call),
    myopic = as.double(all(lengths(setup$tests$features) == 1L))
  )
  threads <- check_threads(threads, call)
  problem <- tests_problem(setup, read, call)
  joint <- score(object, read, "log_joint", prior, NULL, threads, call)
  check_answers_there(joint, call)
  found <- call_engine(plan_tests_cpp(
    problem$model, problem$frame, setup$cost$fixed, problem$units, joint[1L, ], settings, threads
  ), call)
  new_test_plan(setup, found, joint[1L, ], threads)
}

# Inf, or a whole number.
check_limit <- function(x, arg, call) {
  if (identical(x, Inf)) Inf else as.double(check_whole_number(x, arg, call = call))
}

check_answers_there <- function(joint, call) {
  if (all(is.finite(joint) | joint == -Inf) && any(joint > -Inf)) return(invisible())
  abort_argument("{.arg given} is impossible under every class.", call)
}

# The grid of beliefs has a point for each class at least.
check_plan_classes <- function(object, call) {
  classes <- length(object$schema$classes$levels)
  if (classes <= 1024L) return(invisible())
  abort_argument("{.arg object} has {classes} classes: a plan takes at most 1024.", call)
}

# The features whose values are given and known.
known_values <- function(object, given, read) {
  known <- names(object$schema$features)[known_of_cases(object, read$frame)[1L, ]]
  given <- given[names(given) %in% known]
  if (length(given)) given
}

# What is given of the features; the other columns are those of the cost.
without_cost_columns <- function(given, cost, features, call) {
  if (!is.data.frame(given) || is.null(cost) || !is_case_cost(cost)) return(given)
  used <- unlist(lapply(cost_cells(cost, call), function(cell) {
    if (rlang::is_quosure(cell)) all.vars(rlang::quo_squash(cell))
  }))
  given <- given[!names(given) %in% setdiff(used, features)]
  if (length(given)) given
}

# The known case.
read_given_case <- function(object, given, call) {
  bags <- bags_of(object$schema$features)
  if (length(bags)) {
    abort_argument(c(
      "{.field {bags}} {?is a bag/are bags} of terms, which a case has as a whole: a plan would
       depend on its terms.",
      i = "{.fn next_feature} looks one step ahead from a case with its terms."
    ), call)
  }
  list(frame = read_given(object$schema, given, NULL, call), row_names = NULL)
}

# The problem as the engine reads it. Densities of a tempered model are those to their powers.
tests_problem <- function(setup, read, call) {
  object <- setup$object
  found <- plan_units(object, setup$tests, setup$visit, call)
  values <- values_of_cases(object, read$frame)
  values <- lapply(stats::setNames(names(values), names(values)), function(name) {
    c(values[[name]][[1L]], vapply(found$values[-1L], function(known) {
      if (is.null(known[[name]])) values[[name]][[1L]] else known[[name]]
    }, values[[name]][1L]))
  })
  list(
    model = engine_model(powered_model(object)$model, setup$prior),
    frame = frame_of_values(object, values),
    units = lapply(found$units, `[[`, "steps"), states = found$units
  )
}

new_test_plan <- function(setup, found, joint, threads) {
  object <- setup$object
  tests <- setup$tests
  known <- names(object$schema$features)
  belief <- exp(joint - max(joint))
  belief <- belief / sum(belief)
  # Rounding is no difference.
  rounding <- 1e-12 * abs(found$value)
  estimated <- !is.nan(found$error)
  met <- !estimated && isTRUE(
    found$value == found$lower || is.finite(found$value) && found$value - found$lower <= rounding
  )
  structure(
    list(
      value = found$value, lower = if (met) found$value else found$lower, upper = found$value,
      exact = found$exact && !estimated || met,
      loss = if (found$loss <= rounding) 0 else found$loss,
      error = open_as_na(found$error), now = found$now,
      all = cost_of_all_tests(setup, belief, found$now, threads),
      # Interpolated, it may seem to be better than the best rule.
      myopic = open_as_na(max(found$myopic, found$value)), tree = plan_tree(setup, found$tree),
      levels = answer_levels(setup, found$tree), log_ratio = open_as_na(found$tree$log_ratio),
      class_costs = stats::setNames(found$class_costs, object$schema$classes$levels),
      tests = structure(
        list(
          test = tests$test, price = tests$price,
          features = lapply(tests$features, function(f) known[f])
        ),
        class = "data.frame", row.names = .set_row_names(length(tests$test))
      ),
      visit = setup$visit, max_tests = setup$max_tests, given = setup$given, cost = setup$cost,
      classes = object$schema$classes$levels, prior = belief, round = found$round, setup = setup
    ),
    class = c("bayesrisk_test_plan", "bayesrisk_result", "list")
  )
}

# The nodes with names in place of numbers.
plan_tree <- function(setup, nodes) {
  parent <- nodes$parent
  read <- nodes$feature[parent]
  levels <- answer_levels(setup, nodes)
  answer <- vapply(levels, toString, "")
  test <- setup$tests$test[nodes$test]
  action <- setup$cost$actions[nodes$action]
  next_one <- ifelse(is.na(test), action, ifelse(
    test == test[parent], read_names(setup)[nodes$feature], test
  ))
  next_one <- sprintf("where %s costs least", next_one)
  number <- stats::ave(parent, parent, next_one, FUN = seq_along)
  next_one <- ifelse(number > 1L, sprintf("%s (%d)", next_one, number), next_one)
  answer <- ifelse(lengths(levels) > 0L, answer, next_one)
  answer[is.na(parent)] <- NA
  tree <- data.frame(
    node = seq_along(parent), parent = parent, answer = answer,
    test = test, action = action, probability = nodes$probability, cost = nodes$cost,
    feature = read_names(setup)[nodes$feature], price = nodes$price,
    from = open_as_na(nodes$from), to = open_as_na(nodes$to)
  )
  tree$class <- setup$object$schema$classes$levels[nodes$class]
  tree$whole <- !is.na(tree$from) & counted_features(setup$object)[read] %in% TRUE
  tree[tree$whole, c("from", "to")] <- ceiling(tree[tree$whole, c("from", "to")])
  tree$answer <- answer_texts(tree, 3L)
  tree
}

# The levels of the answer of each node; none of a number.
answer_levels <- function(setup, nodes) {
  features <- setup$object$schema$features
  Map(function(levels, feature) {
    as.character(if (length(levels)) features[[feature]]$levels[levels])
  }, nodes$levels, nodes$feature[nodes$parent])
}

# What is read by the feature that stands for it: itself, or a joint block of numbers.
read_names <- function(setup) {
  names <- names(setup$object$schema$features)
  for (block in joint_numbers(setup$object, features_of_tests(setup$tests))) {
    names[[block[[1L]]]] <- toString(names[block])
  }
  names
}

# Whether each feature is a count.
counted_features <- function(object) {
  counted <- logical(length(object$schema$features))
  for (bank in object$plan$banks) {
    counted[bank$features] <- record_of(bank)$support == "counts"
  }
  counted
}

# The expected cost of all tests at once; NA where this is no risk of the model. Without tests it is
# that of deciding now.
cost_of_all_tests <- function(setup, belief, now, threads) {
  seen <- sort(unique(features_of_tests(setup$tests)))
  if (!length(seen)) return(now)
  if (splits_block(setup$object, seen)) return(NA_real_)
  settings <- list(method = NULL, tolerance = NULL, seed = 1L, threads = threads)
  world <- new_world(powered_model(setup$object)$model, unname(belief), seen)
  compute_risk(world, setup$cost, settings, NULL)$total + setup$visit + all_tests(setup$tests)$price
}

# The least price of tests that cover all features, and the number of these tests. NA where too many
# panels would have to be tried.
all_tests <- function(tests) {
  single <- lengths(tests$features) == 1L
  panels <- which(!single)
  if (length(panels) > 12L) return(list(price = NA_real_, steps = NA_integer_))
  all <- unique(features_of_tests(tests))
  own <- vapply(all, function(f) {
    min(Inf, tests$price[single][unlist(tests$features[single]) == f])
  }, 1)
  chosen <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), length(panels))))
  found <- lapply(seq_len(2^length(panels)), function(i) {
    used <- if (length(panels)) panels[chosen[i, ]]
    rest <- !all %in% unlist(tests$features[used])
    list(price = sum(tests$price[used]) + sum(own[rest]), steps = length(used) + sum(rest))
  })
  found[[which.min(vapply(found, `[[`, 1, "price"))]]
}
