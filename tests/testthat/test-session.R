# The options and the locale of a session change no number and no text.

# The results of a new session. `before`: options that are set before the package is loaded.
results_of_session <- function(engines, before = list(), variables = character()) {
  run <- intersect(engines, c("postgresql", "mariadb"))
  folders <- lapply(stats::setNames(nm = run), function(engine) servers[[engine]])
  helpers <- normalizePath(sprintf("helper-%s.R", c("servers", "clickhouse", "session")))
  callr::r(function(helpers, before, engines, folders) {
    options(before)
    library(bayesrisk)
    library(testthat)
    for (helper in helpers) source(helper)
    suppressMessages(session_results(engines, folders))
  }, list(helpers, before, engines, folders), libpath = .libPaths(),
  env = c(callr::rcmd_safe_env(), variables))
}

engines_here <- function() {
  Filter(function(engine) {
    tryCatch({
      suppressWarnings(DBI::dbDisconnect(connect_database(engine)))
      TRUE
    }, skip = function(e) FALSE)
  }, setdiff(database_engines, "spark")) # it would start in each session
}

# The usual results, computed once.
usual <- new.env()

usual_results <- function() {
  skip_on_cran()
  for (package in c("callr", "DBI", "dbplyr", "dplyr", "data.table", "jsonlite", "tidypredict",
                    "htmlwidgets")) {
    skip_if_not_installed(package)
  }
  if (is.null(usual$results)) {
    usual$engines <- engines_here()
    usual$results <- results_of_session(usual$engines)
  }
  usual$results
}

expect_usual <- function(...) {
  expected <- usual_results()
  found <- results_of_session(usual$engines, ...)
  expect_named(found, names(expected))
  for (part in names(expected)) expect_identical(found[[part]], expected[[part]], label = part)
}

test_that("options on numbers change nothing", {
  expect_usual(list(scipen = 999, OutDec = ",", digits = 3))
  expect_usual(list(
    scipen = -20, digits = 15, datatable.fwrite.sep = ";", datatable.logical01 = TRUE,
    datatable.logicalYN = TRUE
  ))
})

test_that("the locale C changes nothing", {
  expect_usual(variables = c(LC_ALL = "C"))
})

for (locale in c("de_DE.ISO-8859-1", "tr_TR.UTF-8", "tr_TR.ISO-8859-9")) {
  test_that(paste("another locale changes nothing:", locale), {
    usual_results()
    expect_usual(variables = local_made_locale(locale))
  })
}
