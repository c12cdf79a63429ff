#' Search for blocks of dependent features
#'
#' Starts from the blocks of a specification, merges and splits blocks as long as that gains, and
#' returns the specification with the blocks found. The gain is the log evidence of the data given
#' the class, BIC, or the cost of decisions on held-out rows.
#'
#' @inheritParams cv_risk
#' @param object A specification: [bayes_naive()] starts from single features, [bayes_blocks()] from
#'   its blocks, [bayes_full()] from one block of each kind. All its settings are kept.
#' @param formula `class ~ features`, as in [fit()][fit.bayesrisk_spec].
#' @param data A data frame, tibble, data.table, or a matrix with column names; or chunks, parts or
#'   a lazy table, see Details.
#' @param cost For `criterion = "cost"`: the cost of each action under each true class, see
#'   [cost_matrix()]. The default is 0-1 cost.
#' @param criterion What a move must gain: `"evidence"`, `"bic"`, or `"cost"`; see Details.
#' @param kinds The kinds of features whose blocks are searched: `"numeric"`, `"categorical"`, or
#'   both. Features of another kind stay as they are in `object`.
#' @param max_size The largest number of features in a block, 1 or more. With 1 there is nothing to
#'   merge.
#' @param folds As in [cv_risk()], for `criterion = "cost"`.
#'
#' @details
#' **The search** is greedy. A move merges two blocks of one kind, or splits a block of up to eight
#' features into any two parts; from a larger block one feature can leave. Each step makes the move
#' with the largest gain, until no move gains; of equal gains the first in the order of the formula.
#' If `object` has blocks, the evidence (or BIC) is also searched from single features, and the
#' better end is returned. With `"evidence"` and `"bic"` nothing is random, and neither the order of
#' rows and levels nor names and units change the blocks. Blocks that only pay as a whole can be
#' missed. No block holds a number and a category.
#'
#' All structures are equally probable beforehand, so with few rows and many features some pairs are
#' merged by chance: of 20 independent normal features of two classes, 4 of 190 pairs with 30 rows
#' in each class, and 1.4 with 100.
#'
#' **Evidence and BIC** are on the scale of log likelihoods, and add up over blocks and classes: see
#' the section below. A search by them reads the data once, or a few times.
#'
#' **Cost.** All moves are candidates of a [cv_risk()] on the same folds. The gain is the fall in
#' mean cost, and its 95 % interval must be above 0. A move that leaves more cases undecided is not
#' made. Each step scores the rows once per move: slow with many features. The best of many
#' estimates is too good, so estimate the cost of the result on other rows.
#'
#' **Features that stay.** With `"evidence"` and `"bic"` numeric features that are not normal stay
#' as they are, for example kernels and blocks with `joint`. With every criterion so do features
#' named in `features`, blocks named in `joint`, and categorical features that are smoothed by
#' level. The result names them. A numeric feature that is constant in a class counts as independent
#' there. Blocks whose covariance would be singular are not merged, for example copies of a feature;
#' the print names them.
#'
#' **What is read.** All numeric blocks are scored from one scatter matrix per class, and pairs of
#' categories from their tables, as in [feature_dependence()]. Larger tables are counted in a
#' further read at each step. Numeric blocks are compared on the rows in which no searched number is
#' missing, tables on those in which no searched category is; `"cost"` uses all rows. The print
#' counts reads and the rows left out.
#'
#' **Sources.** With `"evidence"` and `"bic"`, `data` may be chunks, parts or a lazy table
#' ([bayesrisk_sources]), whose rows are counted piece by piece: the result is that of the same rows
#' in memory. They are read once for the levels, once for all numbers, once for the rows in which
#' all categories are known, and then for tables as said above. `"cost"` reads them into memory, as
#' [cv_risk()] does.
#'
#' @return A specification with the structure of [bayes_blocks()] (perhaps without a block: then it
#'   is naive), of class `bayesrisk_search`. It prints with the path of the search.
#'   `as.data.frame()` gives the path, a row for each step:
#'   * `step`;
#'   * `change`: `"merge"` or `"split"`;
#'   * `first`, `second`: the blocks that were merged, or the parts of the block that was split;
#'   * `gain`: in log evidence or BIC (nats), or the fall in cost;
#'   * `score`: the log evidence of all searched features, their BIC, or the cost, after the step.
#'
#'   A fitted model does not keep the path.
#' @section Errors: as in [fit()][fit.bayesrisk_spec] for the data and the formula;
#'   `bayesrisk_error_argument` for a bad argument; `bayesrisk_error_data` if no row is complete, or
#'   if no held-out case can be decided;
#'   `bayesrisk_error_degenerate` if a block of `object` has a singular covariance.
#' @seealso [feature_dependence()] for the dependence of each pair, [cv_risk()] to compare the
#'   result with other specifications.
#' @export
#' @examples
#' found <- search_blocks(bayes_naive(), Species ~ ., iris)
#' found
#' as.data.frame(found)
#' fit(found, Species ~ ., iris)
#'
#' # Categories, up to three in a block
#' titanic <- as.data.frame(Titanic)
#' search_blocks(
#'   bayes_naive(categorical = likelihood_categorical(m = 1)), Survived ~ Class + Sex + Age,
#'   titanic, max_size = 3, weights = Freq
#' )
search_blocks <- function(object, formula, data, cost = NULL,
                          criterion = c("evidence", "bic", "cost"),
                          kinds = c("numeric", "categorical"), max_size = Inf, weights, subset,
                          na.action = stats::na.pass, # nolint: object_name_linter.
                          folds = 10, ..., threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_spec(maybe(object), call)
  criterion <- check_choice(criterion, c("evidence", "bic", "cost"), "criterion", call)
  kinds <- check_kinds(kinds, call)
  if (!identical(max_size, Inf)) {
    max_size <- check_whole_number(max_size, "max_size", min = 1, call = call)
  }
  threads <- check_threads(threads, call)
  data <- maybe(data)
  check_search_cost(criterion, c(cost = !is.null(cost), folds = !missing(folds)), call)
  asked <- fit_request(
    maybe(formula), rlang::enquo(weights), rlang::enquo(subset), na.action, threads
  )
  folds <- rlang::enquo(folds)
  read <- function(data) {
    read_cv_cases(
      list(list(spec = object, formula = asked$formula)), data,
      c(asked[c("weights", "subset")], list(folds = folds)), na.action, threads, call
    )
  }
  search <- function(cases) {
    check_single_features(cases, call)
    space <- search_space(object, cases$schema, kinds, criterion, call)
    check_start(space, max_size, call)
    by <- if (criterion == "cost") search_cost else search_evidence
    by(space, cases, list(criterion = criterion, cost = cost, data = data), max_size, call)
  }
  if (criterion != "cost") return(with_cases(data, asked, read, search, call))
  # Folds need all rows.
  columns <- used_columns(list(asked$formula), c(asked[c("weights", "subset")], folds), cost)
  data <- rows_in_memory(data, columns, call)
  search(read(data))
}

search_cost <- function(space, cases, asked, max_size, call) {
  cost <- read_cost(
    asked$cost, cases$schema$classes$levels, asked$data, length(cases$group), call, "data"
  )
  folds <- read_folds(cases$folds, TRUE, cases$group, sum(cases$class_rows), call)
  report_class_rows(cases$schema, cases$class_rows, call)
  judge <- cost_judge(
    space, cases, list(cost = cost, folds = folds, threads = cases$threads), call
  )
  new_search(search_moves(space, judge, max_size), space, "cost", list(), 0L)
}

search_evidence <- function(space, cases, asked, max_size, call) {
  criterion <- asked$criterion
  scorers <- block_scorers(space, cases, criterion, call)
  judge <- evidence_judge(space, scorers$score, sum(cases$class_rows), call)
  found <- search_moves(space, judge, max_size)
  if (any(lengths(space$start) > 1L)) {
    # Splits of a large block can end too early. The scores that were needed before are known.
    single <- replace(space, c("start", "given"), list(
      as.list(sort(unlist(space$start))), character()
    ))
    alone <- search_moves(single, judge, max_size)
    if (alone$end > found$end + judge$limit) found <- alone
  }
  reads <- if (is.null(scorers$reads)) 0L else scorers$reads()
  new_search(found, space, criterion, scorers$rows, reads)
}

check_kinds <- function(kinds, call) {
  if (is.character(kinds)) kinds <- unique(kinds)
  check_some(kinds, c("numeric", "categorical"), "kinds", call)
}

check_search_cost <- function(criterion, given, call) {
  given <- names(given)[given]
  if (criterion == "cost" || !length(given)) return(invisible())
  check_places(call)
  abort_argument(
    "{.arg {given}} {?is/are} for {.code criterion = \"cost\"}, not for {.val {criterion}}.", call
  )
}

# A specification that remembers its search in the attribute `search`.
new_search <- function(found, space, criterion, rows, reads) {
  pool <- found$pool
  spec <- with_blocks(space, pool$blocks[pool$alive], pool$given[pool$alive])
  refused <- found$moves[found$moves$refused & criterion != "cost" & found$moves$gain > 0, ]
  named <- function(numbers) block_labels(pool$blocks[numbers], space$labels)
  structure(
    spec,
    search = list(
      path = found$path, criterion = criterion, start = found$start,
      searched = c(table(space$kinds[unlist(space$start)])), rows = rows, reads = reads,
      closed = space$closed[!is.na(space$closed)],
      refused = sprintf("%s and %s", named(refused$first), named(refused$second))
    ),
    class = c("bayesrisk_search", class(spec))
  )
}

#' @export
describe.bayesrisk_search <- function(x, show) {
  search <- attr(x, "search")
  path <- search$path
  path$score <- NULL
  list(
    sentences_item(format(x)),
    heading_item(search_title(search)),
    table_item(path, c("step", "steps")),
    sentences_item(search_notes(search))
  )
}

#' @export
result_rows.bayesrisk_search <- function(x, call) {
  path <- attr(x, "search")$path
  check_unchanged(is_sound_spec(x) && is.data.frame(path), "specification", call)
  path
}

search_title <- function(search) {
  by <- switch(search$criterion,
    evidence = "log evidence", bic = "BIC", cost = "out-of-fold cost"
  )
  counted <- sprintf("%s %s", format_count(search$searched), names(search$searched))
  if (!length(counted)) return("search: no feature can change its block")
  sprintf("search by %s (features: %s)", by, paste(counted, collapse = ", "))
}

search_notes <- function(search) {
  left <- vapply(search$rows, function(rows) rows[["left"]], 1)
  left <- left[left > 0]
  reasons <- split(names(search$closed), search$closed)
  path <- search$path
  c(
    if (!nrow(path)) "No merge and no split gains: the blocks stay as they are.",
    if (nrow(path)) search_total(search),
    if (length(left)) {
      sprintf("Left out, because a %s feature is missing: %s.", names(left),
              vapply(left, count_of, "", "row", "rows"))
    },
    if (length(search$closed)) {
      kept <- sprintf("%s (%s)", vapply(reasons, first_features, ""), names(reasons))
      sprintf("Kept as before: %s.", paste(kept, collapse = "; "))
    },
    if (length(search$refused)) {
      sprintf("Not merged, because the covariance would be singular: %s.", some_of(search$refused))
    },
    if (search$reads > 0L) {
      sprintf("Tables of three or more features took %s.",
              count_of(search$reads, "further read of the data", "further reads of the data"))
    }
  )
}

search_total <- function(search) {
  last <- search$path$score[[nrow(search$path)]]
  what <- switch(search$criterion,
    evidence = "Log evidence", bic = "-BIC / 2", cost = "Out-of-fold cost"
  )
  sprintf("%s: %s at the start, %s at the end.", what, format(search$start, digits = few_digits()),
          format(last, digits = few_digits()))
}
