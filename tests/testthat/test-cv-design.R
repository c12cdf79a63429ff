numbered <- list(
  response = "y", classes = list(levels = c("a", "b"), type = "factor"),
  features = list(
    x = new_feature("x", "double", NULL), g = new_feature("g", "factor", c("u", "v", "w")),
    z = new_feature("z", "double", NULL), h = new_feature("h", "factor", c("s", "t"))
  )
)
plan_of <- function(spec, features) {
  plan_candidate(spec, features, list(schema = numbered, class_rows = c(4, 4)), NULL)
}

test_that("candidates are named by the list that has names", {
  f <- y ~ x
  expect_named(read_candidates(bayes_full(), f, NULL, NULL), "full")
  expect_named(read_candidates(bayes_full(), list(p = f, q = f), NULL, NULL), c("p", "q"))
  expect_named(read_candidates(list(r = bayes_full()), f, NULL, NULL), "r")
  specs <- list(a = bayes_full(), b = bayes_naive())
  both <- read_candidates(specs, list(b = y ~ z, a = f), NULL, NULL)
  expect_identical(both$b, list(spec = bayes_naive(), formula = y ~ z))
})

test_that("a candidate's features are numbered as those of all", {
  plan <- plan_of(bayes_naive(laplace = 2), c("z", "h"))
  expect_identical(lapply(plan$banks, `[[`, "features"), list(3L, 4L))
  expect_identical(plan$options[[2]]$pseudo_count, c(2, 2))
  expect_identical(plan$prior, numeric())
  expect_true(plan_of(bayes_naive(prior = "uniform"), "x")$uniform)
  expect_identical(plan_of(bayes_naive(prior = c(b = .3, a = .7)), "x")$prior, c(.7, .3))
})

test_that("single features share a bank, joint blocks only with their equals", {
  plans <- list(
    plan_of(bayes_naive(), c("x", "g", "z", "h")), plan_of(bayes_naive(laplace = 1), c("h", "z")),
    plan_of(bayes_full(), c("x", "g", "z", "h")), plan_of(bayes_full(shrinkage = .5), c("x", "z")),
    plan_of(bayes_full(), c("z", "x"))
  )
  shared <- share_banks(plans)
  expect_identical(
    lapply(shared, `[`, c("type", "features")),
    list(
      list(type = "categorical", features = c(2L, 4L)),
      list(type = "gaussian", features = c(1L, 3L)),
      list(type = "multivariate_gaussian", features = c(1L, 3L)),
      list(type = "joint_table", features = c(2L, 4L)),
      list(type = "multivariate_gaussian", features = c(3L, 1L))
    )
  )
  expect_identical(shared[[1]]$levels, 3:2)
  expect_identical(place_banks(shared, plans[[1]]$banks), c(1L, 0L, -1L, -1L, -1L))
  expect_identical(place_banks(shared, plans[[3]]$banks), c(-1L, -1L, 0L, 1L, -1L))
  expect_identical(place_banks(shared, plans[[5]]$banks), c(-1L, -1L, -1L, -1L, 0L))
})

test_that("a candidate without features is the prior", {
  expect_identical(
    cv_risk(bayes_naive(), y ~ 1, data.frame(y = rep(c("a", "b"), c(6, 4))), folds = 10)$error, 0.4
  )
  both <- cv_risk(
    list(prior = bayes_naive(), petal = bayes_naive()),
    list(prior = Species ~ 1, petal = Species ~ log(Petal.Width)), iris, folds = rep(1:5, 30)
  )
  expect_equal(both$error[[1]], 2 / 3)
})

test_that("functions of columns are found where their formula was written", {
  local_formula <- function() {
    halve <- function(x) x / 2
    Species ~ halve(Petal.Width)
  }
  result <- cv_risk(
    bayes_naive(), list(own = local_formula(), plain = Species ~ Petal.Width), iris,
    folds = rep(1:5, 30)
  )
  expect_identical(result$cost[[1]], result$cost[[2]])
})

test_that("a damaged class or feature is an error of the data", {
  damaged <- structure(c(1L, 2L, 9L, 1L, 2L, 1L), levels = c("a", "b"), class = "factor")
  data <- data.frame(y = damaged, x = 1:6)
  expect_bayesrisk_error(cv_risk(bayes_naive(), y ~ x, data, folds = 2), "data", "damaged factor")
  data <- data.frame(y = rep(c("a", "b"), 3), g = damaged)
  expect_bayesrisk_error(cv_risk(bayes_naive(), y ~ g, data, folds = 2), "data", "damaged")
  expect_bayesrisk_error(
    cv_risk(bayes_naive(), y ~ g, data.frame(y = c("a", NA, "b", "a"), g = 1), folds = 2), "data",
    "missing in 1 row"
  )
})

test_that("a damaged design is an error, not a crash", {
  candidates <- read_candidates(bayes_full(laplace = 1), play ~ ., NULL, NULL)
  none <- list(weights = rlang::quo(NULL), subset = rlang::quo(NULL))
  read <- read_cv_cases(candidates, play_tennis, none, "na.pass", 1L, NULL)
  folds <- read_folds(3, TRUE, read$group, 14, NULL)
  design <- new_cv_design(candidates, read, folds, NULL)
  broken <- function(...) cross_posterior_cpp(replace(design, names(list(...)), list(...)), 1L)
  expect_error(broken(fold = rep(4L, 14)), "fold: no such code")
  expect_error(broken(fold = 1:3), "wrong length")
  expect_error(broken(group = rep(3L, 14)), "group: no such code")
  expect_error(broken(weight = 1), "wrong length")
  expect_error(broken(classes = 0L), "no classes")
  candidate <- design$candidates[[1]]
  candidate$banks[[1]]$levels <- c(2L, 3L, 2L, 2L)
  expect_error(broken(candidates = list(candidate)), "levels|place")
})

test_that("features and class in place of the formula: the error shows a call that works", {
  mail <- mails()
  x <- mail$words
  y <- mail$y
  numbers <- cbind(u = mail$size, v = seq_along(y))
  for (x in list(list(words = x), x, mail["size"], numbers, dense(x))) {
    spec <- if (is.data.frame(x) || ncol(as.matrix(x)) == 2L) bayes_naive() else bayes_text()
    caught <- rlang::catch_cnd(cv_risk(spec, x, y), "bayesrisk_error_argument")
    right <- sub(".*Write `(.*)`.*", "\\1", gsub("\\s+", " ", conditionMessage(caught)))
    expect_match(right, "y ~ [.]")
    set.seed(1)
    expect_no_error(suppressWarnings(eval(parse(text = right))))
  }
  x <- mail$words
  model <- fit(bayes_text(), x, y)
  expect_bayesrisk_error(temper(model, x, y), "argument", "without a formula(.|\n)*temper = TRUE")
  expect_no_error(fit(bayes_text(temper = TRUE), x, y))
})

test_that("drawn folds are of one size and hold every class in proportion", {
  codes <- rep(c(1L, 2L, 3L, NA), c(101, 52, 7, 5))[c(165:1)]
  drawn <- withr::with_seed(4, read_folds(5, TRUE, codes, 160, NULL))
  expect_identical(is.na(drawn$of), is.na(codes))
  expect_true(all(table(drawn$of) == 32))
  by_class <- table(codes, drawn$of)
  expect_true(all(apply(by_class, 1, function(n) diff(range(n))) <= 1))
  plain <- withr::with_seed(4, read_folds(5, FALSE, codes, 160, NULL))
  expect_true(all(table(plain$of) == 32))
})

test_that("folds follow set.seed(), and nothing else of R's generator", {
  draw_once <- function(seed) {
    withr::with_seed(seed, read_folds(10, TRUE, rep(1:2, 50), 100, NULL)$of)
  }
  expect_identical(draw_once(1), draw_once(1))
  expect_false(identical(draw_once(1), draw_once(2)))
  before <- withr::with_seed(1, {
    read_folds(100, TRUE, rep(1:2, 50), 100, NULL)
    read_folds(rep(1:2, 50), TRUE, rep(1:2, 50), 100, NULL)
    stats::runif(1)
  })
  expect_identical(before, withr::with_seed(1, stats::runif(1)))
})

test_that("every assignment is as likely as any other", {
  # Two classes of 4 and 2 in 2 folds: 6 * 2 assignments.
  codes <- c(1L, 1L, 2L, 1L, 2L, 1L)
  drawn <- withr::with_seed(9, replicate(6000, {
    paste(read_folds(2, TRUE, codes, 6, NULL)$of, collapse = "")
  }))
  expect_identical(length(unique(drawn)), 12L)
  expect_gt(stats::chisq.test(table(drawn))$p.value, 1e-4)
})

test_that("as many folds as rows leave out one by one, whatever the seed", {
  loo <- read_folds(4, TRUE, c(2L, NA, 1L, 1L, 2L), 4, NULL)
  expect_identical(loo$of, c(1L, NA, 2L, 3L, 4L))
})

test_that("given folds are matched by value", {
  read <- function(folds) read_folds(folds, TRUE, rep(1L, 4), 4, NULL)
  expect_identical(read(c("b", "a", "b", "c"))$of, c(2L, 1L, 2L, 3L))
  expect_identical(read(c(10, 9, 9, 10))$labels, c("9", "10"))
  expect_identical(read(c(TRUE, FALSE, FALSE, TRUE))$of, c(2L, 1L, 1L, 2L))
  unused <- read(factor(c("x", "y", "y", "x"), c("z", "y", "x")))
  expect_identical(unused$of, c(2L, 1L, 1L, 2L))
  expect_identical(unused$labels, c("y", "x"))
  left_out <- read_folds(c(1, NA, 2, 2), TRUE, c(1L, NA, 1L, 1L), 3, NULL)
  expect_identical(left_out$of, c(1L, NA, 2L, 2L))
})

test_that("folds that cannot be are said", {
  run <- function(folds, data = iris, ...) {
    cv_risk(bayes_naive(), Species ~ ., data, folds = folds, ...)
  }
  expect_refusals(
    "folds & 1" = run(1),
    "folds & 151" = run(151),
    "folds & 2.5" = run(2.5),
    "folds & 150 & 3" = run(1:3),
    "folds" = run(rep(1, 150)),
    "folds & 1 row" = run(c(NA, rep(1:2, length.out = 149))),
    "stratify & NA" = run(10, stratify = NA),
    "folds & 10002" =
      cv_risk(bayes_naive(), y ~ x, data.frame(y = rep(1:2, 5001), x = 1:10002), folds = 10002),
    "folds & 10002" = cv_risk(
      bayes_naive(), y ~ x, data.frame(y = rep(1:2, 5001), x = 1:10002), folds = 1:10002
    )
  )
  expect_refusals(
    .kind = "data",
    "Folds & 1" = run(10, iris[1, ])
  )
})
