#' @rdname bayesrisk_models
#' @export
decide.bayesrisk_models <- function(object, newdata, cost = NULL, prior = NULL,
                                    estimate = c("plugin", "predictive"), default = NULL, ...,
                                    threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_groups(object, call, "object")
  if (missing(newdata)) abort_no_rows("newdata", call)
  threads <- check_threads(threads, call)
  by_group(object, newdata, default, call, function(model, rows) {
    model <- as_estimated(model, estimate, call)
    decide_from(rows, model, new_ask("all", predict_prior(model, prior, call), cost, threads), call)
  })
}
