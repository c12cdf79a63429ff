test_that("numbers have three digits and intervals their level", {
  expect_identical(
    page_number(c(0, 0.47051, 1234.5, 1e-7, 1e12, NA, Inf)),
    c("0", "0.471", "1,230", "1e-07", "1e+12", "unknown", "Inf")
  )
  expect_identical(page_share(0.0123456), "1.23\u00a0%")
  expect_identical(page_interval(1, 2.5), " (95\u00a0% interval 1 to 2.5)")
  expect_identical(page_interval(NA, 2), "")
})

test_that("gains are costs with the other sign", {
  given <- report_given()
  cost <- utility_matrix(treat = c(ill = 5, well = 0), wait = c(ill = 0, well = 2))
  assessed <- assess_decisions(given$object, given$data, cost)
  say <- page_words(assessed)
  expect_identical(say$money(-2), "2")
  expect_identical(say$between(-3, -1), " (95\u00a0% interval 1 to 3)")
  expect_identical(say$costs("Costs cost"), "Gains gain")
  expect_identical(say$least, "largest expected gain")
  plain <- page_words(assess_decisions(given$object, given$data, given$cost))
  expect_identical(plain$between(1, 3), " (95\u00a0% interval 1 to 3)")
  expect_identical(plain$costs("Costs cost"), "Costs cost")
})

test_that("names are listed, whatever markup they hold", {
  expect_identical(page_list(c("a", "b", "c")), "a, b and c")
  expect_identical(page_list("a"), "a")
  expect_identical(page_list(letters[1:5], 3L), "a, b and 3 more")
  expect_identical(page_name("a_b"), "\u2018a\\_b\u2019")
})

test_that("the model is told in words", {
  given <- report_given()
  said <- page_model(given$object)
  expect_match(said[[1L]], "2 features (\u2018x\u2019 and \u2018g\u2019) are", fixed = TRUE)
  expect_match(said[[2L]], "independent of each other")
  full <- fit(bayes_full(), y ~ x, given$data)
  expect_match(page_model(full)[[1L]], "the feature \u2018x\u2019 is distributed", fixed = TRUE)
  expect_match(page_subject(given, page_classes(given)), "of \u2018y\u2019", fixed = TRUE)
})
