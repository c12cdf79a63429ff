specs <- list(
  bayes_naive(laplace = 1, prior = c(a = 0.4, b = 0.6)),
  bayes_full(covariance = "pooled", prior = "uniform"),
  bayes_blocks(list(one = c("x", "z")), features = list(n = likelihood_poisson()), shrinkage = 0.5)
)

test_that("specifications are sound as they are made", {
  for (spec in specs) expect_identical(check_spec(spec, NULL), spec)
  expect_true(is_sound_spec(bayes_known(c(a = 1), n = likelihood_poisson(c(a = 1)))$spec))
})

test_that("what a constructor made is known, a changed specification is checked", {
  first <- bayes_naive(laplace = 2)
  expect_true(is_marked(first, "specification"))
  broken <- replace(first, "degenerate", "none")
  for (i in 1:2) expect_bayesrisk_error(check_spec(broken, NULL), "argument", "specification")
  other <- check_spec(update(first, laplace = 3), NULL)
  expect_identical(other$categorical$laplace, 3)
})

test_that("blocks all of whose features were dropped leave a sound specification", {
  spec <- bayes_blocks(list(c("x", "z")), shrinkage = 0.5)
  model <- update(fit(spec, y ~ x + z + g, mixed()), . ~ . - x - z)
  expect_null(model_problem(model))
  expect_identical(update(model, prior = "uniform")$spec$prior, "uniform")
})

test_that("a part that is gone or does not fit is found", {
  skip_on_cran()
  wrong <- list(
    structure = list("wide", 1, list("naive")),
    blocks = list(list("x"), list(a = "x", b = "x"), list(a = 1), NULL),
    categorical = list(likelihood_gaussian(), 1), numeric = list(
      likelihood_categorical(), likelihood_gaussian(mean = c(a = 1), sd = 1), NULL
    ),
    features = list(list(likelihood_kernel()), list(x = 1), 1), covariance = list("none", NA),
    joint = list(1, likelihood_gaussian(), list(), likelihood_kernel()),
    shrinkage = list(2, NA_real_, 1L, c(0, 0)), identity = list(-0.1, 1.1, NA_real_, 1L, NULL),
    prior = list("even", c(0.5, 0.4), c(a = 0.5, a = 0.5))
  )
  for (part in names(wrong)) {
    for (value in wrong[[part]]) {
      broken <- unclass(specs[[1L]])
      broken[part] <- list(value)
      class(broken) <- "bayesrisk_spec"
      expect_false(is_sound_spec(broken))
      expect_bayesrisk_error(check_spec(broken, NULL), "argument", "object.*specification")
    }
  }
  both <- specs[[2L]]
  both$shrinkage <- 0.5
  expect_false(is_sound_spec(both))
})

test_that("the code for each group has the keys as a formula takes them", {
  data <- data.frame(
    y = rep(c("a", "b"), 20), x = sin(1:40), size = 1:40, `a b` = rep(1:2, each = 2),
    check.names = FALSE
  )
  models <- fit(bayes_naive(), y ~ x, data, by = c(size > 20, `a b`, cut(size, c(0, 10, 40))))
  error <- expect_bayesrisk_error(cv_risk(models, y ~ x, data), "argument", "For each group")
  said <- gsub("[[:space:]]+", " ", cli::ansi_strip(conditionMessage(error)))
  keys <- sub(".*split\\(data, (.*)\\), function.*", "\\1", said)
  expect_identical(keys, "~ I(size > 20) + `a b` + cut(size, c(0, 10, 40))")
  rows <- split(data, eval(parse(text = keys)), drop = TRUE)
  expect_identical(unname(sort(lengths(lapply(rows, `[[`, "y")))), rep(c(4L, 6L, 10L), each = 2))
})
