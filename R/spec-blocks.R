# The blocks of a specification: a list of character vectors, named.

check_blocks <- function(blocks, call) {
  if (!is.list(blocks) || is.object(blocks) || length(blocks) == 0L) {
    abort_argument(c(
      "{.arg blocks} must be a list of character vectors, the features of each block.",
      x = "It is {describe_value(blocks)}.",
      i = "Without blocks, use {.code bayes_naive()}."
    ), call)
  }
  for (i in seq_along(blocks)) check_block(blocks[[i]], i, call)
  members <- unlist(blocks, use.names = FALSE)
  if (anyDuplicated(members)) {
    twice <- unique(members[duplicated(members)])
    abort_argument(
      "{.arg blocks} must hold a feature once, but {.field {twice}} {?is/are} in it twice.", call
    )
  }
  blocks <- lapply(blocks, as.vector)
  names(blocks) <- name_blocks(blocks)
  check_distinct_names(names(blocks), "blocks", call)
  blocks
}

check_block <- function(block, i, call) {
  if (!is.character(block) || is.object(block) || length(block) == 0L) {
    arg <- sprintf("blocks[[%d]]", i)
    abort_wanted(block, arg, "a character vector of one or more features", call)
  }
  if (anyNA(block) || !all(nzchar(block))) {
    abort_argument("{.arg blocks[[{i}]]} must not hold NA or an empty name.", call)
  }
}

name_blocks <- function(blocks) {
  joined <- vapply(blocks, paste, character(1), collapse = "+", USE.NAMES = FALSE)
  given <- names(blocks)
  if (is.null(given)) return(joined)
  unnamed <- is.na(given) | !nzchar(given)
  given[unnamed] <- joined[unnamed]
  given
}

# The likelihood of joint blocks: `joint` of a specification. It is NULL for multivariate Gaussians,
# a likelihood of all blocks of numeric features, or a list of likelihoods named by block.

check_joint <- function(joint, blocks, call) {
  if (is_likelihood(joint) || !is.list(joint) || is.object(joint) || length(blocks) == 0L) {
    return(check_joint_likelihood(joint, "joint", call))
  }
  if (length(joint) == 0L) return(NULL)
  if (is.null(names(joint))) abort_argument("{.arg joint} must be named by block.", call)
  check_distinct_names(names(joint), "joint", call)
  unknown <- setdiff(names(joint), names(blocks))
  if (length(unknown)) {
    abort_argument(c(
      "{.arg joint} must be named by block, but {.field {unknown}} {?is/are} no block.",
      i = "The blocks are {.field {names(blocks)}}."
    ), call)
  }
  args <- paste0("joint$", names(joint))
  checked <- Map(check_joint_likelihood, joint, args, MoreArgs = list(call = call))
  checked <- Filter(Negate(is.null), stats::setNames(checked, names(joint)))
  if (length(checked)) checked
}

# A Gaussian becomes NULL: it has no settings beside those of the specification.
check_joint_likelihood <- function(x, arg, call) {
  if (is.null(x)) return(NULL)
  record <- if (is_likelihood(x)) joint_record(x)
  if (is.null(record) || record$kind != "numeric") {
    got <- if (is_likelihood(x)) sprintf("likelihood_%s()", x$name) else describe_value(x)
    abort_argument(c(
      "{.arg {arg}} must be a likelihood of joint blocks of numeric features, not {got}.",
      i = "Such likelihoods are made by {.fn {joint_functions()}}."
    ), call)
  }
  check_likelihood(x, "numeric", arg, call)
  record$check_block(x, arg, call)
  if (x$name != "gaussian") return(x)
  if (identical(x, likelihood_gaussian())) return(NULL)
  abort_argument(c(
    "{.arg {arg}} must be {.code likelihood_gaussian()} without settings.",
    i = paste(
      "The covariance of a block is set by {.arg variance}, {.arg covariance}, {.arg shrinkage},",
      "{.arg identity}, {.arg borrow} and {.arg missing} of the specification."
    )
  ), call)
}

# The settings of Gaussian blocks that the specification holds.
gaussian_block_settings <- c("covariance", "shrinkage", "identity", "borrow", "missing")

# The settings of Gaussian blocks have no use if every block of numbers has another likelihood.
check_joint_settings <- function(spec, call) {
  if (has_gaussian_blocks(spec)) return(spec)
  unused <- c(
    variance = spec$structure == "full" && !identical(spec$numeric, likelihood_gaussian()),
    covariance = spec$covariance != "class", shrinkage = spec$shrinkage != 0,
    identity = spec$identity != 0, borrow = spec$borrow != 0, missing = spec$missing != "complete"
  )
  if (!any(unused)) return(spec)
  unused <- names(unused)[unused]
  abort_argument(c(
    "{.arg {unused}} cannot be given with {.arg joint}, which leaves no Gaussian block.",
    i = "{cli::qty(length(unused))}{?It is a setting/They are settings} of multivariate Gaussians."
  ), call)
}

# The specification after some blocks were dropped.
without_unused_joint <- function(spec) {
  if (is.null(spec$joint) || is_likelihood(spec$joint)) return(spec)
  kept <- spec$joint[names(spec$joint) %in% names(spec$blocks)]
  spec["joint"] <- list(if (length(kept)) kept)
  if (has_gaussian_blocks(spec)) return(spec)
  spec[gaussian_block_settings] <- list("class", 0, 0, 0, "complete")
  spec
}

# Whether a block of numbers can be Gaussian.
has_gaussian_blocks <- function(spec) {
  is.null(spec$joint) ||
    !is_likelihood(spec$joint) && !all(names(spec$blocks) %in% names(spec$joint))
}

# The likelihood of a joint block.
block_likelihood <- function(spec, block, kind) {
  if (kind == "categorical") return(spec$categorical)
  joint <- if (is_likelihood(spec$joint)) spec$joint else spec$joint[[block]]
  if (!is.null(joint)) return(joint)
  if (spec$numeric$name == "gaussian") spec$numeric else likelihood_gaussian()
}
