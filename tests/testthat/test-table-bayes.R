test_that("the lecture's classifier given as tables", {
  seen <- rbind(
    negative = c(medium = 0.2, red = 0.3, circle = 0.3),
    positive = c(medium = 0.1, red = 0.9, circle = 0.9)
  )
  result <- bayes_theorem(c(positive = .5, negative = .5), seen)
  expect_identical(result$class, factor(c("positive", "negative"), c("positive", "negative")))
  expect_within(result$score, c(81 / 2000, 9 / 1000), 1e-15)
  expect_within(sum(result$score), 99 / 2000, 1e-15)
  expect_within(result$posterior, c(9, 2) / 11, 1e-15)
  # The same by the model
  model <- bayes_known(
    c(positive = .5, negative = .5),
    size = rbind(positive = c(small = .4, medium = .1, large = .5), negative = c(.4, .2, .4)),
    colour = rbind(positive = c(red = .9, blue = .05, green = .05), negative = c(.3, .3, .4)),
    shape = rbind(positive = c(square = .05, triangle = .05, circle = .9), negative = c(.4, .3, .3))
  )
  case <- data.frame(size = "medium", colour = "red", shape = "circle")
  expect_equal(unname(predict(model, case, type = "prob")[1, ]), result$posterior)
})

test_that("one event is a vector by name; play tennis", {
  play <- bayes_theorem(
    prior = c(yes = 9 / 14, no = 5 / 14),
    likelihood = c(no = 3 / 5 * 1 / 5 * 4 / 5 * 3 / 5, yes = 2 / 9 * 3 / 9 * 3 / 9 * 3 / 9)
  )
  expect_within(play$score, c(1 / 189, 18 / 875), 1e-15)
  expect_within(play$posterior, c(125, 486) / 611, 1e-15)
})

test_that("many events do not underflow, a 0 rules a class out", {
  many <- rbind(a = rep(1e-5, 200), b = c(rep(1e-5, 199), 3e-5))
  result <- bayes_theorem(c(a = .25, b = .75), many)
  expect_identical(result$score, c(0, 0))
  expect_within(result$posterior, c(.1, .9), 1e-12)
  out <- bayes_theorem(c(a = .25, b = .75), rbind(a = c(0, 1e300), b = c(1e-300, 1)))
  expect_identical(out$posterior, c(0, 1))
  expect_identical(bayes_theorem(c(a = 0, b = 1), c(a = 5, b = 1e-9))$posterior, c(0, 1))
  expect_warning(
    none <- bayes_theorem(c(a = .5, b = .5), c(a = 0, b = 0)),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(none$posterior, c(NA_real_, NA_real_))
})

test_that("what is no prior or likelihood is said", {
  expect_refusals(
    "prior & NULL" = bayes_theorem(),
    "prior" = bayes_theorem(c(.5, .5), c(a = 1, b = 1)),
    "prior & 0.9" = bayes_theorem(c(a = .5, b = .4), c(a = 1, b = 1)),
    "likelihood & prior & a & b & c" = bayes_theorem(c(a = .5, b = .5), c(a = 1, c = 1)),
    "likelihood & 2" = bayes_theorem(c(a = .5, b = .5), c(1, 1)),
    "likelihood & 2" = bayes_theorem(c(a = .5, b = .5), c(a = -1, b = NA)),
    "prior & uniform" = bayes_theorem("uniform", c(a = 1))
  )
  fixed <- list(prior = c(a = .25, b = .75), likelihood = c(a = 2, b = 1))
  for (arg in names(fixed)) expect_fuzz_proof(bayes_theorem, arg, fixed, is.data.frame)
})
