# Finds arguments in the wrong position by their kind: for example a cost in the place of the data,
# or a prior in the place of the cost. Runs only after another check has failed.

# Stops and shows the arguments by their names. Returns if no argument is in a wrong place. `call`:
# the frame of the function that the user called.
check_places <- function(call) {
  read <- read_places(call)
  if (is.null(read)) return(invisible())
  given <- read$given
  kinds <- read$kinds
  places <- read$places
  # A table in `other` can hold probabilities only if `object` or `data` is a table too. Otherwise
  # the table is treated as data in the wrong place.
  only_table <- kinds["other"] %in% "table" && !any(kinds[c("object", "data")] %in% "table")
  if (only_table) places$other <- "data"
  lost <- given[lengths(places) > 0L & !mapply(`%in%`, given, places)]
  # A table without a model holds the probabilities to decide by.
  without <- "object" %in% lost && !any(c("model", "specification") %in% kinds)
  if (without && !read$fits) places[kinds == "table"] <- "object"
  # A number in the place of the object may be anything.
  if (!length(lost) || kinds["object"] %in% "number") return(invisible())
  moved <- vapply(places[lost], function(open) setdiff(open, setdiff(given, lost))[1L], "")
  if (anyNA(moved) || anyDuplicated(moved)) return(invisible())
  code <- vapply(lost, function(arg) short_code(deparse1(read$matched[[arg]]), kinds[[arg]]), "")
  what <- ifelse(
    kinds[lost] == "choice", sprintf("a choice of `%s`", moved), kind_names[kinds[lost]]
  )
  found <- sprintf("`%s` is %s", lost, what)
  named <- c(if (without && read$fits) "object = bayes_naive()", paste(moved, "=", code))
  # A model needs rows where something else stood.
  to_model <- "object" %in% names(read$matched) && is_model(call$object)
  empty <- if (to_model) setdiff(intersect(lost, c("newdata", "data")), moved)
  abort_argument(c(
    "An argument stands in the place of another: {found}.",
    i = if (length(empty)) "{.arg {empty}} is missing then: a model does not keep its data.",
    i = "Write {.code {paste(named, collapse = \", \")}}."
  ), call)
}

# The arguments of a call: list(matched (their expressions), given (those without a name), kinds,
# places (those that each may have), fits (whether the function fits a specification)). NULL for a
# function without a name, whose places are not known.
read_places <- function(call) {
  at <- frame_number(call)
  head <- if (length(at)) sys.call(at)[[1L]]
  if (!is.name(head) && !rlang::is_call(head, c("::", ":::"))) return(NULL)
  fun <- sys.function(at)
  if (!rlang::is_closure(fun)) return(NULL)
  written <- sys.call(at)
  matched <- as.list(match.call(fun, written, envir = sys.frame(sys.parents()[[at]])))[-1L]
  fits <- "formula" %in% names(formals(fun))
  choices <- choices_of(fun)
  checked <- c(checked_places, names(choices))
  given <- setdiff(intersect(names(matched), checked), names(written))
  kinds <- vapply(given, kind_at, "", call, unlist(choices))
  # An argument that the call names has its value.
  free <- setdiff(names(formals(fun)), names(written))
  places <- Map(function(arg, kind) {
    of_choice <- function(among) get(arg, envir = call) %in% among
    open <- if (kind == "choice") names(Filter(of_choice, choices)) else places_of_kind[[kind]]
    if (fits && kind == "table") open <- setdiff(open, c("object", "other"))
    intersect(open, free)
  }, given, kinds)
  list(matched = matched, given = given, kinds = kinds, places = places, fits = fits)
}

# The arguments of a function that take one of several texts, with these.
choices_of <- function(fun) {
  defaults <- as.list(formals(fun))
  listed <- vapply(names(defaults), function(arg) {
    is.call(defaults[[arg]]) && all(vapply(as.list(defaults[[arg]])[-1L], is.character, NA))
  }, NA)
  lapply(defaults[listed], function(default) unlist(as.list(default)[-1L]))
}

# Like match.arg(), with a classed error. The default vector itself means its first choice.
check_choice <- function(x, choices, arg, call = rlang::caller_env()) {
  if (identical(x, choices)) return(choices[[1L]])
  if (is.character(x) && length(x) == 1L && !is.na(x) && x %in% choices) return(as.vector(x))
  check_places(call)
  abort_wanted(x, arg, "one of {.or {.val {choices}}}", call)
}

# Stops if a model or a specification is given to a function that reads data without one. `call`:
# the frame of this function, whose first argument is `x`.
check_no_spec <- function(x, call) {
  if (!inherits(x, c("bayesrisk_model", "bayesrisk_spec"))) return(invisible())
  written <- rlang::frame_call(call)
  name <- rlang::call_name(written)
  right <- sprintf("%s(formula, data)", name)
  if (length(written) > 3L) right <- short_code(deparse1(written[-2L]), right)
  abort_argument(c(
    "The first argument is {kind_names[[kind_of(x)]]}: {.fn {name}} takes none.",
    i = "Write {.code {right}}."
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

checked_places <- c(
  "object", "other", "formula", "newdata", "data", "truth", "cost", "prior", "candidates"
)

# The arguments that take values of each kind. The first that the function has is suggested.
places_of_kind <- list(
  model = c("object", "x", "other"), specification = "object", cost = "cost", formula = "formula",
  table = c("newdata", "data", "object", "other"), parameter = "vary", prior = "prior",
  number = c("price", "folds"), labels = c("truth", "folds"), other = character()
)

kind_names <- c(
  model = "a model", cost = "a cost", formula = "a formula", table = "a table",
  parameter = "what varies", prior = "a prior", number = "a number", labels = "a vector of labels",
  specification = "a specification"
)

# Data in memory, and the sources of data elsewhere.
source_classes <- c("data.frame", "tbl_lazy", "bayesrisk_chunks", "bayesrisk_parts")

# The kind of an argument. `choices`: all texts that the function offers.
kind_at <- function(arg, call, choices) {
  x <- tryCatch(get(arg, envir = call), error = function(e) NULL)
  kind <- kind_of(x)
  if (arg == "truth" && kind %in% c("number", "prior")) return("labels")
  if (kind == "other" && is_string(x) && x %in% choices) "choice" else kind
}

kind_of <- function(x) {
  if (inherits(x, "bayesrisk_cost")) return("cost")
  if (inherits(x, "bayesrisk_model")) return("model")
  if (inherits(x, "bayesrisk_spec")) return("specification")
  if (rlang::is_formula(x)) return("formula")
  if (length(dim(x)) > 1L || inherits(x, source_classes)) return("table")
  if (identical(x, "prior") || is.character(x) && "decision" %in% names(x)) return("parameter")
  if (identical(x, "uniform") || inherits(x, c("bayesrisk_prior", "bayesrisk_monitor"))) {
    return("prior")
  }
  if (is.factor(x) || (is.character(x) || is.logical(x)) && length(x) > 1L) return("labels")
  if (!is.numeric(x) || !length(x) || anyNA(x)) return("other")
  if (length(x) > 1L && sums_to_one(x)) "prior" else "number"
}
