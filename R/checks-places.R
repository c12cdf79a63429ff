# Finds arguments in the wrong position by their kind: for example a cost in the place of the data,
# or a prior in the place of the cost. Runs only after another check has failed.

# Stops and shows the corrected call. Returns if no argument is in a wrong place. `call`: the frame
# of the function that the user called.
check_places <- function(call) {
  written <- written_call(call)
  if (is.null(written)) return(invisible())
  matched <- written$arguments
  given <- setdiff(intersect(names(matched), checked_places), written$named)
  kinds <- vapply(given, function(arg) kind_of(get(arg, envir = call)), "")
  places <- lapply(kinds, function(kind) intersect(places_of_kind[[kind]], names(written$formals)))
  # A table in `other` can hold probabilities only if `object` or `data` is a table too. Otherwise
  # the table is treated as data in the wrong place.
  only_table <- kinds["other"] %in% "table" && !any(kinds[c("object", "data")] %in% "table")
  if (only_table) places$other <- "data"
  lost <- lengths(places) > 0L & !mapply(`%in%`, given, places)
  if (!any(lost)) return(invisible())
  lost <- given[lost]
  moved <- vapply(places[lost], function(open) setdiff(open, setdiff(given, lost))[1L], "")
  if (anyNA(moved) || anyDuplicated(moved)) return(invisible())
  moved <- place_posterior(moved, kinds, written)
  matched <- c(matched[setdiff(names(matched), lost)], stats::setNames(matched[lost], moved))
  # A number in the place of the object may be anything.
  if ("object" %in% lost && kinds["object"] == "number") return(invisible())
  object <- if ("object" %in% moved) get(names(moved)[moved == "object"], envir = call)
  formals <- if (is.null(matched$object) || is_model(object)) {
    formals_for_model(written)
  } else {
    written$formals
  }
  right <- corrected_call(written$head, matched, formals)
  found <- sprintf("`%s` is %s", lost, kind_names[kinds[lost]])
  abort_argument(c(
    "An argument stands in the place of another: {found}.", i = "Write {.code {right}}."
  ), call)
}

# A table without a model holds the probabilities to decide by. `moved`: the new places, named by
# the old ones.
place_posterior <- function(moved, kinds, written) {
  takes <- c("decide", "assess_decisions", "break_even", "cost_sweep")
  generic <- sub("[.]default$", "", deparse1(written$head))
  table <- names(moved)[kinds[names(moved)] == "table"]
  open <- "object" %in% setdiff(names(moved), moved)
  if (!generic %in% takes || length(table) != 1L || !open) return(moved)
  replace(moved, table, "object")
}

# The formal arguments of the method for models, which R did not choose because the model was in
# another place.
formals_for_model <- function(written) {
  generic <- sub("[.]default$", "", deparse1(written$head))
  method <- utils::getS3method(generic, "bayesrisk_model", optional = TRUE)
  if (is.null(method)) written$formals else formals(method)
}

# The call of the function that runs in a frame, as the user wrote it: the head, the expressions of
# the arguments, the written names, and the formal arguments. NULL if there is no such call, or if
# the head of the call is not a name.
written_call <- function(frame) {
  at <- frame_number(frame)
  if (!length(at)) return(NULL)
  fun <- sys.function(at)
  written <- sys.call(at)
  head <- written[[1L]]
  if (!is.name(head) && !rlang::is_call(head, c("::", ":::"))) return(NULL)
  matched <- match.call(fun, written, envir = sys.frame(sys.parents()[[at]]))
  list(
    head = head, arguments = as.list(matched)[-1L], named = names(written), formals = formals(fun)
  )
}

# Stops if a formula or data are given to a function that makes a specification, and shows the call
# of fit(). `call`: the frame of this function; `...`: arguments that it does not have.
check_no_data <- function(call, ...) {
  given <- as.list.environment(call)
  if (!...length() && !has_data(given)) return(invisible())
  given <- given[setdiff(names(formals(sys.function(frame_number(call)))), "...")]
  if (...length()) given <- c(given, rlang::dots_list(..., .ignore_empty = "all"))
  if (!has_data(given)) return(invisible())
  written <- written_call(call)
  if (is.null(written)) return(invisible())
  right <- fitting_call(written, given)
  abort_argument(c(
    "A specification is made without data: {.fn fit} reads them.", i = "Write {.code {right}}."
  ), call)
}

has_data <- function(given) {
  for (x in given) if (is.object(x) && inherits(x, c("data.frame", "formula"))) return(TRUE)
  FALSE
}

# The call of fit() or fit_xy() for what was given to a specification. `given`: its values.
fitting_call <- function(written, given) {
  matched <- written$arguments
  given <- given[names(matched)]
  is_a <- function(class) vapply(given, inherits, NA, class)
  is_table <- is_a("data.frame")
  is_formula <- is_a("formula")
  rows <- if (any(is_table)) nrow(given[[which(is_table)[[1L]]]])
  is_class <- !any(is_formula) & !vapply(given, is.list, NA) & lengths(given) %in% setdiff(rows, 1L)
  of_rows <- names(matched) %in% c("weights", "subset", "na.action")
  text <- function(of, otherwise) if (any(of)) deparse1(matched[[which(of)[[1L]]]]) else otherwise
  settings <- matched[!is_table & !is_formula & !is_class & !of_rows]
  open <- "blocks" %in% setdiff(names(written$formals), names(settings))
  blocks <- if (open) quote(blocks)
  spec <- deparse1(as.call(c(written$head, blocks, settings)))
  data <- short_code(text(is_table, "data"), "data")
  rest <- vapply(matched[of_rows], deparse1, "")
  rest <- paste0(sprintf(", %s = %s", names(rest), rest), collapse = "")
  if (any(is_class)) return(sprintf("fit_xy(%s, %s, %s%s)", spec, data, text(is_class), rest))
  sprintf("fit(%s, %s, %s%s)", spec, text(is_formula, "class ~ ."), data, rest)
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
  if (is.matrix(x) || inherits(x, source_classes)) return("table")
  if (identical(x, "prior") || is.character(x) && "decision" %in% names(x)) return("parameter")
  if (identical(x, "uniform") || inherits(x, "bayesrisk_prior")) return("prior")
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
  if (isTRUE(required["object"]) && is.null(arguments$object)) arguments$object <- quote(model)
  arguments <- arguments[order(match(names(arguments), names(formals)))]
  text <- vapply(names(arguments), function(arg) {
    short_code(deparse1(arguments[[arg]]), arg)
  }, "")
  named <- names(text) != names(formals)[seq_along(text)]
  named <- cumsum(named | is.na(named)) > 0L
  text[named] <- paste(names(text)[named], "=", text[named])
  # Users call the generic, not the method. decide() has methods for classes of other packages.
  name <- sub("[.](bayesrisk_[a-z]+|default)$|(?<=decide)[.].*", "", deparse1(head), perl = TRUE)
  sprintf("%s(%s)", name, paste(text, collapse = ", "))
}
