test_that("colours, line types and symbols of different classes differ", {
  look <- label_style(letters[1:5], list(), NULL)
  expect_identical(anyDuplicated(look$col), 0L)
  expect_identical(anyDuplicated(look$lty), 0L)
  expect_identical(anyDuplicated(look$pch), 0L)
  many <- label_style(as.character(1:40), list(), NULL)
  expect_identical(lengths(many, use.names = FALSE), rep(40L, length(many)))
  expect_identical(anyDuplicated(many$col), 0L)
})

test_that("the user's values go by order or by name", {
  look <- label_style(c("a", "b", "c"), list(col = c("red", "blue"), lty = c(c = 3)), NULL)
  expect_identical(look$col, c("red", "blue", "red"))
  expect_identical(as.numeric(look$lty), c(1, 2, 3))
  expect_error(
    draw(iris_naive(), col = c(rose = "red")), "rose", class = "bayesrisk_error_argument"
  )
})

test_that("graphical parameters are read, and bad values named", {
  style <- read_style(list(main = "a", las = 1), NULL)
  expect_identical(style, list(main = "a", par = list(las = 1)))
  expect_identical(read_style(list(), NULL), list(par = list()))
  bad <- list(
    main = NA, xlab = 1, xlim = c(2, 2), ylim = c(0, Inf), col = "no colour", lty = "wavy", lwd = 0,
    pch = 300
  )
  for (arg in names(bad)) {
    expect_error(read_style(bad[arg], NULL), arg, class = "bayesrisk_error_argument")
  }
  expect_error(read_style(list(1), NULL), "without a name", class = "bayesrisk_error_argument")
  expect_error(
    read_style(list(las = 1, las = 2), NULL), "more than once", class = "bayesrisk_error_argument"
  )
})

test_that("fills become darker step by step", {
  lightness <- function(colours) {
    grDevices::convertColor(t(grDevices::col2rgb(colours)) / 255, "sRGB", "Lab")[, 1L]
  }
  fills <- tints(palette_colours(4L))
  expect_equal(lightness(fills), seq(92, 78, length.out = 4), tolerance = 0.01)
})

test_that("actions that are classes look like them", {
  view <- list(
    model = two_classes(), cost = rbind(B = c(A = 1, B = 0), reject = c(0.1, 0.1), A = c(0, 1))
  )
  expect_identical(action_places(view), c(2L, 3L, 1L))
})
