tennis_parts <- function(...) {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  contributions(model, rbind(play_query(), transform(play_query(), ...)))
}

test_that("bars begin where the last ended, and end at the posterior", {
  parts <- tennis_parts(outlook = "overcast")
  drawn <- draw(parts, sort = FALSE)
  expect_identical(drawn$block, c(
    "prior", "outlook", "temperature", "humidity", "wind", "posterior"
  ))
  expect_identical(unique(drawn$class), "no")
  expect_identical(unique(drawn$against), "yes")
  expect_equal(drawn$contribution[1:2], log(c(5 / 9, (3 / 5) / (2 / 9))), tolerance = 1e-14)
  expect_identical(drawn$from[2:5], drawn$to[1:4])
  posterior <- predict(fit(bayes_naive(), play ~ ., play_tennis), play_query(), type = "prob")
  expect_equal(drawn$to[[6]], log(posterior[[1, "no"]] / posterior[[1, "yes"]]), tolerance = 1e-13)
  turned <- draw(parts, class = "yes", main = "Monday", col = c(no = "red"), sort = FALSE)
  expect_identical(turned$contribution, -drawn$contribution)
  sorted <- draw(parts)
  expect_identical(sorted$block[2:5], drawn$block[1L + order(-abs(drawn$contribution[2:5]))])
  expect_equal(sorted$to[[6]], drawn$to[[6]], tolerance = 1e-14)
  certain <- draw(parts, case = 2)
  expect_identical(certain$contribution[c(2, 6)], c(Inf, Inf))
  expect_identical(nrow(draw(parts, case = 1:2)), 12L)
})

test_that("several classes are panels, the most probable first; small blocks are one bar", {
  model <- fit(bayes_naive(), Species ~ ., iris)
  parts <- contributions(model, iris[c(107, 71, 1), ])
  drawn <- draw(parts)
  expect_identical(unique(drawn$against), c("virginica", "setosa"))
  expect_identical(unique(draw(parts, case = c("107", "1"))$case), c("107", "1"))
  some <- draw(parts, class = "setosa", against = c("virginica", "versicolor"))
  expect_identical(unique(some$against), c("virginica", "versicolor"))
  few <- draw(parts, limit = 2, class = "setosa", against = "virginica")
  expect_identical(few$block, c("prior", "Petal.Length", "Petal.Width", "2 others", "posterior"))
  expect_identical(few$to[[5]], few$to[[4]])
  expect_equal(few$contribution[[5]], sum(parts[1, , 1] - parts[1, , 3]), tolerance = 1e-13)
})

test_that("what is impossible under both classes says nothing", {
  model <- fit(bayes_naive(), y ~ g, tokens())
  parts <- contributions(model, data.frame(g = factor("u", c("w", "v", "u"))))
  parts[] <- replace(unclass(parts), 3:4, -Inf)
  parts <- structure(parts, class = "bayesrisk_contributions")
  expect_identical(draw(parts, class = "a")$contribution[[2]], NaN)
})

test_that("odd arguments are read or refused by design", {
  parts <- tennis_parts(wind = "weak")
  expect_bayesrisk_error(draw(parts, colour = 1), "argument", "colour")
  expect_bayesrisk_error(draw(parts, case = 3), "argument", "case")
  expect_bayesrisk_error(draw(parts, class = "maybe"), "argument", "class")
  expect_bayesrisk_error(draw(parts, against = "no"), "argument", "needs")
  expect_bayesrisk_error(draw(parts, class = "no", against = "no"), "argument", "against")
  one <- one_class(fit(bayes_naive(), y ~ x, data.frame(y = "a", x = 1:3)))
  one <- contributions(one, data.frame(x = 1))
  expect_bayesrisk_error(draw(one), "argument", "one class")
  for (arg in c("case", "class", "limit", "sort")) {
    expect_fuzz_proof(draw, arg, list(x = parts), is.data.frame)
  }
  expect_fuzz_proof(draw, "against", list(x = parts, class = "no"), is.data.frame)
})

test_that("thirty blocks of long names: twelve bars, one of the others, a panel for each rival", {
  set.seed(1)
  wide <- data.frame(y = rep(sprintf("a class of a long name, number %d", 1:15), each = 4))
  wide[sprintf("a feature of a very long name, number %d", 1:30)] <- rnorm(60 * 30)
  parts <- contributions(fit(bayes_naive(), y ~ ., wide), wide[1, ])
  drawn <- draw(parts)
  expect_identical(unique(table(drawn$against)), 15L)
  expect_true(all("18 others" == drawn$block[drawn$block == "18 others"]))
  size <- abs(drawn$contribution[2:13])
  expect_identical(size, sort(size, decreasing = TRUE))
  one <- draw(parts, limit = 29, class = drawn$class[[1L]], against = drawn$against[[1L]])
  expect_identical(one$block[[31L]], "1 other")
})

test_that("bars have the colour of the class that they support, and lines to the next bar", {
  figure <- do.call(plot, figures()$contributions)
  bars <- layer_of(figure, "GeomTile")
  drawn <- figure$data
  expect_equal(nrow(bars), nrow(drawn))
  supported <- ifelse(drawn$contribution >= 0, drawn$class, drawn$against)
  palette <- stats::setNames(palette_colours(3L), levels(iris$Species))
  expect_identical(rev(bars$fill), unname(palette[supported]))
  expect_identical(rev(trimws(layer_of(figure, "GeomText")$label)),
                   sprintf("%+.3g", drawn$contribution))
  lines <- layer_of(figure, "GeomSegment")
  expect_equal(lines$x, drawn$to[drawn$block != "posterior"])
  expect_equal(lines$y - lines$yend, rep(1, 10))
})

test_that("impossible blocks end at the edge, undefined ones are not drawn", {
  sure <- tennis_parts(outlook = "overcast")
  figure <- plot(sure, case = 2)
  expect_true(any(is.infinite(figure$data$contribution)))
  bars <- layer_of(figure, "GeomTile")
  expect_true(all(is.finite(bars$xmin), is.finite(bars$xmax)))
})

test_that("many panels leave the numbers out", {
  many <- plot(contributions(iris_naive(), iris[1:5, ]), case = 1:5)
  geoms <- vapply(many$layers, function(layer) class(layer$geom)[[1L]], "")
  expect_false("GeomText" %in% geoms)
  expect_silent(ggplot2::ggplot_build(many))
})

tennis_costs <- function(..., order = "given") {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = c(yes = 0, no = 30), wait = c(yes = 20, no = 0), ask = 5)
  contributions(model, rbind(play_query(), transform(play_query(), ...)), cost, order = order)
}

test_that("bars lead from the cost under the prior to the cost of the case", {
  parts <- tennis_costs(outlook = "overcast")
  drawn <- draw(parts)
  expect_identical(unique(drawn$decision), c("wait", "ask"))
  wait <- drawn[drawn$decision == "wait", ]
  expect_identical(
    wait$block, c("prior", "outlook", "temperature", "humidity", "wind", "case")
  )
  expect_identical(wait$contribution[1:5], unname(parts[1, , "wait"]))
  expect_identical(wait$from, c(0, wait$to[1:4], 0))
  expect_equal(wait$to[[6]], sum(parts[1, , "wait"]), tolerance = 1e-14)
})

test_that("Shapley values are sorted by size; cases and actions can be chosen", {
  parts <- tennis_costs(outlook = "overcast", order = "shapley")
  drawn <- draw(parts, decision = "book")
  expect_identical(
    drawn$block[2:5], names(sort(-abs(parts[1, -1, "book"])))
  )
  unsorted <- draw(parts, decision = "book", sort = FALSE)
  expect_identical(unsorted$block[2:5], dimnames(parts)$block[-1])
  # The alternative, to ask, is one bar.
  expect_identical(nrow(draw(parts, case = 1:2)), 14L)
  few <- draw(parts, decision = "book", limit = 2)
  expect_identical(few$block[4:5], c("2 others", "case"))
  expect_equal(few$to[[4]], few$to[[5]], tolerance = 1e-14)
})

test_that("an action that costs the same under every class is one bar", {
  for (order in c("given", "shapley")) {
    parts <- tennis_costs(outlook = "overcast", order = order)
    asked <- draw(parts, decision = "ask")
    expect_identical(asked$block, "case")
    expect_equal(unlist(asked[c("contribution", "from", "to")], use.names = FALSE), c(5, 0, 5))
    expect_silent(ggplot2::ggplot_build(plot(parts)))
  }
})

test_that("infinite costs and cases without a decision can be drawn", {
  model <- fit(bayes_naive(), play ~ ., play_tennis)
  cost <- cost_matrix(book = c(yes = 0, no = Inf), wait = c(yes = 20, no = 0))
  parts <- contributions(model, transform(play_query(), outlook = "overcast"), cost)
  drawn <- draw(parts, decision = "book")
  expect_identical(drawn$contribution[1:2], c(Inf, -Inf))
  expect_identical(drawn$to[[6L]], 0)
  cost <- cost_matrix(book = list(yes = 0, no = ~ price), wait = c(yes = 20, no = 0))
  unpriced <- suppressWarnings(contributions(model, cbind(play_query(), price = NA_real_), cost))
  expect_identical(unique(draw(unpriced)$decision), c("book", "wait"))
})

test_that("arguments that are wrong are named", {
  parts <- tennis_costs(outlook = "overcast")
  expect_bayesrisk_error(draw(parts, decision = "sleep"), "argument", "decision")
  expect_bayesrisk_error(draw(parts, case = 3), "argument", "case")
  expect_bayesrisk_error(draw(parts, class = "yes"), "argument", "class")
  expect_bayesrisk_error(draw(parts, sort = NA), "argument", "sort")
})
