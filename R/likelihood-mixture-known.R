# Known parameters of mixtures: their checks, and the parameters of the engine.

check_known_mixture <- function(weights, mean, sd, call) {
  given <- list(weights = weights, mean = mean, sd = sd)
  open <- vapply(given, is.null, NA)
  if (all(open)) return(given)
  if (any(open)) {
    abort_argument("{.arg {names(given)[!open]}} needs {.arg {names(given)[open]}}.", call)
  }
  weights <- check_mixture_weights(weights, call)
  classes <- names(weights)
  mean <- fill_components(check_by_class(mean, "mean", call), weights, "mean", call)
  if (is.numeric(sd) && length(sd) == 1L && is.null(names(sd))) {
    sd <- rep(list(check_number(sd, "sd", min = 0, call = call)), length(classes))
    names(sd) <- classes
  }
  sd <- fill_components(check_by_class(sd, "sd", call, min = 0), weights, "sd", call)
  check_positive(unlist(sd, use.names = FALSE), "sd", call)
  list(weights = weights, mean = mean, sd = sd)
}

check_mixture_weights <- function(weights, call) {
  weights <- check_by_class(weights, "weights", call, min = 0)
  wrong <- names(weights)[!vapply(weights, sums_to_one, NA)]
  if (!length(wrong)) return(weights)
  abort_argument(
    "{.arg weights} must sum to 1 within each class; they do not for {.val {wrong}}.", call
  )
}

# A list of plain vectors, one per class, named by class.
check_by_class <- function(x, arg, call, min = -Inf) {
  if (is.numeric(x)) {
    x <- check_numbers(x, arg, min, call = call)
    check_named_by_class(x, arg, call)
    return(as.list(x))
  }
  if (!is.list(x) || is.object(x) || length(x) == 0L) {
    wanted <- "a list named by class, with a number for each component"
    abort_wanted(
      x, arg, wanted, call, c(i = "For example {.code list(C1 = c(0.7, 0.3), C2 = 1)}.")
    )
  }
  check_named_by_class(x, arg, call)
  check_distinct_names(names(x), arg, call)
  Map(function(numbers, class) {
    unname(check_numbers(numbers, paste0(arg, "$", class), min, call = call))
  }, x, names(x))
}

# Sorts into the order of the weights and repeats to one number for each component.
fill_components <- function(x, weights, arg, call) {
  x <- x[match_names(names(x), names(weights), arg, call = call)]
  components <- lengths(weights)
  wrong <- names(weights)[lengths(x) != 1L & lengths(x) != components]
  if (length(wrong)) {
    class <- wrong[[1L]]
    abort_argument(
      paste(
        "{.arg {arg}} of class {.val {class}} must have 1 number or one per component",
        "({components[[class]]}), not {length(x[[class]])}."
      ),
      call
    )
  }
  Map(rep_len, x, components)
}

known_mixture <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$weights), classes, name, call = call)
  flat <- function(field) unlist(likelihood[[field]][at], use.names = FALSE)
  known_number(name, c(
    known_weights_of(likelihood$weights[at]),
    list(mean = flat("mean"), sd = flat("sd"), left_out = integer())
  ))
}

known_weights_of <- function(weights) {
  weights <- Map(`/`, weights, vapply(weights, sum, 1))
  list(
    components = lengths(weights, use.names = FALSE),
    log_weight = log(unlist(weights, use.names = FALSE))
  )
}

# Joint blocks -----------------------------------------------------------------------------------

# For each class a component x feature matrix of means, and a covariance of each component.
check_known_components <- function(weights, mean, sd, covariance, call) {
  if (!is.null(sd)) {
    abort_argument("{.arg sd} and {.arg covariance} cannot be given together.", call)
  }
  if (is.null(weights) || is.null(mean)) {
    abort_argument("{.arg covariance} needs {.arg weights} and {.arg mean}.", call)
  }
  weights <- check_mixture_weights(weights, call)
  mean <- check_list_of_classes(mean, names(weights), "mean", call)
  features <- colnames(mean[[1L]])
  mean <- Map(
    check_component_means, mean, lengths(weights), list(features), names(mean), list(call)
  )
  covariance <- check_list_of_classes(covariance, names(weights), "covariance", call)
  covariance <- Map(
    check_component_covariances, covariance, lengths(weights), list(features), names(covariance),
    list(call)
  )
  list(weights = weights, mean = mean, sd = NULL, covariance = covariance)
}

check_list_of_classes <- function(x, classes, arg, call) {
  if (!is.list(x) || is.object(x) || is.null(names(x))) {
    abort_wanted(x, arg, "a list named by class", call)
  }
  check_distinct_names(names(x), arg, call)
  x[match_names(names(x), classes, arg, call = call)]
}

check_component_means <- function(mean, count, features, class, call) {
  sound <- is.matrix(mean) && is.numeric(mean) && !is.object(mean) && nrow(mean) == count &&
    ncol(mean) > 0L && all(is.finite(mean))
  if (!sound) {
    got <- describe_value(mean)
    abort_argument(
      "{.arg mean} of class {.val {class}} must be a component x feature matrix of finite numbers
       with {count} row{?s}, not {got}.", call
    )
  }
  check_distinct_names(colnames(mean), "mean", call)
  if (is.null(features) || !identical(colnames(mean), features)) {
    abort_argument("{.arg mean} must have the features as column names, in one order.", call)
  }
  matrix(as.double(mean), count, dimnames = list(NULL, features))
}

check_component_covariances <- function(covariance, count, features, class, call) {
  size <- length(features)
  if (is.matrix(covariance) && count == 1L) dim(covariance) <- c(dim(covariance), 1L)
  if (!is.numeric(covariance) || !identical(dim(covariance), c(size, size, count))) {
    got <- describe_value(covariance)
    abort_argument(
      "{.arg covariance} of class {.val {class}} must be a {size} x {size} x {count} array, not
       {got}.", call
    )
  }
  each <- vapply(seq_len(count), function(t) {
    check_covariance(matrix(covariance[, , t], size), features, class, call)
  }, matrix(0, size, size))
  array(each, c(size, size, count), list(features, features, NULL))
}

known_components <- function(likelihood, name, classes, call) {
  at <- match_names(names(likelihood$weights), classes, name, call = call)
  mean <- do.call(rbind, unname(likelihood$mean[at]))
  covariance <- likelihood$covariance[at]
  factor <- unlist(unname(Map(function(covariance, class) {
    lapply(seq_len(dim(covariance)[[3L]]), function(t) {
      covariance_factor(matrix(covariance[, , t], ncol(mean)), name, class, call)
    })
  }, covariance, names(covariance))), recursive = FALSE)
  list(
    type = "multivariate_mixture", name = name,
    features = lapply(colnames(mean), new_feature, type = "double", levels = NULL),
    parameters = c(known_weights_of(likelihood$weights[at]), list(
      mean = unname(mean), mean_low = unname(mean * 0), factor = factor, left_out = integer()
    ))
  )
}
