#' A report on decisions, as one page to read or print
#'
#' Writes an HTML page for people who have to live with the decisions of a model and have not seen
#' the package: what is decided, what it costs, what is promised, and when not to use it. The page
#' follows the headings of model cards (Mitchell et al. 2019), and every number in it is computed
#' when it is written. It is one file that loads nothing from elsewhere.
#'
#' @param object A fitted or known model, or models of groups.
#' @param data Cases with their class that the model has not seen: a data frame, tibble, data.table
#'   or matrix. On the cases that a model was fitted to, or that chose its settings, all numbers of
#'   the report are too good.
#' @param file The file to write, which ends in `.html`. Its folder must exist.
#' @param prior The prior of the population that is meant: the decisions use it, and the cases are
#'   weighted to it, as in [assess_decisions()].
#' @param alternatives A named list of other rules for the same cases: models, [posterior
#'   probabilities][posterior_probabilities] or results of [decide()], as in [compare_decisions()];
#'   with `prior` models only. The report compares their costs with those of `object`.
#' @param price The price of each test, as in [test_plan()]. `NULL`: no plan of tests.
#' @param guarantee What is promised, to print and to draw: a result of [guarantee()]. A rule of
#'   [tune_threshold()] is possible, too; the report says that it promises nothing. `NULL`: nothing
#'   is promised.
#' @param source Whether to write the R Markdown source beside the page, to change it and to knit it
#'   again: `report.Rmd`, and `report.rds` with the model and the data, for `report.html`.
#' @param truth The true class of each case. It may use the columns of `data`. Default: the class
#'   that the formula of the model names.
#' @inheritParams bayesrisk_arguments
#'
#' @details
#' The sections, and the functions that their numbers come from:
#' * In brief: what is decided, what it costs, what is promised, when not to use it.
#' * Model details, training data: [print()][bayesrisk_result] and
#'   [summary()][summary.bayesrisk_model].
#' * Intended use: the costs; factors and evaluation data: [check_features()].
#' * Decisions and their cost: [assess_decisions()]. The cost of each action taken always, and of
#'   the alternatives, is compared case by case; the intervals of the differences are those of
#'   [compare_decisions()].
#' * Can the probabilities be believed: the calibration of [assess_decisions()], and [temper()] of
#'   the posteriors of the cases, which says by which power they would fit best.
#' * Who is referred: the actions that are no class.
#' * What moves most money: [contributions()] with the cost. For each block of features the mean,
#'   over the cases, of the absolute amount by which it moves the expected cost of the second best
#'   action away from that of the decision. Up to 12 blocks: Shapley values; more: in the order of
#'   the model.
#' * What if costs and shares are others: [cost_ranges()], with each cost, and the odds of each
#'   class, halved and doubled. These costs are those that the model expects.
#' * How firm the decisions are: [decision_stability()].
#' * The plan of tests: [test_plan()] and [assess_plan()].
#'
#' Contributions and stability use at most 1,000 cases, spread evenly over the rows. Sections that a
#' model has no answer for say so.
#'
#' With `source = TRUE` the `.rds` file holds all columns of `data`. Keep it as you keep the data.
#'
#' @return `file`, invisibly; with `source` the names of the three files.
#' @section Errors: `bayesrisk_error_argument` before any work if `file` cannot be written, if there
#'   is an R Markdown source of this name already, if the package `rmarkdown` or pandoc is missing,
#'   if `object` is no model, or if `data` is a source; and all errors of the functions above.
#' @references
#' Mitchell, M. et al. (2019). Model cards for model reporting. *Proceedings of the Conference on
#' Fairness, Accountability, and Transparency*, 220-229.
#' @seealso [assess_decisions()], [compare_decisions()], [test_plan()]; [explorer()] for a page to
#'   play with
#' @examplesIf requireNamespace("rmarkdown", quietly = TRUE) && rmarkdown::pandoc_available("2.0")
#' \donttest{
#' train <- iris[seq(1, 150, 2), ]
#' model <- fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, train)
#' cost <- zero_one_cost(model, reject = 0.3)
#' page <- tempfile(fileext = ".html")
#' decision_report(model, iris[seq(2, 150, 2), ], cost, page)
#' if (interactive()) browseURL(page)
#' }
#' @export
decision_report <- function(object, data, cost = NULL, file, prior = NULL, alternatives = list(),
                            price = NULL, guarantee = NULL, source = FALSE, truth = NULL, ...) {
  call <- check_no_dots(...)
  source <- check_flag(source, "source", call)
  files <- report_files(maybe(file), source, call)
  check_report_tools(call)
  object <- check_reported(maybe(object), call)
  data <- check_report_data(maybe(data), call)
  truth <- read_truth(rlang::enquo(truth), data, call)
  if (is.null(truth)) truth <- truth_in_data(object, data, call)
  if (is.null(cost)) cost <- zero_one_cost(schema_of(object)$classes$levels)
  given <- list(
    object = object, data = data, cost = cost, prior = prior, truth = truth,
    alternatives = check_alternatives(alternatives, prior, call), price = price,
    guarantee = check_promise(guarantee, cost, call)
  )
  warn_once({
    check_report_numbers(given, call)
    page <- knit_report(given)
  })
  put_text <- function(file, text) {
    write_whole(file, function(put) put(charToRaw(enc2utf8(text))), call)
  }
  put_text(files[["page"]], page)
  if (!source) return(invisible(file))
  write_whole(files[["objects"]], function(put) put(serialize(given, NULL)), call, packed = TRUE)
  put_text(files[["source"]], report_source(files[["objects"]]))
  invisible(unname(files))
}

# The files to write, each in a place that can be written.
report_files <- function(file, source, call) {
  file <- check_string(file, "file", call)
  if (!grepl("[^/\\\\][.]html?$", lower_case(file))) {
    abort_argument("{.arg file} must end in {.val .html}, not be {.file {file}}.", call)
  }
  stem <- sub("[.][^.]*$", "", file)
  beside <- c(source = paste0(stem, ".Rmd"), objects = paste0(stem, ".rds"))
  files <- c(page = file, if (source) beside)
  for (one in files) check_target(one, "file", call)
  if (source && file.exists(files[["source"]])) {
    abort_argument(c(
      "{.arg source}: there is a file {.file {files[['source']]}}, which may hold your changes.",
      i = "Knit it, remove it, or name another {.arg file}."
    ), call)
  }
  files
}

check_report_tools <- function(call) {
  check_package("rmarkdown", "decision_report", call)
  if (rmarkdown::pandoc_available("2.0")) return(invisible())
  abort_argument(c(
    "{.fn decision_report} needs pandoc 2.0 or newer, which is not found.",
    i = "Install it from {.url https://pandoc.org}, or use RStudio, which contains it.",
    i = "If it is installed, set the environment variable {.envvar RSTUDIO_PANDOC} to its folder."
  ), call)
}

check_reported <- function(object, call) {
  if (is_models(object)) return(check_groups(object, call, "object"))
  if (is_model(object)) return(check_model(object, call))
  if (holds_posterior(object) || inherits(object, "bayesrisk_decision")) {
    abort_argument(c(
      "{.arg object} must be a model: a report explains the model, too.",
      i = "{.fn assess_decisions} assesses probabilities and decisions.",
      i = "{.arg alternatives} takes them, to compare them with a model."
    ), call)
  }
  check_model(object, call)
}

check_report_data <- function(data, call) {
  if (is.null(data)) abort_no_rows("data", call)
  if (is_source(data)) {
    abort_argument(c(
      "{.arg data} must be in memory: a data frame or a matrix.",
      i = "Read a sample of the rows. A hundred cases of each class are enough for a report."
    ), call)
  }
  if (inherits(data, "bayesrisk_cost")) check_places(call)
  read_container(data, "data", abort_argument, call)
  data
}

check_alternatives <- function(alternatives, prior, call) {
  if (is.list(alternatives) && !is.object(alternatives) && !length(alternatives)) return(list())
  if (!is.list(alternatives) || is.object(alternatives) || is.null(names(alternatives))) {
    abort_wanted(alternatives, "alternatives", "a list with a name for each rule", call, c(
      i = "For example {.code alternatives = list(full = full)}."
    ))
  }
  check_distinct_names(names(alternatives), "alternatives", call)
  fixed <- vapply(alternatives, function(x) !is_model(x) && !is_models(x), NA)
  if (!is.null(prior) && any(fixed)) {
    abort_argument(c(
      "With {.arg prior} the {.arg alternatives} must be models: {.val {names(alternatives)[fixed]}}
       {cli::qty(sum(fixed))}{?contains/contain} another prior.",
      i = "{.fn compare_decisions} takes {.arg trained_prior}, the prior that posteriors contain."
    ), call)
  }
  alternatives
}

check_promise <- function(guarantee, cost, call) {
  # A promise about another cost is none about these decisions.
  if (is_guarantee(guarantee)) cost_of_rule(guarantee, cost, call)
  if (is.null(guarantee) || is_guarantee(guarantee) || is_tuned(guarantee)) return(guarantee)
  wanted <- "a result of {.fn guarantee}, a rule of {.fn tune_threshold}, or NULL"
  abort_wanted(guarantee, "guarantee", wanted, call)
}

# Errors of the arguments are found before the page is begun.
check_report_numbers <- function(given, call) {
  assess_decisions(
    given$object, given$data, given$cost, given$prior, truth = !!given$truth, interval = "none"
  )
  if (length(given$alternatives)) page_rivals(given, "none")
  if (is.null(given$price)) return(invisible())
  if (is_models(given$object)) {
    abort_argument("{.arg price}: there is no plan of tests for models of groups.", call)
  }
  if (is_case_cost(given$cost)) {
    abort_argument(c(
      "{.arg price}: there is no plan of tests for all cases, because {.arg cost} differs by case.",
      i = "Leave {.arg price} out, and plan for one case with {.code test_plan(given = )}."
    ), call)
  }
  test_plan(given$object, given$cost, given$price, given$prior, time = 0)
}
