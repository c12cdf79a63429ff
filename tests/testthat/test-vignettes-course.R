# The pages of the course: their length and their parts.

course_titles <- function() {
  source <- parse(text = page_lines("lecture.R"), encoding = "UTF-8")
  here <- vapply(source, function(e) is.call(e) && identical(e[[2L]], quote(course)), NA)
  eval(source[[which(here)]][[3L]])
}

# The lines of a page without its head and its code.
prose <- function(lines) {
  lines <- lines[-seq_len(which(lines == "---")[[2L]])]
  fence <- startsWith(lines, "```")
  lines[cumsum(fence) %% 2 == 0 & !fence]
}

# The text that every reader sees: what is folded, formulas and the targets of links are left out.
open_prose <- function(lines) {
  text <- paste(prose(lines), collapse = "\n")
  hidden <- c(
    "(?s)<details.*?</details>", "(?s)<!--.*?-->", "`[^`]*`", "(?s)[$][$].*?[$][$]", "[$][^$]*[$]",
    "[{]#[^}]*[}]", "[]][(][^)]*[)]", "(?m)^:::.*$"
  )
  for (pattern in hidden) text <- gsub(pattern, " ", text, perl = TRUE)
  text
}

word_count <- function(lines) {
  length(regmatches(text <- open_prose(lines), gregexpr("[[:alpha:]][[:alpha:]'-]*", text))[[1L]])
}

# The lines between a heading and the next one.
section <- function(lines, heading) {
  from <- grep(paste0("^", heading, "( [{]|$)"), lines)[[1L]]
  heads <- c(grep("^## ", lines), length(lines) + 1L)
  lines[seq(from + 1L, heads[heads > from][[1L]] - 1L)]
}

for_each_page <- function(check) {
  titles <- course_titles()
  for (i in seq_along(titles)) check(page_lines(paste0(names(titles)[[i]], ".Rmd")), titles[[i]], i)
}

test_that("words of a page are counted without code, formulas and what is folded", {
  lines <- c(
    "---", "title: x", "---", "Two `r a$b` words $x$, `code$c` and [a link](far.html#away).",
    "```{r}", "not()", "```", "<details><summary>No</summary>", "not one", "</details>",
    "$$", "a = b", "$$", "[End]{#end}"
  )
  expect_identical(word_count(lines), 6L)
})

test_that("the course has nine short pages with few figures, in the order of their titles", {
  expect_length(course_titles(), 9L)
  for_each_page(function(lines, title, i) {
    name <- paste0("Course ", i, ": ", title)
    expect_true(paste0("title: \"", name, "\"") %in% lines)
    expect_true(paste0("  %\\VignetteIndexEntry{", name, "}") %in% lines)
    expect_lte(word_count(lines), 1500L, label = paste("words of", title))
    expect_lte(sum(grepl("^```[{]r.*fig.cap", lines)), 5L, label = paste("figures of", title))
    expect_identical(sum(lines == "`r course_links()`"), 2L)
  })
})

test_that("each page begins with a goal and a question, and ends with a recap and five exercises", {
  for_each_page(function(lines, title, i) {
    text <- paste(prose(lines), collapse = "\n")
    for (part in c("**Goal.**", "**Needs.**", "**Time.**", "**Predict first.**")) {
      expect_identical(lengths(gregexpr(part, text, fixed = TRUE)), 1L, label = paste(title, part))
    }
    text_of <- prose(lines)
    recap <- section(text_of, "## Recap")
    expect_identical(sum(grepl("^([*-]|[0-9][.]) ", recap)), 3L, label = title)
    exercises <- section(text_of, "## Exercises")
    questions <- grep("^[*][*][0-9]+[.] ", exercises, value = TRUE)
    expect_match(questions, "^[*][*][1-5][.]")
    expect_length(questions, 5L)
    kinds <- sub("^[*][*][1-5][.] ([^*.]+).*", "\\1", questions)
    expect_gte(length(unique(kinds)), 4L, label = paste("kinds of exercises of", title))
    expect_identical(sum(grepl("<summary>Hint", exercises)), 5L, label = title)
    expect_identical(sum(grepl("<summary>Answer", exercises)), 5L, label = title)
  })
})

test_that("links between vignettes lead to a heading or a paragraph", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- list.files(file.path(source_folder(), "vignettes"), "[.]Rmd$")
  pages <- sub("[.]Rmd$", "", files)
  lines <- lapply(stats::setNames(files, pages), page_lines)
  ids <- lapply(lines, page_ids)
  for (page in pages) {
    text <- paste(prose(lines[[page]]), collapse = "\n")
    link <- "(?<=[(\"])[a-z0-9-]*([.]html)?#[A-Za-z][A-Za-z0-9_.-]*"
    links <- regmatches(text, gregexpr(link, text, perl = TRUE))[[1L]]
    to <- sub("([.]html)?#.*", "", links)
    to[to == ""] <- page
    there <- to %in% pages
    found <- mapply(function(p, id) id %in% ids[[p]], to[there], sub(".*#", "", links[there]))
    expect_identical(links[there][!as.logical(found)], character(), label = page)
  }
})
