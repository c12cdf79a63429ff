#' @export
describe.bayesrisk_dependence <- function(x, show) {
  if (nrow(x) == 0L || anyNA(x$cases)) return(NextMethod())
  advice <- dependence_advice(x)
  list(
    title_item(dependence_title(x)),
    table_item(dependence_columns(x), c("pair", "pairs"), keys = 2L),
    sentences_item(c(dependence_notes(x), advice$text)), code_item(advice$code)
  )
}

dependence_title <- function(x) {
  pairs <- count_of(nrow(x), "pair of features", "pairs of features")
  classes <- count_of(length(attr(x, "classes")), "class", "classes")
  sprintf("dependence given the class of %s: %s", pairs, classes)
}

# With more classes than this, the print leaves the columns of the classes out.
max_shown_classes <- 6L

dependence_columns <- function(x) {
  classes <- attr(x, "classes")
  within <- if (length(classes) <= max_shown_classes) {
    stats::setNames(unclass(x)[paste0("association_", classes)], classes)
  }
  columns <- c(
    list(first = x$first, second = x$second),
    if (length(unique(x$kind)) > 1L) list(kind = x$kind),
    # Short names, so that the table of three classes with usual names fits into 80 columns.
    list(nats = x$information, aic = x$aic, pooled = x$association), within,
    if (any(x$cases != max(x$cases))) list(cases = x$cases)
  )
  list2DF(columns)
}

dependence_notes <- function(x) {
  constant <- attr(x, "constant")
  shown <- sprintf("%s (%s)", encodeString(constant$feature), encodeString(constant$class))
  c(
    paste(
      "nats: mutual information given the class; aic: the lower, the more dependent;",
      "pooled: the association within the classes, then that of each class."
    ),
    if (nrow(constant)) {
      sprintf("Constant in a class, and independent there: %s.", fit_list(shown, 200L))
    },
    if (has_open_classes(x)) {
      "NA: too few cases in the class; the information is that of the other classes."
    }
  )
}

# Whether an association is NA although neither feature is constant in the class.
has_open_classes <- function(x) {
  constant <- attr(x, "constant")
  open <- vapply(attr(x, "classes"), function(class) {
    still <- constant$feature[constant$class == class]
    any(is.na(x[[paste0("association_", class)]]) & !x$first %in% still & !x$second %in% still)
  }, NA)
  any(open)
}

# Advice on the most dependent pair: `text`, and `code` if a block helps.
dependence_advice <- function(x) {
  x <- by_dependence(x)
  pair <- function(i) paste(encodeString(x$first[i]), "and", encodeString(x$second[i]))
  certain <- which(is.infinite(x$information))
  if (length(certain)) {
    return(list(text = sprintf(
      "One of %s determines the other: leave one out.", pair(certain[[1L]])
    )))
  }
  # No block holds a number with a category.
  same <- x$kind != "mixed"
  worth <- which(same & x$aic < 0)
  mixed <- which(!same & x$aic < 0)
  text <- if (length(mixed)) {
    sprintf("A number and a category, dependent by AIC: %s. No block holds both.",
            some_of(pair(mixed)))
  }
  count <- sprintf(
    "Worth the parameters of a block, by AIC: %d of %d%s", length(worth), sum(same),
    if (all(same)) "" else " of one kind"
  )
  if (length(worth)) {
    best <- worth[[1L]]
    members <- as.call(list(quote(c), x$first[[best]], x$second[[best]]))
    return(list(
      text = c(text, paste0(count, ". The first:")),
      code = as.call(list(quote(bayes_blocks), as.call(list(quote(list), members))))
    ))
  }
  enough <- c(if (any(same)) paste0(count, "."), if (!length(mixed)) "Naive is enough.")
  list(text = c(text, if (length(enough)) paste(enough, collapse = " ")))
}
