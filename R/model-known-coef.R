# Elements of coef() as known likelihoods. Other values are returned as they are.

known_coefficients <- function(part, name, call) {
  if (is_likelihood(part)) return(part)
  if (is.data.frame(part)) return(likelihood_of_frame(part, name, call))
  if (is.matrix(part) && identical(names(dimnames(part))[2L], "statistic")) {
    return(likelihood_of_numbers(part, name, call))
  }
  if (is.list(part) && !is.object(part)) return(likelihood_of_list(part, name, call))
  if (!is.null(attr(part, "statistic")) || is_binned(part)) abort_not_known(name, call)
  part
}

# The labels of bins are those of bin_labels().
is_binned <- function(part) {
  labels <- unlist(dimnames(part)[-length(dim(part))])
  length(dim(part)) > 2L && length(labels) > 0L &&
    all(grepl("^\\[[^ ,]+, [^ ,]+[])]$", labels))
}

abort_not_known <- function(name, call) {
  abort_argument(c(
    "The coefficients of {.arg {name}} do not determine a distribution.",
    i = "A bag of terms: {.code likelihood_multinomial(table = )} or
         {.code likelihood_bernoulli(table = )}.",
    i = "{.fn write_model_json} keeps every model."
  ), call)
}

# A class x statistic matrix: the likelihood of numbers that has these parameters.
likelihood_of_numbers <- function(part, name, call) {
  fits <- Filter(function(record) {
    record$kind == "numeric" && any(vapply(record$given, setequal, NA, y = colnames(part)))
  }, likelihood_records())
  if (length(fits) != 1L) abort_not_known(name, call)
  given <- lapply(stats::setNames(nm = colnames(part)), function(statistic) part[, statistic])
  make_known(names(fits), given, name, call)
}

# A data frame with a row for each component, bin, point or value of each class.
likelihood_of_frame <- function(part, name, call) {
  columns <- names(part)
  has <- function(...) all(c("class", ...) %in% columns)
  class <- as.character(unlist(part["class"[has()]], use.names = FALSE))
  of <- function(column) split(part[[column]], factor(class, unique(class)))
  if (has("weight", "mean", "sd")) {
    given <- list(weights = of("weight"), mean = of("mean"), sd = of("sd"))
    return(make_known("mixture", given, name, call))
  }
  if (has("value", "weight", "bandwidth")) {
    given <- list(weights = of("weight"), mean = of("value"), sd = of("bandwidth"))
    return(make_known("mixture", given, name, call))
  }
  if (has("from", "to", "probability")) {
    breaks <- Map(function(from, to) c(from, to[length(to)]), of("from"), of("to"))
    if (length(unique(unname(breaks))) == 1L) breaks <- breaks[[1L]]
    given <- list(breaks = breaks, table = of("probability"))
    return(make_known("histogram", given, name, call))
  }
  if (!has("value", "probability")) abort_not_known(name, call)
  make_known("empirical", list(value = of("value"), weights = of("probability")), name, call)
}

# A joint block.
likelihood_of_list <- function(part, name, call) {
  if (setequal(names(part), c("power", "offset"))) {
    abort_argument(c(
      "{.arg {name}}: exponents of {.fn temper} are no distribution.",
      i = "{.fn write_model_json} keeps them; {.code update(model, temper = NULL)} removes them."
    ), call)
  }
  joint <- list(gaussian = c("mean", "covariance"), mixture = c("weights", "mean", "covariance"))
  fits <- names(joint)[vapply(joint, setequal, NA, y = names(part))]
  if (!length(fits)) abort_not_known(name, call)
  make_known(fits, part, name, call)
}

# A likelihood of given parameters. `likelihood`: its name.
make_known <- function(likelihood, given, name, call) {
  check <- likelihood_records()[[likelihood]]$check
  settings <- formals(get(paste0("likelihood_", likelihood)))
  settings <- lapply(settings[setdiff(names(settings), "...")], eval, baseenv())
  settings[names(given)] <- given
  rlang::try_fetch(
    new_likelihood(likelihood, do.call(check, c(settings, list(call = call)), quote = TRUE)),
    bayesrisk_error_argument = function(e) {
      abort_argument("{.arg {name}} has no parameters of a distribution.", call, parent = e)
    }
  )
}
