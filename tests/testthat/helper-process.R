# The state of an R process that a package could change.

everything_there_is <- function() {
  list(
    options = options(), folder = getwd(), locale = Sys.getlocale(), environment = Sys.getenv(),
    search = search(), global = setdiff(ls(globalenv(), all.names = TRUE), ".Random.seed"),
    seed = globalenv()$.Random.seed, connections = length(getAllConnections()),
    files = dir(), temporary = dir(tempdir(), recursive = TRUE), devices = grDevices::dev.list(),
    par = user_par()
  )
}

# Makes each of all_valid_calls() in a process that has just loaded the package. Returns the changes
# of the process and of the arguments.
changes_by_calls <- function() {
  callr::r(function(helpers) {
    library(bayesrisk)
    # These packages set options of their own when they are loaded, or attach something.
    for (package in c("cli", "data.table", "ggplot2", "Matrix")) {
      requireNamespace(package, quietly = TRUE)
    }
    for (helper in helpers) source(helper)
    # dbplyr counts queries in an option.
    utils::capture.output(print(valid_lazy_table()))
    grDevices::pdf(NULL)
    graphics::par(mar = c(6, 5, 3, 2), las = 1, cex = 0.9)
    graphics::plot.new()
    calls <- list()
    # R may expand compact vectors. Version 2 of the format does not distinguish them from other
    # vectors.
    bytes_of <- function(x) serialize(x, NULL, version = 2)
    change <- function(work, arguments = NULL) {
      suppressWarnings(rm(".Random.seed", envir = globalenv()))
      bytes <- bytes_of(arguments)
      before <- everything_there_is()
      utils::capture.output(muffle_ours(work()))
      changed <- !mapply(identical, before, everything_there_is())
      c(names(before)[changed], if (!identical(bytes_of(arguments), bytes)) "arguments")
    }
    made <- change(function() calls <<- all_valid_calls())
    changes <- lapply(calls, function(call) {
      change(function() do.call(call[[1L]], call[[2L]], quote = TRUE), call[[2L]])
    })
    Filter(length, c(list(objects = made), changes))
  }, list(normalizePath(dir(pattern = "^helper-"))), libpath = .libPaths())
}

# parallel::mclapply() in a process of its own: the handler of signals that it installs stays, and
# the handlers of processx and of parallel replace each other.
forked_lapply <- function(x, f) {
  callr::r(function(x, f) {
    # bayesrisk notices a fork after it was loaded, and cli starts a thread when it is loaded.
    for (package in c("bayesrisk", "cli")) loadNamespace(package)
    parallel::mclapply(x, f, mc.cores = 2L)
  }, list(x, f))
}

# In the C locale, R writes letters beyond ASCII as escapes, in names and in messages.
skip_in_c_locale <- function() {
  c_locale <- Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
  testthat::skip_if(c_locale, "The C locale has ASCII letters only.")
}

# The variables of a process in a locale that is made for the test. glibc finds it in the folder of
# LOCPATH.
local_made_locale <- function(locale, env = parent.frame()) {
  testthat::skip_if_not(nzchar(Sys.which("localedef")), "No localedef.")
  folder <- withr::local_tempdir(.local_envir = env)
  parts <- strsplit(locale, ".", fixed = TRUE)[[1L]]
  made <- suppressWarnings(system2("localedef", c(
    "-i", parts[[1L]], "-f", parts[[2L]], file.path(folder, locale)
  ), stdout = FALSE, stderr = FALSE))
  testthat::skip_if_not(made == 0L, "The locale cannot be made.")
  variables <- c(LC_ALL = locale, LANG = locale, LOCPATH = folder)
  set <- callr::r(function() Sys.getlocale("LC_CTYPE"), env = c(callr::rcmd_safe_env(), variables))
  testthat::skip_if_not(set == locale, "R cannot set the locale.")
  variables
}
