# Reports about scored rows.

# The classes y of a numeric feature, a factor and single values.
reported_model <- function() {
  data <- data.frame(
    y = rep(c("a", "b"), each = 3), x = c(1, 2, 3, 2, 3, 4), f = factor(rep(c("u", "v"), 3)),
    e = c(1, 1, 2, 2, 3, 3)
  )
  fit(bayes_naive(laplace = 1, features = list(e = likelihood_empirical())), y ~ ., data)
}

test_that("rows that the model can score are silent", {
  expect_silent(predict(reported_model(), data.frame(x = 2, f = c("u", NA), e = 2)))
})

test_that("each reason has one warning, which counts its rows", {
  new <- data.frame(
    x = c(2, Inf, -Inf, 2, 2, 2), f = c("u", "u", "u", "w", "u", "u"), e = c(2, 2, 2, 2, 9, 8)
  )
  new <- new[c(seq_len(6), 6), ]
  warned <- list()
  withCallingHandlers(predict(reported_model(), new), bayesrisk_warning = function(w) {
    warned[[length(warned) + 1L]] <<- w
    rlang::cnd_muffle(w)
  })
  expect_identical(
    vapply(warned, function(w) class(w)[[1L]], ""),
    paste0("bayesrisk_warning_", c("unknown_level", "infinite", "impossible"))
  )
  expect_equal(vapply(warned, `[[`, 0, "rows"), c(1, 2, 3))
  expect_identical(vapply(warned, `[[`, "", "name"), c("unknown_level", "infinite", "impossible"))
})

test_that("codes outside the levels are an error that names the column", {
  new <- data.frame(x = 2, e = 2, f = structure(9L, levels = c("u", "v"), class = "factor"))
  expect_bayesrisk_error(predict(reported_model(), new), "schema", "`?f`? is damaged")
})

test_that("unknown terms of a bag are one warning, which names them", {
  words <- rbind(c(u = 1, v = 0), c(0, 2))
  model <- fit(bayes_text(), words, c("a", "b"))
  new <- cbind(words, w = c(3, 1), z = c(0, 1))
  warning <- expect_warning(
    predict(model, new), "2 terms .*unknown to the model and left out \\(3 cells\\)",
    class = "bayesrisk_warning_unknown_term"
  )
  expect_identical(warning$terms, c("w", "z"))
})

test_that("rows of unknown cost are one warning", {
  new <- data.frame(x = 2, f = "u", e = 2, price = c(1, NA, NA))
  cost <- cost_matrix(act = c(a = 0, b = 1), wait = list(a = ~price, b = 0))
  expect_warning(
    decide(reported_model(), new, cost), "2 rows whose cost is not known",
    class = "bayesrisk_warning_unpriced"
  )
})

test_that("the warning of an unknown level lists the new and the known ones", {
  data <- data.frame(y = rep(c("a", "b"), 3), g = c("u", "v", "v"), f = factor(c("p", "q", "q")),
                     l = c(TRUE, NA, TRUE, FALSE, NA, TRUE), x = 1:6)
  model <- fit(bayes_naive(laplace = 1), y ~ ., data)
  new <- data.frame(g = c("u", "w", "z", "w"), f = c("p", "q", "r", "p"), l = TRUE, x = 3)
  lines <- paste0(
    "3 rows.*In `g`: \"w\", \"z\"; the model knows \"u\", \"v\".*",
    "In `f`: \"r\"; the model knows \"p\", \"q\""
  )
  expect_warning(predict(model, new), lines, class = "bayesrisk_warning_unknown_level")
  new$f <- factor(new$f, c("s", "r", "q", "p"))
  expect_warning(predict(model, new), lines, class = "bayesrisk_warning_unknown_level")
  expect_warning(contributions(model, new), lines, class = "bayesrisk_warning_unknown_level")
  expect_warning(
    predict(model, new, type = "decision"), lines, class = "bayesrisk_warning_unknown_level"
  )
  expect_warning(
    predict(fit(bayes_naive(laplace = 1), y ~ g, data), as.matrix(new["g"])),
    "In `g`: \"w\", \"z\"", class = "bayesrisk_warning_unknown_level"
  )
})

test_that("remedies of impossible rows are those of the function that made the model", {
  said <- function(model, newdata) {
    rlang::cnd_message(rlang::catch_cnd(predict(model, newdata), "bayesrisk_warning_impossible"))
  }
  known <- bayes_known(
    c(a = 0.5, b = 0.5), g = rbind(a = c(u = 1, v = 0), b = c(1, 0)),
    n = likelihood_gamma(shape = c(a = 1, b = 2), rate = 1)
  )
  expect_match(said(known, data.frame(g = "v", n = 1)), "probabilities are given: without zeros")
  expect_no_match(said(known, data.frame(g = "v", n = 1)), "laplace")
  expect_match(said(known, data.frame(g = "u", n = -1)), "likelihood_gaussian")
  words <- rbind(c(1, 0, 0), c(0, 1, 0))
  colnames(words) <- c("one", "two", "three")
  for (counts in c("multinomial", "bernoulli", "poisson")) {
    model <- suppressWarnings(fit(bayes_text(counts, laplace = 0), words, c("a", "b")))
    expect_match(said(model, matrix(1, 1, 3, dimnames = list(NULL, colnames(words)))),
                 "bayes_text(laplace = 1)", fixed = TRUE)
  }
})

test_that("the warning of an impossible row names the features that rule the classes out", {
  warned <- function(model, newdata, text) {
    expect_warning(predict(model, newdata), text, class = "bayesrisk_warning_impossible")
    expect_warning(decide(model, newdata), text, class = "bayesrisk_warning_impossible")
  }
  data <- data.frame(y = rep(c("a", "b"), each = 2), g = c("u", "u", "v", "v"),
                     h = c("p", "p", "q", "q"), e = c(1, 2, 2, 3))
  third <- transform(data, g = factor(g, c("u", "v", "w")))
  warned(
    fit(bayes_naive(), y ~ g, third), data.frame(g = c("u", "w")),
    "1 row .*Row 2: impossible in every class: `g` = \"w\"[.].*laplace"
  )
  both <- fit(bayes_naive(), y ~ g + h, data)
  warned(
    both, data.frame(g = "u", h = "q"),
    "Row 1: some classes exclude `g` = \"u\", `h` = \"q\"[.].*laplace"
  )
  joint <- fit(bayes_full(), y ~ g + h, data)
  warned(
    joint, data.frame(g = "u", h = "q"),
    "Row 1: impossible in every class: the combination of `g` = \"u\", `h` = \"q\""
  )
  exact <- fit(bayes_naive(numeric = likelihood_empirical()), y ~ e, data)
  warned(
    exact, data.frame(e = c(2, 5, 7)),
    "2 rows .*Row 2: impossible in every class: `e` = 5[.].*likelihood_kernel"
  )
  # A class of prior 0 is not asked.
  expect_warning(
    predict(both, data.frame(g = "u", h = "q"), prior = c(a = 1, b = 0)),
    "Row 1: impossible in every class: `h` = \"q\"",
    class = "bayesrisk_warning_impossible"
  )
  # Threads report the same row.
  many <- data.frame(e = rep(c(2, 5), c(70000, 10)))
  expect_warning(
    predict(exact, many, threads = 2), "10 rows .*Row 70001: ",
    class = "bayesrisk_warning_impossible"
  )
})
