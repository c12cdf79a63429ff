test_that("titles of axes are wrapped", {
  withr::local_pdf(NULL)
  title <- "probability from which on virginica is decided"
  expect_identical(fit_title(title, 10, 10), list(lines = list(title), size = 1))
  expect_identical(
    fit_title(title, 2.5, 3)$lines, list("probability from which", "on virginica is decided")
  )
  expect_identical(fit_title(quote(x^2), 0.01, 1)$lines, list(quote(x^2)))
  expect_equal(title_height(fit_title(title, 2.5, 3)), line_height())
})

test_that("text with a line for each element is one line where it fits", {
  withr::local_pdf(NULL)
  title <- c("case 1: a", "against b")
  expect_identical(fit_title(title, 10, 10)$lines, list("case 1: a against b"))
  expect_identical(fit_title(title, 1, 3)$lines, as.list(title))
})

test_that("a title that is too long becomes smaller, and is cut only if that is not enough", {
  withr::local_pdf(NULL)
  one <- strrep("m", 20)
  width <- strwidth(one, "inches")
  small <- fit_title(one, 0.5, 0.8 * width)
  expect_identical(small$lines, list(one))
  expect_gte(small$size, 0.7)
  expect_lte(strwidth(one, "inches", small$size), 0.8 * width)
  cut <- fit_title(one, 0.5, 0.5 * width)
  expect_equal(cut$size, 0.7)
  expect_match(cut$lines[[1L]], "^m+[.]{3}m+$")
  expect_lte(strwidth(cut$lines[[1L]], "inches", cut$size), 0.5 * width)
  # Small text does not become smaller still.
  graphics::par(cex = 0.45)
  expect_identical(fit_title(one, 0.01, 0.1)$size, 1)
})

test_that("a title at the left stands above the bottom margin and below the head", {
  withr::local_pdf(NULL, width = 4, height = 4)
  graphics::plot.new()
  middle <- graphics::grconvertY(title_middle(2L, 1), "user", "inches")
  expect_equal(middle, (graphics::par("mai")[[1L]] + 3) / 2)
  middle <- graphics::grconvertX(title_middle(1L, 1), "user", "inches")
  expect_equal(middle, 2)
})
