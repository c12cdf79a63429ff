#' What a plan of tests costs on cases with a truth
#'
#' The realised cost per case of a plan, prices included, beside deciding at once, doing all tests,
#' and repeating [next_feature()].
#'
#' @param plan A plan of [test_plan()].
#' @param data A data frame with all tests of each case and its class. Left out of every rule are
#'   rows that lack a test, and rows in which a feature has another value than the plan was given.
#' @param truth The true class of each row; a column of `data` can be named as it is. Default: the
#'   class that the model's formula names.
#' @inheritParams assess_decisions
#' @param interval,level Intervals of the differences, as in [compare_decisions()].
#' @details
#' Each rule starts from what the plan was given, and sees only the tests that it does. If the plan
#' was made for another `prior`, the cases are weighted to the shares of the classes that it starts
#' from, and all means are those of this population. The intervals are those of
#' [compare_decisions()]: a decision together with what was paid for it counts as one action.
#' @return A data frame of class `bayesrisk_plan_assessment`, a row for each rule: `"plan"`;
#'   `"tree"`, the printed tree, if it is expected to cost more than the plan and says which values
#'   belong to each answer; `"now"`; `"all"`, unless there are more than 12 panels; and `"myopic"`
#'   if the plan has its cost. Columns:
#'   `rule`; `cost`, the mean cost per case; `price`, the part of it that was paid for tests;
#'   `tests`, the mean number of steps; `difference` to the plan with `lower`, `upper` and
#'   `p_value`. Attributes: `cases`, and `left_out`, the number of rows that are left out.
#' @section Errors: as [assess_decisions()]; `bayesrisk_error_data` if no row has all tests.
#' @seealso [test_plan()]
#' @examples
#' model <- fit(bayes_naive(laplace = 1), play ~ ., play_tennis)
#' cost <- cost_matrix(book = c(yes = 1, no = 6), stay = c(yes = 4, no = 0))
#' plan <- test_plan(model, cost, price = 0.2)
#' assess_plan(plan, play_tennis)
#' @export
assess_plan <- function(plan, data, truth = NULL, seed = 1,
                        interval = c("bayes", "bootstrap", "none"), level = 0.95, ...,
                        threads = default_threads()) {
  call <- check_no_dots(...)
  interval <- read_interval(interval, level, seed, call)
  setup <- check_plan(maybe(plan), call, "plan")$setup
  threads <- check_threads(threads, call)
  if (is.null(maybe(data))) abort_no_rows("data", call)
  truth <- read_truth(rlang::enquo(truth), data, call)
  if (is.null(truth)) truth <- truth_in_data(setup$object, data, call)
  read <- read_newdata(setup$object$schema, with_given(setup, data), call, "data")
  if (!read$frame$rows) abort_data("{.arg data} has no rows.", call)
  truth <- truth_codes(truth, setup$object$schema$classes$levels, read$frame$rows, call)
  known <- known_of_cases(setup$object, read$frame)[, features_of_tests(setup$tests), drop = FALSE]
  same <- Reduce(`&`, same_as_given(setup, read, call), TRUE)
  used <- which(rowSums(!known) == 0 & !is.na(truth) & same)
  if (!length(used)) abort_no_planned_row(setup, call)
  followed <- unless_damaged(follow_rules(plan, read, used, threads, call), call, "plan")
  rules <- names(followed)
  other <- !identical(setup$prior, predict_prior(setup$object, NULL, call))
  population <- if (other) plan$prior else numeric()
  believed <- list(truth = truth[used], population = population, cost = setup$cost)
  design <- case_design(believed, call)
  weigh <- function(x) {
    if (is.null(design$weight)) mean(x) else stats::weighted.mean(x, design$weight)
  }
  compared <- compare_followed(followed, setup, truth[used], design, interval, threads, call)
  structure(
    data.frame(
      rule = rules, cost = compared$cost,
      price = vapply(followed, function(f) weigh(f$price), 1),
      tests = vapply(followed, function(f) weigh(f$steps), 1),
      compared[c("difference", "lower", "upper", "p_value")]
    ),
    cases = length(used), left_out = as.integer(read$frame$rows) - length(used),
    level = interval$level, cost_origin = setup$cost$origin,
    class = c("bayesrisk_plan_assessment", "bayesrisk_result", "data.frame")
  )
}

abort_no_planned_row <- function(setup, call) {
  given <- names(setup$given)
  if (!length(given)) abort_data("{.arg data} has no row with all tests and a class.", call)
  abort_data(c(
    "{.arg data} has no row with all tests, a class and the {.field {given}} of the plan.",
    i = "Without {.field {given}} in {.arg data} all rows count as cases of the plan."
  ), call)
}

# What each rule does with the cases in the rows `used`: by rule list(action, steps, price).
follow_rules <- function(plan, read, used, threads, call) {
  setup <- plan$setup
  cover <- all_tests(setup$tests)
  rules <- c(
    "plan", "now", if (!is.na(cover$price)) "all", if (!is.na(plan$myopic)) "myopic"
  )
  given <- read_given_case(setup$object, setup$given, call)
  problem <- tests_problem(setup, given, call)
  joint <- score(setup$object, given, "log_joint", setup$prior, NULL, threads, call)
  values <- lapply(values_of_cases(setup$object, read$frame), `[`, used)
  # What is neither tested nor given is not known, also if the data have it.
  known <- c(features_of_tests(setup$tests), match(names(setup$given), names(values)))
  cases <- frame_of_values(setup$object, values, known)
  followed <- call_engine(follow_strategies_cpp(
    problem$model, problem$frame, setup$cost$fixed, problem$units, joint[1L, ], cases, rules,
    steps_allowed(setup), plan$round, threads
  ), call)
  names(followed) <- rules
  # All tests at once need one visit, and the cheapest prices.
  if (!is.na(cover$price)) {
    followed$all$price[] <- if (length(setup$tests$test)) cover$price + setup$visit else 0
    followed$all$steps[] <- cover$steps
  }
  tree <- if (has_loss(plan)) follow_tree(plan, values, threads, call)
  append(followed, if (!is.null(tree)) list(tree = tree), 1L)
}

# The rules as decisions whose actions are what was decided and what was paid.
compare_followed <- function(followed, setup, truth, design, interval, threads, call) {
  cost <- setup$cost
  pairs <- lapply(followed, function(f) paste(f$action, formatC(f$price, digits = 15L)))
  all <- unique(unlist(pairs))
  first <- match(all, unlist(pairs))
  action <- unlist(lapply(followed, `[[`, "action"))[first]
  price <- unlist(lapply(followed, `[[`, "price"))[first]
  fixed <- cost$fixed[action, , drop = FALSE] + price
  rownames(fixed) <- all
  paid <- new_read_cost(fixed, list(cell = integer(), value = list()), cost$origin)
  believed <- lapply(pairs, function(p) list(decision = match(p, all), truth = truth, cost = paid))
  compare_on_data(believed, design, interval, threads, call)$columns
}

#' @export
describe.bayesrisk_plan_assessment <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  gains <- are_gains(x$cost, attr(x, "cost_origin"))
  left <- attr(x, "left_out")
  list(
    title_item(paste("test plan on", count_of(attr(x, "cases"), "case", "cases"))),
    table_item(gain_columns(plain_frame(x), gains), keys = 1L),
    if (left > 0) {
      answers_item(paste(
        count_of(left, "row", "rows"),
        "left out: a test or the class is missing, or the plan was given another value"
      ))
    }
  )
}
