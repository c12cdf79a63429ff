# Knits the page: inst/report/report.Rmd has its text and calls, inst/report/page.html its looks and
# the style for screen and print. The source of a user takes page.html from the package, too.

report_template <- function() {
  file <- system.file("report", "report.Rmd", package = "bayesrisk", mustWork = TRUE)
  enc2utf8(readLines(file, encoding = "UTF-8", warn = FALSE))
}

# The source with the name of the file that holds its objects.
report_source <- function(objects) {
  name <- gsub("'", "''", basename(objects), fixed = TRUE)
  lines <- report_template()
  lines[match("  objects: 'report.rds'", lines)] <- sprintf("  objects: '%s'", name)
  paste0(lines, "\n", collapse = "")
}

# The page as text.
knit_report <- function(given) {
  folder <- tempfile("report-")
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  input <- file.path(folder, "report.Rmd")
  writeLines(report_template(), input, useBytes = TRUE)
  # With `output_dir` the page would name its figures by their folder, which may not be ASCII.
  keep_knitr(in_new_session(with_session_lang(suppressMessages(rmarkdown::render(
    input, output_file = "page.html", params = list(objects = given),
    envir = new.env(parent = globalenv()), quiet = TRUE
  )))))
  page <- readLines(file.path(folder, "page.html"), encoding = "UTF-8", warn = FALSE)
  paste0(page, "\n", collapse = "")
}

# rmarkdown lets LANG alone tell pandoc its locale. pandoc opens no file whose name has letters that
# the locale lacks. So LANG becomes the locale of the session, or UTF-8 in place of the C locale.
with_session_lang <- function(expr) {
  if (.Platform$OS.type == "windows") return(expr)
  lang <- Sys.getlocale("LC_CTYPE")
  if (lang %in% c("C", "POSIX")) {
    lang <- if (Sys.info()[["sysname"]] == "Darwin") "en_US.UTF-8" else "C.UTF-8"
  }
  old <- Sys.getenv("LANG", NA)
  on.exit(if (is.na(old)) Sys.unsetenv("LANG") else Sys.setenv(LANG = old))
  Sys.setenv(LANG = lang)
  expr
}

# A document that is being knitted may write a report. The report begins with the state of a new
# session, and the document goes on with its own.
keep_knitr <- function(expr) {
  states <- list(
    knitr::knit_code, knitr::opts_chunk, knitr::opts_knit, knitr::knit_hooks, knitr::opts_current
  )
  old <- lapply(states, function(state) state$get())
  meta <- knitr::knit_meta(clean = TRUE)
  # knitr leaves this option behind.
  kept <- options(rlang_trace_top_env = getOption("rlang_trace_top_env"))
  on.exit({
    options(kept)
    Map(function(state, values) state$restore(values), states, old)
    knitr::knit_meta_add(meta)
  })
  for (state in states) state$restore()
  expr
}
