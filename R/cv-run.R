# One cross-validation: from candidates and cases to numbers, warnings and the result.

# The numbers of a cross-validation: list(found (the engine's answer), by_fold, borrows (whether all
# problems are borrowing), folds, nested, names, decides_class). `others`: for each candidate what a
# pooled group learns from, see other_groups().
cross_validate <- function(candidates, read, cost, settings, call, others = list()) {
  folds <- read_folds(
    read$folds, settings$stratify, read$group, sum(read$class_rows), call, read$cluster
  )
  population <- cv_population(settings$prior, read, call)
  design <- new_cv_design(candidates, read, folds, call)
  for (i in seq_along(others)) design$candidates[[i]]["others"] <- list(others[[i]])
  nested <- nested_splits(settings$interval, folds, read, candidates, design)
  found <- call_engine(cross_validate_cpp(
    design, cost, population, read$cluster, nested, read$threads
  ), call)
  found <- folds_in_units(found)
  problems <- read_fold_problems(found, design, read, call)
  decides_class <- any(cost$class_of > 0L)
  list(
    found = found, borrows = all(problems$borrows), folds = folds, nested = nested,
    by_fold = fold_risks(found, names(candidates), folds$labels, problems, decides_class),
    names = names(candidates), decides_class = decides_class
  )
}

warn_cv <- function(run, call) {
  undecided <- undecided_cases(run$by_fold)
  warn_folds(fold_problem_lines(run$by_fold), if (length(undecided)) {
    counted <- paste(names(undecided), undecided, collapse = ", ")
    "Cases without a decision are left out of error, cost and difference: {counted}."
  }, run$borrows, call)
}

as_cv <- function(run, cost, clusters) {
  new_cv(
    run$found, run$by_fold, run$names, run$folds$of, kept_cost(cost), run$nested,
    run$decides_class, clusters
  )
}
