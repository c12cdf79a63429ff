test_that("colours, line types and symbols of different classes differ", {
  keys <- label_style(letters[1:5], list())
  expect_identical(anyDuplicated(keys$col), 0L)
  expect_identical(anyDuplicated(keys$lty), 0L)
  expect_identical(anyDuplicated(keys$pch), 0L)
  many <- label_style(as.character(1:40), list())
  expect_identical(nrow(many), 40L)
  expect_identical(anyDuplicated(many$col), 0L)
})

test_that("the user's values go by order or by name", {
  keys <- label_style(c("a", "b", "c"), list(col = c("red", "blue"), lty = c(c = 3)))
  expect_identical(keys$col, c("red", "blue", "red"))
  expect_identical(keys$lty, c("solid", "dashed", "dotted"))
  expect_identical(label_style(c("a", "b"), list(lty = c(b = "44")))$lty, c("solid", "44"))
  expect_identical(label_style(c("a", "b"), list(lty = c(0, 8)))$lty, c("blank", "dashed"))
  expect_error(
    draw(iris_naive(), col = c(rose = "red")), "rose", class = "bayesrisk_error_argument"
  )
})

test_that("graphical parameters are read, and bad values named", {
  call <- new.env()
  expect_identical(read_style(list(main = "a"), call, NULL)$main, "a")
  expect_identical(read_style(list(), call, NULL, "a")$classes, "a")
  bad <- list(
    main = NA, xlab = c("one", "two"), xlim = c(2, 2), ylim = c(0, Inf), col = "no colour",
    lty = "wavy", lwd = 0, pch = 300, cex = 0, alpha = 2
  )
  for (arg in names(bad)) {
    expect_error(read_style(bad[arg], call, names(bad)), arg, class = "bayesrisk_error_argument")
  }
  expect_bayesrisk_error(
    read_style(list(las = 1), call, "col"), "argument", "`las`.*`col`.*ggplot2::theme"
  )
  expect_null(read_style(list(lty = NULL), call, "col")$lty)
  expect_bayesrisk_error(read_style(list(1), call, "col"), "argument", "without a name")
  expect_error(
    read_style(list(lwd = 1, lwd = 2), call, "lwd"), "more than once",
    class = "bayesrisk_error_argument"
  )
})

test_that("fills become darker step by step", {
  lightness <- function(colours) {
    grDevices::convertColor(t(grDevices::col2rgb(colours)) / 255, "sRGB", "Lab")[, 1L]
  }
  fills <- tints(palette_colours(4L))
  expect_equal(lightness(fills), seq(92, 78, length.out = 4), tolerance = 0.01)
})

test_that("actions that are classes are drawn like them", {
  expect_identical(label_places(c("B", "reject", "A"), c("A", "B")), c(2L, 3L, 1L))
  keys <- label_style(c("A", "B"), list(col = c("red", "blue")))
  expect_identical(
    region_colours(c("B", "reject", "A"), keys), tints(c("blue", palette_colours(3L)[[3L]], "red"))
  )
  actions <- label_style(c("B", "reject"), list(classes = c("A", "B")))
  expect_identical(actions$col, palette_colours(3L)[2:3])
})

test_that("the points of many cases are smaller and more transparent, unless the user says how", {
  keys <- label_style(c("a", "b"), list())
  expect_identical(case_keys(keys, list(), 100)[c("cex", "alpha")], keys[c("cex", "alpha")])
  many <- case_keys(keys, list(), 1500)
  expect_equal(many$cex, rep(0.1^0.25, 2))
  expect_equal(many$alpha, rep(sqrt(0.1), 2))
  given <- label_style(c("a", "b"), list(cex = c(b = 2), alpha = 0.1))
  expect_identical(given$cex, c(1, 2))
  expect_identical(case_keys(given, list(cex = 2, alpha = 0.1), 1e4), given)
})

test_that("an action that is no class has its own colour among many classes", {
  classes <- sprintf("class %02d", 1:15)
  actions <- label_style(c(classes, "reject", "ask"), list(classes = classes))
  expect_identical(actions$col[1:15], palette_colours(15L))
  expect_false(anyDuplicated(actions$col) > 0)
  lab <- grDevices::convertColor(t(grDevices::col2rgb(actions$col)) / 255, "sRGB", "Lab")
  expect_gt(min(as.matrix(dist(lab))[16:17, 1:15]), 25)
})
