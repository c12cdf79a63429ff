#' Exchange statistics instead of rows
#'
#' `write_statistics()` writes a result of [bayes_statistics()] to a file, `read_statistics()` reads
#' it. So hospitals, banks or countries can estimate one model together: each collects the
#' statistics of its own rows and sends the file. Somebody [merges][merge.bayesrisk_statistics] them
#' and estimates the model. No rows leave their place.
#'
#' @section What the statistics reveal:
#' Statistics are sums over rows, not rows. Yet they can reveal something about single rows:
#' * The names of classes, levels and features, and the formula, are in the file.
#' * A count of 1 is one row. With a count of 1, the mean of a numeric feature is the value of this
#'   row. [bayes_statistics()] refuses small counts: `min_count = 5`.
#' * The statistics of [likelihood_kernel()], [likelihood_empirical()], [likelihood_mixture()] and
#'   [likelihood_negative_binomial()], and of blocks with `missing = "em"`, are the values of rows.
#'   The bins of a [likelihood_histogram()] without `breaks` and without `origin` begin at the
#'   smallest value. `min_count` refuses these likelihoods.
#' * The covariance of a block of \eqn{p} features from \eqn{p} rows or fewer determines the rows up
#'   to a rotation.
#' * The difference between two files that were written before and after a row came in is this row.
#'   Send few versions, or none with small differences.
#' * The number of rows with a missing value is not checked.
#'
#' The files are not encrypted.
#'
#' @section The format:
#' A JSON file is an object with the elements `format` (`"bayesrisk statistics"`), `format_version`
#' (1) and `statistics`, an object with the elements
#' * `spec`: the settings of the specification and of its likelihoods;
#' * `schema`: `formula`, `response`, `unnamed` (whether the data had no column names), `classes`
#'   (`levels` and `type`) and `features`, by name, with their `kind`, `type`, `levels` and `bins`;
#' * `plan`: `banks`, the features with the same likelihood; `features` are positions in the schema;
#' * `statistics`: `classes` (`weight` and `rows`) and `banks`, in the order of the plan: weights,
#'   means, scatter matrices and counts, a row for each class;
#' * `rows`: the numbers of rows that were `read` and `used`;
#' * `version`: the version of the package.
#'
#' Each vector is an object whose first key is its type: `{".double": [1.5, "Inf"], ".attributes":
#' {"dim": {".integer": [2, 1]}}}`. The types are `.double`, `.integer`, `.logical`, `.character`,
#' `.list`, and `.code` for formulas. Numbers have 17 digits, so they are read bit for bit; `"NA"`,
#' `"NaN"`, `"Inf"`, `"-Inf"` and `"-0"` are text. A list with names is an object with these names;
#' its class, if any, is `.class`. A missing text is `null`. Matrices are stored by column.
#'
#' An RDS file is that of [saveRDS()].
#'
#' @inheritSection write_model_json Security
#'
#' @param x A result of [bayes_statistics()].
#' @param file The path of a file. An existing file is replaced when the new one is complete.
#' @param format `"json"` (the default; needs the package jsonlite) or `"rds"`.
#' @param trust Whether the formula may call any function: see "Security".
#' @inheritParams bayesrisk_arguments
#' @return `write_statistics()` returns `x`, invisibly. `read_statistics()` returns an object of
#'   class `bayesrisk_statistics`, identical to the one that was written.
#' @section Errors: `bayesrisk_error_argument` for a bad argument, a file that cannot be written
#'   whole, or if jsonlite is not installed; `bayesrisk_error_object` if the file is damaged, holds
#'   no statistics, or holds code that is not trusted.
#' @seealso [bayes_statistics()], [merge()][merge.bayesrisk_statistics], [data_parts()]
#' @examplesIf requireNamespace("jsonlite", quietly = TRUE)
#' north <- iris[1:80, ]
#' south <- iris[81:150, ]
#' files <- tempfile(c("north", "south"), fileext = ".json")
#' spec <- bayes_naive()
#' write_statistics(bayes_statistics(spec, Species ~ ., north), files[[1]])
#' write_statistics(bayes_statistics(spec, Species ~ ., south), files[[2]])
#'
#' # Where the files arrive
#' both <- merge(read_statistics(files[[1]]), read_statistics(files[[2]]))
#' fit(spec, both)
#' @export
write_statistics <- function(x, file, format = c("json", "rds"), ...) {
  call <- check_no_dots(...)
  x <- check_statistics(maybe(x), call, "x")
  file <- check_string(maybe(file), "file", call)
  format <- check_choice(format, c("json", "rds"), "format", call)
  if (format == "rds") {
    write_whole(file, function(put) put(serialize(x, NULL)), call, packed = TRUE)
  } else {
    check_package("jsonlite", "write_statistics", call)
    write_json(x, "statistics", file, call)
  }
  invisible(x)
}

#' @rdname write_statistics
#' @export
read_statistics <- function(file, trust = FALSE, ...) {
  call <- check_no_dots(...)
  file <- check_file(maybe(file), "file", call)
  class <- c("bayesrisk_statistics", "bayesrisk_result")
  # In a list, because an RDS file may hold a promise, which a variable would evaluate.
  held <- read_whole(if (holds_text(file)) {
    check_package("jsonlite", "read_statistics", call)
    list(structure(read_json(file, "statistics", call), class = class))
  } else {
    list(readRDS(file))
  }, "file", call)
  if (!identical(class(held[[1L]]), class)) {
    got <- describe_value(held[[1L]])
    abort_object("{.file {file}} holds no result of {.fn bayes_statistics}, but {got}.", call)
  }
  check_read(held[[1L]], trust, call)
}

# JSON begins with a brace.
holds_text <- function(file) {
  first <- readBin(file, "raw", 64L)
  first <- first[!first %in% as.raw(c(9L, 10L, 13L, 32L))]
  length(first) == 0L || first[[1L]] == charToRaw("{")
}
