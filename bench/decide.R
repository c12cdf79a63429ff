# Rscript bench/decide.R: decisions against a matrix product and max.col(), and what a decision
# costs beyond a class, in one R process and on one thread. Prints a line per task: seconds
# (median), and how many times longer than the first it takes. Stores nothing.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
source(file.path(root, "tools", "setup.R"))
prepare(root, "bench")
library(bayesrisk)
source(file.path(root, "bench", "race.R"))

# Three classes, four actions, no two costs alike.
cost <- cost_matrix(
  a = c(a = 0, b = 1, c = 5), b = c(a = 2, b = 0.1, c = 3), c = c(a = 1, b = 4, c = 0.2),
  refer = 0.6
)

must_agree <- function(what, ours, theirs) {
  if (!identical(as.integer(ours), as.integer(theirs))) {
    stop(what, ": the decisions differ", call. = FALSE)
  }
}

# The door alone decides and writes only the decision.
race_posterior <- function(n) {
  set.seed(1)
  p <- matrix(stats::rexp(3 * n), n, dimnames = list(NULL, c("a", "b", "c")))
  p <- p / rowSums(p)
  costs <- as.matrix(cost)
  read <- bayesrisk:::read_posterior(p, colnames(costs), NULL)
  alone <- function() {
    bayesrisk:::decide_posterior_cpp(read$frame, numeric(), costs, "decision", NULL, integer(), 1L)
  }
  product <- function() max.col(-(p %*% t(costs)))
  # As it is timed, max.col() draws lots where costs differ by less than a share of 1e-5.
  expected <- max.col(-(p %*% t(costs)), ties.method = "first")
  must_agree("the decision alone", alone()$value, expected)
  must_agree("decide()", decide(p, cost)$decision, expected)
  must_agree("threads", decide(p, cost, threads = 2)$decision, expected)
  size <- sprintf("%g posteriors of 3 classes, 4 actions", n)
  report(paste("The decision alone,", size), race(list(
    bayesrisk = alone, `max.col(-(p %*% t(cost)))` = product
  ), rounds = 15))
  report(paste("All of decide(),", size), race(list(
    bayesrisk = function() decide(p, cost), `max.col(-(p %*% t(cost)))` = product
  ), rounds = 15))
}

race_model <- function(n, p) {
  set.seed(1)
  code <- sample(rep_len(1:3, n))
  x <- matrix(stats::rnorm(n * p), n, p, dimnames = list(NULL, paste0("x", seq_len(p))))
  x <- x + code / 2
  model <- fit_xy(bayes_naive(), x, factor(letters[code]))
  must_agree(
    "predict(cost = )", predict(model, x, cost = cost),
    decide(predict(model, x, "prob"), cost)$decision
  )
  must_agree(
    "0-1 cost", decide(model, newdata = x)$decision, predict(model, x)
  )
  size <- sprintf("%g x %d, 3 classes", n, p)
  report(paste("Gaussian naive prediction,", size), race(list(
    class = function() predict(model, x), `decision, 4 actions` = function() {
      predict(model, x, cost = cost)
    },
    posterior = function() predict(model, x, "prob"), `all of decide()` = function() {
      decide(model, cost, x)
    }
  ), rounds = 15))
}

race_posterior(1e6)
race_model(1e6, 10L)
