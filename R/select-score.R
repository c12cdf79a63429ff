# The judges of a search: what a move gains. See search_moves().

#' @name search_blocks
#' @section Evidence and BIC:
#' The evidence is the mean of the likelihood of a block in a class over a proper prior that is
#' worth one case (Kass and Wasserman 1995). The prior of a small block is the marginal of that of a
#' larger one, so blocks of different sizes compare (Geiger and Heckerman 2002).
#'
#' For a block of \eqn{p} numbers let \eqn{n} be the weight of the class, \eqn{S} its scatter matrix
#' and \eqn{D} the diagonal of \eqn{S}. The prior of the covariance is inverse Wishart with
#' \eqn{p + 1} degrees of freedom and scale \eqn{D / n}: correlations are uniform from -1 to 1. That
#' of the mean is normal around the sample mean with this covariance, so it favours no block. The
#' prior is the likelihood to the power \eqn{1 / n}, with \eqn{D} in place of \eqn{S} (Hoff 2009).
#' The evidence is
#' \deqn{\pi^{-np/2} (1 + n)^{-p/2}
#'   \frac{\Gamma_p((n + p + 1) / 2)}{\Gamma_p((p + 1) / 2)}
#'   \frac{|D / n|^{(p + 1) / 2}}{|S + D / n|^{(n + p + 1) / 2}}}{
#'   pi^(-n p / 2) (1 + n)^(-p / 2) Gamma_p((n + p + 1) / 2) / Gamma_p((p + 1) / 2)
#'   |D / n|^((p + 1) / 2) / |S + D / n|^((n + p + 1) / 2)}
#' with the multivariate gamma function \eqn{\Gamma_p}{Gamma_p}: gains depend on correlations alone.
#' With `covariance = "pooled"` or `shrinkage = 1` all classes share the covariance of a block:
#' \eqn{n} and \eqn{S} are sums over classes, and \eqn{(1 + n)^{-p/2}}{(1 + n)^(-p / 2)} is a
#' product over classes. Single features keep their variances, so gains depend on these, too. Other
#' `shrinkage`, `identity` and `borrow` do not enter.
#'
#' The probabilities of a joint table of \eqn{C} cells have a Dirichlet distribution with parameters
#' \eqn{1 / C} (BDeu with sample size 1: Heckerman, Geiger and Chickering 1995). With counts
#' \eqn{n_c} that add up to \eqn{n} the evidence is
#' \deqn{\frac{1}{\Gamma(1 + n)} \prod_c \frac{\Gamma(n_c + 1/C)}{\Gamma(1/C)}.}{
#'   1 / Gamma(1 + n) prod over c of Gamma(n_c + 1 / C) / Gamma(1 / C).}
#' `likelihood_categorical(m = 1)` estimates the means of these probabilities, so it fits the tables
#' that the evidence compares.
#'
#' BIC is on the same scale: the largest log likelihood, minus \eqn{\frac{1}{2} \log
#' n}{log(n) / 2} for each parameter, where \eqn{n} is the weight of all classes (-1/2 times
#' [BIC()]). In a class with too few rows for the covariance of a block its features count as
#' independent.
#' @references
#' Geiger, D. and Heckerman, D. (2002). Parameter priors for directed acyclic graphical models and
#' the characterization of several probability distributions. *Annals of Statistics* 30, 1412-1440.
#'
#' Heckerman, D., Geiger, D. and Chickering, D. M. (1995). Learning Bayesian networks: the
#' combination of knowledge and statistical data. *Machine Learning* 20, 197-243.
#'
#' Hoff, P. D. (2009). *A First Course in Bayesian Statistical Methods*. Springer. Section 5.3 and
#' exercise 7.1: unit information priors.
#'
#' Kass, R. E. and Wasserman, L. (1995). A reference Bayesian test for nested hypotheses and its
#' relationship to the Schwarz criterion. *Journal of the American Statistical Association* 90,
#' 928-934.
NULL

# Gains in log evidence or BIC. The score of a block does not depend on the other blocks, so each
# block is scored once. `scorers`: see block_scorers().
evidence_judge <- function(space, scorers, rows, call) {
  known <- list(keys = character(), value = numeric(), singular = logical())
  look_up <- function(blocks) {
    keys <- vapply(blocks, paste, "", collapse = " ")
    kinds <- space$kinds[vapply(blocks, `[[`, 1L, 1L)]
    open <- !duplicated(keys) & !keys %in% known$keys
    for (kind in unique(kinds[open])) {
      at <- which(open & kinds == kind)
      found <- scorers[[kind]](blocks[at])
      known <<- Map(c, known, list(keys[at], found$value, found$singular))
    }
    lapply(known[-1L], `[`, match(keys, known$keys))
  }
  check_regular(space, look_up(space$start), call)
  weigh <- function(moves, pool) {
    at <- which(is.na(moves$gain))
    if (!length(at)) return(moves)
    open <- moves[at, ]
    blocks <- list(pool$blocks)
    after <- Map(blocks_after, open$first, open$second, open$leaving, MoreArgs = blocks)
    before <- Map(blocks_before, open$first, open$second, MoreArgs = blocks)
    after <- total_scores(after, look_up)
    moves$gain[at] <- after$value - total_scores(before, look_up)$value
    moves$refused[at] <- after$singular > 0
    moves$error[at] <- 0
    moves
  }
  score <- function(pool) sum(look_up(pool$blocks[pool$alive])$value)
  # Rounding grows with the number of rows.
  list(weigh = weigh, score = score, limit = 1e-10 * max(1, rows))
}

# `parts`: for each move a list of blocks.
total_scores <- function(parts, look_up) {
  found <- look_up(unlist(parts, recursive = FALSE))
  move <- rep(seq_along(parts), lengths(parts))
  lapply(found, function(x) as.vector(rowsum(as.double(x), move)))
}

check_regular <- function(space, scores, call) {
  bad <- which(scores$singular)
  if (!length(bad)) return(invisible())
  block <- block_labels(space$start[bad[[1L]]], space$labels)
  abort_degenerate(c(
    "The covariance of block {.field {block}} cannot be estimated: it is singular.",
    i = "{.fn fit} can estimate it, with {.code identity = \"auto\"}; a search cannot compare it.",
    i = "Start from {.code bayes_naive()}: blocks are merged only if their covariance exists."
  ), call)
}

# list(score (for each kind a function that scores blocks), rows (for each kind the rows used and
# left out), reads (a function: how often larger tables were counted)).
block_scorers <- function(space, cases, criterion, call) {
  spec <- space$spec
  settings <- list(
    bic = criterion == "bic", pooled = spec$covariance == "pooled" || spec$shrinkage == 1,
    borrow = spec$degenerate == "pool" || spec$borrow > 0 || spec$shrinkage > 0 ||
      is_auto(spec$identity) || spec$identity > 0
  )
  open <- unlist(space$start)
  places <- function(kind) sort(open[space$kinds[open] == kind])
  numbers <- number_scorer(places("numeric"), cases, settings, call)
  tables <- table_scorer(places("categorical"), cases, settings, call)
  list(
    score = list(numeric = numbers$score, categorical = tables$score),
    rows = Filter(length, list(numeric = numbers$rows, categorical = tables$rows)),
    reads = tables$reads
  )
}

# All blocks of numbers are scored from one scatter, of the rows in which all numbers are known.
number_scorer <- function(places, cases, settings, call) {
  if (!length(places)) return(list())
  counted <- collect_blocks(list(places), cases, call)
  statistics <- counted$statistics[[1L]]
  check_complete(sum(statistics$rows), statistics$missing, places, cases, call)
  score <- function(blocks) {
    members <- lapply(blocks, match, places)
    call_engine(score_gaussian_blocks_cpp(
      counted$banks, cases$groups, length(cases$columns), counted$statistics, members, settings
    ), call)
  }
  list(score = score, rows = c(used = sum(statistics$rows), left = statistics$skipped))
}

# Tables are counted when they are asked for: those of pairs at once, larger ones in later reads.
# All are of the rows in which all categories are known.
table_scorer <- function(places, cases, settings, call) {
  if (!length(places)) return(list())
  complete <- complete_cases(cases, places, call)
  check_complete(complete$used, complete$missing, places, cases, call)
  cases <- complete$cases
  reads <- 0L
  score <- function(blocks) {
    if (any(lengths(blocks) > 2L)) reads <<- reads + 1L
    value <- by_parts(blocks, function(part) {
      counted <- collect_blocks(part, cases, call)
      call_engine(score_tables_cpp(
        counted$banks, cases$groups, length(cases$columns), counted$statistics, settings
      ), call)
    })
    list(value = value, singular = logical(length(value)))
  }
  list(
    score = score, rows = c(used = complete$used, left = complete$left), reads = function() reads
  )
}

check_complete <- function(rows, missing, places, cases, call) {
  if (rows > 0) return(invisible())
  labels <- names(cases$schema$features)[places]
  worst <- labels[[which.max(missing)]]
  abort_data(c(
    "No row has all of {.field {labels}}: blocks are compared on complete rows.",
    i = "{.field {worst}} is missing most often. Leave it out of the formula of the search."
  ), call)
}

# Gains in out-of-fold cost. All present moves are candidates of a cross-validation on the same
# folds; the first candidate is the present structure. The 95 % interval of a gain must be above 0.
# `read`: list(cost, folds, threads).
cost_judge <- function(space, cases, read, call) {
  costs <- function(structures) {
    specs <- lapply(structures, function(blocks) list(spec = with_blocks(space, blocks)))
    cross_costs(stats::setNames(specs, seq_along(specs)), cases, read, call)
  }
  weigh <- function(moves, pool) {
    now <- pool$blocks[pool$alive]
    after <- Map(function(first, second, leaving) {
      kept <- setdiff(pool$alive, c(first, second))
      c(pool$blocks[kept], blocks_after(first, second, leaving, pool$blocks))
    }, moves$first, moves$second, moves$leaving)
    # The candidates of one read have their statistics in memory at the same time.
    for (part in in_batches(seq_along(after), candidates_at_once)) {
      found <- costs(c(list(now), after[part]))
      moves$gain[part] <- -found$difference[-1L]
      moves$error[part] <- stats::qnorm(0.975) * found$difference_error[-1L]
      moves$refused[part] <- found$decided[-1L] < found$decided[[1L]]
    }
    moves
  }
  score <- function(pool) {
    cost <- costs(list(pool$blocks[pool$alive]))$cost
    if (is.finite(cost)) return(cost)
    abort_data(c(
      "No held-out case has a decision with a finite cost.",
      i = "Each class needs rows in several folds."
    ), call)
  }
  list(weigh = weigh, score = score, limit = 1e-12)
}

candidates_at_once <- 50L

cross_costs <- function(candidates, cases, read, call) {
  cases$features <- rep(cases$features, length(candidates))
  # The classes are reported once, before the search.
  design <- without_class_report(new_cv_design(candidates, cases, read$folds, call))
  found <- call_engine(cross_validate_cpp(
    design, read$cost, numeric(), NULL, NULL, read$threads
  ), call)
  check_data_problems(found$diagnostics, cases, call)
  risks <- found$risks
  c(risks[c("cost", "difference")], list(
    difference_error = found$means$difference[, 2L], decided = colSums(risks$fold_decided)
  ))
}
