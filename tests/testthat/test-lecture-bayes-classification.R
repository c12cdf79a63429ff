# Lecture "Chapter ML:IV Statistical Learning: Bayes Classification": its example, the rules that
# it gives, and what becomes of them with smoothing. Fractions were computed by hand.

sporty <- function(...) fit(bayes_naive(...), play ~ ., play_tennis)

sport_day <- function(outlook = "sunny") {
  data.frame(outlook = outlook, temperature = "cool", humidity = "high", wind = "strong")
}

score_of <- function(model, day) exp(predict(model, day, type = "log_joint"))[1, ]

posterior_at <- function(model, day) predict(model, day, type = "prob")[1, ]

test_that("Bayes' theorem for a single event, on every event of the table", {
  joint <- joint_table(table(play_tennis))
  prior <- c(yes = 9 / 14, no = 5 / 14)
  counted <- list(
    outlook = list(sunny = c(2, 3), overcast = c(4, 0), rain = c(3, 2)),
    temperature = list(hot = c(2, 2), mild = c(4, 2), cool = c(3, 1)),
    humidity = list(high = c(3, 4), normal = c(6, 1)), wind = list(weak = c(6, 2), strong = c(3, 3))
  )
  for (feature in names(counted)) {
    for (value in names(counted[[feature]])) {
      n <- counted[[c(feature, value)]]
      theorem <- bayes_theorem(prior, c(yes = n[[1]] / 9, no = n[[2]] / 5))
      expect_within(theorem$posterior, n / sum(n), 1e-14)
      expect_within(sum(theorem$posterior), 1, 1e-14)
      expect_within(sum(theorem$score), sum(n) / 14, 1e-14)
      direct <- event_probability(joint, play == "yes", given = .data[[feature]] == value)
      expect_within(direct, n[[1]] / sum(n), 1e-14)
    }
  }
})

test_that("Bayes' theorem for combined events: forward and reversed", {
  joint <- joint_table(table(play_tennis))
  forward <- c(
    yes = event_probability(joint, humidity == "normal" & wind == "strong", play == "yes"),
    no = event_probability(joint, humidity == "normal" & wind == "strong", play == "no")
  )
  expect_within(forward, c(2 / 9, 1 / 5), 1e-14)
  reversed <- bayes_theorem(c(yes = 9 / 14, no = 5 / 14), forward)
  expect_within(reversed$posterior, c(2 / 3, 1 / 3), 1e-14)
  expect_within(
    event_probability(joint, play == "yes", humidity == "normal" & wind == "strong"), 2 / 3, 1e-14
  )
  # The naive assumption holds for these two within yes (6/9 3/9 = 2/9), not within no.
  naive <- coef(sporty())
  expect_within(
    naive$humidity[, "normal"] * naive$wind[, "strong"], c(2 / 9, 3 / 25), 1e-14
  )
  # The day that is asked for was never seen.
  expect_warning(
    day <- event_probability(
      joint, play == "yes", outlook == "sunny" & temperature == "cool" &
        humidity == "high" & wind == "strong"
    ), class = "bayesrisk_warning_impossible"
  )
  expect_identical(day, NA_real_)
})

test_that("the product is the joint probability where features are independent in the class", {
  # p(a, b | k) = p(a | k) p(b | k) for k = 1, not for k = 2.
  a <- c(.3, .7)
  b <- c(.2, .5, .3)
  within <- list(outer(a, b), rbind(c(.3, .1, .1), c(.1, .2, .2)))
  cells <- expand.grid(a = c("s", "t"), b = c("u", "v", "w"), class = c("one", "two"))
  cells$probability <- c(.4 * within[[1]], .6 * within[[2]])
  model <- fit(bayes_naive(), class ~ ., joint_table(cells))
  naive <- predict(model, cells, type = "log_likelihood")
  expect_within(exp(naive[1:6, "one"]), within[[1]], 1e-14)
  expect_within(exp(naive[1:6, "two"]), outer(c(.5, .5), c(.4, .3, .3)), 1e-14)
})

test_that("the denominator is not needed for the most probable class", {
  model <- sporty()
  every <- expand.grid(lapply(play_tennis[1:4], levels))
  score <- predict(model, every, type = "log_joint")
  posterior <- predict(model, every, type = "prob")
  best <- function(x) colnames(x)[max.col(x, "first")]
  expect_identical(best(score), best(posterior))
  expect_identical(as.character(predict(model, every)), best(score))
  evidence <- exp(predict(model, every, type = "log_evidence"))
  expect_within(evidence, rowSums(exp(score)), 1e-14)
  # Complete and exclusive: the posteriors, and the probabilities of all vectors, add up to 1.
  expect_within(rowSums(posterior), rep(1, 36), 1e-14)
  expect_within(sum(evidence), 1, 1e-13)
})

test_that("incomplete or overlapping classes: a ranking remains, a posterior does not", {
  likelihood <- c(yes = 2 / 243, no = 36 / 625, closed = 1 / 10)
  three <- bayes_theorem(c(yes = 18 / 35, no = 2 / 7, closed = 1 / 5), likelihood)
  expect_within(three$score, c(4 / 945, 72 / 4375, 1 / 50), 1e-14)
  expect_within(three$score[[2]] / three$score[[1]], 486 / 125, 1e-14)
  expect_lt(three$posterior[[2]], 486 / 611)
  car <- data.frame(
    battery = c("flat", "flat", "good", "good"), tank = c("empty", "full", "empty", "full"),
    starts = c("no", "no", "no", "yes"), probability = c(.06, .24, .14, .56)
  )
  expect_within(event_probability(car, battery == "flat", starts == "no"), 15 / 22, 1e-14)
  expect_within(event_probability(car, tank == "empty", starts == "no"), 5 / 11, 1e-14)
})

test_that("36 vectors and 10 values: cells and free numbers of the models", {
  naive <- sporty()
  full <- fit(bayes_full(), play ~ ., play_tennis)
  cells <- function(model) lengths(coef(model)[-1])
  expect_identical(unname(cells(full)), 72L)
  expect_identical(attr(logLik(full), "df"), 71)
  expect_identical(
    cells(naive), c(outlook = 6L, temperature = 6L, humidity = 4L, wind = 4L)
  )
  expect_identical(attr(logLik(naive), "df"), 13)
  # For one vector 2 + 4 * 2 numbers are read.
  expect_length(contributions(naive, sport_day()), 10L)
})

test_that("EnjoySport in four steps: priors, tables, argmax, normalisation", {
  model <- sporty()
  expect_within(coef(model)$prior, c(9 / 14, 5 / 14), 1e-14)
  expect_identical(round(coef(model)$prior, 2), c(yes = .64, no = .36))
  expect_identical(round(coef(model)$wind[["yes", "strong"]], 2), .33)
  expect_identical(as.character(predict(model, sport_day())), "no")
  expect_within(posterior_at(model, sport_day()), c(125 / 611, 486 / 611), 1e-14)
  expect_within(posterior_at(model, sport_day()), c(.204582651, .795417349), 1e-9, scale = 1)
  evidence <- exp(predict(model, sport_day(), type = "log_evidence"))
  expect_within(evidence, 611 / 23625, 1e-14)
  expect_within(evidence, .025862434, 1e-9, scale = 1)
  # The slide prints .0206 and .0053, 80 % and 20 %.
  expect_identical(round(score_of(model, sport_day()), 4), c(yes = .0053, no = .0206))
  expect_identical(round(posterior_at(model, sport_day()), 2), c(yes = .2, no = .8))
})

test_that("who decides by the prior alone errs with the smaller prior", {
  expect_within(bayes_risk(sporty(), rule = "prior")$total, 5 / 14, 1e-14)
  # With more classes: 1 minus the largest.
  three <- bayes_known(
    c(a = .5, b = .3, c = .2), x = rbind(a = c(u = .1, v = .9), b = c(.6, .4), c = c(.8, .2))
  )
  expect_within(bayes_risk(three, rule = "prior")$total, .5, 1e-14)
})

test_that("EnjoySport on its own data: 13 of 14 right, overcast days certain", {
  model <- sporty()
  decided <- predict(model, play_tennis)
  expect_identical(which(decided != play_tennis$play), 6L)
  expect_identical(c(unclass(confusion_table(play_tennis$play, decided))), c(9L, 1L, 0L, 4L))
  p <- predict(model, play_tennis, type = "prob")
  expect_within(p[[6, "yes"]], .822368, 1e-6, scale = 1)
  expect_identical(unname(which(p[, "yes"] == 1)), c(3L, 7L, 12L, 13L))
})

test_that("Laplace with the number of values", {
  model <- sporty(laplace = 1)
  expect_within(score_of(model, sport_day()), c(6 / 847, 25 / 1372), 1e-14)
  expect_within(posterior_at(model, sport_day())[["no"]], 3025 / 4201, 1e-14)
  for (feature in coef(model)[-1]) expect_within(rowSums(feature), c(1, 1), 1e-14)
  expect_identical(coef(update(sporty(), laplace = 1)), coef(model))
})

test_that("Laplace with a smoothed prior, and the m-estimate with m = 1", {
  model <- sporty(laplace = 1, prior = c(yes = 10 / 16, no = 6 / 16))
  expect_within(score_of(model, sport_day()), c(5 / 726, 15 / 784), 1e-14)
  expect_within(posterior_at(model, sport_day())[["no"]], 1089 / 1481, 1e-14)
  model <- sporty(categorical = likelihood_categorical(m = 1))
  expect_within(score_of(model, sport_day()), c(49 / 8000, 25 / 1296), 1e-14)
  expect_within(posterior_at(model, sport_day())[["no"]], 12500 / 16469, 1e-14)
})

test_that("Laplace with the number of classes: no probabilities, by hand only", {
  counts <- lapply(play_tennis[1:4], function(x) table(play_tennis$play, x))
  wrong <- lapply(counts, function(n) (n + 1) / (rowSums(n) + 2))
  expect_within(rowSums(wrong$outlook), c(12 / 11, 8 / 7), 1e-14)
  read <- Map(function(table, value) table[, value], wrong, sport_day())
  theorem <- bayes_theorem(c(yes = 9 / 14, no = 5 / 14), do.call(cbind, read))
  expect_within(theorem$score, c(864 / 102487, 400 / 16807), 1e-14)
  expect_within(theorem$posterior[[2]], 366025 / 495679, 1e-14)
  # Such tables are refused.
  expect_bayesrisk_error(
    bayes_known(c(yes = 9 / 14, no = 5 / 14), outlook = unclass(wrong$outlook)),
    "argument", "outlook"
  )
})

test_that("an overcast day: what one class has never shown", {
  model <- sporty()
  expect_within(score_of(model, sport_day("overcast")), c(2 / 189, 0), 1e-14)
  expect_identical(unname(posterior_at(model, sport_day("overcast"))), c(1, 0))
  smooth <- update(model, laplace = 1)
  expect_within(score_of(smooth, sport_day("overcast")), c(10 / 847, 25 / 5488), 1e-14)
  expect_within(posterior_at(smooth, sport_day("overcast"))[["yes"]], 1568 / 2173, 1e-14)
})

test_that("the query with equal priors", {
  expect_within(
    predict(sporty(), sport_day(), type = "prob", prior = "uniform"), c(625, 4374) / 4999, 1e-14
  )
})
