# Expected costs and decisions as stages: see source-db-stages.R and, for the rules, the engine's
# decision/tile_cost.hpp and decision/ranking.hpp.

# The columns for request$type: "cost", "decision" or "all".
add_decisions <- function(stages, model, request, call) {
  cost <- lazy_cost(request$cost, model$schema$classes$levels, stages$source, call)
  actions <- cost$actions
  if (request$type == "decision" && is_zero_one(cost)) {
    return(list(stages = stages, columns = c(.decision = first_class(stages, actions))))
  }
  stages <- add_expected_costs(add_probabilities(stages, cost), cost)
  of_action <- stats::setNames(cost_column(stages, seq_along(actions)), paste0(".cost_", actions))
  if (request$type == "cost") return(list(stages = stages, columns = of_action))
  stages <- add_ranks(stages, cost)
  details <- if (stages$dialect$copies && length(actions) %in% 2:most_compared) {
    compared_actions(stages, actions)
  } else {
    add_details(stages, actions, request$type)
  }
  columns <- details$columns
  list(stages = details$stages, columns = if (request$type == "decision") {
    columns[".decision"]
  } else {
    c(columns[c(".decision", ".cost")], of_action, columns[c(".runner_up", ".margin", ".tie")])
  })
}

# list(stages, columns): the decision and, for the type "all", what belongs to it.
add_details <- function(stages, actions, type) {
  stages <- add_first(stages)
  columns <- c(.decision = action_column(stages, "first", actions))
  if (type == "decision") return(list(stages = stages, columns = columns))
  if (length(actions) == 1L) {
    return(list(stages = stages, columns = c(columns, single_action(stages))))
  }
  details <- add_second(stages, actions)
  list(stages = details$stages, columns = c(columns, details$columns))
}

cost_column <- function(stages, a) column_in(stages, "c", a)

# The cost in the form of read_cost(). The cells that differ by case are expressions of the table's
# columns.
lazy_cost <- function(cost, classes, source, call) {
  if (is.null(cost) || !is_case_cost(cost)) return(read_cost(cost, classes, NULL, NULL, call))
  if (!is.null(attr(cost, "rows"))) {
    abort_argument(c(
      "{.arg cost} is an array of cases, and the rows of a lazy table have no order.",
      i = "Write the costs by case as formulas of columns."
    ), call)
  }
  cells <- cost_cells(cost, call)
  names <- cell_names(cells)
  varying <- which(vapply(cells, rlang::is_quosure, NA))
  # read_cost() checks the names and orders the classes, also of the positions of the formulas.
  place <- cells
  place[] <- as.list(replace(rep(0, length(cells)), varying, seq_along(varying)))
  fixed <- cells
  fixed[varying] <- list(0)
  read <- read_cost(new_cost(fixed, call), classes, NULL, NULL, call)
  at <- read_cost(new_cost(place, call), classes, NULL, NULL, call)$fixed
  cell <- which(at > 0)
  value <- vapply(varying, function(i) cost_expression(cells[[i]], names[[i]], source, call), "")
  read$by_case <- list(cell = cell, value = value[at[cell]])
  read
}

# Adds the probabilities p<k>, and v<i>, the costs by case.
add_probabilities <- function(stages, cost) {
  stages <- add_posterior(stages)
  p <- stats::setNames(stages$posterior, column_in(stages, "p", seq_len(stages$classes)))
  values <- unique(cost$by_case$value)
  add_stage(stages, c(p, stats::setNames(values, column_in(stages, "v", seq_along(values)))))
}

# Adds c<a>, the expected cost of each action, and, if it can differ from these, size<a>, the
# expected absolute cost.
add_expected_costs <- function(stages, cost) {
  at <- seq_along(cost$actions)
  parts <- lapply(at, function(a) action_parts(stages, cost, a))
  columns <- stats::setNames(vapply(parts, `[[`, "", "expected"), cost_column(stages, at))
  stages$size <- cost_column(stages, at)
  if (length(cost$by_case$cell) || any(cost$fixed < 0 | is.infinite(cost$fixed))) {
    stages$size <- column_in(stages, "size", at)
    columns <- c(columns, stats::setNames(vapply(parts, `[[`, "", "size"), stages$size))
  }
  add_stage(stages, columns)
}

# The expected cost of an action, and its expected absolute cost. An infinite or unknown cost counts
# unless its class is impossible.
action_parts <- function(stages, cost, a) {
  fixed <- cost$fixed[a, ]
  cells <- arrayInd(cost$by_case$cell, dim(cost$fixed))
  own <- which(cells[, 1L] == a & cells[, 2L] %in% stages$possible)
  varying <- lapply(own, function(i) {
    v <- column_in(stages, "v", match(cost$by_case$value[[i]], unique(cost$by_case$value)))
    varying_cost(stages, cells[i, 2L], v)
  })
  finite <- which(fixed != 0 & is.finite(fixed))
  # A row without a posterior has no cost.
  known <- if (length(finite)) {
    expected_of(stages, finite, fixed[finite])
  } else {
    sprintf("CASE WHEN %s IS NOT NULL THEN 0e0 END", column_in(stages, "top"))
  }
  sum <- sum_text(c(known, vapply(varying, `[[`, "", "expected")))
  endless <- intersect(which(is.infinite(fixed)), stages$possible)
  if (length(endless)) {
    met <- db_any(paste(column_in(stages, "l", endless), "IS NOT NULL"))
    sum <- sprintf("CASE WHEN (%s) AND (%s) IS NOT NULL THEN %s ELSE %s END", met, sum,
                   stages$dialect$infinity, sum)
  }
  size <- c(expected_of(stages, finite, abs(fixed[finite])), vapply(varying, `[[`, "", "size"))
  list(expected = sum, size = if (length(size)) sum_text(size) else "0e0")
}

# Probabilities times costs. Some engines raise an error if a product underflows. Probabilities are
# 0 or above 1e-308.
expected_of <- function(stages, k, cost) {
  p <- column_in(stages, "p", k)
  product <- ifelse(cost == 1, p, sprintf("%s * %s", p, stages$dialect$number(cost)))
  least <- sprintf("%.2e", least_product / abs(cost))
  ifelse(
    abs(cost) >= 1e-15, product,
    sprintf("CASE WHEN %s IS NULL OR %s >= %s THEN %s ELSE 0e0 END", p, p, least, product)
  )
}

least_product <- 1e-307

# -Inf is no cost, so it is unknown.
varying_cost <- function(stages, k, v) {
  infinity <- stages$dialect$infinity
  p <- column_in(stages, "p", k)
  l <- column_in(stages, "l", k)
  top <- column_in(stages, "top")
  product <- sprintf(
    "CASE WHEN %1$s = 0 THEN 0e0 WHEN ABS(%2$s) < %3$.0e / %1$s THEN 0e0 ELSE %1$s * %2$s END",
    p, v, least_product
  )
  list(
    expected = sprintf(
      "CASE WHEN %1$s IS NULL THEN NULL WHEN %2$s IS NULL THEN 0e0 WHEN %3$s >= %4$s THEN %4$s
 WHEN %3$s > -%4$s THEN %5$s END",
      top, l, v, infinity, product
    ),
    size = sprintf(
      "CASE WHEN %s IS NULL OR NOT ABS(%s) < %s THEN 0e0 ELSE ABS(%s) END", l, v, infinity, product
    )
  )
}

# Under 0-1 cost the decision is the most probable class: log joints tell apart classes whose
# expected costs round to the same number.
is_zero_one <- function(cost) {
  n <- length(cost$actions)
  n == length(cost$classes) && !length(cost$by_case$cell) &&
    all(unname(cost$fixed) == 1 - diag(n))
}

# Adds rank<a>, the numbers that rank the actions, if these are not the costs. `width`: the
# tolerance as an expression; `decided`: a condition on rows.
add_ranks <- function(stages, cost) {
  d <- stages$dialect
  count <- length(cost$actions)
  stages$rank <- cost_column(stages, seq_len(count))
  stages$decided <- sprintf("NOT (%s)", db_any(paste(stages$rank, "IS NULL")))
  stages$width <- sprintf("%s * %s", d$number(1e-12), db_extreme(stages$size, d$greatest))
  if (is_zero_one(cost)) {
    value <- rep(d$number(-lowest_joint), count)
    value[stages$possible] <- paste0("-", known_joints(stages))
    stages$decided <- paste(column_in(stages, "top"), "IS NOT NULL")
    if (!d$copies) value <- sprintf("CASE WHEN %s THEN %s END", stages$decided, value)
    stages$rank <- column_in(stages, "rank", seq_len(count))
    stages <- add_stage(stages, stats::setNames(value, stages$rank))
    stages$width <- joint_band(stages)
  }
  stages$some <- length(cost$by_case$cell) > 0L
  stages
}

# Adds least; width; and first, the position of the decision.
add_first <- function(stages) {
  least <- db_extreme(stages$rank, stages$dialect$least)
  # Some engines take the least of the known numbers.
  if (stages$some) least <- sprintf("CASE WHEN %s THEN %s END", stages$decided, least)
  stages <- add_stage(stages, stats::setNames(
    c(least, stages$width), column_in(stages, c("least", "width"))
  ))
  limit <- sprintf("%s + %s", column_in(stages, "least"), column_in(stages, "width"))
  first <- db_first(sprintf("%s <= %s", stages$rank, limit), seq_along(stages$rank))
  add_stage(stages, stats::setNames(first, column_in(stages, "first")))
}

# The name of an action by its position.
action_column <- function(stages, position, actions) {
  db_case(column_in(stages, position), seq_along(actions), db_text(actions, stages$source))
}

single_action <- function(stages) {
  d <- stages$dialect
  text <- sprintf("CASE WHEN 1 = 0 THEN %s END", db_text("", stages$source))
  number <- sprintf("CASE WHEN 1 = 0 THEN %s END", d$number(0))
  tie <- sprintf("CASE WHEN %s IS NOT NULL THEN %s END", column_in(stages, "first"), d$false)
  first <- column_in(stages, "first")
  c(
    .cost = sprintf("CASE WHEN %s IS NOT NULL THEN %s END", first, cost_column(stages, 1L)),
    .runner_up = text, .margin = number, .tie = tie
  )
}

# The best of the other actions. In a tie the margin is 0.
add_second <- function(stages, actions) {
  d <- stages$dialect
  at <- seq_along(actions)
  first <- column_in(stages, "first")
  others <- sprintf("CASE WHEN %s = %d THEN %s ELSE %s END", first, at, d$infinity, stages$rank)
  stages <- add_stage(stages, stats::setNames(
    c(db_extreme(others, d$least), db_case(first, at, cost_column(stages, at))),
    column_in(stages, c("next", "own"))
  ))
  limit <- sprintf("%s + %s", column_in(stages, "next"), column_in(stages, "width"))
  second <- db_first(sprintf("%s <> %d AND %s <= %s", first, at, stages$rank, limit), at)
  stages <- add_stage(stages, stats::setNames(second, column_in(stages, "second")))
  tie <- sprintf("%s <= %s + %s", column_in(stages, "next"), column_in(stages, "least"),
                 column_in(stages, "width"))
  apart <- sprintf("%s - %s", db_case(column_in(stages, "second"), at, cost_column(stages, at)),
                   column_in(stages, "own"))
  list(stages = stages, columns = c(
    .cost = column_in(stages, "own"), .runner_up = action_column(stages, "second", actions),
    .margin = sprintf("CASE WHEN %s THEN %s ELSE %s END", tie, d$number(0), apart),
    .tie = sprintf("CASE WHEN %s IS NOT NULL THEN %s END", first, db_truth(tie, d))
  ))
}

# The same without positions, for engines that repeat the expression of a column at each use: each
# answer compares the actions itself. The text grows with the third power of their number.

most_compared <- 10L

compared_actions <- function(stages, actions) {
  d <- stages$dialect
  stages <- add_stage(stages, stats::setNames(stages$width, column_in(stages, "width")))
  at <- seq_along(actions)
  name <- db_text(actions, stages$source)
  cost <- cost_column(stages, at)
  second <- vapply(at, function(a) best_of(stages, at[-a], name[-a]), "")
  tie <- sprintf("%s <= %s + %s", second_least(stages$rank, d), db_extreme(stages$rank, d$least),
                 column_in(stages, "width"))
  apart <- sprintf("%s - %s", second_least(cost, d), db_extreme(cost, d$least))
  columns <- c(
    .decision = best_of(stages, at, name), .cost = best_of(stages, at, cost),
    .runner_up = best_of(stages, at, second),
    .margin = sprintf("CASE WHEN %s THEN %s ELSE %s END", tie, d$number(0), apart),
    .tie = db_truth(tie, d)
  )
  columns[] <- sprintf("CASE WHEN %s THEN %s END", stages$decided, columns)
  list(stages = stages, columns = columns)
}

# The value of the first of the actions `at` whose rank ties with the least of theirs. Those before
# it have a larger rank, so each is compared with those after it.
best_of <- function(stages, at, value) {
  last <- length(at)
  rank <- stages$rank[at]
  least <- vapply(seq_len(last - 1L), function(i) {
    db_extreme(rank[seq(i + 1L, last)], stages$dialect$least)
  }, "")
  ties <- paste(rank[-last], "<=", least, "+", column_in(stages, "width"), recycle0 = TRUE)
  db_first(ties, value[-last], value[[last]])
}

# The second of some numbers from the least one on.
second_least <- function(x, d) {
  larger <- vapply(seq_along(x)[-1L], function(i) {
    sprintf("%s(%s, %s)", d$greatest, x[[i]], db_extreme(x[seq_len(i - 1L)], d$least))
  }, "")
  db_extreme(larger, d$least)
}
