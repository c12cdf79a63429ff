# The tests of a plan and their prices.

# list(test, features (positions), price): what is tested at once, single features and panels.
# `open`: the positions of the features that can be tested, because they are not known.
read_tests <- function(object, open, panels, price, call) {
  known <- names(object$schema$features)
  # Panels whose features are all known are dropped, but may have a price.
  asked <- names(panels)
  panels <- read_panels(panels, known, open, call)
  panels <- with_block_panels(object, panels, open, call)
  price <- check_numbers(price, "price", min = 0, call = call)
  shared <- is.null(names(price))
  if (shared && length(price) != 1L) {
    abort_argument(
      "{.arg price} must be one number, or numbers named by test, not {length(price)} numbers
       without names.", call
    )
  }
  check_known_tests(names(price), union(c(known, asked), names(panels)), call)
  check_single_prices(object, names(price), panels, open, call)
  in_panels <- unlist(panels)
  single <- if (shared) setdiff(open, in_panels) else intersect(match(names(price), known), open)
  features <- c(stats::setNames(as.list(single), known[single]), panels)
  missing <- c(
    known[setdiff(open, c(single, in_panels))], if (!shared) setdiff(names(panels), names(price))
  )
  if (length(missing)) abort_argument("{.arg price} has no price for {.field {missing}}.", call)
  list(
    test = as.character(names(features)), features = unname(features),
    price = if (shared) rep(price, length(features)) else unname(price[names(features)])
  )
}

features_of_tests <- function(tests) as.integer(unlist(tests$features))

check_known_tests <- function(given, tests, call) {
  unknown <- setdiff(given, tests)
  if (!length(unknown)) return(invisible())
  abort_argument(c(
    "{.arg price} names {.val {unknown}}, which {?is/are} no test{?s}.",
    i = "Tests are the features, {.field {utils::head(tests, 20L)}}, and the names of
         {.arg panels}."
  ), call)
}

# The positions of the features that can be tested: they are not known (`read`), and their exponent,
# if they have one, is not 0.
open_features <- function(object, features, read, call) {
  asked <- asked_features(object, features, call)
  open <- asked[!known_of_cases(object, read$frame)[1L, asked] & feature_powers(object)[asked] > 0]
  check_integrals(object, open, call)
  closed <- intersect(open, powered_model(object)$open)
  if (length(closed)) {
    abort_argument(c(
      "The density of {.field {names(object$schema$features)[closed]}} to the power of its exponent
       has no closed form.",
      i = "{.arg features} can leave {cli::qty(length(closed))}{?it/them} out.",
      i = untemper_hint
    ), call)
  }
  open
}

# The values of cases by feature: numbers, and codes of levels. Plans know no bags.
values_of_cases <- function(object, frame) {
  values <- Map(function(column, kind) {
    if (kind == "numeric") column_vector(column) else column_codes(column)
  }, frame$columns, feature_kinds(object$schema))
  stats::setNames(values, names(object$schema$features))
}

# A frame of such values, in which only the features `known` (positions) are known.
frame_of_values <- function(object, values, known = seq_along(values)) {
  unknown <- setdiff(seq_along(values), known)
  values[unknown] <- lapply(values[unknown], function(value) replace(value, TRUE, NA))
  rows <- length(values[[1L]])
  bind_frame(unname(feature_columns(object$schema$features, values, rows)), rows)
}

# Whether each feature of each case is known, cases x features.
known_of_cases <- function(object, frame) {
  values <- unlist(values_of_cases(object, frame), use.names = FALSE)
  matrix(!is.na(values), frame$rows)
}

# The codes of categorical features, cases x features; 0: a number.
levels_of_cases <- function(object, frame) {
  codes <- values_of_cases(object, frame)
  codes[feature_kinds(object$schema) == "numeric"] <- list(rep(0L, frame$rows))
  matrix(unlist(codes, use.names = FALSE), frame$rows)
}
