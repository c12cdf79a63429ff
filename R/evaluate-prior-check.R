# Whether single features contradict the prior that all features together give: see
# estimate_prior().

# NULL if nothing was tested.
compare_single_features <- function(pieces, request, call) {
  samples <- Filter(function(sample) sample$rows > 0, lapply(pieces, `[[`, "sample"))
  if (!length(samples)) return(NULL)
  found <- call_engine(prior_check_cpp(
    samples, request$start, request$cases, length(request$features), request$threads
  ), call)
  if (!length(found)) return(NULL)
  p <- stats::pchisq(found$statistic, found$degrees, lower.tail = FALSE)
  prior <- t(found$prior)
  colnames(prior) <- alone_columns(request$classes)
  data.frame(
    feature = names(request$model$schema$features)[request$features], statistic = found$statistic,
    df = found$degrees, p_value = ifelse(found$degrees > 0L, p, 1), prior, check.names = FALSE
  )
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
