test_that("a page is written whose numbers are those of the functions", {
  skip_without_pandoc()
  given <- report_given()
  other <- fit(bayes_full(laplace = 1), y ~ x + g, given$data[1:60, ])
  page <- report_page(
    given$object, given$data, given$cost, alternatives = list(other = other), price = 0.1
  )
  number <- function(x) format(signif(x, 3), digits = 3)
  assessed <- assess_decisions(given$object, given$data, given$cost)
  expect_says(page, sprintf(
    "On 100 cases the decisions cost %s per case (95 %% interval %s to %s).",
    number(assessed$cost), number(assessed$lower), number(assessed$upper)
  ))
  best <- assessed$constant[1L, ]
  expect_says(page, sprintf(
    "always \u2018%s\u2019, costs %s per case", best$action, number(best$cost)
  ))
  expect_says(page, sprintf("The model expected a cost of %s per case", number(assessed$believed)))
  compared <- compare_decisions(
    list(model = given$object, other = other), data = given$data, cost = given$cost
  )
  expect_says(page, sprintf("%s %% %s", compared$agree[[2L]], page_verdict(compared)[[2L]]))
  plan <- test_plan(given$object, given$cost, price = 0.1)
  expect_says(page, sprintf(
    "costs %s per case, with all tests %s, and by this plan %s", number(plan$now),
    number(plan$all), number(plan$value)
  ))
  firm <- decision_stability(given$object, given$data, given$cost, n = 500)
  expect_says(page, sprintf("Of 100 decisions, %d (", sum(firm$stays >= 0.95)))
  ranges <- page_ranges(given, assessed$class)
  expect_says(page, sprintf("Now it is %s.", number(attr(ranges, "cost"))))
})

test_that("the page has the headings of model cards and loads nothing", {
  skip_without_pandoc()
  given <- report_given()
  page <- report_page(given$object, given$data, given$cost)
  headings <- regmatches(page$html, gregexpr("<h2[^>]*>[^<]*", page$html))[[1L]]
  expect_identical(sub(".*>", "", headings), c(
    "In brief", "Model details", "Intended use", "Factors", "Metrics", "Evaluation data",
    "Training data", "Quantitative analyses", "Promises",
    "Ethical considerations: when not to use it", "Caveats and recommendations",
    "Session and version"
  ))
  expect_says(page, "What is promised? Nothing is promised.")
  used <- regmatches(page$html, gregexpr("(src|href)=\"[^\"]{0,30}", page$html))[[1L]]
  expect_true(all(grepl("^(src=\"data:image/png;base64|href=\"#)", used)))
  expect_false(grepl("<script|<link|@import|url[(]", page$html))
  expect_holds(page$html, "@media print")
  # Each link leads to a place of the page.
  places <- sub(".*#", "", grep("^href", used, value = TRUE))
  for (place in places) expect_holds(page$html, sprintf("id=\"%s\"", place))
  expect_lt(nchar(page$html), 5e5)
})

test_that("three classes, gains, costs by case, missing values and strange names are reported", {
  skip_without_pandoc()
  given <- report_given()
  names(given$data)[2:3] <- c("a | b <script>alert(1)</script>", "$x$ *y* `z`")
  given$data[[2L]][1:30] <- NA
  given$data$y <- factor(rep_len(c("ill", "well", "worse"), 100))
  model <- suppressWarnings(fit(bayes_naive(laplace = 1), y ~ ., given$data[1:50, ]))
  cost <- utility_matrix(
    ill = list(ill = 5, well = 0, worse = ~ abs(.data[["$x$ *y* `z`"]])),
    "[well](x) <b>" = list(ill = 0, well = 4, worse = 0), worse = list(ill = 1, well = 1, worse = 3)
  )
  page <- report_page(model, given$data, cost, prior = c(0.2, 0.5, 0.3))
  expect_says(page, "What does it gain?")
  expect_says(page, "a | b <script>alert(1)</script>")
  expect_says(page, "[well](x) <b>")
  expect_says(page, "$x$ *y* `z`")
  expect_false(grepl("<script", page$html, fixed = TRUE))
  expect_says(page, "\u2018a | b <script>alert(1)</script>\u2019 in 30 %")
  expect_says(page, "The cases are weighted to the population that is meant.")
})

test_that("known models, matrices and models of groups are reported", {
  skip_without_pandoc()
  given <- report_given()
  known <- bayes_known(
    prior = c(ill = 0.5, well = 0.5), x = likelihood_gaussian(mean = c(ill = 1.5, well = 0), sd = 1)
  )
  page <- report_page(known, as.matrix(given$data["x"]), given$cost, truth = given$data$y)
  expect_says(page, "The model was not fitted to data.")
  expect_says(page, "How firm decisions are is not computed for this model")
  groups <- fit(bayes_naive(laplace = 1), y ~ x, given$data, by = g)
  page <- report_page(groups, given$data, given$cost)
  expect_says(page, "it is computed for one model, not for models of groups")
})

test_that("a list of tables is reported", {
  skip_without_pandoc()
  withr::local_seed(2)
  words <- matrix(stats::rpois(300, 2), 60, dimnames = list(NULL, letters[1:5]))
  data <- list(words = words, data.frame(y = rep(c("m", "n"), 30)))
  page <- report_page(fit(bayes_text(), y ~ words, data), data, NULL)
  expect_says(page, "All numbers of this report come from 60 cases")
})

test_that("the source can be changed and knitted again", {
  skip_without_pandoc()
  given <- report_given()
  folder <- withr::local_tempdir()
  file <- file.path(folder, "our-report.html")
  rule <- tune_threshold(given$object, given$data)
  written <- decision_report(
    given$object, given$data, zero_one_cost(given$object), file, guarantee = rule, source = TRUE
  )
  expect_setequal(dir(folder), paste0("our-report", c(".html", ".Rmd", ".rds")))
  expect_setequal(basename(written), dir(folder))
  first <- readLines(file)
  expect_holds(first, "Decided by this rule, the cases")
  source <- sub("html$", "Rmd", file)
  rmarkdown::render(source, quiet = TRUE, envir = new.env(parent = globalenv()))
  expect_true(identical(readLines(file), first))
  lines <- readLines(source)
  writeLines(sub("Decision report", "Our ward", lines), source)
  rmarkdown::render(source, quiet = TRUE, envir = new.env(parent = globalenv()))
  expect_holds(readLines(file), "<h1>Our ward</h1>")
  expect_error(
    decision_report(given$object, given$data, file = file, source = TRUE), "hold your changes",
    class = "bayesrisk_error_argument"
  )
})

test_that("what cannot be reported is an error before any work", {
  skip_without_pandoc()
  given <- report_given()
  folder <- withr::local_tempdir()
  file <- file.path(folder, "page.html")
  refuses <- function(text, ..., to = file) {
    expect_error(decision_report(..., file = to), text, class = "bayesrisk_error_argument")
  }
  model <- given$object
  refuses("no folder", model, given$data, to = file.path(folder, "none", "page.html"))
  refuses("must end in", model, given$data, to = file.path(folder, "page.pdf"))
  refuses("must end in", model, given$data, to = file.path(folder, ".html"))
  refuses("must be one string", model, given$data, to = NULL)
  refuses("must be a model", predict(model, given$data, type = "prob"), given$data)
  refuses("must be in memory", model, chunked(given$data, 10L))
  refuses("a list with a name", model, given$data, alternatives = model)
  refuses("another prior", model, given$data, prior = "equal", alternatives = list(
    other = predict(model, given$data, type = "prob")
  ))
  refuses("guarantee", model, given$data, guarantee = 0.1)
  refuses("is no test", model, given$data, price = c(other = 1))
  by_case <- cost_matrix(treat = list(ill = 0, well = ~ abs(x)), wait = c(ill = 5, well = 0))
  refuses("differs by case", model, given$data, by_case, price = 1)
  groups <- fit(bayes_naive(laplace = 1), y ~ x, given$data, by = g)
  refuses("models of groups", groups, given$data, price = 1)
  expect_identical(dir(folder), character())
})

test_that("without pandoc the error says what to install", {
  skip_without_pandoc()
  withr::defer(rmarkdown::find_pandoc(cache = FALSE))
  withr::local_envvar(PATH = withr::local_tempdir(), RSTUDIO_PANDOC = NA)
  rmarkdown::find_pandoc(cache = FALSE)
  given <- report_given()
  expect_error(
    decision_report(given$object, given$data, file = tempfile(fileext = ".html")), "pandoc",
    class = "bayesrisk_error_argument"
  )
})
