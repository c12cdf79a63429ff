# Finds arguments in the wrong position by their kind: for example a cost in the place of the data,
# or a prior in the place of the cost. Runs only after another check has failed.

# Stops and shows the corrected call. Returns if no argument is in a wrong place. `call`: the frame
# of the function that the user called.
check_places <- function(call) {
  at <- frame_number(call)
  if (!length(at)) return(invisible())
  fun <- sys.function(at)
  written <- sys.call(at)
  head <- written[[1L]]
  if (!is.name(head) && !rlang::is_call(head, c("::", ":::"))) return(invisible())
  matched <- as.list(match.call(fun, written, envir = sys.frame(sys.parents()[[at]])))[-1L]
  given <- setdiff(intersect(names(matched), checked_places), names(written))
  kinds <- vapply(given, function(arg) kind_of(get(arg, envir = call)), "")
  places <- lapply(kinds, function(kind) intersect(places_of_kind[[kind]], names(formals(fun))))
  # A table in `other` holds probabilities only if `object` or `data` is a table too. Otherwise it
  # is taken for data in the wrong place.
  only_table <- kinds["other"] %in% "table" && !any(kinds[c("object", "data")] %in% "table")
  if (only_table) places$other <- "data"
  lost <- lengths(places) > 0L & !mapply(`%in%`, given, places)
  if (!any(lost)) return(invisible())
  lost <- given[lost]
  moved <- vapply(places[lost], function(open) setdiff(open, setdiff(given, lost))[1L], "")
  if (anyNA(moved) || anyDuplicated(moved)) return(invisible())
  matched <- c(matched[setdiff(names(matched), lost)], stats::setNames(matched[lost], moved))
  right <- corrected_call(head, matched, formals(fun))
  found <- sprintf("`%s` is %s", lost, kind_names[kinds[lost]])
  abort_argument(c(
    "An argument stands in the place of another: {found}.", i = "Write {.code {right}}."
  ), call)
}

checked_places <- c("object", "other", "formula", "newdata", "data", "cost", "prior")

# The arguments that take values of each kind. The first that the function has is suggested.
places_of_kind <- list(
  model = c("object", "x", "other"), cost = "cost", formula = "formula",
  table = c("newdata", "data", "object", "other"), parameter = "vary", prior = "prior",
  number = c("price", "folds"), labels = c("truth", "folds"), other = character()
)

kind_names <- c(
  model = "a model", cost = "a cost", formula = "a formula", table = "a table",
  parameter = "what varies", prior = "a prior", number = "a number", labels = "a vector of labels"
)

kind_of <- function(x) {
  if (inherits(x, "bayesrisk_cost")) return("cost")
  if (inherits(x, c("bayesrisk_model", "bayesrisk_spec"))) return("model")
  if (rlang::is_formula(x)) return("formula")
  if (is.data.frame(x) || is.matrix(x)) return("table")
  if (identical(x, "prior") || is.character(x) && "decision" %in% names(x)) return("parameter")
  if (identical(x, "uniform")) return("prior")
  if (is.factor(x) || is.character(x) && length(x) > 1L) return("labels")
  if (!is.numeric(x) || !length(x) || anyNA(x)) return("other")
  if (length(x) > 1L && sums_to_one(x)) "prior" else "number"
}

# Arguments in the function's order. They are named from the first omitted argument on.
corrected_call <- function(head, arguments, formals) {
  required <- vapply(formals, identical, NA, rlang::missing_arg())
  needed <- intersect(names(formals)[required], c("newdata", "data", "cost"))
  needed <- setdiff(needed, names(arguments))
  arguments <- c(arguments, stats::setNames(lapply(needed, as.name), needed))
  arguments <- arguments[order(match(names(arguments), names(formals)))]
  text <- vapply(names(arguments), function(arg) {
    written <- paste(deparse(arguments[[arg]]), collapse = " ")
    if (nchar(written) > 60L) arg else written
  }, "")
  named <- names(text) != names(formals)[seq_along(text)]
  named <- cumsum(named | is.na(named)) > 0L
  text[named] <- paste(names(text)[named], "=", text[named])
  # Users call the generic, not the method.
  name <- sub("[.](bayesrisk_[a-z]+|default)$", "", deparse1(head))
  sprintf("%s(%s)", name, paste(text, collapse = ", "))
}
