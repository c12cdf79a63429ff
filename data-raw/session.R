# Runs R code and returns what a session shows of it: the code, and as comments the printed values,
# warnings and errors.
record_session <- function(code, env = parent.frame()) {
  calls <- parse(text = trimws(code), keep.source = TRUE)
  texts <- lapply(attr(calls, "srcref"), as.character)
  shown <- unlist(Map(function(text, call) c(text, record_call(call, env)), texts, calls))
  trimws(shown, "right")
}

record_call <- function(call, env) {
  said <- character()
  note <- function(word, condition) said <<- c(said, paste(word, conditionMessage(condition)))
  run <- function() {
    value <- withVisible(eval(call, env))
    if (value$visible) print(value$value)
  }
  printed <- utils::capture.output(tryCatch(
    withCallingHandlers(run(), warning = function(warned) {
      note("Warning:", warned)
      invokeRestart("muffleWarning")
    }),
    error = function(failed) note("Error:", failed)
  ))
  lines <- unlist(strsplit(paste0(c(printed, said), "\n"), "\n", fixed = TRUE))
  if (length(printed) || length(said)) paste("#>", lines)
}
