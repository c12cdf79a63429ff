# Every number of the lecture "Bayesian Learning" (Galili, Shamir, Yakhini) that is not about
# irises, against exact fractions, or decimals that were computed to more digits than are printed.

nba_model <- function(prior = 0.01) {
  bayes_known(
    c(NBA = prior, R = 1 - prior),
    height = rbind(NBA = c(tall = .85, short = .15), R = c(tall = .1, short = .9))
  )
}

tall <- data.frame(height = "tall")

test_that("prior-only rule: it errs in all cases but those of the largest prior", {
  prior_only <- fit(bayes_naive(), play ~ 1, play_tennis)
  expect_identical(as.character(predict(prior_only, play_tennis[1, ])), "yes")
  expect_within(bayes_risk(prior_only)$total, 5 / 14, 1e-14)
  tennis <- fit(bayes_naive(), play ~ ., play_tennis)
  expect_within(bayes_risk(tennis, rule = "prior")$total, 5 / 14, 1e-14)
  three <- bayes_known(c(a = .2, b = .5, c = .3))
  expect_within(bayes_risk(three)$total, 1 / 2, 1e-14)
})

test_that("NBA: the likelihood ratios, and the prior at which the decision changes", {
  likelihood <- exp(predict(nba_model(), data.frame(height = c("tall", "short")),
                            type = "log_likelihood"))
  expect_within(likelihood, c(.85, .15, .1, .9), 1e-14)
  expect_within(likelihood[, "NBA"] / likelihood[, "R"], c(8.5, 1 / 6), 1e-14)
  even <- break_even(nba_model(), tall, vary = "prior", class = "NBA")
  expect_within(even$value, 2 / 19, 1e-14)
  expect_identical(as.character(even$above), "NBA")
  expect_identical(round(even$value, 6), .105263)
})

test_that("NBA: the posterior of a tall person by prior", {
  posterior <- function(prior) {
    p <- predict(nba_model(), tall, type = "prob", prior = c(NBA = prior, R = 1 - prior))
    by_theorem <- bayes_theorem(c(NBA = prior, R = 1 - prior), c(NBA = .85, R = .1))$posterior
    expect_within(by_theorem, p, 1e-14)
    p[[1]]
  }
  p <- vapply(c(1 / 2, 2 / 19, 1 / 10, 1 / 100), posterior, 0)
  expect_within(p, c(17 / 19, 1 / 2, 17 / 35, 17 / 215), 1e-14)
  expect_identical(round(p, 6), c(.894737, .5, .485714, .079070))
  expect_within(posterior(1 / 1000), .85 / (.85 + 99.9), 1e-14)
  expect_identical(round(posterior(1 / 1000), 6), .008437)
  expect_identical(signif(posterior(1e-6), 2), 8.5e-6)
  # The likelihood rule calls every tall person a player, and is nearly always wrong.
  expect_identical(as.character(predict(nba_model(), tall, prior = "uniform")), "NBA")
  expect_identical(as.character(predict(nba_model(), tall)), "R")
  risk <- bayes_risk(nba_model(1e-6), rule = "likelihood")
  expect_within(risk$total, .1 * (1 - 1e-6) + .15e-6, 1e-13)
  expect_within(risk$irreducible, 1e-6, 1e-13)
})

test_that("likelihood rule: that of the largest posterior under equal priors", {
  model <- fit(bayes_full(prior = "uniform"), Species ~ ., iris)
  log_likelihood <- predict(model, iris, type = "log_likelihood")
  by_likelihood <- colnames(log_likelihood)[max.col(log_likelihood)]
  expect_identical(as.character(predict(model, iris)), by_likelihood)
})

test_that("error at x: the smaller posterior, and the integral of it over p(x)", {
  heights <- bayes_known(
    prior = c(A = .6, B = .4),
    height = likelihood_gaussian(mean = c(A = 175, B = 162), sd = c(A = 7, B = 6))
  )
  at <- function(x) {
    log_joint <- predict(heights, data.frame(height = x), type = "log_joint")
    pmin(exp(log_joint[, "A"]), exp(log_joint[, "B"]))
  }
  cuts <- decision_regions(heights)
  edges <- pmin(pmax(c(cuts$from, Inf), 100), 240)
  parts <- Map(function(from, to) integrate(at, from, to, rel.tol = 1e-10)$value,
               head(edges, -1), edges[-1])
  expect_within(bayes_risk(heights)$total, Reduce(`+`, parts), 1e-8)
  person <- data.frame(height = 163)
  p <- predict(heights, person, type = "prob")
  cost <- predict(heights, person, type = "cost", cost = zero_one_cost(c("A", "B")))
  expect_within(cost, rev(p), 1e-14)
})

test_that("general cost: the same decision by posteriors and by likelihoods times priors", {
  cost <- cost_matrix(
    setosa = c(setosa = 0, versicolor = 4, virginica = 9),
    versicolor = c(setosa = 2, versicolor = 0, virginica = 7),
    virginica = c(setosa = 1, versicolor = 3, virginica = 0)
  )
  model <- fit(bayes_naive(), Species ~ Sepal.Length + Sepal.Width, iris)
  decided <- predict(model, iris, cost = cost)
  for (type in c("prob", "log_joint")) {
    weight <- predict(model, iris, type = type)
    if (type == "log_joint") weight <- exp(weight)
    risk <- weight %*% t(as.matrix(cost))
    expect_identical(as.character(decided), rownames(as.matrix(cost))[max.col(-risk)])
  }
})

test_that("five variants of the rule decide alike where their assumptions hold", {
  variation <- bivariate_naive()
  cases <- expand.grid(x = seq(-4, 5, 0.5), y = seq(-4, 5, 0.5))
  map <- predict(variation, cases)
  log_joint <- predict(variation, cases, type = "log_joint")
  product <- vapply(c("A", "B"), function(class) {
    dnorm(cases$x, c(A = 0, B = .5)[[class]], sqrt(c(A = 2, B = 2.5)[[class]])) *
      dnorm(cases$y, c(A = 0, B = .5)[[class]], sqrt(c(A = 2.5, B = 2)[[class]]))
  }, numeric(nrow(cases)))
  clear <- abs(log_joint[, 1] - log_joint[, 2]) > 1e-9
  variants <- list(
    dropped = log_joint, logs = predict(variation, cases, type = "log_prob"),
    likelihood = predict(variation, cases, type = "log_likelihood"), naive = product
  )
  for (scores in variants) {
    expect_identical(as.character(map)[clear], c("A", "B")[max.col(scores)][clear])
  }
})

test_that("two dice: one pair of marginals, six joint distributions", {
  answers <- vapply(levels(dice_couplings$coupling), function(coupling) {
    cells <- dice_couplings[dice_couplings$coupling == coupling, -1]
    joint <- joint_table(cells)
    described <- summary(joint)
    expect_within(unlist(described$marginals), rep(1 / 6, 12), 1e-14)
    expect_identical(described$pairs$independent, coupling == "independent")
    c(
      correlation = cov.wt(cells[1:2], cells$probability, cor = TRUE, method = "ML")$cor[[1, 2]],
      double = event_probability(joint, first == second),
      seven = event_probability(joint, as.integer(first) + as.integer(second) == 7),
      entropy = described$entropy
    )
  }, numeric(4))
  expect_within(answers["correlation", ], c(0, 1, -1, 4 / 7, 1 / 2, 3 / 35), 1e-14, 1)
  expect_within(answers["double", ], c(1 / 6, 1, 0, 1 / 2, 7 / 12, 1 / 3), 1e-14)
  expect_within(answers["seven", ], c(1 / 6, 0, 1, 1 / 6, 1 / 12, 0), 1e-14)
  expect_identical(
    unname(round(answers["entropy", ], 6)),
    c(5.169925, 2.584963, 2.584963, 3.584963, 4.532301, 4.169925)
  )
  fair <- joint_table(dice_couplings[dice_couplings$coupling == "independent", -1])
  expect_within(fair, rep(1 / 36, 36), 1e-15)
})

test_that("conditional independence: in pairs is not enough", {
  bits <- expand.grid(x = 0:1, y = 0:1)
  bits$z <- (bits$x + bits$y) %% 2
  bits$probability <- 1 / 4
  xor <- joint_table(bits)
  expect_true(all(summary(xor)$pairs$independent))
  expect_identical(event_probability(xor, x == 1 & y == 1 & z == 1), 0)
  product <- event_probability(xor, x == 1) * event_probability(xor, y == 1) *
    event_probability(xor, z == 1)
  expect_within(product, 1 / 8, 1e-15)
})

test_that("standard normal: phi and Phi", {
  normal <- bayes_known(c(z = 1), x = likelihood_gaussian(mean = c(z = 0), sd = 1))
  x <- c(-8, -1.96, 0, 0.5, 3)
  density <- exp(predict(normal, data.frame(x = x), type = "log_likelihood"))
  expect_within(density, exp(-x^2 / 2) / sqrt(2 * pi), 1e-14)
  # Phi(1.96): the share of Z that a rule cutting there decides one way.
  share <- bayes_risk(
    bayes_known(c(z = .5, w = .5), x = likelihood_gaussian(mean = c(z = 0, w = 3.92), sd = 1))
  )$table["z", "z"] / .5
  expect_within(share, pnorm(1.96), 1e-14)
})

test_that("2-D Gaussian panels: determinants, eigenvalues, axes", {
  panels <- data.frame(
    sd = c(1, 2, 1, 2, 1, 2), rho = c(0, 0, .75, .75, -.75, -.75),
    det = c(1, 4, .4375, 1.75, .4375, 1.75),
    small = c(1, 1, .25, .378680, .25, .378680), large = c(1, 4, 1.75, 4.621320, 1.75, 4.621320),
    angle = c(NA, 90, 45, 67.5, 135, 112.5),
    ratio = c(1, 2, 2.645751, 3.493390, 2.645751, 3.493390)
  )
  for (i in seq_len(nrow(panels))) {
    panel <- panels[i, ]
    shared <- panel$rho * panel$sd
    model <- bayes_known(c(only = 1), xy = likelihood_gaussian(
      mean = rbind(only = c(x = 0, y = 0)),
      covariance = rbind(c(1, shared), c(shared, panel$sd^2))
    ))
    covariance <- coef(model)$xy$covariance$only
    expect_within(covariance, c(1, shared, shared, panel$sd^2), 1e-14)
    # The density at the mean tells the determinant.
    at_mean <- predict(model, data.frame(x = 0, y = 0), type = "log_likelihood")
    expect_within((exp(-at_mean) / (2 * pi))^2, panel$det, 1e-14)
    axes <- eigen(covariance, symmetric = TRUE)
    expect_within(axes$values, c(panel$large, panel$small), 5e-7, 1)
    expect_within(sqrt(axes$values[[1]] / axes$values[[2]]), panel$ratio, 5e-7, 1)
    if (is.na(panel$angle)) next
    long <- axes$vectors[, 1]
    expect_within((atan2(long[[2]], long[[1]]) * 180 / pi) %% 180, panel$angle, 1e-12)
  }
})

# The eighteen numbers: P(A decided | A), P(A decided | B) and the error, of the full rule, of the
# naive rule in the true world and in the world that it believes in.
expect_rules <- function(y, digits) {
  worlds <- list(full = bivariate_full(y), naive = bivariate_naive(y))
  risks <- list(
    bayes_risk(worlds$full, tolerance = 1e-11),
    bayes_risk(worlds$full, rule = worlds$naive, tolerance = 1e-11),
    bayes_risk(worlds$naive, tolerance = 1e-11)
  )
  numbers <- t(vapply(risks, function(r) c(r$table[, "A"] / .5, r$total), numeric(3)))
  expect_within(numbers, digits, 1e-10, 1)
  expect_within(risks[[2]]$believed, digits[[3, 3]], 1e-10, 1)
  expect_within(risks[[2]]$irreducible, digits[[1, 3]], 1e-10, 1)
}

test_that("naive against full: errors in the true and in the believed world", {
  expect_rules(0.5, rbind(
    c(.9390162477, .0494646088, .0552241805),
    c(.5665511642, .0880148579, .2607318469),
    c(.5937113757, .4062886243, .4062886243)
  ))
})

test_that("naive against full, second mean shifted away: nearly the same error", {
  expect_rules(6, rbind(
    c(.9906344035, .0026031846, .0059843906),
    c(.9656068942, .0070132500, .0207031779),
    c(.9764649206, .0206640471, .0220995632)
  ))
})

test_that("naive against full: covariances, their axes, and the equations of both rules", {
  covariances <- coef(bivariate_full())$xy$covariance
  correlation <- vapply(covariances, function(s) cov2cor(s)[[1, 2]], 0)
  expect_within(correlation, c(.983869910, -.983869910), 5e-10, 1)
  expect_within(vapply(covariances, det, 0), c(.16, .16), 1e-13)
  angles <- vapply(covariances, function(s) {
    axes <- eigen(s, symmetric = TRUE)
    expect_identical(round(axes$values, 6), c(4.464159, .035841))
    (atan2(axes$vectors[2, 1], axes$vectors[1, 1]) * 180 / pi) %% 180
  }, 0)
  expect_identical(unname(round(angles, 4)), c(48.2415, 138.2415))
  equation <- function(model) {
    unlist(as.data.frame(decision_regions(model))[c("x2", "xy", "y2", "x", "y", "constant")])
  }
  full <- c(3.125, -55, -3.125, 26.25, 29.375, -13.90625)
  expect_within(equation(bivariate_full()), full, 1e-12)
  expect_within(equation(bivariate_full(6)), c(full[1:3], 177.5, 201.25, -648.125), 1e-12)
  expect_within(equation(bivariate_naive()), c(.1, 0, -.1, .4, .5, -.225), 1e-13, 1)
  # 10 times the equation is (x + 2)^2 - (y - 30)^2 + 715.
  expect_within(
    10 * equation(bivariate_naive(6)), c(1, 0, -1, 4, 60, 4 - 900 + 715), 1e-12, 1
  )
  naive <- decision_regions(bivariate_naive())
  expect_identical(as.character(naive$kind), "crossing lines")
  lines <- attr(naive, "lines")
  expect_within(sort(-lines$x / lines$y), c(-1, 1), 1e-12)
  expect_within(sort(-lines$constant / lines$y), c(.5, 4.5), 1e-12)
})

test_that("naive against full: bounds of the error", {
  bound <- function(y) {
    bounds <- risk_bounds(bivariate_full(y))
    split(bounds[c("value", "s")], bounds$bound)
  }
  near <- bound(0.5)
  expect_within(near$Bhattacharyya$value, .086453731, 5e-10, 1)
  expect_within(-log(2 * near$Bhattacharyya$value), 1.754998726, 5e-10, 1)
  expect_within(near$Chernoff$value, .086420882, 5e-10, 1)
  expect_within(near$Chernoff$s, .513986, 5e-7, 1)
  expect_within(near$lower$value, .007530963, 5e-10, 1)
  expect_within(near$exact$value, .0552241805, 1e-8, 1)
  apart <- bound(6)
  expect_within(apart$Bhattacharyya$value, .011863877, 5e-10, 1)
  expect_within(-log(2 * apart$Bhattacharyya$value), 3.741109837, 5e-10, 1)
  expect_within(apart$Chernoff$value, .010510581, 5e-10, 1)
  expect_within(apart$Chernoff$s, .701510, 5e-7, 1)
})
