# Numbers of a report that no other function of the package gives as the page needs them. `given`:
# a list of the arguments of decision_report(), with the truth of each case.

# The cases for numbers that take long: at most `most`, spread evenly.
page_cases <- function(data, most = 1000L) rows_at(data, page_rows(row_count(data), most))

page_rows <- function(rows, most = 1000L) {
  if (rows <= most) seq_len(rows) else unique(round(seq(1, rows, length.out = most)))
}

# The weight of each case, as the report weights it; 0 if its class has no share that is known.
page_weights <- function(given, call = rlang::current_env()) {
  rows <- row_count(given$data)
  if (is.null(given$prior)) return(rep(1, rows))
  classes <- page_classes(given, call)
  weight <- (classes$assumed / classes$share)[truth_codes(given$truth, classes$class, rows, call)]
  replace(weight, !is.finite(weight), 0)
}

# The cost of the decisions and of each action taken always, on the same cases: a data frame `rule`,
# `action` (NA: the decisions), `cost`, and what the decisions save, with its interval.
page_constants <- function(given, call = rlang::current_env()) {
  threads <- default_threads()
  none <- list(weights = rlang::quo(), cluster = rlang::quo())
  believed <- believe(
    given$object, given$data, given$cost, given$prior, given$truth, NULL, threads, call
  )
  design <- read_case_design(believed, none, given$data, call)
  actions <- believed$cost$actions
  constant <- lapply(seq_along(actions), function(a) {
    replace(believed, "decision", list(rep(a, length(believed$truth))))
  })
  interval <- read_interval("bayes", page_level, 1, call)
  found <- suppressWarnings(
    compare_on_data(c(list(believed), constant), design, interval, threads, call)$columns
  )
  saved <- data.frame(
    action = c(NA, actions), cost = found$cost, saved = found$difference, lower = found$lower,
    upper = found$upper
  )
  best <- order(saved$cost[-1L], na.last = TRUE)
  saved[c(1L, 1L + best), ]
}

page_level <- 0.95

# The decisions beside the alternatives, the first row those of the model.
page_rivals <- function(given, interval = "bayes") {
  own <- utils::tail(make.unique(c(names(given$alternatives), "this model")), 1L)
  compare_decisions(
    c(stats::setNames(list(given$object), own), given$alternatives), data = given$data,
    cost = given$cost, prior = given$prior, truth = !!given$truth, interval = interval,
    level = page_level
  )
}

# How much each block of features moves the choice: the mean over the cases of the absolute
# contribution to the expected cost of the second best action minus that of the decision. A data
# frame `block`, `moved`, the largest first; NULL if there is a single action.
page_reasons <- function(given) {
  rows <- page_rows(row_count(given$data))
  cases <- rows_at(given$data, rows)
  blocks <- length(block_names(page_plan_of(given$object)))
  parts <- contributions(
    given$object, cases, given$cost, given$prior, if (blocks <= 12L) "shapley" else "given"
  )
  decided <- attr(parts, "decision")
  second <- attr(parts, "runner_up")
  known <- which(!is.na(decided) & !is.na(second))
  if (!length(known)) return(NULL)
  of_action <- function(action) {
    vapply(dimnames(parts)$block[-1L], function(block) {
      parts[cbind(known, match(block, dimnames(parts)$block), as.integer(action)[known])]
    }, numeric(length(known)))
  }
  moved <- of_action(second) - of_action(decided)
  weight <- page_weights(given)[rows][known]
  moved <- colSums(abs(matrix(moved, length(known))) * weight) / sum(weight)
  moved <- data.frame(block = dimnames(parts)$block[-1L], moved = open_as_na(moved))
  structure(
    moved[order(-moved$moved), ], row.names = .set_row_names(nrow(moved)), cases = length(known),
    shapley = blocks <= 12L
  )
}

# What has the plan and the schema of a model, or of models of groups.
page_plan_of <- function(object) {
  if (!is_models(object)) return(object)
  list(plan = attr(object, "plan"), schema = attr(object, "schema"))
}

# Ranges for a tornado: each cost, and the odds of each class, from half to double; the `most` that
# move the expected cost most. `class`: with two classes the one whose odds vary.
page_ranges <- function(given, class, most = 8L, call = rlang::current_env()) {
  varied <- c(ranges_of_priors(given, class, call), ranges_of_costs(given, call))
  over <- function(varied) {
    vary <- list()
    for (one in varied) {
      own <- if (is.null(one$class)) one$range else stats::setNames(list(one$range), one$class)
      vary[[one$of]] <- c(vary[[one$of]], own)
    }
    cost_ranges(given$object, given$data, given$cost, given$prior, vary = vary)
  }
  found <- over(varied)
  if (nrow(found) <= most) return(found)
  widest <- order(found$cost_min - found$cost_max)[seq_len(most)]
  # The rows have the order in which actions are named first.
  names <- vapply(varied, `[[`, "", "of")
  over(varied[order(match(names, names))][sort(widest)])
}

# At most so many costs are varied: the largest ones.
most_varied <- 40L

# list(of, class, range): the prior of a class, from half of its odds to twice of them.
ranges_of_priors <- function(given, class, call) {
  classes <- schema_of(given$object)$classes$levels
  prior <- stats::setNames(predict_prior(given$object, given$prior, call), classes)
  varied <- if (length(classes) == 2L) class else utils::head(classes, most_varied)
  varied <- varied[prior[varied] > 0 & prior[varied] < 1]
  lapply(varied, function(k) {
    p <- prior[[k]]
    list(of = "prior", class = k, range = c(p / (2 - p), 2 * p / (1 + p)))
  })
}

# The cost of an action in a class, or in all if it is the same. Costs of 0, infinite ones and those
# that differ by case have no such range. An action may be called "prior", which is taken.
ranges_of_costs <- function(given, call) {
  classes <- schema_of(given$object)$classes$levels
  cost <- read_cost(given$cost, classes, given$data, row_count(given$data), call, "data")
  fixed <- replace(cost$fixed, cost$by_case$cell, 0)
  fixed[!is.finite(fixed)] <- 0
  fixed[rank(-abs(fixed), ties.method = "first") > most_varied] <- 0
  around <- function(x) sort(c(x / 2, 2 * x))
  found <- lapply(setdiff(cost$actions, "prior"), function(action) {
    row <- fixed[action, ]
    if (all(row != 0) && all(row == row[[1L]])) {
      return(list(list(of = action, class = NULL, range = around(row[[1L]]))))
    }
    lapply(classes[row != 0], function(k) {
      list(of = action, class = k, range = around(row[[match(k, classes)]]))
    })
  })
  unlist(found, recursive = FALSE)
}

# A row for each class: its cases, their share, its share in the population that is assumed, and its
# training rows. Unknown columns are NA.
page_classes <- function(given, call = rlang::current_env()) {
  schema <- schema_of(given$object)
  classes <- schema$classes$levels
  cases <- tabulate(truth_codes(given$truth, classes, row_count(given$data), call), length(classes))
  fitted <- is_model(given$object) && !is.null(given$object$statistics)
  data.frame(
    class = classes, cases, share = cases / sum(cases),
    assumed = page_prior(given, classes, call),
    trained = if (fitted) summary(given$object)$classes$rows else NA_integer_, row.names = NULL
  )
}

# The shares of the classes that the decisions suppose. Groups without a common prior have none.
page_prior <- function(given, classes, call) {
  if (!is_models(given$object)) return(predict_prior(given$object, given$prior, call))
  if (is.null(given$prior)) return(NA_real_)
  resolve_prior(given$prior, classes, NULL, call)
}

# The features of the cases of a known class, as check_features() sees them.
page_features <- function(given) {
  schema <- schema_of(given$object)
  truth <- label_factor(given$truth, "truth", rlang::current_env())
  data <- rows_at(given$data, which(!is.na(truth)))
  truth <- truth[!is.na(truth)]
  if (!is.null(schema$formula)) {
    class <- schema$formula[[2L]]
    if (is.data.frame(data) && is.name(class)) data[[as.character(class)]] <- truth
    # A dot in the formula stands for columns that the model may not have.
    found <- check_features(schema$formula, data)
    return(plain_frame(found)[found$feature %in% names(schema$features), ])
  }
  known <- intersect(names(schema$features), colnames(data))
  data <- as.data.frame(data)[known]
  class <- utils::tail(make.unique(c(known, "class")), 1L)
  data[[class]] <- truth
  formula <- stats::as.formula(paste(deparse(as.name(class), backtick = TRUE), "~ ."))
  plain_frame(check_features(formula, data))
}

# The value, or, where the package has no answer for this model, the reason: an object of class
# `page_gap`, a text. `single`: a model, where models of groups have no answer.
page_try <- function(expr, single = NULL) {
  if (is_models(single)) {
    return(structure("it is computed for one model, not for models of groups", class = "page_gap"))
  }
  tryCatch(expr, bayesrisk_error = function(e) {
    said <- strsplit(cli::ansi_strip(conditionMessage(e)), "\n", fixed = TRUE)[[1L]]
    structure(said[[1L]], class = "page_gap")
  })
}

is_gap <- function(x) is.null(x) || inherits(x, "page_gap")
