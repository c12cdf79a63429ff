# A guarantee as sentences.

#' @export
describe.bayesrisk_guarantee <- function(x, show) {
  check_unchanged(is_sound_guarantee(x) && is.data.frame(x$points), "guarantee", show$call)
  number <- function(v) format(v, digits = show$digits)
  list(
    title_item("guarantee: a bound on the cost of what is decided"),
    sentences_item(c(promise_sentence(x), rule_sentence(x, number), assumption(x))),
    if (!is.null(x$keys)) table_item(x$groups, c("group", "groups"), keys = length(x$keys))
  )
}

# The bound, its probability, and the cases for which it holds.
promise_sentence <- function(x) {
  cases <- count_of(sum(x$groups$cases), "case", "cases")
  likely <- paste(format(100 * (1 - x$delta), digits = 10L), "%")
  bound <- format(x$bound, digits = 10L)
  measure <- paste(bounded_measure(x), if (x$of_errors) "among" else "of")
  groups <- nrow(x$groups)
  where <- if (groups > 1L) sprintf(" in each of %s groups", format_count(groups)) else ""
  if (all(x$groups$threshold == -Inf)) {
    return(sprintf(
      paste(
        "No threshold passed the test of a bound of %s, with probability %s over samples of %s:",
        "the action of every case is %s. It takes %s or more%s to pass."
      ),
      bound, likely, cases, encodeString(x$refer, quote = "\""),
      count_of(x$fewest, "decided case", "decided cases"), if (groups > 1L) " of a group" else ""
    ))
  }
  sprintf(
    paste(
      "With probability %s over samples of %s, the %s the cases that the rule decides%s is at",
      "most %s."
    ),
    likely, cases, measure, where, bound
  )
}

bounded_measure <- function(x) if (x$of_errors) "share of errors" else "mean cost"

rule_sentence <- function(x, number) {
  refer <- encodeString(x$refer, quote = "\"")
  groups <- x$groups
  none <- groups$threshold == -Inf
  if (all(none)) return(failed_sentence(x, number))
  if (nrow(groups) == 1L) {
    return(sprintf(
      "It decides %s of the sample, with a %s of %s: %s.", percent_text(groups$decided),
      bounded_measure(x), number(groups$cost), guarantee_text(x, number)
    ))
  }
  decided <- stats::weighted.mean(groups$decided, groups$cases)
  c(
    sprintf("It decides %s of the sample.", percent_text(decided)),
    if (any(none)) {
      lost <- count_of(sum(none), "group", "groups")
      sprintf("In %s no threshold passed: the action of every case there is %s.", lost, refer)
    }
  )
}

# Why there is no rule: the first threshold that was tested failed.
failed_sentence <- function(x, number) {
  failed <- x$points[x$points$tested, ]
  if (nrow(failed) != 1L || nrow(x$groups) > 1L) return(NULL)
  sprintf(
    "The tests began with %s of the sample decided, with a %s of %s: p = %s is above %s.",
    percent_text(failed$decided), bounded_measure(x), number(failed$cost), number(failed$p_value),
    format(x$delta, digits = 10L)
  )
}

assumption <- function(x) {
  c(
    if (x$infinite) "Infinite costs are not part of the promise.",
    "It is a promise for cases like those of the sample; monitor() watches new ones."
  )
}

#' @export
result_rows.bayesrisk_guarantee <- function(x, call) x$groups
