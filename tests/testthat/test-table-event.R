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
  expect_snapshot({
    said(event_probability(joint))
    said(event_probability(joint, color == "red"))
    said(event_probability(joint, "gren" != colour))
    said(event_probability(joint, TRUE, given = !(shape %in% c("circle", "squares"))))
    said(event_probability(joint, shape > "circle"))
    said(event_probability(joint, 3))
    said(event_probability(joint, c(TRUE, NA)))
    said(event_probability(joint, TRUE, given = "red"))
    said(event_probability("red", TRUE))
  })
})
