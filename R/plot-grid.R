# The numbers of a plot: scores of the model on a grid of some features. All other features are
# missing, so they are marginalised exactly. A decision problem is a list of model, prior and
# cost, with the limits of the figure (xlim, ylim) and the call for error messages.

# `values`: vectors of equal length, numbers or codes of levels, named by feature. The frame is
# built from the values of features. It cannot be built from columns: if a feature is a function of
# columns, its value does not determine these columns.
score_grid <- function(problem, values, type) {
  rows <- length(values[[1L]])
  columns <- feature_columns(problem$model$schema$features, values, rows)
  read <- list(frame = bind_frame(unname(columns), rows), row_names = NULL)
  # The plot is blank where no class is possible, so no warning is needed.
  suppressWarnings(
    score(problem$model, read, type, problem$prior, problem$cost, 1L, problem$call),
    classes = "bayesrisk_warning"
  )
}

# The scores of one feature on its grid.
score_along <- function(problem, feature, grid, type) {
  score_grid(problem, stats::setNames(list(grid), feature), type)
}

# The grid of a feature: its levels' codes, or points of its range.
feature_grid <- function(problem, name, cover = NULL) {
  feature <- problem$model$schema$features[[name]]
  if (feature$kind == "categorical") return(seq_along(feature$levels))
  moments <- class_moments(problem$model, name, problem$call)
  range <- feature_range(moments, problem$xlim, cover)
  held <- held_feature(problem$model, name)
  record_of(held$bank)$grid(held$bank, held$parameters, held$j, moments, range)
}

# The range of a feature, smallest value first: the user's limits. Without limits, the range that
# covers all classes and `cover`.
feature_range <- function(moments, limits, cover) {
  if (!is.null(limits)) return(range(limits))
  cover <- cover[is.finite(cover)]
  range(moments_range(moments), cover)
}

# The levels of a feature that differ most between the classes, in their order, if it has more
# levels than can be told apart in a figure.
most_levels <- 30L

telling_levels <- function(problem, name, grid) {
  kind <- problem$model$schema$features[[name]]$kind
  if (kind != "categorical" || length(grid) <= most_levels) return(grid)
  shares <- t(exp(score_along(problem, name, grid, "log_likelihood")))
  colnames(shares) <- seq_along(grid)
  grid[sort(as.integer(colnames(telling_columns(shares, most_levels))))]
}

# Scores in long form: one row per point and class, class by class.
long_scores <- function(problem, name, grid, scores, column) {
  feature <- problem$model$schema$features[[name]]
  numeric <- feature$kind == "numeric"
  long <- data.frame(
    feature = name, x = if (numeric) grid else NA_real_,
    level = if (numeric) NA_character_ else feature$levels[grid],
    class = as_class_factor(as.vector(col(scores)), problem$model$schema$classes)
  )
  long[[column]] <- as.vector(scores)
  long
}

# The decisions along a numeric feature within a range, with all other features marginalised:
# the cuts, and the codes of the decisions before, between and after the cuts.
regions_within <- function(problem, name, range) {
  check_continuous(problem$model, name, problem$call)
  check_short_sums(problem$model, name, problem$call)
  row <- read_given(problem$model$schema, NULL, name, problem$call)
  regions <- find_line_regions(
    problem$model, problem$prior, problem$cost, name, row, log(problem$prior), problem$call
  )
  inside <- which(regions$cut > min(range) & regions$cut < max(range))
  first <- sum(regions$cut <= min(range)) + 1L
  list(cut = regions$cut[inside], decision = regions$decision[c(first, inside + 1L)])
}

# Adds to a grid one point close to every cut on each side. A grid of counts stays unchanged.
beside_cuts <- function(problem, name, grid, cuts) {
  if (holds_counts(problem$model, name)) return(grid)
  step <- 1e-6 * diff(range(grid))
  sort(unique(c(grid, cuts - step, cuts + step)))
}

# Positions after which a vector of codes changes.
changes <- function(codes) {
  codes[is.na(codes)] <- 0L
  which(diff(codes) != 0L)
}

# The features of the panels of a plot that draws one panel for each.
panel_features <- function(model, features, call) {
  bags <- bags_of(model$schema$features)
  if (is.null(features)) {
    features <- setdiff(names(model$schema$features), bags)
    if (length(bags) && length(features)) {
      inform_bayesrisk(
        "Not drawn: {.field {bags}}, whose terms {.fn top_features} shows.", "features"
      )
    } else {
      features <- names(model$schema$features)
    }
  }
  if (any(features %in% bags)) {
    abort_argument(c(
      "{.field {intersect(features, bags)}} {?is a bag/are bags} of terms and {?has/have} no
       curve.",
      i = "{.code plot(top_features(model))} shows the terms."
    ), call)
  }
  if (length(features) == 0L) {
    abort_argument(c(
      "{.arg x} has no features, so there is nothing to draw.",
      i = "For two classes, {.code type = \"cost\"} needs no feature."
    ), call)
  }
  first_panels(features, "features", "features")
}

# Cases to draw among the regions of decisions or behind densities.

# A data frame of the features drawn (numbers, or factors of the model's levels) and the class (a
# factor of the model's classes, `NA` for an unknown class). NULL without data.
read_cases_drawn <- function(problem, data, features) {
  if (is.null(data)) return(NULL)
  call <- problem$call
  schema <- problem$model$schema
  container <- read_container(data, "data", abort_argument, call)
  # Columns without names get the same names as the unnamed columns at the fit.
  if (isTRUE(schema$unnamed)) container$unnamed <- FALSE
  drawn <- list(features = schema$features[features], unnamed = FALSE)
  places <- match_columns(drawn, container, "data", call)
  values <- Map(function(feature, column) {
    if (feature$kind == "categorical") return(as_class_factor(column_codes(column), feature))
    as.double(column_vector(column))
  }, drawn$features, read_new_columns(drawn, container, places, call))
  list2DF(c(values, list(class = read_drawn_class(schema, container, call))))
}

# Evenly chosen rows if there are too many cases to draw.
thin_cases <- function(cases, most = 5000L) {
  rows <- NROW(cases)
  if (rows <= most) return(cases)
  inform_bayesrisk("{most} of {rows} cases drawn, evenly chosen.", "rows")
  cases[round(seq(1, rows, length.out = most)), ]
}

read_drawn_class <- function(schema, container, call) {
  name <- class_column(schema)
  response <- if (is.null(schema$formula)) as.name(name) else schema$formula[[2L]]
  known <- all(columns_of(response) %in% container$names)
  if (!known) return(as_class_factor(rep(NA_integer_, container$rows), schema$classes))
  y <- evaluate_response(response, container, globalenv(), name, call)
  class <- read_class(y, name, container$rows, NULL, call)
  codes <- match(class$levels, schema$classes$levels)[as.integer(class$codes)]
  as_class_factor(codes, schema$classes)
}

# A row of symbols for each class, so that cases of different classes never cover each other. Cases
# of unknown class come last. If there are too many classes, the last row is shared.
case_rows <- function(cases, keys, style, top) {
  if (is.null(cases)) return(NULL)
  rows <- min(nrow(keys) + anyNA(cases$class), 8L)
  row <- ifelse(is.na(cases$class), nrow(keys) + 1L, as.integer(cases$class))
  cases <- data.frame(x = cases[[1L]], class = cases$class)
  cases$y <- -(0.15 + 0.035 * (pmin(row, rows) - 1)) * top
  point_marks(cases, keys, style, 1.2)
}
