# Lecture "CSE 4553 Lecture 5: Probabilistic Classifier (Mahmud)": the tables of PlayTennis, the
# query, and the model as one that generates. Fractions by hand.

tennis_model <- function(data = play_tennis) fit(bayes_naive(), play ~ ., data)

tennis_day <- data.frame(
  outlook = "sunny", temperature = "cool", humidity = "high", wind = "strong"
)

test_that("PlayTennis has the fourteen days of the slides, in their order", {
  outlook <- c(
    "sunny", "sunny", "overcast", "rain", "rain", "rain", "overcast", "sunny", "sunny", "rain",
    "sunny", "overcast", "overcast", "rain"
  )
  temperature <- rep(c("hot", "mild", "cool", "mild", "cool", "mild", "hot", "mild"),
                     c(3, 1, 3, 1, 1, 3, 1, 1))
  high <- c(1:4, 8, 12, 14)
  strong <- c(2, 6, 7, 11, 12, 14)
  no <- c(1, 2, 6, 8, 14)
  expect_identical(as.character(play_tennis$outlook), outlook)
  expect_identical(as.character(play_tennis$temperature), temperature)
  expect_identical(play_tennis$humidity == "high", 1:14 %in% high)
  expect_identical(play_tennis$wind == "strong", 1:14 %in% strong)
  expect_identical(play_tennis$play == "no", 1:14 %in% no)
})

test_that("learning phase: priors, and the four tables by counting", {
  given <- coef(tennis_model())
  expect_within(given$prior[c("yes", "no")], c(9, 5) / 14, 1e-14)
  expect_within(given$prior[c("yes", "no")], c(.642857, .357143), 5e-7, scale = 1)
  expect_within(given$outlook["yes", c("sunny", "overcast", "rain")], c(2, 4, 3) / 9, 1e-14)
  expect_within(given$outlook["no", c("sunny", "overcast", "rain")], c(3, 0, 2) / 5, 1e-14)
  expect_within(given$temperature["yes", c("hot", "mild", "cool")], c(2, 4, 3) / 9, 1e-14)
  expect_within(given$temperature["no", c("hot", "mild", "cool")], c(2, 2, 1) / 5, 1e-14)
  expect_within(given$humidity["yes", c("high", "normal")], c(3, 6) / 9, 1e-14)
  expect_within(given$humidity["no", c("high", "normal")], c(4, 1) / 5, 1e-14)
  expect_within(given$wind["yes", c("strong", "weak")], c(3, 6) / 9, 1e-14)
  expect_within(given$wind["no", c("strong", "weak")], c(3, 2) / 5, 1e-14)
  # F * L = 4 * 2 models of a feature given a class.
  expect_identical(sum(vapply(given[-1], nrow, 1L)), 8L)
})

test_that("learning phase: the models of the classes are learned apart", {
  all <- coef(tennis_model())
  for (class in c("yes", "no")) {
    alone <- coef(one_class(tennis_model(play_tennis[play_tennis$play == class, ])))
    for (feature in names(all)[-1]) {
      expect_identical(alone[[feature]][class, ], all[[feature]][class, ])
    }
  }
})

test_that("test phase: the tables are looked up, multiplied and compared", {
  model <- tennis_model()
  found <- exp(contributions(model, tennis_day))[1, , ]
  expect_within(found[, "yes"], c(9 / 14, 2 / 9, 3 / 9, 3 / 9, 3 / 9), 1e-14)
  expect_within(found[, "no"], c(5 / 14, 3 / 5, 1 / 5, 4 / 5, 3 / 5), 1e-14)
  score <- exp(predict(model, tennis_day, type = "log_joint"))
  expect_within(score, c(1 / 189, 18 / 875), 1e-14)
  expect_within(score, c(.005291005, .020571429), 5e-10, scale = 1)
  expect_identical(round(c(score), 4), c(.0053, .0206))
  expect_identical(as.character(predict(model, tennis_day)), "no")
})

test_that("log scores of the query", {
  log_score <- predict(tennis_model(), tennis_day, type = "log_joint")
  expect_within(log_score, c(log(1 / 189), log(18 / 875)), 1e-14)
  expect_within(log_score, c(-5.241747, -3.883852), 5e-7, scale = 1)
  # The slide writes scores as P(class | x): they add up to P(x), not to 1.
  evidence <- predict(tennis_model(), tennis_day, type = "log_evidence")
  expect_within(log(sum(exp(log_score))), evidence, 1e-14)
})

test_that("factors rounded to two digits give other scores (PlayGolf)", {
  given <- coef(tennis_model())
  read <- mapply(function(table, value) table[, value], given[-1], tennis_day)
  expect_identical(unname(round(read["yes", ], 2)), c(.22, .33, .33, .33))
  expect_identical(unname(round(read["no", ], 2)), c(.60, .20, .80, .60))
  theorem <- bayes_theorem(round(given$prior, 2), round(read, 2))
  expect_identical(theorem$prior, c(.64, .36))
  expect_within(theorem$score, c(.64 * .22 * .33^3, .36 * .6 * .2 * .8 * .6), 1e-14)
  expect_identical(round(theorem$score, 4), c(.0051, .0207))
  expect_within(theorem$score[[2]], .020736, 1e-14)
  expect_identical(round(theorem$posterior[[1]], 3), .196)
})

test_that("one feature told three times makes the posterior too extreme", {
  repeated <- transform(play_tennis, again = wind, once_more = wind)
  day <- transform(tennis_day, again = wind, once_more = wind)
  # 1/189 (1/3)^2 against 18/875 (3/5)^2
  score <- c(1 / 1701, 162 / 21875)
  expect_within(predict(tennis_model(repeated), day, type = "prob"), score / sum(score), 1e-14)
})

test_that("counts are multinomial: their probabilities add up to 1, two values are binomial", {
  counted <- function(p, size) {
    model <- bayes_known(c(a = 1), x = matrix(p, 1, dimnames = list("a", letters[seq_along(p)])))
    rows <- data.frame(x = letters[seq_along(p)])
    log_p <- predict(model, rows, type = "log_likelihood")[, "a"]
    counts <- as.matrix(expand.grid(rep(list(0:size), length(p))))
    counts <- counts[rowSums(counts) == size, ]
    coefficient <- factorial(size) / apply(factorial(counts), 1, prod)
    list(counts = counts, probability = coefficient * exp(c(counts %*% log_p)))
  }
  three <- counted(c(.2, .5, .3), 4)
  expect_length(three$probability, 15L)
  expect_within(sum(three$probability), 1, 1e-14)
  two <- counted(c(9 / 14, 5 / 14), 14)
  expect_within(two$probability, dbinom(two$counts[, 1], 14, 9 / 14), 1e-13)
})

test_that("a generative model produces data: their shares are those of the tables", {
  model <- tennis_model()
  withr::with_seed(1, {
    before <- .Random.seed
    days <- simulate(model, 20000, seed = 6)
    expect_identical(.Random.seed, before)
  })
  expect_identical(levels(days$play), c("yes", "no"))
  expect_identical(sum(days$play == "no" & days$outlook == "overcast"), 0L)
  share <- function(model) unlist(coef(model))
  p <- share(model)
  rows <- 20000 * c(1, 1, rep(c(9, 5) / 14, 10))
  error <- (share(tennis_model(days)) - p) / sqrt(pmax(p * (1 - p), 1e-12) / rows)
  expect_lt(max(abs(error)), 4.5)
})

test_that("with equal variances the posterior is a logistic function of a weighted sum", {
  model <- fit(bayes_full(covariance = "pooled", variance = "ml"), am ~ wt, mtcars)
  prior <- table(mtcars$am) / 32
  mean <- tapply(mtcars$wt, mtcars$am, mean)
  variance <- sum((mtcars$wt - mean[as.character(mtcars$am)])^2) / 32
  w1 <- (mean[["1"]] - mean[["0"]]) / variance
  w0 <- log(prior[["1"]] / prior[["0"]]) - (mean[["1"]]^2 - mean[["0"]]^2) / (2 * variance)
  posterior <- predict(model, mtcars, type = "prob")[, "1"]
  expect_within(posterior, stats::plogis(w0 + w1 * mtcars$wt), 1e-13)
  expect_within(decision_regions(model)$to[[1]], -w0 / w1, 1e-13)
  # Least squares: the slope has the same sign, but another size
  between <- prior[["0"]] * prior[["1"]] * (mean[["1"]] - mean[["0"]])
  slope <- between / (variance + between * (mean[["1"]] - mean[["0"]]))
  expect_within(coef(stats::lm(am ~ wt, mtcars))[["wt"]], slope, 1e-13)
})

test_that("the three forms of independence fail together, and hold together", {
  ratios <- function(joint) {
    sunny <- event_probability(joint, outlook == "sunny")
    windy <- event_probability(joint, wind == "strong")
    c(
      event_probability(joint, wind == "strong", given = outlook == "sunny") / windy,
      event_probability(joint, outlook == "sunny", given = wind == "strong") / sunny,
      event_probability(joint, outlook == "sunny" & wind == "strong") / (sunny * windy)
    )
  }
  days <- table(play_tennis)
  expect_within(ratios(joint_table(days)), rep(14 / 15, 3), 1e-14)
  products <- outer(
    prop.table(table(outlook = play_tennis$outlook)), prop.table(table(wind = play_tennis$wind))
  )
  expect_within(ratios(joint_table(products)), rep(1, 3), 1e-14)
})
