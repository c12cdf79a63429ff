believed <- function(n = 300L) {
  withr::local_seed(3)
  eta <- matrix(stats::rnorm(3 * n, sd = 2), n)
  p <- exp(eta) / rowSums(exp(eta))
  truth <- apply(exp(0.4 * eta), 1L, function(w) sample(c("a", "b", "c"), 1L, prob = w))
  # Too sure: the exponent 2 is to be found as 0.2.
  sure <- exp(2 * eta) / rowSums(exp(2 * eta))
  colnames(sure) <- c("a", "b", "c")
  list(p = sure, truth = truth)
}

test_that("the temperature minimises the log loss", {
  with <- believed()
  truth <- match(with$truth, c("a", "b", "c"))
  loss <- function(t) {
    q <- with$p^t / rowSums(with$p^t)
    -mean(log(q[cbind(seq_along(truth), truth)]))
  }
  found <- temper(with$p, with$truth)
  best <- optimize(loss, c(0, 2), tol = 1e-10)
  expect_equal(unique(as.data.frame(found)$power), best$minimum, tolerance = 1e-6)
  expect_equal(found$loss, c(loss(1), best$objective), tolerance = 1e-10)
  t <- best$minimum
  expect_equal(predict(found, with$p), with$p^t / rowSums(with$p^t), tolerance = 1e-6)
  cost <- zero_one_cost(c("a", "b", "c"), reject = 0.4)
  expect_identical(decide(found, with$p, cost), decide(predict(found, with$p), cost))
})

test_that("vector scaling is a multinomial regression on the logarithms", {
  skip_on_cran()
  skip_if_not_installed("nnet")
  with <- believed()
  found <- temper(with$p, with$truth, method = "vector", penalty = 0)
  expect_lt(found$loss[[2L]], temper(with$p, with$truth)$loss[[2L]])
  log_p <- log(with$p)
  objective <- function(theta) {
    joint <- log_p * rep(theta[1:3], each = 300) + rep(c(0, theta[4:5]), each = 300)
    joint <- joint - apply(joint, 1L, max)
    mean(log(rowSums(exp(joint))) - joint[cbind(1:300, match(with$truth, c("a", "b", "c")))])
  }
  best <- optim(c(0.5, 0.5, 0.5, 0, 0), objective, method = "BFGS",
                control = list(reltol = 1e-14, maxit = 1000))
  expect_lte(found$loss[[2L]], best$value + 1e-9)
})

# Weighted isotonic regression by its closed form (Robertson, Wright and Dykstra 1988).
rising_means <- function(y, w) {
  vapply(seq_along(y), function(i) {
    max(vapply(seq_len(i), function(a) {
      min(vapply(i:length(y), function(b) stats::weighted.mean(y[a:b], w[a:b]), 1))
    }, 1))
  }, 1)
}

test_that("isotonic regression is that of isoreg(), with half cases; weights are frequencies", {
  withr::local_seed(2)
  p <- stats::runif(200)
  truth <- ifelse(stats::runif(200) < p^2, "yes", "no")
  posterior <- cbind(no = 1 - p, yes = p)
  found <- temper(posterior, truth, method = "isotonic")
  reference <- stats::isoreg(p, truth == "yes")
  level <- cumsum(!duplicated(round(stats::as.stepfun(reference)(sort(p)), 12)))
  n <- as.vector(table(level))
  ones <- as.vector(tapply(truth[order(p)] == "yes", level, sum))
  fitted <- rising_means((ones + 0.5) / (n + 1), n + 1)[level]
  expect_equal(predict(found, posterior)[order(p), "yes"], fitted)
  expect_true(all(fitted > 0 & fitted < 1))
  weights <- sample(0:3, 200, TRUE)
  often <- rep(1:200, weights)
  expect_equal(
    as.data.frame(temper(posterior, truth, method = "isotonic", weights = weights)),
    as.data.frame(temper(posterior[often, ], truth[often], method = "isotonic"))
  )
})

test_that("isotonic regression of several classes: one against the others, then the sum is 1", {
  with <- believed()
  found <- temper(with$p, with$truth, method = "isotonic")
  alone <- vapply(colnames(with$p), function(class) {
    own <- with$p[, class]
    of_class <- temper(
      cbind(other = 1 - own, own = own), ifelse(with$truth == class, "own", "other"),
      method = "isotonic"
    )
    predict(of_class, cbind(other = 1 - own, own = own))[, "own"]
  }, with$p[, 1L])
  new <- predict(found, with$p)
  expect_equal(unname(new), unname(alone / rowSums(alone)), tolerance = 1e-12)
  expect_equal(unname(rowSums(new)), rep(1, nrow(new)))
  expect_true(all(new > 0 & new < 1))
  open <- cbind(a = NA_real_, b = NA_real_, c = NA_real_)
  expect_identical(predict(found, open)[1, "b"], c(b = NA_real_))
  expect_setequal(as.data.frame(found)$class, c("a", "b", "c"))
  expect_output(print(found), "a rising function for each class")
  # What was learned helps new cases of the same kind.
  half <- 1:150
  learned <- temper(with$p[half, ], with$truth[half], method = "isotonic")
  loss <- function(p) {
    -mean(log(p[cbind(seq_len(150), match(with$truth[-half], colnames(p)))]))
  }
  expect_lt(loss(predict(learned, with$p[-half, ])), loss(with$p[-half, ]))
  found$knots <- found$knots[1:2]
  expect_error(predict(found, with$p), class = "bayesrisk_error_object")
})

test_that("bad arguments are errors, and hopeless cases are left out", {
  with <- believed()
  expect_error(temper(with$p), "truth", class = "bayesrisk_error_argument")
  expect_error(temper(with$p, with$truth[-1L]), class = "bayesrisk_error_argument")
  expect_error(temper(with$p * 2, with$truth), class = "bayesrisk_error_argument")
  expect_error(temper(with$p, with$truth, method = "platt"), class = "bayesrisk_error_argument")
  calibration <- temper(with$p, with$truth)
  expect_error(predict(calibration), class = "bayesrisk_error_argument")
  expect_error(predict(calibration, with$p[, 1:2]), class = "bayesrisk_error_argument")
  calibration$power <- NULL
  expect_error(predict(calibration, with$p), class = "bayesrisk_error_object")
  p <- rbind(with$p, c(1, 0, 0))
  expect_warning(
    found <- temper(p, c(with$truth, "b")), "1 case .* posterior of 0 of the true class",
    class = "bayesrisk_warning_fold"
  )
  expect_equal(found$cases, 300)
  two <- cbind(no = c(0.9, 0.2, NA), yes = c(0.1, 0.8, NA))
  expect_warning(
    temper(two, c("no", "yes", "no"), "isotonic"), "1 case without a posterior: left out",
    class = "bayesrisk_warning_fold"
  )
  expect_error(
    temper(two[1:2, ], c("no", NA), "isotonic", weights = 0:1), "no case",
    class = "bayesrisk_error_argument"
  )
  error <- expect_error(temper(unname(with$p), with$truth), class = "bayesrisk_error_argument")
  expect_no_match(conditionMessage(error), "in the rows")
  expect_error(decide(calibration, cost = zero_one_cost(c("a", "b", "c"))), "`newdata` is missing",
               class = "bayesrisk_error_argument")
})

test_that("posteriors that exponents can separate stay, and so does their log loss", {
  p <- cbind(a = c(0.9, 0.8, 0.3), b = c(0.1, 0.2, 0.7))
  for (method in c("temperature", "vector")) {
    expect_warning(
      kept <- temper(p, c("a", "a", "b"), method), class = "bayesrisk_warning_separated"
    )
    expect_equal(kept$loss, rep(-mean(log(c(0.9, 0.8, 0.7))), 2), tolerance = 1e-12)
    expect_equal(predict(kept, p), p, tolerance = 1e-15)
  }
})

test_that("a cost of other classes is an error of the cost", {
  posterior <- cbind(a = c(0.2, 0.7, 0.4), b = c(0.8, 0.3, 0.6))
  calibration <- temper(posterior, c("b", "a", "a"))
  other <- cost_matrix(x = c(p = 0, q = 1), y = c(p = 1, q = 0))
  expect_bayesrisk_error(decide(calibration, posterior, other), "argument", "`cost` must name")
  own <- cost_matrix(x = c(a = 0, b = 1), y = c(a = 1, b = 0))
  expect_identical(
    decide(calibration, posterior, own), decide(predict(calibration, posterior), own)
  )
  colnames(posterior) <- c("p", "q")
  expect_bayesrisk_error(decide(calibration, posterior, own), "argument", "`newdata`")
})

test_that("weights near 0 are an error, and their unit does not matter above", {
  model <- fit(bayes_naive(), am ~ hp + wt, mtcars)
  posterior <- predict(model, mtcars, type = "prob")
  power <- function(weight) temper(posterior, mtcars$am, weights = rep(weight, 32))$power
  expect_within(power(1e-7), power(1), 1e-4)
  for (weight in c(1e-9, 1e-100, 1e-320)) {
    expect_bayesrisk_error(power(weight), "argument", "`weights` add up to")
  }
  expect_bayesrisk_error(
    temper(model, mtcars, folds = 3, weights = rep(1e-12, 32)), "argument", "`weights` add up to"
  )
})

test_that("equal posteriors are one case of isotonic calibration, in any order of rows", {
  p <- rep(c(0.1, 0.2, 0.3), each = 10)
  ones <- c(1, 3, 6)
  fitted <- function(order) {
    y <- unlist(lapply(ones, function(n) rep(c(1, 0), c(n, 10 - n))))
    posterior <- cbind(no = 1 - p, yes = p)[order, ]
    learned <- temper(posterior, factor(c("no", "yes")[y + 1])[order], "isotonic")
    unname(predict(learned, cbind(no = c(0.9, 0.8, 0.7), yes = c(0.1, 0.2, 0.3)))[, "yes"])
  }
  # Each level set has half a case of either kind added.
  expect_equal(fitted(1:30), (ones + 0.5) / 11)
  expect_identical(fitted(30:1), fitted(1:30))
})

test_that("decisions by a calibration have limits and rules", {
  set.seed(2)
  p <- stats::runif(60)
  posterior <- cbind(no = 1 - p, yes = p)
  learned <- temper(posterior, ifelse(stats::runif(60) < p^2, "yes", "no"))
  expect_identical(sum(decide(learned, posterior, capacity = c(yes = 5))$decision == "yes"), 5L)
  calibrated <- predict(learned, posterior)
  rule <- tune_threshold(calibrated, truth = rep(c("no", "yes"), 30), class = "yes")
  expect_identical(
    decide(learned, posterior, rule = rule)$decision, decide(calibrated, rule = rule)$decision
  )
})
