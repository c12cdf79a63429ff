#' The contribution of each block to the score
#'
#' The log joint of a case is the log prior plus the log likelihood of every block of features.
#' `contributions()` shows these terms.
#'
#' @inheritParams bayesrisk_arguments
#' @inheritParams predict.bayesrisk_model
#' @details Posterior probabilities of other classifiers have no contributions, because they do not
#'   contain the parts of the single features.
#' @return An array of class `bayesrisk_contributions`, cases x (1 + blocks) x classes, with
#'   dimnames `case`, `block` (`"(prior)"`, then the single features and the joint blocks) and
#'   `class`. The sum over blocks is `predict(type = "log_joint")`. A block whose features are
#'   missing adds 0.
#'
#'   Subsets of the array and results computed from it are plain arrays. [as.data.frame()] has a row
#'   per case, block and class; printing adds the sum and the posterior.
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
  call <- check_no_dots(...)
  threads <- check_threads(threads, call)
  check_has_blocks(maybe(object), call)
  check_model(maybe(object), call)
  if (missing(newdata)) abort_no_rows("newdata", call)
  prior <- predict_prior(object, prior, call)
  read <- read_newdata(object$schema, newdata, call)
  blocks <- block_names(object)
  result <- call_engine(
    contributions_cpp(engine_model(object, prior), read$frame, length(blocks), threads), call
  )
  report_rows(result$report, object, prior, read$frame, call)
  dimnames(result$value) <- list(
    case = read$row_names, block = c("(prior)", blocks), class = object$schema$classes$levels
  )
  structure(result$value, class = c("bayesrisk_contributions", "bayesrisk_result"))
}

# A table of posterior probabilities holds the result of all blocks, not the single blocks.
check_has_blocks <- function(object, call) {
  if (is_model(object) || !holds_posterior(object)) return(invisible())
  check_places(call)
  got <- describe_value(object)
  abort_argument(c(
    "{.arg object} must be a fitted model, not {got}.",
    i = "Posterior probabilities do not contain the contributions of single features."
  ), call)
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
  array_rows(x, "contribution", labels)
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
      table_part(case_contributions(x, i, show))
    )
  })
  short <- is.null(show$n) && length(shown) && !is_small_table(case_matrix(x, 1L))
  c(
    list(title_part(contributions_title(x))), unlist(tables, recursive = FALSE),
    list(sentences_part(c(
      more_of(cases - length(shown), c("case", "cases")),
      if (short) {
        "For each case: the two most probable classes, and the blocks that separate them most."
      }
    )))
  )
}

contributions_title <- function(x) {
  sprintf(
    "contributions to the log joint: %s, %s, %s", count_of(dim(x)[[1L]], "case", "cases"),
    count_of(dim(x)[[2L]] - 1L, "block", "blocks"), count_of(dim(x)[[3L]], "class", "classes")
  )
}

# One case as a block x class matrix of text, with the sum and the posterior. If there are many
# blocks and classes, the matrix has the two most probable classes and the blocks that separate them
# most.
case_contributions <- function(x, i, show) {
  parts <- case_matrix(x, i)
  joint <- colSums(parts)
  largest <- max(joint)
  shares <- exp(joint - largest)
  posterior <- if (is.finite(largest)) shares / sum(shares) else NA_real_ * joint
  if (is.null(show$n) && !is_small_table(parts)) {
    leading <- order(-joint)[seq_len(min(2L, length(joint)))]
    parts <- telling_blocks(parts[, leading, drop = FALSE])
    joint <- joint[leading]
    posterior <- posterior[leading]
  }
  logs <- rbind(parts, `log joint` = joint)
  text <- array(format(logs, digits = show$digits), dim(logs), dimnames(logs))
  shown <- rbind(text, posterior = vapply(posterior, format, "", digits = show$digits))
  names(dimnames(shown)) <- c("block", "class")
  shown
}

# The prior, the five blocks with the largest difference between two classes, and the sum of the
# others.
telling_blocks <- function(parts) {
  if (nrow(parts) <= 7L || ncol(parts) < 2L) return(parts)
  gap <- abs(parts[-1L, 1L] - parts[-1L, 2L])
  kept <- 1L + order(-gap)[1:5]
  others <- parts[-c(1L, kept), , drop = FALSE]
  rest <- colSums(others)
  rbind(parts[c(1L, kept), ], matrix(rest, 1L, dimnames = list(
    sprintf("(%d others)", nrow(others)), NULL
  )))
}

case_matrix <- function(x, i) array(unclass(x)[i, , ], dim(x)[-1L], dimnames(x)[-1L])
