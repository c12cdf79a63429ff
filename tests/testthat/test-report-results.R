knitted <- function(x) {
  withr::local_options(digits = 7)
  strsplit(as.character(knitr::knit_print(x)), "\n")[[1L]]
}

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
    points = coef(fit(bayes_naive(numeric = likelihood_empirical()), am ~ cyl, mtcars))$cyl
  )
}

test_that("in a report the answers to questions are tables and sentences", {
  skip_if_not_installed("knitr")
  examples <- report_examples()
  expect_snapshot(for (x in examples) writeLines(knitted(x)))
})

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
    Filter(nzchar, knitted(decision_regions(model)))[[1L]]
  }
  expect_identical(first_line(c("x", "y")), "Where actions change:")
  expect_identical(first_line(c("x", "height")), "Where actions change, y = height:")
})
