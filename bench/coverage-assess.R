# Coverage of the 95 % intervals of assess_decisions() and compare_decisions(), where the truth is
# known.
#
#     Rscript bench/coverage-assess.R [runs] [cores] [pattern of cells]

library(bayesrisk)
source("bench/coverage.R")

normal_model <- function(prior, distance) {
  classes <- seq_along(prior)
  names(prior) <- letters[classes]
  bayes_known(prior, x = likelihood_gaussian(
    mean = stats::setNames(distance * (classes - 1), letters[classes]), sd = 1
  ))
}

# The share of intervals that contain the truth, and of those that lie above and below it.
covered <- function(lower, upper, truth) {
  c(lower <= truth & truth <= upper, truth < lower, truth > upper)
}

# Cost of the right model.
cost_setting <- function(prior, distance, cost, n, ...) {
  model <- normal_model(prior, distance)
  truth <- bayes_risk(model, cost)$total
  function(seed) {
    cases <- simulate(model, n, seed = seed)
    found <- suppressWarnings(assess_decisions(model, cases["x"], cost, truth = cases[[1L]], ...))
    covered(found$lower, found$upper, truth)
  }
}

# Cost in a population of another prior, from as many cases of each class.
population_setting <- function(prior, distance, cost, n) {
  model <- normal_model(prior, distance)
  even <- normal_model(rep(1 / length(prior), length(prior)), distance)
  truth <- bayes_risk(model, cost)$total
  function(seed) {
    cases <- simulate(even, n, seed = seed)
    found <- suppressWarnings(assess_decisions(
      even, cases["x"], cost, truth = cases[[1L]], prior = prior
    ))
    covered(found$lower, found$upper, truth)
  }
}

# The measures of decisions of equally frequent classes: right with a probability, else any other
# class. By chance 1 of `classes` is right.
share_measure <- function(measure, classes, right) {
  others <- (1 - right) / (classes - 1)
  switch(measure,
    kappa = , mcc = , kappa_linear = , kappa_quadratic = (right - 1 / classes) / (1 - 1 / classes),
    npv = 1 - others, lr_positive = right / others, lr_negative = (1 - right) / (1 - others), right
  )
}

# Decisions of many classes.
share_setting <- function(classes, right, n, measure = NULL) {
  labels <- sprintf("class %02d", seq_len(classes))
  function(seed) {
    set.seed(seed)
    truth <- sample.int(classes, n, TRUE)
    other <- (truth + sample.int(classes - 1L, n, TRUE) - 1L) %% classes + 1L
    decided <- ifelse(stats::runif(n) < right, truth, other)
    posterior <- matrix(0, n, classes, dimnames = list(NULL, labels))
    posterior[cbind(seq_len(n), decided)] <- 1
    found <- suppressWarnings(
      assess_decisions(posterior, truth = factor(labels[truth], labels, ordered = TRUE))
    )
    if (is.null(measure)) return(covered(found$lower, found$upper, 1 - right))
    row <- found$measures[found$measures$measure == measure, ][1L, ]
    covered(row$lower, row$upper, share_measure(measure, classes, right))
  }
}

# Patients with several rows, which are right or wrong together in part. Each patient has a
# probability of a right decision, from a beta distribution.
cluster_setting <- function(patients, rows, right, together, measure = NULL) {
  size <- (1 - together) / together
  function(seed) {
    set.seed(seed)
    patient <- rep(seq_len(patients), each = rows)
    share <- stats::rbeta(patients, right * size, (1 - right) * size)
    truth <- sample(c("a", "b"), patients * rows, TRUE)
    correct <- stats::runif(patients * rows) < share[patient]
    p <- ifelse(correct == (truth == "b"), 0.9, 0.1)
    found <- suppressWarnings(assess_decisions(
      cbind(a = 1 - p, b = p), truth = truth, cluster = patient
    ))
    if (is.null(measure)) return(covered(found$lower, found$upper, 1 - right))
    row <- found$measures[found$measures$measure == measure, ][1L, ]
    covered(row$lower, row$upper, share_measure(measure, 2, right))
  }
}

# `measure`: "auc" or "ks".
area_setting <- function(area, share, n, measure = "auc") {
  distance <- sqrt(2) * stats::qnorm(area)
  true <- if (measure == "auc") area else 2 * stats::pnorm(distance / 2) - 1
  function(seed) {
    set.seed(seed)
    truth <- ifelse(stats::runif(n) < share, "b", "a")
    if (length(unique(truth)) < 2L) return(NULL)
    p <- stats::plogis(stats::rnorm(n) + distance * (truth == "b"))
    found <- suppressWarnings(assess_decisions(cbind(a = 1 - p, b = p), truth = truth))
    row <- found$measures[found$measures$measure == measure, ][1L, ]
    covered(row$lower, row$upper, true)
  }
}

benefit_setting <- function(threshold, share, n) {
  model <- normal_model(c(1 - share, share), 2)
  cut <- (log(threshold / (1 - threshold)) - log(share / (1 - share))) / 2 + 1
  truth <- share * stats::pnorm(cut - 2, lower.tail = FALSE) -
    threshold / (1 - threshold) * (1 - share) * stats::pnorm(cut, lower.tail = FALSE)
  function(seed) {
    cases <- simulate(model, n, seed = seed)
    found <- suppressWarnings(
      assess_decisions(model, cases["x"], truth = cases[[1L]], class = "b")
    )$benefit
    if (is.null(found)) return(NULL)
    row <- found[which.min(abs(found$threshold - threshold)), ]
    covered(row$lower, row$upper, truth)
  }
}

# A right model against one that takes a third of the distance between the classes.
pair_setting <- function(prior, cost, n) {
  model <- normal_model(prior, 2)
  other <- normal_model(prior, 2 / 3)
  truth <- bayes_risk(model, cost, rule = other)$total - bayes_risk(model, cost)$total
  function(seed) {
    cases <- simulate(model, n, seed = seed)
    found <- suppressWarnings(compare_decisions(
      list(right = model, other = other), data = cases["x"], cost = cost, truth = cases[[1L]]
    ))
    covered(found$lower[[2L]], found$upper[[2L]], truth)
  }
}

# Two models of equal cost, each of one feature: the size of the 5 % test.
equal_setting <- function(cost, n) {
  prior <- c(a = 0.7, b = 0.3)
  feature <- likelihood_gaussian(mean = c(a = 0, b = 1.5), sd = 1)
  world <- bayes_known(prior, x = feature, z = feature)
  models <- list(by_x = bayes_known(prior, x = feature), by_z = bayes_known(prior, z = feature))
  function(seed) {
    cases <- simulate(world, n, seed = seed)
    found <- suppressWarnings(compare_decisions(
      models, data = cases[c("x", "z")], cost = cost, truth = cases[[1L]]
    ))
    c(covered(found$lower[[2L]], found$upper[[2L]], 0), found$p_value[[2L]] < 0.05)
  }
}

# Segments of cases, whose class b has different shares: do all intervals of the differences in cost
# hold? `share`, `n`: of each segment.
segment_setting <- function(share, n, cost, distance = 2) {
  of_share <- function(share) normal_model(c(1 - share, share), distance)
  model <- of_share(mean(share))
  risk <- vapply(share, function(s) bayes_risk(of_share(s), cost, rule = model)$total, 1)
  truth <- vapply(seq_along(n), function(i) {
    risk[[i]] - sum(risk[-i] * n[-i]) / sum(n[-i])
  }, 1)
  function(seed) {
    cases <- do.call(rbind, Map(function(share, n, i) {
      data.frame(simulate(of_share(share), n, seed = 1000 * seed + i), segment = i)
    }, share, n, seq_along(n)))
    found <- suppressWarnings(assess_decisions(
      model, cases[-1L], cost, truth = cases[[1L]], by = segment
    ))$by_segment
    c(all(found$lower <= truth & truth <= found$upper), any(truth < found$lower),
      any(truth > found$upper))
  }
}

missing_costs <- function(cost) {
  cost_matrix(treat = c(a = 1, b = 0), leave = c(a = 0, b = cost))
}

of <- function(name, n, make) stats::setNames(lapply(n, make), sprintf("%s, n = %d", name, n))

cells_of_costs <- function(rare = c(0.95, 0.05)) {
  c(
    of("cost, 5 % rare, missing costs 30", c(100, 300, 1000), function(n) {
      cost_setting(rare, 2.5, missing_costs(30), n)
    }),
    of("the same by the bootstrap", c(100, 300, 1000), function(n) {
      cost_setting(rare, 2.5, missing_costs(30), n, interval = "bootstrap")
    }),
    of("cost, prior (.95, .05) of halves", c(100, 300, 1000), function(n) {
      population_setting(rare, 2.5, missing_costs(30), n)
    }),
    of("cost, 2 normal classes", c(100, 1000), function(n) {
      cost_setting(c(0.6, 0.4), 2, zero_one_cost(c("a", "b")), n)
    }),
    unlist(lapply(c(3, 8, 26), function(classes) {
      of(sprintf("cost, %d classes, 90 %% right", classes), c(100, 1000, 10000), function(n) {
        share_setting(classes, 0.9, n)
      })
    })),
    of("clusters: cost, 30 patients", 300L, function(n) cluster_setting(30, 10, 0.85, 0.3)),
    unlist(lapply(c("accuracy", "lr_positive", "lr_negative"), function(measure) {
      of(sprintf("clusters: %s, 30 patients", measure), 300L, function(n) {
        cluster_setting(30, 10, 0.85, 0.3, measure)
      })
    })),
    of("clusters: cost, 10 patients", 100L, function(n) cluster_setting(10, 10, 0.7, 0.3))
  )
}

cells_of_measures <- function() {
  c(
    of("accuracy, 95 % right", c(20, 100, 1000), function(n) {
      share_setting(2, 0.95, n, "accuracy")
    }),
    unlist(lapply(
      c("sensitivity", "precision", "npv", "lr_positive", "lr_negative", "balanced_accuracy",
        "kappa", "kappa_linear", "kappa_quadratic", "mcc", "f1"),
      function(measure) {
        of(paste("3 classes, 90 % right:", measure), c(30, 100, 1000), function(n) {
          share_setting(3, 0.9, n, measure)
        })
      }
    )),
    unlist(lapply(c(0.7, 0.9, 0.98), function(area) {
      unlist(lapply(c(0.05, 0.5), function(share) {
        of(sprintf("AUC %.2f, share %.2f", area, share), c(20, 100, 300, 1000), function(n) {
          area_setting(area, share, n)
        })
      }))
    })),
    of("KS, AUC 0.90, share 0.50", c(100, 300, 1000), function(n) {
      area_setting(0.9, 0.5, n, "ks")
    }),
    of("net benefit at .2, share .1", c(100, 300, 1000), function(n) benefit_setting(0.2, 0.1, n))
  )
}

cells_of_pairs <- function() {
  c(
    of("difference, 0-1 cost", c(100, 1000), function(n) {
      pair_setting(c(0.7, 0.3), zero_one_cost(c("a", "b")), n)
    }),
    of("equal models, 0-1 cost", c(100, 1000), function(n) {
      equal_setting(zero_one_cost(c("a", "b")), n)
    }),
    of("equal models, missing costs 5", c(100, 1000), function(n) {
      equal_setting(missing_costs(5), n)
    }),
    of("difference, missing costs 10", c(100, 1000), function(n) {
      pair_setting(c(0.8, 0.2), missing_costs(10), n)
    })
  )
}

cells_of_segments <- function() {
  even <- function(n, segments, cost) segment_setting(rep(0.1, segments), rep(n, segments), cost)
  c(
    of("segments: 4 alike, 0-1 cost", c(30, 100, 1000), function(n) {
      even(n, 4, zero_one_cost(c("a", "b")))
    }),
    of("segments: 4 alike, missing costs 30", c(30, 100, 1000), function(n) {
      even(n, 4, missing_costs(30))
    }),
    of("segments: 20 alike, missing costs 10", c(30, 300), function(n) {
      even(n, 20, missing_costs(10))
    }),
    of("segments: shares .02, .1, .3, the first small", c(30, 300), function(n) {
      segment_setting(c(0.02, 0.1, 0.3), n * c(1, 5, 10), missing_costs(10))
    })
  )
}

cells <- c(cells_of_costs(), cells_of_measures(), cells_of_pairs(), cells_of_segments())
run_cells(cells, function(found) {
  means <- colMeans(found, na.rm = TRUE)
  size <- if (length(means) > 3L) sprintf(", size %.3f", means[[4L]]) else ""
  sprintf(
    "coverage %.3f (too high %.3f, too low %.3f)%s", means[[1L]], means[[2L]], means[[3L]], size
  )
})
