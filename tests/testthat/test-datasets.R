# The tables as printed in the lectures that the help pages name.

test_that("play_tennis has the lectures' columns, levels and class order", {
  expect_identical(dim(play_tennis), c(14L, 5L))
  expect_identical(
    lapply(play_tennis, levels),
    list(
      outlook = c("sunny", "overcast", "rain"),
      temperature = c("hot", "mild", "cool"),
      humidity = c("high", "normal"),
      wind = c("weak", "strong"),
      play = c("yes", "no")
    )
  )
  expect_false(anyNA(play_tennis))
})

test_that("play_tennis has the lectures' counts per class", {
  count <- function(feature) unclass(table(play_tennis$play, play_tennis[[feature]]))
  expect_identical(as.vector(table(play_tennis$play)), c(9L, 5L))
  expect_identical(count("outlook")["yes", ], c(sunny = 2L, overcast = 4L, rain = 3L))
  expect_identical(count("outlook")["no", ], c(sunny = 3L, overcast = 0L, rain = 2L))
  expect_identical(count("temperature")["yes", ], c(hot = 2L, mild = 4L, cool = 3L))
  expect_identical(count("temperature")["no", ], c(hot = 2L, mild = 2L, cool = 1L))
  expect_identical(count("humidity")["yes", ], c(high = 3L, normal = 6L))
  expect_identical(count("humidity")["no", ], c(high = 4L, normal = 1L))
  expect_identical(count("wind")["yes", ], c(weak = 6L, strong = 3L))
  expect_identical(count("wind")["no", ], c(weak = 2L, strong = 3L))
})

test_that("dice_couplings are six joint distributions of fair dice", {
  expect_identical(dim(dice_couplings), c(216L, 4L))
  expect_identical(
    levels(dice_couplings$coupling),
    c("independent", "equal", "opposite", "neighbour", "half_equal", "parity")
  )
  by_die <- function(die) {
    xtabs(dice_couplings$probability ~ dice_couplings$coupling + dice_couplings[[die]])
  }
  for (die in c("first", "second")) expect_within(by_die(die), rep(1 / 6, 36), 1e-14)
})

test_that("mooney_joint is the lecture's table", {
  expect_identical(
    lapply(mooney_joint[1:3], levels),
    list(
      colour = c("red", "blue"), shape = c("circle", "square"), class = c("positive", "negative")
    )
  )
  p <- xtabs(probability ~ colour + shape + class, mooney_joint)
  expect_identical(c(p[, , "positive"]), c(.20, .02, .02, .01))
  expect_identical(c(p[, , "negative"]), c(.05, .20, .30, .20))
  expect_identical(dim(mooney_joint), c(8L, 4L))
})

test_that("mooney_shapes declares what was not seen", {
  expect_identical(
    lapply(mooney_shapes, levels),
    list(
      size = c("small", "medium", "large"), colour = c("red", "blue", "green"),
      shape = c("square", "triangle", "circle"), class = c("positive", "negative")
    )
  )
  expect_identical(as.character(mooney_shapes$size), c("small", "large", "small", "large"))
  expect_identical(as.character(mooney_shapes$colour), c("red", "red", "red", "blue"))
  expect_identical(
    as.character(mooney_shapes$shape), c("circle", "circle", "triangle", "circle")
  )
  expect_identical(as.vector(table(mooney_shapes$class)), c(2L, 2L))
})
