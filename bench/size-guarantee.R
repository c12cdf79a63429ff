# How often a rule of guarantee() breaks its bound, over samples, and how much it decides.
#
#     Rscript bench/size-guarantee.R [samples] [pattern of settings]
#
# Beside it, on the same samples: its thresholds from the strictest on; all thresholds with delta
# divided by their number (Bonferroni); for 0-1 costs conformal selection (Jin and Candes 2023, at
# the bound as the level), which promises the mean share of errors, not the share of a sample.

suppressMessages(library(bayesrisk))
asked <- commandArgs(TRUE)
samples <- if (length(asked)) as.numeric(asked[[1L]]) else 1000
pattern <- if (length(asked) > 1L) asked[[2L]] else ""
delta <- 0.05

# Two classes whose features depend on each other, which naive Bayes does not know.
dependent <- function(n, shift = 1.1, rho = 0.3, p = 8) {
  y <- sample(c("a", "b"), n, TRUE)
  common <- stats::rnorm(n)
  x <- sqrt(1 - rho) * matrix(stats::rnorm(n * p), n) + sqrt(rho) * common + shift * (y == "b")
  data.frame(y = factor(y), x)
}

three <- function(n) {
  y <- sample(c("a", "b", "c"), n, TRUE, c(0.5, 0.3, 0.2))
  k <- match(y, c("a", "b", "c"))
  x1 <- stats::rnorm(n, c(0, 1.5, 3)[k])
  data.frame(y = factor(y), x1, x2 = stats::rnorm(n, c(0, 2, 1)[k]) + 0.5 * x1)
}

grouped <- function(n) {
  rows <- dependent(n)
  rows$g <- sample(c("u", "v"), n, TRUE)
  rows[rows$g == "v", 2:5] <- rows[rows$g == "v", 2:5] + 0.7
  rows
}

# A maker of rows that adds the column `score`, computed by the function `score`.
scored_by <- function(score) {
  function(n) {
    rows <- dependent(n)
    rows$score <- score(rows)
    rows
  }
}
distance <- function(rows) abs(rowMeans(rows[2:9]) - 0.55)

naive <- function(train) fit(bayes_naive(), y ~ ., train)
naive_without <- function(name) function(train) naive(train[names(train) != name])
probabilities <- function(model, data) predict(model, data, type = "prob")
logistic <- function(train) stats::glm(y ~ ., stats::binomial(), train)
of_logistic <- function(model, data) {
  p <- stats::predict(model, data, type = "response")
  cbind(a = 1 - p, b = p)
}

unequal <- cost_matrix(a = c(a = 0, b = 3, c = 6), b = c(a = 1, b = 0, c = 4),
                       c = c(a = 2, b = 1, c = 0))
curved <- function(n) {
  x <- stats::rnorm(n)
  z <- stats::rnorm(n)
  odds <- 2 * x + x * z + z^2 - 1
  data.frame(y = factor(ifelse(stats::runif(n) < stats::plogis(odds), "b", "a")), x, z)
}

# Each setting: the rows, the model of training rows, its probabilities, the bound, the cost, the
# rows of a sample, the groups and the score.
settings <- list(
  "naive Bayes, dependent features" = list(dependent, naive, probabilities, 0.08, rows = 500),
  "the same, 2,000 rows" = list(dependent, naive, probabilities, 0.08, rows = 2000),
  "the same, tempered" = list(
    dependent, function(train) temper(naive(train), train, threads = 1), probabilities, 0.08,
    rows = 500
  ),
  "logistic regression, curved classes" = list(curved, logistic, of_logistic, 0.2, rows = 500),
  "three classes, unequal costs" = list(
    three, naive, probabilities, 0.3, cost = unequal, rows = 1000
  ),
  "two groups, one shifted" = list(
    grouped, naive_without("g"), probabilities, 0.12, rows = 1000, by = TRUE
  ),
  "nine different scores" = list(
    scored_by(function(rows) -round(4 * pmin(distance(rows), 2)) / 4),
    naive_without("score"), probabilities, 0.12, rows = 500, scored = TRUE
  ),
  "a mean cost that falls" = list(
    scored_by(function(rows) ifelse(stats::runif(nrow(rows)) < 0.15, 9, -1) * distance(rows)),
    naive_without("score"), probabilities, 0.15, rows = 500, scored = TRUE
  ),
  "a score without meaning, mean cost at the bound" = list(
    scored_by(function(rows) stats::runif(nrow(rows))),
    naive_without("score"), probabilities, NA, rows = 500, scored = TRUE
  )
)

# The realised costs and the scores of the population.
population_of <- function(model, setting, data) {
  cost <- if (is.null(setting$cost)) zero_one_cost(c("a", "b")) else setting$cost
  p <- setting[[3L]](model, data)
  decided <- decide(p, cost)
  paid <- cost[cbind(as.character(decided$decision), as.character(data$y))]
  scored <- isTRUE(setting$scored)
  data.frame(
    paid = paid, score = if (scored) data$score else decided$cost,
    group = if (isTRUE(setting$by)) data$g else "all"
  )
}

# Whether a threshold for each group breaks the bound, and what it decides.
judge <- function(threshold, population, bound) {
  kept <- population$score <= threshold[population$group]
  cost <- tapply(population$paid[kept], population$group[kept], mean)
  c(broken = any(cost > bound), decided = mean(kept), none = !any(kept))
}

# Other ways to take a threshold from the tests of a rule.
by_points <- function(points, how) {
  passed <- switch(how,
    strict = cumsum(points$p_value > delta) == 0,
    bonferroni = points$p_value <= delta / nrow(points)
  )
  c(all = if (any(passed)) max(points$threshold[passed]) else -Inf)
}

# Conformal selection: the p values of new cases against the wrong ones of the sample, and the
# rule of Benjamini and Hochberg.
conformal <- function(sample, population, bound) {
  wrong <- sort(sample$score[sample$paid > 0])
  p <- (1 + findInterval(population$score, wrong, left.open = TRUE)) / (nrow(sample) + 1)
  kept <- stats::p.adjust(p, "BH") <= bound
  c(broken = any(kept) && mean(population$paid[kept]) > bound, decided = mean(kept),
    none = !any(kept))
}

one_sample <- function(i, setting) {
  set.seed(i)
  model <- setting[[2L]](setting[[1L]](300))
  rows <- setting[[1L]](setting$rows)
  population <- population_of(model, setting, setting[[1L]](20000))
  bound <- setting[[4L]]
  if (is.na(bound)) bound <- mean(population$paid) * 0.999
  p <- setting[[3L]](model, rows)
  find <- function(...) {
    guarantee(p, rows, rows$y, setting$cost, bound, delta, ..., threads = 1)
  }
  rule <- if (isTRUE(setting$by)) {
    find(by = g)
  } else if (isTRUE(setting$scored)) {
    find(order = score)
  } else {
    find()
  }
  names <- if (isTRUE(setting$by)) as.character(rule$groups$g) else "all"
  found <- list(guarantee = judge(
    stats::setNames(rule$groups$threshold, names), population, bound
  ))
  if (!isTRUE(setting$by)) {
    found$strict <- judge(by_points(rule$points, "strict"), population, bound)
    found$bonferroni <- judge(by_points(rule$points, "bonferroni"), population, bound)
    if (is.null(setting$cost)) {
      found$conformal <- conformal(population_of(model, setting, rows), population[1:2000, ], bound)
    }
  }
  do.call(rbind, Map(function(x, name) data.frame(rule = name, t(x)), found, names(found)))
}

for (name in grep(pattern, names(settings), value = TRUE)) {
  found <- do.call(rbind, lapply(seq_len(samples), one_sample, settings[[name]]))
  cat(name, "\n")
  for (rule in unique(found$rule)) {
    own <- found[found$rule == rule, ]
    limit <- delta + 2 * sqrt(delta * (1 - delta) / samples)
    cat(sprintf(
      "  %-11s breaks its bound in %.3f of samples (limit %.3f), decides %.2f, nothing in %.2f\n",
      rule, mean(own$broken), limit, mean(own$decided), mean(own$none)
    ))
  }
}
