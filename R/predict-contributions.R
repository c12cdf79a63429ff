#' The contribution of each block to the score
#'
#' The log joint of a case is the log prior plus the log likelihood of every block of features.
#' `contributions()` shows these terms.
#'
#' @inheritParams bayesrisk_arguments
#' @inheritParams predict.bayesrisk_model
#' @return An array of class `bayesrisk_contributions`, cases x (1 + blocks) x classes, with
#'   dimnames `case`, `block` (`"(prior)"`, then the single features and the joint blocks) and
#'   `class`. Summed over blocks it is `predict(type = "log_joint")`. A block
#'   that a case misses adds 0.
#'
#'   Subsets of it and results computed from it are plain arrays. [as.data.frame()] has a row per
#'   case, block and class; printing adds the sum and the posterior.
#' @inheritSection predict.bayesrisk_model Errors
#' @source The lecture "Bayesian Learning (Galili, Shamir, Yakhini)": the sum of
#'   logs takes the place of the product.
#' @seealso [plot()][plot.bayesrisk_contributions]: from the prior by the features to the posterior
#' @examples
#' model <- fit(bayes_naive(), play ~ ., play_tennis)
#' case <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' parts <- contributions(model, case)
#' parts
#' parts[1, , ]
#' apply(parts, c(1, 3), sum)
#' predict(model, case, type = "log_joint")
#' @export
contributions <- function(object, newdata, prior = NULL, ..., threads = default_threads()) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  threads <- check_threads(threads, call)
  check_model(maybe(object), call)
  if (missing(newdata)) {
    abort_argument("{.arg newdata} is missing: a model holds no data to fall back on.", call)
  }
  prior <- predict_prior(object, prior, call)
  read <- read_newdata(object$schema, newdata, call)
  blocks <- block_names(object)
  result <- call_engine(
    contributions_cpp(engine_model(object, prior), read$frame, length(blocks)), call
  )
  report_rows(result$report, object$schema, call)
  dimnames(result$value) <- list(
    case = read$row_names, block = c("(prior)", blocks), class = object$schema$classes$levels
  )
  structure(result$value, class = c("bayesrisk_contributions", "bayesrisk_result"))
}

# Subsets of contributions and results computed from them are plain arrays.
#' @export
Math.bayesrisk_contributions <- function(x, ...) {
  get(.Generic, mode = "function")(unclass(x), ...)
}

#' @export
Ops.bayesrisk_contributions <- function(e1, e2) {
  plain <- lapply(if (nargs() == 1L) list(e1) else list(e1, e2), unclass)
  do.call(.Generic, plain)
}

#' @export
result_rows.bayesrisk_contributions <- function(x, call) {
  labels <- dimnames(x)
  labels$case <- case_labels(x)
  rows <- expand.grid(rev(labels), KEEP.OUT.ATTRS = FALSE, stringsAsFactors = FALSE)
  rows <- rev(rows)
  rows[] <- Map(factor, rows, labels)
  rows$contribution <- as.vector(aperm(unclass(x), 3:1))
  rows
}

case_labels <- function(x) {
  named <- dimnames(x)$case
  if (is.null(named)) as.character(seq_len(dim(x)[[1L]])) else named
}

#' @export
describe.bayesrisk_contributions <- function(x, show) {
  cases <- dim(x)[[1L]]
  shown <- seq_len(min(cases, if (is.null(show$n)) 3L else show$n))
  tables <- lapply(shown, function(i) {
    list(
      heading_part(paste("case", encodeString(case_labels(x)[[i]]))),
      table_part(case_contributions(x, i, c(show$digits, few_digits())[[1L]]))
    )
  })
  c(
    list(title_part(contributions_title(x))), unlist(tables, recursive = FALSE),
    list(sentences_part(more_of(cases - length(shown), c("case", "cases"))))
  )
}

contributions_title <- function(x) {
  sprintf(
    "contributions to the log joint: %s, %s, %s", count_of(dim(x)[[1L]], "case", "cases"),
    count_of(dim(x)[[2L]] - 1L, "block", "blocks"), count_of(dim(x)[[3L]], "class", "classes")
  )
}

# One case as a block x class matrix of text, with the sum and the posterior.
case_contributions <- function(x, i, digits) {
  parts <- case_matrix(x, i)
  joint <- colSums(parts)
  largest <- max(joint)
  shares <- exp(joint - largest)
  posterior <- if (is.finite(largest)) shares / sum(shares) else NA_real_ * joint
  logs <- rbind(parts, `log joint` = joint)
  text <- array(format(logs, digits = digits), dim(logs), dimnames(logs))
  shown <- rbind(text, posterior = vapply(posterior, format, "", digits = digits))
  names(dimnames(shown)) <- names(dimnames(parts))
  shown
}

case_matrix <- function(x, i) array(unclass(x)[i, , ], dim(x)[-1L], dimnames(x)[-1L])
