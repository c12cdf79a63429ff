# Reports of small models, and what they say.

skip_without_pandoc <- function() {
  skip_on_cran()
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available("2.0"), "pandoc is missing")
}

# Two classes, an action that is no class, and a hundred cases beside those of training.
report_given <- function(...) {
  withr::local_seed(1)
  data <- data.frame(y = factor(rep_len(c("ill", "well"), 200)), g = sample(c("p", "q"), 200, TRUE))
  data$x <- stats::rnorm(200) + 3 * (data$y == "ill")
  given <- list(
    object = fit(bayes_naive(laplace = 1), y ~ x + g, data[1:100, ]), data = data[101:200, ],
    cost = cost_matrix(treat = c(ill = 0, well = 1), wait = c(ill = 5, well = 0), refer = 0.4),
    prior = NULL, alternatives = list(), price = NULL, guarantee = NULL
  )
  given[...names()] <- list(...)
  given$truth <- given$data$y
  given
}

report_facts <- function(given, call = rlang::current_env()) {
  list(
    assessed = assess_decisions(given$object, given$data, given$cost, given$prior),
    constants = page_constants(given), classes = page_classes(given),
    features = page_features(given), rows = nrow(given$data), weighted = !is.null(given$prior)
  )
}

# The page of a call as HTML, and as text of one line without markup.
report_page <- function(...) {
  file <- withr::local_tempfile(fileext = ".html")
  expect_identical(decision_report(..., file = file), file)
  html <- paste(readLines(file, encoding = "UTF-8"), collapse = "\n")
  list(html = html, text = page_text(html))
}

page_text <- function(html) {
  body <- sub(".*<body>", "", html)
  text <- gsub("<[^>]*>", " ", body)
  text <- gsub("&lt;", "<", gsub("&gt;", ">", gsub("&amp;", "&", text)))
  gsub("[[:space:]\u00a0]+", " ", text)
}

# Whether lines hold a text. The lines of a page are too many to print.
expect_holds <- function(lines, text) {
  held <- grepl(text, paste(lines, collapse = " "), fixed = TRUE)
  testthat::expect(held, sprintf("The page does not hold: %s", text))
}

expect_says <- function(page, text) expect_holds(page$text, text)
