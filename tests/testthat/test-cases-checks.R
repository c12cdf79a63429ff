# Every object that comes from outside is checked once: an exported function or method checks it
# in its first lines, and the functions behind it trust it.

# Models, statistics and specifications among the arguments of a call, those in lists and the
# specifications of models and statistics included.
checkable <- function(x) {
  of_model <- c("bayesrisk_model", "bayesrisk_statistics")
  if (inherits(x, of_model)) return(list(x, unclass(x)$spec))
  if (inherits(x, "bayesrisk_spec")) return(list(x))
  if (is.list(x) && !is.object(x)) unlist(lapply(unname(x), checkable), recursive = FALSE)
}

same_as <- function(objects, x) sum(vapply(objects, identical, NA, x))

# The objects that are checked while `use()` runs.
checked_objects <- function(use) {
  seen <- list()
  note <- function(object) seen[[length(seen) + 1L]] <<- object
  namespace <- asNamespace("bayesrisk")
  validators <- c("check_model", "check_statistics", "is_sound_spec")
  for (name in validators) {
    object <- as.name(names(formals(name, namespace))[[1L]])
    suppressMessages(trace(name, as.call(list(note, object)), print = FALSE, where = namespace))
  }
  withr::defer(suppressMessages(untrace(validators, where = namespace)))
  use()
  seen
}

# One row for each object that is checked more often than it is given.
repeated_checks <- function(name, call) {
  utils::capture.output(seen <- checked_objects(function() {
    muffle_ours(do.call(call[[1L]], call[[2L]], quote = TRUE))
  }))
  given <- checkable(unname(call[[2L]]))
  rows <- lapply(unique(Filter(function(x) same_as(given, x) > 0, seen)), function(x) {
    data.frame(call = name, object = class(x)[[1L]], given = same_as(given, x),
               checked = same_as(seen, x))
  })
  found <- do.call(rbind, rows)
  found[found$checked > found$given, ]
}

test_that("no object is checked twice on one call", {
  skip_on_cran()
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  withr::local_seed(1)
  calls <- all_valid_calls()
  # A report is a document, whose calls are those of a user.
  calls$decision_report <- NULL
  found <- do.call(rbind, Map(repeated_checks, names(calls), calls))
  table <- paste(utils::capture.output(print(found, row.names = FALSE)), collapse = "\n")
  expect(is.null(found) || nrow(found) == 0L, paste0("Checked more than once:\n", table))
})
