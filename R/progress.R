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

# The progress of work that R divides, such as the chunks of a file: move(share) and end(). The bar
# appears after two seconds. The engine shows no bar of its own meanwhile.
follow_progress <- function() {
  shown <- shows_progress()
  begun <- proc.time()[["elapsed"]]
  before <- options(bayesrisk.progress = FALSE)
  id <- NULL
  list(
    move = function(share) {
      late <- proc.time()[["elapsed"]] - begun > 2
      if (!shown || !late || is.na(share)) return(invisible())
      options(before)
      on.exit(options(bayesrisk.progress = FALSE))
      id <<- move_progress(id, share)
    },
    end = function() {
      options(before)
      if (!is.null(id)) end_progress(id)
    }
  )
}
