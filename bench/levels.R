# Levels by the hundred: the log loss of rows that were held out (10 folds), with
# laplace = "shared" and with the best of nine fixed Laplace numbers in hindsight.
#
#     Rscript bench/levels.R      # needs nycflights13, modeldata, forcats, dplyr and ggplot2

library(bayesrisk)
options(bayesrisk.columns = FALSE)

fixed <- c(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100)

# The class y and its features, as factors.
as_factors <- function(y, features) data.frame(y = factor(y), lapply(features, factor))

public_sets <- function() {
  flights <- as.data.frame(nycflights13::flights)
  set.seed(1)
  flights <- flights[sample(which(!is.na(flights$arr_delay)), 30000L), ]
  survey <- as.data.frame(forcats::gss_cat)
  survey <- survey[survey$marital != "No answer", ]
  ames <- as.data.frame(modeldata::ames)
  loans <- as.data.frame(modeldata::lending_club)
  jobs <- as.data.frame(modeldata::attrition)
  storms <- as.data.frame(dplyr::storms)
  cars <- as.data.frame(ggplot2::mpg)
  list(
    flights = as_factors(flights$arr_delay > 15, flights[c("tailnum", "dest", "carrier", "hour")]),
    tailnum = as_factors(flights$arr_delay > 15, flights["tailnum"]),
    lending_club = as_factors(loans$Class, loans[
      c("addr_state", "sub_grade", "verification_status", "emp_length", "term")
    ]),
    gss_cat = as_factors(
      survey$marital, survey[c("relig", "denom", "partyid", "rincome", "race", "age")]
    ),
    storms = as_factors(storms$status, storms[c("name", "month", "year")]),
    mpg = as_factors(cars$class, cars[c("model", "manufacturer", "trans", "fl")]),
    ames = as_factors(
      cut(ames$Sale_Price, c(0, stats::quantile(ames$Sale_Price, c(1, 2) / 3), Inf)),
      ames[c("Neighborhood", "MS_SubClass", "Exterior_1st", "Exterior_2nd", "Overall_Cond")]
    ),
    attrition = as_factors(jobs$Attrition, jobs[c("JobRole", "MonthlyIncome", "DailyRate")])
  )
}

# 500 levels, whose shares in the second class are those of the first times a factor.
made_up <- function(change, rows = 5000L, levels = 500L) {
  y <- stats::rbinom(rows, 1L, 0.4)
  first <- stats::rgamma(levels, 0.5)
  second <- change(first)
  level <- ifelse(y == 1L, sample(levels, rows, TRUE, second), sample(levels, rows, TRUE, first))
  as_factors(y, data.frame(level))
}

# The share of the second class in each of 500 levels.
by_level <- function(a, b, rows = 6000L, levels = 500L) {
  share <- stats::rbeta(levels, a, b)
  level <- sample(levels, rows, TRUE)
  as_factors(stats::rbinom(rows, 1L, share[level]), data.frame(level))
}

made_sets <- function() {
  set.seed(3)
  list(
    unlike = made_up(function(first) stats::rgamma(length(first), 0.5)),
    similar = made_up(function(first) first * exp(stats::rnorm(length(first), 0, 0.5))),
    alike = made_up(identity), extreme = by_level(0.5, 0.5), middle = by_level(5, 5),
    rare = by_level(1, 19)
  )
}

losses <- function(data) {
  set.seed(1)
  fold <- sample(rep_len(1:10, nrow(data)))
  loss <- function(laplace, temper = FALSE) {
    posterior <- suppressWarnings(cv_predict(
      bayes_naive(laplace = laplace, temper = temper), y ~ ., data, folds = !!fold
    ))
    -mean(log(pmax(posterior[cbind(seq_along(data$y), as.integer(data$y))], 1e-15)))
  }
  own <- vapply(fixed, loss, 1)
  data.frame(
    rows = nrow(data), levels = max(vapply(data[-1L], nlevels, 1L)), best = min(own),
    laplace = fixed[[which.min(own)]], `laplace 1` = own[[which(fixed == 1)]],
    shared = loss("shared"), difference = loss("shared") - min(own), check.names = FALSE
  )
}

print(do.call(rbind, lapply(c(public_sets(), made_sets()), losses)), digits = 3)
