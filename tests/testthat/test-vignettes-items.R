# vignettes/lecture-items.csv leads from each item of the five lectures to its paragraph.

item_table <- function() {
  utils::read.csv(text = page_lines("lecture-items.csv"), colClasses = "character")
}

test_that("page_ids() reads the names that pandoc gives", {
  lines <- c(
    "## What if P(x) = 0?", "### A flower of 5.2 cm: which species?", "## (b) The *end*",
    "## 1. Go", "## Go", "## Much {#little}", "[A word]{#word} and [a link](page.html#away)",
    "```{r}", "# a comment", "```"
  )
  expect_identical(page_ids(lines), c(
    "little", "word", "what-if-px-0", "a-flower-of-5.2-cm-which-species", "b-the-end", "go", "go-1"
  ))
})

test_that("the table has every item of the five lectures", {
  items <- item_table()
  sizes <- c(BC = 70L, BL = 105L, NB = 61L, DT = 82L, PC = 50L)
  expect_identical(items$lecture, rep(names(sizes), sizes))
  expect_identical(as.integer(items$number), sequence(sizes, 1L))
  kinds <- c(
    "definition", "theorem", "example", "table", "figure", "question", "remark", "slip"
  )
  expect_identical(setdiff(items$kind, kinds), character())
  expect_true(all(nzchar(items$section) & nzchar(items$item) & nchar(items$item) <= 60L))
  expect_identical(nzchar(items$slide), items$kind == "slip")
  expect_identical(nzchar(items$right), items$kind == "slip")
  sections <- rle(paste(items$lecture, items$section))$values
  expect_identical(anyDuplicated(sections), 0L)
})

test_that("every item leads to a paragraph of a page", {
  items <- item_table()
  pages <- sub("#.*", "", items$target)
  anchors <- sub("[^#]*#?", "", items$target)
  ids <- lapply(stats::setNames(nm = unique(pages)), function(page) {
    page_ids(page_lines(paste0(page, ".Rmd")))
  })
  found <- mapply(function(page, anchor) anchor %in% ids[[page]], pages, anchors)
  lost <- paste(items$lecture, items$number, items$target)[!found]
  expect_identical(lost, character())
  expect_identical(lapply(ids, anyDuplicated), lapply(ids, function(page) 0L))
})

test_that("the index of vignettes and the headings of the page have the titles of the lectures", {
  lines <- page_lines("lecture-map.Rmd")
  titles <- c(
    BC = "Bayes Classification", BL = "Bayesian Learning", NB = "Naive Bayes Learning",
    DT = "Bayesian Decision Theory", PC = "Probabilistic Classifier"
  )
  entry <- grep("VignetteIndexEntry", lines, value = TRUE)
  for (tag in unique(item_table()$lecture)) {
    expect_match(entry, titles[[tag]])
    heading <- grep(paste0("^### ", tag, ": "), lines, value = TRUE)
    expect_match(heading, titles[[tag]])
  }
})
