#' Data in parts, on several machines
#'
#' A list of sources, such as files, shards of a table, or the rows of several processes, as one
#' source of data for [fit()], [bayes_statistics()], [update()][update.bayesrisk_model],
#' [predict()][predict.bayesrisk_model] and [decide()]. The statistics of the parts are merged; rows
#' stay where they are.
#'
#' @details
#' A part is a data frame, [chunks][data_chunks()], a lazy table, or a function without arguments
#' that opens one of these where it is called. With `read`, a part may be anything that `read` turns
#' into one of these, such as the name of a file.
#'
#' The statistics of the parts are merged in the order of the parts, always as the same tree:
#' neighbours first, then neighbours of these. So the result is the same, bit for bit, for any
#' number of workers. A part can be empty, or lack classes and levels.
#'
#' `weights`, `subset` and bins of histograms follow the rules of [data_chunks()].
#'
#' @section Workers:
#' `map` is any function with the arguments of [lapply()]. Workers need this package and the
#' packages that `read` uses. They receive the parts, the specification and the formula, and send
#' statistics back, some kilobytes for naive Bayes.
#' ```r
#' cl <- parallel::makeCluster(4)
#' data_parts(files, read, map = function(x, f) parallel::parLapply(cl, x, f))
#' data_parts(files, read, map = function(x, f) parallel::mclapply(x, f, mc.cores = 4))
#' data_parts(files, read, map = function(x, f) mirai::mirai_map(x, f)[])
#' data_parts(files, read, map = future.apply::future_lapply)
#' ```
#' Send names of files instead of rows: copying rows costs more than counting them.
#'
#' @section MPI:
#' Ranks of MPI need no function of their own. Each rank collects the statistics of its part, and
#' ranks merge in pairs. Rank 0 ends with the same bits as `data_parts()` with a part for each rank.
#' Run it by `mpiexec -n 4 Rscript script.R`.
#' ```r
#' library(Rmpi)
#' rank <- mpi.comm.rank(0)
#' size <- mpi.comm.size(0)
#' mine <- bayes_statistics(bayes_full(), y ~ ., read(files[[rank + 1]]))
#' step <- 1
#' while (step < size) {
#'   if (rank %% (2 * step) != 0) {
#'     mpi.send.Robj(mine, rank - step, 0, 0)
#'     break
#'   }
#'   if (rank + step < size) mine <- merge(mine, mpi.recv.Robj(rank + step, 0, 0))
#'   step <- 2 * step
#' }
#' if (rank == 0) model <- fit(bayes_full(), mine)
#' mpi.finalize()
#' ```
#'
#' @section A part that fails:
#' A part that fails does not stop the other parts. With `on_error = "stop"` the error at the end
#' names the parts that failed; its field `statistics` has the merged statistics of the others, and
#' its field `parts` the names. With `on_error = "skip"` the result is that of the other parts, and
#' a warning (`bayesrisk_warning_failed_parts`, with the same field `parts`) names the failed parts.
#' Later `update(model, data_parts(parts[failed], read))` adds them.
#'
#' @param parts A list or vector of parts. Names name the parts in messages.
#' @param read A function of one part that returns a source of data, or `NULL`: the parts are
#'   sources.
#' @param map A function with the arguments of [lapply()].
#' @param on_error `"stop"` (the default) or `"skip"`; see "A part that fails".
#' @inheritParams bayesrisk_arguments
#' @return An object of class `bayesrisk_parts`. `predict()` and `decide()` of parts return a list
#'   with the result of each part.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, or if `map` does not return a
#'   result for each part; `bayesrisk_error_data` if parts fail or do not fit together.
#' @seealso [data_chunks()], [merge()][merge.bayesrisk_statistics], [write_statistics()]
#' @examples
#' north <- iris[1:80, ]
#' south <- iris[81:150, ]
#' fit(bayes_naive(), Species ~ ., data_parts(list(north = north, south = south)))
#'
#' # Files that are read by workers
#' files <- tempfile(c("north", "south"), fileext = ".csv")
#' write.csv(north, files[[1]], row.names = FALSE)
#' write.csv(south, files[[2]], row.names = FALSE)
#' model <- fit(bayes_naive(), Species ~ ., data_parts(files, read = read.csv))
#' model
#' @export
data_parts <- function(parts, read = NULL, map = lapply, on_error = c("stop", "skip"), ...) {
  call <- check_no_dots(...)
  parts <- check_parts(maybe(parts), call)
  if (!is.null(read) && !is.function(read)) {
    abort_argument("{.arg read} must be a function of a part, not {describe_value(read)}.", call)
  }
  if (!is.function(map)) {
    abort_argument(
      "{.arg map} must be a function like {.fn lapply}, not {describe_value(map)}.", call
    )
  }
  on_error <- check_choice(on_error, c("stop", "skip"), "on_error", call)
  structure(
    list(parts = parts, read = read, map = map, on_error = on_error),
    class = c("bayesrisk_parts", "bayesrisk_result")
  )
}

check_parts <- function(parts, call) {
  is_set <- is.list(parts) && !is.object(parts) || is_plain(parts, is.character)
  if (is_set && length(parts)) return(as.list(parts))
  got <- describe_value(parts)
  abort_argument(c(
    "{.arg parts} must be a list of sources, or names of files, not {got}.",
    i = if (is.data.frame(parts)) "Put the table into a list: {.code data_parts(list(data))}."
  ), call)
}

check_parts_object <- function(data, call) {
  sound <- is.list(data) && is.list(data$parts) && length(data$parts) > 0L &&
    (is.null(data$read) || is.function(data$read)) && is.function(data$map) &&
    is_string(data$on_error) && data$on_error %in% c("stop", "skip")
  check_unchanged(sound, "source", call)
}

# Names of files name themselves.
part_names <- function(parts) {
  names <- names(parts)
  if (is.null(names)) names <- rep("", length(parts))
  own <- vapply(parts, function(x) if (is_string(x)) x else "", "")
  names <- ifelse(is.na(names) | !nzchar(names), own, names)
  ifelse(nzchar(names), names, sprintf("part %d", seq_along(parts)))
}

# Predictions and decisions for parts are a list with the answer for each part.
#' @export
ask_source.bayesrisk_parts <- function(data, request, call) {
  check_parts_object(data, call)
  check_piece_request(request, call)
  if (request$kind %in% c("statistics", "counts")) return(collect_parts(data, request, call))
  if (request$kind == "evidence") request$most <- shared_sample(request$most, length(data$parts))
  results <- run_parts(data, answer_part, portable_request(request), call)
  failed <- Filter(is_failed, results)
  if (length(failed)) {
    shown <- failure_lines(failed)
    abort <- if (request$kind == "rows") abort_data else abort_schema
    abort(c("{length(failed)} part{?s} failed.", shown), call)
  }
  answers <- lapply(results, `[[`, "value")
  if (request$kind == "answers") answers else unlist(unname(answers), FALSE)
}

# The rows of each part in samples of estimate_prior(), at least a run of the engine (kSampleRun).
shared_sample <- function(most, parts) ifelse(most > 0, pmax(most / parts, 64), 0)

answer_part <- function(data, request, call) {
  if (is.data.frame(data)) check_own_rows(data, request, call)
  list(value = request$of_rows(data, request, call))
}

collect_parts <- function(data, request, call) {
  if (is.null(data$seen)) data$seen <- new.env(parent = emptyenv())
  request <- portable_request(settle_request(data, request, call))
  # A message of another process reaches nobody.
  if (identical(request$of_cases, collect_questioned)) request$of_cases <- collect_cases
  pieces <- run_parts(data, collect_piece, request, call)
  # A part in which a column holds NA alone takes the kind of the column from the others.
  known <- Reduce(add_known, lapply(pieces, `[[`, "known"), list())
  wanted <- wanted_columns(setdiff(names(known), names(request$known)), request)
  open <- vapply(pieces, function(p) any(p$unknown %in% wanted), NA)
  if (is.null(request$schema) && any(open)) {
    request$known <- add_known(request$known, known)
    pieces[open] <- run_parts(data, collect_piece, request, call, which(open))
  }
  failed <- Filter(is_failed, pieces)
  piece <- merge_parts(Filter(Negate(is_failed), pieces), request, call)
  # A part that fails here fails again when it is counted.
  if (length(failed) && !asks_ranges(request)) {
    report_failed(piece, failed, data, request, call)
  }
  finish_piece(piece, request, call)
}

merge_parts <- function(pieces, request, call) {
  if (!length(pieces)) return(list(read = 0, lost = list()))
  tryCatch(
    merge_neighbours(unname(pieces), function(a, b) merge_pieces(a, b, request, call)),
    bayesrisk_error_data = function(e) {
      abort_misfit(pieces, request, call)
      stop(e)
    }
  )
}

# Neighbours that do not fit may be many parts. One after the other, the part shows itself.
abort_misfit <- function(pieces, request, call) {
  total <- pieces[[1L]]
  for (i in seq_along(pieces)[-1L]) {
    name <- names(pieces)[[i]]
    shown <- if (startsWith(name, "part ")) name else paste("part", name)
    total <- tryCatch(
      merge_pieces(total, pieces[[i]], request, call),
      bayesrisk_error_data = function(e) abort_again(e, "{shown}:", call)
    )
  }
}

is_failed <- function(piece) !is.null(piece$failed)

# Calls work(source, request, call) for the parts `at`, wherever `map` does so. A failure is part of
# the result.
run_parts <- function(data, work, request, call, at = seq_along(data$parts)) {
  parts <- data$parts[at]
  results <- data$map(parts, part_worker(data$read, work, request))
  if (!is.list(results) || length(results) != length(parts)) {
    got <- describe_value(results)
    abort_argument(
      "{.arg map} must return a list with a result for each part, as {.fn lapply}, not {got}.", call
    )
  }
  results <- lapply(results, function(x) {
    if (inherits(x, "bayesrisk_piece")) return(unclass(x))
    list(failed = paste("The worker returned", describe_value(x)), argument = FALSE)
  })
  compare_passes(stats::setNames(results, part_names(parts)), at, data$seen)
}

# The function that workers receive. Its environment has only what it needs.
part_worker <- function(read, work, request) {
  force(read)
  force(work)
  force(request)
  function(part) {
    call <- environment()
    source <- part
    result <- tryCatch({
      if (!is.null(read)) source <- read(part)
      if (is.function(source)) source <- source()
      # Tells whether the source changes, without reading its rows.
      state <- if (is.data.frame(source)) dim(source)
      if (inherits(source, "bayesrisk_chunks")) state <- source$stamps()
      c(work(source, request, call), list(state = state))
    }, error = function(e) {
      if (is_time_limit(e)) stop(e)
      kinds <- if (is.data.frame(source)) column_kinds(source)
      said <- cli::ansi_strip(conditionMessage(e))
      c(list(failed = said, argument = inherits(e, "bayesrisk_error_argument")), kinds)
    })
    structure(result, class = "bayesrisk_piece")
  }
}

failure_lines <- function(failed) {
  said <- vapply(failed, function(f) gsub("\n", " ", f$failed, fixed = TRUE), "")
  bullet_lines(utils::head(paste0(names(failed), ": ", said), 10L), "x")
}

# `piece`: what the other parts add.
report_failed <- function(piece, failed, data, request, call) {
  shown <- failure_lines(failed)
  names <- names(failed)
  if (!isTRUE(request$open) && data$on_error == "skip") {
    return(warn_bayesrisk(c(
      "{length(names)} of {length(data$parts)} parts failed, and {?is/are} left out:", shown
    ), "failed_parts", call, parts = names))
  }
  request$open <- NULL
  statistics <- tryCatch(finish_piece(piece, request, call), bayesrisk_error = function(e) NULL)
  # A wrong argument fails in all parts.
  wrong <- is.null(statistics) && all(vapply(failed, `[[`, NA, "argument"))
  abort <- if (wrong) abort_argument else abort_data
  abort(c(
    "{length(names)} part{?s} failed.", shown,
    i = "The statistics of the other parts are in the field {.field statistics} of this error.",
    i = "{.code on_error = \"skip\"} leaves parts out that fail."
  ), call, statistics = statistics, parts = names)
}

#' @export
describe.bayesrisk_parts <- function(x, show) {
  check_parts_object(x, show$call)
  list(
    title_item(paste("data in", count_of(length(x$parts), "part", "parts"))),
    table_item(result_rows(x, show$call), c("part", "parts"))
  )
}

#' @export
result_rows.bayesrisk_parts <- function(x, call) {
  check_parts_object(x, call)
  data.frame(
    part = part_names(x$parts),
    source = vapply(x$parts, function(part) class(part)[[1L]], "", USE.NAMES = FALSE)
  )
}
