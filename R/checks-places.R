# Finds arguments in the wrong position by their kind: for example a cost in the place of the data,
# or a prior in the place of the cost. Runs only after another check has failed.

# Stops and shows the arguments by their names. Returns if no argument is in a wrong place. `call`:
# the frame of the function that the user called.
check_places <- function(call) {
  at <- frame_number(call)
  head <- if (length(at)) sys.call(at)[[1L]]
  # The places of a function without a name are not known.
  if (!is.name(head) && !rlang::is_call(head, c("::", ":::"))) return(invisible())
  fun <- sys.function(at)
  written <- sys.call(at)
  matched <- as.list(match.call(fun, written, envir = sys.frame(sys.parents()[[at]])))[-1L]
  given <- setdiff(intersect(names(matched), checked_places), names(written))
  kinds <- vapply(given, function(arg) kind_of(get(arg, envir = call)), "")
  # An argument that the call names has its value.
  free <- setdiff(names(formals(fun)), names(written))
  places <- lapply(kinds, function(kind) intersect(places_of_kind[[kind]], free))
  # A table in `other` can hold probabilities only if `object` or `data` is a table too. Otherwise
  # the table is treated as data in the wrong place.
  only_table <- kinds["other"] %in% "table" && !any(kinds[c("object", "data")] %in% "table")
  if (only_table) places$other <- "data"
  lost <- given[lengths(places) > 0L & !mapply(`%in%`, given, places)]
  # A table without a model holds the probabilities to decide by.
  if ("object" %in% lost && !"model" %in% kinds) places[kinds == "table"] <- "object"
  # A number in the place of the object may be anything.
  if (!length(lost) || kinds["object"] %in% "number") return(invisible())
  moved <- vapply(places[lost], function(open) setdiff(open, setdiff(given, lost))[1L], "")
  if (anyNA(moved) || anyDuplicated(moved)) return(invisible())
  code <- vapply(lost, function(arg) short_code(deparse1(matched[[arg]]), kinds[[arg]]), "")
  found <- sprintf("`%s` is %s", lost, kind_names[kinds[lost]])
  named <- paste(moved, "=", code, collapse = ", ")
  # A model needs rows where something else stood.
  to_model <- "object" %in% names(matched) && is_model(call$object)
  empty <- if (to_model) setdiff(intersect(lost, c("newdata", "data")), moved)
  abort_argument(c(
    "An argument stands in the place of another: {found}.",
    i = if (length(empty)) "{.arg {empty}} is missing then: a model does not keep its data.",
    i = "Write {.code {named}}."
  ), call)
}

# Stops if a formula or data are given to a function that makes a specification. `call`: the frame
# of this function; `...`: arguments that it does not have.
check_no_data <- function(call, ...) {
  given <- as.list.environment(call)
  if (...length()) given <- c(given, rlang::dots_list(..., .ignore_empty = "all"))
  is_data <- vapply(given, function(x) is.object(x) && inherits(x, c("data.frame", "formula")), NA)
  if (!any(is_data)) return(invisible())
  abort_argument(c(
    "A specification is made without data: {.fn fit} reads them.",
    i = "Write {.code fit(spec, class ~ ., data)}, with the specification as {.arg spec}."
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

# Data in memory, and the sources of data elsewhere.
source_classes <- c("data.frame", "tbl_lazy", "bayesrisk_chunks", "bayesrisk_parts")

kind_of <- function(x) {
  if (inherits(x, "bayesrisk_cost")) return("cost")
  if (inherits(x, c("bayesrisk_model", "bayesrisk_spec"))) return("model")
  if (rlang::is_formula(x)) return("formula")
  if (length(dim(x)) > 1L || inherits(x, source_classes)) return("table")
  if (identical(x, "prior") || is.character(x) && "decision" %in% names(x)) return("parameter")
  if (identical(x, "uniform") || inherits(x, "bayesrisk_prior")) return("prior")
  if (is.factor(x) || (is.character(x) || is.logical(x)) && length(x) > 1L) return("labels")
  if (!is.numeric(x) || !length(x) || anyNA(x)) return("other")
  if (length(x) > 1L && sums_to_one(x)) "prior" else "number"
}
