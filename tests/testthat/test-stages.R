test_that("each file belongs to a stage", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- unique(function_files(file.path(source_folder(), "R")))
  expect_equal(files[is.na(stage_of(files))], character())
})

test_that("no function calls one of a later stage", {
  skip_on_cran()
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  skip_if_not_installed("codetools")
  edges <- call_edges(function_files(file.path(source_folder(), "R")))
  expect_gt(nrow(edges), 500L)
  upward <- edges[stage_of(edges$to) > stage_of(edges$from), ]
  expect_equal(
    sprintf("%s() of %s.R calls %s() of %s.R", upward$caller, upward$from, upward$called,
            upward$to),
    character()
  )
})

test_that("no files call each other in a circle", {
  skip_on_cran()
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  skip_if_not_installed("codetools")
  edges <- call_edges(function_files(file.path(source_folder(), "R")))
  expect_equal(circular_files(edges), character())
})

test_that("the check of stages finds upward calls and circles", {
  edges <- data.frame(from = c("a", "b", "c", "d"), to = c("b", "c", "b", "a"))
  expect_setequal(circular_files(edges), c("b", "c"))
  expect_gt(stage_of("plot-cost"), stage_of("cost-matrix"))
})

test_that("ARCHITECTURE.md shows the order of the stages", {
  folder <- source_folder()
  skip_if(is.null(folder), "The sources are not at hand.")
  page <- file.path(folder, "ARCHITECTURE.md")
  skip_if_not(file.exists(page), "The built package has no ARCHITECTURE.md.")
  shown <- paste(readLines(page, encoding = "UTF-8"), collapse = " ")
  order <- paste(stages, collapse = " -> ")
  expect_true(grepl(order, gsub("[ \n]+", " ", shown), fixed = TRUE))
})

test_that("no name is defined twice", {
  skip_if(is.null(source_folder()), "The sources are not at hand.")
  files <- dir(file.path(source_folder(), "R"), "[.]R$", full.names = TRUE)
  defined <- unlist(lapply(files, function(file) {
    lapply(as.list(parse(file)), function(e) {
      if (rlang::is_call(e, c("<-", "="), 2L) && is.name(e[[2L]])) as.character(e[[2L]])
    })
  }))
  expect_identical(defined[duplicated(defined)], character())
})
