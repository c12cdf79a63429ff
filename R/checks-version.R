# Saved objects say which version of the package made them. An object of an older version is brought
# up to date where it enters a function, so that all other code knows one form of each object.

package_version_string <- getNamespaceInfo(topenv(), "spec")[["version"]]

# Objects of this version and of later ones are read.
first_readable <- "0.2.0"

# Objects that said nothing about their version before they said it: they are of `first_readable`.
unversioned <- c(
  "bayesrisk_spec", "bayesrisk_cost", "bayesrisk_assessment", "bayesrisk_temper"
)

# The changes of form, named by the version that made them, in order: functions of an object of the
# form before. Also of the specification in a model, which is an object of its own.
form_changes <- list()

# `object`: any saved object; `what` it is, for errors. An object without a readable version is
# returned as it is: the checks of its parts say that it is damaged.
up_to_date <- function(object, what, call, changes = form_changes) {
  version <- version_of(object)
  if (identical(version, package_version_string) || !is_version(version)) return(object)
  check_read_version(version, what, call)
  later <- package_version(names(changes)) > version
  for (change in changes[later]) object <- change(object)
  with_version(object, call)
}

# An element of lists, an attribute of other objects and of lists that have one element per group.
version_of <- function(object) {
  version <- attr(object, "version", exact = TRUE)
  if (is.null(version) && is.list(object)) version <- unclass(object)[["version"]]
  if (is.null(version) && inherits(object, unversioned)) first_readable else version
}

# A model also holds a specification.
with_version <- function(object, call) {
  if (!is.null(attr(object, "version", exact = TRUE)) || !is.list(object)) {
    attr(object, "version") <- package_version_string
    spec <- attr(object, "spec", exact = TRUE)
    if (!is.null(spec)) attr(object, "spec") <- up_to_date(spec, "specification", call)
    return(object)
  }
  class <- oldClass(object)
  object <- unclass(object)
  object$version <- package_version_string
  if (!is.null(object$spec)) object$spec <- up_to_date(object$spec, "specification", call)
  structure(object, class = class)
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
