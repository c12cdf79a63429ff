# Lecture "Naive Bayes Learning (after Mooney)": joint table, classifier given as tables, four
# examples, m-estimate, counts of parameters, continuous attributes. Fractions by hand.

medium_red_circle <- data.frame(size = "medium", colour = "red", shape = "circle")

mooney_things <- unique(mooney_joint[c("colour", "shape")])

mooney_bags <- function() {
  bayes_known(
    prior = c(positive = .5, negative = .5),
    size = rbind(positive = c(small = .4, medium = .1, large = .5), negative = c(.4, .2, .4)),
    colour = rbind(positive = c(red = .9, blue = .05, green = .05), negative = c(.3, .3, .4)),
    shape = rbind(
      positive = c(square = .05, triangle = .05, circle = .9), negative = c(.4, .3, .3)
    )
  )
}

test_that("axioms, conditional probability and independence on the joint table", {
  joint <- joint_table(mooney_joint)
  p <- function(event, given = NULL) event_probability(joint, {{ event }}, {{ given }})
  expect_within(sum(joint), 1, 1e-14)
  expect_true(all(joint >= 0 & joint <= 1))
  expect_identical(event_probability(joint, FALSE), 0)
  expect_within(event_probability(joint, TRUE), 1, 1e-14)
  expect_within(p(shape == "circle"), 47 / 100, 1e-14)
  expect_within(p(colour == "red" | shape == "circle"), 79 / 100, 1e-14)
  expect_within(p(colour == "red") + p(shape == "circle") - .25, .79, 1e-14)
  expect_within(p(colour == "red", shape == "circle"), 25 / 47, 1e-14)
  # Dependent, by each of the three forms: .2679, not .25.
  expect_within(p(colour == "red") * p(shape == "circle"), .2679, 1e-14)
  expect_within(p(shape == "circle", colour == "red"), 25 / 57, 1e-14)
  expect_false(any(summary(joint)$pairs$independent))
  # Independent, by each of the three forms.
  cells <- expand.grid(a = c("s", "t"), b = c("u", "v"))
  cells$probability <- c(outer(c(.3, .7), c(.4, .6)))
  expect_within(event_probability(cells, a == "s", b == "u"), .3, 1e-14)
  expect_within(event_probability(cells, b == "u", a == "s"), .4, 1e-14)
  expect_within(event_probability(cells, a == "s" & b == "u"), .12, 1e-14)
  expect_true(summary(joint_table(cells))$pairs$independent)
})

test_that("queries of the joint table", {
  joint <- joint_table(mooney_joint)
  expect_within(event_probability(joint, colour == "red" & shape == "circle"), 1 / 4, 1e-14)
  expect_within(event_probability(joint, colour == "red"), 57 / 100, 1e-14)
  expect_within(
    event_probability(joint, class == "positive", given = colour == "red" & shape == "circle"),
    4 / 5, 1e-14
  )
  expect_within(event_probability(joint, class == "positive"), 1 / 4, 1e-14)
})

test_that("the joint table as the exact and as the naive classifier", {
  joint <- joint_table(mooney_joint)
  full <- fit(bayes_full(), class ~ ., joint)
  naive <- fit(bayes_naive(), class ~ ., joint)
  positive <- function(model) predict(model, mooney_things, type = "prob")[, "positive"]
  expect_identical(
    paste(mooney_things$colour, mooney_things$shape),
    c("red circle", "red square", "blue circle", "blue square")
  )
  expect_within(positive(full), c(4 / 5, 1 / 16, 1 / 11, 1 / 21), 1e-14)
  expect_within(positive(naive)[[1]], 1452 / 2327, 1e-14)
  expect_within(positive(naive), c(.623979, .101643, .165275, .013320), 5e-7, scale = 1)
  decisions <- c("positive", "negative", "negative", "negative")
  expect_identical(as.character(predict(full, mooney_things)), decisions)
  expect_identical(as.character(predict(naive, mooney_things)), decisions)
  expect_within(bayes_risk(full)$total, 1 / 10, 1e-14)
  expect_within(bayes_risk(full, rule = naive)$total, 1 / 10, 1e-14)
  expect_within(bayes_risk(full, rule = "prior")$total, 1 / 4, 1e-14)
})

test_that("the classifier given as tables: a medium red circle", {
  bags <- mooney_bags()
  score <- exp(predict(bags, medium_red_circle, type = "log_joint"))
  expect_within(score, c(81 / 2000, 9 / 1000), 1e-14)
  expect_within(exp(predict(bags, medium_red_circle, type = "log_evidence")), 99 / 2000, 1e-14)
  posterior <- predict(bags, medium_red_circle, type = "prob")
  expect_within(posterior, c(9 / 11, 2 / 11), 1e-14)
  # .8182: the slide's .8181 is cut off.
  expect_identical(round(c(posterior), 4), c(.8182, .1818))
  by_hand <- bayes_theorem(
    c(positive = .5, negative = .5), rbind(positive = c(.1, .9, .9), negative = c(.2, .3, .3))
  )
  expect_within(by_hand$score, c(.0405, .009), 1e-14)
  expect_within(by_hand$posterior, c(9 / 11, 2 / 11), 1e-14)
})

test_that("the classifier given as tables: all 27 things", {
  bags <- mooney_bags()
  every <- expand.grid(lapply(coef(bags)[-1], colnames), stringsAsFactors = FALSE)
  positive <- every[predict(bags, every) == "positive", ]
  expect_identical(nrow(every), 27L)
  expect_identical(nrow(positive), 3L)
  expect_identical(unique(paste(positive$colour, positive$shape)), "red circle")
  expect_within(bayes_risk(bags)$total, .14, 1e-14)
  for (table in coef(bags)[-1]) expect_within(rowSums(table), c(1, 1), 1e-14)
})

test_that("four examples: the tables, and a value that no class has shown", {
  model <- fit(bayes_naive(), class ~ ., mooney_shapes)
  expect_identical(unname(coef(model)$prior), c(.5, .5))
  expect_identical(c(coef(model)$size), c(.5, .5, 0, 0, .5, .5))
  expect_identical(c(coef(model)$colour), c(1, .5, 0, .5, 0, 0))
  expect_identical(c(coef(model)$shape), c(0, 0, 0, .5, 1, .5))
  expect_identical(c(exp(predict(model, medium_red_circle, type = "log_joint"))), c(0, 0))
  # 0/0 is undefined, not 0 for every class.
  expect_warning(
    posterior <- predict(model, medium_red_circle, type = "prob"),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(c(posterior), c(NA_real_, NA_real_))
  expect_warning(
    decision <- predict(model, medium_red_circle), class = "bayesrisk_warning_impossible"
  )
  expect_identical(as.character(decision), NA_character_)
  # Impossible in one class only: the other is certain.
  blue <- data.frame(size = "large", colour = "blue", shape = "circle")
  expect_identical(c(predict(model, blue, type = "prob")), c(0, 1))
})

test_that("three kinds of unseen values: in one class, in every class, not declared", {
  model <- fit(bayes_naive(), class ~ ., mooney_shapes)
  circle <- function(colour) data.frame(size = "large", colour = colour, shape = "circle")
  expect_identical(c(predict(model, circle("blue"), type = "prob")), c(0, 1))
  expect_warning(
    never <- predict(model, circle("green"), type = "prob"), class = "bayesrisk_warning_impossible"
  )
  expect_identical(c(never), c(NA_real_, NA_real_))
  expect_warning(
    foreign <- predict(model, circle("purple"), type = "prob"),
    class = "bayesrisk_warning_unknown_level"
  )
  # As without a colour: .5 * .5 * 1 against .5 * .5 * .5.
  expect_within(foreign, c(2, 1) / 3, 1e-14)
  expect_identical(foreign, predict(model, circle(NA), type = "prob"))
  # Smoothing cures the first two.
  smooth <- update(model, laplace = 1)
  expect_within(predict(smooth, circle("blue"), type = "prob"), c(3, 4) / 7, 1e-14)
  expect_within(predict(smooth, circle("green"), type = "prob"), c(3, 2) / 5, 1e-14)
})

test_that("four examples with the m-estimate", {
  smooth <- function(m) {
    likelihood <- likelihood_categorical(m = m, p = 1 / 3)
    fit(bayes_naive(categorical = likelihood), class ~ ., mooney_shapes)
  }
  score <- exp(predict(smooth(1), medium_red_circle, type = "log_joint"))
  expect_within(score, c(49 / 1458, 16 / 1458), 1e-14)
  posterior <- function(model) predict(model, medium_red_circle, type = "prob")[[1]]
  expect_within(posterior(smooth(1)), 49 / 65, 1e-14)
  expect_within(posterior(smooth(1)), .753846, 5e-7, scale = 1)
  expect_within(posterior(smooth(3)), 9 / 13, 1e-14)
  expect_within(posterior(smooth(3)), .692308, 5e-7, scale = 1)
  laplace <- fit(bayes_naive(laplace = 1), class ~ ., mooney_shapes)
  expect_within(posterior(laplace), 9 / 13, 1e-14)
})

test_that("the m-estimate of ten positive examples, and Laplace", {
  ten <- data.frame(
    size = factor(rep(c("small", "large"), c(4, 6)), c("small", "medium", "large")),
    class = factor("positive")
  )
  estimate <- function(...) {
    likelihood <- likelihood_categorical(...)
    coef(one_class(fit(bayes_naive(categorical = likelihood), class ~ size, ten)))$size
  }
  m_estimate <- estimate(m = 1, p = 1 / 3)
  expect_identical(colnames(m_estimate), c("small", "medium", "large"))
  expect_within(m_estimate, c(13, 1, 19) / 33, 1e-14)
  expect_within(m_estimate, c(.393939, .030303, .575758), 5e-7, scale = 1)
  expect_within(sum(m_estimate), 1, 1e-14)
  expect_within(estimate(m = 3, p = 1 / 3), c(5, 1, 7) / 13, 1e-14)
  expect_within(estimate(laplace = 1), c(5, 1, 7) / 13, 1e-14)
  # A binary feature: p is one half.
  binary <- data.frame(x = rep(c(TRUE, FALSE), c(7, 3)), y = "a")
  likelihood <- likelihood_categorical(m = 2, p = .5)
  model <- one_class(fit(bayes_naive(categorical = likelihood), y ~ x, binary))
  expect_within(coef(model)$x[1, c("TRUE", "FALSE")], c(8, 4) / 12, 1e-14)
})

test_that("counts of free numbers with n binary features", {
  numbers <- function(spec, n) {
    cells <- expand.grid(rep(list(c("false", "true")), n + 1))
    names(cells) <- c(letters[seq_len(n)], "y")
    joint <- joint_table(transform(cells, probability = 1 / nrow(cells)))
    model <- fit(spec, y ~ ., joint)
    c(free = attr(logLik(model), "df"), conditional = sum(lengths(coef(model)[-1])) / 2)
  }
  # The joint distribution of n = 3: 2^4 - 1 numbers, of which P(X | Y) has 2 (2^3 - 1) free.
  expect_identical(numbers(bayes_full(), 3), c(free = 15, conditional = 8))
  # Naive: 2n and the prior.
  expect_identical(numbers(bayes_naive(), 3), c(free = 7, conditional = 6))
  expect_identical(numbers(bayes_full(), 5)[["free"]], 63)
  expect_identical(numbers(bayes_naive(), 5)[["free"]], 11)
})

test_that("continuous attributes: the log score is the sum of both kinds", {
  measured <- data.frame(
    diameter = c(4.1, 5.0, 4.6, 5.5, 7.2, 6.1, 8.4, 5.8, 6.9),
    colour = c("red", "red", "red", "blue", "red", "blue", "green", "green", "blue"),
    class = factor(rep(c("positive", "negative"), c(4, 5)), c("positive", "negative"))
  )
  new <- data.frame(diameter = 5.6, colour = "red")
  # Means 24/5, 172/25; variances 53/150, 1047/1000 (divided by n - 1).
  squares <- (5.6 - c(4.8, 6.88))^2
  gaussian <- function(variance) -log(2 * pi * variance) / 2 - squares / (2 * variance)
  rest <- log(c(4 / 9, 5 / 9)) + log(c(4 / 7, 2 / 8))
  model <- fit(bayes_naive(laplace = 1), class ~ ., measured)
  expect_within(coef(model)$diameter[, "mean"], c(24 / 5, 172 / 25), 1e-14)
  expect_within(
    predict(model, new, type = "log_joint"), rest + gaussian(c(53 / 150, 1.047)), 1e-14
  )
  expect_within(
    predict(update(model, variance = "ml"), new, type = "log_joint"),
    rest + gaussian(c(53 / 200, .8376)), 1e-14
  )
})

test_that("comments: conjunctions can be learned, parity cannot", {
  three <- expand.grid(a = c(TRUE, FALSE), b = c(TRUE, FALSE), c = c(TRUE, FALSE))
  right <- function(class) sum(predict(fit_xy(bayes_naive(), three, class), three) == class)
  expect_identical(right(with(three, a & b & c)), 8L)
  expect_identical(right(with(three, xor(xor(a, b), c))), 4L)
})
