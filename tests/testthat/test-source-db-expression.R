test_that("steps, sums and extremes are found in groups", {
  con <- local_database("sqlite")
  value <- function(sql) ask_rows(con, paste("SELECT", sql, "AS v"))$v
  breaks <- 1:999
  steps <- db_steps("x", breaks, as.character(0:999))
  for (x in c(-1, 0, 0.5, 1, 7, 499.5, 998, 999, 5000)) {
    found <- value(gsub("x", sprintf("%.1f", x), steps, fixed = TRUE))
    expect_equal(found, findInterval(x, breaks), info = x)
  }
  expect_identical(db_steps("x", 1:3, rep("0", 4)), "0")
  expect_identical(db_steps("x", 1:2, c("0", "0", "1")), "CASE WHEN x < 2 THEN 0 ELSE 1 END")
  expect_equal(value(db_sum(rep("1", 5000))), 5000)
  expect_identical(db_sum(character()), "0")
  expect_equal(value(db_extreme(as.character(1:1000), "MAX")), 1000)
  expect_equal(value(db_any(rep("1 = 0", 3000))), 0)
  expect_equal(value(db_any(character())), 0)
})
