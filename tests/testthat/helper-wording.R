# Conditions without text. Tests of thousands of conditions read only the class, and writing the
# text would take three quarters of the time.

unworded <- function(work) {
  as_is <- function(message, ...) toString(message)
  cheap <- list(
    cli = list(format_error = as_is, format_warning = as_is, format_message = as_is,
               format_inline = function(...) ""),
    rlang = list(cnd_message_format = function(cnd, ...) cnd$message[[1L]],
                 trace_back = function(...) NULL)
  )
  before <- Map(replace_functions, names(cheap), cheap)
  on.exit(Map(replace_functions, names(cheap), before))
  force(work)
}

# Replaces functions of a package. Returns the previous functions.
replace_functions <- function(package, functions) {
  space <- asNamespace(package)
  before <- mget(names(functions), envir = space)
  for (name in names(functions)) {
    unlockBinding(name, space)
    assign(name, functions[[name]], space)
  }
  before
}

# Writes the text of every tenth condition (`every`), because the text can be wrong, too.
worded_now_and_then <- function(i, work, every = 10) {
  if (i %% every == 1) work else unworded(work)
}

# Muffles the warnings and messages of the package, but not those of R.
muffle_ours <- function(work) {
  withCallingHandlers(
    work,
    bayesrisk_warning = function(w) tryInvokeRestart("muffleWarning"),
    bayesrisk_message = function(m) tryInvokeRestart("muffleMessage")
  )
}
