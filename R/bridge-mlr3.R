#' Bayes classifiers in mlr3
#'
#' The learner `classif.bayesrisk` is in the dictionary of mlr3 as soon as both packages are loaded:
#' `lrn("classif.bayesrisk")`. It has the predict types `"response"` and `"prob"`, takes case
#' weights and missing values, and does two and more classes.
#'
#' @section Parameters:
#' `structure` is `"naive"` (the default) or `"full"`. All others are arguments of [bayes_naive()]
#' and [bayes_full()] with their defaults: `laplace`, `variance`, `prior`, `degenerate`, `temper`
#' for both; `categorical`, `numeric`, `features` for `"naive"`; `joint`, `covariance`, `shrinkage`,
#' `identity`, `borrow` for `"full"`. `threads` is that of [predict()][predict.bayesrisk_model].
#'
#' @section Rows without an answer:
#' mlr3 refuses missing predictions. A row that is impossible under every class, or has an infinite
#' number, therefore gets the prior as its probabilities and the class of the largest prior, with a
#' warning. `laplace = 1` leaves no row of categorical features impossible.
#'
#' @section Importance:
#' `learner$importance()` is [value_of_information()] of each feature alone under 0-1 cost: how much
#' the expected share of errors falls if this feature, and nothing else, is known. It needs no data
#' and no random numbers. A feature that alone changes no decision has importance 0.
#' `learner$selected_features()` names all features.
#'
#' @seealso [bayes_classifier()], the function that the learner calls.
#' @examplesIf requireNamespace("mlr3", quietly = TRUE)
#' learner <- mlr3::lrn("classif.bayesrisk", structure = "full", shrinkage = 0.1)
#' learner$predict_type <- "prob"
#' task <- mlr3::tsk("iris")
#' learner$train(task)
#' learner$predict(task)
#' learner$importance()
#' @name mlr_learners_classif.bayesrisk
#' @aliases LearnerClassifBayesrisk
NULL

connect_mlr3 <- function() mlr3::mlr_learners$add("classif.bayesrisk", learner_generator())

disconnect_mlr3 <- function() {
  if (mlr3::mlr_learners$has("classif.bayesrisk")) mlr3::mlr_learners$remove("classif.bayesrisk")
}

# R6 gives these names to the methods of an object.
#' @importFrom utils globalVariables
globalVariables(c("private", "self", "super"))

# The class is made when mlr3 is there: its parent is a class of mlr3.
learner_generator <- function() {
  R6::R6Class("LearnerClassifBayesrisk",
    inherit = mlr3::LearnerClassif,
    public = list(
      initialize = function() {
        super$initialize(
          id = "classif.bayesrisk", param_set = learner_parameters(),
          predict_types = c("response", "prob"),
          properties = c(
            "twoclass", "multiclass", "weights", "missings", "importance", "selected_features"
          ),
          feature_types = c("logical", "integer", "numeric", "character", "factor", "ordered"),
          packages = "bayesrisk", label = "Bayes Classifier",
          man = "bayesrisk::mlr_learners_classif.bayesrisk"
        )
      },
      importance = function() sort(feature_importance(trained_model(self)), decreasing = TRUE),
      selected_features = function() names(trained_model(self)$schema$features)
    ),
    private = list(
      .train = function(task) train_learner(self, task, private$.get_weights(task)),
      .predict = function(task) predict_learner(self, task)
    ),
    # Not the frame of this call, which copies of a learner would carry to other processes.
    parent_env = topenv()
  )
}

learner_parameters <- function() {
  full <- quote(structure == "full")
  naive <- quote(structure == "naive")
  untyped <- function(...) paradox::p_uty(default = NULL, tags = "train", ...)
  paradox::ps(
    structure = paradox::p_fct(c("naive", "full"), init = "naive", tags = "train"),
    laplace = paradox::p_dbl(0, default = 0, tags = "train"),
    variance = paradox::p_fct(c("unbiased", "ml"), default = "unbiased", tags = "train"),
    categorical = untyped(depends = naive),
    numeric = untyped(depends = naive),
    features = untyped(depends = naive),
    joint = untyped(depends = full),
    covariance = paradox::p_fct(
      c("class", "pooled"), default = "class", tags = "train", depends = full
    ),
    shrinkage = paradox::p_dbl(0, 1, default = 0, tags = "train", depends = full),
    identity = paradox::p_dbl(
      0, 1, special_vals = list("auto"), default = 0, tags = "train", depends = full
    ),
    borrow = paradox::p_dbl(0, default = 0, tags = "train", depends = full),
    missing = paradox::p_fct(
      c("complete", "em"), default = "complete", tags = "train", depends = full
    ),
    prior = untyped(),
    degenerate = paradox::p_fct(c("pool", "stop"), default = "pool", tags = "train"),
    temper = paradox::p_uty(default = FALSE, tags = "train"),
    threads = paradox::p_int(1L, tags = c("train", "predict", "threads"))
  )
}

train_learner <- function(learner, task, weights) {
  x <- task$data(cols = task$feature_names)
  settings <- learner$param_set$get_values(tags = "train")
  rlang::inject(bayes_classifier(x, task$truth(), weights = weights, !!!settings))
}

# The class goes along with the probabilities, because mlr3 would draw lots between equal ones. mlr3
# refuses a row without an answer: it gets the prior.
predict_learner <- function(learner, task) {
  newdata <- task$data(cols = task$feature_names)
  settings <- learner$param_set$get_values(tags = "predict")
  predicted <- withCallingHandlers(
    rlang::inject(stats::predict(learner$model, newdata, type = "both", !!!settings)),
    bayesrisk_warning_impossible = warn_of_prior, bayesrisk_warning_infinite = warn_of_prior
  )
  names(predicted) <- c("response", "prob")
  lost <- is.na(predicted$response)
  prior <- learner$model$parameters$prior
  predicted$response[lost] <- levels(predicted$response)[[which.max(prior)]]
  predicted$prob[lost, ] <- rep(prior, each = sum(lost))
  if (learner$predict_type == "prob") predicted else predicted["response"]
}

# The warning of predict(), which ends with the answer "NA".
warn_of_prior <- function(warning) {
  warn_rows(
    warning$rows, sub("NA[.]$", "answered by the prior.", warning$what), warning$name, NULL,
    warning$lines
  )
  rlang::cnd_muffle(warning)
}

trained_model <- function(learner) {
  if (is.null(learner$model)) abort_argument("The learner is not trained.", NULL)
  learner$model
}
