# In reports of knitr: what the results of questions about decisions consist of, see
# report-knit.R.

# Sentences of format() begin and end as sentences do.
as_sentences <- function(said) paste0(capitalise(said), ".")

#' @export
report_parts.bayesrisk_threshold <- function(x) {
  list(paste(as_sentences(format(x)), collapse = " "))
}

#' @export
report_parts.bayesrisk_minimax <- function(x) {
  list("Minimax prior:", rbind(prior = x$prior, risk = x$class_risk), as_sentences(format(x)[[2L]]))
}

#' @export
report_parts.bayesrisk_information <- function(x) {
  list("Value of information, in expected cost per case:", as.data.frame(x))
}

#' @export
report_parts.bayesrisk_next_feature <- function(x) {
  cases <- attr(x, "cases")
  if (is.null(cases)) return(list(as.data.frame(x)))
  shown <- next_sentences(x, seq_len(min(cases, max_sentences)))
  list(
    as_sentences(shown), structure(as.data.frame(x), cases = NULL),
    if (cases > length(shown)) "In the table: all cases."
  )
}

#' @export
report_parts.bayesrisk_sweep <- function(x) {
  label <- attr(x, "varied")$label
  list(
    if (!is.null(label)) sprintf("The action of least expected cost, along the %s:", label),
    as.data.frame(x)
  )
}

#' @export
report_parts.bayesrisk_boundaries <- function(x) {
  if (is.null(attr(x, "features"))) return(list(as.data.frame(x)))
  list(
    paste0(paste(c("Where actions change", boundary_axes(x)), collapse = ", "), ":"),
    paste0(format(x), "."), "Coefficients:", as.data.frame(x)
  )
}

#' @export
report_parts.bayesrisk_contributions <- function(x) {
  shown <- seq_len(min(dim(x)[[1L]], max_printed_cases))
  cases <- lapply(shown, function(i) {
    list(sprintf("Case %s:", case_labels(x)[[i]]), case_contributions(x, i))
  })
  left <- dim(x)[[1L]] - length(shown)
  c(
    list(as_sentences(contributions_header(x))), unlist(cases, recursive = FALSE),
    if (left > 0L) list(paste("... and", count_of(left, "more case", "more cases")))
  )
}

#' @export
report_parts.bayesrisk_statistics <- function(x) {
  check_statistics(x, rlang::caller_env(), "x")
  list(
    format(x), as.data.frame(class_columns(class_table(x), is_weighted(x))),
    if (length(x$plan$banks)) block_table(x)
  )
}

#' @export
report_parts.bayesrisk_spec <- function(x) list(format(x))

#' @export
report_parts.bayesrisk_likelihood <- function(x) list(format(x))

#' @export
report_parts.bayesrisk_points <- function(x) list(as.data.frame(x))

# nolint start: object_name_linter.
#' @export
report_parts.summary.bayesrisk_decision <- function(x) {
  list(x$actions, as_sentences(decision_notes(x)))
}

#' @export
report_parts.summary.bayesrisk_risk <- function(x) {
  shares <- x$risk$table / rowSums(x$risk$table)
  c(
    report_parts(x$risk),
    list(
      "Probabilities of each decision given the truth:", replace(shares, is.nan(shares), NA),
      "What each contributes to the cost:", cost_shares(x$risk)
    )
  )
}

#' @export
report_parts.summary.bayesrisk_joint <- function(x) {
  marginals <- lapply(names(x$marginals), function(variable) {
    p <- x$marginals[[variable]]
    data.frame(variable = variable, value = names(p), probability = unname(p))
  })
  list(
    "Marginal probabilities:", do.call(rbind, marginals),
    if (!is.null(x$pairs)) "Mutual information in bits:", x$pairs,
    sprintf("Entropy: %s bits.", format(x$entropy, digits = 4L))
  )
}

# lintr knows only the generics of packages that are imported.
#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_threshold <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_minimax <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_information <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_next_feature <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_sweep <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_boundaries <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_contributions <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_statistics <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_spec <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_likelihood <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.bayesrisk_points <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.summary.bayesrisk_decision <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.summary.bayesrisk_risk <- knit_parts

#' @exportS3Method knitr::knit_print
knit_print.summary.bayesrisk_joint <- knit_parts
# nolint end
