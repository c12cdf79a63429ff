# The engine "bayesrisk" of parsnip: entries in parsnip's tables of models. All of them fit with
# bayes_classifier(); `defaults` are the arguments that tell the models apart.

#' Models of tidymodels
#'
#' Once parsnip is loaded, four of its models have the engine `"bayesrisk"`. They fit with
#' [bayes_classifier()], so the fitted engine is a model like any other of this package:
#' `extract_fit_engine()` gives it to [decide()], [assess_decisions()] and all other functions.
#'
#' | model of parsnip | fits | main arguments |
#' |---|---|---|
#' | `naive_Bayes()` | `bayes_naive()` | `Laplace`, `smoothness` |
#' | `discrim_quad()` | `bayes_full()` | `regularization_method` |
#' | `discrim_linear()` | `bayes_full(covariance = "pooled")` | `regularization_method`, `penalty` |
#' | `discrim_regularized()` | `bayes_full()` | `frac_common_cov`, `frac_identity` |
#'
#' `Laplace` is `laplace`. With `smoothness` the numeric features have kernel densities,
#' `likelihood_kernel(adjust = smoothness)`. `frac_common_cov` is `shrinkage`, `frac_identity` is
#' `identity`. `regularization_method = "diagonal"` models single features, for
#' `discrim_linear()` with one variance in all classes (diagonal discriminant analysis), and
#' `"shrink_cov"` is `identity = "auto"`. The methods `"min_distance"` and `"shrink_mean"`, and a
#' `penalty`, are errors. Any other argument, such as `prior`, goes into
#' `set_engine("bayesrisk", ...)`.
#'
#' The types `"class"` and `"prob"` are those of [predict()][predict.bayesrisk_model]; `"raw"` is
#' its `"log_joint"`. Case weights of parsnip and workflows are weights here. Text and missing
#' values need no preparation. But if a formula is given to parsnip itself, `fit()` of parsnip drops
#' the rows with missing values. Its `fit_xy()` and workflows with a recipe or with variables keep
#' them.
#'
#' `tune_grid()` knows the ranges: 0 to 3 for `Laplace`, 0.5 to 1.5 for `smoothness`, and 0 to 1 for
#' the weights of covariances. The engine arguments `shrinkage` of `discrim_quad()` and `identity`
#' of `discrim_quad()` and `discrim_linear()` can be tuned, too. All values of `Laplace` take one
#' fit, by `multi_predict()`. With `Laplace = 0` a case with a level that no class has seen is
#' impossible, with a warning.
#'
#' `butcher()` takes the statistics out of a model, so that `update()`, `merge()` and `logLik()` no
#' longer work. Predictions stay the same. Models hold no data, calls or environments.
#'
#' @param range Two numbers from 0 to 1, the smallest and the largest weight.
#' @inheritParams bayesrisk_arguments
#' @return `shrinkage_weight()` and `identity_weight()`: parameters of the dials package.
#' @section Errors: `bayesrisk_error_argument` if `range` is not as described above, or if dials is
#'   not installed.
#' @examplesIf requireNamespace("parsnip", quietly = TRUE)
#' library(parsnip)
#' spec <- naive_Bayes(Laplace = 1) |> set_engine("bayesrisk", prior = "uniform")
#' model <- fit(spec, play ~ outlook + wind, play_tennis)
#' predict(model, play_tennis[1:2, ], type = "prob")
#' cost <- cost_matrix(book = c(yes = 0, no = 20), wait = c(yes = 5, no = 0))
#' decide(extract_fit_engine(model), play_tennis[1:2, ], cost)
#' @name bayesrisk_parsnip
#' @aliases bayesrisk_parsnip
NULL

#' @rdname bayesrisk_parsnip
#' @export
shrinkage_weight <- function(range = c(0, 1), ...) {
  call <- check_no_dots(...)
  covariance_weight(range, "shrinkage", "Weight of the Pooled Covariance", call)
}

#' @rdname bayesrisk_parsnip
#' @export
identity_weight <- function(range = c(0, 1), ...) {
  call <- check_no_dots(...)
  covariance_weight(range, "identity", "Weight of the Identity", call)
}

covariance_weight <- function(range, setting, label, call) {
  check_package("dials", paste0(setting, "_weight"), call)
  range <- check_numbers(range, "range", min = 0, call = call)
  if (length(range) != 2L || range[[1L]] >= range[[2L]] || range[[2L]] > 1) {
    abort_argument("{.arg range} must be two increasing numbers from 0 to 1.", call)
  }
  dials::new_quant_param(
    "double", range = range, inclusive = c(TRUE, TRUE), label = stats::setNames(label, setting)
  )
}

parsnip_models <- function() {
  shrinkage <- list(pkg = "bayesrisk", fun = "shrinkage_weight")
  identity <- list(pkg = "bayesrisk", fun = "identity_weight")
  method <- list(
    name = "regularization_method", range = list(pkg = "dials", fun = "regularization_method")
  )
  list(
    naive_Bayes = list(defaults = list(structure = "naive"), arguments = list(
      Laplace = list(name = "laplace", range = list(pkg = "dials", fun = "Laplace")),
      smoothness = list(name = "smoothness", range = list(pkg = "dials", fun = "smoothness"))
    )),
    discrim_quad = list(defaults = list(structure = "full"), arguments = list(
      shrinkage = list(name = "shrinkage", range = shrinkage),
      identity = list(name = "identity", range = identity),
      regularization_method = method
    )),
    discrim_linear = list(
      defaults = list(structure = "full", covariance = "pooled"),
      arguments = list(
        identity = list(name = "identity", range = identity), regularization_method = method,
        penalty = list(name = "penalty", range = list(pkg = "dials", fun = "penalty"))
      )
    ),
    discrim_regularized = list(defaults = list(structure = "full"), arguments = list(
      frac_common_cov = list(name = "shrinkage", range = shrinkage),
      frac_identity = list(name = "identity", range = identity)
    ))
  )
}

connect_parsnip <- function() {
  models <- parsnip_models()
  for (model in names(models)) {
    if ("bayesrisk" %in% parsnip::get_from_env(model)$engine) next
    add_parsnip_engine(model, models[[model]])
    add_parsnip_predictions(model)
  }
}

add_parsnip_engine <- function(model, what) {
  mode <- "classification"
  parsnip::set_model_engine(model, mode, "bayesrisk")
  parsnip::set_dependency(model, "bayesrisk", "bayesrisk", mode)
  for (name in names(what$arguments)) {
    argument <- what$arguments[[name]]
    parsnip::set_model_arg(
      model, "bayesrisk", name, argument$name, argument$range, has_submodel = name == "Laplace"
    )
  }
  parsnip::set_fit(model, mode, "bayesrisk", list(
    interface = "data.frame", protect = c("x", "y", "weights"),
    func = c(pkg = "bayesrisk", fun = "bayes_classifier"), defaults = what$defaults
  ))
  parsnip::set_encoding(model, mode, "bayesrisk", list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE,
    allow_sparse_x = FALSE
  ))
}

add_parsnip_predictions <- function(model) {
  add <- function(type, ours, post = NULL) {
    parsnip::set_pred(model, "classification", "bayesrisk", type, list(
      pre = NULL, post = post, func = c(fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data), type = ours)
    ))
  }
  add("class", "class")
  add("prob", "prob", function(x, object) as.data.frame(x, optional = TRUE))
  add("raw", "log_joint")
}

# parsnip has no function that takes an engine back.
disconnect_parsnip <- function() {
  parts <- c("", "_args", "_pkgs", "_fit", "_encoding", "_predict")
  for (table in outer(names(parsnip_models()), parts, paste0)) {
    rows <- parsnip::get_from_env(table)
    parsnip::set_env_val(table, rows[rows$engine != "bayesrisk", ])
  }
}

# Predictions of several values of Laplace from one fit of parsnip.

#' @rawNamespace S3method(parsnip::multi_predict, "_bayesrisk_model")
multi_predict._bayesrisk_model <- function( # nolint: object_name_linter.
    object, new_data, type = NULL, Laplace = NULL, ...) { # nolint: object_name_linter.
  check_no_dots(...)
  # NA: as it was fitted.
  values <- if (is.null(Laplace)) NA_real_ else Laplace
  each <- lapply(values, function(laplace) {
    if (!is.na(laplace)) object$fit <- update(object$fit, laplace = laplace)
    columns <- predict(object, new_data, type = if (is.null(type)) "class" else type)
    c(list(Laplace = rep(laplace, nrow(new_data))), columns)
  })
  # tibbles have no other parts; making one for each row would take longer than the predictions.
  tibble <- function(columns, rows) {
    structure(columns, class = c("tbl_df", "tbl", "data.frame"), row.names = .set_row_names(rows))
  }
  stacked <- lapply(stats::setNames(nm = names(each[[1L]])), function(column) {
    values <- unlist(lapply(each, `[[`, column), use.names = FALSE)
    unname(split(values, rep(seq_len(nrow(new_data)), length(each))))
  })
  by_row <- .mapply(function(...) tibble(list(...), length(each)), stacked, NULL)
  tibble(list(.pred = by_row), nrow(new_data))
}

# tune fits one model for all rows of a grid that differ in Laplace alone.
#' @exportS3Method generics::min_grid
min_grid.naive_Bayes <- function(x, grid, ...) { # nolint: object_name_linter.
  if (identical(x$engine, "bayesrisk")) tune::fit_max_value(x, grid) else NextMethod()
}
