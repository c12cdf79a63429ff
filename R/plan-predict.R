#' What a plan of tests does next
#'
#' For cases of which some tests are known, in any pattern: the next test, or the decision.
#'
#' @param object A plan of [test_plan()].
#' @param newdata A data frame with a row for each case; unknown tests are `NA`. What the plan was
#'   given need not be repeated.
#' @inheritParams bayesrisk_arguments
#' @return A data frame with a row for each case: `test`, the next test or panel, or `NA`; `action`,
#'   the decision, or `NA`; `cost`, the expected cost that is still to come by this rule. It is the
#'   least one if the plan is `exact`; otherwise it is an upper bound, whose tolerance is that of
#'   the plan for its own case, and may be larger for others. All are `NA` for a case
#'   without a posterior, with a warning.
#' @section Errors: `bayesrisk_error_argument` for what is no plan; those of
#'   [predict()][predict.bayesrisk_model] for `newdata`.
#' @seealso [assess_plan()] for the costs of cases whose class is known.
#' @examples
#' model <- bayes_known(
#'   prior = c(ill = 0.1, well = 0.9),
#'   first = rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8)),
#'   second = rbind(ill = c(pos = 0.9, neg = 0.1), well = c(0.2, 0.8))
#' )
#' cost <- cost_matrix(treat = c(ill = 0, well = 4), wait = c(ill = 8, well = 0))
#' plan <- test_plan(model, cost, price = 0.1)
#' predict(plan, data.frame(first = c(NA, "pos", "neg", "pos"), second = c(NA, NA, NA, "pos")))
#' @export
predict.bayesrisk_test_plan <- function(object, newdata, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  setup <- check_plan(object, call)$setup
  threads <- check_threads(threads, call)
  if (is.null(maybe(newdata))) abort_no_rows("newdata", call)
  read <- read_newdata(setup$object$schema, with_given(setup, newdata), call)
  if (!read$frame$rows) return(no_steps(0L))
  check_same_given(setup, read, call)
  found <- unless_damaged(next_steps_of_plan(object, read, threads, call), call)
  if (!is.null(own_names(read$row_names))) row.names(found) <- read$row_names
  found
}

# The next test or the action of each case, and its cost to come.
next_steps_of_plan <- function(plan, read, threads, call) {
  setup <- plan$setup
  rows <- read$frame$rows
  problem <- tests_problem(setup, read_given_case(setup$object, setup$given, call), call)
  known <- known_of_cases(setup$object, read$frame)
  check_known_blocks(setup, known, call)
  joint <- score(setup$object, read, "log_joint", setup$prior, NULL, threads, call)
  answered <- which(!rowSums(is.na(joint)) & rowSums(joint > -Inf, na.rm = TRUE) > 0)
  states <- vapply(
    problem$states, states_of_cases, integer(rows), known = known,
    levels = levels_of_cases(setup$object, read$frame)
  )
  states <- matrix(states, rows)
  check_states(setup, problem, states[answered, , drop = FALSE], call)
  # Raises the warning of cases without a posterior.
  if (length(answered) < rows) score(setup$object, read, "prob", setup$prior, NULL, threads, call)
  done <- vapply(seq_len(rows), function(i) steps_done(setup$tests, which(known[i, ])), 1L)
  most <- steps_allowed(setup)
  found <- call_engine(follow_plan_cpp(
    problem$model, problem$frame, setup$cost$fixed, problem$units, log(plan$prior),
    joint[answered, , drop = FALSE], states[answered, , drop = FALSE],
    as.integer(pmax(0, most - done[answered])), most,
    max(plan$round, finest_round), threads
  ), call)
  result <- no_steps(rows)
  result[answered, ] <- list(
    setup$tests$test[found$test], setup$cost$actions[found$action], found$cost
  )
  result
}

# A plan of large panels has only the cases that its tests lead to.
check_states <- function(setup, problem, states, call) {
  lost <- which(colSums(is.na(states)) > 0)
  if (!length(lost)) return(invisible())
  features <- unlist(lapply(problem$states[lost], `[[`, "features"))
  abort_argument(c(
    "{.arg newdata} knows only some of {.field {names(setup$object$schema$features)[features]}}, but
     the plan reads them together.",
    i = "{.code test_plan(given = )} has what is known before the tests."
  ), call)
}

no_steps <- function(rows) {
  data.frame(
    test = rep(NA_character_, rows), action = rep(NA_character_, rows), cost = rep(NA_real_, rows)
  )
}

# Cases may be far from the belief that a plan was made for, so they are not judged by a coarse
# rule.
finest_round <- 2L

# The number of steps that cases with these features have done: panels count once.
steps_done <- function(tests, known) {
  known <- intersect(known, features_of_tests(tests))
  steps <- 0L
  for (panel in tests$features[lengths(tests$features) > 1L]) {
    if (!length(known) || !all(panel %in% known)) next
    known <- setdiff(known, panel)
    steps <- steps + 1L
  }
  steps + length(known)
}

# The limit of the number of steps as the engine counts.
steps_allowed <- function(setup) {
  if (is.finite(setup$max_tests)) as.integer(setup$max_tests) else .Machine$integer.max
}

check_plan <- function(plan, call, arg = "object") {
  if (!inherits(plan, "bayesrisk_test_plan") || !is.list(plan$setup)) {
    abort_wanted(plan, arg, "a plan of {.fn test_plan}", call)
  }
  check_model(plan$setup$object, call)
  plan
}

# What the plan was given is known of each case, unless its column says otherwise.
with_given <- function(setup, newdata) {
  if (!is.data.frame(newdata)) return(newdata)
  for (name in names(setup$given)) {
    newdata[[name]] <- fill_missing(newdata[[name]], setup$given[[name]], nrow(newdata))
  }
  newdata
}

# A column with `value` in place of NA. Factors become text: R would put the code of one factor into
# another, and a factor does not take a level that it lacks.
fill_missing <- function(column, value, rows) {
  open <- is.na(column)
  if (all(open)) return(rep(value, rows))
  if (!any(open)) return(column)
  labels <- function(x) if (is.factor(x)) as.character(x) else x
  replace(labels(column), open, labels(value))
}

# For each feature that the plan was given, whether each case has this value.
same_as_given <- function(setup, read, call) {
  given <- names(setup$given)
  own <- values_of_cases(setup$object, read_given_case(setup$object, setup$given, call)$frame)
  Map(`%in%`, values_of_cases(setup$object, read$frame)[given], own[given])
}

# What tests of a joint block say depends on what the plan was given of the block.
check_same_given <- function(setup, read, call) {
  object <- setup$object
  tested <- features_of_tests(setup$tests)
  blocks <- lapply(Filter(is_joint, object$plan$banks), `[[`, "features")
  blocks <- Filter(function(block) any(block %in% tested), blocks)
  same <- same_as_given(setup, read, call)
  for (name in intersect(names(object$schema$features)[unlist(blocks)], names(same))) {
    if (all(same[[name]])) next
    abort_argument(c(
      "{.arg newdata} has another {.field {name}} than the plan was given, on which its tests
       depend.",
      i = "A plan for this value: {.code test_plan(given = )}."
    ), call)
  }
}

# Features of a joint block that the plan does not test change what its tests say, and numbers of a
# block are measured at once.
check_known_blocks <- function(setup, known, call) {
  tested <- features_of_tests(setup$tests)
  names <- names(setup$object$schema$features)
  for (own in joint_numbers(setup$object, tested)) {
    if (all(rowSums(known[, own, drop = FALSE]) %in% c(0L, length(own)))) next
    abort_argument(c(
      "{.arg newdata} knows only some of {.field {names[own]}}, which are measured at once.",
      i = "A case knows all of them or none; {.code NA} is what is not known yet."
    ), call)
  }
  for (bank in Filter(is_joint, setup$object$plan$banks)) {
    others <- setdiff(bank$features, c(tested, match(names(setup$given), names)))
    if (!any(bank$features %in% tested) || !any(known[, others])) next
    abort_argument(c(
      "{.arg newdata} knows {.field {names[others]}}, on which tests of the plan depend.",
      i = "{.code test_plan(given = )} has what is known before the tests."
    ), call)
  }
}
