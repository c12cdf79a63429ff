# What plot() hands to the functions that draw a plane.
plane_view <- function(model, cost = NULL) {
  list(
    model = model, prior = model$parameters$prior, style = list(), call = NULL,
    cost = predict_cost(model, "cost", cost, NULL)
  )
}

lines_of <- function(model, cost = NULL, x = seq(0.5, 7, length.out = 201),
                     y = seq(-0.5, 3, length.out = 201)) {
  features <- names(model$schema$features)
  values <- stats::setNames(list(rep(x, length(y)), rep(y, each = length(x))), features)
  lines <- plane_lines(plane_view(model, cost), list(x, y), values)
  lapply(lines, function(line) if (is.matrix(line)) list(x = line[, 1L], y = line[, 2L]) else line)
}

# At each point the costs of the two cheapest actions are equal.
expect_boundary <- function(line, model, cost, tolerance) {
  at <- stats::setNames(data.frame(line$x, line$y), names(model$schema$features))
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

test_that("conics are drawn where the decision changes, and nowhere else", {
  model <- petals()
  cost <- zero_one_cost(model)
  lines <- lines_of(model)
  for (line in lines) expect_boundary(line, model, cost, 1e-9)
  # No line ends in the open, but on the frame or where a third class begins.
  ends <- do.call(rbind, lapply(lines, function(line) {
    n <- length(line$x)
    cbind(line$x[c(1L, n)], line$y[c(1L, n)])
  }))
  posterior <- predict(
    model, data.frame(Petal.Length = ends[, 1L], Petal.Width = ends[, 2L]), type = "prob"
  )
  near <- function(x, at) abs(x - at) < 1e-9
  on_frame <- near(ends[, 1L], 0.5) | near(ends[, 1L], 7) | near(ends[, 2L], -0.5) |
    near(ends[, 2L], 3)
  closed <- duplicated(round(ends, 9)) | duplicated(round(ends, 9), fromLast = TRUE)
  three <- apply(posterior, 1L, function(p) diff(range(p)) < 1e-6)
  expect_true(all(on_frame | closed | three))
})

test_that("the lecture's naive rule: two lines that cross", {
  x <- seq(-5, 6, length.out = 201)
  lines <- lines_of(bivariate_naive(), x = x, y = x)
  for (line in lines) {
    off <- pmin(abs(line$y - line$x - 4.5), abs(line$y + line$x - 0.5))
    expect_lte(max(off), 1e-10)
  }
  expect_true(any(vapply(lines, function(line) any(abs(line$x + 2) < 0.06), NA)))
})

test_that("contours with a reject action end where another action is cheaper", {
  model <- petals()
  cost <- zero_one_cost(model, reject = 0.1)
  lines <- lines_of(model, cost)
  expect_gte(length(lines), 3L)
  for (line in lines) expect_boundary(line, model, cost, 6e-3)
  for (line in lines_of(model, petal_cost())) expect_boundary(line, model, petal_cost(), 0.03)
})

test_that("mixtures are drawn by contours of the log joint", {
  model <- bayes_known(
    c(A = 0.5, B = 0.5),
    x = likelihood_mixture(list(A = c(0.5, 0.5), B = 1), list(A = c(-2, 2), B = 0),
                           list(A = c(1, 1), B = 1)),
    y = likelihood_gaussian(mean = c(A = 0, B = 1), sd = 1)
  )
  x <- seq(-4, 4, length.out = 201)
  lines <- lines_of(model, x = x, y = x)
  expect_gte(length(lines), 1L)
  for (line in lines) expect_boundary(line, model, zero_one_cost(model), 1e-3)
})

test_that("a log lead is that of the costs, and has its sign far out", {
  model <- petals()
  cost <- unclass(petal_cost())
  at <- data.frame(Petal.Length = c(1.5, 4, 5, 2.4, 900), Petal.Width = c(0.2, 1.3, 1.7, 0.8, -900))
  log_joint <- predict(model, at, type = "log_joint")
  lead <- log_leads_cpp(log_joint, cost, match(c("press", "leave"), rownames(cost)))
  costs <- predict(model, at, type = "cost", cost = petal_cost())
  expect_identical(sign(lead), sign(costs[, "leave"] - costs[, "press"]))
  two <- log_leads_cpp(log_joint, rbind(c(0, 1, 7), c(2, 0, 7)), 1:2)
  expect_within(two, unname(log(2) + log_joint[, 1L] - log_joint[, 2L]), 1e-13)
  expect_identical(log_leads_cpp(log_joint, rbind(c(0, 0, Inf), c(0, 1, Inf)), 1:2), rep(Inf, 5L))
  # A cost counts unless its class is impossible.
  certain <- matrix(c(-1, -2, -Inf), 1L)
  expect_within(log_leads_cpp(certain, rbind(c(0, 1, 0), c(2, 0, Inf)), 1:2), log(2) + 1, 1e-15)
})

test_that("nothing to contest, nothing drawn", {
  only <- cost_matrix(only = c(setosa = 1, versicolor = 2, virginica = 3))
  expect_identical(lines_of(petals(), only), list())
  settled <- suppressWarnings(cost_matrix(one = 1, two = 2))
  expect_identical(lines_of(petals(), settled), list())
  expect_identical(nrow(draw(petals(), "regions", cost = settled)), 90601L)
})

test_that("a device without bitmaps draws cells", {
  file <- withr::local_tempfile(fileext = ".fig")
  grDevices::xfig(file, onefile = TRUE)
  bitmaps <- grDevices::dev.capabilities("rasterImage")[[1L]]
  plot(fit(bayes_naive(), y ~ x + z, mixed()), "regions")
  grDevices::dev.off()
  expect_identical(bitmaps, "no")
  expect_gt(length(readLines(file)), 1000)
})
