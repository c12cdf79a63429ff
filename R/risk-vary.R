# The varying parameter of a break-even or a sweep: the prior of a class, or a cost.

# One varying parameter. `decision` and `truth` are positions (0 for none); `prior` is the current
# prior; `base` is the prior that the engine scores with.
read_vary <- function(vary, class, actions, prior, classes, weight, call) {
  if (identical(vary, "prior")) {
    return(prior_vary(check_varied_class(class, classes, call), prior, classes, weight, call))
  }
  if (!is.null(class)) {
    abort_argument("{.arg class} is for {.code vary = \"prior\"}; a cost has its {.field truth}.",
                   call)
  }
  check_varied_cost(vary, call)
  at <- function(role, labels) {
    if (role %in% names(vary)) match_label(vary[[role]], labels, "vary", role, call) else 0L
  }
  truth <- at("truth", classes)
  decision <- at("decision", actions)
  list(
    decision = decision, truth = truth, prior = 0, base = prior, kind = "cost",
    label = paste0(
      "cost of ", actions[[decision]], if (truth > 0L) paste(" when truth is", classes[[truth]])
    )
  )
}

check_varied_cost <- function(vary, call) {
  named <- is.character(vary) && !is.object(vary) && is.null(dim(vary)) && !anyNA(vary) &&
    (identical(names(vary), "decision") || identical(sort(names(vary)), c("decision", "truth")))
  if (named) return(invisible())
  names <- if (is.character(vary)) names(vary)
  got <- if (is.null(names)) describe_value(vary) else paste("a vector named", toString(names))
  abort_argument(c(
    "{.arg vary} must be {.val prior}, or name a cost, not {got}.",
    i = "{.code c(decision = \"wait\", truth = \"ill\")} names one cost,
         {.code c(decision = \"refer\")} the costs of an action under every class."
  ), call)
}

# The class whose prior varies. NULL stands for the first of two classes.
check_varied_class <- function(class, classes, call) {
  if (length(classes) == 1L) {
    abort_argument("{.arg vary}: with a single class the prior cannot vary.", call)
  }
  if (!is.null(class)) return(match_label(class, classes, "class", "class", call))
  if (length(classes) == 2L) return(1L)
  abort_argument(c(
    "{.arg class} must say whose prior varies.", i = "The classes are {.val {classes}}."
  ), call)
}

match_label <- function(x, labels, arg, what, call) {
  check_string(x, arg, call)
  if (x %in% labels) return(match(x, labels))
  misspelt <- length(likely_misspellings(x, labels)) > 0L
  abort_unknown(
    "{.arg {arg}}: there is no {what} {.val {x}}.", x, labels,
    if (!misspelt) "There are {.val {labels}}.", call
  )
}

# The base prior: 1 for the varying class. Each other class gets its constant share of the remaining
# probability.
prior_vary <- function(j, prior, classes, weight, call) {
  if (!is.null(weight) && weight[[j]] <= 0) {
    abort_argument("The prior of class {.val {classes[[j]]}} cannot vary: it has no rows.", call)
  }
  shares <- other_shares(j, prior, weight)
  if (is.null(shares) && !is.null(weight) && all(weight[-j] <= 0)) {
    abort_argument(
      "The prior of class {.val {classes[[j]]}} cannot vary: no other class has rows.", call
    )
  }
  if (is.null(shares)) {
    abort_argument(c(
      "The prior of class {.val {classes[[j]]}} is 1: the other priors have no proportions.",
      i = "Give the other classes positive priors with {.arg prior}."
    ), call)
  }
  list(
    decision = 0L, truth = j, prior = prior[[j]], base = replace(shares, j, 1), kind = "prior",
    label = paste("prior of", classes[[j]])
  )
}

can_vary <- function(j, prior, weight) {
  (is.null(weight) || weight[[j]] > 0) && !is.null(other_shares(j, prior, weight))
}

# The shares of the other classes. A single other class has share 1, even if its prior is 0.
other_shares <- function(j, prior, weight) {
  others <- prior
  if (length(prior) == 2L) others <- if (is.null(weight)) c(1, 1) else as.double(weight > 0)
  others[[j]] <- 0
  if (sum(others) > 0) others / sum(others)
}

# The pieces of the lower envelopes of the cases between `from` and `to`, one row for each piece,
# and the lines of all actions (cases x actions). `cases`: a result of varied_cases().
sweep_cases <- function(cases, varied, from, to, threads, call) {
  swept <- call_engine(sweep_cpp(
    cases$log_joint(varied$base), cases$cost, varied$decision, varied$truth, varied$prior, from, to,
    threads
  ), call)
  warn_rows(swept$impossible, cases$lost, "impossible", call)
  report_unpriced(swept, call)
  swept
}
