#' @export
format.bayesrisk_spec <- function(x, ...) {
  spec_sentence(check_whole_spec(x, rlang::current_env()))
}

spec_sentence <- function(x) {
  how <- switch(x$structure,
    naive = c("Naive Bayes: ", describe_singles(x)),
    full = c("Full Bayes: ", describe_joint(x)),
    blocks = c(
      "Bayes by blocks: ", describe_blocks(x), "; in a block ", describe_joint(x),
      "; outside them ", describe_singles(x)
    ),
    known = c("Known model: ", describe_features(x))
  )
  strict <- if (x$degenerate == "stop") "; degenerate data are an error"
  tempered <- if (!is.null(x$temper)) paste("; tempered by", x$temper)
  paste0(c(how, "; ", describe_prior(x$prior), strict, tempered, "."), collapse = "")
}

#' @export
describe.bayesrisk_spec <- function(x, show) list(sentences_item(format(x)))

#' @export
summary.bayesrisk_spec <- function(object, ...) {
  check_no_dots(...)
  structure(
    spec_rows(object, rlang::current_env()),
    class = c("bayesrisk_summary_spec", "bayesrisk_result", "data.frame")
  )
}

#' @export
result_rows.bayesrisk_spec <- function(x, call) spec_rows(x, call)

spec_rows <- function(x, call) {
  x <- check_whole_spec(x, call)
  features <- vapply(x$features, describe_likelihood, character(1))
  blocks <- vapply(x$blocks, paste, character(1), collapse = ", ")
  settings <- c(
    structure = x$structure,
    prefix_names(blocks, "block"),
    categorical = describe_likelihood(x$categorical),
    numeric = describe_likelihood(x$numeric),
    bag = if (!is.null(x$bag)) describe_likelihood(x$bag),
    prefix_names(features, "feature"),
    if (x$structure != "naive") joint_settings(x),
    prior = describe_prior(x$prior),
    degenerate = if (x$structure != "known") x$degenerate,
    temper = x$temper
  )
  data.frame(part = names(settings), setting = unname(settings))
}

#' @export
describe.bayesrisk_summary_spec <- function(x, show) {
  list(title_item("specification"), table_item(plain_frame(x), c("part", "parts")))
}

prefix_names <- function(x, prefix) {
  if (length(x)) stats::setNames(x, paste(prefix, names(x)))
}

describe_features <- function(spec) {
  if (length(spec$features) == 0L) return("no features")
  parts <- sprintf(
    "%s by %s", encodeString(names(spec$features)),
    vapply(spec$features, describe_likelihood, character(1))
  )
  paste(parts, collapse = ", ")
}

describe_singles <- function(spec) {
  parts <- c(
    sprintf("categorical features by %s", describe_likelihood(spec$categorical)),
    sprintf("numeric features by %s", describe_likelihood(spec$numeric)),
    if (!is.null(spec$bag)) sprintf("bags of terms by %s", describe_likelihood(spec$bag)),
    if (length(spec$features)) describe_features(spec)
  )
  paste(parts, collapse = ", ")
}

describe_joint <- function(spec) {
  paste0(
    "categorical features jointly by ", describe_likelihood(spec$categorical),
    ", numeric features ", describe_joint_numbers(spec)
  )
}

describe_joint_numbers <- function(spec) {
  gaussian <- paste("by multivariate Gaussians with", describe_covariance(spec))
  if (is.null(spec$joint)) return(gaussian)
  if (is_likelihood(spec$joint)) return(paste("jointly by", describe_likelihood(spec$joint)))
  own <- sprintf(
    "of %s jointly by %s", encodeString(names(spec$joint)),
    vapply(spec$joint, describe_likelihood, "")
  )
  paste(c(own, if (has_gaussian_blocks(spec)) paste("of the others", gaussian)), collapse = ", ")
}

# The rows of a summary about joint blocks, named.
joint_settings <- function(spec) {
  joint <- if (is_likelihood(spec$joint)) {
    c(joint = describe_likelihood(spec$joint))
  } else {
    prefix_names(vapply(spec$joint, describe_likelihood, ""), "joint")
  }
  c(joint, covariance = if (has_gaussian_blocks(spec)) describe_covariance(spec))
}

describe_blocks <- function(spec) {
  if (length(spec$blocks) == 0L) return("none")
  members <- vapply(spec$blocks, function(block) {
    paste(encodeString(block), collapse = ", ")
  }, character(1))
  # A name that was made of the members says nothing more.
  given <- names(spec$blocks) != name_blocks(unname(spec$blocks))
  paste0(ifelse(given, paste0(encodeString(names(spec$blocks)), " "), ""), "(", members, ")",
         collapse = ", ")
}

describe_covariance <- function(spec) {
  estimator <- estimator_word(spec$numeric)
  towards <- c(
    if (spec$shrinkage > 0) sprintf("by %s towards the pooled one", format(spec$shrinkage)),
    if (is_auto(spec$identity)) {
      "towards the identity by an estimated weight (OAS)"
    } else if (spec$identity > 0) {
      sprintf("by %s towards the identity", format(spec$identity))
    }
  )
  shrunk <- if (length(towards)) paste0(", shrunk ", paste(towards, collapse = " and "))
  em <- if (spec$missing == "em") ", of all rows by expectation-maximisation"
  if (spec$covariance == "pooled") {
    return(paste0("one pooled ", estimator, " covariance", em, shrunk))
  }
  paste0(estimator, " covariance per class", em, shrunk, describe_borrow(spec$borrow))
}

describe_prior <- function(prior) {
  if (is.null(prior)) return("prior from the class shares")
  if (identical(prior, "uniform")) return("uniform prior")
  order <- if (is.null(names(prior))) " in level order"
  paste0("prior ", format_numbers(prior), order)
}
