# Progress of work over two seconds, shown while the engine works: src/progress.h says when.

# The bar `id` (NULL: one that begins, if it is wanted) at `done` of `total` tasks.
move_progress <- function(id, done, total) {
  if (is.null(id)) {
    if (!shows_progress()) return(NULL)
    id <- cli::cli_progress_bar(
      total = total, format = "Computing {cli::pb_bar} {cli::pb_percent}", current = FALSE,
      auto_terminate = FALSE, .auto_close = FALSE, .envir = topenv()
    )
  }
  cli::cli_progress_update(set = done, total = total, id = id, force = TRUE, .envir = topenv())
  id
}

end_progress <- function(id) cli::cli_progress_done(id = id, .envir = topenv())

# In terminals that can clear a line, but not in reports and tests.
shows_progress <- function() {
  quiet <- isTRUE(getOption("knitr.in.progress")) || identical(Sys.getenv("TESTTHAT"), "true")
  isTRUE(getOption("bayesrisk.progress", !quiet && cli::is_dynamic_tty()))
}
