test_that("a document that is being knitted goes on after a report", {
  skip_without_pandoc()
  folder <- withr::local_tempdir()
  given <- report_given()
  saveRDS(given, file.path(folder, "given.rds"))
  writeLines(c(
    "---", "title: Outer", "---", "```{r setup, include = FALSE}",
    "knitr::opts_chunk$set(echo = FALSE)",
    "given <- readRDS('given.rds')", "```",
    "```{r numbers}",
    "invisible(bayesrisk::decision_report(given$object, given$data, given$cost, 'page.html'))",
    "```", "", "```{r plan}", "cat('the', 'end')", "```"
  ), file.path(folder, "outer.Rmd"))
  rmarkdown::render(
    file.path(folder, "outer.Rmd"), "html_fragment", quiet = TRUE,
    envir = new.env(parent = globalenv())
  )
  outer <- paste(readLines(file.path(folder, "outer.html")), collapse = "\n")
  expect_holds(outer, "the end")
  # The code is not shown, as the first chunk says.
  expect_false(grepl("readRDS|cat[(]", outer))
  expect_true(file.exists(file.path(folder, "page.html")))
})

test_that("a report leaves the random numbers and the options as they are", {
  skip_without_pandoc()
  given <- report_given()
  page <- function() report_page(given$object, given$data, given$cost)$html
  first <- page()
  withr::local_options(OutDec = ",", digits = 4, scipen = -5)
  withr::local_seed(4)
  before <- list(.Random.seed, options(), getwd())
  expect_true(identical(page(), first))
  expect_identical(list(.Random.seed, options(), getwd()), before)
})

# The names of classes have letters beyond ASCII, and beyond Latin-1.
foreign_given <- function() {
  withr::local_seed(1)
  data <- data.frame(y = factor(rep_len(c("kr\u00e4nk", "\u0142well"), 60)))
  data$x <- stats::rnorm(60) + as.integer(data$y)
  list(
    object = fit(bayes_naive(), y ~ x, data), data = data,
    cost = cost_matrix(act = stats::setNames(c(0, 1), levels(data$y)), refer = 0.3)
  )
}

# From a new session: the text of its page, LANG after the report, and the name of the folder that
# holds the temporary folder of the session.
report_of_session <- function(given, variables) {
  result <- callr::r(function(given) {
    file <- tempfile(fileext = ".html")
    bayesrisk::decision_report(given$object, given$data, given$cost, file = file)
    place <- charToRaw(basename(dirname(tempdir())))
    list(html = readLines(file, encoding = "UTF-8"), lang = Sys.getenv("LANG", NA), place = place)
  }, list(given), libpath = .libPaths(), env = c(callr::rcmd_safe_env(), variables))
  result$text <- page_text(paste(result$html, collapse = "\n"))
  result
}

test_that("in any locale a report has all letters and is made in a folder of any letters", {
  skip_without_pandoc()
  skip_if_not_installed("callr")
  skip_on_os("windows") # pandoc reads no locale there
  place <- file.path(withr::local_tempdir(), "Pr\u00fcfstand")
  skip_if_not(dir.create(place, showWarnings = FALSE), "This folder cannot be made.")
  given <- foreign_given()
  text <- report_page(given$object, given$data, given$cost)$text
  expect_match(text, "\u0142well")
  for (lang in c("C", "xx_XX.UTF-8", NA)) {
    again <- report_of_session(given, c(LC_ALL = "C", LANG = lang, TMPDIR = place))
    expect_identical(again$place, charToRaw(basename(place)))
    expect_identical(again$lang, lang)
    expect_true(identical(again$text, text))
  }
  latin <- local_made_locale("de_DE.ISO-8859-1")
  again <- report_of_session(given, c(latin, TMPDIR = place))
  expect_true(identical(again$text, text))
})

test_that("the source names its objects", {
  lines <- strsplit(report_source("some where/it's.rds"), "\n", fixed = TRUE)[[1L]]
  expect_identical(lines[grepl("^  objects:", lines)], "  objects: 'it''s.rds'")
})
