# The rules that the arguments of all exported functions and of the methods of the package follow.

# Named by function; generics of other packages have the arguments of their owners.
surface_arguments <- function() {
  ns <- asNamespace("bayesrisk")
  exported <- setdiff(getNamespaceExports(ns), c("fit", "fit_xy", "tidy", "glance", "augment"))
  methods <- getNamespaceInfo(ns, "S3methods")
  internal <- setdiff(ls(ns, all.names = TRUE), getNamespaceExports(ns))
  # Methods of suggested packages, which are registered when these are loaded, name their package.
  public <- !methods[, 1L] %in% internal & is.na(methods[, 4L])
  names <- c(exported, methods[public, 3L])
  Filter(Negate(is.null), lapply(stats::setNames(nm = sort(names)), function(name) {
    formals(get(name, ns))
  }))
}

# The methods of these generics are called by R itself with arguments of its own.
internal_generics <- paste0(
  "^(print|format|as[.]data[.]frame|as[.]matrix|rbind|Math|Ops|t|\\[|\\$|.*<-)[.]"
)
# Any name is an action, a block or a feature of theirs.
contents <- c("cost_matrix", "utility_matrix", "bayes_known")

test_that("every function has dots, and nothing behind them but threads", {
  all <- surface_arguments()
  all <- all[!grepl(internal_generics, names(all)) & !names(all) %in% contents]
  for (name in names(all)) {
    arguments <- names(all[[name]])
    expect_true("..." %in% arguments, info = name)
    behind <- arguments[seq_along(arguments) > match("...", arguments)]
    if (!startsWith(name, "plot.")) expect_true(all(behind == "threads"), info = name)
  }
})

test_that("threads has one default and stands last", {
  for (name in names(all <- surface_arguments())) {
    if (!"threads" %in% names(all[[name]])) next
    expect_identical(utils::tail(names(all[[name]]), 2L), c("...", "threads"), info = name)
    expect_identical(all[[name]]$threads, quote(default_threads()), info = name)
  }
})

test_that("arguments have one order", {
  skip_on_cran()
  # Costs follow data, but for decide(): its data only price the costs of probabilities.
  orders <- list(
    c("object", "other", "formula", "newdata", "cost", "prior", "vary", "class", "from", "to"),
    c("object", "other", "formula", "data", "cost", "prior", "world", "truth", "trained_prior"),
    c("x", "y", "data", "newdata", "cost", "prior"),
    c("object", "formula", "data", "cost", "prior", "weights", "subset", "na.action", "folds"),
    c("object", "newdata", "cost", "prior", "price", "features", "given"),
    c("object", "cost", "prior", "rule", "method", "tolerance", "seed"),
    c("object", "cost", "prior", "features", "given", "all", "seed"),
    c("object", "newdata", "type", "cost", "prior"),
    c("object", "newdata", "cost", "prior", "order")
  )
  all <- surface_arguments()
  # The prior of a specification is a setting, as its features are. The folds of temper() are a
  # setting, too. The features of a class are asked for without data. Cases of explorer() are only
  # shown, beside the decisions of a cost. A threshold is tuned to a metric of a class, which may be
  # a cost. A guarantee is one of a truth. The prior of value_of_data() says how it draws. A plan
  # needs prices as it needs costs.
  apart <- c(
    "decide.default", "explorer", "bayes_naive", "bayes_full", "bayes_blocks", "bayes_text",
    "guarantee", "temper.bayesrisk_model", "temper.bayesrisk_models", "test_plan",
    "top_features", "tune_threshold", "value_of_data"
  )
  all <- all[!names(all) %in% apart & !startsWith(names(all), "plot.")]
  for (name in names(all)) {
    for (order in orders) {
      shared <- intersect(names(all[[name]]), order)
      expect_identical(shared, intersect(order, shared), info = name)
    }
  }
})

test_that("an argument that many functions have has one default", {
  # Or it must be given; `weights` of fit_xy() and the seed of simulate() are values.
  defaults <- c(
    cost = "NULL", prior = "NULL", truth = "NULL", trained_prior = "NULL", seed = "1",
    weights = "NULL", subset = "", na.action = "stats::na.pass", newdata = "NULL", data = "NULL",
    given = "NULL"
  )
  all <- surface_arguments()
  for (name in grep("^simulate", names(all), value = TRUE, invert = TRUE)) {
    for (arg in intersect(names(all[[name]]), names(defaults))) {
      found <- paste(deparse(all[[name]][[arg]]), collapse = "")
      expect_true(found %in% c("", defaults[[arg]]), info = paste(name, arg))
    }
  }
})

test_that("case weights, the choice of rows and missing values come together", {
  together <- c("weights", "subset", "na.action")
  for (name in names(all <- surface_arguments())) {
    arguments <- names(all[[name]])
    if (!"subset" %in% arguments) next
    expect_identical(arguments[match("weights", arguments) + 0:2], together, info = name)
  }
})

test_that("names are of one vocabulary", {
  vocabulary <- c(
    # whom, and on what
    "object", "other", "x", "y", "e1", "e2", "i", "name", "formula", "data", "newdata", "moredata",
    "m", "confusion", "joint", "truth", "decision", "event", "given", "classes", "likelihood",
    # what it costs, and what is believed
    "cost", "prior", "trained_prior", "trained_n", "price", "capacity", "budget", "reject",
    "rule", "world", "plan", "panels", "visit", "max_tests", "time", "max_depth", "min_probability",
    "alternatives", "guarantee",
    # which, and how
    "type", "vary", "class", "against", "order", "from", "to", "features", "all", "case", "rows",
    "n", "nsim", "folds", "stratify", "weights", "cluster", "subset", "na.action", "method",
    "tolerance", "interval", "level", "seed", "threads", "digits", "limit", "sort", "value",
    "row.names", "optional", "deparse.level",
    # settings of specifications and likelihoods
    "pool", "forget", "half_life", "blocks", "laplace", "variance", "categorical", "numeric",
    "covariance", "shrinkage", "identity", "pooled", "regularization_method", "missing", "p",
    "structure", "smoothness", "range", "table", "min_variance", "mean", "sd", "width", "origin",
    "breaks", "bandwidth",
    "points", "rate", "shape", "size", "min_variance_share", "borrow", "degenerate",
    "adjust", "pseudo_count", "pseudo_exposure", "components", "select", "starts", "temper", "bias",
    "penalty", "criterion", "candidates", "metric", "at_least", "beta",
    "sensitivity", "bound", "delta", "refer", "max_cost", "grid",
    "kinds", "max_size", "alpha", "reference", "together", "estimate", "draws", "parm", "cases",
    "most", "counts", "complement", "normalise", "weights_ok", "structure", "statistics",
    # where the data are
    "next_chunk", "reset", "file", "trust", "col_types", "na.strings", "con", "query", "parts",
    "source",
    "read", "map", "on_error", "by", "default", "format", "min_count", "strategy",
    # what a figure shows
    "xlim", "ylim", "controls",
    # of generics of other packages
    "which", "equivocal", "metric_dispatcher"
  )
  used <- unique(unlist(lapply(surface_arguments(), names)))
  expect_identical(setdiff(used, c(vocabulary, "...")), character())
})

test_that("a misspelt argument of any function is an error that suggests the right one", {
  skip_on_cran()
  ns <- asNamespace("bayesrisk")
  calls <- all_valid_calls()
  unchecked <- paste0("^(", paste(contents, collapse = "|"), ")$|", internal_generics)
  for (name in setdiff(names(calls), grep(unchecked, names(calls), value = TRUE))) {
    known <- names(formals(calls[[name]][[1L]]))
    arguments <- calls[[name]][[2L]]
    right <- utils::tail(setdiff(known, c("...", "x", "y", "object")), 1L)
    if (!length(right) || nchar(right) < 4L) next
    # Two letters that changed places.
    wrong <- paste0(substr(right, 1L, 1L), substr(right, 3L, 3L), substr(right, 2L, 2L),
                    substring(right, 4L))
    if (wrong == right) next
    arguments <- c(arguments[setdiff(names(arguments), right)], stats::setNames(list(1), wrong))
    error <- tryCatch(do.call(calls[[name]][[1L]], arguments, quote = TRUE), error = identity)
    expect_s3_class(error, "bayesrisk_error_argument")
    text <- cli::ansi_strip(conditionMessage(error))
    expect_match(text, sprintf("`%s`", wrong), fixed = TRUE, info = name)
    if (!startsWith(name, "plot.") && !startsWith(name, "update.")) {
      expect_match(text, sprintf("`%s`", right), fixed = TRUE, info = name)
    }
  }
})

test_that("the table of what to use when is one, and its functions exist", {
  folder <- test_path("..", "..")
  files <- file.path(folder, c("README.md", "vignettes/deciding.Rmd", "R/bayesrisk-package.R"))
  skip_if_not(all(file.exists(files)))
  tables <- lapply(files, function(file) {
    lines <- sub("^#' ", "", readLines(file))
    rest <- lines[match("| question | function |", lines):length(lines)]
    utils::head(rest, match(FALSE, c(startsWith(rest, "|"), FALSE)) - 1L)
  })
  expect_identical(tables[[2L]], tables[[1L]])
  expect_identical(tables[[3L]], tables[[1L]])
  calls <- unlist(regmatches(tables[[1L]], gregexpr("[a-z_]+(?=\\()", tables[[1L]], perl = TRUE)))
  ours <- c(getNamespaceExports("bayesrisk"), "predict")
  expect_identical(setdiff(calls, ours), character())
})
