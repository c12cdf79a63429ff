#' @rdname update.bayesrisk_model
#' @export
update.bayesrisk_spec <- function(object, ...) {
  call <- rlang::current_env()
  object <- check_spec(object, call)
  update_spec(object, rlang::dots_list(..., .homonyms = "keep", .ignore_empty = "none"), call)
}

# Applies changed arguments (a named list) to a specification. The function that made the
# specification determines the checks and the arguments. An unchanged likelihood keeps its settings.
update_spec <- function(spec, changes, call) {
  check_changes(changes, spec, call)
  kept <- unclass(spec)[names(formals(new_spec))]
  # In bayes_text() `laplace` is a setting of the bags.
  if (!is.null(kept$bag) && !is.null(changes[["laplace"]])) {
    kept$bag <- with_laplace(kept$bag, changes[["laplace"]], call)
    changes[["laplace"]] <- NULL
  }
  if (!is.null(changes[["laplace"]])) kept["categorical"] <- list(NULL)
  if (!is.null(changes[["variance"]]) && is.null(changes[["numeric"]])) {
    changes[["numeric"]] <- with_variance(spec$numeric, changes[["variance"]], call)
    changes[["variance"]] <- NULL
  }
  # Unchanged `features` need no second check. The features of a known model would fail it.
  if (!"features" %in% names(changes)) kept$features <- list()
  kept[names(changes)] <- changes
  updated <- do.call(checked_spec, c(kept, list(call = call)), quote = TRUE)
  if (!"features" %in% names(changes)) updated$features <- spec$features
  updated
}

check_changes <- function(changes, spec, call) {
  if (spec$structure == "known") {
    abort_argument(c(
      "A specification of known likelihoods cannot be changed.",
      i = "{.fn bayes_known} makes another one."
    ), call)
  }
  made_by <- if (is.null(spec$bag)) spec$structure else "text"
  constructor <- switch(made_by,
    naive = bayes_naive, full = bayes_full, blocks = bayes_blocks, text = bayes_text
  )
  # Other blocks, and other counts of terms, need other statistics.
  other <- c("blocks", "counts", "normalise", "weights_ok")
  known <- setdiff(names(formals(constructor)), c(other, "..."))
  given <- if (is.null(names(changes))) rep("", length(changes)) else names(changes)
  unknown <- unique(given[!given %in% known])
  if (length(unknown)) {
    unknown[!nzchar(unknown)] <- "an argument without a name"
    abort_argument(c(
      "Unused {cli::qty(unknown)} argument{?s}: {.arg {unknown}}.",
      i = "These arguments of {.code bayes_{made_by}()} can be changed: {.arg {known}}."
    ), call)
  }
  if (length(changes)) check_distinct_names(given, "...", call)
}

with_variance <- function(numeric, variance, call) {
  if (!"variance" %in% names(numeric)) {
    abort_argument(c(
      "{.arg variance} is a setting of Gaussians, but numeric features have {.val {numeric$name}}.",
      i = "Change {.arg numeric} instead."
    ), call)
  }
  numeric$variance <- check_variance(variance, call)
  numeric
}

with_laplace <- function(bag, laplace, call) {
  laplace <- check_number(laplace, "laplace", min = 0, call = call)
  settings <- unclass(bag)[names(bag) != "name"]
  settings[intersect(c("laplace", "pseudo_count", "pseudo_exposure"), names(bag))] <- laplace
  new_likelihood(bag$name, do.call(record_of(bag)$check, c(settings, list(call = call))))
}
