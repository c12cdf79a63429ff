# The world of a risk and the rules that decide in it. A rule that is a model is aligned to the
# world by the names of features, levels and classes. Searches along features count the normals of
# their densities first.

# `seen`: the positions of the features that can be seen; the others are marginalised. Without it
# all are, and none may be a bag.
new_world <- function(object, prior, seen = NULL, call = rlang::caller_env()) {
  features <- object$schema$features
  kinds <- feature_kinds(object$schema)
  if (is.null(seen)) {
    check_no_bag(object, call)
    seen <- seq_along(features)
  }
  categorical <- seen[kinds[seen] == "categorical"]
  list(
    object = object, prior = prior, classes = object$schema$classes$levels,
    features = features, numeric = seen[kinds[seen] == "numeric"], categorical = categorical,
    # A double, because the number of cells can exceed the largest integer.
    cells = prod(count_levels(features[categorical]))
  )
}

engine_world <- function(world) {
  list(
    model = engine_model(world$object, world$prior), numeric = world$numeric,
    categorical = world$categorical
  )
}

# A rule in the engine's format: list(model, feature, level, cost). A function stays a function,
# which each method treats in its own way. `cost`: in the order of the world's classes.
read_rule <- function(rule, world, cost, call) {
  if (is.function(rule)) return(rule)
  if (identical(rule, "prior")) return(own_rule(world, cost, sees = FALSE))
  if (identical(rule, "likelihood")) {
    weight <- world$object$statistics$classes$weight
    prior <- resolve_prior("uniform", world$classes, weight, call)
    return(own_rule(world, cost, prior))
  }
  if (is_model(rule)) return(align_rule(rule, world, cost, call))
  abort_argument(
    "{.arg rule} must be a model, a function of new data, {.val prior} or {.val likelihood},
     not {describe_value(rule)}.", call
  )
}

# The world's own model as a rule, with or without the features that can be seen, optionally with
# another prior.
own_rule <- function(world, cost, prior = world$prior, sees = TRUE) {
  places <- rep(NA_integer_, length(world$features))
  seen <- if (sees) c(world$numeric, world$categorical)
  places[seen] <- seen
  # A world has the densities of its model as they are.
  new_rule(world, untempered(world$object), prior, places, cost)
}

new_rule <- function(world, object, prior, places, cost) {
  level <- Map(function(feature, place) {
    if (is.na(place)) return(integer())
    match(feature$levels, object$schema$features[[place]]$levels)
  }, world$features, places)
  list(
    model = engine_model(object, prior), feature = places, level = unname(level),
    cost = cost$fixed
  )
}

align_rule <- function(rule, world, cost, call) {
  features <- rule$schema$features
  lacking <- setdiff(names(features), names(world$features))
  if (length(lacking)) {
    abort_unknown(
      "{.arg rule} needs {.field {lacking}}, which {?is/are} no feature{?s} of {.arg object}.",
      lacking, setdiff(names(world$features), names(features)),
      "A rule can use the features of {.arg object} only.", call
    )
  }
  for (feature in features) check_rule_kind(feature, world$features[[feature$name]], call)
  numeric <- features_of_kind(rule$schema, "numeric")
  if (length(numeric) <= 2L) check_powers(rule, numeric, call)
  classes <- rule$schema$classes$levels
  headline <- cli::format_inline("{.arg rule} must have the classes of {.arg object}.")
  check_same_names(classes, world$classes, headline, call)
  places <- match(names(world$features), names(features))
  new_rule(world, rule, rule$parameters$prior, places, reorder_cost(cost, classes))
}

check_rule_kind <- function(feature, of_world, call) {
  if (feature$kind == of_world$kind) return(invisible())
  abort_argument(
    "{.arg rule} knows {.field {feature$name}} as {feature$kind}; {.arg object} knows it as
     {of_world$kind}.", call
  )
}

# The largest finite absolute cost. Errors are relative to it.
largest_cost <- function(cost) max(abs(cost$fixed[is.finite(cost$fixed)]), 0)

warn_accuracy <- function(accuracy, tolerance, call) {
  if (accuracy <= tolerance) return(invisible())
  got <- format(accuracy, digits = 2L)
  warn_bayesrisk(
    "The risk is accurate only within {got}, not within {format(tolerance, digits = 2L)}.",
    "accuracy", call
  )
}

# Whether some features of a joint block are among `features` (positions), and others are not.
splits_block <- function(model, features) {
  joint <- lapply(Filter(is_joint, model$plan$banks), `[[`, "features")
  any(vapply(joint, function(block) any(block %in% features) && !all(block %in% features), NA))
}

# The largest number of normals in the density of each feature (given by position). Inf if the
# density is no sum of normals. `model`: in the engine's format.
count_normals <- function(model, places) {
  vapply(places, function(place) {
    holds <- which(vapply(model$banks, function(bank) place %in% bank$features, NA))
    bank <- model$banks[[holds]]
    as.double(record_of(bank)$normals(model$parameters[[holds]], match(place, bank$features)))
  }, 1)
}

# The limit of the number of normals per class along a line, because computing takes time.
most_line_normals <- 1e4

# One value per feature (given by position). `model`: in the engine's format.
is_long_sum <- function(model, places) {
  normals <- count_normals(model, places)
  is.finite(normals) & normals > most_line_normals
}

long_sums <- function(model, features) {
  places <- match(features, names(model$schema$features))
  features[is_long_sum(engine_model(model), places)]
}

check_short_sums <- function(model, features, call) {
  long <- long_sums(model, features)
  if (length(long) == 0L) return(invisible())
  bank <- held_feature(model, long[[1L]])$bank
  abort_argument(c(
    "{.field {long}} {?is/are} a sum of too many normals: cuts are computed for up to
     {most_line_normals} in a class.",
    i = if (!is.null(bank$points)) {
      "Fit again with at most {most_line_normals} {.arg points} in {.fn likelihood_{bank$type}}."
    }
  ), call)
}

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
# values: 0 for all numbers, 1 for whole ones, Inf for single values, which are never halved. A
# bracket with a third decision in the middle becomes two brackets. A value on a cut belongs to the
# right side.
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
