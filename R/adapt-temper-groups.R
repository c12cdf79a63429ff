# temper() of models of groups: the model of each group with the cases of this group.

#' @rdname temper
#' @export
temper.bayesrisk_models <- function(object, data, by = c("model", "kind", "block"), bias = FALSE,
                                    folds = 10, penalty = NULL, weights, subset,
                                    na.action = stats::na.pass, # nolint: object_name_linter.
                                    estimate = c("plugin", "predictive"), ...,
                                    threads = default_threads()) {
  call <- check_no_dots(...)
  object <- check_groups(object, call, "object")
  settings <- read_temper_settings(by, bias, penalty, estimate, call)
  asked <- list(
    weights = rlang::enquo(weights), subset = rlang::enquo(subset), folds = rlang::enquo(folds)
  )
  data <- temper_rows(object, maybe(data), asked, call)
  asked <- c(asked, list(na_action = na.action, threads = threads))
  cases <- read_temper_cases(group_model(object, 1L), data, asked, settings, call)
  group <- group_of_cases(object, data, cases, call)
  cases$schema$features <- with_settled_bins(
    cases$schema$features, attr(object, "schema")$features
  )
  others <- other_groups(object, call)
  change_groups(object, call, function(model, i) {
    own <- cases_of_group(cases, group, i, call)
    settings["folds"] <- list(own$folds)
    tempered <- without_class_report(temper_by_cases(model, own, settings, call, others[[i]]))
    tempered$parameters
  })
}

# Models of groups with the parameters that `of_group(model, i)` gives. Errors name the group, and
# one warning of each kind names all its groups.
change_groups <- function(models, call, of_group) {
  parts <- unclass(models)
  labels <- encodeString(names(models), quote = "\"")
  said <- list()
  for (i in seq_along(parts)) {
    parts[[i]]$parameters <- withCallingHandlers(
      tryCatch(of_group(group_model(models, i), i), bayesrisk_error = function(e) {
        abort_again(e, "In group {labels[[i]]}:", call)
      }),
      bayesrisk_warning = function(w) {
        kind <- class(w)[[1L]]
        said[[kind]]$groups <<- c(said[[kind]]$groups, labels[[i]])
        said[[kind]]$text <<- c(said[[kind]]$text, conditionMessage(w))
        rlang::cnd_muffle(w)
      }
    )
  }
  for (kind in names(said)) warn_of_groups(kind, said[[kind]], call)
  structure(parts, class = class(models))
}

# `said`: list(groups, text). The text of the first group stands for all.
warn_of_groups <- function(kind, said, call) {
  lines <- strsplit(cli::ansi_strip(said$text[[1L]]), "\n", fixed = TRUE)[[1L]]
  warn_bayesrisk(c(
    "In {count_of(length(said$groups), 'group', 'groups')}: {some_of(said$groups, 5L)}.",
    i = "{said$groups[[1L]]}:", bullet_lines(lines, " ")
  ), sub("bayesrisk_warning_", "", kind, fixed = TRUE), call)
}
