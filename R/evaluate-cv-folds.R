# Folds: drawn at random, or given by the user.

most_folds <- 1e4

# Returns a list of
# * of: the fold of each row, from 1; NA for a row that is left out;
# * labels;
# * given: whether the user gave the fold of each row.
# `codes`: the class of each row, NA for a row that is left out. `used`: the number of rows that are
# not left out.
read_folds <- function(folds, stratify, codes, used, call) {
  if (used < 2L) abort_data("Folds need two rows or more: there {?is/are} {used}.", call)
  if (length(folds) != 1L || length(codes) == 1L) return(given_folds(folds, codes, call))
  count <- check_whole_number(folds, "folds", min = 2, max = used, call = call)
  check_fold_count(count, call)
  of <- if (count == used) {
    replace(rep(NA_integer_, length(codes)), !is.na(codes), seq_len(used))
  } else {
    draw_folds(count, if (stratify) codes else replace(codes, !is.na(codes), 1L), call)
  }
  list(of = of, labels = seq_len(count), given = FALSE)
}

check_fold_count <- function(count, call) {
  if (count <= most_folds) return(invisible())
  abort_argument(c(
    "{.arg folds}: {count} folds are too many: at most {most_folds}.",
    i = "Each fold needs its own model. With many rows ten folds are enough."
  ), call)
}

# The seed comes from R's generator, so set.seed() makes the folds reproducible.
draw_folds <- function(count, codes, call) {
  seed <- sample.int(.Machine$integer.max, 1L)
  call_engine(draw_folds_cpp(codes, max(codes, na.rm = TRUE), count, seed), call)
}

given_folds <- function(folds, codes, call) {
  if (length(folds) != length(codes)) {
    got <- describe_value(folds)
    abort_argument(c(
      "{.arg folds} must be a number, or one value for each of the {length(codes)} rows.",
      x = "It is {got}."
    ), call)
  }
  of <- label_factor(folds, "folds", call)
  of[is.na(codes)] <- NA
  missing <- sum(is.na(of) & !is.na(codes))
  if (missing > 0L) abort_argument("{.arg folds} is missing in {missing} row{?s}.", call)
  of <- droplevels(of)
  if (nlevels(of) < 2L) {
    abort_argument(
      "{.arg folds} must name two folds or more: each model is fitted to the other folds.", call
    )
  }
  check_fold_count(nlevels(of), call)
  list(of = as.vector(unclass(of)), labels = levels(of), given = TRUE)
}
