#' Which feature to measure next
#'
#' For a partly known case: the expected saving from measuring each unknown feature before the
#' decision, and whether the saving exceeds the price. The result looks one step ahead (a myopic
#' choice of tests): each feature is evaluated on its own, as the last feature to be measured. Where
#' no single feature pays, all together are evaluated, too.
#'
#' @inheritParams break_even
#' @param object A fitted or known model.
#' @param newdata The cases, as in [predict()][predict.bayesrisk_model]; their
#'   unknown features are `NA`. `NULL`, or left out: one case without known features.
#' @param price The price of measuring a feature, in the unit of `cost`: one
#'   number for all, or numbers named by feature.
#' @param features The features that can be measured. Default: all but bags of terms
#'   ([bayes_text()]), which are known in each case.
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
#' A [tempered][temper] model begins with its tempered posterior, so `cost_now` is the cost of
#' [decide()]. The density of an unknown feature is to the power of its block, divided by its
#' integral, also where other features of its block are known. After the measurement [decide()]
#' multiplies with the power without this divisor, so `cost_after` is not the mean of its costs.
#'
#' @concept test selection
#' @concept value of information
#' @concept myopic value of information
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
#'     positive.
#'
#'   If a case has no best feature, all of its unknown features together may still save more than
#'   they cost: two tests may decide what neither decides alone. `print()` says so, and `tidy()`
#'   adds `cost_all`, the expected cost after all unknown features were seen, as [bayes_risk()]
#'   computes it, and `price_all`, their price. Both are `NA` where a joint block has known and
#'   unknown features, and for tempered densities that are no normals, gammas or tables.
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
  tell_other_scores(object, "plugin")
  prior <- predict_prior(object, prior, call)
  asked <- asked_features(object, features, call)
  read <- known_rows(object, newdata, call)
  cost <- read_cost(cost, object$schema$classes$levels, newdata, read$frame$rows, call)
  threads <- check_threads(threads, call)
  known <- names(object$schema$features)
  price <- read_price(price, known, known[asked], call)
  worth <- worth_of_features(object, read, prior, cost, asked, threads, call)
  steps <- next_steps(worth, known[asked], price, read$row_names)
  # What seeing all unknown features would cost is computed when it is asked for.
  attr(steps, "together") <- list(
    object = object, cost = cost, threads = threads,
    posterior = suppressWarnings(score(object, read, "prob", prior, NULL, threads, call))
  )
  steps
}

# The positions of the requested features, in the order of the model. A case has all terms of a bag,
# so a bag is neither asked nor changed.
asked_features <- function(object, features, call) {
  known <- names(object$schema$features)
  bags <- bags_of(object$schema$features)
  asked <- check_drawn_features(object, features, call)
  if (is.null(asked)) asked <- if (setequal(known, bags)) known else setdiff(known, bags)
  check_no_bag_asked(intersect(asked, bags), setdiff(known, bags), call)
  sort(match(asked, known))
}

check_no_bag_asked <- function(bags, others, call) {
  if (!length(bags)) return(invisible())
  abort_argument(c(
    "{.field {bags}} {?is a bag/are bags} of terms, known in each case as a whole.",
    i = if (length(others)) {
      "{.arg features} can name the other features: {.field {utils::head(others, 20L)}}."
    } else {
      "The model has no other features."
    },
    i = "{.fn top_features} and {.fn contributions} show what terms say."
  ), call)
}

# Cases x features; NaN where a feature is known.
worth_of_features <- function(object, read, prior, cost, asked, threads, call) {
  if (is_tempered(object)) check_integrals(object, asked, call)
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

# The expected cost of deciding after all unknown features of each case were seen, and their price:
# data.frame(row, cost_all, price_all, accuracy). NA where a block has seen and unknown features
# (given those that were seen, it is not the density of the model), or powers without a closed form.
cost_of_all <- function(steps, rows) {
  together <- attr(steps, "together")
  object <- without_bags(together$object)
  power <- feature_powers(object)
  world <- powered_model(object)
  settings <- list(method = NULL, tolerance = NULL, seed = 1L, threads = together$threads)
  places <- match(steps$feature, names(object$schema$features))
  found <- vapply(rows, function(i) {
    mine <- which(steps$row == i)
    open <- places[mine]
    # Features to the power 0 say nothing.
    seen <- open[power[open] > 0]
    unknown <- is.na(steps$cost_now[[mine[[1L]]]]) || splits_block(object, open) ||
      any(seen %in% world$open)
    if (unknown) return(c(NA, NA, NA))
    cost <- cost_of_case(together$cost, i)
    own <- new_world(world$model, together$posterior[i, ], seen)
    risk <- compute_risk(own, cost, settings, NULL)
    c(risk$total, sum(steps$price[mine]), risk$accuracy)
  }, c(1, 1, 1))
  data.frame(
    row = rows, cost_all = found[1L, ], price_all = found[2L, ], accuracy = found[3L, ]
  )
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
  rows <- split(seq_len(nrow(steps)), factor(steps$row, cases))
  said <- vapply(cases, function(i) {
    mine <- rows[[as.character(i)]]
    if (!length(mine)) return("decide now (nothing is left to measure)")
    if (is.na(steps$cost_now[[mine[[1L]]]])) return("no posterior, or no cost")
    step <- steps[mine[steps$best[mine]], ]
    if (!nrow(step)) return(say_together(x, i, length(mine), number))
    say_step(
      sprintf("measure %s (", step$feature), step$cost_now, step$cost_after, step$price,
      step$saving, number, next_gains(x)
    )
  }, "")
  names <- attr(x, "names_of_cases")
  name <- if (is.null(names)) "" else sprintf(" (%s)", encodeString(names[cases]))
  sprintf("row %d%s: %s", cases, name, said)
}

# Where no single feature of case `i` saves its price, all `unknown` ones together may.
say_together <- function(x, i, unknown, number) {
  if (unknown == 1L) {
    return(sprintf("decide now (%s saves no more than its price)", x$feature[match(i, x$row)]))
  }
  all <- cost_of_all(x, i)
  if (is.na(all$cost_all)) return("decide now, or measure several (none alone pays)")
  now <- x$cost_now[[match(i, x$row)]]
  saving <- now - all$cost_all - all$price_all
  # An infinite cost that stays is no saving.
  if (!isTRUE(saving > 2 * all$accuracy)) {
    return("decide now (none alone pays, nor do all together)")
  }
  say_step(
    sprintf("measure several (none alone pays; all %d: ", unknown), now, all$cost_all,
    all$price_all, saving, number, next_gains(x)
  )
}

# Whether a print shows gains: the cases together gain something now.
next_gains <- function(x) {
  are_gains(sum(x$cost_now[is.finite(x$cost_now)]), attr(x, "together")$cost$origin)
}

# What measuring does to the expected cost.
say_step <- function(begin, now, after, price, saving, number, gains) {
  sprintf(
    paste0("%s", gain_words("cost", gains), " %s now, %s after, price %s: saves %s)"), begin,
    number(gain_numbers(now, gains)), number(gain_numbers(after, gains)), number(price),
    number(saving)
  )
}

#' @rdname next_feature
#' @param x,... A result of `next_feature()`.
#' @export
tidy.bayesrisk_next_feature <- function(x, ...) {
  check_no_dots(...)
  steps <- as.data.frame(x)
  if (is_part(x)) return(steps)
  all <- unless_damaged(cost_of_all(x, unique(steps$row)), rlang::current_env())
  cbind(steps, all[match(steps$row, all$row), c("cost_all", "price_all")])
}

#' @export
describe.bayesrisk_next_feature <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  cases <- attr(x, "cases")
  first <- unless_damaged(
    next_sentences(x, seq_len(min(cases, most_answers(show))), show$digits), show$call
  )
  list(
    title_item(paste("next feature of", count_of(cases, "case", "cases"))),
    answers_item(first, c("case", "cases"), cases),
    table_item(gain_columns(plain_frame(x), next_gains(x)), keys = match("feature", names(x)))
  )
}
