letters_model <- function() {
  text <- valid_text()
  fit(bayes_text(), y ~ words, text$data)
}

test_that("bars of the terms of classes and of cases are the drawn data", {
  model <- letters_model()
  found <- top_features(model)
  expect_identical(draw(found)$z, found$z[found$z > 0])
  panels <- ggplot2::ggplot_build(plot(found))$layout$layout$panel
  expect_setequal(as.character(panels), c("class a", "class b"))
  data <- valid_text()$data
  cases <- top_features(model, newdata = data)
  drawn <- draw(cases, case = c("3", "1"))
  expect_identical(as.character(unique(drawn$case)), c("3", "1"))
  for (values in split(drawn$contribution, drawn$case)) expect_false(is.unsorted(rev(values)))
  expect_identical(unique(as.character(draw(cases)$case)), "1")
  expect_identical(draw(cases, case = 2)$case, draw(cases, case = "2")$case)
  expect_no_error(draw(found, main = "Terms", col = c(a = "red")))
  expect_no_error(draw(cases, case = 1:6))
})

test_that("terms stand in the order of the data, the first one above", {
  figure <- do.call(plot, figures()$case_features)
  built <- ggplot2::ggplot_build(figure)
  terms <- built$layout$panel_params[[1L]]$y$get_labels()
  expect_identical(rev(terms), figure$data$term[figure$data$case == figure$data$case[[1L]]])
})

test_that("more classes than panels are named by a message", {
  x <- diag(8) + 1
  colnames(x) <- letters[1:8]
  model <- fit(bayes_text(), x, LETTERS[1:8])
  expect_message(drawn <- draw(top_features(model)), "2 of 8 classes", class = "bayesrisk_message")
  expect_identical(nlevels(droplevels(drawn$class)), 6L)
})

test_that("odd arguments are read or refused by design", {
  found <- top_features(letters_model())
  cases <- top_features(letters_model(), newdata = valid_text()$data)
  expect_bayesrisk_error(draw(found, colour = 1), "argument", "colour")
  expect_bayesrisk_error(draw(cases[0, ]), "argument", "case")
  expect_bayesrisk_error(draw(cases, case = 99), "argument", "case")
  raw <- fit(bayes_text(laplace = 0), rbind(c(a = 1, b = 0), c(0, 1)), c("u", "v"))
  expect_bayesrisk_error(draw(top_features(raw)), "argument", "no term that speaks")
})
