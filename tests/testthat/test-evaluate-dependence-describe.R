test_that("pairs print with what to do about them", {
  odd <- transform(iris, still = ifelse(Species == "setosa", 1, Petal.Width), `a"b` = Sepal.Length,
                   check.names = FALSE)
  few <- iris[c(1:2, 51:100), ]
  few$Petal.Width[[12]] <- NA
  cars <- transform(mtcars, cyl = factor(cyl))
  expect_snapshot(feature_dependence(Species ~ ., iris))
  expect_shown <- function(formula, data, text) {
    expect_output(print(feature_dependence(formula, data)), text)
  }
  expect_shown(play ~ outlook + wind, play_tennis, "0 of 1. Naive is enough")
  expect_shown(
    Species ~ `a"b` + still + Petal.Width, odd,
    "independent there: still \\(setosa\\).*still and Petal.Width determines"
  )
  expect_shown(Species ~ . - Petal.Length, few, "cases\n.*NA: too few cases in the class")
  expect_shown(am ~ cyl + hp + wt, cars, "cyl and hp, cyl and wt.*1 of 1 of one kind")
  expect_shown(am ~ cyl + hp, cars, "cyl and hp. No block holds both[.]$")
})

test_that("rows may be chosen and sorted; without its columns it is a table", {
  pairs <- feature_dependence(Species ~ ., iris)
  by_association <- pairs[order(abs(pairs$association)), ]
  expect_output(print(by_association), "c\\(\"Sepal.Length\", \"Petal.Length\"\\)")
  expect_output(print(by_association[1:2, ]), "2 pairs")
  expect_output(print(pairs[c("first", "second")]), "^ *first +second")
  expect_output(print(pairs[0, ]), "0 rows")
  expect_output(print(pairs[c(1, NA), ]), "NA +NA")
  expect_output(print(pairs[names(pairs) != "cases"]), "^ *first +second")
})

test_that("many classes are left to the data frame", {
  pairs <- feature_dependence(carb ~ mpg + wt, mtcars[!mtcars$carb %in% c(6, 8), ])
  expect_output(print(pairs), "pooled +1 +2 +3 +4")
  many <- transform(warpbreaks, y = rep(1:9, 6), z = seq_along(breaks)^1.5)
  pairs <- feature_dependence(y ~ breaks + z, many)
  expect_length(pairs, 16)
  expect_output(print(pairs), "pooled\n")
})
