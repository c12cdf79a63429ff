test_that("extremes and conditions of any number are found in groups", {
  con <- local_database("sqlite")
  value <- function(sql) ask_rows(con, paste("SELECT", sql, "AS v"))$v
  expect_equal(value(db_extreme(as.character(1:1000), "MAX")), 1000)
  expect_equal(value(db_any(rep("1 = 0", 3000))), 0)
  expect_equal(value(db_any(character())), 0)
})
