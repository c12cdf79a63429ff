# Thresholds that give all segments the same sensitivity, and their cost.

check_equal_level <- function(sensitivity, by, call) {
  if (is.null(sensitivity)) return(NULL)
  if (is.null(by)) {
    abort_argument(
      "{.arg sensitivity} needs {.arg by}, the segments whose thresholds it sets.", call
    )
  }
  check_number(sensitivity, "sensitivity", 0, 1, call)
}

# `level`: the sensitivity to reach; NULL: that of the common threshold of least cost. The result is
# NULL without probabilities, without an action for each class, or without a case of the class.
equalise_segments <- function(believed, segments, all, level, call) {
  cost <- believed$cost
  posterior <- believed$posterior$columns[[1L]]$data
  classes <- cost$classes
  decides <- length(classes) > 1L && all(classes %in% cost$actions)
  if (is.null(posterior) || !decides) {
    if (is.null(level)) return(NULL)
    abort_argument(c(
      "{.arg sensitivity} needs probabilities, and an action for each class.",
      i = if (is.null(posterior)) "Decisions do not hold probabilities.",
      i = if (!decides) "{.arg cost} has no action for {.val {setdiff(classes, cost$actions)}}."
    ), call)
  }
  if (believed$logarithms) posterior <- exp(posterior)
  class <- all$class[[1L]]
  design <- case_design(believed, call)
  found <- call_engine(equal_sensitivity_cpp(
    posterior, replace(believed$truth, is.na(believed$decision), NA), cost,
    class_actions(cost, call), match(class, classes), design$weight, segments$of,
    nrow(segments$keys), if (is.null(level)) NA_real_ else level
  ), call)
  if (is.nan(found$all[1L, "sensitivity"])) return(NULL)
  new_equal_sensitivity(found, segments$keys, class, design$unit)
}

new_equal_sensitivity <- function(found, keys, class, unit) {
  own <- found$own
  common <- found$common_counts
  none <- is.nan(found$threshold)
  thresholds <- data.frame(
    keys, n = common[, "n"] * unit, threshold = open_as_na(found$threshold),
    sensitivity = ifelse(none, NA, own[, "sensitivity"]), cost = ifelse(none, NA, own[, "cost"]),
    common_sensitivity = open_as_na(common[, "sensitivity"]),
    common_cost = open_as_na(common[, "cost"]), check.names = FALSE
  )
  thresholds$extra_cost <- open_as_na(thresholds$cost - thresholds$common_cost)
  costs <- unname(found$all[, "cost"])
  list(
    class = class, sensitivity = found$sensitivity, threshold = found$common,
    thresholds = thresholds, cost = costs[[2L]], common_cost = costs[[1L]],
    extra_cost = open_as_na(costs[[2L]] - costs[[1L]])
  )
}

describe_equal <- function(x, gains, number) {
  if (is.null(x)) return(NULL)
  table <- x$thresholds
  keys <- setdiff(names(table), equal_columns)
  shown <- data.frame(segment = group_labels(table[keys]), table[setdiff(equal_columns, "n")])
  of_cost <- grep("cost", names(shown))
  shown[of_cost] <- lapply(shown[of_cost], gain_numbers, gains)
  money <- function(v) number(gain_numbers(v, gains))
  names(shown) <- gain_words(chartr("_", " ", names(shown)), gains)
  list(
    heading_item(paste("Thresholds of equal sensitivity, of", encodeString(x$class))),
    table_item(shown, c("segment", "segments")),
    sentences_item(c(
      sprintf(
        gain_words("One threshold for all, %s, has the %s cost: %s per case.", gains),
        number(x$threshold), if (gains) "largest" else "least", money(x$common_cost)
      ),
      equal_sentence(x, gains, number, money),
      "They are chosen by these cases, so judge them by others."
    ))
  )
}

equal_columns <- c(
  "n", "threshold", "sensitivity", "cost", "common_sensitivity", "common_cost", "extra_cost"
)

equal_sentence <- function(x, gains, number, money) {
  change <- if (is.na(x$extra_cost)) {
    ""
  } else if (x$extra_cost == 0) {
    ", the same"
  } else {
    more <- xor(x$extra_cost > 0, gains)
    sprintf(", %s %s", number(abs(x$extra_cost)), if (more) "more" else "less")
  }
  said <- "Thresholds that give each segment a sensitivity of at least %s cost %s per case%s."
  sprintf(gain_words(said, gains), number(x$sensitivity), money(x$cost), change)
}
