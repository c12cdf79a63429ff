# Each problem is told by its seed: random_problem(seed) repeats it. BAYESRISK_FUZZ is how many
# there are; tools/fuzz.R tries more.
test_that("random data, models and costs: a valid answer or an error of ours (R15)", {
  skip_on_cran()
  seeds <- seq_len(as.integer(Sys.getenv("BAYESRISK_FUZZ", "500")))
  problems <- lapply(seeds, function(seed) worded_now_and_then(seed, random_problem(seed)))
  wrong <- lengths(problems) > 0L
  said <- sprintf("random_problem(%d): %s", seeds[wrong], vapply(problems[wrong], toString, ""))
  expect(!any(wrong), paste(utils::head(said, 20L), collapse = "\n"))
  expect_gt(mean(!vapply(problems, is.null, NA)), 0.4)
})
