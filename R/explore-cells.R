# The probabilities of an explorer of one feature, from which the page computes the costs of a cut
# that is dragged: of each class, the probability of each cell of the axis.

# Cells of a smooth axis, and as many again beyond both of its ends, where no tail is left.
line_cells <- 256L

# list(from, to, n, edges, table): `edges` of unequal cells; `table`: the probability of each cell
# given each class. NULL: the page shows posteriors only.
explored_cells <- function(problem, features, axis) {
  given <- length(problem$given$values)
  if (length(features) != 1L || given || is_tempered(problem$model)) return(NULL)
  if (axis$shown$kind == "levels") return(level_cells(problem, features))
  if (length(long_sums(problem$model, features))) return(NULL)
  edges <- axis_cells(axis$shown)
  even <- axis$shown$kind == "line" && is.null(axis$shown$whole)
  list(
    from = edges[[1L]], to = edges[[length(edges)]], n = length(edges) - 1L,
    edges = if (!even) I(edges), table = encode_floats(cell_shares(problem, features, edges))
  )
}

# The cells of a categorical feature are its levels. Single values of a number have no cells,
# because no value lies between them.
level_cells <- function(problem, feature) {
  levels <- problem$model$schema$features[[feature]]$levels
  if (is.null(levels)) return(NULL)
  shares <- exp(score_along(problem, feature, seq_along(levels), "log_likelihood"))
  list(n = length(levels), table = encode_floats(shares[, problem$order]))
}

# A cut between whole numbers lies in their middle.
axis_cells <- function(axis) {
  from <- axis$range[[1L]]
  width <- axis$range[[2L]] - from
  if (isTRUE(axis$whole)) {
    step <- ceiling(width / most_axis_cells)
    return(seq(max(-0.5, floor(from - width / 2) + 0.5), from + 1.5 * width + step, by = step))
  }
  if (axis$kind == "steps") return(as.vector(axis$edges))
  seq(from - width / 2, from + 1.5 * width, length.out = 2L * line_cells + 1L)
}

# Cells x classes: the shares of each class in the decisions of a rule with an action for each cell,
# without the cells beyond the first and the last edge.
cell_shares <- function(problem, feature, edges) {
  model <- untempered(problem$model)
  prior <- even_prior(problem)
  world <- new_world(model, prior, match(feature, names(model$schema$features)), problem$call)
  actions <- seq_len(length(edges) + 1L)
  rule <- list(model = NULL, cut = list(edges), decision = list(actions))
  cost <- list(fixed = matrix(0, length(actions), length(prior)))
  settings <- list(threads = default_threads())
  table <- engine_risks(world, list(rule), cost, settings, problem$call)[[1L]]$table
  shares <- t(table / ifelse(prior > 0, prior, 1))
  shares[-c(1L, length(actions)), problem$order, drop = FALSE]
}

# The cuts of a rule within the axis, and its actions (places from 0) before, between and after.
line_rule <- function(problem, rule, feature, axis, cells) {
  decides <- rule_along(problem, rule, feature)
  if (is.null(cells) || axis$shown$kind == "levels") {
    abort_argument(c(
      "{.arg rule} cannot be shown along {.field {feature}}.",
      i = "It has cuts along a numeric feature with densities or counts that are not tempered."
    ), problem$call)
  }
  range <- axis$shown$range
  whole <- isTRUE(axis$shown$whole)
  grid <- if (whole) axis$at else seq(range[[1L]], range[[2L]], length.out = 2001L)
  cuts <- rule_cuts(problem, feature, decides, grid)
  ends <- c(range[[1L]], cuts, range[[2L]])
  middle <- ends[-1L] - diff(ends) / 2
  if (whole) middle <- round(middle)
  list(cuts = I(cuts), actions = I(decides(middle) - 1L))
}
