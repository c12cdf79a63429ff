# Every number of the lecture "Applied Machine Learning Fundamentals, Unit III: Bayesian Decision
# Theory (Wehner)", and what follows from its examples. Closed forms to 1e-12, fractions to
# 1e-14, integrals to 1e-8, printed decimals to the digits given.

expect_printed <- function(object, printed, digits) {
  expect_within(object, printed, 0.5000001 * 10^-digits, scale = 1)
}

# Costs of the letters: the first number for deciding a when b is true.
letters_cost <- function(l12, l21 = 1) cost_matrix(a = c(a = 0, b = l12), b = c(a = l21, b = 0))

# The class with two humps, one of them under the other class: the figure of error regions.
humps_model <- function() {
  bayes_known(
    prior = c(C1 = 0.6, C2 = 0.4),
    x = likelihood_mixture(
      weights = list(C1 = c(0.7, 0.3), C2 = 1),
      mean = list(C1 = c(3, 5.8), C2 = 5.8),
      sd = list(C1 = c(0.9, 0.8), C2 = 0.95)
    )
  )
}

humps_joint <- function(x) {
  cbind(
    C1 = 0.6 * (0.7 * dnorm(x, 3, 0.9) + 0.3 * dnorm(x, 5.8, 0.8)), C2 = 0.4 * dnorm(x, 5.8, 0.95)
  )
}

golf <- function(laplace = 0, ...) fit(bayes_naive(laplace = laplace, ...), play ~ ., play_tennis)

test_that("OCR: 15 pixels are likelier under a, 25 under b, and 20 as likely under both", {
  pixels <- data.frame(pixels = c(15, 20, 25))
  log_ratio <- predict(letters_model(), pixels, type = "log_likelihood")
  log_ratio <- log_ratio[, "a"] - log_ratio[, "b"]
  expect_within(log_ratio, 100 * c(1, 0, -1) / 32, 1e-12, scale = 1)
})

test_that("OCR: the posterior of a at 15, 20 and 25 (formula 2)", {
  a <- predict(letters_model(), data.frame(pixels = c(15, 20, 25)), type = "prob")
  expect_printed(a[, "a"], c(0.985566, 0.75, 0.116460), 6)
  expect_within(a[, "a"], 3 / (3 + exp(-c(50, 0, -50) / 16)), 1e-12)
  expect_within(rowSums(a), rep(1, 3), 1e-14)
  by_hand <- bayes_theorem(
    c(a = 0.75, b = 0.25), c(a = dnorm(15, 15, 4), b = dnorm(15, 25, 4))
  )
  expect_within(by_hand$posterior, a[1, ], 1e-12)
})

test_that("OCR: the cuts of the likelihood and the MAP rule (formula 4)", {
  zero_one <- zero_one_cost(c("a", "b"))
  expect_within(decision_threshold(letters_model(), zero_one, "uniform")$cut, 20, 1e-12)
  map <- decision_threshold(zero_one, object = letters_model())
  expect_within(map$likelihood_ratio, 1 / 3, 1e-14)
  expect_within(map$posterior, 1 / 2, 1e-14)
  expect_within(map$cut, 20 + 1.6 * log(3), 1e-12)
  expect_printed(map$cut, 21.757779662, 9)
  regions <- decision_regions(letters_model())
  expect_identical(as.character(regions$decision), c("a", "b"))
  expect_within(c(regions$from, regions$to), c(-Inf, map$cut, map$cut, Inf), 1e-12)
})

test_that("OCR: formulas 4 and 6 decide as the posterior and the expected cost do", {
  pixels <- data.frame(pixels = seq(0, 40, by = 0.25))
  ratio <- dnorm(pixels$pixels, 15, 4) / dnorm(pixels$pixels, 25, 4)
  posterior <- predict(letters_model(), pixels, type = "prob")
  for (l12 in c(1, 3, 5, 10)) {
    cost <- letters_cost(l12)
    by_ratio <- ifelse(ratio > l12 / 3, "a", "b")
    tie <- abs(log(ratio * 3 / l12)) < 1e-9
    decided <- as.character(predict(letters_model(), pixels, cost = cost))
    expect_identical(decided[!tie], by_ratio[!tie])
    expect_within(
      predict(letters_model(), pixels, type = "cost", cost = cost),
      cbind(l12 * posterior[, "b"], posterior[, "a"]), 1e-14, scale = 1
    )
  }
})

test_that("OCR: errors of the MAP, the likelihood and the prior rule (F15)", {
  cut <- 20 + 1.6 * log(3)
  map <- bayes_risk(letters_model())
  expect_within(map$table["b", "a"], 0.25 * pnorm(cut, 25, 4), 1e-12)
  expect_within(map$table["a", "b"], 0.75 * pnorm(cut, 15, 4, lower.tail = FALSE), 1e-12)
  expect_printed(map$table["b", "a"], 0.052202652, 9)
  expect_printed(map$table["a", "b"], 0.034175325, 9)
  expect_printed(map$total, 0.086377977, 9)
  expect_identical(map$reducible, 0)

  likelihood <- bayes_risk(letters_model(), rule = "likelihood")
  expect_within(likelihood$total, pnorm(-1.25), 1e-12)
  expect_printed(likelihood$total, 0.105649774, 9)
  expect_printed(likelihood$reducible, 0.019271796, 9)

  prior <- bayes_risk(letters_model(), rule = "prior")
  expect_within(prior$total, 0.25, 1e-14)
  expect_printed(prior$reducible, 0.163622023, 9)
  information <- value_of_information(letters_model())
  expect_printed(information$value[information$known == "pixels"], 0.163622023, 9)
})

test_that("OCR: the minimax prior", {
  worst <- minimax_prior(letters_model())
  expect_within(worst$prior, c(0.5, 0.5), 1e-8)
  expect_within(worst$risk, pnorm(-1.25), 1e-12)
  expect_printed(worst$risk, 0.1056497737, 10)
  expect_within(worst$class_risk, rep(pnorm(-1.25), 2), 1e-8)
  cut <- decision_threshold(letters_model(), zero_one_cost(c("a", "b")), worst$prior)$cut
  expect_within(cut, 20, 1e-8)
})

test_that("OCR: bounds of the error", {
  bounds <- risk_bounds(letters_model())
  value <- stats::setNames(bounds$value, bounds$bound)
  expect_printed(value[["exact"]], 0.086377977, 9)
  expect_printed(value[["Chernoff"]], 0.180001, 6)
  expect_printed(bounds$s[bounds$bound == "Chernoff"], 0.324222, 6)
  expect_printed(value[["Bhattacharyya"]], 0.198248, 6)
  expect_printed(value[["Mahalanobis"]], 0.172662, 6)
  expect_printed(value[["lower"]], 0.040982, 6)
  overlap <- exp(-100 / (8 * 16))
  expect_within(value[["Bhattacharyya"]], sqrt(3) / 4 * overlap, 1e-12)
  expect_within(value[["lower"]], (1 - sqrt(1 - 0.75 * overlap^2)) / 2, 1e-12)
  expect_within(value[["Mahalanobis"]], 0.375 / (1 + 0.1875 * 6.25), 1e-12)
})

test_that("OCR: with sd 3 and 5", {
  narrow <- letters_model(sd = 3)
  expect_printed(decision_regions(narrow)$to[[1]], 20.988751060, 9)
  expect_within(decision_regions(narrow)$to[[1]], 20 + 0.9 * log(3), 1e-12)
  expect_printed(bayes_risk(narrow)$total, 0.039864449, 9)
  wide <- letters_model(sd = 5)
  expect_printed(decision_regions(wide)$to[[1]], 22.746530722, 9)
  expect_within(decision_regions(wide)$to[[1]], 20 + 2.5 * log(3), 1e-12)
  expect_printed(bayes_risk(wide)$total, 0.127016830, 9)
})

test_that("OCR with costs: threshold, cut, errors and risk (formula 6)", {
  expected <- rbind(
    c(1, 1 / 3, 21.757780, 0.052203, 0.034175, 0.086378),
    c(3, 1, 20, 0.026412, 0.079237, 0.158475),
    c(5, 5 / 3, 19.182679, 0.018232, 0.110893, 0.202052),
    c(10, 10 / 3, 18.073644, 0.010418, 0.165841, 0.270025)
  )
  for (i in seq_len(nrow(expected))) {
    l12 <- expected[i, 1]
    cost <- letters_cost(l12)
    threshold <- decision_threshold(cost, object = letters_model())
    cut <- 20 + 1.6 * log(3 / l12)
    expect_within(threshold$likelihood_ratio, expected[i, 2], 1e-14)
    expect_within(threshold$posterior, l12 / (l12 + 1), 1e-14)
    expect_within(threshold$cut, cut, 1e-12)
    risk <- bayes_risk(letters_model(), cost)
    expect_printed(threshold$cut, expected[i, 3], 6)
    expect_printed(risk$table["b", "a"], expected[i, 4], 6)
    expect_printed(risk$table["a", "b"], expected[i, 5], 6)
    expect_printed(risk$total, expected[i, 6], 6)
    expect_within(risk$table["b", "a"], 0.25 * pnorm(cut, 25, 4), 1e-12)
    expect_within(risk$table["a", "b"], 0.75 * pnorm(-cut, -15, 4), 1e-12)
    expect_within(risk$total, l12 * 0.25 * pnorm(cut, 25, 4) + 0.75 * pnorm(-cut, -15, 4), 1e-12)
  }
})

test_that("OCR with costs: at 3 to 1 cost and prior cancel", {
  by_cost <- bayes_risk(letters_model(), letters_cost(3))
  likelihood <- bayes_risk(letters_model(), letters_cost(3), rule = "likelihood")
  expect_within(by_cost$table["b", "a"], 0.25 * pnorm(-1.25), 1e-12)
  pixels <- data.frame(pixels = c(0:19, 21:40))
  uniform <- predict(letters_model(), pixels, prior = "uniform")
  expect_identical(predict(letters_model(), pixels, cost = letters_cost(3)), uniform)
  # The rule named "likelihood" counts the costs too
  expect_gt(likelihood$reducible, 0)
})

test_that("Formula 6 turns round where the wrong action is the cheap one", {
  swapped <- suppressWarnings(cost_matrix(a = c(a = 1, b = 0), b = c(a = 0, b = 5)))
  threshold <- decision_threshold(swapped, object = letters_model())
  expect_identical(threshold$class, "b")
  expect_within(threshold$posterior, 1 / 6, 1e-14)
  expect_within(threshold$likelihood_ratio, 3 / 5, 1e-14)
  # l21 - l11 < 0 < l12 - l22: a is dearer whatever is true
  never <- suppressWarnings(cost_matrix(a = c(a = 2, b = 1), b = c(a = 1, b = 0)))
  expect_identical(decision_threshold(cost = never)$posterior, Inf)
})

test_that("Smoke detector and diagnosis: thresholds 1/2, 1/11, 1/101, 1/1001", {
  for (miss in c(1, 10, 100, 1000)) {
    cost <- cost_matrix(alarm = c(fire = 0, none = 1), quiet = c(fire = miss, none = 0))
    threshold <- decision_threshold(cost = cost)
    expect_identical(c(threshold$action, threshold$class), c("alarm", "fire"))
    expect_within(threshold$posterior, 1 / (1 + miss), 1e-14)
    expect_within(threshold$log_odds, -log(miss), 1e-14)
  }
})

test_that("OCR with a reject action: cuts, rate, errors and risk", {
  expected <- rbind(
    c(0.05, 17.046677, 26.468882, 0.381749, 0.007400, 0.011969, 0.026487),
    c(0.10, 18.242220, 25.273339, 0.273194, 0.015224, 0.020946, 0.042543),
    c(0.20, 19.539709, 23.975851, 0.165051, 0.030842, 0.036939, 0.063852)
  )
  for (i in seq_len(nrow(expected))) {
    d <- expected[i, 1]
    cost <- zero_one_cost(c("a", "b"), reject = d)
    regions <- decision_regions(letters_model(), cost)
    expect_identical(as.character(regions$decision), c("a", "reject", "b"))
    cuts <- regions$to[1:2]
    expect_printed(cuts, expected[i, 2:3], 6)
    log_odds <- log((1 - d) / d)
    expect_within(cuts, 20 + 1.6 * (log(3) + c(-1, 1) * log_odds), 1e-12)

    risk <- bayes_risk(letters_model(), cost)
    rate <- sum(risk$table[, "reject"])
    error <- risk$table["a", "b"] + risk$table["b", "a"]
    expect_printed(rate, expected[i, 4], 6)
    expect_printed(error, expected[i, 5], 6)
    expect_printed(error / (1 - rate), expected[i, 6], 6)
    expect_printed(risk$total, expected[i, 7], 6)
    expect_within(
      error, 0.25 * pnorm(cuts[[1]], 25, 4) + 0.75 * pnorm(-cuts[[2]], -15, 4), 1e-12
    )
    expect_within(risk$total, error + d * rate, 1e-12)
  }
})

test_that("Error regions: three regions, the far crossing at -47.4313892025", {
  regions <- decision_regions(humps_model())
  expect_identical(as.character(regions$decision), c("C2", "C1", "C2"))
  expect_printed(regions$to[[1]], -47.4313892025, 10)
  expect_printed(regions$to[[2]], 4.534771164, 9)
  expect_identical(regions$from[2:3], regions$to[1:2])
  joint <- humps_joint(regions$to[[2]])
  expect_within(joint[, "C1"], joint[, "C2"], 1e-12)
})

test_that("Error regions: red, green and blue at 5.8, and the Bayes error", {
  best <- bayes_risk(humps_model())
  expect_printed(best$total, 0.224854915, 9)
  risk <- bayes_risk(humps_model(), rule = function(x) ifelse(x$x < 5.8, "C1", "C2"))
  red <- risk$reducible
  green <- risk$table["C2", "C1"] - red
  blue <- risk$table["C1", "C2"]
  expect_printed(red, 0.065536493, 9)
  expect_printed(green, 0.134463507, 9)
  expect_printed(blue, 0.090391408, 9)
  expect_printed(risk$total, 0.290391408, 9)
  expect_within(green + blue, best$total, 1e-12)
  expect_within(risk$table["C2", "C1"], 0.4 * pnorm(0), 1e-12)
  expect_within(blue, 0.6 * (0.7 * pnorm(-5.8, -3, 0.9) + 0.3 * pnorm(0)), 1e-12)

  lower <- function(x) pmin(humps_joint(x)[, "C1"], humps_joint(x)[, "C2"])
  area <- function(f, from, to) stats::integrate(f, from, to, rel.tol = 1e-11)$value
  x0 <- decision_regions(humps_model())$to[[2]]
  expect_within(green, area(lower, -10, x0) + area(lower, x0, 5.8), 1e-8)
  expect_within(blue, area(lower, 5.8, 15), 1e-8)
  expect_within(
    red, area(function(x) humps_joint(x)[, "C2"] - humps_joint(x)[, "C1"], x0, 5.8), 1e-8
  )
})

test_that("PlayGolf: the table of the slide is play_tennis, and its query is not in it", {
  expect_identical(dim(play_tennis), c(14L, 5L))
  expect_identical(as.vector(table(play_tennis$play)), c(9L, 5L))
  expect_identical(nrow(merge(play_query(), play_tennis)), 0L)
})

test_that("PlayGolf: priors and class-conditional probabilities by counting (11, 12)", {
  estimate <- coef(golf())
  expect_within(estimate$prior[c("yes", "no")], c(9, 5) / 14, 1e-14)
  expect_printed(estimate$prior[c("yes", "no")], c(0.64, 0.36), 2)
  seen <- rbind(
    outlook = estimate$outlook[c("yes", "no"), "sunny"],
    temperature = estimate$temperature[c("yes", "no"), "cool"],
    humidity = estimate$humidity[c("yes", "no"), "high"],
    wind = estimate$wind[c("yes", "no"), "strong"]
  )
  expect_within(seen, cbind(c(2, 3, 3, 3) / 9, c(3, 1, 4, 3) / 5), 1e-14)
  expect_printed(seen, cbind(c(0.22, 0.33, 0.33, 0.33), c(0.60, 0.20, 0.80, 0.60)), 2)
  for (feature in c("outlook", "temperature", "humidity", "wind")) {
    counts <- table(play_tennis$play, play_tennis[[feature]])
    expect_within(
      estimate[[feature]][rownames(counts), colnames(counts)], prop.table(counts, 1), 1e-14
    )
  }
})

test_that("PlayGolf: scores 1/189 and 18/875, posterior 125/611 and 486/611", {
  scores <- exp(predict(golf(), play_query(), type = "log_joint"))
  expect_within(scores[, c("yes", "no")], c(1 / 189, 18 / 875), 1e-14)
  expect_printed(scores[, "yes"], 0.0053, 4)
  # The slide has 0.0207, the product of factors rounded to two digits
  expect_printed(scores[, "no"], 0.0206, 4)
  expect_within(sum(scores), 611 / 23625, 1e-14)
  expect_within(
    predict(golf(), play_query(), type = "log_joint")[, c("yes", "no")],
    -log(c(189, 875 / 18)), 1e-14
  )
  posterior <- predict(golf(), play_query(), type = "prob")
  expect_within(posterior[, c("yes", "no")], c(125, 486) / 611, 1e-14)
  # The slide has .204 and .796
  expect_printed(posterior[, c("yes", "no")], c(0.205, 0.795), 3)
  expect_identical(as.character(predict(golf(), play_query())), "no")
})

test_that("PlayGolf: what the printed factors give", {
  printed <- rbind(yes = c(0.22, 0.33, 0.33, 0.33), no = c(0.60, 0.20, 0.80, 0.60))
  rounded <- bayes_theorem(c(yes = 0.64, no = 0.36), printed)
  expect_printed(rounded$score, c(0.00506, 0.02074), 5)
  expect_within(rounded$score[[2]], 0.020736, 1e-14)
  expect_printed(rounded$posterior[[1]], 0.196, 3)
})

test_that("PlayGolf: contributions are the factors of (10)", {
  parts <- exp(contributions(golf(), play_query())[1, , ])
  expect_within(parts["(prior)", c("yes", "no")], c(9, 5) / 14, 1e-14)
  expect_within(parts["outlook", c("yes", "no")], c(2 / 9, 3 / 5), 1e-14)
  expect_within(apply(parts, 2, prod)[c("yes", "no")], c(1 / 189, 18 / 875), 1e-14)
})

test_that("Laplace (20): denominator plus number of values, prior as counted", {
  smoothed <- exp(predict(golf(1), play_query(), type = "log_joint"))
  expect_within(smoothed[, c("yes", "no")], c(6 / 847, 25 / 1372), 1e-14)
  expect_printed(smoothed[, c("yes", "no")], c(0.0070838, 0.0182216), 7)
  posterior <- predict(golf(1), play_query(), type = "prob")
  expect_within(posterior[, "no"], 3025 / 4201, 1e-14)
  expect_printed(posterior[, "no"], 0.720067, 6)
  estimate <- coef(golf(1))
  for (table in estimate[-1]) expect_within(rowSums(table), rep(1, 2), 1e-14)
})

test_that("Laplace: the prior smoothed too, and the m-estimate", {
  prior <- c(yes = 10 / 16, no = 6 / 16)
  older <- golf(1, prior = prior)
  expect_within(
    exp(predict(older, play_query(), type = "log_joint"))[, c("yes", "no")],
    c(5 / 726, 15 / 784), 1e-14
  )
  expect_within(predict(older, play_query(), type = "prob")[, "no"], 1089 / 1481, 1e-14)
  expect_printed(predict(older, play_query(), type = "prob")[, "no"], 0.735314, 6)
  m_estimate <- fit(
    bayes_naive(categorical = likelihood_categorical(m = 1)), play ~ ., play_tennis
  )
  expect_within(
    exp(predict(m_estimate, play_query(), type = "log_joint"))[, c("yes", "no")],
    c(49 / 8000, 25 / 1296), 1e-14
  )
  expect_within(predict(m_estimate, play_query(), type = "prob")[, "no"], 12500 / 16469, 1e-14)
  expect_printed(predict(m_estimate, play_query(), type = "prob")[, "no"], 0.759002, 6)
})

test_that("Laplace with the number of classes is no table of probabilities", {
  outlook <- table(play_tennis$play, play_tennis$outlook)
  wrong <- (outlook + 1) / (rowSums(outlook) + 2)
  expect_within(rowSums(wrong)[c("yes", "no")], c(12 / 11, 8 / 7), 1e-14)
  counts <- rbind(yes = c(2, 3, 3, 3), no = c(3, 1, 4, 3))
  theorem <- bayes_theorem(c(yes = 9 / 14, no = 5 / 14), (counts + 1) / (c(9, 5) + 2))
  expect_within(theorem$score, c(864 / 102487, 400 / 16807), 1e-14)
  expect_within(theorem$posterior[[2]], 366025 / 495679, 1e-14)
  expect_printed(theorem$posterior[[2]], 0.738432, 6)
  expect_bayesrisk_error(
    bayes_known(c(yes = 9, no = 5) / 14, outlook = unclass(wrong)), "argument", "sum"
  )
})

test_that("Laplace: a value unseen in one class, an overcast day", {
  overcast <- play_query("overcast")
  expect_within(
    exp(predict(golf(), overcast, type = "log_joint"))[, c("yes", "no")], c(2 / 189, 0), 1e-14
  )
  expect_within(predict(golf(), overcast, type = "prob")[, c("yes", "no")], c(1, 0), 1e-14)
  expect_within(
    exp(predict(golf(1), overcast, type = "log_joint"))[, c("yes", "no")],
    c(10 / 847, 25 / 5488), 1e-14
  )
  posterior <- predict(golf(1), overcast, type = "prob")
  expect_within(posterior[, "yes"], 1568 / 2173, 1e-14)
  expect_printed(posterior[, "yes"], 0.721583, 6)
})

test_that("Pairwise is not mutual independence: Z = X xor Y (9)", {
  cells <- data.frame(x = c(0, 0, 1, 1), y = c(0, 1, 0, 1), z = c(0, 1, 1, 0), n = 1)
  joint <- joint_table(cells)
  pairs <- summary(joint)$pairs
  expect_identical(nrow(pairs), 3L)
  expect_true(all(pairs$independent))
  expect_within(event_probability(joint, x == "1" & y == "1" & z == "1"), 0, 1e-14)
  product <- event_probability(joint, x == "1") * event_probability(joint, y == "1") *
    event_probability(joint, z == "1")
  expect_within(product, 1 / 8, 1e-14)
})

test_that("Binomial MLE on PlayGolf: 9/14 maximises the likelihood (13)-(17)", {
  theta <- coef(golf())$prior[["yes"]]
  expect_within(theta, 9 / 14, 1e-14)
  expect_identical(choose(14, 9), 2002)
  expect_within(dbinom(9, 14, theta), 2002 * theta^9 * (1 - theta)^5, 1e-12)
  expect_printed(dbinom(9, 14, theta), 0.218124365, 9)
  expect_printed(dbinom(9, 14, theta, log = TRUE), -1.522689897, 9)

  # The kernel is the log likelihood of a model of the class alone
  alone <- fit(bayes_naive(), play ~ 1, play_tennis)
  kernel <- as.numeric(logLik(alone))
  expect_printed(kernel, -9.124591856, 9)
  expect_within(kernel, 9 * log(9 / 14) + 5 * log(5 / 14), 1e-12)
  expect_within(kernel + log(2002), dbinom(9, 14, theta, log = TRUE), 1e-12)

  first <- 9 / theta - 5 / (1 - theta)
  second <- -9 / theta^2 - 5 / (1 - theta)^2
  expect_within(first, 0, 1e-12, scale = 1)
  expect_within(second, -2744 / 45, 1e-12)
  expect_within(second, -14^3 / (9 * 5), 1e-12)
  expect_printed(second, -60.977778, 6)
  expect_true(all(dbinom(9, 14, c(0.5, 0.6, 0.7)) < dbinom(9, 14, theta)))
})

test_that("Binomial MLE at the border: k = n, where the derivative (15) has no zero", {
  data <- data.frame(y = factor(rep("c1", 4), c("c1", "c2")))
  expect_warning(always <- fit(bayes_naive(), y ~ 1, data), "class \"c1\"")
  expect_identical(unname(coef(always)$prior), c(1, 0))
})

test_that("The multinomial distribution (18, 19)", {
  counts <- expand.grid(k1 = 0:5, k2 = 0:5)
  counts$k3 <- 5 - counts$k1 - counts$k2
  counts <- counts[counts$k3 >= 0, ]
  p <- c(2, 4, 3) / 9
  total <- sum(apply(counts, 1, dmultinom, prob = p))
  expect_within(total, 1, 1e-12)
  expect_within(dmultinom(c(9, 5), prob = c(0.3, 0.7)), dbinom(9, 14, 0.3), 1e-12)
  # Its maximum likelihood estimate is the row of the table
  outlook <- coef(golf())$outlook["yes", c("sunny", "overcast", "rain")]
  expect_within(outlook, c(2, 4, 3) / 9, 1e-14)
  best <- dmultinom(c(2, 4, 3), prob = outlook)
  expect_within(best, 1260 * prod((c(2, 4, 3) / 9)^c(2, 4, 3)), 1e-12)
  expect_true(best > dmultinom(c(2, 4, 3), prob = c(3, 4, 2) / 9))
})

test_that("The Gaussian density (21), above 1 for setosa", {
  setosa <- fit(bayes_naive(variance = "ml"), Species ~ Sepal.Length, iris)
  log_density <- predict(setosa, data.frame(Sepal.Length = 5), type = "log_likelihood")
  expect_printed(exp(log_density[, "setosa"]), 1.143, 3)
  parameters <- coef(setosa)$Sepal.Length
  expect_within(
    log_density[, rownames(parameters)],
    dnorm(5, parameters[, "mean"], parameters[, "sd"], log = TRUE), 1e-12, scale = 1
  )
})

test_that("The Gaussian MLE: mean and variance by class (27), (29), unbiased (30)", {
  ml <- coef(fit(bayes_naive(variance = "ml"), Species ~ Sepal.Length, iris))$Sepal.Length
  unbiased <- coef(fit(bayes_naive(), Species ~ Sepal.Length, iris))$Sepal.Length
  species <- c("setosa", "versicolor", "virginica")
  expect_within(ml[species, "mean"], c(2503 / 500, 742 / 125, 1647 / 250), 1e-14)
  expect_within(
    ml[species, "sd"]^2, c(30441 / 250000, 16319 / 62500, 12383 / 31250), 1e-12
  )
  expect_within(
    unbiased[species, "sd"]^2, c(30441 / 245000, 16319 / 61250, 1769 / 4375), 1e-12
  )
  expect_within(ml[, "sd"]^2 / unbiased[, "sd"]^2, rep(49 / 50, 3), 1e-12)
})

test_that("The Gaussian MLE is a maximum: no other mean or variance is likelier", {
  x <- iris$Sepal.Length[iris$Species == "setosa"]
  one <- fit(bayes_naive(variance = "ml"), Species ~ Sepal.Length, iris)
  best <- coef(one)$Sepal.Length["setosa", ]
  log_likelihood <- function(mean, variance) sum(dnorm(x, mean, sqrt(variance), log = TRUE))
  top <- log_likelihood(best[["mean"]], best[["sd"]]^2)
  for (step in c(-0.01, 0.01)) {
    expect_lt(log_likelihood(best[["mean"]] + step, best[["sd"]]^2), top)
    expect_lt(log_likelihood(best[["mean"]], best[["sd"]]^2 * (1 + step)), top)
  }
})

test_that("The ML variance is biased: its average is (n - 1)/n of the truth (30)", {
  # All samples of three from the values 0, 1, 3, each as probable: variance 14/9
  samples <- expand.grid(x1 = c(0, 1, 3), x2 = c(0, 1, 3), x3 = c(0, 1, 3))
  long <- data.frame(
    x = as.vector(t(as.matrix(samples))), sample = factor(rep(seq_len(27), each = 3))
  )
  constant <- apply(samples, 1, function(row) all(row == row[[1]]))
  varied <- droplevels(long[!rep(constant, each = 3), ])
  mean_of <- function(variance) {
    estimate <- coef(fit(bayes_naive(variance = variance), sample ~ x, varied))$x
    sum(estimate[, "sd"]^2) / 27
  }
  expect_within(mean_of("ml"), 2 / 3 * 14 / 9, 1e-12)
  expect_within(mean_of("unbiased"), 14 / 9, 1e-12)
})

test_that("Multivariate Gaussians (31), (32): mean and covariance of ML, and the density", {
  block <- coef(fit(bayes_full(variance = "ml"), Species ~ ., iris))$numeric
  setosa <- as.matrix(iris[iris$Species == "setosa", -5])
  expect_within(block$mean["setosa", ], colMeans(setosa), 1e-12)
  expect_within(block$covariance$setosa, crossprod(scale(setosa, scale = FALSE)) / 50, 1e-12)
  full <- fit(bayes_full(variance = "ml"), Species ~ ., iris)
  log_density <- predict(full, iris[1, ], type = "log_likelihood")
  expect_within(
    log_density[, "setosa"],
    log_dmvnorm(unlist(iris[1, -5]), block$mean["setosa", ], block$covariance$setosa), 1e-10
  )
})

test_that("Multivariate Gaussians: 10 covariance parameters and 4 means per class", {
  full <- fit(bayes_full(), Species ~ ., iris)
  naive <- fit(bayes_naive(), Species ~ ., iris)
  expect_identical(attr(logLik(full), "df"), 3 * (4 + 10) + 2)
  expect_identical(attr(logLik(naive), "df"), 3 * (4 + 4) + 2)
})
