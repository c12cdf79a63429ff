#' Data in chunks, larger than memory
#'
#' `data_chunks()` makes a source of data from a function that returns one table after the other.
#' Such a source can be the `data` of [fit()] and [bayes_statistics()], the `moredata` of
#' [update()][update.bayesrisk_model], and the `newdata` of [predict()][predict.bayesrisk_model] and
#' [decide()]. [csv_chunks()], [parquet_chunks()] and [query_chunks()] read files and databases.
#'
#' @details
#' Only one chunk is in memory at a time. The statistics of the chunks are merged in order, so the
#' model is that of one fit of all rows: counts are equal, moments agree to 1e-12 of their scale.
#' Classes and levels that occur in later chunks only are united by name. A column that holds only
#' `NA` in the first chunks takes its kind from later chunks. Then the chunks are read once more.
#'
#' The bins of a [likelihood_histogram()] without `breaks` and without `width` and `origin` depend
#' on the smallest and the largest value. The chunks are then read twice, for `breaks = "FD"` three
#' times. This rule also needs all different values in memory, and so do [likelihood_empirical()]
#' and [likelihood_negative_binomial()]. A pass that has other rows than the first is an error.
#'
#' `weights`, `subset` and `na.action` work as in memory, with one restriction: `weights` and
#' `subset` must be computed from columns, and the value of a row must not depend on other rows. A
#' vector from outside, row numbers, and expressions such as `w / sum(w)` are errors.
#'
#' A progress bar shows the share of the data that is read. An interrupt closes files and
#' connections.
#'
#' @section Predictions:
#' `predict()` and `decide()` of chunks are chunks again: those of `newdata` with new columns.
#' Nothing is computed before [write_chunks()] writes them to a file or hands them to a function, or
#' `as.data.frame()` reads them all into memory. The new columns are
#' * `.pred_class` for `type = "class"`, `.pred_<class>` for `"prob"`, both for `"both"`;
#' * `.<type>_<class>` for the other types with a number for each class, such as
#'   `.log_prob_<class>`; `.log_evidence`;
#' * `.discriminant_LD1`, ... for `"discriminant"`;
#' * `.cost_<action>` for `"cost"`, `.decision` for `"decision"`;
#' * `.decision`, `.cost`, `.cost_<action>`, `.runner_up`, `.margin` and `.tie` for `decide()`.
#'
#' A chunk that has a column of such a name is an error. `capacity` of `decide()` needs all cases
#' and is an error.
#'
#' @param next_chunk A function without arguments that returns the next chunk, a data frame or a
#'   matrix with column names, or `NULL` after the last one. The result keeps this function, with
#'   its environment.
#' @param reset A function without arguments that starts again with the first chunk. It is called
#'   before each pass. `NULL`: the chunks can be read only once.
#' @inheritParams bayesrisk_arguments
#' @return An object of class `bayesrisk_chunks`. `as.data.frame()` gives all its rows.
#' @section Errors: `bayesrisk_error_argument` for a bad argument. When the chunks are read:
#'   `bayesrisk_error_data` if a chunk is not a table or a function fails, if the columns of the
#'   chunks or the rows of the passes differ, or if a second pass is needed and `reset` is `NULL`.
#'   Errors that a chunk causes name its number.
#' @seealso [csv_chunks()], [write_chunks()], [data_parts()] for data on several machines
#' @examples
#' # A generator: 3 chunks of 50 rows
#' i <- 0
#' chunks <- data_chunks(
#'   function() if (i < 3) { i <<- i + 1; iris[50 * (i - 1) + 1:50, ] },
#'   reset = function() i <<- 0
#' )
#' model <- fit(bayes_naive(), Species ~ ., chunks)
#' model
#' all.equal(coef(model), coef(fit(bayes_naive(), Species ~ ., iris)))
#'
#' predictions <- predict(model, chunks, type = "prob")
#' write_chunks(predictions, function(rows) print(colMeans(rows[6:8])))
#' @export
data_chunks <- function(next_chunk, reset = NULL, ...) {
  call <- check_no_dots(...)
  next_chunk <- check_plain_function(maybe(next_chunk), "next_chunk", call)
  if (!is.null(reset)) check_plain_function(reset, "reset", call)
  state <- list2env(list(read = FALSE))
  new_chunks(function(call) {
    if (!is.null(reset)) run_given(reset, "reset", call)
    once <- is.null(reset) && state$read
    new_reader(function(call) {
      chunk <- run_given(next_chunk, "next_chunk", call)
      if (once && is.null(chunk)) {
        abort_data(c(
          "The chunks were read before, and {.arg next_chunk} returns no more of them.",
          i = "Give {.fn data_chunks} a function {.arg reset} that starts again with the first
               chunk."
        ), call)
      }
      once <<- FALSE
      state$read <- state$read || !is.null(chunk)
      chunk
    })
  }, "A function that returns chunks.", again = !is.null(reset))
}

check_plain_function <- function(f, arg, call) {
  if (is.function(f) && !length(Filter(is_required, formals(args(f))))) return(f)
  abort_wanted(f, arg, "a function without arguments", call)
}

is_required <- function(default) identical(default, rlang::missing_arg())

run_given <- function(f, arg, call) {
  tryCatch(f(), error = function(e) {
    if (inherits(e, "bayesrisk_error")) stop(e)
    reason <- conditionMessage(e)
    abort_data("{.code {arg}()} failed: {reason}", call)
  })
}

# `open(call)` starts a pass and returns a reader. `says`: a sentence. `again`: whether the chunks
# can be read more than once. `stamps()`: a list of file_stamp() for each file that is read.
# `known`: the kinds of the columns, see column_kinds(); NULL if the rows have to tell them.
new_chunks <- function(open, says, again = TRUE, stamps = list, known = NULL) {
  structure(
    list(open = open, says = says, again = again, stamps = stamps, known = known),
    class = c("bayesrisk_chunks", "bayesrisk_result")
  )
}

# `next_chunk(call)` returns a table, or NULL at the end. `close()` gives everything back.
# `share()`: the share that was read, NA if it is not known.
new_reader <- function(next_chunk, close = function() NULL, share = function() NA_real_) {
  list(next_chunk = next_chunk, close = close, share = share)
}

# How a source that is read once becomes one that is read again.
again_remedy <- function(data) {
  if (is.null(data$known)) return("Give {.fn data_chunks} a function {.arg reset}.")
  read_once_remedy
}

read_once_remedy <- "Collect it by {.fn as.data.frame}, or write it to a file and read that:
                     {.fn arrow::open_dataset} is read as often as needed."

# Calls visit(chunk, number) for each chunk that has rows, as long as it does not return FALSE.
each_chunk <- function(data, visit, call) {
  check_chunks(data, call)
  with_united_warnings(read_chunks(data, visit, call), call)
}

read_chunks <- function(data, visit, call) {
  progress <- follow_progress()
  on.exit(progress$end())
  reader <- data$open(call)
  on.exit(reader$close(), add = TRUE)
  number <- 0
  repeat {
    chunk <- reader$next_chunk(call)
    if (is.null(chunk)) return(invisible(number))
    number <- number + 1
    chunk <- check_chunk(chunk, call, number)
    if (nrow(chunk) && isFALSE(visit(chunk, number))) return(invisible(number))
    progress$move(reader$share())
  }
}

# A chunk as a data frame. `number`: NULL if nobody counts them.
check_chunk <- function(chunk, call, number = NULL) {
  if (is.data.frame(chunk)) return(chunk)
  if (is_plain_matrix(chunk)) return(as.data.frame(chunk))
  which <- if (is.null(number)) "A chunk" else paste("Chunk", number)
  abort_data("{which} is not a table, but {describe_value(chunk)}.", call)
}

# The warnings about rows of many chunks as one warning of each kind. The explanation is that of the
# first chunk.
with_united_warnings <- function(expr, call) {
  seen <- list()
  on.exit(for (w in seen) warn_rows(w$rows, w$what, w$name, call, w$lines))
  withCallingHandlers(expr, bayesrisk_warning = function(w) {
    if (is.null(w$rows)) return()
    if (!is.null(seen[[w$name]])) w$rows <- w$rows + seen[[w$name]]$rows
    lines <- if (is.null(seen[[w$name]])) w$lines else seen[[w$name]]$lines
    seen[[w$name]] <<- list(rows = w$rows, what = w$what, name = w$name, lines = lines)
    rlang::cnd_muffle(w)
  })
}

check_chunks <- function(data, call) {
  sound <- is.list(data) && is.function(data$open) && is_string(data$says) && is_flag(data$again) &&
    is.function(data$stamps)
  check_unchanged(sound, "source", call)
}

# Errors that a chunk causes name its number.
in_chunk <- function(number, expr, call) {
  tryCatch(expr, bayesrisk_error = function(e) {
    if (inherits(e, "bayesrisk_error_argument")) stop(e)
    abort_again(e, "In chunk {number}:", call)
  })
}

# What all chunks add to the answer to a request: see collect_piece().
collect_chunks <- function(data, request, call) {
  check_piece_request(request, call)
  if (!data$again && asks_ranges(request)) {
    abort_data(c(
      "The bins of a histogram depend on all rows, so the rows must be read twice.",
      i = again_remedy(data),
      i = "Or give {.arg width} with {.arg origin}, or {.arg breaks}."
    ), call)
  }
  if (request$kind != "statistics" || !is.null(request$schema)) {
    return(collect_pass(data, request, call))
  }
  request$known <- add_known(request$known, data$known)
  data <- same_each_pass(data)
  request <- settle_request(data, request, call)
  piece <- collect_pass(data, request, call)
  if (is.null(piece$restart)) return(piece)
  request$known <- piece$known
  collect_pass(data, request, call)
}

# One pass. A column of NA alone has no kind yet. Then the rest of the pass looks for kinds only, as
# far as needed, and a second pass counts (`restart`). If the chunks can be read only once, the
# column counts as it is, until a chunk has another kind. A schema has the kinds of all columns.
collect_pass <- function(data, request, call) {
  total <- list(value = NULL, read = 0, lost = list(), unknown = NULL, known = NULL)
  open <- NULL
  each_chunk(data, function(chunk, number) {
    kinds <- column_kinds(chunk)
    if (is.null(request$known) && is.null(request$schema) && is.null(open)) {
      open <<- open_columns(total, kinds, request, data$again)
      if (length(open) && !data$again) {
        abort_data(c(
          "{cli::qty(open)}Column{?s} {.field {open}} hold{?s/} only {.val {NA}} in the first
           chunks.",
          i = "Give the columns their type in {.arg next_chunk}, or give {.arg reset}."
        ), call)
      }
    }
    if (length(open)) {
      total$known <<- add_known(total$known, kinds$known)
      open <<- setdiff(open, names(total$known))
      return(length(open) > 0L)
    }
    request$before <- total$value
    in_chunk(number, {
      more <- collect_piece(take_kinds(chunk, total$known), request, call)
      total <<- merge_pieces(total, more, request, call)
    }, call)
    TRUE
  }, call)
  c(total, list(restart = if (!is.null(open)) TRUE))
}

# The used columns whose kind is open. NULL if there are none. If the chunks can be read only once,
# they are the features that were read as NA alone and have values now.
open_columns <- function(total, kinds, request, again) {
  if (again) {
    open <- wanted_columns(setdiff(kinds$unknown, names(total$known)), request)
  } else {
    late <- intersect(total$unknown, names(kinds$known))
    open <- intersect(schema_columns(schema_of(total$value)), late)
    open <- open[!vapply(kinds$known[open], is.logical, NA)]
  }
  if (length(open)) open
}

#' @export
describe.bayesrisk_chunks <- function(x, show) {
  check_chunks(x, show$call)
  list(title_item("data in chunks"), sentences_item(x$says))
}

# All rows, in memory. Levels of factors are united. Row names are dropped.
#' @export
result_rows.bayesrisk_chunks <- function(x, call) {
  chunks <- list()
  each_chunk(x, function(chunk, number) chunks[[length(chunks) + 1L]] <<- chunk, call)
  rows <- do.call(rbind, chunks)
  if (is.null(rows)) return(new_rows(list(), 0L))
  row.names(rows) <- NULL
  as.data.frame(rows)
}
