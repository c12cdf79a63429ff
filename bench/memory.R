# Peak memory beyond the data, each case in a fresh R process (memory-case.R).

memory_rows <- function(mode, root) {
  if (!file.exists("/proc/self/clear_refs")) {
    message("Peak memory is skipped: this system has no /proc/self/clear_refs")
    return(NULL)
  }
  sizes <- c(list(c(1e6, 10, 3)), if (mode$name == "full") list(c(1e7, 8, 2)))
  who <- Filter(available, c("bayesrisk", "naivebayes", if (mode$name == "full") "Rfast"))
  cases <- expand.grid(
    who = who, task = c("fit", "class"), size = seq_along(sizes), stringsAsFactors = FALSE
  )
  rows <- lapply(seq_len(nrow(cases)), function(i) {
    size <- sizes[[cases$size[i]]]
    measured <- data.frame(
      who = cases$who[i], unit = "MB",
      value = memory_of(root, cases$task[i], cases$who[i], size)
    )
    task <- c(fit = "Memory of a fit", class = "Memory of a class prediction, beyond the result")
    setting <- list(topic = "memory", n = size[1], p = size[2], k = size[3])
    result_rows(setting, task[[cases$task[i]]], measured)
  })
  do.call(rbind, rows)
}

memory_of <- function(root, task, who, size) {
  script <- shQuote(file.path(root, "bench", "memory-case.R"))
  printed <- system2(
    file.path(R.home("bin"), "Rscript"), c(script, task, who, format(size, scientific = FALSE)),
    stdout = TRUE
  )
  as.numeric(utils::tail(printed, 1))
}
