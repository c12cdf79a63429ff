# The tables of an explorer. The log joint of a model is a sum over its blocks. The page knows the
# log joint of the given values (`base`), and of each block what the known values add to it: a table
# for each feature alone and, in a joint block, for each pair.

# Up to this many values of each class are in the tables of pairs, so that a page stays small.
most_pair_values <- 5000L

# Up to this many cells an axis has bins, counts or single values as they are.
most_axis_cells <- 400L

# Points of a smooth axis. Cubic polynomials need four points, and are exact for a single normal.
axis_sizes <- list(normal = c(8L, 25L), other = c(25L, 70L), single = 257L)

# The features that are offered. By default the first that have room.
explored_features <- function(problem, features, given) {
  model <- problem$model
  call <- problem$call
  chosen <- check_drawn_features(model, features, call)
  if (length(chosen)) {
    chosen <- panel_features(model, chosen, call)
    if (has_room(problem, chosen)) return(chosen)
    abort_argument(c(
      "The tables of {.field {chosen}} are too large: a joint block needs one for each pair.",
      i = "Choose fewer {.arg features}{if (problem$copies > 1) ' or fewer models'}."
    ), call)
  }
  all <- names(model$schema$features)
  open <- setdiff(all, c(names(given), bags_of(model$schema$features)))
  open <- panel_features(model, if (length(open)) open else all, call)
  rooms <- vapply(seq_along(open), function(n) has_room(problem, utils::head(open, n)), NA)
  first_panels(open, "features", "features", max(which(rooms)))
}

has_room <- function(problem, features) {
  pairs <- block_pairs(problem$model, features)
  sizes <- vapply(features, function(name) least_size(problem, name), 1)
  sum(sizes[pairs[, 1L]] * sizes[pairs[, 2L]]) * problem$copies <= most_pair_values
}

least_size <- function(problem, name) {
  feature <- problem$model$schema$features[[name]]
  if (feature$kind == "categorical") return(length(feature$levels))
  edges <- step_edges(problem$model, name)
  if (!is.null(edges)) return(length(edges) + 1)
  axis_sizes[[if (is_normal(problem$model, name)) "normal" else "other"]][[1L]]
}

# The block of each feature, as a number from 1. Features that stand alone have blocks of their own.
explored_blocks <- function(model, features) {
  blocks <- vapply(seq_along(features), function(i) {
    bank <- held_feature(model, features[[i]])$bank
    if (record_of(bank)$joint) min(bank$features) else -as.double(i)
  }, 1)
  match(blocks, unique(blocks))
}

# Positions of the two features of each pair in one block: a matrix of two columns.
block_pairs <- function(model, features) {
  blocks <- explored_blocks(model, features)
  pairs <- which(outer(blocks, blocks, `==`), arr.ind = TRUE)
  unname(pairs[pairs[, 1L] < pairs[, 2L], , drop = FALSE])
}

is_normal <- function(model, name) {
  held <- held_feature(model, name)
  identical(as.double(record_of(held$bank)$normals(held$parameters, held$j)), 1)
}

# The edges of the bins of a feature with constant densities between them, else NULL.
step_edges <- function(model, name) {
  held <- held_feature(model, name)
  record <- record_of(held$bank)
  if (!record$steps) return(NULL)
  if (record$joint) member_bins(held$bank, held$j)$edges else held$bank$edges
}

# Values that the axis of each feature covers: those of all cases, and the ranges of all models.
explored_covers <- function(problems, features, cases) {
  lapply(stats::setNames(nm = features), function(name) {
    if (problems[[1L]]$model$schema$features[[name]]$kind == "categorical") return(NULL)
    ranges <- lapply(problems, function(problem) range(feature_grid(problem, name)))
    values <- as.double(unlist(lapply(cases, `[[`, name)))
    c(values[is.finite(values)], unlist(ranges))
  })
}

# list(at, shown): the points at which R scores a feature, and what the page knows of them.
explored_axis <- function(problem, name, cover) {
  model <- problem$model
  grid <- feature_grid(problem, name, cover)
  levels <- model$schema$features[[name]]$levels
  support <- feature_supports(model, name)
  if (support == "points") {
    grid <- grid[unique(round(seq(1, length(grid), length.out = most_axis_cells)))]
    levels <- format(grid, trim = TRUE)
  }
  if (length(levels)) return(new_axis(name, "levels", grid, labels = I(enc2utf8(levels))))
  ends <- wide_range(range(grid))
  if (support == "counts") return(count_axis(name, ends))
  edges <- step_edges(model, name)
  if (length(edges) %in% seq_len(most_axis_cells)) return(step_axis(name, ends, edges))
  size <- if (is_normal(model, name)) axis_sizes$normal[[2L]] else axis_sizes$single
  line_axis(name, ends, size)
}

new_axis <- function(name, kind, at, ...) {
  list(at = at, shown = list(name = enc2utf8(name), kind = kind, n = length(at), ...))
}

line_axis <- function(name, ends, size, ...) {
  new_axis(name, "line", seq(ends[[1L]], ends[[2L]], length.out = size), range = ends, ...)
}

# Each count has a cell; many counts are treated as points on a line.
count_axis <- function(name, ends) {
  at <- whole_axis(ends, most_axis_cells)
  if (at[[2L]] > at[[1L]] + 1) return(line_axis(name, range(at), length(at), whole = TRUE))
  edges <- c(at[[1L]] - 0.5, at + 0.5)
  new_axis(name, "steps", at, range = range(edges), edges = I(edges), whole = TRUE)
}

# The cells beyond the bins are impossible. The last bin includes its upper end.
step_axis <- function(name, ends, edges) {
  edges[length(edges)] <- edges[length(edges)] + 1e-9 * diff(range(edges))
  inside <- edges > ends[[1L]] & edges < ends[[2L]]
  edges <- c(ends[[1L]], edges[inside], ends[[2L]])
  middle <- utils::head(edges, -1L) + diff(edges) / 2
  new_axis(name, "steps", middle, range = ends, edges = I(edges))
}

wide_range <- function(range) if (diff(range) > 0) range else range + c(-0.5, 0.5)

# The known values of other features: their numbers or codes by feature, and, as `base`, the log
# joint that they give each class under even priors.
given_values <- function(problem, given, features) {
  schema <- problem$model$schema
  row <- read_given(schema, given, features, problem$call)
  base <- weigh_classes(problem$model, even_prior(problem), row, problem$call)
  given <- as.list(given)
  container <- if (length(given)) frame_container(list2DF(given))
  values <- lapply(schema$features[names(given)], function(feature) {
    column <- read_new_column(
      feature, container, match(feature$name, container$names), problem$call
    )
    if (feature$kind == "numeric") as.double(column_vector(column)) else column_codes(column)
  })
  list(base = base, row = given, values = values, text = vapply(given, function(x) format(x), ""))
}

# The tables of a model: of what is given, of each feature and of the pairs of joint blocks.
explored_tables <- function(problem, features, covers) {
  axes <- lapply(features, function(name) explored_axis(problem, name, covers[[name]]))
  list(
    base = encode_floats(problem$given$base[problem$order]),
    features = Map(function(axis, name, block) {
      values <- stats::setNames(list(axis$at), name)
      c(axis$shown, block = block, table = encode_floats(explored_scores(problem, values)))
    }, axes, features, explored_blocks(problem$model, features) - 1L, USE.NAMES = FALSE),
    pairs = explored_pairs(problem, features, axes)
  )
}

# All models and rules of a page have one map.
check_same_axes <- function(parts, call) {
  ends <- function(part) lapply(part$features, `[`, c("range", "labels"))
  all <- lapply(parts, ends)
  rules <- lapply(parts, function(part) if (length(part$rule$features)) ends(part$rule))
  same <- vapply(c(all, Filter(Negate(is.null), rules)), identical, NA, all[[1L]])
  if (all(same)) return(invisible())
  abort_argument(
    "The models cannot share a map: their features have different values, for example bins or
     counts beside a density.", call
  )
}

# The log likelihoods of values beside the given ones, points x classes. A term that is equal in all
# classes changes no posterior. Without the largest one, 32-bit numbers keep their digits.
explored_scores <- function(problem, values) {
  rows <- length(values[[1L]])
  problem$prior <- even_prior(problem)
  log_joint <- score_grid(
    problem, c(values, lapply(problem$given$values, rep, rows)), "log_joint"
  )
  added <- log_joint - rep(problem$given$base, each = rows)
  added[, problem$given$base == -Inf] <- 0
  largest <- do.call(pmax, split(added, col(added)))
  (added - ifelse(is.finite(largest), largest, 0))[, problem$order, drop = FALSE]
}

# A class without rows has no parameters, and keeps a prior of 0.
even_prior <- function(problem) predict_prior(problem$model, "uniform", problem$call)

explored_pairs <- function(problem, features, axes) {
  pairs <- block_pairs(problem$model, features)
  lapply(seq_len(nrow(pairs)), function(i) {
    tables <- nrow(pairs) * problem$copies
    at <- lapply(pairs[i, ], function(f) pair_points(axes[[f]], tables))
    sizes <- lengths(at)
    values <- list(rep(at[[1L]], sizes[[2L]]), rep(at[[2L]], each = sizes[[1L]]))
    names(values) <- features[pairs[i, ]]
    list(
      x = pairs[[i, 1L]] - 1L, y = pairs[[i, 2L]] - 1L, n = I(sizes),
      table = encode_floats(explored_scores(problem, values))
    )
  })
}

# A smooth axis is coarser in many tables of pairs than alone.
pair_points <- function(axis, tables) {
  if (axis$shown$kind != "line") return(axis$at)
  sizes <- axis_sizes[[if (length(axis$at) <= axis_sizes$normal[[2L]]) "normal" else "other"]]
  size <- min(sizes[[2L]], max(sizes[[1L]], floor(sqrt(most_pair_values / tables))))
  seq(axis$at[[1L]], axis$at[[length(axis$at)]], length.out = size)
}

# 32-bit floats, the lowest byte first, as base64.
encode_floats <- function(x) {
  jsonlite::base64_enc(writeBin(as.vector(x), raw(), size = 4L, endian = "little"))
}
