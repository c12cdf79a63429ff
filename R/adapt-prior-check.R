# Whether single features contradict the prior that all features together give: see
# estimate_prior().

# NULL if nothing was tested.
compare_single_features <- function(pieces, request, clusters, call) {
  samples <- Filter(function(sample) sample$rows > 0, lapply(pieces, `[[`, "sample"))
  if (!length(samples)) return(NULL)
  found <- call_engine(prior_check_cpp(
    samples, request$start, request$cases, length(request$features), clusters,
    request$threads
  ), call)
  if (!length(found)) return(NULL)
  p <- prior_p_value(found$statistic, found$degrees, clusters)
  prior <- t(found$prior)
  colnames(prior) <- alone_columns(request$classes)
  data.frame(
    feature = names(request$model$schema$features)[request$features], statistic = found$statistic,
    df = found$degrees, p_value = ifelse(is.na(p), 1, p), prior, check.names = FALSE
  )
}

# Chi-squared; with clusters, of Hotelling's statistic. NA without a degree of freedom.
prior_p_value <- function(statistic, df, clusters) {
  tested <- df > 0L & (clusters == 0L | clusters > df)
  inner <- ifelse(tested, clusters - df, 1L)
  p <- if (clusters == 0L) {
    stats::pchisq(statistic, df, lower.tail = FALSE)
  } else {
    stats::pf(statistic * inner / (df * (clusters - 1)), df, inner, lower.tail = FALSE)
  }
  ifelse(tested, p, NA_real_)
}

alone_columns <- function(classes) paste0("prior_", classes)

# One in a thousand right models is named.
least_p_value <- 0.001

# The feature with the smallest p-value, if it contradicts the estimate; NULL otherwise.
contradiction <- function(x) {
  if (is.null(x$check)) return(NULL)
  first <- which.min(x$check$p_value)
  if (x$check$p_value[[first]] * nrow(x$check) < least_p_value) x$check[first, ]
}

warn_contradiction <- function(x, tempered, call) {
  found <- contradiction(x)
  if (is.null(found)) return(invisible())
  own <- stats::setNames(unlist(found[alone_columns(names(x$prior))]), names(x$prior))
  shown <- utils::head(order(abs(own - x$prior), decreasing = TRUE), 3L)
  values <- function(p) format_numbers(signif(p[sort(shown)], 2L))
  alone <- values(own)
  all <- values(x$prior)
  p <- format(signif(found$p_value, 2L))
  remedy <- if (tempered) {
    "The model is tempered: model dependent features in one block, or leave features out."
  } else {
    "{.fn temper} the model, with {.code bias = TRUE}, and estimate again; or model dependent
     features in one block."
  }
  warn_bayesrisk(c(
    "The model is not calibrated enough for this estimate, or the features of a class have changed:
     single features contradict it.",
    x = "By {.field {found$feature}} alone: {alone}. By all features: {all} (p = {p}).",
    i = remedy
  ), "calibration", call, feature = found$feature)
}

# How an estimated prior is shown.

#' @export
describe.bayesrisk_prior <- function(x, show) {
  number <- function(v) format(v, digits = show$digits)
  used <- sprintf(
    "From %s%s.", count_of(x$rows[["used"]], "row", "rows"),
    if (x$clusters > 0L) paste(" of", count_of(x$clusters, "cluster", "clusters")) else ""
  )
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
    gains <- shows_gains(x, c(x$cost_kept, x$cost_new))
    sprintf(
      "%s per case: %s if the model's prior is kept, %s with this one.", gain_words("Cost", gains),
      number(gain_numbers(x$cost_kept, gains)), number(gain_numbers(x$cost_new, gains))
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
