test_that("the rows are drawn, the most information above", {
  pairs <- feature_dependence(Species ~ ., iris)
  expect_identical(draw(pairs), pairs)
  sorted <- pairs[order(pairs$association), ]
  expect_identical(draw(sorted)$information, pairs$information)
  expect_message(drawn <- draw(pairs, limit = 2), "4 of 6", class = "bayesrisk_message_features")
  expect_identical(nrow(drawn), 2L)
  points <- suppressMessages(layer_of(plot(pairs, limit = 2), "GeomPoint"))
  expect_equal(sort(points$x), sort(as.vector(class_information(drawn, levels(iris$Species)))))
})

test_that("infinite information is not drawn", {
  odd <- transform(iris, twice = 2 * Sepal.Length)
  expect_message(drawn <- draw(feature_dependence(Species ~ ., odd)), "1 of 10")
  expect_identical(nrow(drawn), 9L)
  pairs <- feature_dependence(Species ~ Sepal.Length + twice, odd)
  expect_bayesrisk_error(draw(pairs), "argument", "nothing to draw")
})

test_that("odd arguments are read or refused by design", {
  pairs <- feature_dependence(Species ~ ., iris)
  expect_bayesrisk_error(draw(pairs, colour = 1), "argument", "colour")
  expect_fuzz_proof(
    function(...) suppressMessages(draw(...)), "limit", list(x = pairs), is.data.frame
  )
})
