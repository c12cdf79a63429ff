# Saved objects say which version of the package made them. An object of an older version is brought
# up to date where it enters a function, so that all other code knows one form of each object.

package_version_string <- getNamespaceInfo(topenv(), "spec")[["version"]]

# Objects of this version and of later ones are read.
first_readable <- "0.2.0"

# Objects that said nothing about their version before they said it: they are of `first_readable`.
unversioned <- c(
  "bayesrisk_spec", "bayesrisk_cost", "bayesrisk_assessment", "bayesrisk_temper"
)

# The changes of form, in order, named by the version that made them. Each is a function of an
# object of any kind, also of the specification inside a model, and returns what it does not change.
form_changes <- list(
  # Assessments say which class their curves speak of, and how sure they are.
  "0.2.0.1" = function(object) {
    if (!inherits(object, "bayesrisk_assessment")) return(object)
    parts <- unclass(object)
    classes <- rownames(parts$confusion)
    parts$class <- classes[[length(classes)]]
    parts$level <- 0.95
    parts$interval <- "bootstrap"
    if (!is.null(parts$calibration)) parts$calibration$effective <- parts$calibration$cases
    if (!is.null(parts$benefit)) {
      parts$benefit <- data.frame(
        class = factor(parts$class, classes), parts$benefit[c("threshold", "benefit")],
        lower = NA_real_, upper = NA_real_, parts$benefit["all"]
      )
    }
    structure(parts, class = oldClass(object))
  },
  # Assessments have more measures. Those that need cases are not known.
  "0.2.0.2" = function(object) {
    if (!inherits(object, "bayesrisk_assessment")) return(object)
    parts <- unclass(object)
    classes <- rownames(parts$confusion)
    share <- rowSums(parts$confusion) / sum(parts$confusion)
    own <- c(tests_of_classes(parts$confusion), list(average_precision = NA_real_ * share))
    of <- c(NA, NA, rep(classes, length(own)))
    parts$measures <- rbind(parts$measures, data.frame(
      measure = c("kappa_linear", "kappa_quadratic", rep(names(own), each = length(classes))),
      class = factor(of, classes), estimate = c(NA, NA, unlist(own, use.names = FALSE)),
      lower = NA_real_, upper = NA_real_
    ))
    # The checks of its parts say that a changed assessment is damaged.
    if (is.data.frame(parts$by_truth) && nrow(parts$by_truth) == length(classes)) {
      later <- intersect(c("f1", "auc"), names(parts$by_truth))
      parts$by_truth[names(own)] <- lapply(own, unname)
      first <- setdiff(names(parts$by_truth), c(names(own), later))
      parts$by_truth <- parts$by_truth[c(first, names(own)[1:3], later, names(own)[[4L]])]
    }
    if (!is.null(parts$ranking)) {
      parts$ranking$precision <- parts$ranking$lift * share[as.character(parts$ranking$class)]
    }
    if (!is.null(parts$benefit)) {
      of <- share[as.character(parts$benefit$class)]
      parts$benefit$standardised <- parts$benefit$benefit / of
    }
    structure(parts, class = oldClass(object))
  },
  # A covariance can have an estimated weight of the identity, Gaussians one variance for all
  # classes, and exponents can be those of predictive scores.
  "0.2.0.3" = function(object) {
    parts <- unclass(object)
    if (inherits(object, "bayesrisk_spec")) {
      parts <- with_pooled(parts)
    } else if (inherits(object, "bayesrisk_model")) {
      parts <- with_scores(with_identity(parts))
    } else if (inherits(object, "bayesrisk_models") && is.list(parts)) {
      parts[] <- lapply(parts, function(model) with_scores(with_identity(model)))
    } else {
      return(object)
    }
    structure(parts, class = oldClass(object))
  }
)

# The Gaussians of a specification, wherever they stand in it.
with_pooled <- function(x) {
  if (inherits(x, "bayesrisk_likelihood_gaussian") && is.list(x)) {
    x$pooled <- FALSE
  } else if (is.list(x)) {
    x[] <- lapply(x, with_pooled)
  }
  x
}

# `model`: a list with the parameters of a model. Those of a damaged object stay.
with_identity <- function(model) {
  if (!is.list(model) || !is.list(model$parameters)) return(model)
  before <- c("mean", "mean_low", "factor", "left_out")
  model$parameters$banks <- lapply(model$parameters$banks, function(bank) {
    if (setequal(names(bank), before)) c(bank, list(identity = numeric())) else bank
  })
  model
}

# A tempered model names the scores of its exponents.
with_scores <- function(model) {
  if (!is.list(model) || !is.list(model$parameters)) return(model)
  temper <- model$parameters$temper
  if (is.list(temper) && is.null(temper$estimate)) model$parameters$temper$estimate <- "plugin"
  model
}

# The decisions for each class as a test of it, from the counts, truth in rows. NA if undefined.
tests_of_classes <- function(counts) {
  classes <- rownames(counts)
  counts <- matrix(counts, nrow(counts), dimnames = dimnames(counts))
  decided <- intersect(classes, colnames(counts))
  all <- sum(counts)
  own <- rowSums(counts)
  taken <- hits <- if (length(decided)) 0 * own else NA * own
  taken[decided] <- colSums(counts)[decided]
  hits[decided] <- counts[cbind(decided, decided)]
  alarms <- (taken - hits) / (all - own)
  found <- list(
    npv = 1 - (own - hits) / (all - taken), lr_positive = hits / own / alarms,
    lr_negative = (1 - hits / own) / (1 - alarms)
  )
  lapply(found, function(x) replace(x, is.nan(x), NA))
}

# `object`: any saved object; `what` it is, for errors. An object without a readable version is
# returned as it is: the checks of its parts say that it is damaged.
up_to_date <- function(object, what, call, changes = form_changes) {
  version <- version_of(object)
  if (identical(version, package_version_string) || !is_version(version)) return(object)
  check_read_version(version, what, call)
  later <- package_version(names(changes)) > version
  for (change in changes[later]) object <- change(object)
  with_version(object, call, changes)
}

# The version is an element of an object that is a list of parts, and an attribute of others: costs
# and models of groups, whose elements are cells and groups.
version_of <- function(object) {
  version <- if (has_attributes(object)) {
    attr(object, "version", exact = TRUE)
  } else if (is.list(object)) {
    unclass(object)[["version"]]
  } else {
    NA
  }
  if (is.null(version) && inherits(object, unversioned)) first_readable else version
}

has_attributes <- function(object) {
  inherits(object, c("bayesrisk_cost", "bayesrisk_models", "bayesrisk_grouped_statistics"))
}

# A model also holds a specification.
with_version <- function(object, call, changes) {
  parts <- if (has_attributes(object)) attributes(object) else unclass(object)
  parts$version <- package_version_string
  if (!is.null(parts$spec)) {
    parts$spec <- up_to_date(parts$spec, "specification", call, changes)
  }
  if (!has_attributes(object)) return(structure(parts, class = oldClass(object)))
  attributes(object) <- parts
  object
}

is_version <- function(x) {
  identical(x, package_version_string) || is_string(x) && grepl("^[0-9]+([.-][0-9]+)+$", x)
}

check_read_version <- function(version, what, call) {
  if (package_version(version) > package_version_string) {
    abort_object(c(
      "The {what} was made by bayesrisk {version}; this is version {package_version_string}.",
      i = "Install bayesrisk {version} or later to use it."
    ), call)
  }
  if (package_version(version) >= first_readable) return(invisible())
  abort_object(c(
    "The {what} was made by bayesrisk {version}; this version reads those since {first_readable}.",
    i = "Make it again."
  ), call)
}
