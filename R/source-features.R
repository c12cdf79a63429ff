#' Are the columns what they seem?
#'
#' Lists the features of a formula with what they seem to be instead: an identifier, numbers that
#' were read as text, sentences, numbers that name categories, or a code of missing values, with the
#' code that mends it. [fit()] says the same in a message, for at most five columns.
#'
#' @param formula The class and the features, as in [fit()].
#' @param data A data frame, tibble, data.table or matrix; chunks, a file of chunks or a lazy table,
#'   of which the first 10,000 rows are read: see [bayesrisk_sources].
#' @param ... Not used.
#' @details
#' Text or a factor:
#' * **identifier**: more than 50 levels, and more than half as many as rows;
#' * **numbers as text**: at least 95 % of the levels are numbers, also with separators of
#'   thousands, decimal commas, a sign of a currency or of per cent. The remedy makes other texts
#'   missing, with R's warning. If all separators may be of thousands or of decimals, as in
#'   "28,671" without a sign of dollars, pounds or yen, both remedies are shown; for several units
#'   there is none. Whole numbers with leading zeros are codes.
#' * **dates as text**: at least 95 % of the levels are dates such as 2024-02-29, 29.02.2024 or
#'   2/29/2024, also before a time, which is ignored. The remedy counts days. If no text tells
#'   whether the day or the month is first, both remedies are shown. (A column of a class of dates
#'   is an error.)
#' * **numbers or dates written as text**: an identifier by its number of levels, but at least 95 %
#'   begin with a number and have one of 12 patterns, such as 70.1 kg, 16:54 or 4/5/24;
#' * **sentences**: half of the levels have more than three words. The remedy makes a bag of terms
#'   with the package quanteda.
#'
#' Numbers:
#' * two different values: normals are wrong for them, and a table is exact;
#' * two to 12 different whole numbers that name categories: the last word of the column's name is
#'   id, code, type, group or zip, as in `zip_code`, or a table of them has more evidence about
#'   the class than normals, by a factor above 100. The evidence is \eqn{\log p(x \mid y) - \log
#'   p(x)}{log p(x | y) - log p(x)}. The prior of a table is uniform (Dirichlet with 1 for each
#'   level); that of a normal has the mean and the variance of all rows, worth one case each;
#' * a **code of missing values**: nines alone, such as -999, further from all other numbers than
#'   these span; unless it is -99 or less, in two rows or more;
#' * an **identifier**: more than 50 whole numbers, all different, that count the rows from 0 or
#'   1, or in a column whose name is a code as above, or ends in key, number, `no` or `nr`, as
#'   `customer_no` does.
#'
#' For the last two about 10,000 rows are read.
#'
#' The remedy is a line to paste; a matrix becomes a data frame. For chunks it is a term of the
#' formula, in place of the column. For a table of a database it is a line with `dplyr::mutate()`,
#' or says what the database must prepare.
#'
#' A message of `fit()` (`bayesrisk_message_columns`) questions numbers only where they are modelled
#' by normals, and of chunks only the first one. Cross-validation, frameworks, and fits to parts or
#' to tables of a database give none.
#' `options(bayesrisk.columns = FALSE)` ends it.
#' @return A data frame of class `bayesrisk_features`, a row for each feature: `feature`, `kind`
#'   (`"numeric"`, `"categorical"` or `"bag"`), `values` (the number of different values), `missing`
#'   (the number of rows without one), `remark` and `remedy` (`NA`: nothing to say).
#' @section Errors: as in [fit()].
#' @concept data quality
#' @concept identifier
#' @examples
#' sales <- data.frame(
#'   bought = rep(c("yes", "no"), 60), customer = sprintf("c%04d", 1:120),
#'   price = format(seq(1000, 9e6, length.out = 120), big.mark = ","),
#'   returned = rep(c(0, 0, 1), 40)
#' )
#' check_features(bought ~ ., sales)
#' @export
check_features <- function(formula, data, ...) {
  check_no_spec(maybe(formula), rlang::current_env())
  call <- check_no_dots(...)
  place <- remedy_place(rlang::enquo(data), maybe(data))
  if (inherits(maybe(data), "bayesrisk_parts")) {
    abort_argument("{.arg data}: check one of the parts.", call)
  }
  none <- rlang::quo(NULL)
  request <- fit_request(maybe(formula), none, none, "na.pass", 1L)
  rows <- first_rows(maybe(data), 10000L, call)
  cases <- read_cases(rows, request, call)
  features <- cases$schema$features
  names <- names(features)
  counted <- Map(count_values, features, cases$columns)
  found <- tabulate_questions(question_features(cases, names, place), names)
  at <- match(names, found$feature)
  structure(
    data.frame(
      feature = names, kind = vapply(features, `[[`, "", "kind"),
      values = vapply(counted, `[[`, 1L, "values"), missing = vapply(counted, `[[`, 1L, "missing"),
      remark = found$remark[at], remedy = found$remedy[at], row.names = NULL
    ),
    rows = cases$read, class = c("bayesrisk_features", "bayesrisk_result", "data.frame")
  )
}

# `column`: as read_features() has it.
count_values <- function(feature, column) {
  if (feature$kind == "bag") return(list(values = length(feature$levels), missing = 0L))
  x <- if (is.matrix(column$data)) column$data[, column$column] else column$data
  missing <- is.na(x)
  list(
    values = if (is.null(feature$levels)) length(unique(x[!missing])) else length(feature$levels),
    missing = sum(missing)
  )
}

#' @export
describe.bayesrisk_features <- function(x, show) {
  if (is_part(x)) return(NextMethod())
  table <- plain_frame(x)
  said <- table[!is.na(table$remark), ]
  list(
    title_item(paste(
      count_of(nrow(x), "feature", "features"), "of", count_of(attr(x, "rows"), "row", "rows")
    )),
    table_item(table[c("feature", "kind", "values", "missing", "remark")]),
    if (nrow(said)) lines_item(said$remedy) else sentences_item("No column is suspicious.")
  )
}

#' @export
first_rows.bayesrisk_chunks <- function(data, most, call) {
  pieces <- list()
  read <- 0
  each_chunk(data, function(chunk, number) {
    pieces[[number]] <<- utils::head(chunk, most - read)
    read <<- read + nrow(chunk)
    read < most
  }, call)
  do.call(rbind, pieces)
}

#' @export
first_rows.tbl_sql <- function(data, most, call) { # nolint: object_name_linter.
  source <- db_source(data)
  db_head(source, db_column(source$names, source), most)
}
