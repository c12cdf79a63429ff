test_that("columns stand side by side, text to the left and numbers to the right", {
  item <- table_item(data.frame(class = c("a", "long"), rows = c(1, 20)))
  show <- show_settings(NULL, NULL, NULL)
  expect_identical(console_table(item, show), c("  class rows", "  a        1", "  long    20"))
})

test_that("columns that do not fit go on below, with the keys again", {
  expect_identical(column_blocks(c(5L, 5L, 5L), 1L), list(1:3))
  withr::local_options(width = 14L)
  expect_identical(column_blocks(c(5L, 5L, 5L), 1L), list(c(1L, 2L), c(1L, 3L)))
  # A column that is wider than the console stands alone.
  expect_identical(column_blocks(c(5L, 50L, 5L), 1L), list(c(1L, 2L), c(1L, 3L)))
})

test_that("lines that are too long go on below, and others stay as they are", {
  withr::local_options(width = 20L)
  expect_identical(wrap_lines("two  spaces", 2L), "  two  spaces")
  expect_identical(
    wrap_lines("a line of some twenty letters", 2L), c("  a line of some", "    twenty letters")
  )
})

test_that("a print of many classes, features and cases has about 40 lines and fits the width", {
  skip_on_cran()
  large <- suppressWarnings(large_objects())
  # Sources of data print the same few lines, whatever their size.
  sources <- c("bayesrisk_chunks", "bayesrisk_parts")
  expect_identical(setdiff(names(valid_objects()), c(names(large), sources)), character())
  for (width in c(60L, 80L)) {
    withr::local_options(width = width)
    for (i in seq_along(large)) {
      lines <- format.bayesrisk_result(large[[i]])
      expect_lte(length(lines), 45L, label = sprintf("lines of %s", names(large)[[i]]))
      label <- sprintf("width of %s", names(large)[[i]])
      expect_lte(max(nchar(lines, "width")), width, label = label)
    }
  }
})

test_that("with n, all tables, columns and rows are shown", {
  x <- matrix(0.5, 30, 30, dimnames = list(a = 1:30, b = sprintf("column %d", 1:30)))
  item <- table_item(x, digits = 2L)
  withr::local_options(width = 60L)
  short <- console_table(item, show_settings(NULL, NULL, NULL))
  expect_match(short[[length(short)]], "... and 19 more rows and 20 more columns", fixed = TRUE)
  long <- console_table(item, show_settings(NULL, 100L, NULL))
  expect_length(long, 31L * 6L)
})

test_that("keys are cut only if the columns do not fit, and then stay different", {
  withr::local_options(width = 60L)
  keys <- sprintf("Undifferentiated carcinoma, group %02d", 1:3)
  show <- show_settings(NULL, NULL, NULL)
  whole <- console_table(table_item(data.frame(keys, n = 1:3)), show)
  expect_match(whole[[2L]], keys[[1L]], fixed = TRUE)
  wide <- data.frame(keys, first_column = 1, second_column = 2, third = 1:3)
  lines <- console_table(table_item(wide), show)
  expect_length(lines, 4L)
  expect_lte(max(nchar(lines)), 60L)
  expect_match(lines, "group 0[123]", all = FALSE)
  expect_identical(anyDuplicated(substr(lines, 1L, 28L)), 0L)
})

test_that("a word that is wider than a line is cut", {
  withr::local_options(width = 30L)
  lines <- wrap_lines(paste("a word", strrep("long", 20), "too wide"), 2L)
  expect_lte(max(nchar(lines)), 30L)
  expect_match(paste(lines, collapse = " "), "longlong.*[.]{3}.*longlong +too wide")
})

test_that("lines of a tree are indented, as deep as the width allows", {
  withr::local_options(width = 60L)
  item <- tree_item(function(most) {
    utils::head(data.frame(depth = 0:40, text = "word after word"), most)
  }, 41L, "print(n = 41) shows all")
  lines <- console_tree(item, show_settings(NULL, NULL, NULL))
  expect_length(lines, 21L)
  expect_identical(lines[1:2], c("  word after word", "    word after word"))
  expect_identical(lines[[13L]], "  [depth 12] word after word")
  expect_identical(lines[[21L]], "  ... and 21 more lines: print(n = 41) shows all")
  expect_length(console_tree(item, show_settings(NULL, 41L, NULL)), 41L)
  fenced <- strsplit(knit_tree(item, show_settings(NULL, 1L, NULL)), "\n")[[1L]]
  expect_identical(fenced, c("```", lines[[1L]], "  ... and 40 more lines: print(n = 41) shows all",
                             "```"))
})

test_that("a table of measures is never shortened", {
  item <- table_item(data.frame(measure = letters, value = 1:26), whole = TRUE)
  expect_length(console_table(item, show_settings(NULL, NULL, NULL)), 27L)
  expect_length(console_table(item, show_settings(NULL, 3L, NULL)), 27L)
})

reported <- function(x) {
  withr::local_options(digits = 7)
  strsplit(as.character(knitr::knit_print(x)), "\n")[[1L]]
}

test_that("in a report objects are tables", {
  skip_if_not_installed("knitr")
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  cost <- zero_one_cost(levels(iris$Species), reject = 0.3)
  expect_snapshot({
    writeLines(reported(model))
    writeLines(reported(cost))
    writeLines(reported(feature_dependence(Species ~ ., iris)))
  })
  by_case <- cost_matrix(pay = list(fraud = ~ amount, ok = 0), refuse = 2)
  expect_match(reported(by_case), "| \\~amount|", fixed = TRUE, all = FALSE)
})

test_that("in HTML the headers of numbers stand above them, elsewhere nothing is added", {
  skip_if_not_installed("knitr")
  skip_if_not_installed("htmltools")
  withr::defer(knitr::opts_knit$restore())
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  for (format in c("html", "html4", "revealjs")) {
    knitr::opts_knit$set(rmarkdown.pandoc.to = format)
    knitted <- knitr::knit_print(model)
    style <- attr(knitted, "knit_meta")[[1L]]
    expect_s3_class(style, "html_dependency")
    rule <- ".bayesrisk th[align=right] { text-align: right; }"
    expect_match(style$head, rule, fixed = TRUE)
    expect_match(knitted, "^\n\n<div class=\"bayesrisk\">\n\n.*\\|\n\n</div>\n\n$")
  }
  for (format in c("latex", "docx", "gfm")) {
    knitr::opts_knit$set(rmarkdown.pandoc.to = format)
    knitted <- knitr::knit_print(model)
    expect_null(attr(knitted, "knit_meta"))
    expect_no_match(knitted, "<div", fixed = TRUE)
  }
})

test_that("a report says what a cross-validation left out, and compares only candidates", {
  skip_if_not_installed("knitr")
  data <- data.frame(x = c(1, 2, 3, 4, 4, 9), y = rep(c("a", "b"), each = 3))
  shown <- reported(suppressWarnings(
    cv_risk(bayes_naive(degenerate = "stop"), y ~ x, data, folds = c(1, 2, 3, 1, 2, 3))
  ))
  expect_match(shown, "left out, without a decision: naive 2 cases", fixed = TRUE, all = FALSE)
  expect_match(shown, "naive, fold 3: class", fixed = TRUE, all = FALSE)
  expect_no_match(shown, "cost minus that of")
})

test_that("what is markup in a name is text; long tables are cut", {
  skip_if_not_installed("knitr")
  odd <- cost_matrix(`a_b*` = c(`<i>` = 0, `x|y` = 1), `[c]` = c(`<i>` = 2, `x|y` = 0))
  shown <- reported(odd)
  expect_match(shown, "a\\_b\\*", fixed = TRUE, all = FALSE)
  expect_match(shown, "x&#124;y", fixed = TRUE, all = FALSE)
  expect_match(
    shown, "- Deciding a\\_b\\* when truth is \\<i\\> costs 0.", fixed = TRUE, all = FALSE
  )
  # A backslash and a bracket would begin a formula.
  expect_match(shown, "&#91;c&#93;", fixed = TRUE, all = FALSE)
  classes <- c("c\\d", "e\nf")
  known <- bayes_known(
    stats::setNames(c(.5, .5), classes),
    x = likelihood_gaussian(mean = stats::setNames(1:2, classes), sd = 1)
  )
  shown <- reported(known)
  expect_match(shown, "|c&#92;d |", fixed = TRUE, all = FALSE)
  expect_match(shown, "|e f     |", fixed = TRUE, all = FALSE)
  p <- cbind(a = rep(0.3, 30), b = 0.7)
  shown <- reported(decide(p))
  expect_identical(sum(startsWith(shown, "|") & grepl("|b", shown, fixed = TRUE)), 10L)
  expect_match(shown, "... and 20 more rows", fixed = TRUE, all = FALSE)
})

test_that("a sentence that begins with a function keeps the name of the function", {
  skip_if_not_installed("knitr")
  known <- bayes_known(c(a = 0.5, b = 0.5), x = likelihood_gaussian(mean = c(a = 0, b = 2), sd = 1))
  shown <- reported(decision_threshold(known))
  expect_match(shown, "- decision\\_regions() gives the decision on each side.", fixed = TRUE,
               all = FALSE)
  expect_match(shown, "^- The decision changes at x = 1", all = FALSE)
})

test_that("what is not known of a fit is left out", {
  skip_if_not_installed("knitr")
  by <- function(likelihood) {
    reported(summary(fit(bayes_naive(numeric = likelihood), Species ~ Petal.Width, iris)))
  }
  expect_match(by(likelihood_empirical()), "^Log likelihood -[0-9.]+[.]$", all = FALSE)
  expect_no_match(by(likelihood_kernel()), "Log likelihood")
})

report_examples <- function() {
  cost <- cost_matrix(treat = c(ill = 1, healthy = 4), wait = c(ill = 50, healthy = 0))
  ill <- bayes_known(
    c(ill = 0.1, healthy = 0.9),
    fever = likelihood_gaussian(mean = c(ill = 39, healthy = 37), sd = 1),
    cough = rbind(ill = c(yes = 0.7, no = 0.3), healthy = c(0.2, 0.8))
  )
  plane <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  tennis <- fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis)
  case <- data.frame(fever = 38.5, cough = NA_character_)
  list(
    threshold = decision_threshold(cost = cost, prior = c(ill = 0.1, healthy = 0.9)),
    minimax = minimax_prior(two_classes()), information = value_of_information(tennis),
    next_feature = next_feature(ill, case, cost),
    sweep = cost_sweep(ill, case, cost, vary = "prior"),
    boundaries = decision_regions(plane), contributions = contributions(tennis, play_tennis[1:5, ]),
    statistics = bayes_statistics(bayes_naive(), play ~ outlook, play_tennis),
    spec = bayes_naive(laplace = 1), likelihood = likelihood_gaussian(),
    decisions = summary(decide(tennis, newdata = play_tennis)),
    risk = summary(bayes_risk(tennis)), joint = summary(joint_table(mooney_cells())),
    dependence = feature_dependence(Species ~ ., iris),
    comparison = compare_decisions(list(one = tennis, two = tennis), data = play_tennis),
    points = coef(fit(bayes_naive(numeric = likelihood_empirical()), am ~ cyl, mtcars))$cyl,
    plan = deep_plan(12)
  )
}

test_that("documents with every object knit to HTML, LaTeX and Word", {
  skip_on_cran()
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available("2.0"))
  examples <- report_examples()
  folder <- withr::local_tempdir()
  source <- file.path(folder, "report.Rmd")
  chunks <- sprintf("```{r, echo = FALSE}\nexamples[[\"%s\"]]\n```\n", names(examples))
  head <- c("---", "title: All", "---", "", "```{r}", "library(bayesrisk)", "```")
  writeLines(c(head, chunks), source)
  tables <- c(html = "<table", latex = "\\\\begin\\{longtable\\}")
  for (format in c("html", "latex", "word")) {
    output <- rmarkdown::render(
      source, paste0(format, "_document"), quiet = TRUE, output_dir = folder,
      envir = list2env(list(examples = examples))
    )
    expect_gt(file.size(output), 1000)
    if (format == "word") next
    text <- readLines(output, warn = FALSE)
    expect_gt(sum(grepl(tables[[format]], text)), 12)
    # Nothing is left as the output of a console.
    expect_no_match(text, "## ", fixed = TRUE)
  }
})

test_that("a report says what x and y of a boundary are, unless the features have these names", {
  skip_if_not_installed("knitr")
  first_line <- function(names) {
    mean <- matrix(c(0, 1, 0, 2), 2, dimnames = list(c("a", "b"), names))
    model <- bayes_known(
      prior = c(a = 0.5, b = 0.5), plane = likelihood_gaussian(mean = mean, covariance = diag(2))
    )
    Filter(nzchar, reported(decision_regions(model)))[[1L]]
  }
  expect_identical(first_line(c("x", "y")), "**1 boundary between actions**")
  expect_identical(first_line(c("x", "height")), "**1 boundary between actions, y = height**")
})

# Names with all marks that markdown, its extensions in R Markdown, bookdown and Quarto know.
odd_names <- function() {
  c(
    "a--b", "c---d", "'q'", "\"q\"", "it's", "@x", "(@) e", "[@z]", "x@y.com", "\\@ref(a)", "$x$",
    "\\(x\\)", "\\[y\\]", "\\begin{x}", "*a*", "_b_", "`c`", "``", "```", "p|q", "| g", "<b>x</b>",
    "<!-- c -->", "&amp;", "&", "\\", "a\\", "#h", "# h", "~s~", "~~~", "^t^", "^[note]", "[^1]",
    "[x](y)", "![i](j)", ":::", "::: d", "{.x}", "{{< x >}}", "1. one", "1)", "(1) f", "a. l",
    "iv) r", "- two", "+ p", "> h", "%t", "=====", "-----", "line\nend", "\ttab", "http://a.b/c",
    "doi:10.1/2", "mailto:a@b.c", ":smile:", "\U1F600", "...", "a....b", "==m==", "`r 1+1`",
    "\u001b[31m", "e\u0301", strrep("very long ", 40)
  )
}

# Each kind of item with a name in it.
knitted_items <- function(name) {
  show <- show_settings(NULL, NULL, rlang::current_env())
  cells <- data.frame(u = name, v = 1)
  items <- list(
    title_item(name), heading_item(name), sentences_item(name), answers_item(c(name, name)),
    code_item(call("f", name)), table_item(cells), table_item(cells, caption = name),
    table_item(stats::setNames(cells, c(name, "v"))),
    tree_item(function(most) data.frame(depth = 0:1, text = encodeString(name)), 2L, "")
  )
  vapply(items, knit_item, "", show = show)
}

read_text <- function(html) {
  text <- gsub("<[^>]*>", "", html)
  marks <- c(lt = "<", gt = ">", quot = "\"", `#39` = "'", `#8217` = "\u2019", amp = "&")
  for (name in names(marks)) text <- gsub(sprintf("&%s;", name), marks[[name]], text, fixed = TRUE)
  trimws(gsub("[[:space:]]+", " ", text))
}

# Text apart from its spaces, which a document sets as it likes.
squeeze <- function(x) gsub("[[:cntrl:][:space:]\u00a0]+", "", x)

expected_items <- function(name) {
  squeeze(c(
    capitalise(name), name, name, rep(paste0(capitalise(name), "."), 2L), deparse1(call("f", name)),
    "u", "v", name, "1", name, "u", "v", name, "1", name, "v", name, "1",
    rep(encodeString(name), 2L)
  ))
}

test_that("every name is literal in every kind of item, in HTML and Word", {
  skip_on_cran()
  skip_if_not_installed("rmarkdown")
  skip_if_not(rmarkdown::pandoc_available("2.0"))
  from <- "markdown+autolink_bare_uris+tex_math_single_backslash"
  withr::local_dir(withr::local_tempdir())
  marked <- function(x) paste(c("MARK", knitted_items(x)), collapse = "\n\n")
  parts <- vapply(odd_names(), marked, "")
  writeLines(enc2utf8(paste0(parts, "\n")), "in.md", useBytes = TRUE)
  expected <- vapply(odd_names(), function(x) paste(expected_items(x), collapse = ""), "")
  for (format in c("html", "docx")) {
    rmarkdown::pandoc_convert("in.md", format, from, "out", wd = ".")
    rmarkdown::pandoc_convert("out", "html", format, "back", options = "--wrap=none", wd = ".")
    html <- paste(readLines("back", encoding = "UTF-8", warn = FALSE), collapse = "\n")
    found <- read_text(strsplit(html, "MARK", fixed = TRUE)[[1L]])[-1L]
    expect_identical(squeeze(found), unname(expected), info = format)
  }
  # LaTeX itself would unite the dashes.
  rmarkdown::pandoc_convert("in.md", "latex", from, "out", wd = ".")
  expect_match(readLines("out"), "a-\\/-b", fixed = TRUE, all = FALSE)
})
