test_that("a part of a result is a plain data frame, the whole is itself", {
  whole <- structure(
    data.frame(a = 1:3, b = 4:6), told = "of all", class = c("strange", "data.frame")
  )
  take <- function(...) part_of_result(whole, `[.data.frame`(whole, ...))
  expect_identical(take(2:3, ), data.frame(a = 2:3, b = 5:6, row.names = 2:3))
  expect_identical(take(3:1, ), data.frame(a = 3:1, b = 6:4, row.names = 3:1))
  expect_identical(take("b"), data.frame(b = 4:6))
  expect_identical(take(, "b"), 4:6)
  expect_identical(take(1:3, ), whole)
  expect_identical(take(), whole)
  part <- part_of_result(whole, `[.data.frame`(whole, 1L, ), c("strange", "data.frame"))
  expect_named(attributes(part), c("names", "row.names", "class"))
  expect_s3_class(part, "strange")
})

test_that("what is printed of a part of a result is its rows", {
  steps <- next_feature(shapes_model(), data.frame(
    size = NA_character_, colour = c("red", "green", "blue"), shape = NA_character_
  ))
  third <- steps[steps$row == 3L, ]
  expect_identical(class(third), "data.frame")
  expect_identical(unique(third$row), 3L)
  expect_no_match(capture.output(print(third)), "nothing is left")
  expect_identical(class(utils::head(steps, 2L)), "data.frame")
  regions <- decision_regions(letters_model(), zero_one_cost(letters_model(), reject = 0.2))
  expect_identical(class(regions[regions$decision == "reject", ]), "data.frame")
  expect_s3_class(regions[], "bayesrisk_regions")
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
  expect_identical(class(boundaries[, c("first", "second", "kind", "constant")]), "data.frame")
})

test_that("a part of what information is worth is not drawn as the whole", {
  value <- value_of_information(letters_model())
  expect_error(draw(value[c(1, 2, 4), ]), "whole", class = "bayesrisk_error_argument")
  expect_null(attr(value[2, ], "method"))
  expect_identical(value[], value)
})
