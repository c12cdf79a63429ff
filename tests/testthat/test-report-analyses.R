test_that("other rules are told apart by the interval of what is saved", {
  compared <- data.frame(lower = c(NA, 0.1, -1, -2), upper = c(NA, 1, 1, -0.1))
  expect_identical(page_verdict(compared), c("", "worse", "open", "better"))
})

test_that("shares of actions are those of the confusion table", {
  given <- report_given()
  assessed <- assess_decisions(given$object, given$data, given$cost)
  shown <- utils::capture.output(page_actions(assessed, "refer", page_words(assessed)))
  row <- grep("^[|]all cases", shown, value = TRUE)
  shares <- entities_unless_utf8(page_share(colSums(unclass(assessed$confusion)) / 100))
  expect_match(row, paste(shares, collapse = " *[|]"))
  referred <- shares[[match("refer", colnames(assessed$confusion))]]
  expect_true(any(grepl(paste0("^", referred, " of the cases"), shown)))
})

test_that("the verdict on probabilities follows the assessment", {
  given <- report_given()
  assessed <- assess_decisions(given$object, given$data, given$cost)
  say <- page_words(assessed)
  expect_match(page_calibration(assessed, say)[[1L]], "no reason to doubt")
  assessed$believed <- assessed$upper + 1
  expect_match(page_calibration(assessed, say)[[1L]], "too cautious")
  assessed$believed <- assessed$lower / 2
  expect_match(page_calibration(assessed, say)[[1L]], "Probably not")
  tempered <- list(power = c(0.5, 0.5))
  expect_match(page_remedy(tempered, assessed), "Remedy")
  assessed$believed <- assessed$cost
  expect_no_match(page_remedy(tempered, assessed), "Remedy")
})

test_that("the cost of what remains falls with the cases that are left to others", {
  given <- report_given()
  assessed <- assess_decisions(given$object, given$data, given$cost)
  shown <- utils::capture.output(page_left_to_others(assessed$risk_coverage, page_words(assessed)))
  cells <- strsplit(grep("^[|][0-9]", shown, value = TRUE), "|", fixed = TRUE)
  costs <- as.numeric(vapply(cells, `[[`, "", 3L))
  expect_equal(costs[[1L]], assessed$cost, tolerance = 1e-3)
  expect_false(is.unsorted(rev(costs)))
})
