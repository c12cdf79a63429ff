# Rscript tools/fuzz-objects.R [DOCUMENTS] [OBJECTS] [FIRST SEED]: damaged JSON documents of models
# and statistics, and damaged objects in memory, for the bayesrisk that R finds. Each is refused by
# an error of the package, or every function that takes it returns a value or raises an error about
# the arguments. An error that calls an accepted document damaged is a failure. Prints the seeds
# that fail, and the numbers of documents and objects that were accepted.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[1])
root <- dirname(dirname(normalizePath(gsub("~+~", " ", script, fixed = TRUE))))
library(bayesrisk)
for (helper in c("damage", "likelihoods", "valid", "wording")) {
  source(file.path(root, "tests", "testthat", sprintf("helper-%s.R", helper)))
}
inside <- asNamespace("bayesrisk")

asked <- as.numeric(commandArgs(TRUE))
asked <- c(asked, c(1e5, 1e4, 1)[seq_len(3L) > length(asked)])
count <- c(documents = asked[[1L]], objects = asked[[2L]])

## Documents --------------------------------------------------------------------------------------

pick <- function(x) x[[sample.int(length(x), 1L)]]

is_model <- function(x) inherits(x, "bayesrisk_model")

# A model that is written without its statistics.
bare <- function(model) {
  file <- tempfile()
  write_model_json(model, file, statistics = FALSE)
  read_model_json(file)
}

# The objects that are written: few rows of few features, because parsing takes the time.
written_objects <- function() {
  data <- valid_data()
  models <- valid_models()[
    c("naive", "full", "em", "blocks", "mixtures", "points", "known", "joint")
  ]
  m <- 1.5
  c(models, list(
    text = valid_text()$model, bare = bare(models$blocks),
    tempered = suppressMessages(temper(fit(bayes_naive(), y ~ x, data), data, folds = 2)),
    kept = fit(bayes_naive(laplace = 1), I(n > 3) ~ I(x - m) + cut(z, c(-9, 0, 9)), data),
    collected = bayes_statistics(bayes_naive(laplace = 1), y ~ x + g, data),
    cells = bayes_statistics(bayes_full(laplace = 1), y ~ ., data)
  ))
}

# list(object, kind, text, tree): the object, what the file holds, its text and its parsed text.
new_document <- function(object) {
  file <- tempfile()
  kind <- if (is_model(object)) "model" else "statistics"
  if (kind == "model") write_model_json(object, file) else write_statistics(object, file)
  list(
    object = object, kind = kind, text = readBin(file, "raw", file.size(file)),
    tree = inside$parse_file(file)[[kind]]
  )
}

strange_names <- c(
  "", "a b", "`", "'", "\"", "\\", "\n", "{x}", "{.val x}", "<b>", "$", "NA", "NULL", "if", "...",
  "y", "x", ".double", ".class", "\u00e9", "e\u0301", "\U1F600", "\u202e", strrep("x", 500L)
)
strange_numbers <- list(
  "NaN", "Inf", "-Inf", "NA", "-0", 1e308, -1e308, 5e-324, -1, 0, 0.5, 1L, 2L, 1e15, 2147483647,
  TRUE, NULL, list(), "x"
)
typed <- c(".double", ".integer", ".logical", ".character", ".list", ".code")
change_leaf <- function(x) {
  if (is.character(x) && stats::runif(1) < 0.7) return(pick(strange_names))
  if (is.numeric(x) && stats::runif(1) < 0.3) return(x * pick(c(-1, 0.5, 2, 1 + 1e-15)))
  pick(strange_numbers)
}

# One change of the keys, the order or the number of the elements of a list.
change_list <- function(x) {
  if (!length(x)) return(list(pick(strange_numbers)))
  i <- sample.int(length(x), 1L)
  changes <- list(
    function() x[-i], function() x[c(seq_along(x), i)], function() rev(x), function() x[0L],
    function() x[sample.int(length(x))], function() list(x), function() x[[i]], function() NULL,
    function() x[seq_len(i)], function() replace(x, i, list(change_leaf(x[[i]])))
  )
  if (!is.null(names(x))) {
    new <- if (names(x)[[i]] %in% typed) typed else c(names(x), strange_names)
    rename <- function() stats::setNames(x, replace(names(x), i, pick(new)))
    changes <- c(changes, rep(list(rename), 3L), function() c(x, stats::setNames(x[i], pick(new))))
  }
  pick(changes)()
}

# One change somewhere in a tree. `other`: a tree whose parts may take the place of its parts.
change_tree <- function(x, other) {
  if (!is.list(x)) return(change_leaf(x))
  if (!length(x) || stats::runif(1) < 0.12) return(change_list(x))
  i <- sample.int(length(x), 1L)
  name <- names(x)[i]
  there <- if (is.list(other)) if (is.null(name)) other[i] else other[name]
  there <- if (length(there)) there[[1L]]
  x[i] <- list(if (stats::runif(1) < 0.05) there else change_tree(x[[i]], there))
  x
}

change_bytes <- function(bytes) {
  at <- sort(sample.int(length(bytes), 2L, replace = TRUE))
  if (diff(at) > 200L) at[[2L]] <- at[[1L]] + sample.int(200L, 1L)
  part <- bytes[at[[1L]]:at[[2L]]]
  before <- bytes[seq_len(at[[1L]] - 1L)]
  after <- bytes[-seq_len(at[[2L]])]
  snippets <- c(
    "null", "1e999", "{", "]", ",", "\"", "\\u0000", "{\"a\": 1, \"a\": 2}", "\"format\": 1,", "9"
  )
  switch(sample.int(6L, 1L),
    c(before, after), before, c(before, part, part, after), c(before, rev(part), after),
    c(before, charToRaw(pick(snippets)), after), c(before, as.raw(sample(0:255, 3L)), after)
  )
}

# The object of a changed tree, or "refused". Parts that did not change are not decoded again.
read_tree <- function(tree, document) {
  same <- is.list(tree) && identical(names(tree), names(document$tree))
  x <- tryCatch({
    x <- if (same) unclass(document$object) else inside$decode_object(tree)
    for (name in if (same) names(tree)) {
      if (!identical(tree[[name]], document$tree[[name]])) {
        x[name] <- list(inside$decode_object(tree[[name]]))
      }
    }
    x <- structure(x, class = class(document$object))
    inside$check_held(x, FALSE, NULL)
    x
  }, error = function(e) "refused", warning = function(w) "refused")
  if (identical(x, "refused")) return(x)
  problem <- if (document$kind == "model") inside$model_problem else inside$collected_problem
  found <- inside$first_problem(x, list(problem, inside$unknown_field))
  if (is.null(found)) x else "refused"
}

read_bytes <- function(bytes, document) {
  file <- tempfile()
  on.exit(unlink(file))
  writeBin(bytes, file)
  read <- if (document$kind == "model") read_model_json else read_statistics
  tryCatch(muffle_ours(read(file)), bayesrisk_error_object = function(e) "refused")
}

## Uses -------------------------------------------------------------------------------------------

# A use that takes more seconds of the processor hangs.
hang <- 20

# Rows with the columns that the features of a schema read.
rows_for <- function(schema) {
  columns <- lapply(schema$features, function(feature) {
    if (!is.null(feature$expression)) {
      return(stats::setNames(rep(list(c(0.5, 1, 2)), length(feature$columns)), feature$columns))
    }
    column <- switch(feature$kind,
      numeric = c(0, 1.5, NA), bag = matrix(
        1, 3L, length(feature$levels), dimnames = list(NULL, feature$levels)
      ),
      if (feature$type == "logical") c(TRUE, NA, FALSE) else rep_len(c(feature$levels, NA), 3L)
    )
    stats::setNames(list(column), feature$name)
  })
  rows <- do.call(c, unname(columns))
  rows <- rows[!duplicated(names(rows))]
  if (length(rows)) structure(rows, row.names = 1:3, class = "data.frame") else data.frame(1:3)
}

# The schema of an object, or of another one if it is damaged.
sound_schema <- function(x, other) {
  schema <- unclass(x)$schema
  if (is.null(inside$schema_problem(schema))) schema else unclass(other)$schema
}

model_uses <- function(original) {
  cost <- function(m) zero_one_cost(sound_schema(m, original)$classes$levels, reject = 0.3)
  rows <- function(m) rows_for(sound_schema(m, original))
  by_type <- lapply(c("class", "prob", "log_joint", "log_evidence"), function(type) {
    function(m) predict(m, rows(m), type = type)
  })
  c(by_type, list(
    format, function(m) format(summary(m)), tidy, glance, coef, formula, nobs, logLik, counts,
    function(m) decide(m, rows(m), cost(m)), function(m) predict(m, rows(m), cost = cost(m)),
    confint, function(m) contributions(m, rows(m)), function(m) update(m, laplace = 2),
    function(m) update(m, prior = "uniform"), function(m) merge(m, m),
    function(m) merge(m, original), function(m) merge(original, m), function(m) {
      stopifnot(!is.nan(predict(m, rows(m), type = "prob")))
    }
  ))
}

statistics_uses <- function(original) {
  list(
    format, nobs, function(s) fit(unclass(original)$spec, s), function(s) merge(s, s),
    function(s) merge(s, original), function(s) merge(original, s),
    function(s) predict(fit(unclass(original)$spec, s), rows_for(sound_schema(s, original)))
  )
}

uses_of <- function(object) {
  (if (is_model(object)) model_uses else statistics_uses)(object)
}

# A wrong outcome of a use, as text; NULL for none.
use_problem <- function(use, object, accepted) {
  start <- sum(proc.time()[1:2])
  problem <- damage_problem(function(x) {
    if (!accepted) return(use(x))
    tryCatch(use(x), bayesrisk_error_object = function(e) stop("refused: ", conditionMessage(e)))
  }, object)
  # Warnings of the functions of a formula are the user's.
  theirs <- "not meaningful for factors|NaNs produced|Recycling array"
  if (any(grepl(theirs, problem))) problem <- NULL
  took <- sum(proc.time()[1:2]) - start
  if (is.null(problem) && took > hang) problem <- sprintf("%.1f seconds", took)
  if (!is.null(problem)) paste0(deparse1(body(use)), ": ", problem)
}

## Runs -------------------------------------------------------------------------------------------

documents <- lapply(written_objects(), new_document)
document_uses <- lapply(documents, function(document) uses_of(document$object))

# Whether the document was accepted, and the problem: NULL for none.
try_document <- function(seed) {
  set.seed(seed)
  which <- pick(names(documents))
  document <- documents[[which]]
  setTimeLimit(cpu = hang, transient = TRUE)
  read <- tryCatch(if (seed %% 10 == 0) {
    read_bytes(change_bytes(document$text), document)
  } else {
    tree <- document$tree
    for (i in seq_len(sample.int(2L, 1L))) tree <- change_tree(tree, pick(documents)$tree)
    if (identical(tree, document$tree)) "refused" else read_tree(tree, document)
  }, error = identity)
  if (inherits(read, "error")) return(list(FALSE, paste("reading:", conditionMessage(read))))
  if (identical(read, "refused")) return(list(FALSE, NULL))
  uses <- sample(document_uses[[which]], 3L)
  list(TRUE, unlist(lapply(uses, use_problem, read, accepted = TRUE)))
}

# An object in memory of which one part is what it should not be. Statistics may come from a file.
try_object <- function(seed) {
  set.seed(seed)
  which <- pick(names(documents))
  object <- documents[[which]]$object
  path <- pick(paths[[which]])
  value <- pick(damaged_values(part_at(object, path)))
  damaged <- tryCatch(suppressWarnings(damage_at(object, path, value)), error = function(e) NULL)
  if (is.null(damaged)) return(list(FALSE, NULL))
  setTimeLimit(cpu = hang, transient = TRUE)
  read <- FALSE
  if (documents[[which]]$kind == "statistics") {
    file <- tempfile()
    on.exit(unlink(file))
    saveRDS(damaged, file, compress = FALSE)
    found <- tryCatch(read_statistics(file), error = identity)
    if (inherits(found, "error") && !inherits(found, "bayesrisk_error")) {
      return(list(FALSE, paste("reading:", conditionMessage(found))))
    }
    read <- !inherits(found, "error")
  }
  list(read, unlist(lapply(sample(document_uses[[which]], 3L), use_problem, damaged, read)))
}

paths <- lapply(documents, function(document) damage_paths(document$object))
cores <- if (.Platform$OS.type == "windows") 1L else parallel::detectCores()
# The result of each seed. A process that crashed returns nothing for any of its seeds; these are
# tried again, each in its own process.
try_seeds <- function(seeds, try_seed) {
  worded <- function(seed) worded_now_and_then(seed, try_seed(seed), every = 100)
  found <- parallel::mclapply(seeds, worded, mc.cores = cores)
  lost <- which(!vapply(found, is.list, NA))
  found[lost] <- parallel::mclapply(seeds[lost], worded, mc.cores = cores, mc.preschedule = FALSE)
  found[!vapply(found, is.list, NA)] <- list(list(FALSE, "the process ended"))
  found
}

# Prints what failed, and returns how many did.
run <- function(what, try_seed) {
  accepted <- failed <- 0
  start <- proc.time()[["elapsed"]]
  for (from in seq(asked[[3L]], length.out = ceiling(count[[what]] / 5000), by = 5000)) {
    seeds <- seq(from, min(from + 4999, asked[[3L]] + count[[what]] - 1))
    found <- try_seeds(seeds, try_seed)
    problems <- lapply(found, `[[`, 2L)
    for (i in which(lengths(problems) > 0L)) {
      cat(sprintf("%s %.0f: %s\n", what, seeds[[i]], paste(problems[[i]], collapse = "\n  ")))
    }
    accepted <- accepted + sum(vapply(found, `[[`, NA, 1L))
    failed <- failed + sum(lengths(problems) > 0L)
  }
  cat(sprintf(
    "%.0f damaged %s, %.0f accepted, %.0f failed, %.0f seconds\n", count[[what]], what, accepted,
    failed, proc.time()[["elapsed"]] - start
  ))
  failed
}
failed <- run("documents", try_document) + run("objects", try_object)
quit(status = as.integer(failed > 0))
