test_that("events, one given another: the lecture's queries", {
  joint <- joint_table(mooney_cells())
  expect_within(event_probability(joint, colour == "red" & shape == "circle"), 1 / 4, 1e-15)
  expect_within(event_probability(joint, colour == "red"), 57 / 100, 1e-15)
  given <- event_probability(
    joint, class == "positive", given = colour == "red" & shape == "circle"
  )
  expect_within(given, 4 / 5, 1e-15)
  expect_within(event_probability(joint, class == "positive"), 1 / 4, 1e-15)
  expect_within(event_probability(joint, shape == "circle"), 47 / 100, 1e-15)
  expect_within(event_probability(joint, colour == "red" | shape == "circle"), 79 / 100, 1e-15)
})

test_that("any table, a variable of the caller, no condition", {
  which <- "Male"
  expect_equal(
    event_probability(UCBAdmissions, Admit == "Admitted", given = Gender == which),
    sum(UCBAdmissions["Admitted", "Male", ]) / sum(UCBAdmissions[, "Male", ])
  )
  expect_equal(event_probability(mooney_cells(), TRUE), 1)
  expect_equal(event_probability(mooney_cells(), TRUE, NULL), 1)
})

test_that("given the impossible nothing is known", {
  expect_warning(
    p <- event_probability(mooney_cells(), TRUE, given = colour == "red" & colour == "blue"),
    class = "bayesrisk_warning_impossible"
  )
  expect_identical(p, NA_real_)
})

test_that("what is no event is said", {
  joint <- joint_table(mooney_cells())
  expect_refusals(
    "event" = event_probability(joint),
    "event & color & colour" = event_probability(joint, color == "red"),
    "event & gren" = event_probability(joint, "gren" != colour),
    "given & squares" =
      event_probability(joint, TRUE, given = !(shape %in% c("circle", "squares"))),
    "event & shape" = event_probability(joint, shape > "circle"),
    "event & 3" = event_probability(joint, 3),
    "event & logical" = event_probability(joint, c(TRUE, NA)),
    "given & red" = event_probability(joint, TRUE, given = "red"),
    "joint" = event_probability("red", TRUE)
  )
})

test_that("values that are numbers are numbers: two dice", {
  # Lecture "Bayesian Learning" (Galili, Shamir, Yakhini): the sum of two dice.
  dice <- joint_table(matrix(1 / 36, 6, 6))
  expect_within(event_probability(dice, first + second == 7), 6 / 36, 1e-15)
  expect_within(event_probability(dice, first == 6, given = first + second >= 10), 1 / 2, 1e-15)
  expect_within(event_probability(dice, (first * second) %% 2 == 0), 3 / 4, 1e-15)
  expect_within(event_probability(matrix(1, 6, 6), abs(first - second) == 1), 10 / 36, 1e-15)
  # Comparisons with text, as for factors.
  expect_within(event_probability(dice, first == "3" | second %in% c("1", "2")), 16 / 36, 1e-15)
  expect_bayesrisk_error(event_probability(dice, first == "7"), "argument", "none of its levels")
  expect_bayesrisk_error(event_probability(dice, third == 7), "argument", "first \\(numbers\\)")
})

test_that("numbers that R writes in another form stay as they are written", {
  income <- joint_table(data.frame(income = c(100000L, 250000L), n = c(1, 3)))
  expect_within(event_probability(income, income > 150000), 3 / 4, 1e-15)
  expect_within(event_probability(income, income == "100000"), 1 / 4, 1e-15)
  padded <- joint_table(data.frame(code = c("01", "02"), n = c(1, 3)))
  expect_within(event_probability(padded, code == "01"), 1 / 4, 1e-15)
  expect_bayesrisk_error(event_probability(padded, code + 1 == 2), "argument", "code \\(factor\\)")
  mixed <- joint_table(data.frame(size = c("1", "large"), n = c(1, 3)))
  expect_within(event_probability(mixed, size == "large"), 3 / 4, 1e-15)
})
