test_that("Stirling's error agrees with R's gamma function", {
  con <- local_database("sqlite")
  a <- c(16, 20.5, 100, 1e4)
  exact <- lgamma(a + 1) - (0.5 * log(2 * pi * a) + a * log(a) - a)
  found <- vapply(a, function(a) {
    text <- stirling_text(plain_number(a), sql_language(sqlite_dialect))
    ask_rows(con, paste("SELECT", text, "AS v"))$v
  }, 1)
  expect_equal(found, exact, tolerance = 1e-6) # lgamma() loses the other digits
  expect_equal(gamma_error(a), found, tolerance = 1e-15)
  expect_equal(gamma_error(c(0.5, 3)), lgamma(c(1.5, 4)) -
                 (0.5 * log(2 * pi * c(0.5, 3)) + c(0.5, 3) * log(c(0.5, 3)) - c(0.5, 3)))
})
