# butcher makes models smaller. Ours hold no data, call, environment or fitted values, so there is
# one method: the statistics of the training data go.

#' @exportS3Method butcher::axe_data
axe_data.bayesrisk_model <- function(x, verbose = FALSE, ...) {
  call <- rlang::current_env()
  x <- check_model(x, call, "x")
  x["statistics"] <- list(NULL)
  x
}
