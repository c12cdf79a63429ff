# Keys: the columns of the argument `by`, which divide the rows into groups. A model is fitted to
# each group. A key is a term: a column, or a function of columns.

# The expressions of `by`, named by label; NULL if `by` is not given. `by`: a quosure, such as
# region, c(region, year) or "region".
read_by <- function(by, call) {
  if (!is_given(by)) return(NULL)
  expression <- rlang::zap_srcref(rlang::quo_get_expr(by))
  several <- rlang::is_call(expression, "c", ns = "")
  given <- if (several) as.list(expression)[-1L] else list(expression)
  keys <- lapply(given, function(e) if (is_string(e)) as.name(e) else e)
  sound <- vapply(keys, function(e) is.name(e) || is.call(e), NA)
  if (length(keys) == 0L || !all(sound)) {
    abort_argument(c(
      "{.arg by} must name columns of {.arg data}, not {.code {rlang::as_label(expression)}}.",
      i = "For example {.code by = region} or {.code by = c(region, year)}."
    ), call)
  }
  labels <- vapply(keys, term_label, "")
  named <- nzchar(rlang::names2(given))
  labels[named] <- names(given)[named]
  if (anyDuplicated(labels)) {
    abort_argument("{.arg by} names {.field {labels[duplicated(labels)]}} twice.", call)
  }
  stats::setNames(keys, labels)
}

# The codes and levels of each key. `terms`: the keys as terms that a model can keep. `alone`:
# whether the key of a row must not depend on other rows, because rows are read apart.
read_keys <- function(terms, container, enclosure, arg, abort, call, alone = FALSE) {
  columns <- unique(unlist(lapply(terms, `[[`, "columns")))
  check_columns_there(columns, container, abort, arg, call)
  check_column_names(container$names, columns, arg, abort, call)
  Map(function(term, label) {
    x <- evaluate_term(term, container, enclosure, label, abort, call)
    key <- read_key(x, label, container$rows, call)
    if (alone && is.call(term$expression)) {
      check_alone(x, term, container, enclosure, label, call, abort)
    }
    key
  }, terms, names(terms))
}

read_key <- function(x, label, rows, call) {
  type <- if (is.null(dim(x)) && length(x) == rows) column_type(x) else NA
  whole <- !type %in% c("double", "integer") || are_whole_labels(x)
  if (is.na(type) || !whole) {
    abort_argument(c(
      "{.arg by}: {.field {label}} must be a factor, text, logical or whole numbers, not
       {describe_value(x)}.",
      i = if (is.null(indistinct_hint(x))) {
        "{.fn factor} or {.fn cut} make groups of other values."
      } else {
        indistinct_hint(x)
      }
    ), call)
  }
  switch(type,
    factor = , ordered = factor_class(x, type),
    character = text_class(x),
    class_codes(x, sort(unique(x)), if (type == "logical") type else "integer")
  )
}

# The groups of the rows of cases. `keys`: a result of read_keys(). `own`: the class of each row, NA
# for a row that is left out. `subset`: the rows that were asked for; NULL for all. The result is a
# list of
# * keys: a data frame with a row for each group;
# * read: the number of rows of each group;
# * group: the group and class of each row, as the engine numbers them;
# * used: the number of rows with a group;
# * missing: the number of used rows that miss a key.
group_rows <- function(keys, own, subset, classes, rows, call) {
  found <- call_engine(group_keys_cpp(
    unname(lapply(keys, `[[`, "codes")), lengths(lapply(keys, `[[`, "levels"), use.names = FALSE),
    own, subset, classes, rows
  ), call)
  frame <- Map(function(key, j) as_class_factor(found$key[, j], key), keys, seq_along(keys))
  found$keys <- structure(
    frame, names = names(keys), row.names = .set_row_names(nrow(found$key)), class = "data.frame"
  )
  found
}

# The number of rows of each group, named by group, whether they count or not.
group_reads <- function(keys, subset, rows, call) {
  found <- group_rows(keys, rep(1L, rows), subset, 1L, rows, call)
  stats::setNames(found$read, group_labels(found$keys))
}

# The names of groups: the keys as text, joined by a point.
group_labels <- function(keys) {
  do.call(paste, c(unname(lapply(keys, as.character)), sep = "."))
}

# Two combinations of keys may have the same name, such as "a.b" with "c" and "a" with "b.c".
check_group_labels <- function(keys, call) {
  labels <- group_labels(keys)
  again <- unique(labels[duplicated(labels)])
  if (!length(again)) return(invisible())
  joined <- sprintf("by = paste(%s, sep = \"/\")", toString(names(keys)))
  abort_argument(c(
    "{.arg by}: different keys give the name {some_of(encodeString(again, quote = '\"'), 5L)}.",
    i = "Join them differently: {.code {joined}}."
  ), call)
}

# Columns of the result of a call with `by` stand beside the keys.
check_key_names <- function(keys, columns, call) {
  taken <- intersect(keys, columns)
  if (!length(taken)) return(invisible())
  abort_argument(c(
    "{.arg by}: the result has columns of its own named {.field {taken}}.",
    i = "Rename {cli::qty(taken)}{?it/them}: {.code by = c(my_{taken[[1L]]} = {taken[[1L]]})}."
  ), call)
}

# A table with the keys of its rows before them. A key with the name of a column gets the prefix
# "by_" until its name is free: the groups exist, so the user cannot rename it any more.
key_rows <- function(keys, table) {
  for (i in which(names(keys) %in% names(table))) {
    while (names(keys)[[i]] %in% c(names(keys)[-i], names(table))) {
      names(keys)[[i]] <- paste0("by_", names(keys)[[i]])
    }
  }
  data.frame(keys, table, check.names = FALSE, row.names = NULL)
}

# The position among groups of each row of other keys, 0 if there is none. `keys`, `others`: data
# frames of factors, or lists of codes and levels from read_keys(). Names of groups do not tell
# all combinations apart.
match_keys <- function(others, keys) {
  ids <- function(x) {
    codes <- Map(function(key, own) {
      levels <- if (is.factor(key)) levels(key) else key$levels
      code <- if (is.factor(key)) key else key$codes
      match(as.character(levels), levels(own))[as.vector(unclass(code))]
    }, x, keys)
    do.call(paste, unname(codes))
  }
  match(ids(others), ids(keys), nomatch = 0L)
}
