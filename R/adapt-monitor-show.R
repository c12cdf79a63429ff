# How a monitor is shown.

#' @export
describe.bayesrisk_monitor <- function(x, show) {
  check_monitor(x, show$call)
  gains <- are_gains(c(x$cost_kept, x$cost_new), x$cost$origin)
  list(
    title_item("monitor of new rows"),
    sentences_item(c(rows_sentence(x), alarm_sentence(x, show), cost_sentence(x, show, gains))),
    if (x$rows[["read"]] > 0) {
      table_item(prior_rows(x), c("class", "classes"), "The shares of the classes now:")
    },
    table_item(
      ordered_evidence(x), c("share or feature", "shares and features"),
      sprintf("Evidence of a change, an alarm from %s on:", format(signif(1 / x$alpha, 3L))),
      digits = 2L, na = "-"
    ),
    sentences_item(c(monitor_words[[x$training]], unwatched_sentence(x)))
  )
}

rows_sentence <- function(x) {
  if (x$rows[["read"]] == 0) return("No rows yet.")
  lost <- x$rows[c("missing", "infinite", "impossible")]
  lost <- lost[lost > 0]
  sprintf(
    "%s, %s with a class%s.", count_of(x$rows[["read"]], "row", "rows"),
    if (x$rows[["labelled"]] == 0) "none" else format_count(x$rows[["labelled"]]),
    if (length(lost)) {
      paste0("; left out: ", toString(paste(format_count(lost), lost_words[names(lost)])))
    } else {
      ""
    }
  )
}

# A broken feature moves the apparent shares, too, but not the other way round.
alarm_sentence <- function(x, show) {
  if (!x$alarm) {
    return(sprintf(
      "No alarm: the new rows may come from the distribution of training (alpha = %s).",
      format(x$alpha, digits = show$given_digits)
    ))
  }
  features <- setdiff(x$cause, "shares")
  said <- sprintf(
    "Alarm at row %s; the change was at about row %s.", format_count(x$row),
    format_count(max(1, x$since))
  )
  named <- if (length(features)) {
    sprintf(
      "In the classes %s %s not distributed as in training, so shares and costs may be wrong.",
      some_of(encodeString(features, quote = "`")), if (length(features) > 1L) "are" else "is"
    )
  } else {
    "The shares of the classes have changed, or features in a way that looks alike."
  }
  paste(said, named)
}

cost_sentence <- function(x, show, gains) {
  if (is.na(x$size)) return(NULL)
  number <- function(v) format(gain_numbers(v, gains), digits = show$digits)
  sprintf(
    "Expected %s per row now: %s by the model's prior, %s by these shares. %s %s.",
    gain_words("cost", gains), number(x$cost_kept), number(x$cost_new), "Keeping the prior costs",
    format(x$size, digits = show$digits)
  )
}

prior_rows <- function(x) {
  classes <- names(x$prior)
  data.frame(
    class = factor(classes, classes), prior = unname(x$prior), lower = unname(x$lower),
    upper = unname(x$upper), model = unname(x$trained)
  )
}

# Alarms first, the strongest evidence first.
ordered_evidence <- function(x) {
  rows <- x$evidence
  rows <- rows[order(is.na(rows$alarm), -rows$evidence), ]
  rows$watched <- ifelse(rows$kind == "share", paste("share of", rows$watched), rows$watched)
  rows[setdiff(names(rows), "kind")]
}

monitor_words <- c(
  draws = "The evidence counts the sampling error of the training rows.",
  bound = "The evidence counts an upper bound of the sampling error of the training rows.",
  known = "The parameters of the model count as known.",
  reference = "New rows are compared with the reference, whose sampling error counts."
)

unwatched_sentence <- function(x) {
  if (!length(x$unwatched)) return(NULL)
  sprintf("Not watched: %s.", some_of(encodeString(x$unwatched, quote = "`")))
}

#' @export
result_rows.bayesrisk_monitor <- function(x, call) {
  check_monitor(x, call)
  x$evidence
}
