# Functions of one model refuse models of groups, and say how to take one of them.

#' @export
coef.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "coef", "{.fn tidy} gives a table of the parameters of all groups.")
}

#' @export
confint.bayesrisk_models <- function(object, parm, level = 0.95, ...) { # nolint: object_name_linter.
  abort_groups(object, "confint")
}

#' @export
vcov.bayesrisk_models <- function(object, ...) abort_groups(object, "vcov")

#' @export
logLik.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "logLik", "{.fn glance} gives a table of all groups.")
}

#' @export
nobs.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "nobs", "{.fn glance} gives a table of all groups.")
}

#' @export
formula.bayesrisk_models <- function(x, ...) abort_groups(x, "formula")

#' @export
simulate.bayesrisk_models <- function(object, nsim = 1, seed = NULL, ...) {
  abort_groups(object, "simulate")
}

#' @export
augment.bayesrisk_models <- function(x, ...) {
  abort_groups(
    x, "augment", "{.fn predict} and {.fn decide} use the model of the group of each row.",
    ", newdata = rows"
  )
}

#' @export
temper.bayesrisk_models <- function(object, ...) {
  abort_groups(object, "temper", more = ", rows")
}

#' @export
plot.bayesrisk_models <- function(x, ...) abort_groups(x, "plot")

# `instead`: a sentence about a function that takes all groups. `more`: other arguments to show.
abort_groups <- function(models, name, instead = NULL, more = "", call = rlang::caller_env()) {
  models <- check_groups(models, call)
  shown <- sprintf("%s(%s%s)", name, group_taken("models", models), more)
  abort_argument(c(
    "{.fn {name}} takes one model, not models of groups.",
    i = "Take the model of a group: {.code {shown}}.", i = instead
  ), call)
}
