# So many blocks, and so many features or levels of each, are printed.
max_printed_blocks <- 10L

#' Summarise a fitted model
#'
#' What a model learnt, for reading: the classes, the cases that each feature was
#' estimated from, the parameters of each feature or block, and the fit.
#'
#' @param object A fitted or known model.
#' @param x The result of `summary()`.
#' @param ... Not used: an argument of `summary()` that ends up here is an error.
#' @return A list of class `bayesrisk_summary`:
#'   * `model`: sentences that say what was estimated, from what;
#'   * `classes`: a data frame of `class`, `prior`, `weight` (sum of the case
#'     weights) and `rows`;
#'   * `features`: a data frame of `feature`, `kind`, `block`, `available` (the
#'     weight of the cases that it was estimated from, in a joint block those
#'     that miss none of its features) and `missing` (the weight of the cases
#'     that miss it; for a feature of a joint block the number of rows);
#'   * `blocks`: for each feature or block, by name, its parameters as in
#'     [coef()][coef.bayesrisk_model], but `mean`, `sd` (both class x feature)
#'     and `correlation` for a block of numeric features, and a data frame of
#'     the 5 most probable cells of each class for a joint table;
#'   * `fit`: the log likelihood with its degrees of freedom, AIC and BIC, as in
#'     [glance()][glance.bayesrisk_model].
#'
#'   It prints as tables. Printed numbers, as those of models, follow
#'   `options(digits)`; of long lists the beginning is printed, and how much is
#'   left out.
#' @section Errors: `bayesrisk_error_object` for a damaged model.
#' @seealso [coef()][coef.bayesrisk_model] for the numbers alone.
#' @examples
#' summary(fit(bayes_naive(laplace = 1), play ~ outlook + wind, play_tennis))
#'
#' petal <- bayes_blocks(list(petal = c("Petal.Length", "Petal.Width")))
#' summary(fit(petal, Species ~ ., iris))
#' @export
summary.bayesrisk_model <- function(object, ...) {
  call <- rlang::current_env()
  check_no_dots(..., call = call)
  check_model(object, call)
  blocks <- coef.bayesrisk_model(object)[-1L]
  blocks[] <- Map(function(bank, coefficients) {
    record_of(bank)$summary(bank, coefficients)
  }, block_banks(object), blocks)
  structure(
    list(
      model = format(object), classes = class_table(object), features = feature_table(object),
      blocks = blocks, fit = glance.bayesrisk_model(object)
    ),
    class = "bayesrisk_summary"
  )
}

feature_table <- function(model) {
  schema <- model$schema
  block <- rep(NA_character_, length(schema$features))
  available <- missing <- rep(0, length(schema$features))
  for (b in seq_along(model$plan$banks)) {
    bank <- model$plan$banks[[b]]
    block[bank$features] <- block_label(bank)
    if (is.null(model$statistics)) next
    cases <- feature_cases(bank, model$statistics$banks[[b]], total_weight(model))
    available[bank$features] <- cases$available
    missing[bank$features] <- cases$missing
  }
  data.frame(
    feature = as.character(names(schema$features)), kind = feature_kinds(schema), block = block,
    available = available, missing = missing
  )
}

# How many cases each feature of a bank was estimated from, and how many miss it.
feature_cases <- function(bank, statistics, total) {
  available <- unname(record_of(bank)$cases(bank, statistics))
  list(
    available = available,
    missing = if (is_joint(bank)) statistics$missing else total - available
  )
}

#' @rdname summary.bayesrisk_model
#' @export
print.bayesrisk_summary <- function(x, ...) {
  for (sentence in x$model) print_sentence(sentence)
  cat("\n")
  print_class_table(x$classes, any(x$classes$weight != x$classes$rows))
  print_missing(x$features)
  shown <- utils::head(names(x$blocks), max_printed_blocks)
  for (j in seq_along(shown)) print_block(x$blocks[[j]], shown[[j]])
  left <- length(x$blocks) - length(shown)
  if (left > 0L) {
    cat(sprintf("\n... and %s more blocks: coef() has them all.\n", format_count(left)))
  }
  print_fit(x$fit)
  invisible(x)
}

print_missing <- function(features) {
  incomplete <- features[features$missing > 0, , drop = FALSE]
  if (nrow(incomplete) == 0L) return(invisible())
  print_heading("Missing values:", blank = TRUE)
  print_aligned(list(
    feature = encodeString(incomplete$feature), missing = incomplete$missing,
    available = incomplete$available
  ), "features")
}

print_block <- function(block, name) {
  print_heading(encodeString(name), blank = TRUE)
  if (is.data.frame(block)) {
    cat(attr(block, "title"), "\n", sep = "")
    return(print(block, row.names = FALSE))
  }
  if (is.matrix(block)) return(print_matrix(block))
  for (part in c("mean", "sd")) {
    cat(part, "\n", sep = "")
    print_matrix(block[[part]])
  }
  if (is.matrix(block$correlation)) {
    cat("correlation, all classes\n")
    return(print_matrix(block$correlation))
  }
  has_rows <- !vapply(block$correlation, anyNA, NA)
  for (class in names(block$correlation)[has_rows]) {
    cat("correlation, ", encodeString(class), "\n", sep = "")
    print_matrix(block$correlation[[class]])
  }
}

print_fit <- function(fit) {
  if (is.na(fit$logLik)) return(invisible())
  if (is.na(fit$df)) return(cat(sprintf("\nLog likelihood %s\n", format(fit$logLik))))
  cat(sprintf(
    "\nLog likelihood %s (df = %s), AIC %s, BIC %s\n",
    format(fit$logLik), format_count(fit$df), format(fit$AIC), format(fit$BIC)
  ))
}
