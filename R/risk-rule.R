# Rules: models, and functions of new data, with their decisions by cell and along a line.

# A function is checked by what it decides.
check_rule <- function(rule, call) {
  if (is_model(rule)) check_model(rule, call, "rule") else rule
}

# The decisions of a function (codes of `actions`) for some rows. Every decision is checked.
call_rule <- function(rule, newdata, actions, call) {
  decisions <- tryCatch(rule(newdata), error = function(e) {
    reason <- conditionMessage(e)
    abort_argument("{.arg rule} failed: {reason}", call)
  })
  rows <- nrow(newdata)
  if (!is.factor(decisions) && !is.character(decisions)) {
    abort_argument(c(
      "{.arg rule} must return a decision for each row, a factor or text, not
       {describe_value(decisions)}.",
      i = "The actions are {.val {actions}}."
    ), call)
  }
  decisions <- as.character(decisions)
  if (length(decisions) != rows) {
    abort_argument(
      "{.arg rule} returned {length(decisions)} decision{?s} for {rows} row{?s}.", call
    )
  }
  unknown <- setdiff(decisions, actions)
  if (length(unknown)) {
    abort_unknown(
      "{.arg rule} decided {.val {utils::head(unknown, 5L)}}, which {?is/are} no action{?s} of
       the cost.", stats::na.omit(unknown), actions, "The actions are {.val {actions}}.", call
    )
  }
  match(decisions, actions)
}

# Some cells of a world (positions from 1) as new data. The first feature varies fastest.
# `numbers`: named values of the numeric features.
cell_data <- function(world, cells, numbers = list()) {
  step <- 1
  columns <- list()
  for (feature in world$features[world$categorical]) {
    levels <- length(feature$levels)
    columns[[feature$name]] <- as_levels((cells - 1) %/% step %% levels + 1, feature)
    step <- step * levels
  }
  columns[names(numbers)] <- numbers
  new_rows(columns[names(world$features)], length(cells))
}

# Without a numeric feature, a rule has one decision for each cell, so its risk is exact.
rule_by_cell <- function(rule, world, actions, call) {
  cells <- seq_len(world$cells)
  decisions <- call_rule(rule, cell_data(world, cells), actions, call)
  list(model = NULL, cut = rep(list(numeric()), length(cells)), decision = as.list(decisions))
}

# The maximum number of rows in one call of a function.
most_rule_rows <- 2^19

# The rule along one numeric feature: its decisions on a grid, and each cut between two neighbours
# by bisection. One call of the rule bisects all cuts of all cells.
rule_by_line <- function(rule, world, actions, call) {
  points <- max(64, min(4096, most_rule_rows %/% world$cells))
  grid <- call_engine(rule_grid_cpp(engine_world(world), as.integer(points)), call)
  name <- names(world$features)[[world$numeric]]
  decide <- function(cell, x) {
    call_rule(rule, cell_data(world, cell, stats::setNames(list(x), name)), actions, call)
  }
  cell <- rep(seq_len(world$cells), each = length(grid$x))
  x <- rep(grid$x, world$cells)
  decision <- decide(cell, x)
  at <- which(diff(decision) != 0L & diff(cell) == 0L)
  cuts <- bisect_cuts(decide, list(
    cell = cell[at], low = x[at], high = x[at + 1L], left = decision[at], right = decision[at + 1L]
  ), grid$step)
  first <- decision[!duplicated(cell)]
  of_cell <- factor(cuts$cell, seq_len(world$cells))
  list(
    model = NULL, cut = unname(split(cuts$x, of_cell)),
    decision = Map(c, first, unname(split(cuts$right, of_cell))), gap = grid$gap
  )
}

# Halves brackets down to 1e-13 of their width, or to `step`, the distance between neighbouring
# values. It is 1 for whole numbers. It is Inf for single values, whose brackets are not halved,
# because no value lies inside. A bracket with a third decision in the
# middle becomes two brackets. A value on a cut belongs to the right side.
bisect_cuts <- function(decide, brackets, step = 0) {
  brackets <- as.data.frame(brackets)
  brackets$enough <- pmax(step, 1e-13 * (brackets$high - brackets$low))
  done <- brackets[0L, ]
  while (nrow(brackets)) {
    width <- brackets$high - brackets$low
    middle <- brackets$low + if (step == 1) floor(width / 2) else width / 2
    open <- brackets$low < middle & middle < brackets$high & width > brackets$enough
    done <- rbind(done, brackets[!open, ])
    brackets <- brackets[open, ]
    middle <- middle[open]
    if (!nrow(brackets)) break
    found <- decide(brackets$cell, middle)
    brackets <- rbind(
      transform(brackets, high = middle, right = found)[found != brackets$left, ],
      transform(brackets, low = middle, left = found)[found != brackets$right, ]
    )
  }
  done <- done[order(done$cell, done$high), ]
  list(cell = done$cell, x = done$high, right = done$right)
}
