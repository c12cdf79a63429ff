# Predictions and decisions for parts are a list with the answer for each part.

#' @export
score_from.bayesrisk_parts <- function(newdata, model, ask, call) {
  map_parts(newdata, part_answers(score_from, model, ask), call)
}

#' @export
decide_from.bayesrisk_parts <- function(newdata, model, ask, call) {
  map_parts(newdata, part_answers(decide_from, model, ask), call)
}

part_answers <- function(answer, model, ask) {
  force(answer)
  force(model)
  force(ask)
  function(source, call) list(value = answer(source, model, ask, call))
}

map_parts <- function(data, work, call) {
  check_parts_object(data, call)
  results <- run_parts(data, work, call)
  failed <- Filter(is_failed, results)
  if (length(failed)) {
    shown <- failure_lines(failed)
    abort_schema(c("{length(failed)} part{?s} failed.", shown), call)
  }
  lapply(results, `[[`, "value")
}
