# Joint blocks of numeric features in bins: the record of joint_histogram. A block is a joint table
# whose levels are the bins.

# Refuses settings that a block has no use for.
check_histogram_block <- function(likelihood, arg, call) {
  if (!is.list(likelihood$breaks)) return(invisible())
  abort_argument(c(
    "{.arg {arg}} cannot have {.arg breaks} by class: all classes share the cells of a block.",
    i = "Give {.arg breaks} as one vector, for every feature of the block, or {.arg width}."
  ), call)
}

# Without bins if the schema has other bins than the likelihood asks for, as in plan_histogram().
plan_joint_histogram <- function(bank, likelihood, features, classes, call) {
  asked <- bins_asked(likelihood)
  same <- vapply(features, function(feature) identical(feature$bins$asked, asked), NA)
  if (!all(same)) return(bank)
  bins <- lapply(features, function(feature) {
    engine_bins(feature$bins, classes, feature$name, call)
  })
  counts <- vapply(bins, `[[`, 1L, "bins", USE.NAMES = FALSE)
  check_table_size(counts, paste("joint histogram of block", bank$name), call)
  c(bank, list(bins = counts, edges = unlist(lapply(bins, `[[`, "edges"), use.names = FALSE)))
}

# The bins of feature j, in the form of a bank of this feature alone.
member_bins <- function(bank, j) {
  bins <- class_bins(bank, j)
  list(bins = nrow(bins), edges = unique(c(bins$from, bins$to)))
}

member_labels <- function(bank, j, ...) {
  bins <- class_bins(bank, j)
  bin_labels(cbind(bins, class = rep(1L, nrow(bins))), ...)
}

# The features of the block as features of a joint table.
binned_features <- function(bank, features) {
  lapply(seq_along(features), function(j) {
    list(name = features[[j]]$name, levels = member_labels(bank, j))
  })
}

# With short labels, which fit into a table.
summarise_cells <- function(bank, coefficients) {
  cells <- most_probable_cells(bank, coefficients)
  for (j in seq_along(bank$bins)) levels(cells[[j]]) <- member_labels(bank, j, digits = 4L)
  cells
}

as_table_bank <- function(bank) c(bank, list(levels = bank$bins))

joint_histogram_record <- function() {
  likelihood_record(
    name = "joint_histogram", kind = "numeric", support = "line", steps = TRUE, joint = TRUE,
    check_block = check_histogram_block,
    plan = plan_joint_histogram,
    options = histogram_options,
    remedies = histogram_remedies,
    impossible =
      "{.code likelihood_histogram(laplace = 1)} fills empty cells; values outside of all bins
       remain impossible.",
    cases = function(bank, statistics) sum(statistics$count),
    coefficients = function(bank, parameters, features, classes) {
      cell_probabilities(
        as_table_bank(bank), parameters, binned_features(bank, features), classes
      )
    },
    counts = function(bank, statistics, features, classes) {
      cell_counts(as_table_bank(bank), statistics, binned_features(bank, features), classes)
    },
    summary = summarise_cells,
    tidy = tidy_by_block(tidy_cells),
    moments = function(bank, parameters, j) bin_moments(member_bins(bank, j), parameters, 1L),
    grid = function(bank, parameters, j, moments, range) {
      grid_of_edges(member_bins(bank, j), parameters, 1L, moments, range)
    },
    single = histogram_marginals,
    posterior = table_posterior,
    log_density = cells_of_bins_log_density
  )
}

# The histogram of one feature: sums over the other features.
histogram_marginals <- function(bank, state, j) {
  marginals <- table_marginals(as_table_bank(bank), state, j)
  list(
    parameters = list(log_probability = marginals$parameters$log_probability),
    statistics = marginals$statistics
  )
}

# All classes have the same bins, so numbers outside of these are impossible.
cells_of_bins_log_density <- function(bank, parameters, to) {
  edges <- edges_of_bins(bank)
  left <- lapply(edges, function(x) x[-length(x)])
  member_text <- function(j, values, missing, to) {
    if (!length(values)) return(missing)
    to$when(to$gone[[j]], missing, bins_text(to$x[[j]], edges[[j]], values, to))
  }
  cells <- cells_log_density(bank, parameters, left, member_text, to)
  cells$fill <- vapply(edges, function(x) c(to$number(x), "0e0")[[1L]], "")
  cells$range <- vapply(seq_along(edges), function(j) {
    x <- to$raw[[j]]
    ends <- to$number(edges[[j]][c(1L, length(edges[[j]]))])
    if (length(ends) == 2L) to$between(x, ends[[1L]], ends[[2L]]) else paste(x, "<", x)
  }, "")
  cells
}
