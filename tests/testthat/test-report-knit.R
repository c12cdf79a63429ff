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

test_that("in the C locale a report is made in folders of any name", {
  skip_without_pandoc()
  skip_if_not_installed("callr")
  skip_on_os("windows") # pandoc reads no locale there
  place <- file.path(withr::local_tempdir(), "Pr\u00fcf Stand")
  skip_if_not(dir.create(place, showWarnings = FALSE), "This folder cannot be made.")
  given <- report_given()
  page <- report_page(given$object, given$data, given$cost)$html
  for (lang in c("C", "xx_XX.UTF-8", NA)) {
    variables <- c(LC_ALL = "C", LANG = lang, TMPDIR = place)
    again <- callr::r(function(given) {
      file <- tempfile(fileext = ".html")
      bayesrisk::decision_report(given$object, given$data, given$cost, file = file)
      list(page = readLines(file, encoding = "UTF-8"), lang = Sys.getenv("LANG", NA))
    }, list(given), libpath = .libPaths(), env = c(callr::rcmd_safe_env(), variables))
    expect_identical(again$lang, lang)
    expect_true(identical(paste(again$page, collapse = "\n"), page))
  }
})

test_that("the source names its objects", {
  lines <- strsplit(report_source("some where/it's.rds"), "\n", fixed = TRUE)[[1L]]
  expect_identical(lines[grepl("^  objects:", lines)], "  objects: 'it''s.rds'")
})
