test_that("rows with all columns keep the class, anything else is plain, the whole is itself", {
  skip_on_cran()
  for (x in Filter(is.data.frame, valid_objects())) {
    class <- class(x)[[1L]]
    rows <- x[rev(seq_len(nrow(x))), ]
    expect_identical(class(rows), class(x), label = class)
    expect_identical(class(utils::head(x, 1L)), class(x), label = class)
    expect_identical(class(x[1L]), "data.frame", label = class)
    expect_identical(class(x[rev(names(x))]), "data.frame", label = class)
    expect_identical(x[[1L]], x[, 1L], label = class)
    expect_identical(x[], x, label = class)
    expect_identical(x[seq_len(nrow(x)), ], x, label = class)
    plain <- data.frame(x, check.names = FALSE)
    expect_identical(class(plain), "data.frame", label = class)
    expect_named(
      attributes(as.data.frame(x)), c("names", "row.names", "class"), ignore.order = TRUE
    )
    reversed <- as.data.frame(x)[rev(seq_len(nrow(x))), ]
    expect_identical(as.data.frame(rows), reversed, label = class)
    expect_identical(class(as.data.frame(x)), "data.frame", label = class)
  }
})

test_that("a result without one of its columns is plain, also by dplyr", {
  skip_on_cran()
  for (x in Filter(is.data.frame, valid_objects())) {
    class <- class(x)[[1L]]
    first <- names(x)[[1L]]
    changes <- list(
      do.call("$<-", list(x, first, NULL)), `[[<-`(x, first, value = list(1)),
      `[<-`(x, first, value = list(as.list(x[[1L]]))), `names<-`(x, rev(names(x)))
    )
    if (rlang::is_installed("dplyr")) {
      changes <- c(changes, list(
        dplyr::select(x, -1L), dplyr::rename(x, other = 1L),
        dplyr::mutate(x, !!!stats::setNames(list(NULL), first))
      ))
    }
    for (changed in changes) expect_identical(class(changed), "data.frame", label = class)
    x$more <- seq_len(nrow(x))
    expect_s3_class(x, class)
    expect_no_error(format(x))
  }
})

test_that("a result with other values or rows omits the sentences of the whole", {
  steps <- next_feature(shapes_model(), data.frame(
    size = NA_character_, colour = c("red", "green"), shape = NA_character_
  ))
  wider <- dearer <- steps
  wider$more <- 1
  expect_identical(format(wider)[[1L]], format(steps)[[1L]])
  dearer$price <- 2
  expect_output(print(dearer), "^<4 rows>")
  skip_if_not_installed("dplyr")
  expect_output(print(dplyr::filter(steps, row == 2L)), "^<2 rows>")
  expect_output(print(dplyr::arrange(steps, -row)), "^<4 rows>")
  expect_output(print(dplyr::bind_rows(steps, steps)), "^<8 rows>")
  expect_identical(dplyr::filter(steps, row > 0L), steps)
  decided <- decide(cbind(a = c(0.2, 0.7), b = c(0.8, 0.3)))
  expect_null(decided_by(dplyr::bind_rows(decided, decided)))
  few <- dplyr::filter(decided, cost < 0.25)
  expect_identical(decided_by(few), decided_by(decided))
  expect_null(decided_by(dplyr::bind_rows(few, few)))
})

test_that("parts of arrays are plain", {
  skip_on_cran()
  for (x in Filter(is.array, valid_objects())) {
    expect_false(is.object(x[1L]))
    if (length(dim(x)) == 2L) expect_false(inherits(x[1L, , drop = FALSE], "bayesrisk_result"))
  }
})

test_that("what is printed of a part of a result is its rows", {
  steps <- next_feature(shapes_model(), data.frame(
    size = NA_character_, colour = c("red", "green", "blue"), shape = NA_character_
  ))
  third <- steps[steps$row == 3L, ]
  expect_identical(unique(third$row), 3L)
  expect_no_match(capture.output(print(third)), "nothing is left")
  expect_output(print(third), "<2 rows>")
})

test_that("boundaries that are taken out keep their lines and their origin", {
  moved <- transform(iris, Petal.Length = Petal.Length + 2^30)
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, moved)
  boundaries <- decision_regions(model)
  two <- boundaries[2L, ]
  expect_identical(attr(two, "origin"), attr(boundaries, "origin"))
  expect_identical(format(two), format(boundaries)[[2L]])
  expect_true(all(attr(two, "lines")$first == two$first))
  header <- capture.output(print(two))[[1L]]
  expect_match(header, "^<1 boundary between actions, x = Petal.Length - ")
  crossing <- decision_regions(bivariate_naive())
  expect_identical(attr(crossing[1L, ], "lines"), attr(crossing, "lines"))
  expect_identical(nrow(attr(crossing[0L, ], "lines")), 0L)
  expect_identical(class(boundaries[, c("first", "second", "kind")]), "data.frame")
})

test_that("a part of what information is worth is not drawn as the whole", {
  value <- value_of_information(letters_model())
  expect_error(draw(value[c(1, 2, 4), ]), "whole", class = "bayesrisk_error_argument")
  expect_identical(value[], value)
})

# The texts of a kind of item, without the breaks of lines and the marks of markdown.
texts_of <- function(items, kind) {
  found <- Filter(function(item) item$kind %in% kind, items)
  unlist(lapply(found, `[[`, "text"))
}

flat <- function(lines) gsub("\\s+", " ", paste(lines, collapse = " "))

test_that("console and report show the same headings, sentences and tables of every class", {
  skip_on_cran()
  skip_if_not_installed("knitr")
  objects <- valid_objects()
  for (class in names(objects)) {
    x <- objects[[class]]
    show <- show_settings(NULL, NULL, environment())
    items <- Filter(Negate(is.null), describe(x, show))
    console <- flat(capture.output(print(x)))
    report <- as.character(knitr::knit_print(x))
    plain <- flat(gsub("\\\\([`*_{}<>#~^$'\"])", "\\1", report))
    marks <- c("\\", "&", "@", "|", "[", "]", "-", ".", ":", ")")
    for (mark in marks) {
      plain <- gsub(sprintf("&#%d;", utf8ToInt(mark)), mark, plain, fixed = TRUE)
    }
    for (text in texts_of(items, c("title", "heading", "sentences", "answers"))) {
      text <- flat(text)
      expect_true(grepl(text, console, fixed = TRUE), label = paste(class, text))
      expect_true(grepl(capitalise(text), capitalise(plain), fixed = TRUE) ||
                    grepl(text, plain, fixed = TRUE), label = paste(class, text))
    }
    tables <- Filter(function(item) item$kind == "table", items)
    for (table in tables) {
      for (name in names(table$columns)) {
        expect_true(grepl(name, console, fixed = TRUE), label = paste(class, name))
        expect_true(grepl(name, plain, fixed = TRUE), label = paste(class, name))
      }
    }
    expect_identical(lengths(gregexpr("(?m)^\\|:?-+", report, perl = TRUE)), length(tables) +
                       (length(tables) == 0L))
  }
})

test_that("what every class prints fits the width, and as many rows as are asked for", {
  skip_on_cran()
  objects <- valid_objects()
  for (class in names(objects)) {
    x <- objects[[class]]
    for (width in c(60L, 80L)) {
      withr::local_options(width = width)
      lines <- capture.output(shown <- withVisible(print(x)))
      expect_true(all(nchar(lines, "width") <= width), label = paste(class, width))
      expect_false(shown$visible)
      expect_identical(shown$value, x)
    }
    items <- Filter(Negate(is.null), describe(x, show_settings(NULL, 1L, environment())))
    for (item in Filter(function(item) item$kind == "table", items)) {
      cut <- cut_table(item, list(n = 1L), 7L)
      expect_length(cut$cells[[1L]], if (item$whole) item$total else 1L)
      expect_identical(is.null(cut$more), item$whole || item$total == 1L, label = class)
    }
    expect_no_error(capture.output(print(x, n = 0, digits = 3)))
    expect_identical(format(x, n = Inf), format(x, n = 1e9))
    expect_type(format(x), "character")
  }
})

test_that("arguments of print() that are wrong are classed errors for every class", {
  skip_on_cran()
  objects <- valid_objects()
  wrong <- list(list(digits = 0), list(digits = "a"), list(n = -1), list(n = 1.5), list(dgits = 3))
  for (x in objects) {
    for (arguments in wrong) {
      expect_error(do.call(print, c(list(x), arguments)), class = "bayesrisk_error_argument")
    }
  }
})

test_that("every class has a summary and a plain data frame", {
  objects <- valid_objects()
  for (class in names(objects)) {
    expect_s3_class(objects[[class]], "bayesrisk_result")
    expect_s3_class(summary(objects[[class]]), "bayesrisk_result")
    rows <- tidy(objects[[class]])
    expect_identical(class(rows), "data.frame", label = class)
    expect_identical(lengths(rows, use.names = FALSE), rep(nrow(rows), ncol(rows)), label = class)
    expect_gt(nrow(rows), 0L)
  }
})
