# The boundaries that are drawn, as matrices.
lines_of <- function(model, cost = NULL, x = seq(0.5, 7, length.out = 201),
                     y = seq(-0.5, 3, length.out = 201)) {
  features <- names(model$schema$features)
  problem <- list(
    model = model, prior = model$parameters$prior, call = NULL,
    cost = read_cost(cost, model$schema$classes$levels, call = NULL)
  )
  values <- stats::setNames(list(rep(x, length(y)), rep(y, each = length(x))), features)
  plane_boundaries(problem, features, list(x, y), score_grid(problem, values, "decision"))
}

# At each point the costs of the two cheapest actions are equal.
expect_boundary <- function(line, model, cost, tolerance) {
  at <- stats::setNames(as.data.frame(line), names(model$schema$features))
  costs <- predict(model, at, type = "cost", cost = cost)
  gap <- apply(costs, 1L, function(row) diff(sort(row)[1:2]))
  expect_lte(max(gap), tolerance)
}

test_that("the decision at each point of the grid is that of predict()", {
  model <- fit(bayes_full(), Species ~ ., iris)
  drawn <- draw(model, "regions", features = c("Petal.Width", "Sepal.Length"), data = iris)
  expect_named(drawn, c("feature_x", "x", "feature_y", "y", "decision"))
  some <- seq(1, nrow(drawn), by = 97)
  newdata <- data.frame(
    Sepal.Length = drawn$y[some], Sepal.Width = NA, Petal.Length = NA, Petal.Width = drawn$x[some]
  )
  expect_identical(as.character(drawn$decision[some]), as.character(predict(model, newdata)))
  cost <- zero_one_cost(model, reject = 0.1)
  rejected <- draw(model, "regions", features = c("Petal.Width", "Sepal.Length"), cost = cost)
  expect_true("reject" %in% rejected$decision)
})

test_that("a plane at a large offset is drawn as one at 0", {
  moved <- transform(iris, Petal.Length = Petal.Length + 2^30, Petal.Width = Petal.Width + 2^30)
  far <- fit(bayes_full(), Species ~ Petal.Length + Petal.Width, moved)
  drawn <- draw(far, "regions", data = moved)
  near <- draw(petals(), "regions", data = iris)
  expect_within(drawn$x - 2^30, near$x, 1e-5)
  expect_lt(mean(drawn$decision != near$decision), 1e-3)
})

# The points of a line on the grid: the others join them within a cell.
on_grid <- function(line, x, y) {
  line[line[, "x"] %in% x | line[, "y"] %in% y, , drop = FALSE]
}

test_that("boundaries cross the grid where two actions cost the same", {
  model <- petals()
  x <- seq(0.5, 7, length.out = 201)
  y <- seq(-0.5, 3, length.out = 201)
  for (cost in list(zero_one_cost(model), petal_cost(), zero_one_cost(model, reject = 0.1))) {
    lines <- lines_of(model, cost, x, y)
    expect_gt(length(lines), 0L)
    for (line in lines) {
      crossings <- on_grid(line, x, y)
      expect_gte(nrow(crossings), floor(nrow(line) / 2))
      expect_boundary(crossings, model, cost, 1e-9)
    }
  }
})

test_that("no boundary ends in the open, but on the frame or where others begin", {
  lines <- lines_of(petals())
  ends <- do.call(rbind, lapply(lines, function(line) line[c(1L, nrow(line)), ]))
  on_frame <- ends[, "x"] %in% c(0.5, 7) | ends[, "y"] %in% c(-0.5, 3)
  closed <- duplicated(ends) | duplicated(ends, fromLast = TRUE)
  expect_true(all(on_frame | closed))
})

test_that("the lecture's naive rule: two lines that cross", {
  x <- seq(-5, 6, length.out = 201)
  lines <- lines_of(bivariate_naive(), x = x, y = x)
  expect_gt(length(lines), 0L)
  off <- function(line) {
    pmin(abs(line[, "y"] - line[, "x"] - 4.5), abs(line[, "y"] + line[, "x"] - 0.5))
  }
  for (line in lines) {
    expect_lte(max(off(on_grid(line, x, x))), 1e-8)
    expect_lte(max(off(line)), 0.055 / 2)
  }
})

test_that("mixtures have boundaries as normals have", {
  model <- bayes_known(
    c(A = 0.5, B = 0.5),
    x = likelihood_mixture(
      weights = list(A = c(0.5, 0.5), B = 1), mean = list(A = c(-2, 2), B = 0), sd = 1
    ),
    y = likelihood_gaussian(mean = c(A = 0, B = 1), sd = 1)
  )
  x <- seq(-4, 4, length.out = 201)
  lines <- lines_of(model, x = x, y = x)
  expect_length(lines, 1L)
  expect_boundary(lines[[1L]], model, zero_one_cost(model), 1e-3)
})

test_that("regions of counts end halfway between them", {
  model <- bayes_known(
    c(a = 0.5, b = 0.5), n = likelihood_poisson(rate = c(a = 3, b = 8)),
    k = likelihood_poisson(rate = c(a = 3, b = 4))
  )
  lines <- lines_of(model, x = 0:12, y = 0:12)
  expect_gt(length(lines), 0L)
  for (line in lines) {
    between <- abs(line %% 1 - 0.5) < 1e-9
    expect_true(all(between[, "x"] | between[, "y"]))
    expect_true(all(abs(diff(line[, "x"])) < 1e-9 | abs(diff(line[, "y"])) < 1e-9))
  }
})

test_that("nothing to contest, nothing drawn", {
  only <- cost_matrix(only = c(setosa = 1, versicolor = 2, virginica = 3))
  expect_identical(lines_of(petals(), only), list())
  settled <- suppressWarnings(cost_matrix(one = 1, two = 2))
  expect_identical(lines_of(petals(), settled), list())
  expect_identical(nrow(draw(petals(), "regions", cost = settled)), 90601L)
})

test_that("regions and boundaries alone hold no model to draw, and say how to draw them", {
  model <- suppressWarnings(fit(
    bayes_full(joint = likelihood_mixture(2)), Species ~ Sepal.Length + Sepal.Width, iris
  ))
  error <- expect_error(plot(decision_regions(model)), class = "bayesrisk_error_argument")
  expect_match(
    gsub("\\s+", " ", conditionMessage(error)),
    "plot(model, \"regions\", features = c(\"Sepal.Length\", \"Sepal.Width\"))", fixed = TRUE
  )
  drawn <- draw(model, "regions", features = c("Sepal.Length", "Sepal.Width"))
  expect_gt(length(attr(drawn, "boundaries")), 0L)
  line <- decision_regions(fit(bayes_naive(), Species ~ Sepal.Length, iris))
  expect_error(plot(line), "Sepal.Length", class = "bayesrisk_error_argument")
})

test_that("the plane has the boundaries and the cases", {
  figure <- do.call(plot, figures()$plane)
  lines <- do.call(rbind, attr(figure$data, "boundaries"))
  path <- layer_of(figure, "GeomPath")
  expect_equal(path$x, unname(lines[, 1L]))
  expect_equal(path$y, unname(lines[, 2L]))
  expect_equal(layer_of(figure, "GeomPoint")$x, iris$Petal.Length)
  fills <- unique(layer_of(figure, "GeomRaster")$fill)
  expect_setequal(fills, region_colours(levels(iris$Species), label_style(
    levels(iris$Species), list()
  )))
  expect_identical(nrow(line_points(list())), 0L)
})

test_that("a plane without boundaries, and cases of unknown class", {
  model <- fit(bayes_naive(), Species ~ Petal.Length + Petal.Width, iris)
  figure <- plot(model, "regions", data = iris[-5L], cost = zero_one_cost(model))
  expect_silent(ggplot2::ggplot_build(figure))
  expect_identical(unique(layer_of(figure, "GeomPoint", 2L)$colour), "grey20")
})

# The boundaries of a rule on a grid, as matrices.
lines_on <- function(decide, x = seq(-1, 1, length.out = 41), y = x) {
  codes <- matrix(decide(rep(x, length(y)), rep(y, each = length(x))), length(x))
  boundary_lines(list(x, y), codes, decide)
}

test_that("points of a curve are exact on the grid and a cell's square apart from it between", {
  circle <- lines_on(function(x, y) 1L + (x^2 + y^2 < 0.5))
  expect_length(circle, 1L)
  radius <- sqrt(rowSums(circle[[1L]]^2))
  odd <- seq(1, length(radius), by = 2L)
  expect_lte(max(abs(radius[odd] - sqrt(0.5))), 1e-12)
  expect_lte(max(abs(radius - sqrt(0.5))), 0.05^2 / 4 / sqrt(0.5))
  expect_identical(circle[[1L]][1L, ], circle[[1L]][length(radius), ])
})

test_that("steps have right corners where they jump, wherever the grid is", {
  stairs <- lines_on(function(x, y) 1L + (y > floor(3.7 * x) / 3.7))
  for (line in stairs) {
    expect_true(all(abs(diff(line[, "x"])) < 1e-12 | abs(diff(line[, "y"])) < 1e-12))
  }
  quarter <- lines_on(function(x, y) 1L + (x > 0.317 & y > -0.123))[[1L]]
  corner <- which(abs(quarter[, "x"] - 0.317) < 1e-12 & abs(quarter[, "y"] + 0.123) < 1e-12)
  expect_length(corner, 1L)
})

test_that("three and four regions meet in one point, and lines end there or on the frame", {
  three <- lines_on(function(x, y) ifelse(x > 0.111, 1L, ifelse(y > 0.222, 2L, 3L)))
  expect_length(three, 3L)
  ends <- do.call(rbind, lapply(three, function(line) line[c(1L, nrow(line)), ]))
  meeting <- abs(ends[, "x"] - 0.111) < 1e-12 & abs(ends[, "y"] - 0.222) < 1e-12
  expect_identical(sum(meeting), 3L)
  expect_true(all(meeting | abs(ends[, "x"]) == 1 | abs(ends[, "y"]) == 1))
  four <- lines_on(function(x, y) 1L + (x > 0.111) + 2L * (y > 0.222))
  expect_length(four, 4L)
})

test_that("an edge with a third decision between its ends is crossed where the first one ends", {
  found <- lines_on(function(x, y) ifelse(x < 0.01, 1L, ifelse(x < 0.02, 2L, 3L)))
  expect_lte(max(abs(found[[1L]][, "x"] - 0.01)), 1e-12)
})

test_that("one decision has no boundary", {
  expect_identical(lines_on(function(x, y) rep(1L, length(x))), list())
})

test_that("links are joined to open paths, then to rings", {
  expect_identical(join_links(c(2L, 1L, 5L), c(3L, 2L, 6L)), list(c(1L, 2L, 3L), c(5L, 6L)))
  expect_identical(join_links(c(1L, 2L, 3L), c(2L, 3L, 1L)), list(c(1L, 2L, 3L, 1L)))
})
