# Every condition of the package is raised here, so that each has its class and the user's call.
# Messages are cli templates. Names of columns and levels are inserted as values ({.val {x}}),
# never pasted into the template.

abort_bayesrisk <- function(message, kind, call, envir, ...) {
  cli::cli_abort(
    message,
    class = c(paste0("bayesrisk_error_", kind), "bayesrisk_error"),
    call = call, .envir = envir, ...
  )
}

# A bad argument: its type, length, value or name.
abort_argument <- function(message, call = rlang::caller_env(), ...,
                           envir = parent.frame()) {
  abort_bayesrisk(message, "argument", call, envir, ...)
}

# Training data that no model of the package can read.
abort_data <- function(message, call = rlang::caller_env(), ...,
                       envir = parent.frame()) {
  abort_bayesrisk(message, "data", call, envir, ...)
}

# The data are well formed, but the estimates of this model do not exist for them.
abort_degenerate <- function(message, call = rlang::caller_env(), ...,
                             envir = parent.frame()) {
  abort_bayesrisk(message, "degenerate", call, envir, ...)
}

# New data that do not fit the model.
abort_schema <- function(message, call = rlang::caller_env(), ...,
                         envir = parent.frame()) {
  abort_bayesrisk(message, "schema", call, envir, ...)
}

# An object that is damaged, or is not a model.
abort_object <- function(message, call = rlang::caller_env(), ...,
                         envir = parent.frame()) {
  abort_bayesrisk(message, "object", call, envir, ...)
}

# The engine could not allocate memory. R raises its own error when R cannot allocate.
abort_memory <- function(message, call = rlang::caller_env(), ...,
                         envir = parent.frame()) {
  abort_bayesrisk(message, "memory", call, envir, ...)
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

abort_damaged <- function(what, problem, call) {
  abort_object(c(
    "The {what} is damaged: {problem}.",
    i = "Make it again, or read it again from where it was saved."
  ), call)
}

# For objects that users make and print: specifications and likelihoods.
check_unchanged <- function(sound, what, call) {
  if (!sound) abort_damaged(what, "the function that makes it would not make it so", call)
}
