# Decisions by cost: by given posteriors, and by a model. A model is timed for the decision and, for
# comparison, for the class.

# Three classes, four actions, no two costs alike.
decision_costs <- function() {
  cost_matrix(
    class001 = c(class001 = 0, class002 = 1, class003 = 5),
    class002 = c(class001 = 2, class002 = 0.1, class003 = 3),
    class003 = c(class001 = 1, class002 = 4, class003 = 0.2),
    refer = 0.6
  )
}

same_actions <- function(what, ours, theirs) {
  must_agree(what, mean(as.integer(ours) != as.integer(theirs)), limit = 0)
}

posterior_data <- function(n) {
  set.seed(1)
  p <- matrix(stats::rexp(3 * n), n, dimnames = list(NULL, sprintf("class%03d", 1:3)))
  p <- p / rowSums(p)
  cost <- decision_costs()
  costs <- as.matrix(cost)
  list(
    x = p, cost = cost, costs = costs, read = bayesrisk:::read_cost(cost, colnames(costs)),
    frame = bayesrisk:::read_posterior(p, colnames(costs), NULL)$frame
  )
}

# The binding alone decides and writes only the decision.
decide_alone <- function(d) {
  bayesrisk:::decide_posterior_cpp(d$frame, numeric(), d$read, "decision", NULL, FALSE, 1L)
}

posterior_setting <- function(n) {
  list(
    topic = "decision", n = n, k = 3L, make = function() posterior_data(n),
    same = function(d) {
      # max.col() chooses at random if costs differ by a relative difference below 1e-5.
      expected <- max.col(-(d$x %*% t(d$costs)), ties.method = "first")
      same_actions("the decision alone", decide_alone(d)$value, expected)
      same_actions("decide()", decide(d$x, d$cost)$decision, expected)
      same_actions("threads", decide(d$x, d$cost, threads = 2)$decision, expected)
    },
    tasks = list(`Decision of posteriors` = c(
      list(
        bayesrisk = decide_alone,
        `bayesrisk: all of decide()` = function(d) decide(d$x, d$cost),
        `base: max.col()` = function(d) max.col(-(d$x %*% t(d$costs)))
      ),
      limit_read
    ))
  )
}

model_decision_setting <- function(n, p) {
  list(
    topic = "decision", n = n, p = p, k = 3L,
    make = function() {
      data <- gaussian_data(n, p, 3L)
      data$model <- fit_xy(bayes_naive(), data$x, data$y)
      data$cost <- decision_costs()
      data
    },
    same = function(d) {
      one_by_one <- decide(predict(d$model, d$x, "prob"), d$cost)$decision
      same_actions("predict(cost = )", predict(d$model, d$x, cost = d$cost), one_by_one)
      same_actions("0-1 cost", decide(d$model, newdata = d$x)$decision, predict(d$model, d$x))
    },
    tasks = list(Decision = c(
      list(
        bayesrisk = function(d) predict(d$model, d$x, cost = d$cost),
        `bayesrisk: 2 threads` = function(d) predict(d$model, d$x, cost = d$cost, threads = 2L),
        `bayesrisk: class` = function(d) predict(d$model, d$x),
        `bayesrisk: posterior` = function(d) predict(d$model, d$x, "prob"),
        `bayesrisk: all of decide()` = function(d) decide(d$model, d$x, d$cost)
      ),
      limit_read
    ))
  )
}

# The risk of two classes with full covariances. The first answer is checked with a model of equal
# covariances, whose risk has a closed form, and the other one with random rows.
risk_data <- function(p) {
  set.seed(1)
  names <- sprintf("x%03d", seq_len(p))
  spread <- function() crossprod(matrix(stats::rnorm(4 * p * p), 4 * p)) / (4 * p)
  mean <- rbind(a = rep(0, p), b = stats::rnorm(p) / sqrt(p))
  known <- function(covariance, distance = 1) {
    covariance <- lapply(covariance, function(s) structure(s, dimnames = list(names, names)))
    if (length(covariance) == 1L) covariance <- covariance[[1L]]
    bayes_known(c(a = 0.5, b = 0.5), block = likelihood_gaussian(
      mean = structure(distance * mean, dimnames = list(c("a", "b"), names)),
      covariance = covariance
    ))
  }
  each <- list(a = spread(), b = spread())
  list(
    model = known(each), equal = known(each["a"], 12), spread = each$a,
    distance = 12 * sqrt(stats::mahalanobis(mean["b", ], mean["a", ], each$a))
  )
}

risk_setting <- function(p) {
  list(
    topic = "decision", n = 1, p = p, k = 2L, make = function() risk_data(p),
    same = function(d) {
      closed <- stats::pnorm(-d$distance / 2)
      must_agree("equal covariances", abs(bayes_risk(d$equal)$total / closed - 1))
      small <- risk_data(6L)$model
      drawn <- bayes_risk(small, method = "monte_carlo")
      gap <- abs(bayes_risk(small)$total - drawn$total)
      must_agree("random rows", gap, 5 * drawn$accuracy)
    },
    tasks = list(`Bayes risk of two full Gaussians` = list(
      bayesrisk = function(d) bayes_risk(d$model),
      `bayesrisk: 2 threads` = function(d) bayes_risk(d$model, threads = 2L),
      `base: eigenvalues` = function(d) eigen(d$spread, TRUE, only.values = TRUE)
    ))
  )
}

# Normal classes, each 14 standard deviations from all others. The risk is a line integral: the
# decision is right if the coordinate of the class is the largest.
rare_data <- function(k) {
  names <- list(sprintf("c%02d", seq_len(k)), sprintf("x%02d", seq_len(k)))
  shift <- 14 / sqrt(2)
  wrong <- function(z) {
    stats::dnorm(z) * -expm1((k - 1) * log1p(-stats::pnorm(z + shift, lower.tail = FALSE)))
  }
  list(
    model = bayes_known(stats::setNames(rep(1 / k, k), names[[1L]]), block = likelihood_gaussian(
      mean = structure(shift * diag(k), dimnames = names),
      covariance = structure(diag(k), dimnames = names[c(2L, 2L)])
    )),
    risk = stats::integrate(wrong, -20, 20, rel.tol = 1e-10, abs.tol = 0)$value
  )
}

rare_setting <- function(k) {
  list(
    topic = "decision", n = 1, p = k, k = k, make = function() rare_data(k),
    same = function(d) {
      drawn <- bayes_risk(d$model)
      must_agree("line integral", abs(drawn$total - d$risk), 5 * drawn$accuracy)
      must_agree("standard error", drawn$accuracy, 0.01 * d$risk)
    },
    tasks = list(`Bayes risk of rare errors` = list(
      bayesrisk = function(d) bayes_risk(d$model),
      `bayesrisk: 2 threads` = function(d) bayes_risk(d$model, threads = 2L)
    ))
  )
}

decision_settings <- function() {
  list(
    posterior_setting(1e6), model_decision_setting(1e6, 10L), risk_setting(500L), rare_setting(3L),
    rare_setting(10L)
  )
}

## Cross-validation ----------------------------------------------------------------------------

refit_folds <- function(spec, data, folds) {
  for (f in unique(folds)) {
    predict(fit(spec, y ~ ., data[folds != f, ]), data[folds == f, ])
  }
}

fold_data <- list(
  numbers = function(n) gaussian_data(n, 10L, 3L),
  counts = function(n) {
    data <- gaussian_data(n, 10L, 3L)
    data$frame[-1] <- lapply(data$frame[-1], function(x) floor(exp(1 + x / 4)))
    data
  },
  categories = function(n) categorical_data(n, 10L, 8L, 3L)
)

# `specify`: a function that makes specifications; `data`: the name of an element of `fold_data`.
fold_setting <- function(specify, n, folds, data = "numbers") {
  spec <- specify()
  contestants <- list(
    bayesrisk = function(d) cv_risk(spec, y ~ ., d$frame, folds = folds),
    `bayesrisk: one fit and prediction` = function(d) {
      predict(fit(spec, y ~ ., d$frame), d$frame)
    }
  )
  if (folds == 10) {
    contestants$`bayesrisk: 3 candidates together` <- function(d) {
      candidates <- list(
        plain = spec, ml = specify(variance = "ml"), even = specify(prior = "uniform")
      )
      cv_risk(candidates, y ~ ., d$frame, folds = folds)
    }
    contestants$`bayesrisk: new fits` <- function(d) refit_folds(spec, d$frame, d$folds)
  }
  what <- if (data == "numbers") spec$structure else paste(spec$structure, "for", data)
  name <- sprintf("Cross-validation, %s, %g folds", what, folds)
  list(
    topic = "cross-validation", n = n, p = 10L, k = 3L,
    make = function() c(fold_data[[data]](n), list(folds = rep_len(seq_len(folds), n))),
    same = function(d) NULL, tasks = stats::setNames(list(contestants), name)
  )
}

fold_settings <- function(mode) {
  n <- if (mode$name == "full") 1e6 else 1e5
  settings <- lapply(list(bayes_naive, bayes_full), function(specify) {
    list(fold_setting(specify, n, 10), fold_setting(specify, 1e4, 1e4))
  })
  poisson <- function() bayes_naive(numeric = likelihood_poisson())
  single <- list(
    fold_setting(poisson, 1e4, 1e4, "counts"), fold_setting(bayes_naive, 1e4, 1e4, "categories")
  )
  c(do.call(c, settings), single)
}
