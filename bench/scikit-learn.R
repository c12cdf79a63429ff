# The same tasks in scikit-learn, one process after the other on the same machine.

scikit_rows <- function(mode, root, only = NULL) {
  python <- find_scikit()
  if (is.na(python)) {
    message("scikit-learn is skipped: no python3 has it (Debian: apt-get install python3-sklearn)")
    return(NULL)
  }
  file <- tempfile(fileext = ".csv")
  on.exit(unlink(file))
  script <- file.path(root, "bench", "scikit-learn.py")
  arguments <- c(shQuote(script), mode$name, shQuote(file), if (!is.null(only)) shQuote(only))
  for (threads in c("1", if (mode$name == "full") "2")) {
    status <- system2(python, arguments, env = paste0("OMP_NUM_THREADS=", threads))
    if (status != 0) stop("bench/scikit-learn.py failed", call. = FALSE)
  }
  scikit_table(utils::read.csv(file))
}

find_scikit <- function() {
  for (python in c("/usr/bin/python3", Sys.which("python3"))) {
    has <- nzchar(python) && file.exists(python) &&
      system2(python, c("-c", shQuote("import sklearn")), stderr = FALSE) == 0
    if (has) return(python)
  }
  NA_character_
}

scikit_table <- function(timed) {
  rows <- lapply(seq_len(nrow(timed)), function(i) {
    size <- as.list(timed[i, c("n", "p", "k", "levels")])
    setting <- c(list(topic = "scikit-learn"), size[!is.na(size)])
    result_rows(setting, timed$task[i], timed[i, c("who", "value", "least", "note")])
  })
  do.call(rbind, rows)
}
