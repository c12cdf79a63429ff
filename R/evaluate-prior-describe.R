# How an estimated prior is shown.

#' @export
describe.bayesrisk_prior <- function(x, show) {
  number <- function(v) format(v, digits = show$digits)
  used <- sprintf("From %s.", count_of(x$rows[["used"]], "row", "rows"))
  lost <- x$rows[-1L][x$rows[-1L] > 0]
  left <- if (length(lost)) {
    sprintf("Left out: %s.", toString(paste(format_count(lost), lost_words[names(lost)])))
  }
  tested <- if (!is.na(x$test$p_value)) {
    sprintf(
      "Likelihood ratio test of the model's prior: %s on %s, p = %s.", number(x$test$statistic),
      count_of(x$test$df, "degree of freedom", "degrees of freedom"),
      format(signif(x$test$p_value, 2L))
    )
  }
  costs <- if (!is.na(x$cost_kept)) {
    sprintf(
      "Cost per case: %s if the model's prior is kept, %s with this one.", number(x$cost_kept),
      number(x$cost_new)
    )
  }
  doubt <- if (!is.null(contradiction(x))) {
    sprintf("They do not hold: %s contradicts the model, see `check`.",
            encodeString(contradiction(x)$feature, quote = "`"))
  }
  level <- paste(interval_name(x$level), training_words[[x$training]])
  list(
    title_item("estimated prior"),
    sentences_item(paste(c(used, left, level, doubt), collapse = " ")),
    table_item(result_rows(x, show$call), c("class", "classes")),
    sentences_item(c(tested, costs))
  )
}

training_words <- c(
  draws = "by profile likelihood, with the sampling error of the training rows.",
  bound = "by profile likelihood, with an upper bound of the sampling error of the training rows.",
  known = "by profile likelihood.",
  "not included" =
    "by profile likelihood, without the sampling error of the training rows: give `trained_n`."
)

lost_words <- c(
  missing = "without values", infinite = "with an infinite number",
  impossible = "impossible under every class"
)

#' @export
result_rows.bayesrisk_prior <- function(x, call) {
  classes <- names(x$prior)
  data.frame(
    class = factor(classes, classes), prior = unname(x$prior), lower = unname(x$lower),
    upper = unname(x$upper), model = unname(x$model)
  )
}
