# The progress bar of the engine, for work that takes more than two seconds. See src/progress.h.

# Moves the bar `id` to a share of the work. NULL starts a new bar if bars are wanted.
move_progress <- function(id, share) {
  if (is.null(id)) {
    if (!shows_progress()) return(NULL)
    id <- cli::cli_progress_bar(
      total = 1, format = "Computing {cli::pb_bar} {cli::pb_percent}", current = FALSE,
      auto_terminate = FALSE, .auto_close = FALSE, .envir = topenv()
    )
  }
  cli::cli_progress_update(set = share, id = id, force = TRUE, .envir = topenv())
  id
}

end_progress <- function(id) cli::cli_progress_done(id = id, .envir = topenv())

# Bars are shown in terminals that can clear a line. Tests show bars only if the option asks for
# them. Reports never show bars, because each step would be a line.
shows_progress <- function() {
  if (isTRUE(getOption("knitr.in.progress"))) return(FALSE)
  in_tests <- identical(Sys.getenv("TESTTHAT"), "true")
  isTRUE(getOption("bayesrisk.progress", !in_tests && cli::is_dynamic_tty()))
}
