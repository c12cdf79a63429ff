# Every condition of the package is raised here, so that each has its class and the user's call.
# Messages are cli templates, all but that of abort_empty_data(). Names of columns and levels are
# inserted as values ({.val {x}}), never pasted into the template.

error_class <- function(kind) c(paste0("bayesrisk_error_", kind), "bayesrisk_error")

# A function that raises the errors of one kind.
raiser <- function(kind) {
  force(kind)
  function(message, call = rlang::caller_env(), ..., envir = parent.frame()) {
    cli::cli_abort(message, class = error_class(kind), call = call, .envir = envir, ...)
  }
}

# A bad argument: its type, length, value or name.
abort_argument <- raiser("argument")

# Training data that no model of the package can read.
abort_data <- raiser("data")

# There is no row to learn from. Functions that add rows take this error for nothing to add. Its
# fields: `read`, the number of rows that were read, by group if there are groups, and `lost`, as in
# a piece of source-pieces.R. cli does not format it: each chunk without rows raises this error, and
# the formatting took most of the time.
abort_empty_data <- function(call, read = 0, lost = list()) {
  rlang::abort(
    c(
      "There are no rows to fit.",
      i = "The data have none, or `subset`, `weights` and `na.action` leave none."
    ),
    error_class(c("no_rows", "data")), call = call, read = read, lost = lost
  )
}

# Counts that are too small to be exchanged.
abort_small_cells <- raiser(c("small_cells", "data"))

# The data are well formed, but the estimates of this model do not exist for them.
abort_degenerate <- raiser("degenerate")

# New data that do not fit the model.
abort_schema <- raiser("schema")

# The connection to a database is closed, lost or replaced.
abort_connection <- raiser("connection")

# An object that is damaged, or is not a model.
abort_object <- raiser("object")

# The engine could not allocate memory. R raises its own error when R cannot allocate.
abort_memory <- raiser("memory")

# Raises an error of the package again and says where it happened, for example in which chunk.
# `where`: a cli template.
abort_again <- function(error, where, call, ..., envir = parent.frame()) {
  said <- strsplit(cli::ansi_strip(conditionMessage(error)), "\n", fixed = TRUE)[[1L]]
  place <- cli::format_inline(where, .envir = envir)
  cli::cli_abort(
    c("{place}", bullet_lines(said, " ")),
    class = setdiff(class(error), c("rlang_error", "error", "condition")), call = call, ...
  )
}

warn_bayesrisk <- function(message, kind, call = rlang::caller_env(), ...,
                           envir = parent.frame()) {
  cli::cli_warn(
    message,
    class = c(paste0("bayesrisk_warning_", kind), "bayesrisk_warning"),
    call = call, .envir = envir, ...
  )
}

inform_bayesrisk <- function(message, kind, ..., envir = parent.frame()) {
  cli::cli_inform(
    message,
    class = c(paste0("bayesrisk_message_", kind), "bayesrisk_message"),
    .envir = envir, ...
  )
}

abort_damaged <- function(what, problem, call, ...) {
  abort_object(c(
    "The {what} is damaged: {problem}.",
    i = "Make it again, or read it again from where it was saved."
  ), call, ...)
}

# Checks objects that users make and print: specifications and likelihoods.
check_unchanged <- function(sound, what, call) {
  if (!sound) abort_damaged(what, "it differs from what its constructor makes", call)
}

# The value of an expression that reads a result. Results are data frames and lists, which users
# change and files damage: an error of R itself says that the parts do not fit together.
unless_damaged <- function(expr, call, what = "object") {
  tryCatch(expr, error = function(e) {
    memory <- grepl("cannot allocate", conditionMessage(e), fixed = TRUE)
    if (inherits(e, "bayesrisk_error") || is_time_limit(e) || memory) stop(e)
    abort_damaged(what, "its parts do not fit together", call, parent = e)
  })
}

# Several models that read the same data give the same warnings. Each warning is passed on once.
warn_once <- function(expr) {
  said <- character()
  withCallingHandlers(expr, bayesrisk_warning = function(w) {
    text <- conditionMessage(w)
    if (text %in% said) rlang::cnd_muffle(w)
    said <<- c(said, text)
  })
}

# Whether an error says that a limit of setTimeLimit() is reached. R gives it no class. The limit is
# that of the whole work, so no part of the work may take it for a failure of its own.
is_time_limit <- function(error) {
  said <- c(
    "reached elapsed time limit", "reached session elapsed time limit", "reached CPU time limit",
    "reached session CPU time limit"
  )
  said <- c(said, gettext(said, domain = "R"))
  # Messages of this package may be broken into lines.
  message <- gsub("[[:space:]]+", " ", conditionMessage(error))
  any(vapply(said, grepl, NA, message, fixed = TRUE))
}
