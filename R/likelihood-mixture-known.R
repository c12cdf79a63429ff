# Known parameters of mixtures: their checks, and the parameters of the engine.

check_known_mixture <- function(weights, mean, sd, call) {
  given <- list(weights = weights, mean = mean, sd = sd)
  open <- vapply(given, is.null, NA)
  if (all(open)) return(given)
  if (any(open)) {
    abort_argument("{.arg {names(given)[!open]}} needs {.arg {names(given)[open]}}.", call)
  }
  weights <- check_by_class(weights, "weights", call, min = 0)
  classes <- names(weights)
  wrong <- classes[!vapply(weights, sums_to_one, NA)]
  if (length(wrong)) {
    abort_argument(
      "{.arg weights} must sum to 1 within each class; they do not for {.val {wrong}}.", call
    )
  }
  mean <- fill_components(check_by_class(mean, "mean", call), weights, "mean", call)
  if (is.numeric(sd) && length(sd) == 1L && is.null(names(sd))) {
    sd <- rep(list(check_number(sd, "sd", min = 0, call = call)), length(classes))
    names(sd) <- classes
  }
  sd <- fill_components(check_by_class(sd, "sd", call, min = 0), weights, "sd", call)
  check_positive(unlist(sd, use.names = FALSE), "sd", call)
  list(weights = weights, mean = mean, sd = sd)
}

# A list of plain vectors, one per class, named by class.
check_by_class <- function(x, arg, call, min = -Inf) {
  if (is.numeric(x)) {
    x <- check_numbers(x, arg, min, call)
    check_named_by_class(x, arg, call)
    return(as.list(x))
  }
  if (!is.list(x) || is.object(x) || length(x) == 0L) {
    got <- describe_value(x)
    abort_argument(c(
      "{.arg {arg}} must be a list named by class, with a number for each component, not {got}.",
      i = "For example {.code list(C1 = c(0.7, 0.3), C2 = 1)}."
    ), call)
  }
  check_named_by_class(x, arg, call)
  check_distinct_names(names(x), arg, call)
  Map(function(numbers, class) {
    unname(check_numbers(numbers, paste0(arg, "$", class), min, call))
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
  sums <- vapply(likelihood$weights, sum, 1)
  weights <- Map(`/`, likelihood$weights, sums)[at]
  known_number(name, list(
    components = lengths(weights, use.names = FALSE),
    log_weight = log(unlist(weights, use.names = FALSE)),
    mean = flat("mean"), sd = flat("sd"), left_out = integer()
  ))
}
