# The result of assess_decisions(by = ).

#' Assessments of segments
#'
#' `assess_decisions(by = c(sex, region))` assesses all cases together, and the cases of each
#' combination of sex and region: what decisions cost in each segment, how often they are wrong,
#' and whether the probabilities can be believed there. It also states the thresholds that give all
#' segments the same sensitivity, and what they cost.
#'
#' @details
#' A segment is assessed as if its cases were all cases, with the same seed. So each number and
#' interval equals that of [assess_decisions()] with the rows of the segment, but for the default of
#' `class`, which is that of all cases. With `prior`, each segment is weighted to this prior.
#'
#' **Differences.** `difference` is the mean cost of the segment minus that of the cases of all
#' other segments. Its interval follows from the intervals of both costs (Zou and Donner 2008). With
#' \eqn{S} segments the intervals have the level \eqn{1 - (1 - l) / S}, where \eqn{l} is `level`
#' (Bonferroni): all of them hold together with probability `level` or more. The print says that a
#' segment costs more, or less, only if its interval is on one side of 0 and `interval` is
#' `"bayes"`. There are no intervals if a cluster has cases in two segments. Segments are not
#' compared if 2,000 draws are too few for such intervals, so more than 50 segments at `level` 0.95.
#'
#' **Equal sensitivity.** The first `class` is decided from a threshold of its probability on, and
#' otherwise the most probable other class, as in [tune_threshold()]. The common threshold is the
#' one of least cost over all cases, that of `tune_threshold(metric = "cost")`. The threshold of a
#' segment is the largest one whose sensitivity is at least that of the common threshold, or
#' `sensitivity`. Cases without a segment, and segments without a case of the class, keep the common
#' threshold. With weights, or a `prior`, sensitivities and costs are weighted as all cases are.
#' Like every threshold that was chosen by few cases, these are too good for them, so the extra cost
#' has no interval: judge thresholds by other cases. `tune_threshold(metric = "specificity",
#' at_least = c(sensitivity = 0.9))` with the cases of a segment gives the threshold of the segment
#' as a rule for [`decide(rule = )`][decide].
#'
#' @return A list of class `bayesrisk_assessments`:
#'   * `all`: the assessment of all cases, with those that have no segment;
#'   * `segments`: a list of the assessments of segments, named by segment. A segment that cannot be
#'     assessed has none;
#'   * `by_segment`: a data frame with a row per segment: its keys; `n`; `cost`, `cost_lower`,
#'     `cost_upper`; `error`; `sensitivity`, `sensitivity_lower`, `sensitivity_upper` of the first
#'     `class`, `NA` without a case of it; `believed`; `gap`, the realised minus the believed cost
#'     (above 0: overconfident); `log_loss`; and `difference`, `lower`, `upper`, see Details;
#'   * `class`: the class of `sensitivity`; `keys`: the names of the keys; `missing`: the number of
#'     cases with a missing key, which are in no segment;
#'   * `problems`: why segments have no assessment, named by segment;
#'   * `apart`: whether no cluster has cases in two segments;
#'   * `equal_sensitivity`: a list, see Details; `NULL` without probabilities, without an action for
#'     each class, or without a case of the class:
#'       - `class`; `sensitivity`, to be reached; `threshold`, the common one of least cost;
#'       - `thresholds`: a data frame with a row per segment: its keys, `n`, `threshold`, and its
#'         `sensitivity` and `cost`; `common_sensitivity`, `common_cost`: those of the common
#'         threshold; `extra_cost`: `cost - common_cost`;
#'       - `cost`, `common_cost`, `extra_cost`: of all cases.
#'
#'   `tidy()` and [as.data.frame()] give `by_segment`. `glance()` has a row per segment: its keys
#'   and the columns of [glance()][glance.bayesrisk_assessment] of one assessment.
#' @section Errors: as [assess_decisions()]; `bayesrisk_error_argument` if `by` has no columns of
#'   `data`, or if all their values are missing. A segment that cannot be assessed is no error.
#' @references
#' M. Hardt, E. Price and N. Srebro (2016). Equality of opportunity in supervised learning.
#' *Advances in Neural Information Processing Systems* 29, whose equality of opportunity is equal
#' sensitivity.
#'
#' G. Y. Zou and A. Donner (2008). Construction of confidence limits about effect measures: a
#' general approach. *Statistics in Medicine* 27, 1693-1702.
#' @param x A result of `assess_decisions(by = )`.
#' @param ... Not used: any further argument is an error.
#' @seealso [assess_decisions()], [plot()][plot.bayesrisk_assessments], [bayesrisk_models] for a
#'   model per group
#' @examples
#' set.seed(1)
#' held_out <- cv_predict(bayes_naive(), am ~ hp + wt, mtcars, folds = 8)
#' cost <- cost_matrix("0" = c("0" = 0, "1" = 5), "1" = c("0" = 1, "1" = 0))
#' assessed <- assess_decisions(held_out, mtcars, cost, truth = am, by = c(engine = vs))
#' assessed
#' assessed$segments[["1"]]
#' tidy(assessed)
#' @name bayesrisk_assessments
NULL

# `found`: for each segment its assessment, or the text of an error.
new_assessments <- function(all, found, difference, segments, equal) {
  assessed <- vapply(found, is.list, NA)
  class <- all$class[[1L]]
  rows <- lapply(found, segment_row, class)
  structure(
    list(
      all = all, segments = found[assessed],
      by_segment = data.frame(
        segments$keys, do.call(rbind, unname(rows)), difference, check.names = FALSE
      ),
      class = class, keys = names(segments$keys), missing = segments$missing,
      problems = unlist(found[!assessed]), apart = attr(difference, "apart"),
      equal_sensitivity = equal, version = package_version_string
    ),
    class = c("bayesrisk_assessments", "bayesrisk_result")
  )
}

segment_row <- function(x, class) {
  if (!is.list(x)) {
    x <- list(n = 0, measures = data.frame(measure = character(), class = character()))
    x[c("cost", "lower", "upper", "error", "believed", "log_loss")] <- NA_real_
  }
  row <- x$measures$measure == "sensitivity" & x$measures$class %in% class
  sensitivity <- if (any(row)) unlist(x$measures[row, c("estimate", "lower", "upper")])
  if (is.null(sensitivity)) sensitivity <- rep(NA_real_, 3L)
  data.frame(
    n = x$n, cost = x$cost, cost_lower = x$lower, cost_upper = x$upper, error = x$error,
    sensitivity = sensitivity[[1L]], sensitivity_lower = sensitivity[[2L]],
    sensitivity_upper = sensitivity[[3L]], believed = x$believed,
    gap = open_as_na(x$cost - x$believed), log_loss = x$log_loss
  )
}

check_assessments <- function(x, call) {
  x <- up_to_date(x, "assessment", call)
  sound <- is.list(x) && inherits(x$all, "bayesrisk_assessment") && is.list(x$segments) &&
    is.data.frame(x$by_segment) && is_label_set(x$keys) &&
    all(c(x$keys, segment_columns) %in% names(x$by_segment)) && is_string(x$class) &&
    is.numeric(x$missing)
  if (!sound) abort_damaged("assessment", "it differs from what assess_decisions() makes", call)
  x
}

# The columns of `by_segment` after the keys.
segment_columns <- c(
  "n", "cost", "cost_lower", "cost_upper", "error", "sensitivity", "sensitivity_lower",
  "sensitivity_upper", "believed", "gap", "log_loss", "difference", "lower", "upper"
)

#' @export
result_rows.bayesrisk_assessments <- function(x, call) check_assessments(x, call)$by_segment

#' @rdname bayesrisk_assessments
#' @export
glance.bayesrisk_assessments <- function(x, ...) {
  call <- check_no_dots(...)
  x <- check_assessments(x, call)
  unless_damaged({
    rows <- do.call(rbind, unname(lapply(x$segments, glance)))
    at <- match(names(x$segments), group_labels(x$by_segment[x$keys]))
    data.frame(x$by_segment[at, x$keys, drop = FALSE], rows, check.names = FALSE, row.names = NULL)
  }, call)
}

#' @export
describe.bayesrisk_assessments <- function(x, show) {
  x <- check_assessments(x, show$call)
  gains <- are_gains(x$all$cost, x$all$cost_matrix)
  number <- function(v) format(v, digits = show$digits)
  title <- sprintf(
    "assessment of %s by %s: %s", count_of(nrow(x$by_segment), "segment", "segments"),
    paste(x$keys, collapse = " and "), count_of(x$all$n, "case", "cases")
  )
  c(
    list(
      title_item(title),
      table_item(segment_table(x, gains, show$digits), c("segment", "segments")),
      sentences_item(segment_notes(x, gains, number))
    ),
    describe_equal(x$equal_sensitivity, gains, number)
  )
}

# A row for all cases, and one for each segment.
segment_table <- function(x, gains, digits) {
  whole <- segment_row(check_assessment(x$all, NULL), x$class)
  rows <- rbind(whole, x$by_segment[names(whole)])
  text <- function(name) {
    cells <- rows[paste0(name, c("", "_lower", "_upper"))]
    names(cells) <- c("cost", "cost_lower", "cost_upper")
    cells <- gain_columns(cells, gains && name == "cost")
    ends <- lapply(cells[-1L], function(end) vapply(end, format, "", digits = digits))
    paste0(
      format(cells[[1L]], digits = digits),
      ifelse(is.na(cells[[2L]]), "", interval_text(ends[[1L]], ends[[2L]]))
    )
  }
  shown <- data.frame(
    segment = c("all", group_labels(x$by_segment[x$keys])), cases = rows$n, cost = text("cost"),
    error = rows$error, sensitivity = text("sensitivity"), gap = rows$gap,
    "log loss" = rows$log_loss, check.names = FALSE
  )
  names(shown)[[3L]] <- gain_words("cost", gains)
  shown[!vapply(shown, function(column) all(is.na(column) | column == "NA"), NA)]
}

# Notes on segments that the table cannot show, such as those without a case of the class.
segment_notes <- function(x, gains, number) {
  class <- encodeString(x$class)
  no_case <- vapply(x$segments, function(segment) {
    of_class <- as.character(segment$by_truth$truth) == x$class
    sum(segment$by_truth$n[of_class]) == 0
  }, NA)
  overconfident <- Filter(is_overconfident, lapply(x$segments, `[[`, "certain"))
  c(
    paste0(
      sprintf(
        gain_words("Cost: per case, with its %s %% interval; ", gains), format(100 * x$all$level)
      ),
      if (any(!is.na(x$by_segment$sensitivity))) sprintf("sensitivity: of %s; ", class),
      if (gains) "gap: believed gain minus gain." else "gap: cost minus believed cost."
    ),
    if (x$missing > 0) {
      sprintf(
        "%s no %s: in all, in no segment.", count_of(x$missing, "case has", "cases have"),
        paste(x$keys, collapse = " or no ")
      )
    },
    if (any(no_case)) {
      labels <- encodeString(names(no_case)[no_case], quote = "\"")
      sprintf("No case of %s: %s.", class, some_of(labels, 5L))
    },
    utils::head(sprintf("%s is not assessed: %s", names(x$problems), x$problems), 5L),
    utils::head(sprintf(
      "%s: %s.", names(overconfident), vapply(overconfident, certain_sentence, "")
    ), 5L),
    difference_notes(x, gains, number)
  )
}

# Which segments cost more than the others, or less, as far as intervals that hold together say so.
difference_notes <- function(x, gains, number) {
  table <- x$by_segment
  if (!x$apart) return("No segment is compared: clusters have cases in several segments.")
  if (x$all$interval != "bayes" || all(is.na(table$lower))) return(NULL)
  level <- format(100 * x$all$level)
  apart <- which(table$lower > 0 | table$upper < 0)
  if (!length(apart)) {
    return(sprintf(gain_words(paste(
      "No segment is shown to cost more or less than the other cases: the intervals of the",
      "differences hold together at %s %%, and contain 0."
    ), gains), level))
  }
  apart <- utils::head(apart[order(-abs(table$difference[apart]))], 5L)
  ends <- abs(cbind(table$lower, table$upper)[apart, , drop = FALSE])
  text <- function(values) vapply(values, number, "")
  c(
    sprintf(
      gain_words("%s costs %s than the other cases: %s per case%s.", gains),
      group_labels(table[apart, x$keys, drop = FALSE]),
      ifelse(xor(table$lower[apart] > 0, gains), "more", "less"),
      text(abs(table$difference[apart])),
      interval_text(text(pmin(ends[, 1L], ends[, 2L])), text(pmax(ends[, 1L], ends[, 2L])))
    ),
    sprintf("The intervals of the differences of all segments hold together at %s %%.", level)
  )
}
