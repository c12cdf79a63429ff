#' Which feature to measure next
#'
#' For a partly known case: the expected saving from measuring each unknown feature before the
#' decision, and whether the saving exceeds the price. The result looks one step ahead (a myopic
#' choice of tests): each feature is evaluated on its own, as the last feature to be measured.
#'
#' @inheritParams break_even
#' @param object A fitted or known model.
#' @param newdata The cases, as in [predict()][predict.bayesrisk_model]; their
#'   unknown features are `NA`. `NULL`, or left out: one case without known features.
#' @param price The price of measuring a feature, in the unit of `cost`: one
#'   number for all, or numbers named by feature.
#' @param features The features that can be measured. Default: all.
#' @param prior Prior probabilities to use instead of the model's: named by class, or in class
#'   order, or `"uniform"`.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' The cost after a feature \eqn{f} was seen is
#' \deqn{E_{f}\left[ \min_a \sum_k p(k \mid x, f)\, C(a, k) \mid x \right],}{%
#'   E[ min_a sum_k p(k | x, f) C(a, k) | x ],}
#' the mean over the distribution of \eqn{f} given the known features. For a categorical feature it
#' is a sum over the levels. For a numeric feature it is an integral over the decision regions, in
#' closed form between their exact cuts. In a joint block the distribution of the feature is
#' conditional on the known features of its block. The cost after measuring is never above the cost
#' now. A feature that cannot change the decision has the same cost before and after.
#'
#' @concept test selection
#' @concept value of information
#' @return A data frame of class `bayesrisk_next_feature`, a row for each case and
#'   feature that is `NA` there:
#'   * `row`: the position of the case in `newdata`;
#'   * `case`: the name of the case, if `newdata` has row names of its own;
#'   * `feature`: the name of the feature;
#'   * `cost_now`: the expected cost of deciding now;
#'   * `cost_after`: the expected cost of deciding after the feature was seen,
#'     without its price;
#'   * `price`: the price of the feature;
#'   * `saving`: `cost_now - cost_after - price`;
#'   * `best`: whether this feature has the largest saving of the case and the saving is
#'     positive. If a case has no best feature, decide now.
#'
#'   A completely known case has no row; `print()` reports it. For a case without a posterior, or
#'   whose cost is `NA`, the costs are `NA`, with a warning as in
#'   [predict()][predict.bayesrisk_model]. A feature with a level that the model does not know
#'   counts as measured, so it has no row.
#' @inheritSection break_even Errors
#' @references
#' R. A. Howard (1966), Information value theory, *IEEE Transactions on Systems
#' Science and Cybernetics* 2(1), 22-26.
#' @source The example is the classifier of the lecture "Naive Bayes Learning (after
#'   Mooney)".
#' @seealso [value_of_information()] for the mean over all cases of a model.
#' @examples
#' bags <- bayes_known(
#'   prior = c(positive = 0.5, negative = 0.5),
#'   size = rbind(positive = c(small = 0.4, medium = 0.1, large = 0.5),
#'                negative = c(0.4, 0.2, 0.4)),
#'   colour = rbind(positive = c(red = 0.9, blue = 0.05, green = 0.05),
#'                  negative = c(0.3, 0.3, 0.4)),
#'   shape = rbind(positive = c(square = 0.05, triangle = 0.05, circle = 0.9),
#'                 negative = c(0.4, 0.3, 0.3))
#' )
#' cases <- data.frame(
#'   size = c("medium", NA, "small"), colour = c("red", "red", NA), shape = c(NA, NA, "square")
#' )
#' cost <- cost_matrix(take = c(positive = 0, negative = 4), leave = c(positive = 2, negative = 0))
#' steps <- next_feature(bags, cases, cost, price = 0.1)
#' steps
#' as.data.frame(steps)
#' @export
next_feature <- function(object, newdata = NULL, cost = NULL, prior = NULL, price = 0,
                         features = NULL, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_model(maybe(object), call)
  check_no_bag(object, call)
  prior <- predict_prior(object, prior, call)
  read <- known_rows(object, newdata, call)
  cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  threads <- check_threads(threads, call)
  known <- names(object$schema$features)
  asked <- asked_features(object, features, call)
  price <- read_price(price, known, known[asked], call)
  worth <- worth_of_features(object, read, prior, cost, asked, threads, call)
  next_steps(worth, known[asked], price, read$row_names)
}

# The positions of the requested features, in the order of the model.
asked_features <- function(object, features, call) {
  known <- names(object$schema$features)
  asked <- check_drawn_features(object, features, call)
  if (is.null(asked)) seq_along(known) else sort(match(asked, known))
}

# Cases x features; NaN where a feature is known.
worth_of_features <- function(object, read, prior, cost, asked, threads, call) {
  numeric <- feature_kinds(object$schema)[asked] == "numeric"
  check_short_sums(object, names(object$schema$features)[asked[numeric]], call)
  worth <- call_engine(
    next_feature_cpp(engine_model(object, prior), read$frame, cost, asked, threads), call
  )
  report_rows(worth$report, object, prior, read$frame, call)
  worth
}

# The price of each requested feature.
read_price <- function(price, known, asked, call) {
  price <- check_numbers(price, "price", min = 0, call = call)
  if (is.null(names(price)) && length(price) == 1L) return(rep(price, length(asked)))
  if (is.null(names(price))) {
    abort_argument(
      "{.arg price} must be one number, or numbers named by feature, not {length(price)} numbers
       without names.", call
    )
  }
  check_known_features(names(price), known, "price", call)
  missing <- setdiff(asked, names(price))
  if (length(missing)) abort_argument("{.arg price} has no price for {.field {missing}}.", call)
  unname(price[asked])
}

# One row for each unknown feature, case by case. `cases`: the names of the cases, or NULL.
next_steps <- function(worth, features, price, cases) {
  unknown <- which(t(worth$unknown) == 1L)
  row <- (unknown - 1L) %/% length(features) + 1L
  feature <- (unknown - 1L) %% length(features) + 1L
  of <- function(m) open_as_na(m)[cbind(row, feature)]
  saving <- of(worth$value) - price[feature]
  # The best feature of a case has the largest saving. Ties go to the first feature.
  order <- order(row, -saving, feature)
  first <- order[!duplicated(row[order])]
  cases <- own_names(cases)
  steps <- data.frame(
    case_columns(row, cases), feature = features[feature], cost_now = of(worth$now),
    cost_after = of(worth$after), price = price[feature], saving = saving,
    best = seq_along(row) %in% first & !is.na(saving) & saving > 0
  )
  structure(
    steps, cases = nrow(worth$now), names_of_cases = cases,
    class = c("bayesrisk_next_feature", "bayesrisk_result", "data.frame")
  )
}

#' @export
format.bayesrisk_next_feature <- function(x, digits = NULL, ...) {
  digits <- check_digits(digits)
  unless_damaged(
    next_sentences(x, seq_len(attr(x, "cases")), digits), rlang::current_env()
  )
}

# One sentence for each case: the recommended next step.
next_sentences <- function(x, cases, digits) {
  number <- function(v) format(v, digits = digits)
  steps <- plain_frame(x)
  said <- vapply(cases, function(i) {
    mine <- which(steps$row == i)
    if (!length(mine)) return("decide now (nothing is left to measure)")
    if (is.na(steps$cost_now[[mine[[1L]]]])) return("no posterior, or no cost")
    step <- steps[mine[steps$best[mine]], ]
    if (!nrow(step)) return("decide now (nothing saves more than its price)")
    sprintf(
      "measure %s (cost %s now, %s after, price %s: saves %s)", step$feature,
      number(step$cost_now), number(step$cost_after), number(step$price), number(step$saving)
    )
  }, "")
  names <- attr(x, "names_of_cases")
  name <- if (is.null(names)) "" else sprintf(" (%s)", encodeString(names[cases]))
  sprintf("row %d%s: %s", cases, name, said)
}

#' @export
describe.bayesrisk_next_feature <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  cases <- attr(x, "cases")
  first <- next_sentences(x, seq_len(min(cases, most_answers(show))), show$digits)
  list(
    title_item(paste("next feature of", count_of(cases, "case", "cases"))),
    answers_item(first, c("case", "cases"), cases),
    table_item(plain_frame(x), keys = match("feature", names(x)))
  )
}
