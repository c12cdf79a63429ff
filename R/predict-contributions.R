#' What each block adds to the score
#'
#' The log joint of a case is the log prior plus the log likelihood of every
#' block of features: a case's evidence, block by block.
#'
#' @inheritParams predict.bayesrisk_model
#' @return An array, cases x (1 + blocks) x classes, with dimnames `case`,
#'   `block` (`"(prior)"`, then the single features and the joint blocks) and
#'   `class`. Summed over blocks it is `predict(type = "log_joint")`. A block
#'   that a case misses adds 0.
#' @inheritSection predict.bayesrisk_model Errors
#' @source The lecture "Bayesian Learning (Galili, Shamir, Yakhini)": the sum of
#'   logs takes the place of the product.
#' @examples
#' model <- fit(bayes_naive(), play ~ ., play_tennis)
#' case <- data.frame(outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong")
#' parts <- contributions(model, case)
#' parts[1, , ]
#' apply(parts, c(1, 3), sum)
#' predict(model, case, type = "log_joint")
#' @export
contributions <- function(object, newdata, prior = NULL, ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
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
  result$value
}
